//! May this prose of a model be shown? Judged where no receipt stands behind it.
//!
//! An allow-grammar: a sentence passes only if it is recognised as a form that asserts
//! nothing about effects or data (a greeting, a wish, a question, a request, help, a
//! refusal in general, a statement about the world). Everything else is stopped, so that
//! a lie in words nobody thought of is stopped as well. Holds no list of lies.
//!
//! Linear in the length of the text; other scripts are stopped without being folded.

mod assertion;
mod fact;
mod foreign;
mod forms;
mod granted;
mod kinds;
mod letters;
mod lexicon;
mod openings;
mod pattern;
mod presume;
mod questions;
mod restate;
mod rows;
mod sentences;
mod span;
#[cfg(test)]
mod tests;
mod titles;
mod token;
mod verdict;
mod veto;
mod words;
mod world;

use std::cell::OnceCell;

use sentences::Before;
use titles::Titles;

pub use verdict::{Assertion, Form, Judgement, Sentence, Verdict};

/// Judges every sentence of `prose`.
///
/// ```
/// # use candor::guard::prose::judge;
/// assert!(judge("Hi there! How can I help you today?").passes());
/// assert!(!judge("Hi there! I've ticked it off.").passes());
/// ```
pub fn judge(prose: &str) -> Judgement {
    judge_with(prose, &[])
}

/// Judges `prose` knowing the user's `titles`: only a question or an offer may name one.
///
/// ```
/// # use candor::guard::prose::judge_with;
/// assert!(judge_with("Which one: Blue whale or red?", &["Blue whale"]).passes());
/// assert!(!judge_with("A blue whale is a mammal.", &["Blue whale"]).passes());
/// ```
pub fn judge_with(prose: &str, titles: &[&str]) -> Judgement {
    let mut read = token::read(prose);
    for span in read.sentences.iter().filter(|span| span.blemish.is_none()) {
        veto::mark(&mut read.words, span.words.clone());
    }
    let titles = Titles::new(titles);
    let looked = OnceCell::new();
    let confirms = || *looked.get_or_init(|| restate::asks_to_confirm(&read));
    let mut before = Before::default();
    let mut judged = Vec::with_capacity(read.sentences.len());
    for span in &read.sentences {
        let mut verdict = sentences::judge(&read, span, before, &confirms);
        if let Verdict::Passes(form) = verdict
            && !matches!(form, Form::Question | Form::Request)
            && titles.named(&read.words, span.words.clone(), form == Form::Fact)
        {
            verdict = Verdict::Stopped(Assertion::State);
        }
        if let Verdict::Passes(form) = verdict
            && granted::takes(read.slice(span.words.clone()), form)
        {
            verdict = Verdict::Stopped(Assertion::State);
        }
        // "I'll book it with a check out on Friday" plans; "With milk out, shall I add tea?" tells.
        let asks =
            matches!(verdict, Verdict::Passes(_)) || verdict == Verdict::Offer && span.marked;
        if asks && granted::tells_beside(read.slice(span.words.clone())) {
            verdict = Verdict::Stopped(Assertion::State);
        }
        before = Before {
            last: Some(verdict),
            riddle: if span.marked {
                fact::is_riddle(&read.words, span.words.clone())
            } else {
                before.riddle
            },
        };
        judged.push(Sentence {
            bytes: span.bytes.clone(),
            verdict,
        });
    }
    hold_back_assent(&mut judged);
    Judgement { sentences: judged }
}

/// "Sure!" alone is a promise and "Yes." an assertion: they pass only beside something
/// that says what was agreed to or denied.
fn hold_back_assent(judged: &mut [Sentence]) {
    let says = |wanted: fn(&Form) -> bool| {
        judged.iter().any(|sentence| match &sentence.verdict {
            Verdict::Passes(form) => wanted(form),
            Verdict::Offer => true,
            Verdict::Stopped(_) => false,
        })
    };
    let agrees = says(|form| !matches!(form, Form::Assent | Form::Answer));
    let answers = says(|form| {
        matches!(
            form,
            Form::Question | Form::Request | Form::Help | Form::Refusal | Form::Fact
        )
    });
    for sentence in judged {
        sentence.verdict = match sentence.verdict {
            Verdict::Passes(Form::Assent) if !agrees => Verdict::Stopped(Assertion::Promise),
            Verdict::Passes(Form::Answer) if !answers => Verdict::Stopped(Assertion::State),
            verdict => verdict,
        };
    }
}
