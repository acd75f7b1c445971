//! Sets of patterns, by what stands at one place of a clause.
//!
//! Most words of the vocabulary can stand in the same patterns, so equal sets are kept once. With
//! each goes a summary of its blocks that are not empty: of a table with a thousand patterns a
//! clause looks at those few blocks in which each of its words leaves some.

use std::collections::HashMap;

/// The most blocks a set has, and so bits its summary: 2048 patterns.
pub(super) const BLOCKS: usize = 32;

/// Sets of patterns by number: of a word, of a shape, of a length.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// How many blocks a set takes.
    width: usize,
    /// By number: the place of its set among those that differ.
    set_of: Vec<u16>,
    summaries: Vec<u32>,
    blocks: Vec<u64>,
}

/// A set of patterns: bits in blocks of 64.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Set<'r> {
    /// One bit for each block that is not empty.
    pub summary: u32,
    blocks: &'r [u64],
}

impl Set<'_> {
    /// The block of that number.
    #[inline]
    pub(super) fn block(&self, number: usize) -> u64 {
        self.blocks.get(number).copied().unwrap_or_default()
    }
}

impl Rows {
    /// Of the sets in `all`, one after the other, each of `width` blocks.
    pub(super) fn new(all: &[u64], width: usize) -> Self {
        let mut rows = Self {
            width,
            ..Self::default()
        };
        let mut known: HashMap<&[u64], u16> = HashMap::new();
        for set in all.chunks_exact(width.max(1)) {
            let next = u16::try_from(rows.summaries.len()).unwrap_or(u16::MAX);
            let number = *known.entry(set).or_insert_with(|| {
                rows.summaries.push(summary(set));
                rows.blocks.extend_from_slice(set);
                next
            });
            rows.set_of.push(number);
        }
        rows
    }

    /// The set of that number; an empty one where there is none.
    #[inline]
    pub(super) fn set(&self, number: usize) -> Set<'_> {
        let place = self
            .set_of
            .get(number)
            .map_or(usize::MAX, |set| usize::from(*set));
        let Some(summary) = self.summaries.get(place) else {
            return Set::default();
        };
        let from = place * self.width;
        let blocks = self.blocks.get(from..from + self.width);
        Set {
            summary: *summary,
            blocks: blocks.unwrap_or_default(),
        }
    }
}

fn summary(set: &[u64]) -> u32 {
    let blocks = set.iter().take(BLOCKS).enumerate();
    blocks
        .filter(|(_, block)| **block != 0)
        .fold(0, |all, (at, _)| all | 1 << at)
}

/// The numbers of the bits that are set.
pub(super) fn ones(blocks: &[u64]) -> impl Iterator<Item = usize> {
    blocks
        .iter()
        .enumerate()
        .flat_map(|(at, block)| bits(*block).map(move |bit| at * 64 + bit))
}

/// The places of the bits that are set, in ascending order.
pub(super) fn bits(mut left: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = left.trailing_zeros();
        left &= left.checked_sub(1)?;
        Some(bit as usize)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sets_are_kept_once_and_read_as_they_were() {
        let all = [0, 0, 5, 0, 0, 1 << 63, 5, 0, 7, 7];
        let rows = Rows::new(&all, 2);
        assert_eq!(rows.summaries, [0, 1, 2, 3]);
        for (number, set) in all.chunks(2).enumerate() {
            let held = rows.set(number);
            assert_eq!([held.block(0), held.block(1)], set, "{number}");
        }
        assert_eq!(rows.set(5).summary, 0);
        assert_eq!(rows.set(5).block(0), 0);
    }

    #[test]
    fn ones_ascend() {
        assert_eq!(
            ones(&[0, 1 << 63 | 1, 2]).collect::<Vec<_>>(),
            [64, 127, 129]
        );
    }
}
