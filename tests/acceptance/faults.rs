//! The model's server fails: nothing is changed, nothing is claimed, and the next turn works.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::net::{TcpSocket, TcpStream};

use crate::openai::Step;
use crate::server::Reply;
use crate::world::World;

const QUICK: &[(&str, &str)] = &[("CANDOR_MODEL_TIMEOUT_MS", "400")];

/// A 503 in plain words, and no others.
fn is_down(reply: &Reply) {
    assert_eq!(reply.status, 503, "{}", reply.text);
    assert_eq!(reply.problem(), "model_unavailable");
    let detail = reply.body["detail"].as_str().unwrap();
    assert!(detail.contains("nothing was changed"), "{detail}");
    assert!(detail.len() < 300, "{detail}");
    for jargon in [
        "reqwest",
        "hyper",
        "serde",
        "panicked",
        "os error",
        "127.0.0.1",
        "Err(",
        "{",
        "::",
    ] {
        assert!(!detail.contains(jargon), "{jargon:?} in {detail}");
    }
}

fn faults() -> Vec<(&'static str, Step)> {
    let answer = || Step::calls(vec![("delete_task", json!({"task": "Read book"}))]);
    let cut = |reason: &str| {
        Step::Json(json!({
            "choices": [{
                "index": 0,
                "finish_reason": reason,
                "message": {"role": "assistant", "content": "I'll del", "tool_calls": null},
            }],
        }))
    };
    vec![
        ("connection closed", Step::CloseAtOnce),
        ("silent", Step::Silence),
        (
            "too slow",
            Step::After(Duration::from_secs(3), Box::new(answer())),
        ),
        ("cut in the body", Step::Cut(60, Box::new(answer()))),
        ("cut in its calls", Step::Cut(300, Box::new(answer()))),
        ("hangs in the body", Step::Hang(60, Box::new(answer()))),
        ("cut by its length", cut("length")),
        ("filtered", cut("content_filter")),
        ("500", Step::Status(500, Vec::new())),
        (
            "502 of a proxy",
            Step::Raw {
                status: 502,
                headers: vec![("content-type", "text/html".to_owned())],
                body: b"<html>Bad Gateway</html>".to_vec(),
            },
        ),
        (
            "401",
            Step::refusal(401, "Incorrect API key: sk-canary", "invalid_api_key"),
        ),
        (
            "404",
            Step::refusal(404, "The model `gpt-4` does not exist", "model_not_found"),
        ),
        (
            "not JSON",
            Step::body("application/json", "<html>oops</html>"),
        ),
        (
            "half JSON",
            Step::body("application/json", "{\"choices\": [{"),
        ),
        ("no choices", Step::Json(json!({"choices": []}))),
        (
            "no message",
            Step::Json(json!({"choices": [{"finish_reason": "stop"}]})),
        ),
        (
            "an error as 200",
            Step::Json(json!({"error": {"message": "overloaded"}})),
        ),
        ("an empty object", Step::Json(json!({}))),
    ]
}

/// For every way to fail: 503 in plain words, nothing changed, the message kept; "did that
/// work?" answered truthfully while the model is still down; afterwards "try again" does it
/// once, and a second "try again" does nothing.
#[tokio::test]
async fn every_fault_changes_nothing_and_the_next_turn_works() {
    let mut it = World::with(QUICK).await;
    for (name, fault) in faults() {
        println!("{name}");
        it.given_tasks(&["Read book"]).await;
        it.begin_anew();
        it.model.otherwise(fault);

        let reply = it.try_say("delete Read book").await;
        is_down(&reply);
        assert!(!reply.text.contains("canary"), "{}", reply.text);
        it.rows(&["Read book"]).await;
        assert_eq!(it.messages().await, ["user: delete Read book"], "{name}");

        it.say("did that work?")
            .await
            .mentions(&["No", "nothing was changed"])
            .did(&[("history", "")]);

        it.model.call("delete_task", json!({"task": "Read book"}));
        it.say("try again")
            .await
            .shows("Deleted: Read book")
            .did(&[("delete_task", "Read book")]);
        it.rows(&[]).await;
        let asked = it.model.requests().len();
        it.say("try again")
            .await
            .mentions(&["Read book", "already deleted"])
            .hides(&["Technical error"]);
        assert_eq!(it.model.requests().len(), asked, "{name}");
        it.rows(&[]).await;
    }
    it.holds().await;
}

/// Far more turns than may end at a time wait for a model that says nothing: each of them ends and
/// keeps its message as if it had been alone.
#[tokio::test]
async fn of_many_turns_that_hang_every_one_ends() {
    let it = World::with(QUICK).await;
    it.model.otherwise(Step::Silence);
    let server = &it.server;
    let users: Vec<String> = (0..40).map(|number| format!("user-{number}")).collect();
    let turns = users.iter().map(|user| async move {
        let body = json!({"message": "delete Read book"});
        let reply = server.post(&format!("/api/{user}/chat"), body).await;
        is_down(&reply);
        let conversation = reply.body["conversation_id"].as_str().unwrap().to_owned();
        let path = format!("/api/{user}/chat/messages?conversation_id={conversation}");
        let kept = server.get(&path).await.body["messages"].clone();
        assert_eq!(kept.as_array().map(Vec::len), Some(1), "{kept}");
        assert_eq!(kept[0]["content"], "delete Read book", "{kept}");
    });
    futures_util::future::join_all(turns).await;
    it.holds().await;
}

