//! Sets of rows: none, one, or a bitmap that its copies share.
//!
//! Most words stand in one title only, so one row costs no allocation. What many titles share is a
//! bitmap: two of a hundred thousand rows are intersected in microseconds.

use std::sync::Arc;

use roaring::RoaringBitmap;

/// A task, by its slot in the list: later ones were mostly added later, see [`super::TaskList`].
pub(crate) type Row = u32;

/// Some rows of one list.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) enum Rows {
    /// No row.
    #[default]
    None,
    /// One.
    One(Row),
    /// Two or more, or fewer if others were removed.
    Many(Arc<RoaringBitmap>),
}

impl Rows {
    /// Returns the number of rows.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::None => 0,
            Self::One(_) => 1,
            Self::Many(rows) => usize::try_from(rows.len()).unwrap_or(usize::MAX),
        }
    }

    /// Tells whether there is no row.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::None => true,
            Self::One(_) => false,
            Self::Many(rows) => rows.is_empty(),
        }
    }

    /// Tells whether `row` is among them.
    pub(crate) fn contains(&self, row: Row) -> bool {
        match self {
            Self::None => false,
            Self::One(own) => *own == row,
            Self::Many(rows) => rows.contains(row),
        }
    }

    /// Puts `row` in.
    pub(crate) fn insert(&mut self, row: Row) {
        match self {
            Self::None => *self = Self::One(row),
            Self::One(own) if *own == row => {}
            Self::One(own) => *self = Self::Many(Arc::new(RoaringBitmap::from([*own, row]))),
            Self::Many(rows) => {
                Arc::make_mut(rows).insert(row);
            }
        }
    }

    /// Takes `row` out.
    pub(crate) fn remove(&mut self, row: Row) {
        match self {
            Self::One(own) if *own == row => *self = Self::None,
            Self::None | Self::One(_) => {}
            Self::Many(rows) => {
                Arc::make_mut(rows).remove(row);
                if rows.len() < 2 {
                    *self = rows.min().map_or(Self::None, Self::One);
                }
            }
        }
    }

    /// Returns the rows that are in both.
    pub(crate) fn and(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::None, _) | (_, Self::None) => Self::None,
            (Self::One(row), set) | (set, Self::One(row)) => {
                if set.contains(*row) {
                    Self::One(*row)
                } else {
                    Self::None
                }
            }
            (Self::Many(a), Self::Many(b)) => Self::Many(Arc::new(a.as_ref() & b.as_ref())),
        }
    }

    /// Returns the rows that are in either.
    pub(crate) fn or(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::None, set) | (set, Self::None) => set.clone(),
            (Self::One(row), set) | (set, Self::One(row)) => {
                let mut set = set.clone();
                set.insert(*row);
                set
            }
            (Self::Many(a), Self::Many(b)) => Self::Many(Arc::new(a.as_ref() | b.as_ref())),
        }
    }

    /// Returns the rows that are in any of `sets`.
    pub(crate) fn union<'r>(sets: impl IntoIterator<Item = &'r Self>) -> Self {
        let mut sets = sets.into_iter().filter(|set| !set.is_empty());
        let (Some(first), second) = (sets.next(), sets.next()) else {
            return Self::None;
        };
        let Some(second) = second else {
            return first.clone();
        };
        let mut all = RoaringBitmap::new();
        for set in [first, second].into_iter().chain(sets) {
            match set {
                Self::None => {}
                Self::One(row) => {
                    all.insert(*row);
                }
                Self::Many(rows) => all |= rows.as_ref(),
            }
        }
        Self::Many(Arc::new(all))
    }

    /// Returns the rows that are not in `other`.
    pub(crate) fn without(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::None, _) | (_, Self::None) => self.clone(),
            (Self::One(row), other) => {
                if other.contains(*row) {
                    Self::None
                } else {
                    self.clone()
                }
            }
            (set, Self::One(row)) => {
                if !set.contains(*row) {
                    return set.clone();
                }
                let mut set = set.clone();
                set.remove(*row);
                set
            }
            (Self::Many(a), Self::Many(b)) => Self::Many(Arc::new(a.as_ref() - b.as_ref())),
        }
    }

    /// In ascending order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Row> + '_ {
        let (one, many) = match self {
            Self::None => (None, None),
            Self::One(row) => (Some(*row), None),
            Self::Many(rows) => (None, Some(rows)),
        };
        one.into_iter()
            .chain(many.into_iter().flat_map(|rows| rows.iter()))
    }

    /// Counts the rows that are smaller than `row`.
    pub(crate) fn before(&self, row: Row) -> usize {
        match self {
            Self::None => 0,
            Self::One(own) => usize::from(*own < row),
            Self::Many(rows) => {
                let before = row.checked_sub(1).map_or(0, |last| rows.rank(last));
                usize::try_from(before).unwrap_or(usize::MAX)
            }
        }
    }

    /// The one that `place` smaller ones come before.
    pub(crate) fn nth(&self, place: usize) -> Option<Row> {
        match self {
            Self::None => None,
            Self::One(own) => (place == 0).then_some(*own),
            Self::Many(rows) => rows.select(u32::try_from(place).ok()?),
        }
    }
}

impl FromIterator<Row> for Rows {
    fn from_iter<I: IntoIterator<Item = Row>>(rows: I) -> Self {
        let mut set = Self::None;
        for row in rows {
            set.insert(row);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn sets() -> impl Strategy<Value = BTreeSet<Row>> {
        proptest::collection::btree_set(0_u32..12, 0..6)
    }

    proptest! {
        #[test]
        fn rows_are_a_set(a in sets(), b in sets(), row in 0_u32..12) {
            let of = |set: &BTreeSet<Row>| set.iter().copied().collect::<Rows>();
            let back = |rows: &Rows| rows.iter().collect::<BTreeSet<Row>>();
            let (left, right) = (of(&a), of(&b));
            prop_assert_eq!(back(&left.and(&right)), &a & &b);
            prop_assert_eq!(back(&left.or(&right)), &a | &b);
            prop_assert_eq!(back(&left.without(&right)), &a - &b);
            let three = Rows::union([&left, &right, &Rows::One(row)]);
            prop_assert_eq!(back(&three), &(&a | &b) | &BTreeSet::from([row]));
            prop_assert_eq!(back(&Rows::union([&left])), a.clone());
            prop_assert_eq!(left.len(), a.len());
            prop_assert_eq!(left.is_empty(), a.is_empty());
            prop_assert_eq!(left.contains(row), a.contains(&row));
            prop_assert_eq!(left.nth(row as usize), a.iter().nth(row as usize).copied());
            prop_assert_eq!(left.before(row), a.range(..row).count());
            let mut less = left.clone();
            less.remove(row);
            prop_assert_eq!(back(&less), &a - &BTreeSet::from([row]));
            prop_assert_eq!(back(&left), a);
        }
    }
}
