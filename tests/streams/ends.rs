//! Turns whose reader goes away, whose model fails, and that are stopped.

use std::time::Duration;

use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::scene::{STREAM, Scene, part, said, text, types};
use crate::support::openai::{Gate, Step};

fn deletion() -> Step {
    Step::calls(vec![("delete_task", json!({"task": "Read book"}))])
}

async fn with_book(more: &[(&str, &str)]) -> Scene {
    let scene = Scene::with(more).await;
    scene.server.add("me", json!({"title": "Read book"})).await;
    scene
}

/// Waits until the list is so long.
async fn until_left(scene: &Scene, left: usize) {
    for _ in 0..1000 {
        if scene.server.titles("me").await.len() == left {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{:?}", scene.server.titles("me").await);
}

/// Waits until the model has what it does next.
async fn until_asked(scene: &Scene) {
    for _ in 0..1000 {
        if scene.model.unplayed() == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the model was not asked");
}

#[tokio::test]
async fn a_turn_outlives_its_reader_and_is_resumed_from_its_beginning() {
    let scene = with_book(&[]).await;
    assert_eq!(scene.resume().await.status, 204);
    let gate = Gate::closed();
    scene
        .model
        .then(Step::Held(gate.clone(), Box::new(deletion())));
    let mut first = scene.say("m1", "delete Read book").await;
    let begun = first.until("start-step").await;
    drop(first);
    let mut second = scene.resume().await;
    let again = second.until("start-step").await;
    assert_eq!(again, begun);
    let mut third = scene.resume().await;
    gate.open();
    let (second, third) = (second.parts().await, third.parts().await);
    assert_eq!(third[..again.len()], again);
    assert_eq!(third[again.len()..], second);
    assert_eq!(text(&third), "Deleted: Read book");
    assert!(scene.server.titles("me").await.is_empty());
    assert_eq!(scene.resume().await.status, 204);
    // Nobody else's, and no other chat's.
    for path in [
        "/api/eve/chat/c/stream",
        "/api/me/chat/d/stream",
        "/api/me/chat/%2F%20/stream",
    ] {
        assert_eq!(scene.server.get(path).await.status, 204, "{path}");
    }
}

#[tokio::test]
async fn a_turn_whose_only_reader_goes_away_is_done() {
    let scene = with_book(&[]).await;
    let gate = Gate::closed();
    scene
        .model
        .then(Step::Held(gate.clone(), Box::new(deletion())));
    let mut first = scene.say("m1", "delete Read book").await;
    first.until("start-step").await;
    drop(first);
    gate.open();
    until_left(&scene, 0).await;
    let parts = scene
        .send(&crate::scene::again("m1", "delete Read book"))
        .await
        .parts()
        .await;
    assert_eq!(text(&parts), "Deleted: Read book");
}

#[tokio::test]
async fn a_reader_that_reads_nothing_holds_up_nobody() {
    let scene = with_book(&[]).await;
    for number in 0..20 {
        scene
            .server
            .add(
                "me",
                json!({"title": format!("{number} {}", "x".repeat(200))}),
            )
            .await;
    }
    scene
        .model
        .otherwise(Step::calls(vec![("list_tasks", json!({}))]));
    let mut dead = Vec::new();
    let address = scene.server.url("").replace("http://", "");
    for number in 0..20 {
        let body = json!({"id": format!("dead{number}"),
            "messages": [crate::scene::message("m", "what are my tasks?")]})
        .to_string();
        let mut line = TcpStream::connect(&address).await.unwrap();
        let head = format!(
            "POST {STREAM} HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n",
            body.len()
        );
        line.write_all(format!("{head}{body}").as_bytes())
            .await
            .unwrap();
        dead.push(line);
    }
    scene.model.then(deletion());
    let parts = scene.say("m1", "delete Read book").await.parts().await;
    assert_eq!(parts.last().unwrap()["type"], "finish");
    for _ in 0..1000 {
        let replies = scene.server.events("me", "reply").await.len();
        if replies >= 21 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("turns wait for their readers");
}

#[tokio::test]
async fn a_stop_ends_the_wait_for_the_model_and_may_come_twice() {
    let scene = with_book(&[]).await;
    assert!(!scene.stop().await);
    scene.model.then(Step::Silence);
    let mut stream = scene.say("m1", "delete Read book").await;
    stream.until("start-step").await;
    until_asked(&scene).await;
    assert!(scene.stop().await);
    let parts = stream.parts().await;
    assert!(text(&parts).contains("nothing was changed"), "{parts:#?}");
    assert_eq!(parts.last().unwrap()["type"], "abort");
    assert!(!scene.stop().await);
    assert_eq!(scene.server.titles("me").await, ["Read book"]);
    // Stopped before it did anything, it may be tried again.
    scene.model.then(deletion());
    let parts = scene
        .send(&crate::scene::again("m1", "delete Read book"))
        .await
        .parts()
        .await;
    assert_eq!(text(&parts), "Deleted: Read book");
}

#[tokio::test]
async fn what_was_committed_before_a_stop_is_told() {
    let scene = with_book(&[]).await;
    scene
        .model
        .calls(vec![
            ("add_task", json!({"title": "milk"})),
            ("delete_task", json!({"task": "Read booklet"})),
        ])
        .then(Step::Silence);
    let mut stream = scene.say("m1", "add milk and delete Read book").await;
    let told = stream.until("tool-output-available").await;
    assert_eq!(
        part(&told, "tool-output-available")["output"]["action"],
        "add_task"
    );
    // It asks once more, and is stopped there.
    stream.until("start-step").await;
    assert!(scene.stop().await);
    let rest = stream.parts().await;
    assert!(text(&rest).starts_with("Added: milk\n"), "{}", text(&rest));
    assert_eq!(rest.last().unwrap()["type"], "finish");
    assert_eq!(scene.server.titles("me").await, ["milk", "Read book"]);
    let parts = scene
        .send(&said("m1", "add milk and delete Read book"))
        .await
        .parts()
        .await;
    assert_eq!(text(&parts), text(&rest));
    assert_eq!(scene.model.requests().len(), 2);
}

#[tokio::test]
async fn a_model_that_fails_half_way_leaves_plain_words_and_no_effect() {
    let whole = || Box::new(deletion());
    let ways = [
        Step::Cut(20, whole()),
        Step::Hang(20, whole()),
        Step::CloseAtOnce,
        Step::Status(503, Vec::new()),
        Step::body("application/json", "{\"choices\":["),
        Step::Silence,
    ];
    let scene = with_book(&[("CANDOR_MODEL_TIMEOUT_MS", "1500")]).await;
    for (number, way) in ways.into_iter().enumerate() {
        scene.model.otherwise(way.clone());
        let mut stream = scene.say(&format!("m{number}"), "delete Read book").await;
        let parts = stream.parts().await;
        let last = parts.last().unwrap();
        assert_eq!(last["type"], "error", "{way:?} {parts:#?}");
        let words = last["errorText"].as_str().unwrap();
        assert!(words.contains("nothing was changed"), "{words}");
        assert!(
            !types(&parts).contains(&"tool-output-available"),
            "{parts:#?}"
        );
        assert_eq!(scene.server.titles("me").await, ["Read book"]);
    }
}

#[tokio::test]
async fn a_shutdown_lets_streams_end_and_takes_none() {
    let mut scene = with_book(&[]).await;
    let gate = Gate::closed();
    scene
        .model
        .then(Step::Held(gate.clone(), Box::new(deletion())));
    let mut stream = scene.say("m1", "delete Read book").await;
    stream.until("start-step").await;
    let events = crate::scene::client().get(scene.server.url("/api/me/events"));
    let mut events = crate::scene::Stream::of(events).await;
    events.block().await;
    scene.server.terminate();
    // Who only follows is let go at once, who has a turn when that has ended.
    while events.block().await.is_some() {}
    let mut late = scene.say("m2", "delete Read book").await;
    assert_eq!(late.problem().await, (503, "shutting_down".to_owned()));
    gate.open();
    assert_eq!(text(&stream.parts().await), "Deleted: Read book");
    assert!(scene.server.ended().await.success());
}
