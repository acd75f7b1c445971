//! The page in every language: which one it begins in, the choice of another, and that no word of
//! its own is left out.

use candor::domain::Lang;
use serde_json::{Value, json};

use super::browser::{Browser, DESK, PHONE};
use super::support::openai::ScriptedModel;
use super::support::server::Server;
use super::{TODAY, given, with_engine};

/// Puts what is asked of the server, of those that have a body, into `window.sent`.
const SPY: &str = "window.sent = []; const real = window.fetch;
    window.fetch = (url, options) => { if (options?.body) window.sent.push(options.body); return real(url, options); }";

/// Hint that went with the latest message; null where none did.
const HINT: &str = "return JSON.parse(window.sent.findLast((one) => one.includes('messages'))).language_hint ?? null";

/// Words of a language, as the server gives them.
async fn words(server: &Server, language: &str) -> Value {
    let path = format!("/page/words/{language}.json");
    let reply = server.send("GET", &path, &[], None).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    serde_json::from_str(&reply.text).unwrap()
}

/// Chooses a language, and waits until the page speaks it.
async fn choose(page: &Browser, language: &str) {
    let choose = "const choice = document.getElementById('language');
        choice.value = arguments[0];
        choice.dispatchEvent(new Event('change'))";
    page.run_with(choose, json!([language])).await;
    page.until(&format!(
        "return document.documentElement.lang.split('-')[0] === '{language}'"
    ))
    .await;
    page.still().await;
}

#[tokio::test]
async fn a_german_browser_is_spoken_to_in_german() {
    let server = with_engine().await;
    given(&server, &[("Zahnarzt anrufen", Some("2026-02-13"), "high")]).await;
    let page = Browser::start(&server).await;
    page.languages("tlh,de-AT,de,en").await;
    page.goto("/").await;
    page.sees("#list .task time", "13. Feb").await;
    page.sees("#welcome h2", "Was soll ich mir merken?").await;
    let lang = "return document.documentElement.lang";
    assert_eq!(page.run(lang).await, "de");
    assert_eq!(page.name_of("#send").await, "Senden");
    assert_eq!(page.name_of("#language").await, "Sprache");
    let chosen = "return document.getElementById('language').value";
    assert_eq!(page.run(chosen).await, "de");
    // Nothing was chosen by hand: the server tells the language by the words.
    page.run(SPY).await;
    page.say("add buy milk").await;
    assert_eq!(page.run(HINT).await, Value::Null);
    assert_eq!(page.reply().await.1, "Added: buy milk");
    assert_eq!(page.reply().await.0, "Beleg");
    for (size, width) in [(DESK, "desk"), (PHONE, "phone")] {
        page.size(size).await;
        page.picture(&format!("40-german-{width}")).await;
    }
    // Of a browser that speaks none of the seven, English is supposed.
    page.languages("nl,ja").await;
    page.reload().await;
    page.sees(".promise", "comes from what was saved").await;
    assert_eq!(page.run(lang).await, "en");
    assert_eq!(page.log().await, [""; 0]);
}

