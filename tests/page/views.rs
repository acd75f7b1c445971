//! The other views: editing in place, keys alone, the smallest phone, the chain checked and caught,
//! agents, Roman Urdu, and a server that wants to know who calls.

use serde_json::json;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, SqliteConnection};

use super::browser::{Browser, ENTER, ESCAPE, PHONE, TAB};
use super::support::openai::ScriptedModel;
use super::support::server::Server;
use super::{TODAY, given, receipts, titles, with_engine, with_model};

#[tokio::test]
async fn a_task_is_edited_in_place_and_every_change_can_be_taken_back() {
    let server = with_engine().await;
    given(
        &server,
        &[("Pay rent", None, "medium"), ("Old thing", None, "low")],
    )
    .await;
    let page = Browser::open(&server).await;
    page.click(".task .open", "Pay rent").await;
    page.run("document.querySelector('.editing input').value = ''")
        .await;
    page.keys("Pay the rent").await;
    page.run("document.querySelector('.editing [type=date]').value = '2026-02-10'; document.querySelector('.editing select').value = 'high'").await;
    page.picture("10-editing").await;
    page.click(".editing button", "Save").await;
    page.sees("#list .title", "Pay the rent").await;
    page.sees("#list .task time", "Tue 10 Feb").await;
    let task = &server.tasks("me").await[1];
    assert_eq!(
        (&task["title"], &task["priority"]),
        (&json!("Pay the rent"), &json!("high"))
    );
    // A day that is past is refused in words, and the form stays open.
    page.click(".task .open", "Pay the rent").await;
    page.run("document.querySelector('.editing [type=date]').value = '2025-01-01'")
        .await;
    page.click(".editing button", "Save").await;
    page.sees(".editing [role=alert]", "due_date").await;
    page.keys(ESCAPE).await;
    page.until("return document.querySelector('.editing') === null")
        .await;

    page.click(".task .open", "Old thing").await;
    page.click(".editing button", "Delete").await;
    page.sees(".note-card", "Deleted: Old thing").await;
    assert_eq!(titles(&server).await, ["Pay the rent"]);
    page.click(".note-card button", "Undo").await;
    page.sees("#list .title", "Old thing").await;
    assert_eq!(titles(&server).await.len(), 2);
    assert_eq!(
        receipts(&server).await,
        ["add_task", "add_task", "update_task", "delete_task", "undo"]
    );

    page.run("document.getElementById('filter').focus()").await;
    page.keys("rent").await;
    page.until("return document.querySelectorAll('#list .task').length === 1")
        .await;
    assert_eq!(
        page.log()
            .await
            .iter()
            .filter(|line| !line.contains("422"))
            .count(),
        0
    );
}

#[tokio::test]
async fn everything_can_be_done_by_keys_alone() {
    let server = with_engine().await;
    given(&server, &[("Read book", None, "medium")]).await;
    let page = Browser::open(&server).await;
    let focus = "return document.activeElement?.id || document.activeElement?.className || document.activeElement?.tagName";
    // The first thing a key reaches leads to the message.
    page.keys(TAB).await;
    assert_eq!(
        page.run("return document.activeElement.textContent").await,
        "Skip to the message field"
    );
    page.picture("11-skip-link").await;
    page.keys(ENTER).await;
    page.until("return document.activeElement?.id === 'message'")
        .await;
    page.keys("add Call mum").await;
    page.keys(ENTER).await;
    page.replied(0).await;
    assert_eq!(page.run(focus).await, "message");
    // A screen reader is told.
    page.sees("#said", "Receipt: Added: Call mum").await;
    page.keys("delete Read book and Call mum").await;
    page.keys(ENTER).await;
    page.replied(1).await;
    // Out of the field, single keys lead on.
    page.keys(ESCAPE).await;
    page.keys("t").await;
    page.until("return document.activeElement?.id === 'tasks-title'")
        .await;
    page.keys("u").await;
    page.replied(2).await;
    page.shifted("?").await;
    page.until("return document.getElementById('box').open")
        .await;
    page.keys(ESCAPE).await;
    page.until("return !document.getElementById('box').open")
        .await;

    // A task is ticked, opened and left again without a hand on the mouse.
    page.run("document.getElementById('tasks-title').focus()")
        .await;
    page.until("return document.querySelectorAll('#list .task').length === 2")
        .await;
    page.keys("f").await;
    page.until("return document.activeElement?.id === 'filter'")
        .await;
    for _ in 0..20 {
        page.keys(TAB).await;
        if page
            .run("return document.activeElement.type === 'checkbox'")
            .await
            == true
        {
            break;
        }
    }
    page.keys(" ").await;
    page.sees(".note-card", "Marked as done").await;
    page.until("return document.querySelectorAll('#list .task.done').length === 1")
        .await;
    let done = server.get("/api/me/tasks?status=completed").await.body;
    assert_eq!(done.as_array().unwrap().len(), 1);
    page.run("document.querySelector('.task:not(.done) .open').focus()")
        .await;
    page.keys(ENTER).await;
    page.until("return document.querySelector('.editing input') === document.activeElement")
        .await;
    page.keys(ESCAPE).await;
    page.until("return document.activeElement?.className === 'open'")
        .await;

    page.keys("a").await;
    page.until("return document.activeElement?.id === 'audit-title'")
        .await;
    page.keys("c").await;
    page.until("return document.body.dataset.view === 'chat'")
        .await;
    assert_eq!(page.log().await, [""; 0]);
}

