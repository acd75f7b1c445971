//! Tests of the cues: their files, and where their phrases are met.

use super::*;
use crate::languages::{assert_sound, assert_used};

#[track_caller]
fn check(raw: &str, cue: Cue, expect: &[&str]) {
    let text = Text::new(raw);
    let hits = find(&text, &[]);
    let hits = hits.iter().filter(|hit| hit.cue == cue);
    let found: Vec<&str> = hits.map(|hit| text.slice(hit.at..hit.end)).collect();
    assert_eq!(found, expect, "{raw:?}");
}

#[test]
fn the_longest_phrase_counts() {
    check(
        "please take the gym off",
        Cue::Order(Deed::Delete),
        &["take the gym off"],
    );
    check("no need to call", Cue::Negation, &["no need to"]);
    check("no need to call", Cue::Told(Deed::Delete), &[]);
    check("could you add milk", Cue::Wish, &[]);
}

#[test]
fn quoted_words_are_no_cue() {
    check(
        "rename it to \"delete milk\"",
        Cue::Order(Deed::Delete),
        &[],
    );
}

#[test]
fn the_files_have_no_faults() {
    let read = |lang: Lang| read(&mut PhraseBook::default(), lang);
    assert_sound(Lang::ALL.into_iter().flat_map(read));
}

#[test]
fn every_kind_is_used() {
    let asked = |(name, cue): (&'static str, Cue)| match cue {
        Cue::Order(deed) => (name, format!("Cue::Order(Deed::{deed:?})")),
        Cue::Told(deed) => (name, format!("Cue::Told(Deed::{deed:?})")),
        cue => (name, format!("Cue::{cue:?}")),
    };
    assert_used(Lang::En.files().cues, &KINDS.map(asked), "src/guard");
}
