//! The page by keys alone: how far the Tab key has to go, what moves inside a list, and what a
//! screen reader is told of what it reaches.

use serde_json::json;

use super::browser::{Browser, DOWN, END, ENTER, ESCAPE, TAB, UP};
use super::support::server::Server;
use super::{TODAY, given, with_engine};

/// Element that has the focus, in a word.
const FOCUS: &str = "const one = document.activeElement;
    return one.id || one.getAttribute('aria-label') || one.textContent";

#[tokio::test]
async fn a_long_conversation_and_a_long_list_are_one_stop_each() {
    let server = with_engine().await;
    let tasks: Vec<String> = (1..=12).map(|n| format!("Thing {n}")).collect();
    for title in &tasks {
        given(&server, &[(title, None, "medium")]).await;
    }
    let begun = server.turn("me", json!({"message": "add the first"})).await;
    for n in 1..15 {
        let said = json!({"message": format!("add number {n}"), "conversation_id": begun["conversation_id"]});
        server.turn("me", said).await;
    }
    let page = Browser::open(&server).await;
    page.sees("article.reply", "Added: number 14").await;
    let mut reached = Vec::new();
    for _ in 0..40 {
        page.keys(TAB).await;
        reached.push(page.run(FOCUS).await.as_str().unwrap().to_owned());
    }
    let at = |name: &str| reached.iter().position(|one| one == name);
    let (message, list) = (at("message").unwrap(), at("list").unwrap());
    assert!(message < 20, "{reached:?}");
    assert!(list < 30, "{reached:?}");
    // The newest message is the one that is entered, and the first task.
    let receipts: Vec<_> = reached[..message]
        .iter()
        .filter(|one| one.starts_with("Receipt of"))
        .collect();
    assert_eq!(receipts, ["Receipt of: Added: number 14"], "{reached:?}");
    let ticks: Vec<_> = reached[list..]
        .iter()
        .take_while(|one| !one.starts_with("Skip"))
        .filter(|one| one.starts_with("Done: "))
        .collect();
    assert_eq!(ticks, ["Done: number 14"], "{reached:?}");
}

#[tokio::test]
async fn arrows_and_letters_move_in_the_list_and_in_the_messages() {
    let server = with_engine().await;
    given(
        &server,
        &[
            ("First", Some("2026-02-08"), "medium"),
            ("Second", Some("2026-02-09"), "medium"),
            ("Third", Some("2026-02-10"), "medium"),
        ],
    )
    .await;
    let page = Browser::open(&server).await;
    page.say("add Fourth on Friday").await;
    page.say("add Fifth on Saturday").await;
    page.keys(ESCAPE).await;
    page.keys("jj").await;
    assert_eq!(page.run(FOCUS).await, "Done: Second");
    page.keys("k").await;
    assert_eq!(page.run(FOCUS).await, "Done: First");
    // An arrow stays in its column, and ends at the ends.
    page.run("document.querySelector('.task:focus-within .open').focus()")
        .await;
    page.keys(DOWN).await;
    page.keys(ENTER).await;
    page.until("return document.querySelector('.editing input')?.value === 'Second'")
        .await;
    page.keys(ESCAPE).await;
    page.until("return document.activeElement?.className === 'open'")
        .await;
    page.keys(END).await;
    page.keys(DOWN).await;
    let there =
        "return document.activeElement.closest('.task').querySelector('.title').textContent";
    assert_eq!(page.run(there).await, "Fifth");

    // Among the messages, and out of them by one key.
    page.run("document.querySelector('.line:last-child .chip').focus()")
        .await;
    page.keys(UP).await;
    assert_eq!(
        page.run(FOCUS).await,
        "Receipt of: Added: Fourth (due Fri 13 Feb)"
    );
    page.keys("j").await;
    assert_eq!(
        page.run(FOCUS).await,
        "Receipt of: Added: Fifth (due Sat 14 Feb)"
    );
    page.keys(ESCAPE).await;
    assert_eq!(page.run(FOCUS).await, "message");
    // In a field a letter is a letter.
    page.keys("jk").await;
    let written = page
        .run("return document.getElementById('message').value")
        .await;
    assert_eq!(written, "jk");

    // The turns of the log, too: the focus stays on the turn that is opened.
    page.keys(ESCAPE).await;
    page.keys("a").await;
    page.until("return document.activeElement?.id === 'audit-title'")
        .await;
    page.until("return document.querySelectorAll('#audit .turns a').length === 5")
        .await;
    page.keys("jj").await;
    page.keys(ENTER).await;
    page.sees("#audit .quote", "add Fourth on Friday").await;
    let kept = "return document.activeElement.matches('.turns [aria-current]')";
    page.until(kept).await;
    assert_eq!(page.log().await, [""; 0]);
}

