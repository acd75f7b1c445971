//! Cues of a message, without those that its titles, repetitions and bounds of time only seem to hold.

use std::ops::Range;

use crate::domain::text::Text;
use crate::guard::evidence::cues::{Cue, Hit, find};

/// Cues of a message, and the tokens of its repetitions that seem to deny.
pub(in crate::guard::evidence) struct Cues {
    pub(super) hits: Vec<Hit>,
    pub(super) turns: Vec<Range<usize>>,
}

/// Finds the cues of a message, of which these tokens stand together as titles and name days; `repeats`
/// finds the tokens of repetitions in every language, and is asked only where a word denies.
pub(in crate::guard::evidence) fn cues(
    text: &Text<'_>,
    titles: &[Range<usize>],
    days: &[Range<usize>],
    repeats: impl FnOnce() -> Vec<Range<usize>>,
) -> Cues {
    let long = titles.iter().filter(|range| range.len() > 1);
    let titles: Vec<Range<usize>> = long.cloned().collect();
    let inside = |hit: &Hit| {
        let mut titles = titles.iter();
        // "should I delete ammi ko phone karna?": nor does what begins in a title ask for anything.
        titles.any(|range| range.contains(&hit.at) && (hit.end <= range.end || !hit.open))
    };
    let mut hits = find(text, &titles);
    if !titles.is_empty() && !hits.iter().any(|hit| matches!(hit.cue, Cue::Order(_))) {
        // "take gym off": its title may be *Gym off*.
        hits = find(text, &[]);
    }
    hits.retain(|hit| !inside(hit));
    // "un domingo sí y otro no" denies nothing.
    let denies = |hit: &&Hit| matches!(hit.cue, Cue::Negation | Cue::Halt);
    let denials: Vec<usize> = hits.iter().filter(denies).map(|hit| hit.at).collect();
    let mut turns = match denials.is_empty() {
        true => Vec::new(),
        false => repeats(),
    };
    turns.retain(|range| denials.iter().any(|at| range.contains(at)));
    hits.retain(|hit| !turns.iter().any(|range| range.contains(&hit.at)));
    // "until friday" bounds a time; "until he calls" is a condition.
    let bounds: Vec<usize> = hits
        .iter()
        .filter(|hit| matches!(hit.cue, Cue::After | Cue::Before))
        .filter(|hit| {
            let day = |at: usize| days.iter().any(|day| day.contains(&at));
            let article = hits
                .iter()
                .any(|other| other.cue == Cue::Determiner && other.at == hit.end);
            day(hit.end) || article && day(hit.end + 1)
        })
        .map(|hit| hit.at)
        .collect();
    hits.retain(|hit| hit.cue != Cue::Condition || !bounds.contains(&hit.at));
    Cues { hits, turns }
}
