//! The titles shown when none is meant. They are shown, never used.
//!
//! Ranked by three opinions: what share of the reference's words a title has, how many
//! letter pairs they share, and fuzzy-matcher's score of one inside the other.

use fuzzy_matcher::FuzzyMatcher;
use fuzzy_matcher::skim::SkimMatcherV2;

use crate::domain::text::fold;

use super::decide::Titles;
use super::rows::Row;
use super::search::Query;

/// Number of titles that are shown.
const SHOWN: usize = 3;
/// Number of titles that are looked at closely.
const CLOSELY: usize = 32;
/// Below this a title has nothing to do with the reference.
const RELATED: f32 = 0.2;
/// The longest reference that is compared letter by letter, in characters.
const LONGEST: usize = 120;

/// The rows of the nearest titles, best first, at most three.
pub(crate) fn nearest(
    titles: &Titles<'_>,
    reference: &str,
    query: Option<&mut Query<'_>>,
) -> Vec<Row> {
    let wanted: String = fold(reference).chars().take(LONGEST).collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let all = titles.list.index().rows();
    // Oldest first, and sorting leaves it so where two are equally near.
    let mut coverage: Vec<(f32, Row)> = Vec::new();
    if let Some(query) = query {
        let rows = if all.len() <= CLOSELY {
            query.search_all();
            titles.list.oldest(all, CLOSELY)
        } else {
            query.touched(8 * CLOSELY)
        };
        coverage.extend(rows.into_iter().map(|row| (query.coverage(row), row)));
    } else {
        let rows = titles.list.oldest(all, CLOSELY);
        coverage.extend(rows.into_iter().map(|row| (0.0, row)));
    }
    coverage.sort_by(|a, b| b.0.total_cmp(&a.0));
    coverage.truncate(CLOSELY);

    let matcher = SkimMatcherV2::default();
    let perfect = matcher.fuzzy_match(&wanted, &wanted).unwrap_or(1).max(1);
    let mut scored: Vec<(f32, Row)> = Vec::with_capacity(coverage.len());
    for (share, row) in coverage {
        let Some(task) = titles.list.at(row) else {
            continue;
        };
        let title = fold(task.title.as_str());
        let inside = matcher.fuzzy_match(&title, &wanted).unwrap_or(0) as f32 / perfect as f32;
        let score =
            0.6 * share + 0.25 * shared_pairs(&title, &wanted) + 0.15 * inside.clamp(0.0, 1.0);
        if score >= RELATED {
            scored.push((score, row));
        }
    }
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored.into_iter().take(SHOWN).map(|(_, row)| row).collect()
}

/// The share of letter pairs two texts have in common (Dice's coefficient), 0..1.
fn shared_pairs(a: &str, b: &str) -> f32 {
    let (left, right) = (pairs(a), pairs(b));
    if left.is_empty() || right.is_empty() {
        return 0.0;
    }
    let mut rest = right.as_slice();
    let mut shared = 0_u16;
    for pair in &left {
        let skip = rest.partition_point(|other| other < pair);
        rest = rest.get(skip..).unwrap_or_default();
        if rest.first() == Some(pair) {
            shared += 1;
            rest = rest.get(1..).unwrap_or_default();
        }
    }
    2.0 * f32::from(shared) / (left.len() + right.len()) as f32
}

fn pairs(text: &str) -> Vec<(char, char)> {
    let mut pairs: Vec<_> = text.chars().zip(text.chars().skip(1)).collect();
    pairs.retain(|(a, b)| *a != ' ' && *b != ' ');
    pairs.sort_unstable();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_shared_in_any_order() {
        assert!(shared_pairs("night", "nacht") > 0.2);
        assert!((shared_pairs("call mom", "mom call") - 1.0).abs() < 1e-6);
        assert!(shared_pairs("", "a") < 1e-6);
    }
}