#[tokio::test]
async fn on_the_smallest_phone_nothing_is_cut_off() {
    let model = ScriptedModel::start().await;
    let server = with_model(&model).await;
    let long = "Averyveryveryveryveryveryveryveryverylongwordthatnobodywouldwritebutsomebodydid";
    given(&server, &[(long, Some("2026-02-28"), "high")]).await;
    let page = Browser::start(&server).await;
    page.size(PHONE).await;
    page.goto("/").await;
    model.call(
        "add_task",
        json!({"title": "Buy milk", "due_date": "2026-02-09"}),
    );
    page.say("add Buy milk tomorrow").await;
    model.say("Done, it's deleted!");
    page.say("delete Buy milk").await;
    model.call("list_tasks", json!({}));
    page.say("what's on my list?").await;
    let fits = "return document.documentElement.scrollWidth <= innerWidth && [...document.querySelectorAll('body *')].filter((one) => one.checkVisibility() && !one.closest('.only-heard, .skip') && one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.className || one.tagName).join() || true";
    for (view, name) in [("Tasks", "tasks"), ("Audit", "audit"), ("Chat", "chat")] {
        page.click(".views a", view).await;
        page.until(&format!("return document.body.dataset.view === '{name}'"))
            .await;
        if name == "audit" {
            page.until("return document.querySelectorAll('.turns a').length === 4")
                .await;
        }
        assert_eq!(page.run(fits).await, true, "{view}");
        page.picture(&format!("12-phone-{name}")).await;
        page.dark(true).await;
        page.picture(&format!("12-phone-{name}-dark")).await;
        page.dark(false).await;
    }
    // Fingers need room.
    let small = "return [...document.querySelectorAll('button, a, select')].filter((one) => one.checkVisibility() && !one.closest('.under, .skip')).map((one) => [one.textContent || one.ariaLabel, one.getBoundingClientRect()]).filter(([, box]) => box.height < 24 || box.width < 24).map(([words]) => words).join()";
    assert_eq!(page.run(small).await, "");
    page.click("#history", "").await;
    page.until("return document.getElementById('rail').matches(':popover-open')")
        .await;
    page.picture("12-phone-conversations").await;
}

