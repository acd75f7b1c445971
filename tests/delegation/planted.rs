//! Runners that are broken on purpose: each is caught by a story that runs well otherwise.

use std::future::Future;

use tokio::task::{LocalSet, spawn_local};

use crate::scene::Scene;

/// Tells a story of a server with this bug: it must fail, over this.
async fn caught<F: Future<Output = ()> + 'static>(bug: &str, over: &str, story: fn(Scene) -> F) {
    let scene = Scene::with("", &[("CANDOR_PLANTED_IN_RUNNER", bug)]).await;
    let told = LocalSet::new()
        .run_until(async move { spawn_local(story(scene)).await })
        .await;
    let fault = told.expect_err("the story has to fail").into_panic();
    let words = fault.downcast_ref::<String>().expect("it says why");
    assert!(words.contains(over), "{words}");
}

#[tokio::test]
async fn words_that_are_taken_for_a_report_are_caught() {
    let over = "left: String(\"completed\")";
    caught("words-count", over, crate::reports::text_is_no_result).await;
}

#[tokio::test]
async fn a_call_without_its_second_receipt_is_caught() {
    let over = "Cites what was read";
    caught("lost-receipt", over, crate::reports::evidence_is_checked).await;
}

#[tokio::test]
async fn a_runner_that_hears_no_request_to_stop_is_caught() {
    let over = "work may still land";
    caught("deaf", over, crate::stops::a_request_to_stop_is_heard).await;
}
