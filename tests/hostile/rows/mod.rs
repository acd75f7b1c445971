//! The rows, by what they attack.

#![cfg(test)]

pub mod arguments;
pub mod claims;
pub mod dialogues;
pub mod honest;
pub mod injection;
pub mod past;
pub mod pending;
pub mod questions;
pub mod rounds;
pub mod targets;
pub mod unasked;
pub mod values;

use super::script::Row;

/// Every row.
pub fn all() -> Vec<Row> {
    [
        claims::rows(),
        questions::rows(),
        unasked::rows(),
        targets::rows(),
        values::rows(),
        arguments::rows(),
        rounds::rows(),
        injection::rows(),
        pending::rows(),
        past::rows(),
        honest::rows(),
    ]
    .concat()
}
