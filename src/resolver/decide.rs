//! One, many or none: which of the fitting titles, if any, may be picked.
//!
//! The tiers of the design in their order; a later tier is asked only when the earlier
//! ones found nothing. One title is picked only if no other comes close and none looks
//! like it.

use crate::domain::text::fold;

use super::Among;
use super::confusable::symbols;
use super::list::TaskList;
use super::resolve::CANDIDATES;
use super::rows::{Row, Rows};
use super::search::{Fit, Fits, Links, Query, Reach};

/// A title reached by slips is picked only if every other is worse by more than this.
const MARGIN: u16 = 5;
/// So many titles that are the reference are looked at; of more, one is never picked.
const EQUAL: usize = 1_024;

/// Titles that were found, by rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Found {
    /// One title, with its margin.
    One(Row),
    /// Several, best first.
    Many {
        /// Rows of the titles.
        rows: Vec<Row>,
        /// There may be more that would do as well.
        cut: bool,
    },
}

/// The tasks, and which of them may be meant.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Titles<'t> {
    pub(crate) list: &'t TaskList,
    pub(crate) among: Among,
}

impl Titles<'_> {
    /// The title that is the reference, letter for letter but for case, accents and punctuation.
    pub(crate) fn exact(&self, reference: &str) -> Option<Found> {
        let folded = fold(reference);
        if folded.is_empty() {
            return None;
        }
        let like = self.preferred(self.list.index().folded_like(reference));
        let seen = self.list.oldest(&like, EQUAL);
        let cut = seen.len() < like.len();
        let mut equal = same_as_last(|title| fold(title) == folded);
        let mut rows = seen;
        rows.retain(|row| self.title(*row).is_some_and(&mut equal));
        self.settle(rows, cut, |rows| {
            let marks = symbols(reference);
            let mut same = same_as_last(|title| symbols(title) == marks);
            let mut rows = rows.to_vec();
            rows.retain(|row| self.title(*row).is_some_and(&mut same));
            rows
        })
    }

    /// The titles that have all words of the reference, as they are or inflected.
    pub(crate) fn by_words(&self, reference: &str) -> Option<Found> {
        let mut query = Query::new(self.list, reference)?;
        let plain = self.fits(&mut query, Reach::Forms);
        if let Some(found) = self.pick(plain) {
            return Some(found);
        }
        let mut variants = query.respaced();
        variants.extend(query.without_opening());
        variants
            .iter_mut()
            .find_map(|variant| self.pick(self.fits(variant, Reach::Forms)))
    }

    /// The rows whose titles have all words of the reference as they are.
    pub(crate) fn having(&self, reference: &str) -> Vec<Row> {
        let query = Query::new(self.list, reference);
        let fits = query.map(|mut query| self.fits(&mut query, Reach::Forms));
        let found = fits.unwrap_or_default().found.into_iter();
        let exact = found.filter(|fit| fit.cost == 0);
        exact.map(|fit| fit.row).collect()
    }

    /// The titles that have all words of the reference, slips forgiven.
    pub(crate) fn by_slips(&self, query: &mut Query<'_>) -> Option<Found> {
        let near = self.fits(query, Reach::Slips);
        let near = if near.found.is_empty() && !near.cut && query.words.len() > 2 {
            self.fits(query, Reach::AllSlips)
        } else {
            near
        };
        self.pick(near)
    }

    /// Of several, those whose state is asked for.
    pub(crate) fn prefer(&self, found: Found) -> Found {
        let Found::Many { rows, cut } = found else {
            return found;
        };
        let mut preferred = rows.clone();
        preferred.retain(|row| self.is_preferred(*row));
        match preferred.as_slice() {
            [] => Found::Many { rows, cut },
            [_] if cut => Found::Many { rows, cut },
            [only] => Found::One(*only),
            _ => Found::Many {
                rows: preferred,
                cut,
            },
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
        let task = self.list.at(row);
        task.is_some_and(|task| match self.among {
            Among::All => true,
            Among::Pending => !task.status.is_completed(),
            Among::Completed => task.status.is_completed(),
        })
    }

    fn title(&self, row: Row) -> Option<&str> {
        self.list.at(row).map(|task| task.title.as_str())
    }

    fn preferred(&self, rows: Rows) -> Rows {
        let done = &self.list.index().facets().done;
        match self.among {
            Among::All => rows,
            Among::Pending => rows.without(done),
            Among::Completed => rows.and(done),
        }
    }

    fn fits(&self, query: &mut Query<'_>, reach: Reach) -> Fits {
        query.fits(reach, |rows| self.preferred(rows))
    }

    fn pick(&self, fits: Fits) -> Option<Found> {
        let Fits {
            found: mut fits,
            cut,
            others,
        } = fits;
        // Those that are equally good stay in order of age.
        fits.sort_by_key(|fit| (fit.slipped, fit.cost, !fit.whole));
        let Some(best) = fits.first().copied() else {
            return (cut && !others.is_empty()).then_some(Found::Many { rows: others, cut });
        };
        fits.retain(|fit| match best.slipped {
            true => fit.cost <= best.cost + MARGIN,
            // A whole title in another form rivals a part of one in the very form.
            false => !fit.slipped && (fit.cost == best.cost || (fit.whole && !best.whole)),
        });
        let rows = |fits: &[Fit]| fits.iter().map(|fit| fit.row).collect::<Vec<_>>();
        if let ([only], true) = (fits.as_slice(), cut) {
            let rows = [only.row].into_iter().chain(others).collect();
            return Some(Found::Many { rows, cut });
        }
        self.settle(rows(&fits), cut, |_| {
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
    /// Where the rows are `cut`, none is picked.
    fn settle(
        &self,
        rows: Vec<Row>,
        cut: bool,
        narrow: impl Fn(&[Row]) -> Vec<Row>,
    ) -> Option<Found> {
        let narrowed = if rows.len() > 1 && !cut {
            narrow(&rows)
        } else {
            Vec::new()
        };
        let rows = if narrowed.is_empty() { rows } else { narrowed };
        let [only] = rows.as_slice() else {
            return (!rows.is_empty()).then_some(Found::Many { rows, cut });
        };
        let looks = self.list.index().twins(*only, self.title(*only)?);
        let twins = self.list.oldest(&self.preferred(looks), CANDIDATES);
        Some(if twins.is_empty() {
            Found::One(*only)
        } else {
            let rows = std::iter::once(*only).chain(twins).collect();
            Found::Many { rows, cut }
        })
    }
}

/// A check that is not made twice of the same text in a row.
fn same_as_last<'t>(check: impl Fn(&str) -> bool) -> impl FnMut(&'t str) -> bool {
    let mut last: Option<(&str, bool)> = None;
    move |text| match last {
        Some((seen, verdict)) if seen == text => verdict,
        _ => {
            let verdict = check(text);
            last = Some((text, verdict));
            verdict
        }
    }
}
