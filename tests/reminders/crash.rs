//! A server that is killed between sending a reminder and marking it.

use std::future::Future;
use std::time::{Duration, Instant};

use tokio::task::{LocalSet, spawn_local};

use crate::scene::{SECRET, Scene, taken};
use crate::support::openai::{Gate, Step};

/// How long a server that was started again may take.
fn patience(scene: &Scene) -> Duration {
    match scene.server.own_database() {
        // The lease of the dead one ends first.
        Some(_) => Duration::from_secs(40),
        None => Duration::from_secs(8),
    }
}

/// The receiver has read it and did not answer yet: whether it took it is not known to anybody.
async fn killed_between(mut scene: Scene) {
    let gate = Gate::closed();
    let held = Step::Held(gate.clone(), Box::new(taken()));
    scene.receiver.then(held).otherwise(taken());
    scene.remind_in("tea", 1).await;
    scene.received(1).await;
    // Whatever it writes before it has its answer is written now.
    tokio::time::sleep(Duration::from_millis(300)).await;
    scene.server.crash_and_restart().await;
    gate.open();
    let began = Instant::now();
    while scene.receiver.received().len() < 2 {
        assert!(
            began.elapsed() < patience(&scene),
            "{}",
            "it is not sent again".to_owned()
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let all = scene.received(2).await;
    assert_eq!(all[0].header("webhook-id"), all[1].header("webhook-id"));
    scene.ends("delivered").await;
    assert_eq!(scene.told_the_log().await.len(), 1);
    scene.verify();
}

#[tokio::test]
async fn what_was_sent_and_not_marked_is_sent_again_under_the_same_id() {
    killed_between(Scene::told().await).await;
}

#[tokio::test]
async fn a_server_that_marks_before_it_sends_is_caught() {
    let variables = [
        ("CANDOR_WEBHOOK_SECRET", SECRET),
        ("CANDOR_PLANTED_IN_SCHEDULER", "marked-first"),
    ];
    let scene = Scene::with(&variables).await;
    let words = caught(killed_between(scene)).await;
    assert!(words.contains("it is not sent again"), "{words}");
}

/// The words over which a story fails, which it must.
async fn caught(story: impl Future<Output = ()> + 'static) -> String {
    let told = LocalSet::new()
        .run_until(async move { spawn_local(story).await })
        .await;
    let fault = told.expect_err("the story has to fail").into_panic();
    fault.downcast_ref::<String>().expect("it says why").clone()
}
