//! Issue A, "Force Explicit Tool Execution & Eliminate Ghost Success": every acceptance
//! scenario, edge case, requirement and success criterion is a test that bears its number.
//!
//! All of it runs over real HTTP, against the real program with a real SQLite file and a
//! scripted OpenAI-compatible server, on Sunday 2026-02-08. A story under `with_the_engine` is
//! the same story with no model's server at all.

#![cfg(test)]

mod support {
    pub mod openai;
    pub mod said;
    pub mod server;
    pub mod world;
}

/// Plays each story with the scripted model, and once more with the built-in engine.
macro_rules! both {
    ($($story:ident)+) => {
        mod with_a_model {
            $(#[tokio::test] async fn $story() {
                super::$story(crate::support::world::World::new().await).await;
            })+
        }
        mod with_the_engine {
            $(#[tokio::test] async fn $story() {
                super::$story(crate::support::world::World::engine().await).await;
            })+
        }
    };
}

mod acceptance {
    mod criteria;
    mod edges;
    mod faults;
    mod idempotency;
    mod lies;
    mod missing_tool;
    mod prompt;
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
}
