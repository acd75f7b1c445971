//! Small things that disturb: one test for each, with pictures on a laptop and on a phone, in light
//! and dark.

use serde_json::json;

use super::browser::{Browser, LAPTOP, USUAL_PHONE};
use super::support::openai::ScriptedModel;
use super::{given, titles, with_engine, with_model};

/// The newest reply is seen.
const FOOT: &str = "document.getElementById('scroll').scrollTop = 1e9";

/// Pictures of what is seen, in both sizes and both shades.
async fn pictures(page: &Browser, name: &str) {
    for (size, width) in [(LAPTOP, "1280"), (USUAL_PHONE, "390")] {
        page.size(size).await;
        for (dark, shade) in [(false, "light"), (true, "dark")] {
            page.dark(dark).await;
            page.run(FOOT).await;
            page.picture(&format!("30-{name}-{width}-{shade}")).await;
        }
    }
    page.dark(false).await;
    page.size(LAPTOP).await;
}

/// Text of the active part of the nav, of what is seen of it.
const ACTIVE: &str = "return [...document.querySelectorAll('.views [aria-current=page]')]
    .filter((one) => one.checkVisibility()).map((one) => one.textContent.trim()).join()";

#[tokio::test]
async fn the_mark_of_the_phones_navigation_is_one_shape() {
    let server = with_engine().await;
    let page = Browser::start(&server).await;
    page.size(USUAL_PHONE).await;
    page.goto("/").await;
    let mark = "const mark = document.querySelector('.views [aria-current] svg');
        if (!mark) return null;
        const {boxShadow, borderTopLeftRadius, backgroundColor} = getComputedStyle(mark);
        const {width, height} = mark.getBoundingClientRect();
        const filled = backgroundColor !== 'rgba(0, 0, 0, 0)';
        if (!filled) return null;
        return {shadow: boxShadow, round: parseFloat(borderTopLeftRadius) >= height / 2, wide: width / height, filled}";
    page.still().await;
    let mark = page.until(mark).await;
    assert_eq!(
        (&mark["shadow"], &mark["round"], &mark["filled"]),
        (&json!("none"), &json!(true), &json!(true)),
        "{mark}"
    );
    assert!(mark["wide"].as_f64().unwrap() > 1.5, "{mark}");
    page.picture("30-navigation-390-light").await;
    page.dark(true).await;
    page.picture("30-navigation-390-dark").await;
}

#[tokio::test]
async fn the_address_of_the_tasks_shows_the_conversation_beside_them() {
    let server = with_engine().await;
    server
        .turn("me", json!({"message": "add Water the plants"}))
        .await;
    let page = Browser::start(&server).await;
    page.size(LAPTOP).await;
    page.goto("/#/tasks").await;
    page.sees("article.reply", "Added: Water the plants").await;
    assert_eq!(page.run(ACTIVE).await, "Chat");
    pictures(&page, "tasks-address").await;
    // Where it is narrow, the list is a view of its own.
    page.size(USUAL_PHONE).await;
    page.until(&ACTIVE.replace("join()", "join() === 'Tasks'"))
        .await;
    page.click(".views a", "Chat").await;
    page.sees("article.reply", "Added: Water the plants").await;
    assert_eq!(page.log().await, [""; 0]);
}

#[tokio::test]
async fn what_is_done_is_open_no_more() {
    let server = with_engine().await;
    given(
        &server,
        &[("Pay rent", None, "medium"), ("Call mum", None, "medium")],
    )
    .await;
    let page = Browser::open(&server).await;
    page.click("[data-task] .open", "Pay rent").await;
    page.click(".editing button", "Cancel").await;
    page.run("document.querySelector('[aria-label=\"Done: Pay rent\"]').click()")
        .await;
    page.sees(".note-card", "Marked as done: Pay rent").await;
    // And what another hand, or the chat, has done.
    page.say("mark call mum as done").await;
    page.until("return document.querySelectorAll('#list .task').length === 0")
        .await;
    page.sees("#list .empty", "Nothing is open").await;
    page.click("#status button", "Done").await;
    page.until("return document.querySelectorAll('#list .task.done').length === 2")
        .await;
}

