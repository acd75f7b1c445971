//! Talk: may a model's words be shown where no tool ran? Judged sentence by sentence.
//!
//! A sentence is told by its form: a question, a request, a wish, what could be, what is so in
//! general. It passes only if it has such a form and holds nothing that asserts an effect, a
//! state, a count, an absence, a promise or a failure. Whoever asked for talk is told more than
//! somebody who gave an order or said hello. Holds no sentences, only classes of words
//! (`src/languages/*/talk.txt`).

mod answer;
mod anywhere;
mod bare;
mod blocks;
mod checks;
mod clause;
mod delegation;
mod elsewhere;
mod facts;
mod granted;
mod marks;
mod message;
mod mood;
mod sense;
#[cfg(test)]
mod tests;
mod told;
mod verdict;
mod words;

use answer::Answer;

pub use delegation::claims_delegation;
pub use facts::{offers_open, proven};
pub use message::{asks_about_tasks, asks_for_details, asks_for_talk, opens_talk};
pub(in crate::guard) use message::{names_nothing, only_hears};
pub use sense::what_is_left;
pub use verdict::{Assertion, Form, Judgement, Sentence, Verdict};
pub(in crate::guard) use words::{
    formed_as, is_function_word, is_indefinite, opens_with_a_subject, spoken_by, thanks,
};
pub use words::{insists, speaks_of_answers};

/// The turn that talk is held against.
#[derive(Debug, Clone, Copy, Default)]
pub struct Talk<'a> {
    /// The user's message.
    pub message: &'a str,
    /// Titles of the user's tasks.
    pub titles: &'a [&'a str],
    /// Everything the user said in this conversation.
    pub said: &'a str,
}

/// Judges every sentence of `prose` as if nothing had been asked.
///
/// ```
/// # use candor::guard::talk::judge;
/// assert!(judge("Hi there! How can I help you today?").passes());
/// assert!(!judge("Hi there! I've ticked it off.").passes());
/// ```
pub fn judge(prose: &str) -> Judgement {
    judge_in(prose, Talk::default())
}

/// Judges `prose` as an answer.
///
/// ```
/// # use candor::guard::talk::{Talk, judge_in};
/// let talk = Talk { message: "how do I sleep better?", ..Talk::default() };
/// assert!(judge_in("Try a fixed bedtime. Coffee keeps most people awake.", talk).passes());
/// assert!(!judge_in("Try a fixed bedtime. I've added it for you.", talk).passes());
/// ```
pub fn judge_in(prose: &str, talk: Talk<'_>) -> Judgement {
    Answer::new(prose, talk).judge()
}
