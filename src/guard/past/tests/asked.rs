//! Questions of how many, which, when and the first: what was done answers them, not what is left.

use super::*;

#[tokio::test]
async fn what_was_done_is_counted_and_named() {
    let mut world = World::of(&["Water plants", "rent"]).await;
    world.turn(&[Add("soap")]).await;
    world.turn(&[Add("jam")]).await;
    world.turn(&[Delete("soap")]).await;
    let soap = "Added: soap (at 18:01; deleted at 18:03)";
    let both = format!("2 in this conversation:\n{soap}\nAdded: jam");
    let all = format!("{soap}\nAdded: jam\nDeleted: soap");
    world
        .check(&[
            ("how many did I add?", &both),
            ("how many things have you added today", &both),
            (
                "how many things did you delete?",
                "1 in this conversation:\nDeleted: soap",
            ),
            ("which one did i delete", "Deleted: soap"),
            ("which tasks have you deleted?", "Deleted: soap"),
            ("first thing i added", soap),
            ("what was the first thing I added?", soap),
            ("what was the last thing I added?", "Added: jam"),
            ("what have you done today", &all),
            ("what have you done so far?", &all),
            ("what did you just do?", "Deleted: soap"),
            (
                "how many have you moved?",
                "Nothing was moved in this conversation.",
            ),
            (
                "cuántas has borrado?",
                "1 in this conversation:\nDeleted: soap",
            ),
            (
                "wie viele hast du gelöscht?",
                "1 in this conversation:\nDeleted: soap",
            ),
        ])
        .await;
}

#[tokio::test]
async fn when_something_was_done_is_no_listing() {
    let mut world = World::of(&["Water plants", "rent"]).await;
    world.turn(&[Done("rent")]).await;
    world
        .check(&[
            ("when did i pay the rent?", "Marked rent as done (at 18:01)"),
            (
                "when did I water the plants?",
                "Water plants is still pending.",
            ),
        ])
        .await;
}

#[tokio::test]
async fn what_is_left_is_the_lists() {
    let mut world = World::of(&["Water plants", "rent"]).await;
    world.turn(&[Done("rent")]).await;
    for words in [
        "how many do I have?",
        "how many tasks are done?",
        "how many tasks have I completed?",
        "which ones are due today?",
        "what do I have to add?",
        "is it worth watering the plants myself?",
    ] {
        let answer = world.ask(words).await;
        assert_eq!(answer, None, "{words}");
    }
    // What no listing was read in is told from the rows.
    let due = world.ask("when is the rent due?").await;
    assert_eq!(due.as_deref(), Some("rent has no due date."));
}
