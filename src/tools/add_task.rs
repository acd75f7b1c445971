//! `add_task{title, description?, priority?, due_date?, due_time?, repeat?, remind?}`

use schemars::JsonSchema;
use serde::Deserialize;

use super::{AddProposal, ArgumentFaults, CallContext, Proposal, ToolArguments};
use crate::domain::{Priority, Title, Tool};

/// Arguments of `add_task`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AddTaskArgs {
    /// The thing to do, in the user's own words, without the date. 1 to 255 characters, one line.
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
    /// The time of that day as HH:MM (24 hours), only if the user named one; else null.
    #[serde(default)]
    #[schemars(length(max = 100))]
    due_time: Option<String>,
    /// The repetition, only if the user named one: their own words ("every monday") or an RFC 5545
    /// RRULE such as FREQ=WEEKLY;BYDAY=MO; else null.
    #[serde(default)]
    #[schemars(length(max = 500))]
    repeat: Option<String>,
    /// YYYY-MM-DDTHH:MM in the user's time, or their own words ("in 90 seconds"), only if the user
    /// asked to be reminded at a time; else null.
    #[serde(default)]
    #[schemars(length(max = 100))]
    remind: Option<String>,
}

impl ToolArguments for AddTaskArgs {
    const TOOL: Tool = Tool::AddTask;
    const DESCRIPTION: &'static str = "Add one task to the user's todo list. Call it once per task. \
    Use it when the user asks to add, create, note, remember or be reminded of something; not for \
    changing a task that is already on the list (use update_task).";

    fn propose(self, context: &CallContext<'_>, faults: &mut ArgumentFaults) -> Option<Proposal> {
        let title = match Title::parse(&self.title) {
            Ok(title) => Some(title),
            Err(fault) => {
                faults.push_cause("title", fault, fault.into());
                None
            }
        };
        let due = context.due_date(self.due_date.as_deref(), faults);
        let time = context.due_time(self.due_time.as_deref(), self.due_date.as_deref(), faults);
        Some(Proposal::Add(AddProposal {
            title: title?,
            description: self.description.filter(|text| !text.trim().is_empty()),
            priority: self.priority,
            due: due.flatten(),
            time: time.flatten(),
            repeat: context.repeat(self.repeat.as_deref(), faults).flatten(),
            remind: context
                .remind(
                    self.remind.as_deref(),
                    (due.flatten(), time.flatten()),
                    faults,
                )
                .flatten(),
        }))
    }
}

/// Arguments of `add_task` for several tasks (D-005).
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AddTasksArgs {
    /// The tasks.
    #[schemars(length(min = 1, max = 20))]
    tasks: Vec<AddTaskItem>,
}

/// One of several tasks.
#[derive(Debug, Deserialize, JsonSchema)]
struct AddTaskItem {
    #[serde(flatten)]
    task: AddTaskArgs,
    /// The work in detail; kept as the note where there is none.
    #[serde(default)]
    #[schemars(length(max = 10_000))]
    prompt: Option<String>,
    /// "user": nobody else works on it. To hand it to an agent use delegate.
    #[serde(default)]
    assigned_to: Option<TaskOwner>,
}

/// Owner of an added task.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum TaskOwner {
    User,
    Human,
    Unassigned,
}

impl ToolArguments for AddTasksArgs {
    const TOOL: Tool = Tool::AddTask;
    const DESCRIPTION: &'static str = AddTaskArgs::DESCRIPTION;

    fn propose(self, context: &CallContext<'_>, faults: &mut ArgumentFaults) -> Option<Proposal> {
        let mut proposals = Vec::with_capacity(self.tasks.len());
        for item in self.tasks {
            // All three mean the same; it is the user's.
            let (Some(TaskOwner::User | TaskOwner::Human | TaskOwner::Unassigned) | None) =
                item.assigned_to;
            let mut task = item.task;
            task.description = task.description.or(item.prompt);
            proposals.extend(task.propose(context, faults));
        }
        Some(Proposal::Several(proposals))
    }
}
