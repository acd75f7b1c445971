//! The stories, by the numbers of the specification, and what they need beside it.

#![cfg(test)]

mod criteria;
mod edges;
mod fast_path;
mod faults;
mod idempotency;
mod lies;
mod missing_tool;
mod prompt;
mod proofs;
mod requirements;
mod rounds;
mod standins;
mod tampering;
mod us1_delete;
mod us2_list;
mod us3_update;
mod us4_add;
mod us5_missing_call;
mod us6_dates;
mod us7_titles;
