//! Every fault of a turn: of the model, of the store, of other hands, of the guard.

use serde_json::json;

use super::{Fate, Spoken, Stage, calls, fails, says, stored};
use crate::chat::guard_port::GuardPort;
use crate::chat::machine::effects::Waited;
use crate::chat::progress::TurnProgress;
use crate::chat::{ChatError, ModelDown, unit_of};
use crate::domain::{RunHandle, Title, TurnId};
use crate::guard::{Composed, Composition, Judge, Verdict};
use crate::llm::ModelError;
use crate::resolver::TaskList;
use crate::store::{MessageRole, NewTask, OpenTurn, ReceiptEntry, RollbackCause};
use crate::tools::Proposal;

const MOVED: RollbackCause = RollbackCause::ConversationMoved;

fn refused() -> RollbackCause {
    RollbackCause::Storage("disk full".to_owned())
}

/// "add milk", and a model that does so.
fn plain() -> Stage {
    Stage::new("add milk", &[])
}

fn adds(title: &str) -> Spoken {
    calls(&[("add_task", json!({ "title": title }))])
}

/// A message of which one half works and the other fails, so that the model is asked again.
fn halves() -> Stage {
    Stage::new("add milk and delete eggs", &["bread"]).speaking([calls(&[
        ("add_task", json!({ "title": "milk" })),
        ("delete_task", json!({ "task": "eggs" })),
    ])])
}

const HALF: &str = "Added: milk\nCould not delete \"eggs\": no task with that title.";

/// Plays it: the reply, the effects, and the tasks that there are then.
fn check(mut stage: Stage, reply: Result<&str, ChatError>, asked: &[&str], titles: &[&str]) {
    let (told, reply) = (stage.reply(), reply.map(str::to_owned));
    assert_eq!(told, reply, "{:?}", stage.world.asked);
    assert_eq!(stage.world.asked, asked);
    assert_eq!(stage.world.titles(), titles);
}

fn down(detail: &str, retry_after: Option<u64>) -> Result<&'static str, ChatError> {
    Err(ChatError::ModelDown {
        detail: format!("{detail}; nothing was changed, and your message was kept"),
        retry_after,
        conversation: plain().world.place,
    })
}

#[test]
fn a_plain_command_asks_once_and_commits_once() {
    let asked = ["recall", "load", "model", "commit"];
    check(
        plain().speaking([adds("milk")]),
        Ok("Added: milk"),
        &asked,
        &["milk"],
    );
}

#[test]
fn a_model_that_gives_no_answer_leaves_the_message_and_nothing_else() {
    let asked = ["recall", "load", "model", "place", "commit"];
    let limited = ModelError::RateLimited {
        retry_after: Some(9),
    };
    let malformed = ModelError::Malformed("cut");
    let ends = [
        (
            fails(ModelError::Unreachable),
            "the model's server can't be reached",
            None,
        ),
        (fails(limited), "the model's server is overloaded", Some(9)),
        (
            fails(malformed),
            "the model's server sent an unusable answer",
            None,
        ),
        (
            Waited::Late,
            "the model's server took too long to answer",
            None,
        ),
        (Waited::Ending, "the server is shutting down", None),
        (
            Waited::Stopped,
            "you stopped it before the model had answered",
            None,
        ),
    ];
    for (end, detail, retry_after) in ends {
        let mut stage = plain().speaking([end]);
        let told = stage.reply();
        assert_eq!(told, down(detail, retry_after).map(str::to_owned));
        assert_eq!(stage.world.asked, asked);
        assert!(stage.world.committed.is_empty() && stage.world.tasks.is_empty());
        let lines = stage.world.conversation.unwrap().messages;
        assert_eq!((lines.len(), lines[0].role), (1, MessageRole::User));
    }
}

