//! The simulator: seeded worlds of hostile turns over the store, model and clock ports, and an
//! oracle that was told what the words mean and asks the guard nothing.

#![cfg(test)]

#[path = "../hostile/claims.rs"]
pub mod claims;
pub mod dice;
#[path = "../hostile/forms.rs"]
pub mod forms;
pub mod lies;
pub mod models;
#[path = "../hostile/oracle.rs"]
pub mod oracle;
#[path = "../hostile/past.rs"]
pub mod past;
pub mod reminders;
pub mod run;
pub mod titles;
pub mod verdict;
pub mod weather;
pub mod wish;
pub mod world;
