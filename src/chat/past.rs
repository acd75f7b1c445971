//! Questions about the past: answered by code, from receipts and rows.

use super::ChatError;
use super::drive::TurnDriver;
use crate::domain::{ConversationId, Tool};
use crate::guard::{PastAnswer, PastContext, answer_past, may_ask_past, settle_past};
use crate::intent::{Act, Past, Reading};
use crate::resolver::TaskList;
use crate::store::ReadResult as ReadReceipt;
use crate::tools::StandingFact;

/// Receipts that a question about the past looks back over, at most.
const HISTORY_MAX: u32 = 5000;

impl TurnDriver<'_> {
    /// Questions about the past, and a yes or a no that nothing waits for.
    pub(super) async fn answer_from_receipts(&mut self, tasks: &TaskList) -> Result<(), ChatError> {
        let clauses = self.intent.completed.reading.clauses.clone();
        for clause in &clauses {
            match &clause.act {
                Act::Past(past) => {
                    let entries = self.all_entries().await?;
                    let message = &self.input.message;
                    let words = message.get(clause.bytes.clone()).unwrap_or(message);
                    let answer = answer_past(past, words, self.past_context(&entries, tasks));
                    self.keep_past(past, answer);
                }
                Act::Undo => {
                    self.load_undoable().await?;
                    if self.stored.undoable.is_empty() {
                        self.intent.licence.expect_no_undo();
                        // Said at once: no model is needed to find nothing.
                        self.note_fact(Tool::Undo, StandingFact::NothingToUndo);
                    }
                }
                Act::Yes | Act::No if clauses.len() == 1 && !self.is_understood() => {
                    self.answer_bare(&clause.act);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// A question about the past or the present that only its words tell: code answers it.
    pub(super) async fn read_as_past(
        &self,
        reading: &mut Reading,
        tasks: &TaskList,
    ) -> Result<(), ChatError> {
        let message = &self.input.message;
        if may_ask_past(reading, message) {
            let entries = self.all_entries().await?;
            settle_past(reading, message, self.past_context(&entries, tasks));
        }
        Ok(())
    }

    fn past_context<'a>(
        &'a self,
        entries: &'a [crate::store::ReceiptEntry],
        tasks: &'a TaskList,
    ) -> PastContext<'a> {
        PastContext {
            entries,
            frame: &self.conversation.frame,
            situation: self.situation(tasks),
            conversation: self.input.conversation,
            now: self.input.moment,
            lang: self.intent.completed.reading.lang,
            speech: self.intent.speech,
        }
    }

    pub(super) fn keep_past(&mut self, past: &Past, answer: PastAnswer) {
        let reading = ReadReceipt::History {
            question: serde_json::to_value(past).unwrap_or_default(),
            receipts: answer.receipts,
            lines: answer.lines,
        };
        self.record_history(reading);
    }

    pub(super) async fn history_entries(
        &self,
    ) -> Result<Vec<crate::store::ReceiptEntry>, ChatError> {
        if self.input.fresh {
            return Ok(Vec::new());
        }
        self.entries(Some(self.input.conversation)).await
    }

    /// Entries of every conversation and of other hands.
    async fn all_entries(&self) -> Result<Vec<crate::store::ReceiptEntry>, ChatError> {
        self.entries(None).await
    }

    async fn entries(
        &self,
        conversation: Option<ConversationId>,
    ) -> Result<Vec<crate::store::ReceiptEntry>, ChatError> {
        let store = &self.service.store;
        // Deep enough that no number of readings hides a change of an everyday conversation.
        let entries = store.history(&self.input.user, conversation, HISTORY_MAX);
        entries.await.map_err(|error| self.unread(&error))
    }
}
