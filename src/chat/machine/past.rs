//! Questions about the past: answered by code, from receipts and rows.

use super::TurnMachine;
use super::effects::Effect;
use crate::chat::ChatError;
use crate::domain::Tool;
use crate::guard::{
    CUT_TURN, Need, PastAnswer, PastContext, answer_by_rows, answer_cut, answer_past, may_ask_past,
    settle_past,
};
use crate::intent::{Act, Past, Reading};
use crate::resolver::TaskList;
use crate::store::ReadResult as ReadReceipt;
use crate::tools::StandingFact;

/// Receipts that a question about the past looks back over, at most. No number of readings hides
/// a change of an everyday conversation.
const HISTORY_MAX: u32 = 5000;

impl TurnMachine<'_> {
    /// Questions about the past, and a yes or a no that nothing waits for.
    pub(super) async fn answer_from_receipts(&mut self, tasks: &TaskList) -> Result<(), ChatError> {
        let clauses = self.intent.clauses().to_vec();
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
    pub(super) async fn read_as_past(&self, reading: &mut Reading) -> Result<(), ChatError> {
        let message = &self.input.message;
        if may_ask_past(reading, message) {
            let entries = self.all_entries().await?;
            let context = self.past_context(&entries, self.work.unit.tasks());
            settle_past(reading, message, context);
        }
        Ok(())
    }

    /// Answers a question that no listing was called for, where its rows tell as much.
    pub(super) fn answer_from_rows(&mut self) {
        if self.open_needs() != [Need::Call(Tool::ListTasks)] {
            return;
        }
        let context = self.past_context(&[], self.work.unit.tasks());
        if let Some((past, answer)) = answer_by_rows(&self.input.message, context) {
            self.keep_past(&past, answer);
            self.intent.licence.cover_listings();
        }
    }

    fn past_context<'a>(
        &'a self,
        entries: &'a [crate::store::ReceiptEntry],
        tasks: &'a TaskList,
    ) -> PastContext<'a> {
        PastContext {
            entries,
            frame: &self.conversation.frame,
            situation: self.conversation.situation(tasks, self.input.moment),
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
        let here = Some(self.input.conversation);
        self.read(|answer| Effect::ReadHistory(here, HISTORY_MAX, answer))
            .await
    }

    /// Entries of every conversation and of other hands.
    async fn all_entries(&self) -> Result<Vec<crate::store::ReceiptEntry>, ChatError> {
        self.read(|answer| Effect::ReadHistory(None, HISTORY_MAX, answer))
            .await
    }

    /// Tells first what the turn before had done and could not say.
    pub(super) async fn tell_of_cut_turn(&mut self) -> Result<(), ChatError> {
        let Some(turn) = self.conversation.frame.cut.take() else {
            return Ok(());
        };
        self.stored.cut = Some(turn);
        let entries = self.read(|answer| Effect::ReadTurn(turn, answer)).await?;
        let answer = answer_cut(&entries, self.intent.speech);
        if !answer.receipts.is_empty() {
            self.record_history(ReadReceipt::History {
                question: serde_json::json!({ CUT_TURN: turn }),
                receipts: answer.receipts,
                lines: answer.lines,
            });
        }
        Ok(())
    }
}
