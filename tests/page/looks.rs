//! Looks of the page: no rule of WCAG 2.2 AA broken on any view, light and dark, and the picture
//! that README.md opens with.

use serde_json::{Value, json};

use super::browser::{Browser, DESK, PHONE};
use super::support::clients;
use super::support::openai::ScriptedModel;
use super::support::server::Server;
use super::{TODAY, given, with_model};

/// Every rule that axe-core knows of WCAG 2.2 A and AA, and its good habits.
async fn axe(page: &Browser, rules: &str, view: &str, faults: &mut Vec<String>) {
    page.run(rules).await;
    let found = page
        .promise("return await axe.run(document, {resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']})")
        .await;
    assert!(found["fault"].is_null(), "{view}: {found}");
    assert!(
        found["passes"].as_array().unwrap().len() > 10,
        "{view}: hardly anything was looked at"
    );
    let found: Vec<String> = found["violations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|rule| {
            let nodes = rule["nodes"].as_array().unwrap().iter();
            let nodes = nodes.map(|node| format!("{} {}", node["target"], node["failureSummary"]));
            format!(
                "{}: {}\n{}",
                rule["id"],
                rule["help"],
                nodes.collect::<Vec<_>>().join("\n")
            )
        })
        .collect();
    if !found.is_empty() {
        faults.push(format!("{view}:\n{}", found.join("\n\n")));
    }
}

#[tokio::test]
async fn no_view_at_a_desk_breaks_a_rule_of_accessibility() {
    holds(DESK, "desk").await;
}

#[tokio::test]
async fn no_view_on_a_phone_breaks_a_rule_of_accessibility() {
    holds(PHONE, "phone").await;
}

