//! Every scenario of `tests/scenarios`, played by the built-in engine, by a well-behaved model
//! and by a hostile one.

#![cfg(test)]

use std::collections::BTreeSet;
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

/// The words of a text, in small letters.
fn words(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| word.chars().any(char::is_alphabetic));
    words.map(str::to_lowercase).collect()
}

/// The words of the texts of a language's replies, without the names of messages and variables.
fn words_of(code: &str) -> BTreeSet<String> {
    let file = format!("{}/src/locales/{code}.ftl", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(file).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let said = lines.map(|line| match line.split_once(['=', ']']) {
        Some((_, said)) => said,
        None => line,
    });
    let text = said.collect::<Vec<_>>().join("\n");
    // What stands in braces is a variable or a choice.
    let outside = text.split('{').enumerate().map(|(at, part)| match at {
        0 => part,
        _ => part.split_once('}').map_or("", |(_, behind)| behind),
    });
    words(&outside.collect::<Vec<_>>().join(" "))
}

/// Words of a reply that only English texts have, and that nobody said.
fn english_left(reply: &str, code: &str, said: &BTreeSet<String>) -> Vec<String> {
    let (english, own) = (words_of("en"), words_of(code));
    let reply = reply.replace("Technical error: Tool not triggered.", "");
    let strange = |word: &String| english.contains(word) && !own.contains(word);
    let words = words(&reply).into_iter().filter(strange);
    words.filter(|word| !said.contains(word)).collect()
}

#[test]
fn english_that_is_left_in_a_reply_is_found() {
    let none = BTreeSet::new();
    let left = |reply, code| english_left(reply, code, &none);
    assert_eq!(left("Du hast 2 pending tasks:", "de"), ["pending", "tasks"]);
    assert_eq!(
        left("Konnte \"number 99\" nicht löschen.", "de"),
        ["number"]
    );
    let low = "la priorità non è tra low, medium, high";
    assert_eq!(left(low, "it"), ["high", "low", "medium"]);
    assert!(left("Du hast 2 offene Aufgaben:", "de").is_empty());
    assert!(left("Kul 2 tasks baqi:", "ur").is_empty());
    let said = words("add the milk");
    assert!(english_left("Hinzugefügt: the milk", "de", &said).is_empty());
}

#[tokio::test]
async fn no_reply_in_another_language_has_words_of_the_english_texts() {
    let model: Arc<dyn LanguageModel> = Arc::new(BuiltInEngine);
    let mut languages = BTreeSet::new();
    for scenario in scenarios() {
        let Some(code) = scenario.language.as_deref().filter(|code| *code != "en") else {
            continue;
        };
        languages.insert(code.to_owned());
        let setup = serde_json::to_string(&scenario.tasks).unwrap();
        let turns = scenario.turns.iter().map(|turn| turn.user.as_str());
        let said = words(&turns.chain([setup.as_str()]).collect::<Vec<_>>().join(" "));
        let played = play(&scenario, Player::Engine, &model).await.unwrap();
        assert_eq!(
            played.replies.len(),
            scenario.turns.len(),
            "{}",
            scenario.name
        );
        for reply in &played.replies {
            let left = english_left(reply, code, &said);
            assert!(left.is_empty(), "{}: {left:?} in {reply}", scenario.name);
        }
    }
    assert_eq!(languages.len(), 6, "{languages:?}");
}
