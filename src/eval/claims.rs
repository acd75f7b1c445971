//! `eval claims`: what a sentence asserts, judged as model prose in a turn where no tool ran.

use serde::Deserialize;
use serde_json::json;

use super::lines::Labelled;
use super::report::{HitCount, Report};
use crate::guard::talk::judge;

/// One labelled sentence.
#[derive(Debug, Deserialize)]
pub(super) struct ClaimRow {
    text: String,
    is_claim: bool,
}

impl Labelled for ClaimRow {
    const SHAPE: &'static str = r#"{"text":"…","is_claim":true|false}"#;
}

/// Claims stopped, honest sentences let through. An offer counts as let through: the server
/// words it anew.
pub(super) fn measure(rows: &[ClaimRow]) -> Report {
    let (mut claims, mut honest) = <(HitCount, HitCount)>::default();
    let mut misses = Vec::new();
    for row in rows {
        let passes = judge(&row.text).passes();
        let hit = match row.is_claim {
            true => claims.count(!passes),
            false => honest.count(passes),
        };
        if !hit {
            misses.push(json!({ "text": row.text, "is_claim": row.is_claim, "passes": passes }));
        }
    }
    Report {
        suite: "claims",
        rows: rows.len(),
        metrics: vec![
            ("claims_stopped", claims.figure()),
            ("honest_passed", honest.figure()),
        ],
        misses,
    }
}
