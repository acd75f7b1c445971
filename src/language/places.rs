//! Sets of places in a stretch of words, a bit each.

use std::ops::Range;

/// A set of places: where a pattern may begin, or where it may end.
pub(crate) trait Places: Clone + Default {
    /// Adds a place.
    fn insert(&mut self, at: usize);

    /// Adds a range of places.
    fn cover(&mut self, places: Range<usize>);

    /// Adds all of `other`.
    fn extend(&mut self, other: &Self);

    /// Tells whether it shares a place with `other`.
    fn meets(&self, other: &Self) -> bool;

    /// The first of its places from `at` on.
    fn next(&self, at: usize) -> Option<usize>;

    /// Tells whether it has that place.
    fn has(&self, at: usize) -> bool {
        self.next(at) == Some(at)
    }

    /// The set of that place alone.
    fn one(at: usize) -> Self {
        let mut set = Self::default();
        set.insert(at);
        set
    }

    /// Its places, in ascending order.
    fn each(&self) -> impl Iterator<Item = usize> + '_ {
        let mut from = 0;
        std::iter::from_fn(move || {
            let at = self.next(from)?;
            from = at + 1;
            Some(at)
        })
    }
}

/// The places of a stretch of fewer than 128 words, as nearly every sentence is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Few(u128);

impl Few {
    /// Number of places.
    pub(crate) const SIZE: usize = 128;
}

/// Returns a number whose bits below `end` are set.
const fn below(end: usize) -> u128 {
    if end >= Few::SIZE {
        u128::MAX
    } else {
        (1 << end) - 1
    }
}

impl Places for Few {
    fn insert(&mut self, at: usize) {
        if at < Self::SIZE {
            self.0 |= 1 << at;
        }
    }

    fn cover(&mut self, places: Range<usize>) {
        self.0 |= below(places.end) & !below(places.start);
    }

    fn extend(&mut self, other: &Self) {
        self.0 |= other.0;
    }

    fn meets(&self, other: &Self) -> bool {
        self.0 & other.0 != 0
    }

    fn next(&self, at: usize) -> Option<usize> {
        let left = self.0 & !below(at);
        (left != 0).then_some(left.trailing_zeros() as usize)
    }
}

/// The places of a stretch of any length, in slots of 64.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Many(Vec<u64>);

impl Places for Many {
    fn insert(&mut self, at: usize) {
        self.cover(at..at + 1);
    }

    fn cover(&mut self, places: Range<usize>) {
        if places.is_empty() {
            return;
        }
        let slots = places.end.div_ceil(64);
        if self.0.len() < slots {
            self.0.resize(slots, 0);
        }
        let first = places.start / 64;
        for (slot, bits) in self.0.iter_mut().enumerate().take(slots).skip(first) {
            let from = places.start.saturating_sub(slot * 64);
            let to = places.end - slot * 64;
            let below = if to >= 64 { u64::MAX } else { (1 << to) - 1 };
            *bits |= below & (u64::MAX << from);
        }
    }

    fn extend(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let slots = self.0.iter_mut().zip(&other.0);
        slots.for_each(|(bits, more)| *bits |= more);
    }

    fn meets(&self, other: &Self) -> bool {
        let mut slots = self.0.iter().zip(&other.0);
        slots.any(|(bits, others)| bits & others != 0)
    }

    fn next(&self, at: usize) -> Option<usize> {
        let first = at / 64;
        let slots = self.0.iter().enumerate().skip(first);
        let left = slots.map(|(slot, bits)| {
            let from = at.saturating_sub(slot * 64);
            (slot, bits & (u64::MAX << from))
        });
        let mut left = left.filter(|(_, bits)| *bits != 0);
        let (slot, bits) = left.next()?;
        Some(slot * 64 + bits.trailing_zeros() as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<P: Places>() {
        let mut set = P::default();
        set.insert(3);
        set.cover(60..70);
        set.cover(9..9);
        let all: Vec<_> = set.each().collect();
        let expect: Vec<_> = std::iter::once(3).chain(60..70).collect();
        assert_eq!(all, expect);
        assert!(set.has(3) && !set.has(4) && set.has(69) && !set.has(70));
        assert!(set.meets(&P::one(64)) && !set.meets(&P::one(9)) && !set.meets(&P::default()));
        let mut more = P::one(127);
        more.extend(&set);
        assert_eq!(more.each().count(), 12);
    }

    #[test]
    fn both_sets_hold_what_was_put_in() {
        check::<Few>();
        check::<Many>();
    }
}
