//! Every requirement of the delegation design stands in a table with its test.

#![cfg(test)]

#[path = "delegation/table.rs"]
mod table;
