//! Distance of a word from another, in tenths of a slip.
//!
//! Optimal string alignment (insert, delete, replace, swap neighbours) over folded
//! characters, banded. What fingers and ears confuse costs less than a whole slip:
//! doubled letters, swapped neighbours, vowels for vowels, sounds for their like. Says
//! only how far; whether that is near enough depends on what else was matched.

/// One whole slip.
pub(crate) const SLIP: u16 = 10;
/// Another inflection of the same word.
pub(crate) const INFLECTED: u16 = 3;
/// The most that one word may be off.
pub(crate) const FARTHEST: u16 = 25;
/// The longest word that is compared; longer ones must be equal.
pub(crate) const LONGEST: usize = 32;

const DOUBLED: u16 = 4;
const VOWEL: u16 = 5;
const KIN: u16 = 6;
const SWAP: u16 = 7;
const VOWEL_GAP: u16 = 7;
/// Same letters, another order: "fuirt" for "fruit".
const ANAGRAM: u16 = 12;
/// Cells beside the diagonal: no reading has a surplus of more letters than that.
pub(crate) const BAND: usize = 2;

/// A word as the comparison wants it.
#[derive(Debug, Clone)]
pub(crate) struct Letters {
    chars: Vec<char>,
    mask: u32,
}

impl Letters {
    /// The letters of a folded word.
    pub(crate) fn of(word: &str) -> Self {
        let chars: Vec<char> = word.chars().collect();
        let mask = chars.iter().fold(0, |mask, c| mask | bit(*c));
        Self { chars, mask }
    }

    /// Makes those of a short word of the alphabet, from its letter set, its start and its length;
    /// `None` for others, whose letters these don't say.
    pub(crate) fn spelled(mask: u32, start: u64, length: usize) -> Option<Self> {
        if length > START || mask >> 26 != 0 {
            return None;
        }
        let codes = (0..length).map(|at| (start >> (5 * at) & 31) as u8);
        let chars = codes.map(|code| char::from(b'a' + code)).collect();
        Some(Self { chars, mask })
    }

    /// Returns the number of letters.
    pub(crate) fn len(&self) -> usize {
        self.chars.len()
    }

    /// Returns the letters as a set: to rule words out without comparing them.
    pub(crate) const fn mask(&self) -> u32 {
        self.mask
    }

    /// Tells whether both begin alike, two swapped first letters included.
    pub(crate) fn begins_like(&self, other: &Self) -> bool {
        match (self.chars.as_slice(), other.chars.as_slice()) {
            ([a, ..], [b, ..]) if a == b => true,
            ([a, x, ..], [b, y, ..]) => a == y && b == x,
            _ => false,
        }
    }

    /// The first ones as numbers, five bits each.
    pub(crate) fn start(&self) -> u64 {
        let start = self.chars.iter().take(START).enumerate();
        start.fold(0, |all, (at, c)| all | u64::from(code(*c)) << (5 * at))
    }

    /// The distance in tenths, or `None` when it exceeds `limit`.
    pub(crate) fn distance(&self, other: &Self, limit: u16) -> Option<u16> {
        let (a, b) = (&self.chars, &other.chars);
        if a.len().abs_diff(b.len()) > BAND || a.len().max(b.len()) > LONGEST {
            return None;
        }
        let aligned = aligned(a, b, limit);
        let best = if self.is_anagram(other) {
            Some(aligned.map_or(ANAGRAM, |cost| cost.min(ANAGRAM)))
        } else {
            aligned
        };
        best.filter(|cost| *cost <= limit)
    }

    fn is_anagram(&self, other: &Self) -> bool {
        if self.mask != other.mask || self.len() != other.len() || self.len() < 5 {
            return false;
        }
        let sorted = |letters: &Self| {
            let mut chars = letters.chars.clone();
            chars.sort_unstable();
            chars
        };
        self.chars.first() == other.chars.first() && sorted(self) == sorted(other)
    }
}