#[tokio::test]
async fn a_reload_keeps_which_model_answered_and_how_long_it_took() {
    let model = ScriptedModel::start().await;
    let server = with_model(&model).await;
    given(&server, &[("Pay rent", None, "medium")]).await;
    let page = Browser::open(&server).await;
    model.call("add_task", json!({"title": "Buy milk"}));
    page.say("add Buy milk").await;
    model.say("Done, it's deleted!");
    page.say("delete Pay rent").await;
    let under = "return [...document.querySelectorAll('.under')].map((one) => [...one.querySelectorAll('span')].map((part) => part.textContent))";
    let before = page.run(under).await;
    for line in before.as_array().unwrap() {
        assert_eq!(line[0], "openai (gpt-4o-mini)", "{before}");
        assert!(line[1].as_str().unwrap().ends_with('s'), "{before}");
    }
    assert_eq!(before.as_array().unwrap().len(), 2);
    page.reload().await;
    page.until("return document.querySelectorAll('article.reply').length === 2")
        .await;
    assert_eq!(page.run(under).await, before);
    page.picture("30-reloaded").await;
}

#[tokio::test]
async fn a_day_is_written_one_way_wherever_it_stands() {
    let server = with_engine().await;
    given(&server, &[("Call the dentist", Some("2026-02-13"), "high")]).await;
    let page = Browser::start(&server).await;
    for (locale, day, clock) in [
        ("en-GB", "Fri 13 Feb", r"^\d\d:\d\d$"),
        ("en-US", "Fri Feb 13", r"^\d\d:\d\d [AP]M$"),
    ] {
        page.locale(locale).await;
        page.goto("/").await;
        page.reload().await;
        page.sees("#list .task time", day).await;
        page.say("what's on my list?").await;
        let listed = "return [...document.querySelectorAll('.listing time')].at(-1).textContent";
        assert_eq!(page.run(listed).await, day);
        let at = "return [...document.querySelectorAll('.under time')].at(-1).textContent";
        let at = page.run(at).await;
        let fits = "return new RegExp(arguments[0]).test(arguments[1])";
        assert_eq!(
            page.run_with(fits, json!([clock, at])).await,
            true,
            "{locale}: {at}"
        );
    }
    // So in a sentence, whose day says on a closer look how it was sent, and on its receipt.
    page.say("add Send the letter on Friday").await;
    let said = "Added: Send the letter (due Fri Feb 13)";
    assert_eq!(page.reply().await.1, said);
    assert_eq!(
        page.name_of("[data-receipt] .chip").await,
        format!("Receipt of: {said}")
    );
    let written = "return document.querySelector('[data-receipt] .text time').title";
    assert_eq!(page.run(written).await, "Fri 2026-02-13");
    page.click("[data-receipt] .chip", "Receipt").await;
    page.sees("#sheet .facts time", "Fri Feb 13").await;
    page.run("document.getElementById('sheet').close()").await;
    // A listing of the past is shown from its receipt, too.
    page.reload().await;
    page.until("return document.querySelectorAll('.listing time').length === 2")
        .await;
    assert_eq!(page.reply().await.1, said);
    pictures(&page, "days").await;
}

