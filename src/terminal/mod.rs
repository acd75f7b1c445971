//! The terminal edge: a conversation line by line, for people and for pipes.
//!
//! Reads lines, calls the chat layer (or a server that does), prints replies. Makes no
//! sentence of its own about an effect. Everything printed goes through a writer.

mod agents;
mod person;
mod remote;
mod script;
mod show;
mod talk;
mod typed;

pub use remote::Remote;
pub use script::{Manner, converse};
pub use show::{Colour, plain};
pub use talk::{Talk, TalkFault};
pub use typed::{Input, Typed, history};