/// The most that two words of these lengths may be apart and still be taken for each other.
pub(crate) fn limit(a: usize, b: usize) -> u16 {
    let limit = u16::try_from(a.max(b) * 5).unwrap_or(u16::MAX);
    limit.clamp(SLIP, FARTHEST)
}

/// Filter that rules out words that are far from one, without comparing them letter by letter.
#[derive(Debug, Clone)]
pub(crate) struct Near {
    length: usize,
    mask: u32,
    /// The first letters, each in every lane.
    start: Vec<u64>,
    /// By letter: the places near which the word has it, as bits …
    own: [u64; 32],
    /// … and near which it has one that is taken for it cheaply.
    like: [u64; 32],
}

impl Near {
    /// Of a word.
    pub(crate) fn of(letters: &Letters) -> Self {
        let mut near = Self {
            length: letters.len(),
            mask: letters.mask(),
            start: Vec::with_capacity(START),
            own: [0; 32],
            like: [0; 32],
        };
        // Those whose surroundings in another word are all among the first letters kept of it.
        let first = letters.chars.iter().take(START - BAND - 1);
        let lanes = first.map(|c| u64::from(code(*c)) * LANES);
        near.start.extend(lanes);
        for (at, c) in letters.chars.iter().take(LONGEST).enumerate() {
            // A swap at the edge of the band reaches one place further.
            let reach = (1_u64 << (2 * BAND + 3)) - 1;
            let places = (reach << at) >> (BAND + 1);
            for other in ('a'..='z').chain(['0', '1', '2', '3', '4', '5']) {
                let code = code(other);
                if code == self::code(*c) {
                    mark(&mut near.own, code, places);
                } else if replace(*c, other) < SLIP {
                    mark(&mut near.like, code, places);
                }
            }
        }
        near
    }

    /// Returns the number of letters of the word.
    pub(crate) const fn len(&self) -> usize {
        self.length
    }

    /// Finds which of some words may be near by their letter sets, as bits.
    pub(crate) fn may_share(&self, masks: &[u32]) -> u64 {
        let mut near = 0;
        for (at, chunk) in masks.chunks(8).enumerate() {
            // All of a chunk at once, which the compiler does side by side.
            let any = chunk
                .iter()
                .fold(0, |any, mask| any | u32::from(few(self.mask ^ mask)));
            if any != 0 {
                for (place, mask) in chunk.iter().enumerate() {
                    near |= u64::from(few(self.mask ^ mask)) << (8 * at + place);
                }
            }
        }
        near
    }

    /// Tells whether a word of `length` with these letters and this start may be within `limit`.
    pub(crate) fn may_be(&self, mask: u32, start: u64, length: usize, limit: u16) -> bool {
        // An order of the same letters costs the same, whatever it is.
        let anagram = self.mask == mask && self.length == length;
        anagram || self.least(start, length) <= limit && self.least_own(start, length) <= limit
    }

    /// Returns the least cost of the other word's letters that this one has not near their places.
    fn least(&self, mut start: u64, length: usize) -> u16 {
        let mut least = 0;
        for place in 0..length.min(START) {
            let code = (start & 31) as usize;
            start >>= 5;
            let has = |all: &[u64; 32]| all.get(code).is_some_and(|at| at >> place & 1 == 1);
            if !has(&self.own) {
                least += match (has(&self.like), VOWELS >> code & 1 == 1) {
                    (true, true) => VOWEL,
                    (true, false) => KIN,
                    (false, true) => VOWEL_GAP,
                    (false, false) => SLIP,
                };
            }
        }
        least
    }

    /// Returns the least cost of this word's letters that the other has not near their places.
    fn least_own(&self, start: u64, length: usize) -> u16 {
        // Lanes beyond the end hold no letter: all their bits are unlike.
        let end = 5 * u32::try_from(length.min(START)).unwrap_or(u32::MAX);
        let mut least = 0;
        for (place, lanes) in self.start.iter().enumerate() {
            let from = 5 * place.saturating_sub(BAND + 1);
            let to = (5 * (place + BAND + 2)).min(end as usize);
            if from >= to {
                least += VOWEL;
                continue;
            }
            let unlike = (start ^ lanes) >> from | !0 << (to - from);
            // A lane of zeros borrows into its upper bit.
            let like = unlike.wrapping_sub(LANES) & !unlike & (LANES << 4);
            let within = like & !(!0 << (to - from));
            if within == 0 {
                let vowel = VOWELS >> (lanes & 31) & 1 == 1;
                least += if vowel { VOWEL } else { KIN };
            }
        }
        least
    }
}

