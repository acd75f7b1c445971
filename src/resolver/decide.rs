//! One, many or none: which of the fitting titles, if any, may be picked.
//!
//! The tiers of the design in their order; a later tier is asked only when the earlier
//! ones found nothing. One title is picked only if no other comes close and none looks
//! like it.

use crate::domain::Task;
use crate::domain::text::fold;

use super::Among;
use super::confusable::symbols;
use super::index::{Index, Row};
use super::search::{Fit, Links, Query, Reach};

/// A title reached by slips is picked only if every other is worse by more than this.
const MARGIN: u16 = 5;

/// What was found, by rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Found {
    /// One title, with its margin.
    One(Row),
    /// Several, best first.
    Many(Vec<Row>),
}

/// The tasks, their index, and which of them may be meant.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Titles<'t> {
    pub(crate) tasks: &'t [Task],
    pub(crate) index: &'t Index,
    pub(crate) among: Among,
}

impl Titles<'_> {
    /// The title that is the reference, letter for letter but for case, accents and punctuation.
    pub(crate) fn exact(&self, reference: &str) -> Option<Found> {
        let folded = fold(reference);
        if folded.is_empty() {
            return None;
        }
        let rows = self.index.folded_like(reference);
        let equal = |row: &Row| self.title(*row).is_some_and(|title| fold(title) == folded);
        let rows: Vec<Row> = rows.filter(equal).collect();
        self.settle(self.preferred(rows), |rows| {
            let marks = symbols(reference);
            let same = |row: &Row| {
                self.title(*row)
                    .is_some_and(|title| symbols(title) == marks)
            };
            rows.iter().copied().filter(same).collect()
        })
    }

    /// The titles that have all words of the reference, as they are or inflected.
    pub(crate) fn by_words(&self, reference: &str) -> Option<Found> {
        let mut query = Query::new(self.index, reference)?;
        let plain = query.fits(Reach::Forms);
        if let Some(found) = self.pick(plain) {
            return Some(found);
        }
        let mut variants = query.respaced();
        variants.extend(query.without_opening());
        variants
            .iter_mut()
            .find_map(|variant| self.pick(variant.fits(Reach::Forms)))
    }

    /// Every row whose title has all words of the reference as they are.
    pub(crate) fn having(&self, reference: &str) -> Vec<Row> {
        let fits = Query::new(self.index, reference).map(|mut query| query.fits(Reach::Forms));
        let exact = fits
            .unwrap_or_default()
            .into_iter()
            .filter(|fit| fit.cost == 0);
        self.preferred(exact.map(|fit| fit.row).collect())
    }

    /// The titles that have all words of the reference, slips forgiven.
    pub(crate) fn by_slips(&self, query: &mut Query<'_>) -> Option<Found> {
        let near = query.fits(Reach::Slips);
        let near = if near.is_empty() && query.words.len() > 2 {
            query.fits(Reach::AllSlips)
        } else {
            near
        };
        self.pick(near)
    }

    /// Of several, those whose state is asked for.
    pub(crate) fn prefer(&self, found: Found) -> Found {
        let Found::Many(rows) = found else {
            return found;
        };
        let preferred = self.preferred(rows.clone());
        match preferred.as_slice() {
            [] => Found::Many(rows),
            [only] => Found::One(*only),
            _ => Found::Many(preferred),
        }
    }

    /// The same titles, whatever their state.
    pub(crate) const fn all(&self) -> Self {
        Self {
            among: Among::All,
            ..*self
        }
    }

    /// Only the titles whose state is asked for may be found.
    pub(crate) fn is_preferred(&self, row: Row) -> bool {
        let task = self.tasks.get(row as usize);
        task.is_some_and(|task| match self.among {
            Among::All => true,
            Among::Pending => !task.status.is_completed(),
            Among::Completed => task.status.is_completed(),
        })
    }

    fn title(&self, row: Row) -> Option<&str> {
        self.tasks.get(row as usize).map(|task| task.title.as_str())
    }

    fn preferred(&self, rows: Vec<Row>) -> Vec<Row> {
        rows.into_iter()
            .filter(|row| self.is_preferred(*row))
            .collect()
    }

    fn pick(&self, mut fits: Vec<Fit>) -> Option<Found> {
        fits.retain(|fit| self.is_preferred(fit.row));
        fits.sort_by_key(|fit| (fit.slipped, fit.cost, !fit.whole, fit.row));
        let best = *fits.first()?;
        fits.retain(|fit| match best.slipped {
            true => fit.cost <= best.cost + MARGIN,
            // A whole title in another form rivals a part of one in the very form.
            false => !fit.slipped && (fit.cost == best.cost || (fit.whole && !best.whole)),
        });
        let rows = |fits: &[Fit]| fits.iter().map(|fit| fit.row).collect::<Vec<_>>();
        self.settle(rows(&fits), |_| {
            let mut left = fits.clone();
            if left
                .iter()
                .any(|fit| fit.whole && (best.slipped || fit.cost == best.cost))
            {
                left.retain(|fit| fit.whole);
            }
            let agreed = left
                .iter()
                .map(|fit| fit.links)
                .max()
                .unwrap_or(Links::Apart);
            if agreed > Links::Apart && left.iter().filter(|fit| fit.links == agreed).count() == 1 {
                left.retain(|fit| fit.links == agreed);
            }
            rows(&left)
        })
    }

    /// One row is picked; of several, what `narrow` leaves. Titles that look alike are all meant.
    fn settle(&self, rows: Vec<Row>, narrow: impl Fn(&[Row]) -> Vec<Row>) -> Option<Found> {
        let narrowed = if rows.len() > 1 {
            narrow(&rows)
        } else {
            Vec::new()
        };
        let rows = if narrowed.is_empty() { rows } else { narrowed };
        let [only] = rows.as_slice() else {
            return (!rows.is_empty()).then_some(Found::Many(rows));
        };
        let twins = self
            .index
            .twins(*only)
            .filter(|row| self.is_preferred(*row));
        let alike: Vec<Row> = std::iter::once(*only).chain(twins).collect();
        Some(if alike.len() == 1 {
            Found::One(*only)
        } else {
            Found::Many(alike)
        })
    }
}
