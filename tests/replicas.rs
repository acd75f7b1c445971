//! Several processes over one database, and a database that fails: real servers, a real
//! PostgreSQL, and a proxy that breaks the line between them.

#![cfg(test)]

#[path = "support"]
mod support {
    pub mod openai;
    pub mod proxy;
    pub mod server;
}

#[path = "replicas/cuts.rs"]
mod cuts;
#[path = "replicas/keeping.rs"]
mod keeping;
#[path = "replicas/migrations.rs"]
mod migrations;
#[path = "replicas/open_turns.rs"]
mod open_turns;
#[path = "replicas/outages.rs"]
mod outages;
#[path = "replicas/plans.rs"]
mod plans;
#[path = "replicas/two.rs"]
mod two;
