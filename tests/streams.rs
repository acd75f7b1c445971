//! Tests of what is told while it happens: turns as a UI message stream, and changes as events;
//! over real HTTP with the scripted model, and with the AI SDK's own client.

#![cfg(test)]

#[path = "support"]
mod support {
    pub mod clients;
    pub mod openai;
    pub mod server;
}

#[path = "streams/approvals.rs"]
mod approvals;
#[path = "streams/client.rs"]
mod client;
#[path = "streams/edits.rs"]
mod edits;
#[path = "streams/ends.rs"]
mod ends;
#[path = "streams/events.rs"]
mod events;
#[path = "streams/scene.rs"]
mod scene;
#[path = "streams/told.rs"]
mod told;
