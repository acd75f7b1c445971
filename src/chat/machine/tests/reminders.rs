//! Lines of a reply about reminders that it sets.

use serde_json::json;

use super::{Fate, Stage, calls, says};
use crate::store::RollbackCause;

/// A reply that sets a reminder says at once where nobody would get it.
#[test]
fn a_reminder_that_reaches_nobody_is_said_to() {
    let nobody = "Nobody is listening yet: keep the page open or set CANDOR_WEBHOOK_URL.";
    for reached in [false, true] {
        let add = json!({ "title": "call Ann", "remind": "2026-02-09T17:00" });
        let mut stage = Stage::new("remind me tomorrow at 5pm to call Ann", &[]);
        stage = stage.speaking([calls(&[("add_task", add)])]);
        stage.world.reached = reached;
        let reply = stage.reply().unwrap();
        assert!(reply.starts_with("Added: call Ann"), "{reply}");
        assert_eq!(reply.contains(nobody), !reached, "{reply}");
        assert!(stage.world.asked.contains(&"reach"));
    }
}

/// Words that go by the receipts of a reply that was overtaken are said of those that stand, once.
#[test]
fn a_reply_that_was_overtaken_says_once_that_nobody_listens() {
    let words = "remind me tomorrow at 5pm to call Ann, and delete eggs";
    let add = json!({ "title": "call Ann", "remind": "2026-02-09T17:00" });
    let remove = json!({ "task": "eggs" });
    let mut stage = Stage::new(words, &["bread"])
        .speaking([
            calls(&[("add_task", add), ("delete_task", remove)]),
            says("There are no eggs."),
        ])
        .committing([
            Fate::Written,
            Fate::RolledBack(RollbackCause::ConversationMoved),
        ]);
    let reply = stage.reply().unwrap();
    assert_eq!(
        stage
            .world
            .asked
            .iter()
            .filter(|it| **it == "reach")
            .count(),
        2
    );
    assert_eq!(
        reply.matches("Nobody is listening yet").count(),
        1,
        "{reply}"
    );
}
