//! `list_tasks{status_filter?, due?, query?, priority?}`

use schemars::JsonSchema;
use serde::Deserialize;

use super::{ArgumentFaults, CallContext, ListFilter, Proposal, StatusFilter, ToolArguments};
use crate::domain::{Priority, Tool};

/// Arguments of `list_tasks`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ListTasksArgs {
    /// "all" (also null), "pending" or "completed".
    #[serde(default)]
    status_filter: Option<StatusFilter>,
    /// A day, a month or a range in the user's own words ("tomorrow", "this week", "after friday"),
    /// "overdue", or "none" for tasks without a date; else null.
    #[serde(default)]
    #[schemars(length(max = 100))]
    due: Option<String>,
    /// Words of a title to look for; else null.
    #[serde(default)]
    #[schemars(length(max = 255))]
    query: Option<String>,
    /// A priority that the user named ("urgent" is high); else null.
    #[serde(default)]
    priority: Option<Priority>,
}

impl ToolArguments for ListTasksArgs {
    const TOOL: Tool = Tool::ListTasks;
    const DESCRIPTION: &'static str = "Read the user's tasks. Call it whenever the user asks what is \
    on the list, how many tasks there are, what is due, or whether something is on the list.";

    fn propose(self, context: &CallContext<'_>, faults: &mut ArgumentFaults) -> Option<Proposal> {
        let query = self.query.map(|text| text.trim().to_owned());
        Some(Proposal::List(ListFilter {
            status: self.status_filter.unwrap_or_default(),
            due: context.due_range(self.due.as_deref(), faults),
            priority: self.priority,
            query: query.filter(|text| !text.is_empty()),
            ..ListFilter::default()
        }))
    }
}