#[tokio::test]
async fn the_chain_is_checked_in_the_browser_and_a_changed_event_is_found() {
    let server = with_engine().await;
    given(&server, &[("Pay rent", None, "high")]).await;
    let page = Browser::open(&server).await;
    // Letters of every kind, since the hashes are over their bytes.
    page.say("add \u{a7}caf\u{e9} \u{1f600} \"quoted\" \\ and more")
        .await;
    page.say("mark Pay rent as done").await;
    page.click(".views a", "Audit").await;
    page.click("#audit .solid", "Verify the chain").await;
    page.sees("#audit .verdict", "are as they were written")
        .await;
    let events = server.get("/api/me/audit?limit=1000").await.body["events"]
        .as_array()
        .unwrap()
        .len();
    page.sees("#audit .verdict", &format!("All {events} events"))
        .await;
    assert_eq!(server.run_beside(&[], &["audit", "verify"]).code, Some(0));
    page.picture("13-verified").await;

    // Somebody rewrites the past, so that the reply was another.
    let options = SqliteConnectOptions::new().filename(server.database());
    let mut file = SqliteConnection::connect_with(&options).await.unwrap();
    let guard = "DROP TRIGGER audit_events_keep";
    sqlx::query(guard).execute(&mut file).await.unwrap();
    let forge = "UPDATE audit_events SET payload = replace(payload, 'Marked Pay rent as done', 'Marked Pay rent as paid')
         WHERE kind = 'reply' AND payload LIKE '%Marked Pay rent as done%'";
    let forged = sqlx::query(forge).execute(&mut file).await.unwrap();
    assert_eq!(forged.rows_affected(), 1);
    page.click("#audit .solid", "Verify the chain").await;
    page.sees(
        "#audit .verdict.bad",
        &format!("Event {events}: its contents do not match its hash"),
    )
    .await;
    page.picture("14-forged").await;
}