#[tokio::test]
async fn a_day_in_a_title_stays_as_it_was_written() {
    let server = with_engine().await;
    let page = Browser::open(&server).await;
    let of = |title: &str| json!({"titles": [title]});
    let bare = json!({"bare": true});
    for (line, about, expected) in [
        (
            "Added: Report (due Mon 2026-02-09, priority high)",
            of("Report"),
            "Added: Report (due |Mon 9 Feb|, priority high)",
        ),
        (
            "Added: Fri 2026-02-13 (due Mon 2026-02-09)",
            of("Fri 2026-02-13"),
            "Added: Fri 2026-02-13 (due |Mon 9 Feb|)",
        ),
        ("Added: Plan 2026-02-13", of(""), "Added: Plan 2026-02-13"),
        (
            "Could not delete \"Fri 2026-02-13\": no task with that title.",
            bare.clone(),
            "Could not delete \"Fri 2026-02-13\": no task with that title.",
        ),
        (
            "pending, high, due 2027-02-09",
            bare.clone(),
            "pending, high, due |Tue 9 Feb 2027|",
        ),
        (
            "You have 2 tasks due from Mon 2026-02-09 to Sun 2026-02-15:",
            bare.clone(),
            "You have 2 tasks due from |Mon 9 Feb| to |Sun 15 Feb|:",
        ),
        (
            "Hinzugefügt: Miete (fällig Mo 2026-02-09 17:00)",
            of("Miete"),
            "Hinzugefügt: Miete (fällig |Mon 9 Feb 17:00|)",
        ),
        (
            "due 2026-13-45, no. 12026-02-091",
            bare,
            "due 2026-13-45, no. 12026-02-091",
        ),
    ] {
        let script = format!(
            "const {{prose}} = await import('/page/prose.js');
             return prose({}, {about}).map((part) => part.textContent ?? part).join('|')",
            json!(line)
        );
        assert_eq!(page.promise(&script).await, expected);
    }
}

#[tokio::test]
async fn a_choice_stands_once() {
    let server = with_engine().await;
    for title in ["Read book", "Read paper", "Read the letter"] {
        given(&server, &[(title, None, "medium")]).await;
    }
    let page = Browser::open(&server).await;
    page.say("delete read").await;
    assert_eq!(page.reply().await.0, "Question");
    let options = "return [...document.querySelectorAll('[data-option]')].map((one) => one.querySelector('.text')?.textContent ?? one.textContent)";
    let expected = json!(["Read book", "Read paper", "Read the letter", "No"]);
    assert_eq!(page.run(options).await, expected);
    let words =
        "return document.querySelector('article.reply').textContent.split('Read paper').length - 1";
    assert_eq!(page.run(words).await, 1);
    assert_eq!(page.name_of("[data-option='2']").await, "2. Read paper");
    pictures(&page, "choices").await;
    let before = page.count("article.reply").await;
    page.click("[data-option]", "Read paper").await;
    page.replied(before).await;
    assert_eq!(page.reply().await.1, "Deleted: Read paper");
    assert_eq!(titles(&server).await, ["Read book", "Read the letter"]);
    assert_eq!(page.count("[data-option]:not(:disabled)").await, 0);
}

#[tokio::test]
async fn trying_again_is_offered_only_where_it_can_help() {
    let model = ScriptedModel::start().await;
    let server = with_model(&model).await;
    given(&server, &[("Pay rent", None, "medium")]).await;
    let page = Browser::open(&server).await;
    let again = "return [...document.querySelectorAll('article.reply')].at(-1).textContent.includes('Try again')";
    model.call("delete_task", json!({"task": "Fly to Mars"}));
    model.call("delete_task", json!({"task": "Fly to Mars"}));
    model.call("delete_task", json!({"task": "Fly to Mars"}));
    model.call("delete_task", json!({"task": "Fly to Mars"}));
    page.say("delete Fly to Mars").await;
    let (kind, said) = page.reply().await;
    assert_eq!(kind, "Not done");
    assert!(said.contains("no task with that title"), "{said}");
    assert_eq!(page.run(again).await, false);
    drop(model);
    page.say("delete Pay rent").await;
    assert_eq!(page.reply().await.0, "Not done");
    assert_eq!(page.run(again).await, true);
}

