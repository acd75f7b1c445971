//! Limits of what the page may weigh, ask for and run, and of what a long list costs.

use serde_json::json;

use super::browser::{Browser, DESK};
use super::with_engine;

/// Bytes, uncompressed.
const WEIGHT: u64 = 150_000;

#[tokio::test]
async fn the_first_paint_is_light_and_nothing_is_asked_of_others() {
    let server = with_engine().await;
    let page = Browser::open(&server).await;
    let weigh = "const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].filter((one) => !one.name.includes('/api/'));
        return all.map((one) => [one.name, one.decodedBodySize])";
    let files: Vec<(String, u64)> = serde_json::from_value(page.run(weigh).await).unwrap();
    let whole: u64 = files.iter().map(|(_, bytes)| bytes).sum();
    assert!(
        files.len() > 8 && whole > 30_000,
        "not all was weighed: {files:?}"
    );
    assert!(whole < WEIGHT, "{whole} bytes: {files:?}");
    println!("first paint: {whole} bytes in {} files", files.len());

    // Through every view, whatever is asked for is asked of this server.
    page.say("add buy milk tomorrow").await;
    page.click("[data-receipt] .chip", "Receipt").await;
    page.sees("#sheet .checks", "root").await;
    page.run("document.getElementById('sheet').close()").await;
    page.click(".views a", "Audit").await;
    page.sees("#audit .quote", "milk").await;
    page.click("#audit .solid", "Verify").await;
    page.sees("#audit .verdict", "as they were written").await;
    let asked = page.requests().await;
    assert!(asked.len() > 15, "the log was not read: {asked:?}");
    let own = server.url("/");
    let foreign: Vec<_> = asked
        .iter()
        .filter(|url| !url.starts_with(&own) && !url.starts_with("data:"))
        .collect();
    assert!(foreign.is_empty(), "{foreign:?}");
}

#[tokio::test]
async fn what_is_injected_does_not_run() {
    let server = with_engine().await;
    let page = Browser::open(&server).await;
    page.run("addEventListener('securitypolicyviolation', (event) => { (window.stopped ??= []).push(event.effectiveDirective); })").await;
    // By hand, past everything the page does: a script in the page, a handler, markup, another host.
    let inject = "
        const text = (element, words) => { try { element.append(words); } catch {} return element; };
        document.body.append(text(document.createElement('script'), 'window.hit = 1'));
        const button = document.createElement('button');
        try { button.setAttribute('onclick', 'window.hit = 2'); } catch {}
        document.body.append(button);
        button.click();
        try { button.innerHTML = '<b>markup</b>'; window.hit = 3; } catch {}
        try { window.setTimeout('window.hit = 4', 0); } catch {}
        const style = document.createElement('style');
        style.append('body { display: none }');
        document.head.append(style);
        fetch('http://127.0.0.2:9/').catch(() => {});
        new Image().src = 'http://127.0.0.2:9/x.png';";
    page.run(inject).await;
    page.until("return ['style-src-elem', 'connect-src', 'img-src', 'require-trusted-types-for'].every((name) => window.stopped?.includes(name))").await;
    assert_eq!(page.run("return window.hit ?? null").await, json!(null));
    assert_eq!(
        page.run("return document.body.checkVisibility()").await,
        true
    );
}

#[tokio::test]
async fn typing_touches_nothing_of_five_thousand_tasks() {
    let server = with_engine().await;
    let lines: String = (0..5_000).map(|n| format!("Task number {n}\n")).collect();
    let import = "/api/me/import";
    let reply = server
        .send(
            "POST",
            import,
            &[("content-type", "text/plain")],
            Some(lines),
        )
        .await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    let page = Browser::open(&server).await;
    page.sees("#tasks-count", "5000 open").await;
    // Only what can be looked at has rows, and few elements in all.
    let rendered = page.count("#list .task").await;
    assert!((20..=200).contains(&rendered), "{rendered} rows");
    let elements = page.count("*").await;
    assert!(elements < 3_000, "{elements} elements");
    page.run("window.touched = 0; new MutationObserver((seen) => { window.touched += seen.length; }).observe(document.getElementById('list'), {subtree: true, childList: true, attributes: true, characterData: true});
        window.long = []; new PerformanceObserver((list) => window.long.push(...list.getEntries().map((one) => one.duration))).observe({type: 'longtask'})").await;
    page.run("document.getElementById('message').focus()").await;
    page.keys("remember to write a long sentence while the list is full of things")
        .await;
    assert_eq!(page.run("return window.touched").await, 0);
    println!(
        "long tasks while typing: {}",
        page.run("return window.long").await
    );

    // A filter makes anew no more than a window of rows, whatever it finds.
    page.run("document.getElementById('filter').focus()").await;
    page.keys("number 49").await;
    page.sees("#list .title", "number 4999").await;
    assert!(page.count("#list .task").await <= 60);
    println!("and filtering: {}", page.run("return window.long").await);
    page.run("const filter = document.getElementById('filter'); filter.value = ''; filter.dispatchEvent(new Event('input'))").await;

    // Who goes on reading gets more, and whoever wants the last one finds it.
    page.run("document.getElementById('list').scrollTop = 1e9")
        .await;
    page.until("return document.querySelectorAll('#list .task').length > 60")
        .await;
    // One change makes one row.
    page.run("window.touched = 0").await;
    server
        .add(
            "me",
            json!({"title": "The newest", "due_date": "2026-02-08"}),
        )
        .await;
    page.sees("#list .title", "The newest").await;
    let touched = page.run("return window.touched").await.as_u64().unwrap();
    assert!(touched < 60, "{touched} touches for one change");
    page.size(DESK).await;
    page.picture("18-five-thousand").await;
}
