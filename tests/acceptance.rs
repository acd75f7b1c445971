//! Issue A, "Force Explicit Tool Execution & Eliminate Ghost Success": every acceptance
//! scenario, edge case, requirement and success criterion is a test that bears its number.
//!
//! All of it runs over real HTTP, against the real program with a real SQLite file and a
//! scripted OpenAI-compatible server, on Sunday 2026-02-08. A story under `with_the_engine` is
//! the same story with no model's server at all.

#![cfg(test)]

#[path = "support/openai.rs"]
mod openai;
#[path = "support/said.rs"]
mod said;
#[path = "support/server.rs"]
mod server;
#[path = "support/world.rs"]
mod world;

/// Plays each story with the scripted model, and once more with the built-in engine.
macro_rules! both {
    ($($story:ident)+) => {
        mod with_a_model {
            $(#[tokio::test] async fn $story() {
                super::$story(crate::world::World::new().await).await;
            })+
        }
        mod with_the_engine {
            $(#[tokio::test] async fn $story() {
                super::$story(crate::world::World::engine().await).await;
            })+
        }
    };
}

#[path = "acceptance/mod.rs"]
mod suite;