#[tokio::test]
async fn the_log_says_in_words_what_was_called() {
    let model = ScriptedModel::start().await;
    let server = with_model(&model).await;
    let page = Browser::open(&server).await;
    let call = json!({"title": "Buy milk", "due_date": "2026-02-13", "priority": "high"});
    model.call("add_task", call);
    page.say("add Buy milk on Friday with high priority").await;
    page.click(".under a", "How it came about").await;
    page.sees(
        "#audit .call .text",
        "Add “Buy milk” (due Fri 13 Feb, high priority)",
    )
    .await;
    let seen = "return document.querySelector('#audit .detail').innerText";
    let words = page.run(seen).await;
    let words = words.as_str().unwrap();
    assert!(
        !words.contains('{') && !words.contains("add_task"),
        "{words}"
    );
    pictures(&page, "calls").await;
    page.click("#audit .call summary", "As it was written")
        .await;
    let words = page.run(seen).await;
    assert!(words.as_str().unwrap().contains("add_task({"), "{words}");
    assert_eq!(page.log().await, [""; 0]);
}

#[tokio::test]
async fn ten_things_that_were_undone_are_one_line() {
    let server = with_engine().await;
    for n in 1..=10 {
        given(&server, &[(&format!("Thing {n}"), None, "low")]).await;
    }
    let page = Browser::open(&server).await;
    page.say("delete all tasks").await;
    page.say("yes").await;
    assert!(titles(&server).await.is_empty());
    assert_eq!(page.count("article.reply:last-of-type .fold").await, 0);
    page.say("undo").await;
    let folds = "return [...document.querySelectorAll('.fold')].map((one) => [one.open, one.firstChild.textContent, one.querySelectorAll('.claim').length])";
    let expected = json!([
        [false, "10 changes, all undone since", 10],
        [false, "Undone: 10 changes", 10],
    ]);
    assert_eq!(page.run(folds).await, expected);
    pictures(&page, "undone").await;
    // Whoever wants them has each with its receipt, word for word; so it is after a reload.
    page.reload().await;
    page.until("return document.querySelectorAll('.fold').length === 2")
        .await;
    assert_eq!(page.run(folds).await, expected);
    page.click(".fold summary", "Undone: 10 changes").await;
    page.click(".fold[open] .chip", "Undone: Thing 3 is back on the list")
        .await;
    page.sees("#sheet .claim-text", "Thing 3").await;
}

#[tokio::test]
async fn nothing_sinks_in_the_dark() {
    let server = with_engine().await;
    let page = Browser::open(&server).await;
    page.say("add Buy milk").await;
    page.dark(true).await;
    page.until("return getComputedStyle(document.documentElement).colorScheme === 'dark'")
        .await;
    // WCAG's ratio of two colours' lightness.
    let ratios = "
        const light = (colour) => {
            const [r, g, b] = colour.match(/[\\d.]+/g).map(Number).map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const of = (selector, what) => light(getComputedStyle(document.querySelector(selector))[what]);
        const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        const page = of('body', 'backgroundColor');
        const send = () => ratio(of('#send', 'backgroundColor'), of('.field', 'backgroundColor'));
        const idle = send();
        document.getElementById('send').style.transition = 'none';
        document.getElementById('send').disabled = false;
        return {bubble: ratio(of('.line.user .text', 'backgroundColor'), page),
            words: ratio(of('.line.user .text', 'backgroundColor'), of('.line.user .text', 'color')),
            raised: of('.line.user .text', 'backgroundColor') > page, idle, ready: send()}";
    page.still().await;
    let found = page.run(ratios).await;
    let at_least = |name: &str, ratio: f64| {
        assert!(found[name].as_f64().unwrap() >= ratio, "{name}: {found}");
    };
    at_least("bubble", 1.35);
    at_least("words", 7.0);
    at_least("idle", 1.5);
    at_least("ready", 3.0);
    assert_eq!(found["raised"], true, "{found}");
    page.run("document.getElementById('send').disabled = true")
        .await;
    pictures(&page, "dark").await;
}
