//! Answers to what is pending, which comes first: by a button, by words, or by a consent that
//! something new follows.

use super::TurnMachine;
use crate::chat::ChatError;
use crate::guard::{ask_change, part_answer, read_answer, talk};
use crate::intent::{self, Act, Reading};
use crate::locales::localized;
use crate::store::QuestionWrite;
use crate::turn::{QuestionAnswer as Choice, ServerQuestion};

impl TurnMachine<'_> {
    /// Answers the pending question, if the message or a button does. No model is asked. Gives
    /// what is left to read: all of it, what follows a consent, or nothing.
    pub(super) async fn answer_pending(
        &mut self,
        reading: Reading,
    ) -> Result<Option<Reading>, ChatError> {
        let Some((_, asked)) = &self.stored.pending else {
            return Ok(Some(reading));
        };
        let tasks = self.work.unit.tasks();
        let situation = self.situation(&tasks);
        let parted = match &self.input.answer {
            Some(_) => None,
            None => part_answer(asked, &reading, &situation),
        };
        let (reading, rest) = match parted {
            Some((answer, rest)) => (answer, Some(rest)),
            None => (reading, None),
        };
        let reply = match &self.input.answer {
            Some(choice) => {
                let answered = asked.choose(&choice.value).ok_or_else(|| {
                    ChatError::NoSuchQuestion(
                        "the question has no such option: use an id from its options".to_owned(),
                    )
                })?;
                Some((answered, None))
            }
            None => {
                // A question mark of what follows is no doubt about the answer.
                let said = match &rest {
                    Some(rest) => {
                        let end = rest.clauses.first().map_or(0, |clause| clause.bytes.start);
                        self.input.message.get(..end).unwrap_or_default()
                    }
                    None => self.input.message.as_str(),
                };
                let reply = read_answer(asked, &reading, said, &situation);
                reply.map(|reply| (reply.answered, reply.due))
            }
        };
        // Nobody has seen the question: a yes to it is no consent, and a command is one of its own.
        let unseen = self.input.unseen && self.input.answer.is_none();
        let commands = |reading: &Reading| {
            let mut clauses = reading.clauses.iter();
            clauses.any(|clause| matches!(clause.act, Act::Change(_)))
        };
        let reply = reply.filter(|_| !unseen || !commands(&reading));
        let Some((answered, due)) = reply else {
            let mut reading = reading;
            reading
                .clauses
                .extend(rest.into_iter().flat_map(|rest| rest.clauses));
            return Ok(Some(reading));
        };
        let asked = asked.clone();
        let answered = if unseen { Choice::Unclear } else { answered };
        if answered == Choice::Unclear && self.is_overtaken(&asked) {
            // It can't be asked again as it was: the message is read for what it says by itself.
            self.conversation.question = QuestionWrite::Close;
            self.stored.pending = None;
            let mut reading = reading;
            let rest = rest.into_iter().flat_map(|rest| rest.clauses);
            reading.clauses.extend(rest);
            return Ok(Some(reading));
        }
        match answered {
            Choice::Run { items, rest } => {
                self.conversation.question = QuestionWrite::Close;
                self.run_items(&asked, &items, due.as_ref()).await?;
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
        if rest.is_some() && self.reply.asked.is_some() {
            self.note_one_question();
        }
        Ok(rest.filter(|_| self.reply.asked.is_none()))
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
        let tasks = self.work.unit.tasks();
        let mut named = asked.items.iter().filter_map(|item| item.task);
        named.any(|id| tasks.get(id).is_none())
    }

    /// Asks the pending question again, about some of its items only.
    fn narrow(&mut self, asked: &ServerQuestion, items: &[usize]) {
        let chosen = items.iter().filter_map(|index| asked.items.get(*index));
        let ids: Vec<_> = chosen.filter_map(|item| item.task).collect();
        let tasks = self.work.unit.tasks();
        let context = self.question_context(&tasks);
        let values = intent::Values::default();
        self.reply.asked = ask_change(intent::Verb::Delete, &ids, &values, &context).ok();
    }
}
