//! Crashes: real programs under load that are killed, with or without the power of their disk,
//! and an oracle that holds what they had acknowledged against what is there afterwards.
//!
//! `program` runs the real binary, `client` talks to it and remembers every answer, `world`
//! decides when something dies, `disk` is what a power loss leaves of the files, and `oracle`
//! judges. Nothing here asks the program how it went: it reads the database itself.

#![cfg(test)]

pub mod client;
#[path = "../simulator/dice.rs"]
pub mod dice;
pub mod disk;
pub mod finding;
pub mod model;
pub mod oracle;
pub mod program;
pub mod reminders;
pub mod site;
pub mod told;
pub mod wish;
pub mod world;