#[tokio::test]
async fn what_agents_do_is_seen_and_can_be_judged() {
    let folder = std::env::temp_dir().join(format!("candor-page-agents-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("hotels.txt"), "Hotel Adler, 90 a night\n").unwrap();
    let file = folder.join("candor.toml");
    let roots = folder.to_str().unwrap();
    let text = format!(
        "[[providers]]\nid = 'worker'\nkind = 'built_in'\n[delegation]\nworkspace_roots = ['{roots}']\ncompletion_policy = 'accepted'\n"
    );
    std::fs::write(&file, text).unwrap();
    let server = Server::start_with(&[TODAY, ("CANDOR_CONFIG", file.to_str().unwrap())]).await;
    given(
        &server,
        &[
            ("Research hotels", None, "medium"),
            ("Research trains", None, "medium"),
        ],
    )
    .await;
    let page = Browser::open(&server).await;
    page.say("delegate Research hotels to the researcher").await;
    page.click(".views a", "Agents").await;
    page.sees("#agents .detail h2", "Research hotels").await;
    page.sees("#agents .state", "completed").await;
    page.sees("#agents .report", "hotels.txt").await;
    page.picture("15-agents").await;
    page.click("#agents button", "Accept").await;
    page.sees("#agents .tag", "Accepted").await;
    let done = server.get("/api/me/tasks?status=completed").await.body;
    assert_eq!(done[0]["title"], "Research hotels");
    // Handed over by the form, and gone on with.
    page.click("#agents summary", "Hand a task to an agent")
        .await;
    page.click("#agents .side form button", "Hand over").await;
    page.sees("#agents .detail h2", "Research trains").await;
    page.sees("#agents .state", "completed").await;
    page.click("#agents button", "Go on with it").await;
    page.keys("Look once").await;
    // What happens elsewhere meanwhile takes no word away, and asking again begins no other form.
    server
        .turn(
            "me",
            json!({"message": "delegate Research trains to the researcher"}),
        )
        .await;
    page.sees("#agents nav a:nth-child(3)", "Research").await;
    page.click("#agents .detail button", "Go on with it").await;
    assert_eq!(page.count("#agents .detail form").await, 1);
    page.keys(" more").await;
    let written = page
        .run("return document.querySelector('#agents .detail textarea').value")
        .await;
    assert_eq!(written, "Look once more");
    page.click("#agents .detail form button", "Go on").await;
    page.sees("#agents .facts", "run-4").await;
    std::fs::remove_dir_all(folder).unwrap();
}

#[tokio::test]
async fn roman_urdu_is_a_switch_away() {
    let server = with_engine().await;
    given(&server, &[("Doodh", None, "medium")]).await;
    let page = Browser::open(&server).await;
    page.run("document.getElementById('language').focus()")
        .await;
    page.keys("R").await;
    page.sees(".promise", "save hua").await;
    page.say("meri list dikhao").await;
    let urdu = server
        .turn(
            "me",
            json!({"message": "meri list dikhao", "language_hint": "ur"}),
        )
        .await;
    let first = urdu["assistant_message"]
        .as_str()
        .unwrap()
        .lines()
        .next()
        .unwrap()
        .to_owned();
    assert_eq!(page.reply().await.1.lines().next().unwrap(), first);
    assert_eq!(page.count("article.reply [lang=ur-Latn]").await, 1);
    page.reload().await;
    page.sees(".promise", "save hua").await;
    let chosen = "return document.getElementById('language').value";
    assert_eq!(page.run(chosen).await, "ur");
    page.picture("16-urdu").await;
}

#[tokio::test]
async fn a_server_that_wants_to_know_who_calls_is_told_for_this_tab_alone() {
    let server =
        Server::start_with(&[TODAY, ("CANDOR_AUTH", "keys"), ("CANDOR_RATE_LIMIT", "off")]).await;
    let made = server.run_beside(&[], &["token", "create", "--user", "ann", "--json"]);
    assert_eq!(made.code, Some(0), "{}", made.err);
    let key: serde_json::Value = serde_json::from_str(&made.out).unwrap();
    let key = key["key"]
        .as_str()
        .unwrap_or_else(|| panic!("{}", made.out));
    let page = Browser::open(&server).await;
    page.until("return document.getElementById('box').open")
        .await;
    page.sees("#box h2", "Who are you?").await;
    page.picture("17-who").await;
    // A key says whose it is; one that does not hold is told so, and the form stays.
    assert_eq!(page.count("#sign-user:not(:disabled)").await, 0);
    page.keys("candor_nobodys").await;
    page.keys(ENTER).await;
    page.sees("#box [role=alert]", "no such API key").await;
    page.run("document.getElementById('sign-key').value = ''")
        .await;
    page.keys(key).await;
    page.keys(ENTER).await;
    page.sees("#user-name", "ann").await;
    page.until("return !document.getElementById('box').open")
        .await;
    page.say("add Buy milk").await;
    assert_eq!(page.reply().await.1, "Added: Buy milk");
    page.sees("#list .title", "Buy milk").await;
    let kept = "return [JSON.stringify(localStorage), document.cookie, location.href].join().includes(arguments[0])";
    assert_eq!(page.run_with(kept, json!([key])).await, false);
    page.reload().await;
    page.sees("#list .title", "Buy milk").await;
    page.another_tab().await;
    page.goto("/").await;
    page.sees("#box h2", "Who are you?").await;

    // Who wishes it is known in every tab of this browser, until the key is forgotten.
    page.keys(key).await;
    page.click("#box label", "Remember on this device").await;
    page.picture("17-remember").await;
    page.click("#box .solid", "Go on").await;
    page.sees("#list .title", "Buy milk").await;
    page.another_tab().await;
    page.goto("/").await;
    page.sees("#user-name", "ann").await;
    page.sees("#list .title", "Buy milk").await;
    assert_eq!(page.run_with(kept, json!([key])).await, true);
    page.click("#sign", "Sign out").await;
    page.click("#box button", "Forget the key").await;
    page.sees("#box h2", "Who are you?").await;
    assert_eq!(page.run_with(kept, json!([key])).await, false);
}

#[tokio::test]
async fn a_key_that_acts_for_everybody_is_asked_for_whom() {
    let server =
        Server::start_with(&[TODAY, ("CANDOR_AUTH", "keys"), ("CANDOR_RATE_LIMIT", "off")]).await;
    let made = server.run_beside(&[], &["token", "create", "--scope", "admin", "--json"]);
    assert_eq!(made.code, Some(0), "{}", made.err);
    let key: serde_json::Value = serde_json::from_str(&made.out).unwrap();
    let page = Browser::open(&server).await;
    page.until("return document.activeElement?.id === 'sign-key'")
        .await;
    page.keys(key["key"].as_str().unwrap()).await;
    page.keys(ENTER).await;
    page.sees("#box [role=alert]", "acts for every user").await;
    page.keys("bob").await;
    page.keys(ENTER).await;
    page.sees("#user-name", "bob").await;
}
