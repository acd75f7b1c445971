//! `eval references`: which task the words mean, against a listing that was just shown.

use chrono::DateTime;
use serde::{Deserialize, Serialize};
use serde_json::json;
use uuid::Uuid;

use super::lines::Labelled;
use super::report::{Figure, HitCount, Report};
use crate::domain::{Task, TaskId, Title, UserId};
use crate::resolver::{Among, Context, ReferenceResolver, Resolution, TaskList};

/// One labelled reference.
#[derive(Debug, Deserialize)]
pub(super) struct ReferenceRow {
    tasks: Vec<String>,
    reference: String,
    expect: Vec<usize>,
    verdict: Verdict,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    One,
    Ambiguous,
    None,
}

impl Labelled for ReferenceRow {
    const SHAPE: &'static str =
        r#"{"tasks":["…"],"reference":"…","expect":[index],"verdict":"one|ambiguous|none"}"#;

    fn fault(&self) -> Option<String> {
        let beyond = self.expect.iter().find(|index| **index >= self.tasks.len());
        let odd = self.tasks.iter().find(|title| Title::parse(title).is_err());
        match (beyond, odd, self.verdict) {
            (Some(index), ..) => Some(format!("there is no task {index}; the first is 0")),
            (_, Some(title), _) => Some(format!("{title:?} can't be a title")),
            (_, _, Verdict::One) if self.expect.len() != 1 => {
                Some("the verdict \"one\" expects one index".to_owned())
            }
            _ => None,
        }
    }
}

/// Share right per verdict, and how often one task was picked that is not the expected one.
pub(super) fn measure(rows: &[ReferenceRow]) -> Report {
    let (mut one, mut ambiguous, mut none) = <(HitCount, HitCount, HitCount)>::default();
    let mut wrong_picks = 0;
    let mut misses = Vec::new();
    for row in rows {
        let found = resolve(row);
        let (verdict, picked) = match &found {
            Resolution::One(id) => (Verdict::One, Some(index_of(*id))),
            Resolution::Many(_) => (Verdict::Ambiguous, None),
            Resolution::None { .. } => (Verdict::None, None),
        };
        let expected = row.expect.first().copied();
        let right = verdict == row.verdict && (picked.is_none() || picked == expected);
        if picked.is_some() && (row.verdict != Verdict::One || picked != expected) {
            wrong_picks += 1;
        }
        let counted = match row.verdict {
            Verdict::One => &mut one,
            Verdict::Ambiguous => &mut ambiguous,
            Verdict::None => &mut none,
        };
        counted.count(right);
        if !right {
            misses.push(json!({
                "reference": row.reference, "tasks": row.tasks, "expect": row.expect,
                "verdict": row.verdict, "found": verdict, "picked": picked,
            }));
        }
    }
    Report {
        suite: "references",
        rows: rows.len(),
        metrics: vec![
            ("one", one.figure()),
            ("ambiguous", ambiguous.figure()),
            ("none", none.figure()),
            ("wrong_picks", Figure::Count(wrong_picks)),
        ],
        misses,
    }
}

fn resolve(row: &ReferenceRow) -> Resolution {
    let tasks: TaskList = row
        .tasks
        .iter()
        .enumerate()
        .filter_map(|(index, title)| task(index, title))
        .collect();
    let shown: Vec<TaskId> = tasks.iter().map(|task| task.id).collect();
    let context = Context {
        shown: &shown,
        focus: &[],
        offered: &[],
    };
    ReferenceResolver::new(&tasks, context).resolve(&row.reference, Among::All)
}

fn task(index: usize, title: &str) -> Option<Task> {
    Some(Task::new(
        TaskId::new(Uuid::from_u128(u128::try_from(index).ok()? + 1)),
        UserId::parse("eval").ok()?,
        Title::parse(title).ok()?,
        DateTime::UNIX_EPOCH,
    ))
}

fn index_of(id: TaskId) -> usize {
    usize::try_from(id.uuid().as_u128().saturating_sub(1)).unwrap_or(usize::MAX)
}
