//! The HTTP edge: parses requests, calls the chat layer and the store, renders answers.
//!
//! Makes no sentence about an effect: bodies of success come from receipts below, and every
//! error is a problem (RFC 9457). Reads no environment: `app` hands it what it needs.

mod api;
mod audit;
mod auth;
mod blocking;
mod body;
mod chat;
mod code;
mod cors;
mod delegation;
mod docs;
mod events;
mod health;
mod idempotency;
mod in_flight;
mod middleware;
mod openapi;
mod origin;
mod page;
mod path;
mod problem;
mod reminders;
mod request_id;
mod request_metrics;
mod routes;
mod server;
mod sse;
mod stream;
mod task_body;
mod tasks;
mod todo_backend;
mod transfer;
mod v1;

pub use api::Api;
pub use auth::{Access, Client, Introspection, Jwt, JwtKey, Limits};
pub use body::whole;
pub use code::Code;
pub use cors::Origins;
pub use in_flight::{InFlight, NotRun};
pub use openapi::{Served, document};
pub use origin::from_own_page;
pub use path::query;
pub use problem::Problem;
pub use server::{Beside, Listening, workers};
