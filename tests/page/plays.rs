//! Whole plays: what somebody does on the page, and what is then there and in the file.

use serde_json::json;

use super::browser::{Browser, ENTER};
use super::support::openai::{Gate, ScriptedModel, Step};
use super::{given, receipts, rows, titles, with_engine, with_model};

#[tokio::test]
async fn add_list_an_ambiguous_delete_confirmed_by_a_button_and_undone() {
    let server = with_engine().await;
    let page = Browser::open(&server).await;
    // A newcomer with nothing is told what to say.
    page.sees(".welcome h2", "What should be remembered?").await;
    page.sees("#list .empty", "Your list is empty.").await;
    page.picture("01-newcomer").await;

    page.click(".offers button", "add buy milk tomorrow").await;
    page.replied(0).await;
    let said = page.reply().await;
    assert_eq!(
        said,
        ("Receipt".into(), "Added: buy milk (due Mon 9 Feb)".into())
    );
    page.sees("#list .task .title", "buy milk").await;
    page.sees("#list .task time", "tomorrow").await;
    page.say("add Read book").await;
    page.say("add Read paper").await;
    assert_eq!(
        titles(&server).await,
        ["buy milk", "Read book", "Read paper"]
    );

    page.say("what are my tasks?").await;
    let (kind, said) = page.reply().await;
    assert_eq!(kind, "Read from your list");
    // The lines of a listing look as the list does; what they were made of is the receipt's.
    assert!(
        said.starts_with("You have 3 tasks:\nbuy milk\ndue tomorrow\nRead book"),
        "{said}"
    );

    // Two fit, so nothing is deleted before it is known which is meant.
    page.say("delete read").await;
    assert_eq!(page.reply().await.0, "Question");
    assert_eq!(titles(&server).await.len(), 3);
    page.picture("02-question").await;
    let before = page.count("article.reply").await;
    page.click(".choices[role=group] button", "Read paper")
        .await;
    page.replied(before).await;
    assert_eq!(page.reply().await.1, "Deleted: Read paper");
    assert_eq!(titles(&server).await, ["buy milk", "Read book"]);
    assert_eq!(
        page.count(".choices[role=group] button:not(:disabled)")
            .await,
        0
    );
    page.until("return ![...document.querySelectorAll('#list .title')].some((one) => one.textContent === 'Read paper')").await;

    // Undo stands beside the claim it takes back, and is a receipt itself.
    page.click("[data-receipt] .chip.plain", "Undo: Deleted: Read paper")
        .await;
    page.replied(before + 1).await;
    assert!(
        page.reply().await.1.starts_with("Undone: Read paper"),
        "{:?}",
        page.reply().await
    );
    assert_eq!(titles(&server).await.len(), 3);
    page.sees("#list .title", "Read paper").await;
    assert_eq!(page.count(".claim.undone").await, 1);
    page.picture("03-undone").await;
    let made = receipts(&server).await;
    assert_eq!(
        made,
        [
            "add_task",
            "add_task",
            "add_task",
            "list_tasks",
            "delete_task",
            "undo"
        ]
    );

    // A claim's receipt, its event and its proof, checked by the page itself.
    page.click("[data-receipt] .chip", "Receipt of: Added: Read book")
        .await;
    page.sees("#sheet .claim-text", "Read book").await;
    page.until("return document.querySelectorAll('#sheet .checks li').length === 2")
        .await;
    assert_eq!(page.count("#sheet .checks .bad").await, 0);
    page.sees("#sheet .checks", "lead to the root").await;
    page.picture("04-receipt").await;

    // Another visit finds the conversation, with its receipts, as it was left.
    page.goto("/").await;
    page.until("return document.querySelectorAll('article.reply').length >= 5")
        .await;
    page.sees(".claim.undone .text", "Deleted: Read paper")
        .await;
    let chips = page.count(".claim.saved .chip:not(.plain)").await;
    assert!(chips >= 4, "{chips}");
    assert_eq!(page.log().await, [""; 0]);
}

#[tokio::test]
async fn a_question_can_still_be_answered_after_a_reload() {
    let server = with_engine().await;
    given(
        &server,
        &[
            ("Read book", None, "medium"),
            ("Read paper", None, "medium"),
        ],
    )
    .await;
    let page = Browser::open(&server).await;
    page.say("delete read").await;
    page.reload().await;
    let before = page
        .until("return document.querySelectorAll('article.reply').length || null")
        .await;
    page.click(".choices[role=group] button", "Read book").await;
    page.replied(before.as_u64().unwrap()).await;
    assert_eq!(page.reply().await.1, "Deleted: Read book");
    assert_eq!(titles(&server).await, ["Read paper"]);
}