#[tokio::test]
async fn another_language_needs_no_reload_and_loses_nothing() {
    let server = with_engine().await;
    given(&server, &[("Pay rent", Some("2026-02-08"), "high")]).await;
    let page = Browser::open(&server).await;
    page.say("add Buy milk").await;
    page.click(".chip.plain", "Undo").await;
    page.sees(".claim.undone .tag", "Undone").await;
    page.say("add Call mum").await;
    page.click("[data-task] .open", "Pay rent").await;
    page.run("document.querySelector('.editing [name=description]').value = 'by Friday'; window.stays = true")
        .await;
    page.run("document.getElementById('message').value = 'half a word'")
        .await;

    // By keys: the choice has a name, and a letter finds a language.
    assert_eq!(page.name_of("#language").await, "Language");
    page.run("document.getElementById('language').focus()")
        .await;
    page.keys("D").await;
    page.sees(".promise", "was gespeichert wurde").await;
    assert_eq!(
        page.run("return document.activeElement.id").await,
        "language"
    );
    assert_eq!(page.run("return window.stays").await, true);
    page.sees(".claim.undone .tag", "Rückgängig gemacht").await;
    assert_eq!(page.count(".claim.undone").await, 1);
    page.sees(".reply .kind", "Beleg").await;
    page.sees(".editing label", "Fällig").await;
    page.sees("#list h3", "Heute").await;
    let kept = "return [document.querySelector('.editing [name=description]').value, document.getElementById('message').value]";
    assert_eq!(page.run(kept).await, json!(["by Friday", "half a word"]));
    // What the server said stays as it was.
    page.sees("article.reply .claims", "Added: Call mum").await;

    // It goes with what is said, and is remembered.
    page.run(SPY).await;
    page.run("document.getElementById('message').value = ''")
        .await;
    page.say("add Water the plants").await;
    assert_eq!(page.run(HINT).await, "de");
    assert_eq!(page.reply().await.1, "Hinzugefügt: Water the plants");
    page.reload().await;
    page.sees(".promise", "was gespeichert wurde").await;
    assert_eq!(page.run("return document.title").await, "candor");
    page.run("location.hash = '#/audit'").await;
    page.sees("#audit h2", "Protokoll").await;
    page.until("return document.title === 'Protokoll · candor'")
        .await;
    choose(&page, "fr").await;
    page.sees("#audit .solid", "Vérifier la chaîne").await;
    assert_eq!(page.run("return document.title").await, "Journal · candor");
    assert_eq!(page.log().await, [""; 0]);
}

#[tokio::test]
async fn what_the_page_offers_to_say_is_understood() {
    let mut lost = Vec::new();
    for language in Lang::ALL.map(Lang::code) {
        let server = with_engine().await;
        let words = words(&server, language).await;
        let mut chat = Value::Null;
        for (name, deed) in [
            ("offer-add", "add_task"),
            ("offer-list", "list_tasks"),
            ("offer-more", ""),
            ("undo-word", "undo"),
            ("offer-help", ""),
        ] {
            let mut said = json!({"message": words[name]});
            if chat.is_string() {
                said["conversation_id"] = chat.clone();
            }
            let reply = server.turn("me", said).await;
            chat = reply["conversation_id"].clone();
            let (done, text) = (&reply["actions"][0], &reply["assistant_message"]);
            let understood = match name {
                "offer-help" => reply["kind"] == "chat" && reply["error"].is_null(),
                "offer-more" => done["task"]["due_date"] == "2026-02-13",
                _ => done["action"] == deed,
            };
            if !understood {
                lost.push(format!(
                    "{language}: {} → {text} {}",
                    words[name], done["task"]
                ));
            }
        }
    }
    assert!(lost.is_empty(), "{lost:#?}");
}

/// Words that are read or heard of the page, but for what is the user's, a model's or the server's.
const HEARD: &str = r"
    const theirs = '.claims, .choices, .run .verdict, .line.user .text, .title, .note, .quote, .lie s, .worth .text, pre, code, kbd, time, #language, #user-name,'
        + ' .conversations a span, #chat-title, .turns .words, .turns small, .detail h2, .claim-text, .facts dd, .report, .jots, .brand, noscript, .tag:has(use[href$=agent]),'
        + ' select[name=task], select[name=agent], .under span, .call .because, .step';
    const found = [];
    const hear = (words, element) => { if (/\p{L}/u.test(words)) found.push([words.trim(), element.outerHTML.slice(0, 120)]); };
    for (const element of document.body.querySelectorAll('*')) {
        if (!element.checkVisibility()) continue;
        let open = 0;
        for (const node of element.childNodes) {
            // A message may have elements among its words.
            if (node.nodeType === Node.TEXT_NODE && !element.closest(theirs)) hear((open > 0 ? '⟦' : '') + node.data, element);
            open += node.textContent.split('⟦').length - node.textContent.split('⟧').length;
        }
        for (const name of ['aria-label', 'placeholder']) if (element.hasAttribute(name)) hear(element.getAttribute(name), element);
    }
    return found";

