//! Questions of a model to the user: shown as they are, or asked by the server in its own words.

use super::TurnMachine;
use crate::guard::{CheckedProse, ask_refused};
use crate::llm::RawCall;
use crate::resolver::TaskList;
use crate::tools::{Proposal, propose};
use crate::turn::{CallResult, LedgerEntry, ServerQuestion};

impl TurnMachine<'_> {
    /// Asks in the server's own words where the model asks about what it was refused and nothing
    /// else was done.
    fn ask_refused(&self, tasks: &TaskList, question: &str) -> Option<ServerQuestion> {
        let entries = self.work.ledger.entries();
        if self.reply.asked.is_some() || entries.iter().any(LedgerEntry::dispatched) {
            return None;
        }
        let context = self.call_context("");
        let refused = entries
            .iter()
            .filter(|entry| matches!(entry.result, CallResult::Refused(..)))
            .map(|entry| {
                let call = RawCall {
                    id: String::new(),
                    name: entry.name.clone(),
                    arguments: entry.arguments.to_string(),
                };
                propose(&call, &context).map(|(_, proposal)| proposal)
            });
        let refused: Vec<Proposal> = refused.collect::<Result<_, _>>().ok()?;
        let context = self.question_context(tasks);
        ask_refused(&refused, question, &context)
    }

    /// A question of the model's own: shown only if it asserts and offers nothing.
    pub(super) fn ask_user(&mut self, question: &str) -> CallResult {
        let tasks = self.work.unit.tasks();
        if let Some(asked) = self.ask_refused(&tasks, question) {
            self.work.ledger.put_to_the_user();
            return self.confirm(asked);
        }
        let Some(shown) = self.kept(question).filter(|shown| shown.question) else {
            // What is open is asked by the server, in its own words.
            self.note_refused_prose(question, "ask_user");
            return CallResult::Asked;
        };
        let text = crate::domain::shown(&shown.text);
        self.reply
            .prose
            .get_or_insert(CheckedProse { text, ..shown });
        CallResult::Asked
    }
}
