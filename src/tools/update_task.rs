//! `update_task{task, title?, description?, priority?, due_date?, due_time?, repeat?, remind?,
//! status?}`

use schemars::JsonSchema;
use serde::Deserialize;

use super::{ArgumentFaults, CallContext, NewValues, Proposal, ToolArguments};
use crate::domain::{Priority, Title, Tool};

/// Arguments of `update_task`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct UpdateTaskArgs {
    /// The task: its title, its position in the list last shown, or a set the user named.
    #[schemars(length(min = 1, max = 500))]
    task: String,
    /// A new title in the user's words; else null.
    #[serde(default)]
    #[schemars(length(min = 1, max = 255))]
    title: Option<String>,
    /// A new note; "none" clears it; else null.
    #[serde(default)]
    #[schemars(length(max = 10_000))]
    description: Option<String>,
    /// A new priority; else null.
    #[serde(default)]
    priority: Option<Priority>,
    /// YYYY-MM-DD or the user's own words; "none" clears it; else null.
    #[serde(default)]
    #[schemars(length(max = 100))]
    due_date: Option<String>,
    /// The time of the due day as HH:MM (24 hours); "none" clears it; else null.
    #[serde(default)]
    #[schemars(length(max = 100))]
    due_time: Option<String>,
    /// The repetition: the user's own words ("every monday") or an RFC 5545 RRULE; "none" ends
    /// it; else null.
    #[serde(default)]
    #[schemars(length(max = 500))]
    repeat: Option<String>,
    /// YYYY-MM-DDTHH:MM in the user's time, or their own words, to remind them of it;
    /// "none" takes the reminder back; else null.
    #[serde(default)]
    #[schemars(length(max = 100))]
    remind: Option<String>,
    /// "completed" or "pending"; else null.
    #[serde(default)]
    status: Option<NewStatus>,
}

/// The same where there are agents: a task can be taken back from one.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct AssignTaskArgs {
    #[serde(flatten)]
    update: UpdateTaskArgs,
    /// "user" takes the task back from its agent; else null.
    #[serde(default)]
    assign_to: Option<NewOwner>,
}

/// Owner that a task may get back.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum NewOwner {
    User,
    Human,
}

impl ToolArguments for AssignTaskArgs {
    const TOOL: Tool = Tool::UpdateTask;
    const DESCRIPTION: &'static str = UpdateTaskArgs::DESCRIPTION;

    fn propose(self, context: &CallContext<'_>, faults: &mut ArgumentFaults) -> Option<Proposal> {
        let back = matches!(self.assign_to, Some(NewOwner::User | NewOwner::Human));
        let mut proposal = self.update.propose(context, faults)?;
        if let Proposal::Change { values, .. } = &mut proposal {
            values.take_back = back;
        }
        Some(proposal)
    }
}

/// A status a task may be given.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum NewStatus {
    Pending,
    Completed,
}

impl ToolArguments for UpdateTaskArgs {
    const TOOL: Tool = Tool::UpdateTask;
    const DESCRIPTION: &'static str = "Change one task that is on the list: its title, note, \
    priority, due date, time of day, repetition, reminder or status. Give only the values that the user asked to change. To mark a \
    task as done use complete_task; to reopen one use this with status \"pending\".";

    fn propose(self, context: &CallContext<'_>, faults: &mut ArgumentFaults) -> Option<Proposal> {
        let due = context.due_date(self.due_date.as_deref(), faults);
        let time = context.due_time(self.due_time.as_deref(), self.due_date.as_deref(), faults);
        let moment = (due.flatten(), time.flatten());
        let mut values = NewValues {
            priority: self.priority,
            due,
            time,
            repeat: context.repeat(self.repeat.as_deref(), faults),
            remind: context.remind(self.remind.as_deref(), moment, faults),
            bare_remind: (self.remind.as_deref())
                .is_some_and(|words| context.bare_time(words).is_some()),
            completed: self.status.map(|s| matches!(s, NewStatus::Completed)),
            ..NewValues::default()
        };
        match self.title.as_deref().map(Title::parse) {
            Some(Ok(title)) => values.title = Some(title),
            Some(Err(fault)) => faults.push_cause("title", fault, fault.into()),
            None => {}
        }
        if let Some(text) = self.description {
            let text = text.trim();
            let cleared = text.is_empty() || text.eq_ignore_ascii_case("none");
            values.description = Some((!cleared).then(|| text.to_owned()));
        }
        Some(Proposal::Change {
            tool: Self::TOOL,
            reference: self.task,
            values,
        })
    }
}
