//! Turns of several rounds at two servers: what one works on is left to it, what it leaves open
//! when it dies is told by the other.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::openai::{ScriptedModel, Step};
use crate::support::server::postgres::Database;
use crate::support::server::{Server, run};

const CHAT: &str = "/api/me/chat";

/// Longer than a process may be silent before it is taken for dead.
const LONG: Duration = Duration::from_millis(6_500);

struct Two {
    one: Server,
    other: Server,
    model: ScriptedModel,
    database: Database,
}

impl Two {
    async fn start() -> Self {
        let (model, database) = (ScriptedModel::start().await, Database::new());
        let (url, base_url) = (database.url(), model.base_url());
        let variables = [
            ("CANDOR_TODAY", "2026-02-08"),
            ("DATABASE_URL", &*url),
            ("OPENAI_BASE_URL", &*base_url),
            ("OPENAI_MODEL", "gpt-4"),
        ];
        let start = || Server::start_with(&variables);
        let (one, other) = tokio::join!(start(), start());
        one.add("me", json!({"title": "Read book"})).await;
        Self {
            one,
            other,
            model,
            database,
        }
    }

    /// Half of a message is done in the first round; `then` answers the second.
    fn half_done(&self, then: Step) {
        let calls = vec![
            ("add_task", json!({"title": "milk"})),
            ("delete_task", json!({"task": "Read booklet"})),
        ];
        self.model.calls(calls).then(then);
    }

    async fn second_round(&self) {
        while self.model.requests().len() < 2 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    fn whole_log(&self) {
        let url = self.database.url();
        let ran = run(None, &[("DATABASE_URL", &url)], &["audit", "verify"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
}

fn message() -> Value {
    json!({"message": "add milk and delete Read book"})
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_dead_server_left_open_is_told_by_the_other() {
    let mut two = Two::start().await;
    two.half_done(Step::Silence);
    tokio::select! {
        reply = two.one.post_keyed(CHAT, "k", message()) => panic!("{}", reply.text),
        () = two.second_round() => {}
    }
    two.one.crash();
    let began = Instant::now();
    let told = two.other.post_keyed(CHAT, "k", message()).await;
    assert_eq!(told.status, 200, "{}", told.text);
    assert!(began.elapsed() < Duration::from_secs(15));
    assert_eq!(
        told.body["assistant_message"],
        "Added: milk\nCould not do the rest: the server stopped in between. Say again what is \
         missing."
    );
    for _ in 0..2 {
        let again = two.other.post_keyed(CHAT, "k", message()).await;
        assert_eq!((again.status, &again.text), (200, &told.text));
    }
    assert_eq!(two.other.titles("me").await, ["milk", "Read book"]);
    assert_eq!(two.model.requests().len(), 2);
    two.whole_log();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_live_server_works_on_is_left_to_it() {
    let two = Two::start().await;
    let right = Step::calls(vec![("delete_task", json!({"task": "Read book"}))]);
    two.half_done(Step::After(LONG, Box::new(right)));
    let turn = two.one.post_keyed(CHAT, "k", message());
    let meanwhile = async {
        two.second_round().await;
        let same = two.other.post_keyed(CHAT, "k", message()).await;
        assert_eq!((same.status, same.problem()), (409, "still_running"));
        let heads = two.other.get(&format!("{CHAT}/conversations")).await.body;
        let conversation = heads["conversations"][0]["id"].clone();
        two.model.call("add_task", json!({"title": "eggs"}));
        let next = json!({"message": "add eggs", "conversation_id": conversation});
        two.other.post(CHAT, next).await
    };
    let (turn, next) = tokio::join!(turn, meanwhile);
    assert_eq!(turn.status, 200, "{}", turn.text);
    assert_eq!(
        turn.body["assistant_message"],
        "Added: milk\nDeleted: Read book"
    );
    // The other message of the conversation waited for it.
    assert_eq!(next.status, 200, "{}", next.text);
    assert_eq!(next.body["assistant_message"], "Added: eggs");
    let lines = next.body["messages"].as_array().unwrap();
    let lines: Vec<_> = lines.iter().map(|line| line["content"].clone()).collect();
    assert_eq!(
        lines,
        [
            "add milk and delete Read book",
            "Added: milk\nDeleted: Read book",
            "add eggs",
            "Added: eggs",
        ]
    );
    assert_eq!(two.other.titles("me").await, ["eggs", "milk"]);
    two.whole_log();
}

/// A server that stood still for long is taken for dead; when it goes on, it finds its turn ended
/// and does nothing more.
#[tokio::test(flavor = "multi_thread")]
async fn who_was_taken_for_dead_does_nothing_more() {
    let two = Two::start().await;
    let right = Step::calls(vec![("delete_task", json!({"task": "Read book"}))]);
    two.half_done(Step::After(Duration::from_millis(300), Box::new(right)));
    let turn = two.one.post_keyed(CHAT, "k", message());
    let meanwhile = async {
        two.second_round().await;
        two.one.signal("STOP");
        let began = Instant::now();
        let told = loop {
            let told = two.other.post_keyed(CHAT, "k", message()).await;
            if told.status == 200 {
                break told;
            }
            assert_eq!((told.status, told.problem()), (409, "still_running"));
            assert!(began.elapsed() < Duration::from_secs(20), "never told");
            tokio::time::sleep(Duration::from_millis(100)).await;
        };
        two.one.signal("CONT");
        told
    };
    let (turn, told) = tokio::join!(turn, meanwhile);
    assert_eq!(told.body["error"]["code"], "interrupted", "{}", told.text);
    assert_eq!((turn.status, &turn.text), (200, &told.text));
    assert_eq!(two.other.titles("me").await, ["milk", "Read book"]);
    let receipts = two.other.events("me", "receipt").await;
    assert_eq!(receipts.len(), 2);
    two.whole_log();
}

/// A model that never answers does not hold up the end, and what was done is told before it.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_told_to_end_tells_what_its_turns_have_done() {
    let mut two = Two::start().await;
    two.half_done(Step::Silence);
    let turn = two.one.post_keyed(CHAT, "k", message());
    let meanwhile = async {
        two.second_round().await;
        two.one.signal("TERM");
        Instant::now()
    };
    let (turn, told_to_end) = tokio::join!(turn, meanwhile);
    assert_eq!(turn.status, 200, "{}", turn.text);
    let text = turn.body["assistant_message"].as_str().unwrap();
    assert!(text.starts_with("Added: milk\n"), "{text}");
    assert!(two.one.ended().await.success());
    assert!(told_to_end.elapsed() < Duration::from_secs(30));
    let again = two.other.post_keyed(CHAT, "k", message()).await;
    assert_eq!((again.status, &again.text), (200, &turn.text));
    two.whole_log();
}
