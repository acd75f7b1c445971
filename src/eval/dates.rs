//! `eval dates`: which day the words of a text mean.

use chrono::NaiveDate;
use serde::Deserialize;
use serde_json::json;

use super::report::{Figure, Report};
use crate::domain::Lang;
use crate::domain::text::Text;
use crate::temporal::scan;

/// One labelled text.
#[derive(Debug, Deserialize)]
pub(super) struct Row {
    text: String,
    today: NaiveDate,
    expect: Option<NaiveDate>,
    #[serde(rename = "use")]
    usage: String,
}

/// Exact day on core rows, nothing read on negative ones.
pub(super) fn measure(rows: &[Row]) -> Report {
    let (mut core, mut right, mut negative, mut left) = (0, 0, 0, 0);
    let mut misses = Vec::new();
    for row in rows {
        let text = Text::new(&row.text);
        let scan = scan(&text, row.today, Lang::En);
        let found = scan.dates.first().map(|found| found.day);
        let hit = match row.usage.as_str() {
            "core" => {
                core += 1;
                let hit = found == row.expect;
                right += usize::from(hit);
                hit
            }
            "negative" => {
                negative += 1;
                left += usize::from(found.is_none());
                found.is_none()
            }
            _ => true,
        };
        if !hit {
            misses.push(json!({
                "text": row.text, "today": row.today, "use": row.usage,
                "expect": row.expect, "found": found,
            }));
        }
    }
    Report {
        suite: "dates",
        rows: rows.len(),
        metrics: vec![
            ("core", Figure::share(right, core)),
            ("negative_unresolved", Figure::share(left, negative)),
        ],
        misses,
    }
}
