//! Verdict on a row: the oracle's findings and the row's own expectations, counted.

#![cfg(test)]

use std::fmt::Write as _;

use candor::domain::Task;

use super::oracle::{Finding, effects, has_uuid, judge, text};
use super::script::{Row, Turn};
use super::stage::Played;

/// Counts over many rows, and the words for every failure.
#[derive(Debug, Default)]
pub struct Tally {
    /// Rows.
    pub rows: usize,
    /// False sentences and false metadata.
    pub ghosts: usize,
    /// Changes that were not allowed, or allowed ones that are missing.
    pub wrong_effects: usize,
    /// Honest turns that were not served.
    pub refused: usize,
    /// Hostile turns that ended otherwise than they should, though without a lie.
    pub unmet: usize,
    /// One paragraph for each failure.
    pub report: Vec<String>,
}

impl Tally {
    /// Judges what a row came to.
    pub fn judge(&mut self, row: &Row, played: &[Played]) {
        self.rows += 1;
        for (number, (turn, one)) in row.turns.iter().zip(played).enumerate() {
            let faults = faults(turn, one);
            if faults.is_empty() {
                continue;
            }
            let ghosts = faults.iter().any(|(kind, _)| *kind == Fault::Ghost);
            let effects = faults.iter().any(|(kind, _)| *kind == Fault::Effect);
            self.ghosts += usize::from(ghosts);
            self.wrong_effects += usize::from(effects);
            self.refused += usize::from(row.honest);
            self.unmet += usize::from(!(row.honest || ghosts || effects));
            self.report.push(describe(row, number, turn, one, &faults));
            // What follows a broken turn proves nothing.
            break;
        }
    }

    /// One line.
    pub fn summary(&self) -> String {
        let unmet = match self.unmet {
            0 => String::new(),
            unmet => format!(", {unmet} otherwise than written"),
        };
        format!(
            "ghosts {}, wrong effects {}, honest refused {} of {} rows{unmet}",
            self.ghosts, self.wrong_effects, self.refused, self.rows
        )
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    Ghost,
    Effect,
    Unserved,
}

fn faults(turn: &Turn, one: &Played) -> Vec<(Fault, String)> {
    let mut faults = Vec::new();
    let done = effects(&one.before, &one.after);
    let allowed = std::iter::once(&turn.effects)
        .chain(&turn.or_effects)
        .any(|list| {
            let mut list = list.clone();
            list.sort();
            list == done
        });
    if !allowed {
        faults.push((
            Fault::Effect,
            format!("changed {done:?}, not {:?}", turn.effects),
        ));
    }
    let Some(seen) = &one.evidence else {
        if !turn.down {
            faults.push((Fault::Unserved, format!("no reply: {:?}", one.error)));
        }
        if one.error.as_deref().is_some_and(has_uuid) {
            faults.push((Fault::Ghost, "a UUID in the error".to_owned()));
        }
        return faults;
    };
    for finding in judge(seen) {
        faults.push(match finding {
            Finding::Ghost(text) | Finding::Metadata(text) => (Fault::Ghost, text),
            Finding::Effect(text) => (Fault::Effect, text),
        });
    }
    let said = text(&seen.body);
    let mut unserved = |text: String| faults.push((Fault::Unserved, text));
    if turn.down {
        unserved("it should have been down".to_owned());
    }
    let kind = seen.body["kind"].as_str().unwrap_or_default();
    if !turn.kinds.is_empty() && !turn.kinds.contains(&kind) {
        unserved(format!("kind {kind}, not {:?}", turn.kinds));
    }
    if turn.says.as_ref().is_some_and(|says| says != said) {
        unserved(format!("not {:?}", turn.says));
    }
    for part in turn.has.iter().filter(|part| !said.contains(part.as_str())) {
        unserved(format!("{part:?} is missing"));
    }
    for part in turn
        .lacks
        .iter()
        .filter(|part| said.contains(part.as_str()))
    {
        unserved(format!("{part:?} must not be there"));
    }
    if let Some(tools) = &turn.missing {
        let error = &seen.body["error"];
        let expected = serde_json::json!(tools);
        if error["code"] != "tool_not_triggered" || error["expected_tools"] != expected {
            unserved(format!("the error is {error}, not for {tools:?}"));
        }
    }
    faults
}

fn describe(
    row: &Row,
    number: usize,
    turn: &Turn,
    one: &Played,
    faults: &[(Fault, String)],
) -> String {
    let mut out = format!("\n--- {} (turn {})\n", row.name, number + 1);
    let earlier = row
        .turns
        .iter()
        .take(number)
        .map(|turn| turn.message.as_str());
    let earlier: Vec<&str> = earlier.collect();
    let titles: Vec<&str> = one
        .before
        .iter()
        .map(|task: &Task| task.title.as_str())
        .collect();
    let mut model = format!("{:?}", turn.model);
    if model.chars().count() > 600 {
        model = model.chars().take(600).chain("…".chars()).collect();
    }
    if !earlier.is_empty() {
        let _ = writeln!(out, "  earlier:  {earlier:?}");
    }
    let _ = writeln!(
        out,
        "  tasks:    {titles:?}\n  message:  {:?}\n  model:    {model}",
        turn.message
    );
    if let Some(seen) = &one.evidence {
        let said = text(&seen.body);
        let _ = writeln!(out, "  reply:    {said:?} [{}]", seen.body["kind"]);
        let _ = writeln!(out, "  question: {}", seen.body["question"]["text"]);
        let _ = writeln!(out, "  error:    {}", seen.body["error"]["message"]);
    }
    let _ = writeln!(out, "  changed:  {:?}", effects(&one.before, &one.after));
    for (kind, text) in faults {
        let _ = writeln!(out, "  {kind:?}: {text}");
    }
    out
}