#[test]
fn a_message_that_was_not_kept_is_not_said_to_be() {
    let asked = ["recall", "load", "model", "place", "commit"];
    let lost = || plain().speaking([Waited::Late]);
    let unkept = ChatError::Storage("the message could not be kept".to_owned());
    check(
        lost().committing([Fate::NotFound]),
        Err(unkept),
        &asked,
        &[],
    );
    let unknown = Fate::Unknown { written: true };
    check(
        lost().committing([unknown]),
        Err(ChatError::Unconfirmed),
        &asked,
        &[],
    );
    let full = ChatError::Storage(refused().to_string());
    check(
        lost().committing([Fate::RolledBack(refused())]),
        Err(full),
        &asked,
        &[],
    );
}

#[test]
fn the_engine_stands_in_for_a_model_that_is_down_and_not_for_one_that_was_stopped() {
    let standing_in = |end| {
        let mut stage = plain().speaking([end]);
        stage.rules.policy.model_down = ModelDown::Engine;
        stage
    };
    let asked = ["recall", "load", "model", "place", "engine", "commit"];
    check(
        standing_in(Waited::Late),
        Ok("Added: milk"),
        &asked,
        &["milk"],
    );
    let asked = ["recall", "load", "model", "place", "commit"];
    let stopped = down("you stopped it before the model had answered", None);
    check(standing_in(Waited::Stopped), stopped, &asked, &[]);
}

#[test]
fn a_turn_that_was_stopped_before_asks_no_model() {
    let course = TurnProgress::default();
    course.stop();
    let asked = ["recall", "load", "place", "commit"];
    let stopped = down("you stopped it before the model had answered", None);
    check(plain().watched(&course), stopped, &asked, &[]);
}

#[test]
fn a_commit_that_did_not_happen_is_decided_anew() {
    let asked = [
        "recall", "load", "model", "commit", "load", "model", "commit",
    ];
    for fate in [Fate::RolledBack(MOVED), Fate::NotFound] {
        let stage = plain().speaking([adds("milk"), adds("milk")]);
        check(
            stage.committing([fate]),
            Ok("Added: milk"),
            &asked,
            &["milk"],
        );
    }
}

#[test]
fn others_who_are_faster_every_time_are_told_of() {
    let busy =
        "your list kept being changed meanwhile: nothing was changed by this message, try again";
    let mut stage = plain().speaking((0..8).map(|_| adds("milk")));
    stage
        .world
        .commits
        .extend((0..8).map(|_| Fate::RolledBack(MOVED)));
    assert_eq!(stage.reply(), Err(ChatError::Conflict(busy.to_owned())));
    assert!(stage.world.commits.is_empty() && stage.world.tasks.is_empty());
}

#[test]
fn a_commit_of_unknown_fate_is_called_unknown_and_not_tried_again() {
    let asked = ["recall", "load", "model", "commit"];
    for (written, titles) in [(false, [].as_slice()), (true, &["milk"])] {
        let stage = plain().speaking([adds("milk")]);
        let stage = stage.committing([Fate::Unknown { written }]);
        check(stage, Err(ChatError::Unconfirmed), &asked, titles);
    }
}

#[test]
fn a_database_that_refuses_ends_the_turn() {
    let asked = ["recall", "load", "model", "commit"];
    let stage = plain().speaking([adds("milk")]);
    let full = ChatError::Storage("disk full".to_owned());
    check(
        stage.committing([Fate::RolledBack(refused())]),
        Err(full),
        &asked,
        &[],
    );
}

#[test]
fn memory_that_misled_is_not_asked_twice() {
    // Another process deleted the task that this one remembers.
    let mut stage = Stage::new("delete milk", &["milk"]);
    stage.world.recalled = Some(stage.world.snapshot(Some(stage.world.place), None));
    stage.world.tasks = crate::resolver::TaskList::default();
    let delete = || calls(&[("delete_task", json!({ "task": "milk" }))]);
    let stage = stage.speaking([delete(), delete(), says("There is none.")]);
    let stage = stage.committing([Fate::RolledBack(RollbackCause::OutOfDate)]);
    let asked = [
        "recall", "model", "commit", "load", "model", "model", "commit",
    ];
    let gone = Ok("Could not delete \"milk\": no task with that title.");
    check(stage, gone, &asked, &[]);
}

