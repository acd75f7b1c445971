//! Words of a turn about reminders, beside the receipts of those that it sets.

use serde_json::json;

use super::TurnMachine;
use super::effects::Effect;
use crate::guard::{MISSED_REMINDER, missed_line, sets_reminder, staying_line};
use crate::locales::localized;
use crate::store::ReadResult;

impl TurnMachine<'_> {
    /// Says once which reminders nobody could be given.
    pub(super) fn tell_of_missed_reminders(&mut self) {
        for (task, reminder) in self.work.unit.untold_reminders() {
            self.record_history(ReadResult::History {
                question: json!({ MISSED_REMINDER: reminder.id }),
                receipts: Vec::new(),
                lines: vec![missed_line(&task, &reminder, self.intent.speech)],
            });
            self.work.unit.tell_missed(task.id, reminder.id);
        }
    }

    /// Says which reminders stay where they are although their tasks were moved.
    pub(super) fn tell_of_staying_reminders(&mut self) {
        let proofs = self.work.proofs();
        let facts = proofs.iter().map(|proof| proof.facts());
        let lines: Vec<_> = facts
            .filter_map(|facts| staying_line(facts, self.intent.speech))
            .collect();
        for line in lines {
            self.remark(line);
        }
    }

    /// Says that nobody could be given the reminder that is set now.
    pub(super) async fn tell_that_nobody_listens(&mut self) {
        let proofs = self.work.proofs();
        let sets = proofs.iter().any(|proof| sets_reminder(proof.facts()));
        if sets && !self.effect(Effect::CheckReach).await {
            self.remark(localized!(self.intent.speech, "nobody-listening"));
        }
    }
}
