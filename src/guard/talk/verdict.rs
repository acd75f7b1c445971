//! Verdicts on a piece of prose, sentence by sentence.

use std::ops::Range;

/// The harmless form a sentence was recognised as; of several clauses the greatest counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// "Sure.", "Okay.": harmless before something else, a promise when it stands alone.
    Assent,
    /// "Yes.", "No.": harmless before a question or a refusal, an assertion otherwise.
    Answer,
    /// A greeting, thanks, a farewell, sympathy, encouragement.
    Pleasantry,
    /// A statement about the world that has nothing of the user's data in it, or a joke.
    Fact,
    /// Advice, what could be, what the product is and can do.
    Help,
    /// "Please tell me which one you mean."
    Request,
    /// A question to the user that takes nothing for done.
    Question,
    /// "Shall I add it?"
    Offer,
}

/// The likeliest reason why a sentence is stopped. The verdict does not hang on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Assertion {
    /// Something was or is being done.
    Effect,
    /// Anything else: a list, a count, a state, a promise, no prose, or nothing that is known.
    Other,
}

impl Assertion {
    /// Fails where such an assertion was found.
    pub(super) const fn stops(self, found: bool) -> Result<(), Self> {
        if found { Err(self) } else { Ok(()) }
    }
}

/// The word on a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Asserts nothing about effects or data.
    Passes(Form),
    /// Restates an effect for the user to confirm: only the server may word that.
    Offer,
    /// Must not be shown.
    Stopped(Assertion),
}

/// One sentence of the prose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// Place in the prose.
    pub bytes: Range<usize>,
    /// The verdict on it.
    pub verdict: Verdict,
}

/// The verdicts on a whole text, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Judgement {
    /// Every sentence; none when the text says nothing.
    pub sentences: Vec<Sentence>,
}

impl Judgement {
    /// Tells whether something is said and every sentence passes or is an offer.
    pub fn passes(&self) -> bool {
        !self.sentences.is_empty() && self.stopped().next().is_none()
    }

    fn any(&self, is: impl Fn(Verdict) -> bool) -> bool {
        self.sentences.iter().any(|sentence| is(sentence.verdict))
    }

    /// The sentences that must not be shown.
    pub fn stopped(&self) -> impl Iterator<Item = &Sentence> {
        self.sentences
            .iter()
            .filter(|sentence| matches!(sentence.verdict, Verdict::Stopped(_)))
    }

    /// Tells whether an effect is restated for the user to confirm: it is not shown.
    pub fn has_restated(&self) -> bool {
        self.any(|verdict| verdict == Verdict::Offer)
    }

    /// Tells whether an effect is offered: the server may word it anew.
    pub fn has_offer(&self) -> bool {
        self.any(|verdict| matches!(verdict, Verdict::Offer | Verdict::Passes(Form::Offer)))
    }

    /// Tells whether it leaves the turn to the user: a question, a request or an offer stands in it.
    pub fn is_question(&self) -> bool {
        let asks = [Form::Question, Form::Request, Form::Offer].map(Verdict::Passes);
        self.any(|verdict| verdict == Verdict::Offer || asks.contains(&verdict))
    }
}
