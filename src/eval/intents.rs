//! `eval intents`: which tool the user's words call for, a message judged alone.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::lines::Labelled;
use super::report::{Figure, HitCount, Report};
use crate::domain::{Lang, Tool};
use crate::intent::{expected_tools, read};

/// One labelled message.
#[derive(Debug, Deserialize)]
pub(super) struct IntentRow {
    text: String,
    #[serde(default)]
    lang: Option<String>,
    #[serde(rename = "use")]
    usage: Usage,
    expect: Option<String>,
    #[serde(default)]
    also_ok: Vec<String>,
    #[serde(default)]
    tags: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum Usage {
    Positive,
    Negative,
    Clarify,
}

impl Labelled for IntentRow {
    const SHAPE: &'static str = r#"{"text":"…","lang"?:"en","use":"positive|negative|clarify","expect":tool|null,"also_ok"?:[tool]}"#;

    fn fault(&self) -> Option<String> {
        let named = self.expect.iter().chain(&self.also_ok);
        let unknown = named.into_iter().find(|name| Tool::parse(name).is_none());
        match (self.usage, &self.expect, unknown) {
            (_, _, Some(name)) => {
                let tools = Tool::TASKS.map(Tool::as_str).join(", ");
                Some(format!("{name:?} is no tool (the tools: {tools})"))
            }
            (Usage::Positive, None, _) => Some("a positive row expects a tool".to_owned()),
            (Usage::Negative, Some(_), _) => Some("a negative row expects no tool".to_owned()),
            _ => None,
        }
    }
}

/// Measures every positive and negative row; `clarify` rows are not scored.
///
/// `recall` and `recall_by_tool` are of the English positives, as the published figures are; of
/// a file without English rows, of all. Every language has its share in `recall_by_language`.
pub(super) fn measure(rows: &[IntentRow]) -> Report {
    let mut recall = HitCount::default();
    let mut by_tool: BTreeMap<String, HitCount> = BTreeMap::new();
    let mut by_language: BTreeMap<String, HitCount> = BTreeMap::new();
    let (mut alarms, mut plain, mut traps) = <(HitCount, HitCount, HitCount)>::default();
    let mut misses = Vec::new();
    let mut fast = HitCount::default();
    let (mut astray, mut unasked) = (0, 0);
    let english = rows.iter().any(IntentRow::is_english_positive);
    for row in rows {
        let (found, certain) = tools(row);
        let named: Vec<&str> = found.iter().map(|tool| tool.as_str()).collect();
        let hit = match row.usage {
            Usage::Positive => {
                let right = named.iter().any(|name| row.accepts(name));
                if !english || row.is_english_positive() {
                    recall.count(right);
                    let tool = row.expect.clone().unwrap_or_default();
                    by_tool.entry(tool).or_default().count(right);
                    fast.count(certain);
                    astray += usize::from(certain && !right);
                }
                by_language.entry(row.language()).or_default().count(right);
                right
            }
            Usage::Negative => {
                let alarm = !named.is_empty();
                alarms.count(alarm);
                unasked += usize::from(certain && alarm);
                let trap = row.tags.iter().any(|tag| tag == "trap");
                if trap { &mut traps } else { &mut plain }.count(alarm);
                !alarm
            }
            Usage::Clarify => true,
        };
        if !hit {
            misses.push(json!({
                "text": row.text, "lang": row.lang, "use": row.usage, "tags": row.tags,
                "expect": row.expect, "also_ok": row.also_ok, "found": named,
            }));
        }
    }
    let by = |tallies: BTreeMap<String, HitCount>| {
        Figure::By(
            tallies
                .into_iter()
                .map(|(name, t)| (name, t.figure()))
                .collect(),
        )
    };
    Report {
        suite: "intents",
        rows: rows.len(),
        metrics: vec![
            ("recall", recall.figure()),
            ("recall_by_tool", by(by_tool)),
            ("false_alarm", alarms.figure()),
            ("false_alarm_plain", plain.figure()),
            ("false_alarm_trap", traps.figure()),
            ("recall_by_language", by(by_language)),
            // What `CANDOR_FAST_PATH` would do: which share of the positives skips the model, how
            // many of those call for another tool, and how many negatives skip it.
            ("fast_path", fast.figure()),
            ("fast_path_wrong", Figure::Count(astray)),
            ("fast_path_unasked", Figure::Count(unasked)),
        ],
        misses,
    }
}

impl IntentRow {
    fn accepts(&self, tool: &str) -> bool {
        self.expect.as_deref() == Some(tool) || self.also_ok.iter().any(|ok| ok == tool)
    }

    fn is_english_positive(&self) -> bool {
        self.usage == Usage::Positive && self.language() == "en"
    }

    fn language(&self) -> String {
        let lang = self.lang.as_deref().unwrap_or("en");
        lang.split('-').next().unwrap_or(lang).to_owned()
    }
}

/// The tools, and whether the words are certain.
fn tools(row: &IntentRow) -> (Vec<Tool>, bool) {
    // The day has no bearing on the tool; any fixed one keeps the measure reproducible.
    let today = NaiveDate::from_ymd_opt(2026, 2, 8).unwrap_or_default();
    // Roman Urdu is hinted at; other languages are told from the words.
    let hint = match Lang::from_hint(row.lang.as_deref().unwrap_or("en")) {
        Lang::Ur => Lang::Ur,
        _ => Lang::En,
    };
    let reading = read(&row.text, today, hint);
    (expected_tools(&reading), reading.is_certain(&row.text))
}
