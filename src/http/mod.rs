//! The HTTP edge: parses requests, calls the chat layer and the store, renders answers.
//!
//! Makes no sentence about an effect: bodies of success come from receipts below, and every
//! error is a problem (RFC 9457). Reads no environment: `app` hands it what it needs.

mod api;
mod audit;
mod body;
mod chat;
mod code;
mod delegation;
mod edge;
mod health;
mod idempotency;
mod origin;
mod page;
mod path;
mod problem;
mod request_id;
mod routes;
mod server;
mod task_body;
mod tasks;
mod turnstile;

pub use api::Api;
pub use code::Code;
pub use problem::Problem;
pub use server::Listening;
pub use turnstile::{NotRun, Ticket, Turnstile};