/// A port where nobody listens until somebody does; meanwhile no one else can take it.
struct Port(TcpSocket);

impl Port {
    fn closed() -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        Self(socket)
    }

    fn base_url(&self) -> String {
        format!("http://{}/v1", self.0.local_addr().unwrap())
    }

    /// Opens it and passes on what comes to the server at `base_url`.
    fn open(self, base_url: &str) {
        let host = base_url
            .trim_start_matches("http://")
            .trim_end_matches("/v1");
        let target: SocketAddr = host.parse().unwrap();
        let listener = self.0.listen(64).unwrap();
        tokio::spawn(async move {
            while let Ok((mut near, _)) = listener.accept().await {
                tokio::spawn(async move {
                    let mut far = TcpStream::connect(target).await.unwrap();
                    let _ = tokio::io::copy_bidirectional(&mut near, &mut far).await;
                });
            }
        });
    }
}

/// Dialogue D20: the server is down for three turns (connection refused), then back.
#[tokio::test]
async fn d20_did_that_work() {
    let port = Port::closed();
    let mut it = World::with_model_at(&port.base_url(), QUICK).await;
    it.given_tasks(&["Read book"]).await;

    is_down(&it.try_say("delete Read book").await);
    it.rows(&["Read book"]).await;
    let reply = it.say("did that work?").await;
    reply.shows("No, nothing was changed.");
    assert_eq!(reply.model_calls(), 0, "composed without the model");
    let listing = it.try_say("what's on my list?").await;
    is_down(&listing);
    assert!(!listing.text.contains("Tool not triggered"));
    it.say("did that work?").await.hides(&["Yes", "Deleted"]);
    assert_eq!(
        it.messages().await,
        [
            "user: delete Read book",
            "user: did that work?",
            "assistant: No, nothing was changed.",
            "user: what's on my list?",
            "user: did that work?",
            "assistant: No, nothing was changed.",
        ]
    );

    it.begin_anew();
    is_down(&it.try_say("delete Read book").await);
    port.open(&it.model.base_url());
    it.model.call("delete_task", json!({"task": "Read book"}));
    it.say("try again")
        .await
        .shows("Deleted: Read book")
        .did(&[("delete_task", "Read book")]);
    it.say("try again").await.mentions(&["already deleted"]);
    it.say("did that work?")
        .await
        .mentions(&["Yes", "Deleted: Read book"]);
    assert_eq!(it.model.requests().len(), 1);
    it.rows(&[]).await;
    it.holds().await;
}

/// D20 to the letter: between the failure and "try again" lie a question and a listing.
#[tokio::test]
async fn d20_try_again_after_other_failed_turns() {
    let mut it = World::with(QUICK).await;
    it.given_tasks(&["Read book"]).await;
    it.model.otherwise(Step::CloseAtOnce);
    is_down(&it.try_say("delete Read book").await);
    it.say("did that work?")
        .await
        .shows("No, nothing was changed.");
    it.model.call("delete_task", json!({"task": "Read book"}));
    it.say("try again").await.shows("Deleted: Read book");
    it.say("try again").await.mentions(&["already deleted"]);
    it.rows(&[]).await;
    it.holds().await;
}

#[tokio::test]
async fn a_429_passes_its_wait_on() {
    let mut it = World::with(QUICK).await;
    it.given_tasks(&["Read book"]).await;
    let wait = vec![("retry-after", "7".to_owned())];
    it.model.otherwise(Step::Status(429, wait));
    let reply = it.try_say("delete Read book").await;
    is_down(&reply);
    assert_eq!(reply.headers["retry-after"], "7");
    assert_eq!(it.messages().await, ["user: delete Read book"]);
    it.rows(&["Read book"]).await;

    it.model.call("delete_task", json!({"task": "Read book"}));
    it.say("try again").await.shows("Deleted: Read book");
    it.rows(&[]).await;
    it.holds().await;
}

#[tokio::test]
async fn a_slow_model_is_given_up_in_its_time() {
    let mut it = World::with(QUICK).await;
    it.given_tasks(&["Read book"]).await;
    it.model.otherwise(Step::Silence);
    let began = Instant::now();
    is_down(&it.try_say("delete Read book").await);
    let took = began.elapsed();
    assert!(took >= Duration::from_millis(350), "{took:?}");
    assert!(took < Duration::from_secs(3), "{took:?}");
    it.holds().await;
}

/// An answer that is slow, but not too slow, is taken.
#[tokio::test]
async fn a_patient_timeout_waits() {
    let mut it = World::with(&[("CANDOR_MODEL_TIMEOUT_MS", "10000")]).await;
    it.given_tasks(&["Read book"]).await;
    let answer = Step::calls(vec![("delete_task", json!({"task": "Read book"}))]);
    it.model
        .then(Step::After(Duration::from_millis(700), Box::new(answer)));
    it.say("delete Read book").await.shows("Deleted: Read book");
    it.holds().await;
}
