//! candor: a todo chat whose reply is a pure function of committed receipts.
//!
//! A language model proposes tool calls; code decides which of them the user's words license,
//! the store commits them and mints [`store::Receipt`]s, and every sentence about an effect, a
//! list, a count or an absence is rendered from those receipts.
//!
//! The layers, each importing only those below it (a test holds them to it):
//!
//! | layer | modules | what lives there |
//! |---|---|---|
//! | 0 | [`domain`], [`languages`] | tasks, ids, titles, tools, errors, text; the languages and their words |
//! | 1 | [`intent`], [`resolver`], [`temporal`], [`audit`], [`formats`], [`llm`], [`telemetry`] | the pure readers, the hash chain, the model port, what operators see |
//! | 2 | [`store`] | units of work, receipts, rows; all SQL |
//! | 3 | [`tools`] | one file per verb: schemas, validation, plans |
//! | 4 | [`turn`] | the step machine, the ledger, the frame |
//! | 5 | [`guard`] | licences, verdicts, prose, the reply |
//! | 6 | [`delegation`] | agents, runs, and the seam to whoever works on them |
//! | 7 | [`chat`] | the service that drives a turn |
//! | 8 | [`http`], `mcp` (a feature), [`terminal`], [`eval`] | the edges, and the acceptance runner |

pub mod app;
pub mod audit;
pub mod chat;
pub mod config;
pub mod delegation;
pub mod domain;
pub mod eval;
pub mod formats;
pub mod guard;
pub mod http;
pub mod intent;
mod language;
pub mod languages;
pub mod llm;
pub mod locales;
pub mod logging;
#[cfg(feature = "mcp")]
pub mod mcp;
pub mod reminders;
pub mod resolver;
pub mod store;
pub mod telemetry;
pub mod temporal;
pub mod terminal;
pub mod tools;
pub mod turn;
