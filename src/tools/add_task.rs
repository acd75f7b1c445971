//! `add_task{title, description?, priority?, due_date?}`

use schemars::JsonSchema;
use serde::Deserialize;

use super::Proposal;
use super::arguments::CallContext;
use super::fault::Faults;
use crate::domain::{Priority, Title};

pub(super) const DESCRIPTION: &str = "Add one task to the user's todo list. Call it once per task. \
    Use it when the user asks to add, create, note, remember or be reminded of something; not for \
    changing a task that is already on the list (use update_task).";

/// Arguments of `add_task`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// What is to be done, in the user's own words, without the date. 1 to 255 characters, one line.
    #[schemars(length(min = 1, max = 255))]
    title: String,
    /// A note, only if the user gave one; else null.
    #[serde(default)]
    #[schemars(length(max = 10_000))]
    description: Option<String>,
    /// Only if the user named a priority; else null.
    #[serde(default)]
    priority: Option<Priority>,
    /// YYYY-MM-DD or the user's own words ("tomorrow"), only if the user named a day; else null.
    #[serde(default)]
    #[schemars(length(max = 100))]
    due_date: Option<String>,
}

impl Args {
    pub(super) fn propose(
        self,
        context: &CallContext<'_>,
        faults: &mut Faults,
    ) -> Option<Proposal> {
        let title = match Title::parse(&self.title) {
            Ok(title) => Some(title),
            Err(fault) => {
                faults.push("title", fault);
                None
            }
        };
        let due = context.due_date(self.due_date.as_deref(), faults);
        Some(Proposal::Add {
            title: title?,
            description: self.description.filter(|text| !text.trim().is_empty()),
            priority: self.priority,
            due: due.flatten(),
        })
    }
}
