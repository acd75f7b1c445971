//! Names of what the words point at, said back in the language of the reply: "number 99", "completed
//! tasks".

use crate::domain::Lang;
use crate::guard::phrases::quoted;
use crate::intent::{DueFilter, Set, Target};
use crate::locales::localized;
use crate::resolver::Position;

/// The words of a reference.
pub(in crate::guard) fn target_words(target: &Target, speech: Lang) -> String {
    let number = |id, n: u32| localized!(speech, id, number = n);
    match target {
        Target::Named(words) => words.clone(),
        Target::Position(Position::Nth(n)) => number("named-number", *n),
        Target::Position(Position::FromEnd(1)) => localized!(speech, "named-last"),
        Target::Position(Position::FromEnd(n)) => number("named-from-end", *n),
        Target::It => localized!(speech, "named-it"),
        Target::They { .. } => localized!(speech, "named-them"),
        Target::Other => localized!(speech, "named-other"),
        Target::Set(set) => match (&set.list, &set.query, set.completed) {
            (Some(list), ..) => list.clone(),
            (_, Some(query), _) => query.clone(),
            _ if set.due.is_some() => localized!(speech, "named-these"),
            (.., Some(_)) => state_words(set, speech),
            _ if !set.without.is_empty() => localized!(speech, "named-others"),
            _ => localized!(speech, "named-these"),
        },
        Target::Missing => String::new(),
    }
}

/// `completed tasks due this week`
pub(super) fn set_words(set: &Set, speech: Lang) -> String {
    let plain = Set {
        without: set.without.clone(),
        ..Set::default()
    };
    if *set == plain && !set.without.is_empty() {
        return localized!(speech, "named-rest");
    }
    let mut words = state_words(set, speech);
    match &set.due {
        Some(DueFilter::Between { words: when, .. }) => {
            let when = when.strip_prefix("due ").unwrap_or(when);
            words = localized!(speech, "named-due", tasks = words, when = when);
        }
        Some(DueFilter::Undated) => words = localized!(speech, "named-undated", tasks = words),
        Some(DueFilter::Overdue) | None => {}
    }
    match &set.query {
        Some(query) => {
            localized!(
                speech,
                "named-matching",
                tasks = words,
                query = quoted(query)
            )
        }
        None => words,
    }
}

fn state_words(set: &Set, speech: Lang) -> String {
    let state = match (set.completed, &set.due) {
        (Some(true), _) => "completed",
        (_, Some(DueFilter::Overdue)) => "overdue",
        (Some(false), _) => "pending",
        (None, _) => "all",
    };
    localized!(speech, "named-tasks", status = state)
}
