//! The documents, held to their word: README.md, CONTRIBUTING.md, SECURITY.md and docs/*.md.
//!
//! Every snippet is played or has a stated reason ([`snippets`]), every link between the documents
//! leads somewhere, and lists that must be whole are compared with what they list. `scripts/test`,
//! the README's second command, is tried in [`setup`].

#![cfg(test)]

#[path = "support"]
mod support {
    pub mod clients;
    pub mod server;
}

#[path = "readme/documents.rs"]
mod documents;
#[path = "readme/lists.rs"]
mod lists;
#[path = "readme/play.rs"]
mod play;
#[path = "readme/setup.rs"]
mod setup;
#[path = "readme/shown.rs"]
mod shown;
#[path = "readme/snippets.rs"]
mod snippets;
