//! Runners that are broken on purpose: each is caught by a story that runs well otherwise.

use std::future::Future;

use crate::scene::Scene;

/// Tells a story of a server with this bug: it must fail.
async fn caught<F: Future<Output = ()> + 'static>(bug: &str, story: fn(Scene) -> F) {
    let scene = Scene::with("", &[("CANDOR_PLANTED_IN_RUNNER", bug)]).await;
    let here = tokio::task::LocalSet::new();
    let told = here.run_until(tokio::task::spawn_local(story(scene))).await;
    let fault = told.expect_err("the story has to fail");
    assert!(fault.is_panic(), "{fault}");
}

#[tokio::test]
async fn words_that_are_taken_for_a_report_are_caught() {
    caught("words-count", crate::reports::text_is_no_result).await;
}

#[tokio::test]
async fn a_call_without_its_second_receipt_is_caught() {
    caught("lost-receipt", crate::reports::a_report_completes).await;
}

#[tokio::test]
async fn a_runner_that_hears_no_request_to_stop_is_caught() {
    caught("deaf", crate::stops::a_request_to_stop_is_heard).await;
}
