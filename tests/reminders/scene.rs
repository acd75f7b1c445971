//! A server with a scripted model and a receiver of webhooks, and what the receiver checks.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::support::openai::{Received, ScriptedModel, Step};
use crate::support::server::Server;

/// How long anything may take before a test fails.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// Line of a reply that sets a reminder which nothing could deliver now.
pub const NOBODY: &str = "Nobody is listening yet: keep the page open or set CANDOR_WEBHOOK_URL.";

/// Bytes of the webhook's secret, and the secret.
const KEY: &[u8; 24] = b"0123456789abcdef01234567";
pub const SECRET: &str = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3";

/// A server, its model, and who is told of its reminders.
pub struct Scene {
    pub server: Server,
    pub model: ScriptedModel,
    pub receiver: ScriptedModel,
}

impl Scene {
    /// Nobody is told but who listens.
    pub async fn silent() -> Self {
        Self::with(&[]).await
    }

    /// With a webhook.
    pub async fn told() -> Self {
        Self::with(&[("CANDOR_WEBHOOK_SECRET", SECRET)]).await
    }

    pub async fn with(more: &[(&str, &str)]) -> Self {
        let (model, receiver) = (ScriptedModel::start().await, ScriptedModel::start().await);
        let (base, hook) = (model.base_url(), receiver.base_url());
        let mut variables = vec![
            ("CANDOR_TODAY", "2026-02-08"),
            ("OPENAI_BASE_URL", base.as_str()),
            ("OPENAI_MODEL", "gpt-4"),
        ];
        if more
            .iter()
            .any(|(name, _)| *name == "CANDOR_WEBHOOK_SECRET")
        {
            variables.push(("CANDOR_WEBHOOK_URL", &hook));
        }
        variables.extend(more);
        let server = Server::start_with(&variables).await;
        Self {
            server,
            model,
            receiver,
        }
    }

    /// A turn in which the model proposes this; the reply's words.
    pub async fn says(&self, words: &str, tool: &str, arguments: Value) -> String {
        self.model.call(tool, arguments);
        let reply = self.server.chat("me", words).await;
        reply["assistant_message"].as_str().unwrap().to_owned()
    }

    /// A task with a reminder so many seconds from now.
    pub async fn remind_in(&self, title: &str, seconds: u32) -> String {
        let remind = format!("in {seconds} seconds");
        let arguments = json!({"title": title, "remind": remind});
        self.says(
            &format!("remind me {remind} to {title}"),
            "add_task",
            arguments,
        )
        .await
    }

    /// The state of the reminder of the only task.
    pub async fn state(&self) -> String {
        let tasks = self.server.tasks("me").await;
        tasks[0]["reminders"][0]["state"]
            .as_str()
            .unwrap()
            .to_owned()
    }

    /// Waits until the only task's reminder has ended so.
    pub async fn ends(&self, state: &str) {
        let began = Instant::now();
        while self.state().await != state {
            let now = self.state().await;
            assert!(
                began.elapsed() < PATIENCE,
                "it is {now}: {}",
                self.server.log()
            );
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Messages that the receiver got, once there are so many; each is signed as it should be.
    pub async fn received(&self, number: usize) -> Vec<Received> {
        let began = Instant::now();
        while self.receiver.received().len() < number {
            assert!(began.elapsed() < PATIENCE, "{}", self.server.log());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let all = self.receiver.received();
        all.iter().for_each(is_signed);
        all
    }

    /// The payloads of the log's events about reminders.
    pub async fn told_the_log(&self) -> Vec<Value> {
        let events = self.server.events("me", "reminder").await;
        events
            .iter()
            .map(|event| event["payload"].clone())
            .collect()
    }

    /// The log is whole.
    pub fn verify(&self) {
        let ran = self.server.run_beside(&[], &["audit", "verify"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
}

/// A receiver that takes it.
pub fn taken() -> Step {
    Step::body("application/json", "{}")
}

/// Checks a signature by the text of the specification, and with nothing else.
fn is_signed(received: &Received) {
    let header = |name| {
        received
            .header(name)
            .unwrap_or_else(|| panic!("{name}: {received:?}"))
    };
    let (id, at) = (header("webhook-id"), header("webhook-timestamp"));
    let content = format!("{id}.{at}.{}", received.raw);
    let block = |pad: u8| {
        let mut block = [pad; 64];
        block
            .iter_mut()
            .zip(KEY)
            .for_each(|(byte, key)| *byte ^= key);
        block
    };
    let inner = Sha256::new()
        .chain_update(block(0x36))
        .chain_update(content);
    let outer = Sha256::new().chain_update(block(0x5c));
    let mac = outer.chain_update(inner.finalize()).finalize();
    let expect = format!("v1,{}", base64(&mac));
    assert_eq!(header("webhook-signature"), expect);
    let now = std::time::UNIX_EPOCH.elapsed().unwrap().as_secs();
    assert!(now.abs_diff(at.parse().unwrap()) < 60, "{at}");
    assert_eq!(header("content-type"), "application/json");
}

fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let bits = (0..3).fold(0, |bits, at| {
            bits << 8 | u32::from(*chunk.get(at).unwrap_or(&0))
        });
        for at in 0..4 {
            let sign = SIGNS[(bits >> (18 - 6 * at) & 63) as usize];
            text.push(if at > chunk.len() { '=' } else { sign.into() });
        }
    }
    text
}