/// Tells whether at most four bits are set.
const fn few(bits: u32) -> bool {
    let mut left = bits;
    left &= left.wrapping_sub(1);
    left &= left.wrapping_sub(1);
    left &= left.wrapping_sub(1);
    left &= left.wrapping_sub(1);
    left == 0
}

fn mark(all: &mut [u64; 32], code: u32, places: u64) {
    if let Some(at) = all.get_mut(code as usize) {
        *at |= places;
    }
}

/// So many first letters are kept as numbers.
const START: usize = 12;
/// The lowest bit of each letter of a start.
const LANES: u64 = 0x0084_2108_4210_8421;
/// The vowels, as a letter set.
const VOWELS: u32 = bit('a') | bit('e') | bit('i') | bit('o') | bit('u') | bit('y');

/// A letter as a number below 32; what is beyond the alphabet shares six.
const fn code(c: char) -> u32 {
    bit(c).trailing_zeros()
}

const fn bit(c: char) -> u32 {
    match c {
        'a'..='z' => 1 << (c as u32 - 'a' as u32),
        _ => 1 << (26 + (c as u32) % 6),
    }
}

const FAR: u16 = u16::MAX / 2;
type Row = [u16; LONGEST + 2];

fn aligned(a: &[char], b: &[char], limit: u16) -> Option<u16> {
    let mut before: Row = [FAR; LONGEST + 2];
    let mut above: Row = [FAR; LONGEST + 2];
    let mut cost = 0;
    let mut previous = None;
    set(&mut above, 0, 0);
    for (j, c) in b.iter().enumerate().take(BAND) {
        cost += gap(*c, previous, None);
        set(&mut above, j + 1, cost);
        previous = Some(*c);
    }
    let mut last_a = None;
    for (i, x) in a.iter().copied().enumerate() {
        let mut row: Row = [FAR; LONGEST + 2];
        let mut least = FAR;
        if i < BAND {
            let first = at(&above, 0) + gap(x, last_a, None);
            set(&mut row, 0, first);
            least = first;
        }
        let from = i.saturating_sub(BAND);
        let mut last_b = from.checked_sub(1).and_then(|j| b.get(j)).copied();
        for (j, y) in b.iter().copied().enumerate().take(i + BAND + 1).skip(from) {
            let mut best = at(&above, j) + replace(x, y);
            best = best.min(at(&above, j + 1) + gap(x, last_a, Some(y)));
            best = best.min(at(&row, j) + gap(y, last_b, Some(x)));
            if j > 0 && last_a == Some(y) && last_b == Some(x) && x != y {
                best = best.min(at(&before, j - 1) + SWAP);
            }
            set(&mut row, j + 1, best);
            least = least.min(best);
            last_b = Some(y);
        }
        if least > limit {
            return None;
        }
        last_a = Some(x);
        before = above;
        above = row;
    }
    Some(at(&above, b.len()))
}

fn at(row: &Row, index: usize) -> u16 {
    row.get(index).copied().unwrap_or(FAR)
}

fn set(row: &mut Row, index: usize, cost: u16) {
    if let Some(cell) = row.get_mut(index) {
        *cell = cost;
    }
}

/// A letter too many on one side; `against` stands at this place on the other side.
fn gap(c: char, previous: Option<char>, against: Option<char>) -> u16 {
    if previous == Some(c) && against == Some(c) {
        DOUBLED
    } else if is_vowel(c) {
        VOWEL_GAP
    } else {
        SLIP
    }
}

