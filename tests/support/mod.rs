//! Tools that the integration tests share; each file of tests includes it with `mod support;`.
//!
//! A file uses a part of it only, and the compiler would call the rest dead. So every
//! module here ends in a `const _` that names its items: they count as used, and nothing
//! has to be silenced.

#![cfg(test)]

pub mod openai;
