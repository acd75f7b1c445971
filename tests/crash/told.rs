//! Content of an answer to a wish, and whether it may say so.

#![cfg(test)]

use serde_json::Value;

use super::wish::{Deed, Done, Way, Wish};

/// Content of an answer.
#[derive(Debug, Default)]
pub struct Told {
    /// The ids of the receipts it shows.
    pub receipts: Vec<String>,
    /// Changes that were made.
    pub done: Vec<Done>,
    /// Its lines about an earlier turn that was cut off.
    pub retold: Vec<String>,
}

/// Returns what an answer says, if that is what it may say.
pub fn told(wish: &Wish, text: &str, body: &Value) -> Option<Told> {
    let parts = wish.parts();
    if wish.way == Way::Rest && !matches!(wish.deed, Deed::Undo { .. }) {
        let agrees = match wish.deed {
            Deed::Delete => text.is_empty(),
            Deed::Complete => body["status"] == "completed" && body["title"] == wish.title,
            Deed::Raise => body["priority"] == "high" && body["title"] == wish.title,
            _ => body["title"] == wish.title,
        };
        let id = body["id"].as_str().or(wish.id.as_deref())?;
        let done = Done {
            action: wish.action(),
            title: wish.title.clone(),
            task: id.to_owned(),
        };
        let done = vec![done];
        return agrees.then(|| Told {
            done,
            ..Told::default()
        });
    }
    let said = body["assistant_message"].as_str()?;
    let mut told = Told::default();
    let mut looked_back = false;
    for shown in body["actions"].as_array()? {
        if shown["action"] == "history" {
            looked_back = true;
            continue;
        }
        let text = |field: &str| shown[field].as_str().map(str::to_owned);
        let (title, action) = (text("task_title")?, text("action")?);
        let part = parts
            .iter()
            .find(|it| it.title == title && it.action() == action)?;
        told.receipts.push(text("receipt_id")?);
        told.done.push(Done {
            action: part.action(),
            title,
            task: text("task_id")?,
        });
    }
    // Each thing that was done is said, once, and none that was not. One thing alone is always
    // done; of several a kill may have prevented some.
    let once = parts.iter().all(|part| {
        let done = told.done.iter().filter(|it| it.action == part.action());
        let lines = said.lines().filter(|line| part.is_told_by(line));
        let (done, lines) = (done.count(), lines.count());
        done == lines && done <= 1 && (done == 1 || parts.len() > 1)
    });
    // Whatever else is claimed was read from the receipts of an earlier turn.
    let others = said.lines().filter(|line| !wish.is_told_by(line));
    let claims = others.filter(|line| CLAIMS.iter().any(|claim| line.starts_with(claim)));
    told.retold = claims.map(str::to_owned).collect();
    let alone = parts.len() == 1 && !looked_back && !wish.is_told_by(said);
    (once && !alone && (looked_back || told.retold.is_empty())).then_some(told)
}

/// How lines begin that say that something was done.
const CLAIMS: [&str; 6] = [
    "Added: ",
    "Deleted: ",
    "Updated: ",
    "Marked ",
    "Reopened: ",
    "Undone: ",
];
