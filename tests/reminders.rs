//! Reminders over real servers: what replies say of them, and how they are delivered, by event
//! streams and by a webhook whose receiver behaves badly, over kills and over several servers.

#![cfg(test)]

#[path = "support"]
mod support {
    pub mod openai;
    pub mod server;
}

#[path = "reminders/crash.rs"]
mod crash;
#[path = "reminders/events.rs"]
mod events;
#[path = "reminders/replicas.rs"]
mod replicas;
#[path = "reminders/replies.rs"]
mod replies;
#[path = "reminders/scene.rs"]
mod scene;
#[path = "reminders/webhook.rs"]
mod webhook;
