//! Random courses of a turn: whatever fails, what is said of it is so.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::{Value, json};

use super::{Fate, Spoken, Stage, calls, fails, says};
use crate::chat::ChatError;
use crate::chat::machine::effects::Waited;
use crate::llm::ModelError;
use crate::store::RollbackCause;

/// One answer of a model, by number.
fn answer(kind: u8) -> Spoken {
    let add = ("add_task", json!({ "title": "milk" }));
    let wrong = ("delete_task", json!({ "task": "eggs" }));
    let right = ("delete_task", json!({ "task": "bread" }));
    match kind {
        0 => calls(&[add]),
        1 => calls(&[add, wrong]),
        2 => calls(&[wrong]),
        3 => calls(&[right, wrong]),
        4 => calls(&[("list_tasks", json!({}))]),
        5 => says("I have added milk and deleted bread."),
        6 => fails(ModelError::Unreachable),
        7 => Waited::Late,
        8 => Waited::Ending,
        _ => Waited::Stopped,
    }
}

fn fates() -> impl Strategy<Value = Vec<Fate>> {
    let fate = prop_oneof![
        4 => Just(Fate::Written),
        1 => Just(Fate::NotFound),
        1 => any::<bool>().prop_map(|written| Fate::Unknown { written }),
        2 => prop::sample::select(vec![
            RollbackCause::ConversationMoved,
            RollbackCause::OutOfDate,
            RollbackCause::TurnEnded,
            RollbackCause::Storage("disk full".to_owned()),
        ])
        .prop_map(Fate::RolledBack),
    ];
    prop::collection::vec(fate, 0..5)
}

fn sound(often: u32) -> impl Strategy<Value = bool> {
    prop_oneof![often => Just(true), 1 => Just(false)]
}

/// Everything that may go one way or another.
#[derive(Debug, Clone)]
struct Course {
    models: Vec<u8>,
    fates: Vec<Fate>,
    reads: Vec<bool>,
    journals: Vec<Result<bool, ()>>,
    keyed: bool,
}

fn courses() -> impl Strategy<Value = Course> {
    let models = prop::collection::vec(0..10_u8, 60);
    let reads = prop::collection::vec(sound(6), 0..6);
    let journal = prop_oneof![3 => Just(Ok(true)), 1 => Just(Ok(false)), 1 => Just(Err(()))];
    let journals = prop::collection::vec(journal, 0..3);
    let course = (models, fates(), reads, journals, any::<bool>());
    course.prop_map(|(models, fates, reads, journals, keyed)| Course {
        models,
        fates,
        reads,
        journals,
        keyed,
    })
}

impl Course {
    fn stage(&self) -> Stage {
        let message = "add milk and delete eggs and delete bread";
        let stage = Stage::new(message, &["bread"])
            .speaking(self.models.iter().copied().map(answer))
            .committing(self.fates.iter().cloned())
            .reading(self.reads.iter().copied())
            .journaling(self.journals.iter().copied());
        match self.keyed {
            true => stage.under_key("k"),
            false => stage,
        }
    }
}

/// Receipts that a reply shows.
fn shown(body: &Value) -> Vec<String> {
    let actions = body["actions"].as_array().into_iter().flatten();
    let ids = actions.map(|action| action["receipt_id"].as_str().unwrap().to_owned());
    ids.collect()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 400,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(11),
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_course_ends_and_what_was_committed_is_told(course in courses()) {
        let mut stage = course.stage();
        let ended = stage.play();
        let world = &stage.world;
        let used = course.fates.len() - world.commits.len();
        let unknown = |fate: &&Fate| matches!(fate, Fate::Unknown { .. });
        let unknown = course.fates.iter().take(used).any(|fate| unknown(&fate));
        match &ended {
            Ok(answered) => {
                let body: Value = serde_json::from_str(&answered.body).unwrap();
                if body["turn_id"].is_string() {
                    let committed = world.committed.iter().map(|facts| facts.id.to_string());
                    prop_assert_eq!(shown(&body), committed.collect::<Vec<_>>());
                    prop_assert!(!world.is_open());
                }
                prop_assert!(!unknown);
            }
            Err(ChatError::Unconfirmed) => {}
            // Somebody else ended it, and has told what stands.
            Err(ChatError::Conflict(text)) if text.contains("what it did is told") => {}
            Err(error) => {
                prop_assert!(world.committed.is_empty(), "{error:?}");
                prop_assert_eq!(world.titles(), ["bread"]);
            }
        }
        if unknown {
            prop_assert_eq!(&ended, &Err(ChatError::Unconfirmed));
            prop_assert_eq!(world.asked.last(), Some(&"commit"));
        }
    }
}