#[test]
fn a_store_that_can_not_be_read_ends_the_turn_and_nothing_was_changed() {
    let unread = |mut stage: Stage| {
        let error = stage.reply().unwrap_err();
        assert!(matches!(error, ChatError::Storage(_)), "{error:?}");
        assert!(stage.world.committed.is_empty() && stage.world.records.is_empty());
        stage.world.asked
    };
    assert_eq!(unread(plain().reading([false])), ["recall", "load"]);
    let past = Stage::new("what did I add today?", &["milk"]).reading([true, false]);
    assert_eq!(unread(past), ["recall", "load", "history"]);
    let mut undo = Stage::new("undo that", &["milk"]).reading([true, false]);
    undo.input.fresh = false;
    undo.input.begins = true;
    assert_eq!(unread(undo), ["recall", "load", "undoable"]);
}

#[test]
fn a_round_is_committed_before_the_model_is_asked_again() {
    let asked = [
        "recall", "load", "model", "commit", "alive", "load", "model", "commit",
    ];
    let mut stage = halves().speaking([says("There are no eggs.")]);
    assert_eq!(stage.reply().as_deref(), Ok(HALF));
    assert_eq!(stage.world.asked, asked);
    assert_eq!(stage.world.committed.len(), 1);
    assert!(!stage.world.is_open());
}

#[test]
fn what_was_committed_is_told_whatever_the_model_does_then() {
    let asked = [
        "recall", "load", "model", "commit", "alive", "load", "model", "place", "commit",
    ];
    let ends = [
        fails(ModelError::Unreachable),
        Waited::Late,
        Waited::Ending,
        Waited::Stopped,
    ];
    for end in ends {
        check(
            halves().speaking([end]),
            Ok(HALF),
            &asked,
            &["bread", "milk"],
        );
    }
}

/// The second answer of the model adds something, too.
fn two_rounds() -> Stage {
    let eggs = calls(&[("delete_task", json!({ "task": "bread" }))]);
    let mut stage = halves().speaking([eggs]);
    stage.input.message = "add milk and delete eggs and delete bread".to_owned();
    stage
}

#[test]
fn an_answer_is_journaled_before_its_calls_run() {
    let asked = [
        "recall", "load", "model", "commit", "alive", "load", "model", "journal",
    ];
    // What can't be kept is not begun.
    let mut stage = two_rounds().journaling([Err(())]);
    let told = stage.reply().unwrap();
    assert!(told.starts_with("Added: milk\n"), "{told}");
    assert_eq!(stage.world.asked[..asked.len()], asked);
    assert_eq!(stage.world.titles(), ["bread", "milk"]);
}

#[test]
fn a_turn_that_was_taken_over_does_nothing_more() {
    let ended = "this message took too long and was ended: what it did is told in its conversation";
    let ended = || Err(ChatError::Conflict(ended.to_owned()));
    let asked = [
        "recall", "load", "model", "commit", "alive", "load", "model", "journal",
    ];
    check(
        two_rounds().journaling([Ok(false)]),
        ended(),
        &asked,
        &["bread", "milk"],
    );
    // Under a key, the answer of whoever ended it is given.
    let asked = [
        "load", "model", "commit", "alive", "load", "model", "journal", "load",
    ];
    let stage = two_rounds().under_key("k").journaling([Ok(false)]);
    check(stage, Ok("told by another"), &asked, &["bread", "milk"]);
    // Found at the commit of the reply.
    let asked = [
        "recall", "load", "model", "commit", "alive", "load", "model", "commit",
    ];
    let stage = halves().speaking([says("There are no eggs.")]);
    let fates = [Fate::Written, Fate::RolledBack(RollbackCause::TurnEnded)];
    check(stage.committing(fates), ended(), &asked, &["bread", "milk"]);
}

