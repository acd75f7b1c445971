//! Sets of places in a stretch of words, a bit each.

use std::ops::Range;

/// A set of places: where a pattern may begin, or where it may end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Places {
    /// The first of them: all that a sentence has, but for a very long one.
    near: u128,
    /// Bits of the places behind, as many to a slot.
    far: Vec<u128>,
}

/// Number of places in a slot.
pub(crate) const SLOT: usize = 128;

/// Returns a number whose bits below `end` are set.
const fn below(end: usize) -> u128 {
    if end >= SLOT {
        u128::MAX
    } else {
        (1 << end) - 1
    }
}

impl Places {
    /// The set of that place alone.
    pub(crate) fn one(at: usize) -> Self {
        let mut set = Self::default();
        set.insert(at);
        set
    }

    /// Adds a place.
    pub(crate) fn insert(&mut self, at: usize) {
        self.cover(at..at + 1);
    }

    /// Adds a range of places.
    pub(crate) fn cover(&mut self, places: Range<usize>) {
        self.near |= below(places.end) & !below(places.start);
        if places.end <= SLOT || places.is_empty() {
            return;
        }
        let slots = (places.end - 1) / SLOT;
        if self.far.len() < slots {
            self.far.resize(slots, 0);
        }
        for (slot, bits) in (1..).zip(&mut self.far) {
            let behind = |place: usize| below(place.saturating_sub(slot * SLOT));
            *bits |= behind(places.end) & !behind(places.start);
        }
    }

    /// Adds all of `other`.
    pub(crate) fn extend(&mut self, other: &Self) {
        self.near |= other.near;
        if self.far.len() < other.far.len() {
            self.far.resize(other.far.len(), 0);
        }
        let slots = self.far.iter_mut().zip(&other.far);
        slots.for_each(|(bits, more)| *bits |= more);
    }

    /// Tells whether it shares a place with `other`.
    pub(crate) fn meets(&self, other: &Self) -> bool {
        let mut slots = self.far.iter().zip(&other.far);
        self.near & other.near != 0 || slots.any(|(bits, others)| bits & others != 0)
    }

    /// The first of its places from `at` on.
    pub(crate) fn next(&self, at: usize) -> Option<usize> {
        let near = self.near & !below(at);
        if near != 0 {
            return Some(near.trailing_zeros() as usize);
        }
        (1..).zip(&self.far).find_map(|(slot, bits)| {
            let left = bits & !below(at.saturating_sub(slot * SLOT));
            (left != 0).then(|| slot * SLOT + left.trailing_zeros() as usize)
        })
    }

    /// Tells whether it has that place.
    pub(crate) fn has(&self, at: usize) -> bool {
        self.next(at) == Some(at)
    }

    /// Its places, in ascending order.
    pub(crate) fn each(&self) -> impl Iterator<Item = usize> + '_ {
        let mut from = 0;
        std::iter::from_fn(move || {
            let at = self.next(from)?;
            from = at + 1;
            Some(at)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_was_put_in() {
        for base in [0, 100, 250, 512] {
            let mut set = Places::default();
            set.insert(base + 3);
            set.cover(base + 60..base + 70);
            set.cover(base + 9..base + 9);
            let all: Vec<_> = set.each().collect();
            let expect: Vec<_> = std::iter::once(3)
                .chain(60..70)
                .map(|at| base + at)
                .collect();
            assert_eq!(all, expect);
            assert!(set.has(base + 3) && !set.has(base + 4));
            assert!(set.has(base + 69) && !set.has(base + 70));
            assert!(set.meets(&Places::one(base + 64)) && !set.meets(&Places::one(base + 9)));
            assert!(!set.meets(&Places::default()));
            let mut more = Places::one(127);
            more.extend(&set);
            let new = usize::from(!set.has(127));
            assert_eq!(more.each().count(), 11 + new);
        }
    }
}
