//! Limits: prose that is longer is no answer to anybody.

/// The most tokens of a sentence.
pub(super) const SENTENCE: usize = 160;

/// The most bytes of an answer.
pub(super) const ANSWER: usize = 16_000;