#[test]
fn a_reply_that_was_overtaken_is_told_anew_over_what_stands() {
    let asked = [
        "recall", "load", "model", "commit", "alive", "load", "model", "commit", "load", "commit",
    ];
    for fate in [
        Fate::RolledBack(MOVED),
        Fate::RolledBack(refused()),
        Fate::NotFound,
    ] {
        let stage = halves().speaking([says("There are no eggs.")]);
        let stage = stage.committing([Fate::Written, fate]);
        check(stage, Ok(HALF), &asked, &["bread", "milk"]);
    }
}

#[test]
fn a_reply_that_was_overtaken_twice_is_unconfirmed() {
    let moved = || Fate::RolledBack(MOVED);
    let mut stage = halves().speaking([says("There are no eggs.")]);
    stage
        .world
        .commits
        .extend([Fate::Written, moved(), moved()]);
    assert_eq!(stage.reply(), Err(ChatError::Unconfirmed));
    assert!(stage.world.is_open());
}

#[test]
fn after_a_commit_nobody_says_that_nothing_was_changed() {
    // The list can't be read again.
    let stage = halves().reading([true, false]);
    let asked = ["recall", "load", "model", "commit", "alive", "load"];
    check(
        stage,
        Err(ChatError::Unconfirmed),
        &asked,
        &["bread", "milk"],
    );
    // The reply can't be composed.
    let stage = halves().speaking([says("There are no eggs.")]);
    let asked = [
        "recall", "load", "model", "commit", "alive", "load", "model",
    ];
    let stage = stage.with_gates(Breaks::Composing);
    check(
        stage,
        Err(ChatError::Unconfirmed),
        &asked,
        &["bread", "milk"],
    );
    // The fate of the reply is unknown.
    let stage = halves().speaking([says("There are no eggs.")]);
    let stage = stage.committing([Fate::Written, Fate::Unknown { written: false }]);
    let asked = [
        "recall", "load", "model", "commit", "alive", "load", "model", "commit",
    ];
    check(
        stage,
        Err(ChatError::Unconfirmed),
        &asked,
        &["bread", "milk"],
    );
}

#[test]
fn a_second_round_that_was_overtaken_did_not_happen_and_the_first_did() {
    let told = |cause| {
        let stage = two_rounds().speaking([says("Done.")]);
        let mut stage = stage.committing([Fate::Written, Fate::RolledBack(cause)]);
        let told = stage.reply().unwrap();
        assert_eq!(stage.world.titles(), ["bread", "milk"]);
        assert!(told.starts_with("Added: milk\n"), "{told}");
        told
    };
    assert!(told(MOVED).contains("meanwhile"), "{}", told(MOVED));
    assert_ne!(told(MOVED), told(refused()));
}

#[test]
fn a_key_is_answered_once() {
    let keyed = || plain().under_key("k");
    let mut answered = keyed();
    answered.world.keyed = Some(stored("k"));
    check(answered, Ok("told by another"), &["load"], &[]);
    let mut other = keyed();
    let mut print = stored("k");
    print.fingerprint = "another".to_owned();
    other.world.keyed = Some(print);
    check(other, Err(ChatError::KeyReused), &["load"], &[]);
    // Claimed by a turn that left no trace.
    let mut claimed = keyed();
    let turn = TurnId::new(super::id(77));
    let claim = crate::store::KeyedAnswer::claim("k".to_owned(), "print".to_owned(), turn);
    claimed.world.keyed = Some(claim);
    check(claimed, Err(ChatError::Running), &["load"], &[]);
}

#[test]
fn a_turn_that_stands_in_the_way_is_attended_to_first() {
    let open = |key: Option<&str>, place| OpenTurn {
        turn: TurnId::new(super::id(77)),
        conversation: place,
        key: key.map(str::to_owned),
        owner: "there".to_owned(),
        beats: 3,
        alive: false,
        journal: String::new(),
    };
    let mut stage = plain().speaking([adds("milk")]);
    stage.world.open = Some(open(None, stage.world.place));
    let asked = [
        "recall", "load", "attend", "recall", "load", "model", "commit",
    ];
    check(stage, Ok("Added: milk"), &asked, &["milk"]);
    // The same request, which another process had begun.
    let mut stage = plain().under_key("k");
    stage.world.open = Some(open(Some("k"), stage.world.place));
    check(
        stage,
        Ok("told by another"),
        &["load", "attend", "load"],
        &[],
    );
}

