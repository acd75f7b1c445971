//! Tools that a message calls for when it is judged alone, as if its targets existed.
//!
//! This is the measure's view (`candor eval intents`). In a conversation `guard` knows
//! more: the frame, the pending question, the tasks.

use crate::domain::Tool;

use super::{Act, Reading, Verb};

/// The tools `reading` calls for, in the order of its clauses, each once.
///
/// Wishes and bare nouns call for none: they are answered by a question.
pub fn expected_tools(reading: &Reading) -> Vec<Tool> {
    let mut tools: Vec<Tool> = Vec::new();
    for clause in &reading.clauses {
        if let Some(tool) = tool(&clause.act).filter(|tool| !tools.contains(tool)) {
            tools.push(tool);
        }
    }
    tools
}

fn tool(act: &Act) -> Option<Tool> {
    match act {
        Act::Add(_) => Some(Tool::AddTask),
        Act::List(listing) => (!listing.unasked).then_some(Tool::ListTasks),
        Act::Undo => Some(Tool::Undo),
        Act::Change(change) => Some(match change.verb {
            Verb::Delete => Tool::DeleteTask,
            Verb::Complete => Tool::CompleteTask,
            Verb::Update | Verb::Reopen => Tool::UpdateTask,
        }),
        Act::Statement(said) if said.told => Some(if said.done {
            Tool::CompleteTask
        } else {
            Tool::UpdateTask
        }),
        _ => None,
    }
}
