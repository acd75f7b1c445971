//! The HTTP edge: parses requests, calls the chat layer and the store, renders answers.
//!
//! Makes no sentence about an effect: bodies of success come from receipts below, and every
//! error is a problem (RFC 9457). Reads no environment: `app` hands it what it needs.

mod api;
mod audit;
mod auth;
mod body;
mod chat;
mod code;
mod cors;
mod delegation;
mod docs;
mod edge;
mod health;
mod idempotency;
mod openapi;
mod origin;
mod page;
mod path;
mod problem;
mod request_id;
mod routes;
mod seen;
mod server;
mod task_body;
mod tasks;
mod todo_backend;
mod transfer;
mod turnstile;

pub use api::Api;
pub use auth::{Access, Jwt, JwtKey, Limits};
pub use code::Code;
pub use cors::Origins;
pub use openapi::{Served, document};
pub use problem::Problem;
pub use server::Listening;
pub use turnstile::{NotRun, Ticket, Turnstile};
