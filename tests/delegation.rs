//! Delegation: the acceptance scenarios of the delegation design, each a test that bears its
//! number, over real HTTP, the real program, a real database and scripted model servers.
//!
//! After each scenario the invariants I-1 to I-8 are checked on the rows, on what the servers
//! were sent and on what was answered: see `scene`.

#![cfg(test)]

#[path = "support"]
mod support {
    pub mod openai;
    pub mod server;
}

#[path = "delegation/asking.rs"]
mod asking;
#[path = "delegation/below.rs"]
mod below;
#[path = "delegation/calls.rs"]
mod calls;
#[path = "delegation/chat.rs"]
mod chat;
#[path = "delegation/files.rs"]
mod files;
#[path = "delegation/limits.rs"]
mod limits;
#[path = "delegation/minute.rs"]
mod minute;
#[path = "delegation/planted.rs"]
mod planted;
#[path = "delegation/programs.rs"]
mod programs;
#[path = "delegation/queue.rs"]
mod queue;
#[path = "delegation/reports.rs"]
mod reports;
#[path = "delegation/resumes.rs"]
mod resumes;
#[path = "delegation/scene.rs"]
mod scene;
#[path = "delegation/sessions.rs"]
mod sessions;
#[path = "delegation/stops.rs"]
mod stops;
#[path = "delegation/talk.rs"]
mod talk;
#[path = "delegation/timeline.rs"]
mod timeline;
#[path = "delegation/told.rs"]
mod told;
