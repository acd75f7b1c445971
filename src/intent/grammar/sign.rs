//! Sets of words in one number, for a first look that is often enough.

use super::lexicon::{UNKNOWN, WordSet};
use super::words::Word;

/// A set of words, roughly: each is one of 64 bits, which it shares with others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Signature(u64);

/// Bit that every text has, so that what asks for nothing finds it.
const ALWAYS: u64 = 1;

impl Signature {
    /// Of the words of a text.
    pub(super) fn of(words: &[Word]) -> Self {
        let bit = |word: &Word| u64::from(word.id != UNKNOWN) << (word.id % 64);
        Self(words.iter().fold(ALWAYS, |all, word| all | bit(word)))
    }

    /// Of words one of which is asked for; none asks for nothing.
    fn any(words: Option<&WordSet>) -> Self {
        let slots = words.map(WordSet::slots);
        let all = slots.map(|slots| slots.fold(0, |all, (_, bits)| all | bits));
        Self(all.unwrap_or(ALWAYS))
    }

    const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// Conditions that most clauses fail that a pattern admits at its edges, in half a line of memory:
/// more than a thousand patterns are looked at, and few more closely.
#[derive(Debug, Clone, Copy)]
pub(super) struct Brief {
    least: u32,
    most: u32,
    /// Of each of its rarest needs.
    needs: [Signature; 3],
}

impl Brief {
    /// Of a pattern of so many words that needs one of each of these sets.
    pub(super) fn new((least, most): (usize, usize), needs: [Option<&WordSet>; 3]) -> Self {
        let number = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        Self {
            least: number(least),
            most: number(most),
            needs: needs.map(Signature::any),
        }
    }

    /// Tells whether so many words of this signature may fit it. A quick look: where the answer is
    /// no, they do not.
    pub(super) fn admits(&self, length: usize, words: Signature) -> bool {
        let short = u32::try_from(length).unwrap_or(u32::MAX) <= self.most;
        short & self.fits_in(length, words)
    }

    /// Tells whether a part of so many words of this signature may fit it, in the same way.
    pub(super) fn fits_in(&self, length: usize, words: Signature) -> bool {
        let length = u32::try_from(length).unwrap_or(u32::MAX);
        let [one, other, third] = self.needs;
        // Together: which of them fails is nothing that could be foretold.
        (length >= self.least) & one.meets(words) & other.meets(words) & third.meets(words)
    }
}

#[cfg(test)]
mod tests {
    use super::super::words::Gap;
    use super::*;

    fn words(ids: &[u16]) -> Vec<Word> {
        let word = |id: &u16| Word {
            id: *id,
            token: 0,
            gap: Gap::default(),
            clitic: false,
            number: false,
            place: false,
        };
        ids.iter().map(word).collect()
    }

    fn set(ids: &[u16]) -> WordSet {
        let mut set = WordSet::default();
        ids.iter().for_each(|id| set.insert(*id));
        set
    }

    #[test]
    fn what_fits_is_never_refused() {
        for id in 1..=300 {
            let signature = Signature::of(&words(&[UNKNOWN, id]));
            let need = set(&[id, 7]);
            assert!(Brief::new((2, 2), [Some(&need), None, None]).admits(2, signature));
            assert!(Brief::new((0, 9), [None; 3]).admits(2, signature));
        }
    }

    #[test]
    fn each_need_and_the_length_refuse() {
        let (milk, bread) = (set(&[70]), set(&[71, 200]));
        let text = |ids: &[u16]| Signature::of(&words(ids));
        let brief = Brief::new((2, 3), [Some(&milk), Some(&bread), None]);
        assert!(brief.admits(2, text(&[70, 71])) && brief.admits(3, text(&[70, 200])));
        assert!(!brief.admits(1, text(&[70, 71])) && !brief.admits(4, text(&[70, 71])));
        assert!(!brief.admits(2, text(&[70])) && !brief.admits(2, text(&[71])));
        let third = Brief::new((0, 9), [None, None, Some(&milk)]);
        assert!(!third.admits(2, text(&[71])) && !third.admits(2, text(&[UNKNOWN])));
    }
}
