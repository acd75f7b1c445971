//! The words of every reply, in English and in Roman Urdu.
//!
//! Sentences about effects take their facts as arguments and are called from `lines` alone,
//! which takes them off receipts. Nothing here knows whether something happened.

use chrono::{Datelike, NaiveDate, Timelike};
use serde::{Deserialize, Serialize};

use crate::domain::{DueTime, Lang, Priority, RemindAt, Repeat, day_and_time, shown};
use crate::intent::Verb;
use crate::resolver::Missing;
use crate::temporal::{RepeatWords, repeat_phrase, spoken};

/// Sentence that is said when a needed tool was not called (FR-001, FR-013).
pub const TOOL_NOT_TRIGGERED: &str = "Technical error: Tool not triggered.";

/// Sentence about the rest of a turn that was cut off: no call of it is in the log.
pub const CUT_OFF: [&str; 2] = [
    "Could not do the rest: the server stopped in between. Say again what is missing.",
    "Baqi nahi ho saka: server beech mein ruk gaya. Jo reh gaya woh dobara kahiye.",
];

/// The language of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Speech {
    /// English.
    #[default]
    #[serde(rename = "en")]
    English,
    /// Urdu in Latin letters.
    #[serde(rename = "ur")]
    RomanUrdu,
}

impl From<Lang> for Speech {
    fn from(lang: Lang) -> Self {
        match lang {
            Lang::Ur => Self::RomanUrdu,
            _ => Self::English,
        }
    }
}

/// Day and time of a reminder, in its zone: of the week that begins with the day on which it was set,
/// the day's name is enough.
fn remind_time(when: &RemindAt) -> String {
    let local = when.at.with_timezone(&when.zone);
    let day = local.date_naive();
    let seconds = if local.second() == 0 { "" } else { ":%S" };
    let time = local.format(&format!("%H:%M{seconds}")).to_string();
    match (day - when.today).num_days() {
        0..7 => format!("{} {time}", day.weekday()),
        _ => format!("{} {time}", spoken(day)),
    }
}