#[tokio::test]
async fn agents_have_a_key_where_there_are_some() {
    let folder = tempfile("keys");
    let file = folder.join("candor.toml");
    std::fs::write(&file, "[[providers]]\nid = 'worker'\nkind = 'built_in'\n").unwrap();
    let server = Server::start_with(&[TODAY, ("CANDOR_CONFIG", file.to_str().unwrap())]).await;
    let page = Browser::open(&server).await;
    page.keys("g").await;
    page.until("return document.activeElement?.id === 'agents-title'")
        .await;
    page.shifted("?").await;
    page.sees("#box .keys dd", "Agents").await;
    page.picture("31-keys").await;
    page.keys(ESCAPE).await;

    let without = with_engine().await;
    let page = Browser::open(&without).await;
    page.keys("g").await;
    page.shifted("?").await;
    page.sees("#box .keys dd", "Audit").await;
    assert_eq!(page.run("return document.body.dataset.view").await, "chat");
    let words = "return document.querySelector('#box .keys').textContent.includes('Agents')";
    assert_eq!(page.run(words).await, false);
    std::fs::remove_dir_all(folder).unwrap();
}

#[tokio::test]
async fn a_tick_by_key_leaves_the_focus_in_the_list() {
    let server = with_engine().await;
    given(
        &server,
        &[
            ("First", Some("2026-02-08"), "medium"),
            ("Second", Some("2026-02-09"), "medium"),
        ],
    )
    .await;
    let page = Browser::open(&server).await;
    page.keys("j").await;
    page.keys(" ").await;
    // It stays where it was for a moment, and then the next has its place and the focus.
    page.until("return document.activeElement.closest('.task.done') !== null")
        .await;
    page.until("return document.querySelectorAll('#list .task').length === 1")
        .await;
    assert_eq!(page.run(FOCUS).await, "Done: Second");
    page.keys(" ").await;
    page.sees("#list .empty", "Nothing is open").await;
    assert_eq!(page.run(FOCUS).await, "tasks-title");
    assert_eq!(
        page.run("return document.getElementById('tasks-count').textContent")
            .await,
        "0 open, 2 done"
    );
}

#[tokio::test]
async fn every_receipt_says_of_what_it_is_one() {
    let server = with_engine().await;
    let page = Browser::open(&server).await;
    page.say("add Buy milk").await;
    page.say("what's on my list?").await;
    let names = "return [...document.querySelectorAll('.chip')].map((one) => one.getAttribute('aria-label') ?? one.textContent)";
    let expected = json!([
        "Receipt of: Added: Buy milk",
        "Undo: Added: Buy milk",
        "Receipt: 1 task"
    ]);
    assert_eq!(page.run(names).await, expected);
    let last = page.name_of("article.reply").await;
    assert_eq!(last, "Receipt: Added: Buy milk");
    // A reply of the past says the same.
    page.reload().await;
    page.until("return document.querySelectorAll('.chip').length === 3")
        .await;
    assert_eq!(page.run(names).await, expected);
    assert_eq!(page.name_of(".chip").await, "Receipt of: Added: Buy milk");
    page.click("[data-receipt] .chip", "Receipt of").await;
    page.sees("#sheet .claim-text", "Buy milk").await;
    assert_eq!(page.name_of("#sheet").await, "Receipt of: Added: Buy milk");
    page.keys(ESCAPE).await;
    page.click(".views a", "Audit").await;
    page.click("#audit .turns a", "Added: Buy milk").await;
    page.sees("#audit .quote", "add Buy milk").await;
    let name = page.name_of("#audit .chip").await;
    assert!(name.ends_with(" of: Added: Buy milk"), "{name}");
}

fn tempfile(name: &str) -> std::path::PathBuf {
    let name = format!("candor-page-{name}-{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}
