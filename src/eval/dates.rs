//! `eval dates`: which day the words of a text mean.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::lines::Labelled;
use super::report::{HitCount, Report};
use crate::domain::Lang;
use crate::domain::text::Text;
use crate::temporal::scan;

/// One labelled text.
#[derive(Debug, Deserialize)]
pub(super) struct DateRow {
    text: String,
    today: NaiveDate,
    expect: Option<NaiveDate>,
    #[serde(rename = "use")]
    usage: Usage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum Usage {
    Core,
    Negative,
}

impl Labelled for DateRow {
    const SHAPE: &'static str =
        r#"{"text":"…","today":"YYYY-MM-DD","expect":"YYYY-MM-DD"|null,"use":"core|negative"}"#;

    fn fault(&self) -> Option<String> {
        let dated = self.usage == Usage::Negative && self.expect.is_some();
        dated.then(|| "a negative row expects no day".to_owned())
    }
}

/// Exact day on core rows, nothing read on negative ones.
pub(super) fn measure(rows: &[DateRow]) -> Report {
    let (mut core, mut negative) = <(HitCount, HitCount)>::default();
    let mut misses = Vec::new();
    for row in rows {
        let text = Text::new(&row.text);
        let scan = scan(&text, row.today, Lang::En);
        let found = scan.dates.first().map(|found| found.day);
        let hit = match row.usage {
            Usage::Core => core.count(found == row.expect),
            Usage::Negative => negative.count(found.is_none()),
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
            ("core", core.figure()),
            ("negative_unresolved", negative.figure()),
        ],
        misses,
    }
}