#[tokio::test]
async fn a_model_that_only_says_it_did_it_is_shown_for_what_it_is() {
    let model = ScriptedModel::start().await;
    let server = with_model(&model).await;
    given(&server, &[("Pay rent", Some("2026-02-09"), "high")]).await;
    let page = Browser::open(&server).await;
    let lie = "Done! I've deleted Pay rent from your list.";
    model.say(lie);
    page.say("delete Pay rent").await;
    let said = page.reply().await;
    assert_eq!(
        said,
        (
            "Not done".into(),
            "Technical error: Tool not triggered.".into()
        )
    );
    page.sees(".failure .why", "delete_task").await;
    page.sees(".failure .why", "Nothing was changed.").await;
    // The claim reached nobody, and the list is as it was.
    assert!(
        !page
            .run("return document.body.textContent")
            .await
            .as_str()
            .unwrap()
            .contains(lie)
    );
    assert_eq!(titles(&server).await, ["Pay rent"]);
    page.sees("#ghosts b", "1").await;
    page.picture("05-ghost").await;

    // Where it may be looked at, it is struck through.
    page.click(
        ".failure ~ .under a, .failure .under a",
        "How it came about",
    )
    .await;
    page.sees("#audit .lie s", lie).await;
    page.sees("#audit .moment h3", "openai (gpt-4o-mini) said")
        .await;
    page.picture("06-ghost-in-the-audit").await;

    // Trying again asks anew; this time the model calls, and the same words are a receipt.
    page.click(".views a", "Chat").await;
    model.call("delete_task", json!({"task": "Pay rent"}));
    page.click(".failure button", "Try again").await;
    page.replied(1).await;
    assert_eq!(
        page.reply().await,
        ("Receipt".into(), "Deleted: Pay rent".into())
    );
    assert!(titles(&server).await.is_empty());
    page.sees("#list .empty", "empty").await;
    assert_eq!(receipts(&server).await, ["add_task", "delete_task"]);
    assert_eq!(page.log().await, [""; 0]);
}

#[tokio::test]
async fn a_reload_in_the_middle_of_a_turn_loses_nothing_and_runs_nothing_twice() {
    let model = ScriptedModel::start().await;
    let server = with_model(&model).await;
    let gate = Gate::closed();
    let call = Step::calls(vec![("add_task", json!({"title": "Water the plants"}))]);
    model.then(Step::Held(gate.clone(), Box::new(call)));
    let page = Browser::open(&server).await;
    page.run("document.getElementById('message').focus()").await;
    page.keys("add Water the plants").await;
    page.keys(ENTER).await;
    page.until("return document.querySelector('[data-working]') !== null")
        .await;
    while model.requests().is_empty() {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    page.picture("07-working").await;
    page.reload().await;
    // The page comes back to the turn it had lost sight of.
    page.sees(".line.user", "add Water the plants").await;
    page.until("return document.querySelector('[data-working]') !== null")
        .await;
    assert!(titles(&server).await.is_empty());
    gate.open();
    page.replied(0).await;
    assert_eq!(
        page.reply().await,
        ("Receipt".into(), "Added: Water the plants".into())
    );
    assert_eq!(page.count("article.reply").await, 1);
    page.sees("#list .title", "Water the plants").await;
    assert_eq!(titles(&server).await, ["Water the plants"]);
    assert_eq!(receipts(&server).await, ["add_task"]);
    assert_eq!(model.requests().len(), 1);
    let said = rows(&server, "SELECT content FROM messages ORDER BY id").await;
    assert_eq!(said, ["add Water the plants", "Added: Water the plants"]);
}

#[tokio::test]
async fn a_title_is_text_wherever_it_stands() {
    let server = with_engine().await;
    let title = r#"<img src=x onerror="window.hit=1"><script>window.hit=2</script>"#;
    given(&server, &[(title, Some("2026-02-08"), "high")]).await;
    let page = Browser::open(&server).await;
    page.sees("#list .title", title).await;
    page.say("what are my tasks?").await;
    assert!(
        page.reply().await.1.contains(title),
        "{:?}",
        page.reply().await
    );
    page.picture("08-hostile-title").await;
    page.click(".also .chip", "Receipt").await;
    page.sees("#sheet pre", "onerror").await;
    page.run("document.getElementById('sheet').close()").await;
    page.click(".task .open", title).await;
    let shown = page
        .run("return document.querySelector('.editing input').value")
        .await;
    assert_eq!(shown, title);
    page.click(".editing button", "Cancel").await;
    page.say(&format!("add {title}")).await;
    page.click(".views a", "Audit").await;
    page.sees("#audit .quote", "onerror").await;
    let made =
        "return document.querySelectorAll('img, script:not([src])').length + (window.hit ?? 0)";
    assert_eq!(page.run(made).await, 0);
    // What nobody asked for would stand in the log.
    let asked = page.requests().await;
    assert!(!asked.iter().any(|url| url.ends_with("/x")), "{asked:?}");
    assert_eq!(page.log().await, [""; 0]);
}

#[tokio::test]
async fn what_other_hands_change_shows_at_once_and_is_told_apart_once() {
    let server = with_engine().await;
    given(&server, &[("Renew passport", None, "medium")]).await;
    let page = Browser::open(&server).await;
    page.sees("#list .title", "Renew passport").await;
    page.run("window.flashes = []; new MutationObserver((seen) => { for (const one of seen) if (one.target.classList?.contains('flash')) window.flashes.push(one.target.textContent); }).observe(document.getElementById('list'), {subtree: true, attributes: true, attributeFilter: ['class'], childList: true})").await;
    let task = server.tasks("me").await.remove(0);
    let path = format!("/api/me/tasks/{}", task["id"].as_str().unwrap());
    server
        .patch(
            &path,
            json!({"title": "Renew the passport", "due_date": "2026-02-13"}),
        )
        .await;
    page.sees("#list .title", "Renew the passport").await;
    page.sees("#list .task time", "Fri 13 Feb").await;
    server.add("me", json!({"title": "Second"})).await;
    page.sees("#list .title", "Second").await;
    // The chat's own change comes by the turn and by the stream, and is told apart once.
    page.say("add Third").await;
    page.sees("#list .title", "Third").await;
    server.add("me", json!({"title": "Fourth"})).await;
    page.sees("#list .title", "Fourth").await;
    let flashed = page
        .run("return window.flashes.filter((words) => words.includes('Third')).length")
        .await;
    assert_eq!(flashed, 1);
    server.delete(&path).await;
    page.until("return ![...document.querySelectorAll('#list .title')].some((one) => one.textContent.includes('passport'))").await;
}