/// A page that has something of everything: replies of each kind, a list, a log, a run.
async fn full_page(model: &ScriptedModel) -> (Server, Browser, std::path::PathBuf) {
    let file = std::env::temp_dir().join(format!(
        "candor-page-languages-{}-{}.toml",
        std::process::id(),
        model.base_url().replace(|c: char| !c.is_ascii_digit(), "")
    ));
    std::fs::write(&file, "[[providers]]\nid = 'worker'\nkind = 'built_in'\n").unwrap();
    let base_url = model.base_url();
    let server = Server::start_with(&[
        TODAY,
        ("OPENAI_BASE_URL", &base_url),
        ("OPENAI_MODEL", "gpt-4o-mini"),
        ("CANDOR_CONFIG", file.to_str().unwrap()),
    ])
    .await;
    given(
        &server,
        &[
            ("Renew passport", Some("2026-02-08"), "high"),
            ("Call mum", Some("2026-02-09"), "low"),
            ("Research hotels", None, "medium"),
        ],
    )
    .await;
    server
        .add(
            "me",
            json!({"title": "Take out the bins", "due_date": "2026-02-10", "repeat": "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO"}),
        )
        .await;
    let page = Browser::open(&server).await;
    model.call(
        "add_task",
        json!({"title": "Buy milk", "due_date": "2026-02-09", "priority": "high"}),
    );
    page.say("add Buy milk tomorrow, high priority").await;
    page.click(".chip.plain", "Undo").await;
    page.sees(".claim.undone .tag", "Undone").await;
    model.call("list_tasks", json!({"status_filter": "pending"}));
    page.say("what's pending on my list?").await;
    model.say("Done! I've deleted Call mum.");
    page.say("delete Call mum").await;
    model.say("Happy to help!");
    page.say("thanks a lot").await;
    let tasks = server.tasks("me").await;
    let hotels = tasks.iter().find(|task| task["title"] == "Research hotels");
    let path = format!(
        "/api/me/tasks/{}/delegate",
        hotels.unwrap()["id"].as_str().unwrap()
    );
    let body = json!({"assign_to": "new:researcher", "provider": "custom:worker"});
    let handed = server.post(&path, body).await;
    assert_eq!(handed.status, 202, "{}", handed.text);
    (server, page, file)
}

/// Goes through everything, and gives what is read or heard of it, each with its place.
async fn walk(page: &Browser) -> Vec<(String, String, String)> {
    let mut found = Vec::new();
    let mut here = async |view: &str| {
        let heard: Vec<(String, String)> = serde_json::from_value(page.run(HEARD).await).unwrap();
        assert!(heard.len() > 20, "{view}: hardly anything was heard");
        found.extend(
            heard
                .into_iter()
                .map(|(words, place)| (words, place, view.to_owned())),
        );
    };
    page.run("location.hash = '#/chat/new'").await;
    page.until("return document.getElementById('welcome').checkVisibility()")
        .await;
    here("newcomer").await;
    page.run("document.querySelector('.conversations a').click()")
        .await;
    page.until("return document.querySelectorAll('article.reply').length >= 4 && document.querySelector('.claim.undone')").await;
    page.run("document.querySelector('.task .open').click()")
        .await;
    here("chat and form").await;
    page.run("document.querySelector('.editing .quiet').click(); document.querySelector('#status [value=all]').click(); document.querySelector('.task input').click()").await;
    page.until("return document.querySelector('.note-card')")
        .await;
    here("list").await;
    page.run("document.querySelector('.task.done input')?.click(); document.querySelector('[data-receipt] .chip').click()").await;
    page.until("return document.querySelectorAll('#sheet .checks li').length === 2")
        .await;
    here("receipt").await;
    page.run("document.getElementById('sheet').close(); document.getElementById('help').click()")
        .await;
    here("keys").await;
    page.run("document.getElementById('box').close(); document.getElementById('sign').click()")
        .await;
    here("who").await;
    page.run("document.getElementById('box').close(); location.hash = '#/audit'")
        .await;
    // The list may be drawn anew at any time.
    page.until("const row = document.querySelector('#audit .turns .of-failure'), check = document.querySelector('#audit .solid'); if (!row || !check) return false; check.click(); location.hash = row.hash; return true")
        .await;
    page.until("return document.querySelector('#audit .lie') && document.querySelector('#audit .verdict code')").await;
    here("audit").await;
    page.run("location.hash = '#/agents/run-1'").await;
    page.until("return document.querySelector('#agents .facts')")
        .await;
    page.run("document.querySelector('#agents details').open = true")
        .await;
    here("agents").await;
    found
}

