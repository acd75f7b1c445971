//! The parts of a composed reply, each with where it comes from.

/// Source of a part of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The turn's proof of this number.
    Proof(usize),
    /// Outcome of the call of this number, or that a call never came (none).
    Outcome(Option<usize>),
    /// The question that is asked.
    Question,
    /// Remarks, and prose that passed the check: they tell of no effect.
    Words,
    /// Fixed words about what was said, or about the product.
    Fixed,
}

/// One part of a reply, of one line or several.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplyPart {
    /// Its text.
    pub text: String,
    /// Origin of the text.
    pub origin: Origin,
}

/// The text of a reply.
pub(super) fn text_of(parts: &[ReplyPart]) -> String {
    let texts: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
    texts.join("\n")
}
