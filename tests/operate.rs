//! Tests of what an operator plugs in: figures, traces, readiness, and the files of
//! `scripts/operate/`, each held against the real program.

#![cfg(test)]

#[path = "support"]
mod support {
    pub mod openai;
    pub mod server;
}

#[path = "operate/collector.rs"]
mod collector;
#[path = "operate/draining.rs"]
mod draining;
#[path = "operate/endurance.rs"]
mod endurance;
#[path = "operate/figures.rs"]
mod figures;
#[path = "operate/files.rs"]
mod files;
#[path = "operate/load.rs"]
mod load;
#[path = "operate/page.rs"]
mod page;
#[path = "operate/traces.rs"]
mod traces;
