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
            _ if set.due.is_some() || set.priority.is_some() => localized!(speech, "named-these"),
            (.., Some(_)) => state_words(set, speech),
            _ if !set.without.is_empty() => localized!(speech, "named-others"),
            _ => localized!(speech, "named-these"),
        },
        Target::Missing => String::new(),
    }
}

/// `completed tasks due this week`
pub(in crate::guard) fn set_words(set: &Set, speech: Lang) -> String {
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
    if let Some(level) = set.priority {
        words = localized!(speech, "named-level", tasks = words, level = level.as_str());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_pointed_at_is_named_in_the_language_of_the_reply() {
        let done = Set {
            completed: Some(true),
            ..Set::default()
        };
        let undated = Set {
            due: Some(DueFilter::Undated),
            ..Set::default()
        };
        let number = Target::Position(Position::Nth(99));
        for (lang, named, set, plain) in [
            (
                Lang::En,
                "number 99",
                "completed tasks",
                "tasks without a due date",
            ),
            (
                Lang::De,
                "Nummer 99",
                "erledigte Aufgaben",
                "Aufgaben ohne Fälligkeitsdatum",
            ),
            (
                Lang::Es,
                "número 99",
                "tareas completadas",
                "tareas sin fecha",
            ),
            (
                Lang::Fr,
                "numéro 99",
                "tâches terminées",
                "tâches sans échéance",
            ),
            (
                Lang::It,
                "il numero 99",
                "attività completate",
                "attività senza scadenza",
            ),
            (
                Lang::Pt,
                "o número 99",
                "tarefas concluídas",
                "tarefas sem prazo",
            ),
            (
                Lang::Ur,
                "number 99",
                "mukammal tasks",
                "bina due date ke tasks",
            ),
        ] {
            assert_eq!(target_words(&number, lang), named);
            assert_eq!(set_words(&done, lang), set);
            assert_eq!(target_words(&Target::Set(done.clone()), lang), set);
            assert_eq!(set_words(&undated, lang), plain);
        }
        let due = Set {
            completed: Some(true),
            due: Some(DueFilter::Between {
                from: chrono::NaiveDate::MIN,
                to: chrono::NaiveDate::MIN,
                words: "due this week".to_owned(),
            }),
            query: Some("milk".to_owned()),
            ..Set::default()
        };
        let words = "completed tasks due this week matching \"milk\"";
        assert_eq!(set_words(&due, Lang::En), words);
    }
}