impl Speech {
    /// Picks one of two wordings.
    pub(super) const fn pick(self, english: &'static str, urdu: &'static str) -> &'static str {
        match self {
            Self::English => english,
            Self::RomanUrdu => urdu,
        }
    }

    /// Yes, on a button.
    pub const fn yes(self) -> &'static str {
        self.pick("Yes", "Haan")
    }

    /// No, on a button.
    pub const fn no(self) -> &'static str {
        self.pick("No", "Nahi")
    }

    /// `due Mon 2026-02-09`
    pub(super) fn due(self, day: NaiveDate, time: Option<DueTime>) -> String {
        let time = time.map(|time| time.shown_on(day));
        format!("due {}", day_and_time(spoken(day), time))
    }

    /// `every Monday`
    pub(super) fn repeats(self, rule: &Repeat) -> String {
        let words = match self {
            Self::English => RepeatWords::English,
            Self::RomanUrdu => RepeatWords::RomanUrdu,
        };
        repeat_phrase(rule, words)
    }

    /// ` (due Mon 2026-02-09, every Monday, reminder Fri 17:00)`, or nothing where there is none of
    /// these.
    pub(super) fn due_in_brackets(
        self,
        (day, time, repeat): (Option<NaiveDate>, Option<DueTime>, Option<&Repeat>),
        remind: Option<RemindAt>,
    ) -> String {
        let due = day.map(|day| self.due(day, time));
        let parts = due.into_iter().chain(repeat.map(|rule| self.repeats(rule)));
        let parts = parts.chain(remind.map(|when| self.reminder(&when)));
        let parts: Vec<String> = parts.collect();
        if parts.is_empty() {
            return String::new();
        }
        format!(" ({})", parts.join(", "))
    }

    /// `reminder Fri 17:00`, and with its date where that is none of the next days.
    pub(super) fn reminder(self, when: &RemindAt) -> String {
        format!("reminder {}", remind_time(when))
    }

    /// The reminder that waits now, or that there is none.
    pub(super) fn reminder_of(self, when: Option<RemindAt>) -> String {
        when.map_or_else(
            || self.pick("no reminder", "koi reminder nahi").to_owned(),
            |when| self.reminder(&when),
        )
    }

    /// A reminder that nobody could be given.
    pub(super) fn missed(self, name: &str, when: &RemindAt) -> String {
        let (name, time) = (quoted(name), remind_time(when));
        match self {
            Self::English => format!("Missed: reminder for {name} at {time}."),
            Self::RomanUrdu => format!("Reh gaya: {name} ka reminder {time} par."),
        }
    }

    /// Line under a reminder that nothing could deliver now.
    pub(super) const fn nobody_listening(self) -> &'static str {
        self.pick(
            "Nobody is listening yet: keep the page open or set CANDOR_WEBHOOK_URL.",
            "Abhi koi nahi sun raha: page khula rakhein ya CANDOR_WEBHOOK_URL set karein.",
        )
    }

    /// `priority high`
    pub(super) fn priority(self, priority: Priority) -> String {
        format!("priority {priority}")
    }

    /// Returns what is said when the answer to a question is no.
    pub(super) const fn nothing_done(self, verb: Option<Verb>) -> &'static str {
        match verb {
            None => self.pick("Nothing was added.", "Kuch add nahi hua."),
            Some(Verb::Delete) => self.pick("Nothing was deleted.", "Kuch delete nahi hua."),
            Some(_) => self.pick("Nothing was changed.", "Kuch nahi badla."),
        }
    }

    /// The verb of a question: "Delete", "Mark … as done".
    pub(super) fn proposal(self, verb: Verb, what: &str) -> String {
        match (self, verb) {
            (Self::English, Verb::Delete) => format!("Delete {what}?"),
            (Self::English, Verb::Complete) => format!("Mark {what} as done?"),
            (Self::English, Verb::Reopen) => format!("Reopen {what}?"),
            (Self::English, Verb::Update) => format!("Change {what}?"),
            (Self::RomanUrdu, Verb::Delete) => format!("{what} delete kar dun?"),
            (Self::RomanUrdu, Verb::Complete) => format!("{what} mukammal kar dun?"),
            (Self::RomanUrdu, Verb::Reopen) => format!("{what} dobara khol dun?"),
            (Self::RomanUrdu, Verb::Update) => format!("{what} badal dun?"),
        }
    }

    /// "Which one should I delete?"
    pub(super) const fn which(self, verb: Verb) -> &'static str {
        match verb {
            Verb::Delete => self.pick("Which one should I delete", "Konsa delete karun"),
            Verb::Complete => self.pick("Which one should I mark as done", "Konsa mukammal karun"),
            Verb::Reopen => self.pick("Which one should I reopen", "Konsa dobara kholun"),
            Verb::Update => self.pick("Which one should I change", "Konsa badlun"),
        }
    }

    /// `3 tasks`, `1 pending task`
    pub(super) fn tasks(self, count: usize, kind: &str) -> String {
        let kind = if kind.is_empty() {
            String::new()
        } else {
            format!("{kind} ")
        };
        let noun = if count == 1 { "task" } else { "tasks" };
        format!("{count} {kind}{noun}")
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

/// `Nothing to delete: your task list is empty.`
fn empty_list(verb: &str, speech: Speech) -> String {
    match speech {
        Speech::English => format!("Nothing to {verb}: your task list is empty."),
        Speech::RomanUrdu => format!("{verb} ko kuch nahi: aap ki task list khali hai."),
    }
}

/// `Could not delete "Fly to Mars": no task with that title.`
pub(super) fn absent(
    verb: Verb,
    words: &str,
    why: Missing,
    nearest: &[&str],
    speech: Speech,
) -> String {
    let verb = match (verb, speech) {
        (Verb::Delete, _) => "delete",
        (Verb::Complete, _) => "complete",
        (Verb::Update, _) => "update",
        (Verb::Reopen, _) => "reopen",
    };
    let (cause_en, cause_ur) = match why {
        Missing::EmptyList => return empty_list(verb, speech),
        Missing::Gone(_) => ("it was already deleted", "woh pehle se delete hai"),
        Missing::OutOfRange => ("the list is not that long", "list itni lambi nahi"),
        Missing::NoneSuch => ("there is none", "aisa koi nahi"),
        Missing::NothingShown | Missing::NoFocus | Missing::NoMatch => {
            ("no task with that title", "is title ka koi task nahi")
        }
    };
    let what = quoted(words);
    let mut text = match speech {
        Speech::English => format!("Could not {verb} {what}: {cause_en}."),
        Speech::RomanUrdu => format!("{what} {verb} nahi ho saka: {cause_ur}."),
    };
    if !nearest.is_empty() {
        let near: Vec<String> = nearest.iter().map(|title| quoted(title)).collect();
        text.push_str(&format!(
            " {}: {}.",
            speech.pick("Nearest", "Qareeb"),
            near.join(", ")
        ));
    }
    text
}
