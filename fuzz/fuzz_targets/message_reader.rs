//! Any message in any language: it is read, its spans lie in it and in order, it is read the
//! same again, and what was read survives being stored.

#![no_main]

use candor::domain::text::Text;
use candor::intent::{Act, Addition, DueFilter, NewTask, Reading, Target, expected_tools, read};
use candor_fuzz::{lies_in, planted, setting};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((message, today, lang)) = setting(data) else {
        return;
    };
    tokens_lie_in(message);
    let mut reading = read(message, today, lang);
    if planted(message) {
        reading.clauses.reverse();
    }
    let mut end = 0;
    for clause in &reading.clauses {
        lies_in(message, &clause.bytes);
        let start = clause.bytes.start;
        assert!(start >= end, "clauses overlap in {message:?}: {reading:?}");
        end = clause.bytes.end;
        for task in tasks(&clause.act) {
            lies_in(message, &task.bytes);
        }
        if let Some(DueFilter::Between { from, to, .. }) = days(&clause.act) {
            assert!(from <= to, "{reading:?}");
        }
    }
    let _ = expected_tools(&reading);
    assert_eq!(reading, read(message, today, lang));
    let stored = serde_json::to_string(&reading).unwrap();
    // What only this turn needs to know of a listing is not stored.
    let again: Reading = serde_json::from_str(&stored).unwrap();
    assert_eq!(stored, serde_json::to_string(&again).unwrap());
});

fn tokens_lie_in(message: &str) {
    let mut end = 0;
    for token in &Text::new(message).tokens {
        lies_in(message, &token.span);
        assert!(token.span.start >= end, "tokens overlap in {message:?}");
        end = token.span.end;
    }
}

fn tasks(act: &Act) -> Vec<&NewTask> {
    match act {
        Act::Add(Addition { whole, parts, .. }) => parts.iter().chain([whole]).collect(),
        Act::Wish(task) | Act::Noun(task) => vec![task],
        _ => Vec::new(),
    }
}

/// The days that a listing or the set of a change is about.
fn days(act: &Act) -> Option<&DueFilter> {
    match act {
        Act::List(listing) => listing.due.as_ref(),
        Act::Change(change) | Act::Hypothetical(change) | Act::Forbidden(change) => {
            match &change.targets.whole {
                Target::Set(set) => set.due.as_ref(),
                _ => None,
            }
        }
        _ => None,
    }
}