#[test]
fn an_unknown_conversation_is_said_to_be() {
    let mut stage = plain();
    stage.input.fresh = false;
    let unknown = Err(ChatError::UnknownConversation);
    check(stage, unknown, &["recall", "load"], &[]);
}

#[test]
fn a_first_command_that_a_crash_cut_is_told_of_first() {
    let mut stage = plain().speaking([adds("milk")]);
    stage.input.fresh = false;
    let cut = TurnId::new(super::id(77));
    stage.world.conversation = Some(crate::store::ConversationState {
        id: stage.world.place,
        version: 4,
        frame: json!({ "cut": cut }).to_string(),
        messages: Vec::new(),
        question: None,
    });
    let (input, ids) = (&stage.input, &stage.rules.ids);
    let (here, none) = (Some(input.conversation), TaskList::default());
    let mut unit = unit_of(&input.user, here, cut, input.moment, ids, none);
    unit.add(NewTask::titled(Title::parse("bread").unwrap()));
    let receipts = unit.acknowledged().into_receipts().into_iter();
    stage.world.cut = receipts
        .map(|receipt| ReceiptEntry {
            receipt,
            undone_by: None,
        })
        .collect();
    let asked = ["recall", "load", "turn", "model", "commit"];
    let told = "Your message before this one was cut off after:\nAdded: bread\nAdded: milk";
    check(stage, Ok(told), &asked, &["milk"]);
}

/// A turn that never stood open can't have been ended by another hand: it is decided anew.
#[test]
fn a_first_commit_that_finds_its_turn_ended_is_decided_anew() {
    let stage = plain().speaking([adds("milk"), adds("milk")]);
    let stage = stage.committing([Fate::RolledBack(RollbackCause::TurnEnded)]);
    let asked = [
        "recall", "load", "model", "commit", "load", "model", "commit",
    ];
    check(stage, Ok("Added: milk"), &asked, &["milk"]);
}

/// A guard that panics.
#[derive(Debug, Clone, Copy)]
enum Breaks {
    Judging,
    Composing,
}

impl GuardPort for Breaks {
    fn judge(&self, judge: &mut Judge<'_>, proposal: Proposal) -> Verdict {
        match self {
            Self::Judging => panic!("broken on purpose"),
            Self::Composing => judge.judge(proposal),
        }
    }

    fn compose(&self, from: &Composition<'_>) -> Composed {
        match self {
            Self::Judging => crate::guard::compose(from),
            Self::Composing => panic!("broken on purpose"),
        }
    }
}

#[test]
fn a_guard_that_breaks_lets_nothing_run_and_nothing_out() {
    let stage = |breaks| {
        plain()
            .speaking([adds("milk"), says("Sorry.")])
            .with_gates(breaks)
    };
    let asked = ["recall", "load", "model", "model", "commit"];
    let unchecked = Ok("Could not check this, so it was not done.");
    check(stage(Breaks::Judging), unchecked, &asked, &[]);
    let asked = ["recall", "load", "model"];
    check(
        stage(Breaks::Composing),
        Err(ChatError::Unchecked),
        &asked,
        &[],
    );
}

#[test]
fn a_run_number_is_no_task() {
    // Other hands took the number of a run: the turn is decided anew.
    let handle = RunHandle::parse("run-7").unwrap();
    let asked = [
        "recall", "load", "model", "commit", "load", "model", "commit",
    ];
    let stage = plain().speaking([adds("milk"), adds("milk")]);
    let stage = stage.committing([Fate::RolledBack(RollbackCause::RunMoved(handle))]);
    check(stage, Ok("Added: milk"), &asked, &["milk"]);
}
