//! Values and titles as they stand in a reply. The sentences themselves are the messages of
//! `src/locales`.
//!
//! Sentences about effects take their facts as arguments and are called from `lines` alone,
//! which takes them off receipts. Nothing here knows whether something happened.

use chrono::{Datelike, NaiveDate, Timelike};

use crate::domain::{DueTime, Lang, Priority, RemindAt, Repeat, day_and_time, shown};
use crate::intent::Verb;
use crate::locales::{day, localized, repeat_phrase};
use crate::resolver::Missing;

/// Sentence that is said when a needed tool was not called (FR-001, FR-013).
pub const TOOL_NOT_TRIGGERED: &str = "Technical error: Tool not triggered.";

/// `Mon 2026-02-09 17:00`
pub(super) fn when(date: NaiveDate, time: Option<DueTime>, lang: Lang) -> String {
    let shown = time.map(|time| time.shown_on(date));
    day_and_time(day(date, lang), shown)
}

/// `due Mon 2026-02-09`
pub(super) fn due(date: NaiveDate, time: Option<DueTime>, lang: Lang) -> String {
    localized!(lang, "due", when = when(date, time, lang))
}

/// Day and time of a reminder, in its zone: of the week that begins with the day on which it was set,
/// the day's name is enough.
pub(super) fn remind_time(when: &RemindAt, lang: Lang) -> String {
    let local = when.at.with_timezone(&when.zone);
    let date = local.date_naive();
    let seconds = if local.second() == 0 { "" } else { ":%S" };
    let time = local.format(&format!("%H:%M{seconds}")).to_string();
    match (date - when.today).num_days() {
        0..7 => {
            let weekday = date.weekday().number_from_monday();
            let weekday = localized!(lang, "weekday", weekday = weekday);
            format!("{weekday} {time}")
        }
        _ => format!("{} {time}", day(date, lang)),
    }
}

/// ` (due Mon 2026-02-09, every Monday, reminder Fri 17:00)`, or nothing where there is none of
/// these.
pub(super) fn due_in_brackets(
    (date, time, repeat): (Option<NaiveDate>, Option<DueTime>, Option<&Repeat>),
    remind: Option<RemindAt>,
    level: Priority,
    lang: Lang,
) -> String {
    let level = (level != Priority::default()).then(|| priority(level, lang));
    let parts = date.map(|date| due(date, time, lang)).into_iter();
    let parts = parts.chain(repeat.map(|rule| repeat_phrase(rule, lang)));
    let parts = parts.chain(level);
    let parts = parts.chain(remind.map(|when| reminder(&when, lang)));
    in_brackets(&parts.collect::<Vec<_>>())
}

/// ` (one, two)`, or nothing of nothing.
pub(super) fn in_brackets(parts: &[String]) -> String {
    if parts.is_empty() {
        return String::new();
    }
    format!(" ({})", parts.join(", "))
}

/// `reminder Fri 17:00`, and with its date where that is none of the next days.
pub(super) fn reminder(when: &RemindAt, lang: Lang) -> String {
    localized!(lang, "reminder", when = remind_time(when, lang))
}

/// `3 tasks`
pub(super) fn tasks(count: usize, lang: Lang) -> String {
    localized!(
        lang,
        "tasks",
        count = count,
        status = "all",
        priority = "any"
    )
}

/// Lines, each behind its number: `1. one`.
pub(super) fn numbered(lines: impl Iterator<Item = String>) -> impl Iterator<Item = String> {
    let numbered = lines.zip(1..);
    numbered.map(|(line, number)| format!("{number}. {line}"))
}

/// The reminder that waits now, or that there is none.
pub(super) fn reminder_of(when: Option<RemindAt>, lang: Lang) -> String {
    when.map_or_else(
        || localized!(lang, "no-reminder"),
        |when| reminder(&when, lang),
    )
}

/// `priority high`
pub(super) fn priority(priority: Priority, lang: Lang) -> String {
    localized!(lang, "priority", priority = priority.as_str())
}

/// Returns what is said when the answer to a question is no.
pub(super) fn nothing_done(verb: Option<Verb>, lang: Lang) -> String {
    match verb {
        None => localized!(lang, "nothing-added"),
        Some(Verb::Delete) => localized!(lang, "nothing-deleted"),
        Some(_) => localized!(lang, "nothing-changed"),
    }
}

/// The verb of a question: "Delete", "Mark … as done".
pub(super) fn proposal(verb: Verb, what: &str, lang: Lang) -> String {
    match verb {
        Verb::Delete => localized!(lang, "ask-delete", what = what),
        Verb::Complete => localized!(lang, "ask-complete", what = what),
        Verb::Reopen => localized!(lang, "ask-reopen", what = what),
        Verb::Update => localized!(lang, "ask-change", what = what),
    }
}

/// "Which one should I delete"
pub(super) fn which(verb: Verb, lang: Lang) -> String {
    match verb {
        Verb::Delete => localized!(lang, "which-delete"),
        Verb::Complete => localized!(lang, "which-complete"),
        Verb::Reopen => localized!(lang, "which-reopen"),
        Verb::Update => localized!(lang, "which-change"),
    }
}

/// A title as it stands in a reply.
pub(super) fn title(text: &str) -> String {
    shown(text)
}

/// A title in quotation marks, which it can't close: a quotation mark inside becomes a single one.
pub(super) fn quoted(text: &str) -> String {
    let inside: String = shown(text)
        .chars()
        .map(|c| {
            if matches!(c, '"' | '“' | '”' | '„') {
                '\''
            } else {
                c
            }
        })
        .collect();
    format!("\"{inside}\"")
}

/// Titles in quotation marks, one behind the other.
pub(super) fn all_quoted<'t>(titles: impl IntoIterator<Item = &'t str>) -> String {
    let titles: Vec<String> = titles.into_iter().map(quoted).collect();
    titles.join(", ")
}

/// The word of `could-not` for a verb.
pub(super) const fn failed_verb(verb: Verb) -> &'static str {
    match verb {
        Verb::Delete => "delete",
        Verb::Complete => "complete",
        Verb::Update => "update",
        Verb::Reopen => "reopen",
    }
}

/// `Could not delete "Fly to Mars": no task with that title.`
pub(super) fn absent(
    verb: Verb,
    words: &str,
    why: Missing,
    nearest: &[&str],
    lang: Lang,
) -> String {
    let verb = failed_verb(verb);
    let cause = match why {
        Missing::EmptyList => return localized!(lang, "nothing-on-list", verb = verb),
        Missing::Gone(_) => localized!(lang, "cause-deleted"),
        Missing::OutOfRange => localized!(lang, "cause-out-of-range"),
        Missing::NoneSuch => localized!(lang, "cause-none-such"),
        Missing::NothingShown | Missing::NoFocus | Missing::NoMatch => {
            localized!(lang, "cause-no-title")
        }
    };
    let what = quoted(words);
    let text = localized!(lang, "could-not", verb = verb, what = what, cause = cause);
    if nearest.is_empty() {
        return text;
    }
    let names = all_quoted(nearest.iter().copied());
    format!("{text} {}", localized!(lang, "nearest", names = names))
}
