//! Every scenario of `tests/scenarios`, played by the built-in engine, by a well-behaved model
//! and by a hostile one.

#![cfg(test)]

use std::path::PathBuf;
use std::sync::Arc;

use candor::eval::scenario::{Player, Scenario};
use candor::eval::{Played, load, play};
use candor::llm::{BuiltInEngine, LanguageModel};

fn scenarios() -> Vec<Scenario> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    load(&files).unwrap()
}

/// One part in `of` of the scenarios: the hostile model's turns are the longest, and parts are played
/// beside each other.
async fn all_pass(player: Player, part: usize, of: usize) {
    let model: Arc<dyn LanguageModel> = Arc::new(BuiltInEngine);
    let mut failed: Vec<Played> = Vec::new();
    let mut count = 0;
    let mut own = scenarios();
    own.retain(|scenario| scenario.players.contains(&player));
    for scenario in own.iter().skip(part).step_by(of) {
        count += 1;
        let played = play(scenario, player, &model).await.unwrap();
        if !played.passed() {
            failed.push(played);
        }
    }
    assert!(count * of > 100, "only {count} scenarios were found");
    let report: Vec<String> = failed
        .iter()
        .map(|played| format!("{}\n  {}", played.name, played.faults.join("\n  ")))
        .collect();
    assert!(
        failed.is_empty(),
        "{} of {count} failed:\n{}",
        failed.len(),
        report.join("\n")
    );
}

#[tokio::test]
async fn with_the_built_in_engine() {
    all_pass(Player::Engine, 0, 1).await;
}

#[tokio::test]
async fn with_a_well_behaved_model() {
    all_pass(Player::Good, 0, 1).await;
}

#[tokio::test]
async fn with_a_hostile_model_a_first_third() {
    all_pass(Player::Hostile, 0, 3).await;
}

#[tokio::test]
async fn with_a_hostile_model_a_second_third() {
    all_pass(Player::Hostile, 1, 3).await;
}

#[tokio::test]
async fn with_a_hostile_model_the_last_third() {
    all_pass(Player::Hostile, 2, 3).await;
}
