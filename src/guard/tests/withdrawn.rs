//! What the user takes back, mends or leaves out in the same breath is not licensed.

use super::{Scene, task};
use crate::guard::licence::{GrantKind, Meaning, addition_parts};
use crate::intent::Due;

fn on(due: Option<&Due>) -> String {
    match due {
        Some(Due::On { day, .. }) => format!(" on {day}"),
        _ => String::new(),
    }
}

/// What the words license over the tasks milk, eggs and stamps: "Delete milk, eggs; Add bread".
fn licensed(words: &str) -> String {
    const TITLES: [&str; 3] = ["milk", "eggs", "stamps"];
    let tasks = (1..).zip(TITLES);
    let tasks = tasks.map(|(number, text)| task(number, text, false));
    let scene = Scene::new(words, tasks.collect());
    let title = |id| {
        let task = scene.tasks.get(id);
        task.map_or("?", |task| task.title.as_str()).to_owned()
    };
    let means = |meaning: &Meaning| match meaning {
        Meaning::One(id) => title(*id),
        Meaning::Set(ids) => {
            let titles: Vec<_> = ids.iter().map(|id| title(*id)).collect();
            titles.join(", ")
        }
        other => format!("{other:?}"),
    };
    let grants = scene.licence.grants.iter().map(|grant| match &grant.kind {
        GrantKind::Add { addition, .. } => {
            let titles = addition_parts(addition).into_iter();
            let titles = titles.map(|task| task.title.clone() + &on(task.due.as_ref()));
            format!("Add {}", titles.collect::<Vec<_>>().join(", "))
        }
        GrantKind::Change {
            verb,
            parts,
            values,
        } => {
            let parts: Vec<_> = parts.iter().map(|part| means(&part.meaning)).collect();
            format!("{verb:?} {}{}", parts.join(", "), on(values.due.as_ref()))
        }
        other => format!("{other:?}"),
    });
    grants.collect::<Vec<_>>().join("; ")
}

#[test]
fn a_no_takes_back_the_command_before_it() {
    for words in [
        "delete milk, no",
        "delete milk. No.",
        "delete milk - no",
        "mark eggs as done, no a joke",
        "delete milk, no wait, don't",
        "add bread, no wait, don't",
        "mark eggs as done. never mind",
        "undo that, no",
    ] {
        assert_eq!(licensed(words), "", "{words:?}");
    }
}

#[test]
fn so_does_a_no_with_a_wait_beside_it() {
    for words in [
        "delete milk, no wait",
        "delete milk. no, wait",
        "delete milk, wait no",
        "delete milk... hang on, no",
        "add bread, no wait",
        "lösche milk, nein warte",
        "supprime milk, non attends",
        "borra milk, no espera",
        "elimina milk, no aspetta",
    ] {
        assert_eq!(licensed(words), "", "{words:?}");
    }
    // Before a command it is a word of no weight.
    for (words, expect) in [
        ("wait, delete milk", "Delete milk"),
        ("hold on, add bread", "Add bread"),
        ("no wait, delete milk", "Delete milk"),
        ("warte, lösche milk", "Delete milk"),
    ] {
        assert_eq!(licensed(words), expect, "{words:?}");
    }
}

#[test]
fn what_is_said_instead_is_meant_and_nothing_else() {
    for (words, expect) in [
        ("delete milk, no wait, eggs", "Delete eggs"),
        ("delete milk, no, eggs", "Delete eggs"),
        ("mark milk as done, no, eggs", "Complete eggs"),
        ("add bread, no, butter", "Add butter"),
        (
            "move milk to friday, no, monday",
            "Update milk on 2026-02-09",
        ),
        (
            "add dentist on monday, no wait, tuesday",
            "Add dentist on 2026-02-10",
        ),
        (
            "add dentist, friday would be good",
            "Add dentist on 2026-02-13",
        ),
        ("add bread, no wait, butter", "Add butter"),
    ] {
        assert_eq!(licensed(words), expect, "{words:?}");
    }
}

#[test]
fn what_is_forbidden_is_left_out_of_all() {
    for (words, expect) in [
        (
            "delete all tasks, but don't delete milk",
            "Delete eggs, stamps",
        ),
        ("delete everything but keep milk", "Delete eggs, stamps"),
        (
            "delete everything, don't delete milk",
            "Delete eggs, stamps",
        ),
        (
            "complete all tasks, but don't complete milk",
            "Complete eggs, stamps",
        ),
        ("delete everything except milk", "Delete eggs, stamps"),
    ] {
        assert_eq!(licensed(words), expect, "{words:?}");
    }
}

#[test]
fn a_no_that_denies_the_verb_behind_it_licenses_nothing() {
    for words in [
        "no, don't delete milk",
        "no don't delete milk",
        "please don't reopen milk",
        "please don't set milk to high priority",
        "please don't undo that",
        "never undo that",
        "never set milk to high priority",
        "never scratch the last one",
        "better not delete milk",
        "I'd rather not add bread",
        "rather not mark milk as done",
        "don't bother delete milk",
        "no way delete milk",
        "jamais supprimer milk",
        "surtout pas supprimer milk",
        "no borra milk",
        "nunca borra milk",
        "não apaga milk",
        "mai eliminare milk",
    ] {
        assert_eq!(licensed(words), "", "{words:?}");
    }
    // One that only answers denies nothing.
    for (words, expect) in [
        ("no, delete milk", "Delete milk"),
        ("no delete milk", "Delete milk"),
        ("never mind, delete milk", "Delete milk"),
        ("no need, delete milk", "Delete milk"),
        ("not now. delete milk", "Delete milk"),
    ] {
        assert_eq!(licensed(words), expect, "{words:?}");
    }
}

#[test]
fn a_question_of_ones_own_that_is_denied_is_no_remark() {
    for words in ["milk is done? no", "milk is done, no"] {
        assert_eq!(licensed(words), "", "{words:?}");
    }
    assert_eq!(licensed("milk is done"), "Complete milk");
}

#[test]
fn who_tells_of_an_addition_or_asks_after_one_orders_none() {
    for words in [
        "why did I put bread on the list?",
        "when did we put bread on my list?",
        "who put bread on the list?",
        "should I put bread on the list?",
        "should we add bread to the list?",
        "yesterday I put bread on my list",
        "I already put bread on the list",
        "he put bread on my list yesterday",
        "you shouldn't put bread on the list",
        "you don't have to add bread",
        "did you remind me to buy bread?",
        "why didn't you remind me to buy bread?",
        "you never remind me to buy bread",
        "you forgot to remind me to buy bread",
    ] {
        let found = licensed(words);
        assert!(!found.contains("Add"), "{words}: {found}");
    }
    assert_eq!(licensed("would you delete milk if you were me?"), "");
    for words in [
        "put bread on the list",
        "can you put bread on my list?",
        "I need you to put bread on the list",
        "you should put bread on my list",
        "remind me to buy bread",
        "can you remind me to buy bread?",
        "why don't you remind me to buy bread",
    ] {
        let found = licensed(words);
        assert!(
            found.contains("Add") && found.contains("bread"),
            "{words}: {found}"
        );
    }
}