/// Takes every word of the page from the server between brackets: what has none is not a message.
const BRACKETS: &str = "const real = window.fetch;
    const mark = (value) => typeof value === 'string' ? `⟦${value}⟧` : Object.fromEntries(Object.entries(value).map(([form, text]) => [form, mark(text)]));
    window.fetch = async (url, options) => {
        const response = await real(url, options);
        return String(url).startsWith('/page/words/') ? Response.json(mark(await response.json())) : response;
    }";

#[tokio::test]
async fn every_word_of_the_page_is_a_message() {
    let model = ScriptedModel::start().await;
    let (_server, page, file) = full_page(&model).await;
    page.command(
        "Page.addScriptToEvaluateOnNewDocument",
        json!({"source": BRACKETS}),
    )
    .await;
    page.reload().await;
    page.sees(".promise", "⟦").await;
    let bare: Vec<_> = walk(&page)
        .await
        .into_iter()
        .filter(|(words, _, _)| !words.contains('⟦'))
        .collect();
    assert!(bare.is_empty(), "{bare:#?}");
    std::fs::remove_file(file).unwrap();
}

#[tokio::test]
async fn no_english_is_left_in_another_language() {
    let model = ScriptedModel::start().await;
    let (server, page, file) = full_page(&model).await;
    let english = texts(&words(&server, "en").await);
    let mut left = Vec::new();
    for language in Lang::ALL.map(Lang::code) {
        choose(&page, language).await;
        let own = texts(&words(&server, language).await);
        for (said, place, view) in walk(&page).await {
            let known = |texts: &[String]| texts.contains(&said);
            // The same walk finds the English words where they belong.
            if known(&english) && !known(&own) {
                left.push(format!("{language}, {view}: {said} ({place})"));
            }
        }
        for (size, width) in [(DESK, "desk"), (PHONE, "phone")] {
            page.size(size).await;
            page.run("location.hash = '#/chat'").await;
            page.sees("article.reply", "Call mum").await;
            page.picture(&format!("41-{language}-{width}")).await;
            let wide = "return document.documentElement.scrollWidth - innerWidth";
            let wide = page.run(wide).await.as_i64().unwrap();
            assert!(wide <= 0, "{language}, {width}: {wide} pixels too wide");
        }
        page.size(DESK).await;
    }
    assert!(left.is_empty(), "{left:#?}");
    std::fs::remove_file(file).unwrap();
}

/// Every text of a file of words, whatever its form.
fn texts(words: &Value) -> Vec<String> {
    let forms = |word: &Value| match word {
        Value::Object(forms) => forms
            .values()
            .map(|form| form.as_str().unwrap().to_owned())
            .collect(),
        word => vec![word.as_str().unwrap().to_owned()],
    };
    words
        .as_object()
        .unwrap()
        .values()
        .flat_map(forms)
        .collect()
}
