//! Answers to what is pending, which comes first: by a button, by words, or by a consent that
//! something new follows.

use super::TurnMachine;
use crate::chat::ChatError;
use crate::domain::Tool;
use crate::guard::{ask_change, hedges, is_consent, is_yes, part_answer, read_answer, talk};
use crate::intent::{self, Act, Fragment, Reading};
use crate::locales::localized;
use crate::store::QuestionWrite;
use crate::turn::{ChoiceMode, QuestionAnswer as Choice, ServerQuestion};

/// Tells whether a question is of more than additions and changes: of what a yes may lose.
fn may_lose(asked: &ServerQuestion) -> bool {
    let keeps = [Tool::AddTask, Tool::UpdateTask, Tool::CompleteTask];
    asked.plans().any(|plan| !keeps.contains(&plan.tool()))
}

impl TurnMachine<'_> {
    /// Answers the pending question, if the message or a button does. No model is asked. Gives
    /// what is left to read: all of it, what follows a consent, or nothing.
    pub(super) async fn answer_pending(
        &mut self,
        reading: Reading,
    ) -> Result<Option<Reading>, ChatError> {
        let lapsed = self.conversation.frame.lapsed.take();
        let Some((_, asked)) = &self.stored.pending else {
            let Some(asked) = lapsed.filter(|asked| self.means(asked, &reading)) else {
                return Ok(Some(reading));
            };
            // One that deletes is not offered once more by itself.
            if asked.mode == ChoiceMode::All && !may_lose(&asked) {
                self.reply.asked = Some(asked);
            } else {
                self.remark(localized!(self.intent.speech, "question-closed"));
            }
            return Ok(None);
        };
        let situation = self.situation();
        let parted = match &self.input.answer {
            Some(_) => None,
            None => part_answer(asked, &reading, &self.input.message, &situation),
        };
        let (reading, more) = match parted {
            Some((answer, more)) => (answer, Some(more)),
            None => (reading, None),
        };
        let reply = match &self.input.answer {
            Some(choice) => {
                let answered = asked.choose(&choice.value).ok_or_else(|| {
                    ChatError::NoSuchQuestion(
                        "the question has no such option: use an id from its options".to_owned(),
                    )
                })?;
                Some((answered, intent::Values::default()))
            }
            None => {
                // A question mark of what follows is no doubt about the answer.
                let said = match &more {
                    Some(more) => {
                        let end = more.clauses.first().map_or(0, |clause| clause.bytes.start);
                        self.input.message.get(..end).unwrap_or_default()
                    }
                    None => self.input.message.as_str(),
                };
                let reply = read_answer(asked, &reading, said, &situation);
                reply.map(|reply| (reply.answered, reply.amended))
            }
        };
        // Nobody has seen the question: a yes to it is no consent, and a command is one of its own.
        let unseen = self.input.unseen && self.input.answer.is_none();
        let commands = |reading: &Reading| {
            let mut clauses = reading.clauses.iter();
            clauses.any(|clause| matches!(clause.act, Act::Change(_)))
        };
        let reply = reply.filter(|_| !unseen || !commands(&reading));
        let Some((answered, amended)) = reply else {
            let mut reading = reading;
            if reading.clauses.iter().any(|clause| clause.act == Act::No) {
                // "no, the tea" takes nothing back that was done before the question.
                self.reply.declined = Some(asked.declined.clone());
                self.conversation.frame.wanted = None;
                self.conversation.frame.verb = None;
            }
            reading
                .clauses
                .extend(more.into_iter().flat_map(|more| more.clauses));
            return Ok(Some(reading));
        };
        let asked = asked.clone();
        let answered = if unseen { Choice::Unclear } else { answered };
        if answered == Choice::Unclear && self.is_overtaken(&asked) {
            // It can't be asked again as it was: the message is read for what it says by itself.
            self.conversation.question = QuestionWrite::Close;
            self.stored.pending = None;
            let mut reading = reading;
            let more = more.into_iter().flat_map(|more| more.clauses);
            reading.clauses.extend(more);
            return Ok(Some(reading));
        }
        match answered {
            Choice::Run { items, rest } => {
                self.conversation.question = QuestionWrite::Close;
                self.reply.ran = true;
                self.run_items(&asked, &items, &amended).await?;
                if more.is_some() {
                    self.go_on_from_answer();
                }
                if rest {
                    self.remark(localized!(self.intent.speech, "rest-stays"));
                }
            }
            Choice::Declined => {
                self.conversation.question = QuestionWrite::Close;
                self.conversation.frame.wanted = None;
                self.conversation.frame.verb = None;
                self.remark(asked.declined);
            }
            Choice::Narrow(items) => self.narrow(&asked, &items),
            Choice::Unclear => self.reply.asked = Some(asked),
        }
        // What is asked again comes first: nothing new is begun beside it.
        if more.is_some() && self.reply.asked.is_some() {
            self.note_one_question();
        }
        Ok(more.filter(|_| self.reply.asked.is_none()))
    }

    /// Tells whether a plain yes means a question that the turn before left unanswered: nothing has
    /// been asked since, and what it names is still there.
    fn means(&self, asked: &ServerQuestion, reading: &Reading) -> bool {
        let acts = || reading.clauses.iter().map(|clause| &clause.act);
        let plain = acts().all(|act| matches!(act, Act::Yes | Act::Social(_)));
        let last = self.stored.history.last();
        let asked_since = last.is_some_and(|line| line.content.contains(['?', '؟']));
        plain
            && acts().any(|act| *act == Act::Yes)
            && !asked_since
            && !self.input.message.contains(['?', '؟', '？'])
            && is_consent(&self.input.message)
            && !self.is_overtaken(asked)
    }

    /// Tells whether the message takes up an offer of a model's own, or amends what failed before it.
    pub(super) fn takes_up(&self, reading: &Reading) -> bool {
        let open = self.stored.pending.is_none() && self.conversation.frame.open.is_some();
        let acts = || reading.clauses.iter().map(|clause| &clause.act);
        let amends = |act: &Act| matches!(act, Act::Fragment(Fragment::Amend { .. }));
        let said = |act: &Act| is_yes(act) || amends(act) || matches!(act, Act::Social(_));
        let last = self.stored.history.last();
        let asked = last.is_some_and(|line| line.content.contains(['?', '؟']));
        // "yes, and the bread too": what goes on with a yes takes nothing of it back.
        let goes_on = asked
            && acts().next().is_some_and(is_yes)
            && acts().all(|act| !matches!(act, Act::No | Act::Forbidden(_)))
            && !hedges(&self.input.message);
        open && (goes_on || acts().all(said) && (acts().any(amends) || asked && acts().any(is_yes)))
            && !self.input.message.contains(['?', '؟', '？'])
    }

    /// Says that the question was declined, where the message said more and nothing came of it.
    pub(super) fn say_declined(&mut self) {
        let silent = self.reply.prose.is_none()
            && self.reply.asked.is_none()
            && self.reply.remarks.is_empty()
            && self.work.ledger.entries().is_empty();
        if let Some(declined) = self.reply.declined.take_if(|_| silent) {
            self.remark(declined);
        }
    }

    /// A question that stays open is shown again, below whatever else is said: a yes answers what
    /// the reply before it shows, and nothing that stands further up.
    pub(super) fn show_again(&mut self) {
        let stands = self.conversation.question == QuestionWrite::Keep && self.row.taken.is_none();
        let Some((_, asked)) = self.stored.pending.as_ref().filter(|_| stands) else {
            return;
        };
        if self.reply.asked.is_some() {
            return;
        }
        if self.reply.asks_back() {
            // The model asks something of its own: the next yes would be an answer to that.
            self.conversation.question = QuestionWrite::Close;
            return;
        }
        if self.is_overtaken(asked) {
            self.conversation.question = QuestionWrite::Close;
            return;
        }
        self.reply.asked = Some(asked.clone());
        self.reply.again = true;
        // "Reply yes for another joke" would say what the yes below it means.
        if let Some(prose) = self
            .reply
            .prose
            .take_if(|prose| talk::speaks_of_answers(&prose.text))
        {
            self.note_refused_prose(&prose.text, "consent");
        }
    }

    /// Tells whether a task it names is off the list since: another hand took it, or a turn whose
    /// end nobody saw.
    fn is_overtaken(&self, asked: &ServerQuestion) -> bool {
        let mut named = asked.items.iter().filter_map(|item| item.task);
        named.any(|id| self.work.unit.task(id).is_none())
    }

    /// Asks the pending question again, about some of its items only.
    fn narrow(&mut self, asked: &ServerQuestion, items: &[usize]) {
        let chosen = items.iter().filter_map(|index| asked.items.get(*index));
        let ids: Vec<_> = chosen.filter_map(|item| item.task).collect();
        let context = self.question_context();
        let values = intent::Values::default();
        self.reply.asked = ask_change(intent::Verb::Delete, &ids, &values, &context).ok();
    }
}
