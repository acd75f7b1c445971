//! The hostile suite: rows, the stage they are played on, and the oracle that judges them.

#![cfg(test)]

pub mod claims;
pub mod forms;
pub mod oracle;
pub mod over_http;
pub mod past;
pub mod planted;
pub mod rows;
pub mod script;
pub mod stage;
pub mod verdict;
