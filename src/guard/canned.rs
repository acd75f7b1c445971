//! Fixed words: help, pleasantries, and what is said when a model's prose can't be.
//!
//! None of them says anything about the user's tasks.

use super::phrases::quoted;
use super::talk;
use crate::domain::Lang;
use crate::intent::{Act, Social, Topic, Verb};
use crate::locales::localized;

/// The fixed answer to a clause that licenses nothing; `None` when it has none of its own.
pub fn canned(act: &Act, speech: Lang) -> Option<String> {
    match act {
        Act::Help(topic) => Some(help(*topic, speech)),
        Act::Hypothetical(change) => {
            let what = super::licence::target_words(&change.targets.whole, speech);
            Some(hypothetical(change.verb, &what, speech))
        }
        Act::NoSuchDay(day) => Some(localized!(speech, "no-such-day", words = day.as_str())),
        Act::AlarmQuestion => Some(localized!(speech, "no-alarm")),
        Act::Social(social) => Some(social_line(*social, speech)),
        Act::Forbidden(_) => Some(localized!(speech, "i-leave-it")),
        _ => None,
    }
}

/// A short, pleasant line.
pub fn social_line(social: Social, speech: Lang) -> String {
    match social {
        Social::Greeting => localized!(speech, "hello"),
        Social::Thanks => localized!(speech, "welcome"),
        Social::Farewell => localized!(speech, "goodbye"),
        Social::Praise => localized!(speech, "thank-you"),
        Social::Heard => localized!(speech, "all-right"),
    }
}

/// Returns what is said to a yes that nothing waits for.
pub fn nothing_waits(message: &str, speech: Lang) -> String {
    match heard(message) {
        Some(social) => social_line(social, speech),
        None => localized!(speech, "nothing-waits"),
    }
}

/// Tells whether a yes says more than that something was heard.
pub fn is_consent(message: &str) -> bool {
    heard(message).is_none()
}

/// Reads "cool" and "ok", which are often no yes at all.
fn heard(message: &str) -> Option<Social> {
    match message {
        message if talk::thanks(message) => Some(Social::Thanks),
        message => talk::only_hears(message).then_some(Social::Heard),
    }
}

fn help(topic: Topic, speech: Lang) -> String {
    match topic {
        Topic::General => localized!(speech, "help"),
        Topic::Add => localized!(speech, "help-add"),
        Topic::List => localized!(speech, "help-list"),
        Topic::Update => localized!(speech, "help-update"),
        Topic::Complete => localized!(speech, "help-complete"),
        Topic::Delete => localized!(speech, "help-delete"),
        Topic::Undo => localized!(speech, "help-undo"),
        Topic::Language => localized!(speech, "help-language"),
    }
}

fn hypothetical(verb: Verb, what: &str, speech: Lang) -> String {
    let what = if what.is_empty() {
        localized!(speech, "if-a-task")
    } else {
        quoted(what)
    };
    match verb {
        Verb::Delete => localized!(speech, "if-deleted", what = what),
        Verb::Complete => localized!(speech, "if-completed", what = what),
        Verb::Update | Verb::Reopen => localized!(speech, "if-changed", what = what),
    }
}