fn replace(a: char, b: char) -> u16 {
    if a == b {
        0
    } else if is_vowel(a) && is_vowel(b) {
        VOWEL
    } else if sounds(a) & sounds(b) != 0 {
        KIN
    } else {
        SLIP
    }
}

const fn is_vowel(c: char) -> bool {
    matches!(c, 'a' | 'e' | 'i' | 'o' | 'u' | 'y')
}

/// Returns the sounds of a consonant as bits: consonants that share a bit sound or look alike.
const fn sounds(c: char) -> u16 {
    match c {
        'c' => 1 | 2 | 4 | 8,
        'k' => 1,
        's' => 2 | 16,
        'x' => 4,
        'q' => 8,
        'z' => 16,
        'm' | 'n' => 32,
        'b' => 64 | 128,
        'd' => 64 | 256,
        'p' => 128,
        't' => 256,
        'f' => 512,
        'v' => 512 | 1024,
        'w' => 1024,
        'g' | 'j' => 2048,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(a: &str, b: &str, expect: Option<u16>) {
        let (left, right) = (Letters::of(a), Letters::of(b));
        assert_eq!(left.distance(&right, 30), expect, "{a} {b}");
        assert_eq!(right.distance(&left, 30), expect, "{b} {a}");
    }

    #[test]
    fn slips_cost_what_they_are() {
        check("stamps", "stamps", Some(0));
        check("stapms", "stamps", Some(SWAP));
        check("stammps", "stamps", Some(DOUBLED));
        check("stomps", "stamps", Some(VOWEL));
        check("stanps", "stamps", Some(KIN));
        check("stmps", "stamps", Some(VOWEL_GAP));
        check("strmps", "stamps", Some(SLIP));
        check("satpms", "stamps", Some(ANAGRAM));
    }

    #[test]
    fn far_is_far() {
        check("mars", "kite", None);
        check("fishing", "running", None);
        check("a", "abcdefg", None);
        check("", "ab", Some(17));
        check("", "abc", None);
        let long = "x".repeat(LONGEST + 1);
        check(&long, &long, None);
    }

    #[test]
    fn beginnings_are_compared() {
        let like = |a, b| Letters::of(a).begins_like(&Letters::of(b));
        assert!(like("plumer", "plumber") && like("lpumber", "plumber"));
        assert!(!like("silk", "milk") && !like("", "milk"));
    }

    #[test]
    fn words_without_shared_letters_are_ruled_out() {
        let may = |a: &str, b: &str| {
            let (a, b) = (Letters::of(a), Letters::of(b));
            let limit = limit(a.len(), b.len());
            let near = Near::of(&a);
            near.may_share(&[b.mask()]) == 1 && near.may_be(b.mask(), b.start(), b.len(), limit)
        };
        assert!(may("plumer", "plumber") && may("satpms", "stamps"));
        assert!(!may("passport", "dentist") && !may("abcdefgh", "fghabcd"));
    }

    proptest! {
        #[test]
        fn nothing_near_is_ruled_out(a in "[aeioustrk1é]{1,14}", b in "[aeioustrk1é]{1,14}", at in 0_usize..9, way in 0_u8..3) {
            // Words like `a`, besides any.
            let mut close: Vec<char> = a.chars().collect();
            let at = at % close.len();
            match way {
                0 => drop(close.remove(at)),
                1 => close.insert(at, b.chars().next().unwrap()),
                _ => close.swap(at, 0),
            }
            for b in [b, close.into_iter().collect()] {
                let (a, b) = (Letters::of(&a), Letters::of(&b));
                let limit = limit(a.len(), b.len());
                if let Some(spelled) = Letters::spelled(b.mask(), b.start(), b.len()) {
                    prop_assert_eq!(&spelled.chars, &b.chars);
                }
                if (a.mask() ^ b.mask()).count_ones() <= 4 && a.distance(&b, limit).is_some() {
                    prop_assert!(Near::of(&a).may_be(b.mask(), b.start(), b.len(), limit));
                }
            }
        }
    }
}