/// Every view in both shades.
async fn holds(size: (u32, u32), name: &str) {
    let rules = clients::npm().join("node_modules/axe-core/axe.min.js");
    let rules = std::fs::read_to_string(rules).unwrap();
    let model = ScriptedModel::start().await;
    let file = std::env::temp_dir().join(format!(
        "candor-page-axe-{name}-{}.toml",
        std::process::id()
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
    let page = Browser::open(&server).await;
    let mut faults = Vec::new();
    axe(&page, &rules, "newcomer", &mut faults).await;
    // A planted fault is found, so silence means something.
    page.run("document.querySelector('#send').removeAttribute('aria-label')")
        .await;
    page.run(&rules).await;
    let found = page
        .promise("return (await axe.run()).violations.map((one) => one.id)")
        .await;
    assert!(
        found.as_array().unwrap().contains(&json!("button-name")),
        "{found}"
    );
    page.goto("/").await;
    page.reload().await;

    given(
        &server,
        &[
            ("Renew passport", Some("2026-02-08"), "high"),
            ("Call mum", None, "low"),
            ("Research hotels", None, "medium"),
        ],
    )
    .await;
    page.sees("#list .title", "Call mum").await;
    model.call(
        "add_task",
        json!({"title": "Buy milk", "due_date": "2026-02-09"}),
    );
    page.say("add Buy milk tomorrow").await;
    model.call("list_tasks", json!({}));
    page.say("what's on my list?").await;
    model.say("Done! I've deleted Call mum.");
    page.say("delete Call mum").await;
    model.say("Happy to help!");
    page.say("thanks a lot").await;
    let task = server.tasks("me").await;
    let hotels = task
        .iter()
        .find(|task| task["title"] == "Research hotels")
        .unwrap();
    let path = format!("/api/me/tasks/{}/delegate", hotels["id"].as_str().unwrap());
    let handed = server
        .post(
            &path,
            json!({"assign_to": "new:researcher", "provider": "custom:worker"}),
        )
        .await;
    assert_eq!(handed.status, 202, "{}", handed.text);
    model.call("delete_task", json!({"task": "all"}));
    page.say("delete all tasks").await;
    assert_eq!(page.reply().await.0, "Question", "{:?}", page.reply().await);

    // One that is over is a line above all views.
    let late = "const {show} = await import('/page/reminders.js');
        return show({task: {title: 'Call mum'}, reminder: {id: '1', at: '2026-02-08T17:00:00Z', late_ms: 180000}})";
    assert_eq!(page.promise(late).await, true);
    page.sees(".reminder", "3 min late").await;

    page.size(size).await;
    for dark in [false, true] {
        page.dark(dark).await;
        let shade = if dark { "dark" } else { "light" };
        for view in ["chat", "tasks", "audit", "agents"] {
            page.run_with("location.hash = `#/${arguments[0]}`", json!([view]))
                .await;
            page.until(&format!("return document.body.dataset.view === '{view}'"))
                .await;
            let there = match view {
                "audit" => "return document.querySelector('#audit .turns a') !== null",
                "agents" => "return document.querySelector('#agents .turns a') !== null",
                _ => "return true",
            };
            page.until(there).await;
            axe(
                &page,
                &rules,
                &format!("{view}, {name}, {shade}"),
                &mut faults,
            )
            .await;
            page.picture(&format!("20-{view}-{name}-{shade}")).await;
        }
        // One turn, one run, a receipt, a form, the keys.
        page.run("location.hash = document.querySelector('#audit .turns .of-failure').hash")
            .await;
        page.sees("#audit .lie", "deleted Call mum").await;
        axe(
            &page,
            &rules,
            &format!("turn, {name}, {shade}"),
            &mut faults,
        )
        .await;
        page.picture(&format!("21-turn-{name}-{shade}")).await;
        page.run("location.hash = '#/agents/run-1'").await;
        page.sees("#agents .detail h2", "Research hotels").await;
        axe(&page, &rules, &format!("run, {name}, {shade}"), &mut faults).await;
        page.run("location.hash = '#/chat'").await;
        page.click("[data-receipt] .chip", "Receipt").await;
        page.sees("#sheet .checks", "root").await;
        axe(
            &page,
            &rules,
            &format!("receipt, {name}, {shade}"),
            &mut faults,
        )
        .await;
        page.picture(&format!("22-receipt-{name}-{shade}")).await;
        page.run(
            "document.getElementById('sheet').close(); document.getElementById('help').click()",
        )
        .await;
        axe(
            &page,
            &rules,
            &format!("keys, {name}, {shade}"),
            &mut faults,
        )
        .await;
        page.run("document.getElementById('box').close(); location.hash = '#/tasks'")
            .await;
        page.click(".task .open", "Renew passport").await;
        axe(
            &page,
            &rules,
            &format!("form, {name}, {shade}"),
            &mut faults,
        )
        .await;
        page.click(".editing button", "Cancel").await;
    }
    std::fs::remove_file(file).unwrap();
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

/// `CANDOR_PICTURE=1 cargo nextest run --test page -E 'test(picture_of_the_readme)'` puts the picture
/// in the tree; without the variable it is made, looked at and kept with the others.
#[tokio::test]
async fn the_picture_of_the_readme() {
    let model = ScriptedModel::start().await;
    let server = with_model(&model).await;
    given(
        &server,
        &[
            ("Renew passport", Some("2026-02-08"), "high"),
            ("Call the dentist", Some("2026-02-10"), "medium"),
            ("Read book", None, "medium"),
            ("Water the plants", None, "low"),
        ],
    )
    .await;
    let page = Browser::start(&server).await;
    page.size((1280, 800)).await;
    page.goto("/").await;
    model.call(
        "add_task",
        json!({"title": "Buy milk", "due_date": "2026-02-09"}),
    );
    page.say("add buy milk tomorrow").await;
    model.say("Done! I've deleted Read book from your list.");
    page.say("delete Read book").await;
    page.sees("#ghosts b", "1").await;
    page.run("document.activeElement.blur(); for (const one of document.querySelectorAll('.under time, .under time + span + span, .conversations small')) one.remove()").await;
    let file = page.picture("00-readme").await;
    let bytes = std::fs::metadata(&file).unwrap().len();
    assert!((20_000..200_000).contains(&bytes), "{bytes} bytes");
    if std::env::var_os("CANDOR_PICTURE").is_some() {
        let tree = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/page/readme.png");
        std::fs::copy(file, tree).unwrap();
    }
    let _: Value = page.run("return true").await;
}
