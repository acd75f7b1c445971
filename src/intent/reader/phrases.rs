//! Phrases of classes that were looked for, by where they were.
//!
//! Whether a sentence ends in a second thought, begins with a doubt or is cut is asked one after the
//! other, and each asks the same few words of it for the same few classes.

use std::ops::Range;

use crate::intent::grammar::Class;
use crate::intent::grammar::matcher::Finish;

/// A phrase that is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Asked {
    pub class: Class,
    pub range: Range<usize>,
    pub finish: Finish,
}

/// Number of answers that are kept: a power of two.
const KEPT: usize = 16;

/// The answers that were given last, each at a place that its question tells.
#[derive(Debug, Default)]
pub(super) struct Phrases([Option<(Asked, Option<usize>)>; KEPT]);

impl Phrases {
    /// Returns where the phrase ends, if that is known.
    pub(super) fn get(&self, asked: &Asked) -> Option<Option<usize>> {
        let (known, end) = self.0.get(place(asked))?.as_ref()?;
        (known == asked).then_some(*end)
    }

    /// Notes where the phrase ends.
    pub(super) fn keep(&mut self, asked: Asked, end: Option<usize>) {
        if let Some(kept) = self.0.get_mut(place(&asked)) {
            *kept = Some((asked, end));
        }
    }
}

/// Returns the place at which the answer to a question is kept.
fn place(asked: &Asked) -> usize {
    let Range { start, end } = asked.range;
    (start ^ end << 2 ^ (asked.class as usize) << 1) % KEPT
}
