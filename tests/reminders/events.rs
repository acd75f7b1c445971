//! Event streams take reminders, and go on where they were.

use std::time::Duration;

use serde_json::Value;

use crate::scene::{PATIENCE, Scene};

/// A stream of events, read block by block.
struct Stream {
    response: reqwest::Response,
    text: String,
}

impl Stream {
    async fn open(scene: &Scene, last: Option<&str>) -> Self {
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let mut request = client.get(scene.server.url("/api/me/events"));
        if let Some(last) = last {
            request = request.header("last-event-id", last);
        }
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 200);
        let text = String::new();
        Self { response, text }
    }

    async fn block(&mut self) -> String {
        loop {
            if let Some(end) = self.text.find("\n\n") {
                let block = self.text[..end].to_owned();
                self.text.drain(..end + 2);
                return block;
            }
            let chunk = tokio::time::timeout(PATIENCE, self.response.chunk()).await;
            let chunk = chunk
                .expect("something comes")
                .unwrap()
                .expect("it goes on");
            self.text.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }

    /// The next reminder, and the number of the last event before it or of itself.
    async fn reminder(&mut self) -> Value {
        loop {
            let block = self.block().await;
            if block.contains("event: reminder") {
                let data = block.lines().find_map(|line| line.strip_prefix("data: "));
                return serde_json::from_str(data.unwrap()).unwrap();
            }
        }
    }
}

#[tokio::test]
async fn an_open_stream_takes_a_reminder_once() {
    let scene = Scene::silent().await;
    let mut stream = Stream::open(&scene, None).await;
    stream.block().await;
    let reply = scene.remind_in("tea", 1).await;
    assert!(!reply.contains("Nobody"), "{reply}");
    let told = stream.reminder().await;
    assert_eq!(told["task"]["title"], "tea");
    assert_eq!(told["user_id"], "me");
    scene.ends("delivered").await;
    let log = scene.told_the_log().await;
    assert_eq!(
        (&log[0]["by"], &log[0]["reminder_id"]),
        (&"events".into(), &told["reminder"]["id"])
    );
    // Its number alone follows, so that a reader who comes again is not told twice.
    let number = stream.block().await;
    let number = number
        .strip_prefix("id: ")
        .unwrap_or_else(|| panic!("{number}"));
    let mut again = Stream::open(&scene, Some(number)).await;
    let first = again.block().await;
    assert!(first.starts_with("retry:"), "{first}");
    // Who was away meanwhile is told from the log.
    let mut late = Stream::open(&scene, Some("1")).await;
    let told = late.reminder().await;
    assert_eq!(told["reminder"]["state"], "delivered");
    scene.verify();
}

#[tokio::test]
async fn who_comes_a_little_late_is_still_given_it() {
    let scene = Scene::silent().await;
    scene.remind_in("tea", 1).await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(scene.state().await, "waiting");
    let mut stream = Stream::open(&scene, None).await;
    assert_eq!(stream.reminder().await["task"]["title"], "tea");
    scene.ends("delivered").await;
}
