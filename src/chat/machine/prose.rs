//! Talk of a model: its sentences are judged, its questions shown as they are or asked by the server
//! in its own words.

use super::TurnMachine;
use crate::chat::guard_port;
use crate::domain::{ErrorType, TaskId, Tool, ToolError};
use crate::guard::talk::{self, Form, Judgement, Talk, Verdict};
use crate::guard::{CheckedProse, ask_refused, asks_for_the_rest, speaks_of_a_change};
use crate::llm::RawCall;
use crate::locales::localized;
use crate::store::MessageRole;
use crate::tools::{Proposal, propose};
use crate::turn::{CallResult, LedgerEntry, ServerQuestion};

/// Rounds in which what is left of a model's talk is judged again, at most.
const ROUNDS: usize = 4;

impl TurnMachine<'_> {
    /// Checks a model's prose. It is kept only if nothing was expected and nothing is asserted.
    pub(super) fn take_prose(&mut self, text: Option<&str>) {
        let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else {
            return;
        };
        self.reply.spoke = true;
        if let Some(asked) = self.asked_besides() {
            let kept = self.kept(text, &asked).filter(|kept| !kept.question);
            self.reply.prose = kept.map(|kept| CheckedProse {
                besides: true,
                ..kept
            });
            return;
        }
        let plain = !self.is_understood() || self.is_certain() && !self.is_talk();
        if self.intent.licence.expects_anything() && (plain || self.orders_plainly(None)) {
            self.take_question(text);
            return;
        }
        let message = self.input.message.clone();
        let Some(kept) = self.kept(text, &message) else {
            return;
        };
        if let Some(delegation) = &self.rules.agents {
            let names = delegation.registry.names();
            if talk::claims_delegation(&kept.text, names.iter().map(String::as_str)) {
                self.note_refused_prose(text, "delegation");
                return;
            }
        }
        // The model understood talk where an order was read.
        self.intent.licence.expect_nothing();
        self.reply.prose = Some(kept);
    }

    /// Keeps a model's question where no call can be made yet: it asks as well as the server does.
    fn take_question(&mut self, text: &str) {
        let asks = text.trim_end().ends_with(['?', '؟']) && !self.asks_for_the_rest(text);
        let due = self.call_is_due();
        // "Which milk?": nothing is added before the user has said what exactly.
        let adds = self
            .intent
            .licence
            .tools()
            .iter()
            .all(|tool| *tool == Tool::AddTask);
        if !asks || due && !(adds && talk::asks_for_details(text)) {
            self.check_ghost(text);
            return;
        }
        let whole = |kept: &CheckedProse| kept.question && (!due || kept.text == text.trim());
        let message = self.input.message.clone();
        match self.kept(text, &message).filter(whole) {
            Some(asked) => {
                self.intent.licence.expect_nothing();
                self.reply.prose = Some(asked);
            }
            None if due => self.check_ghost(text),
            None => {}
        }
    }

    /// Tells whether a question about a change asks for what is to stay as it is: the answer would be read
    /// as what the change is of.
    fn asks_for_the_rest(&self, question: &str) -> bool {
        let (words, lang) = (&self.input.message, self.words_language());
        asks_for_the_rest(question) && speaks_of_a_change(words, &self.situation(), lang)
    }

    /// Tells whether the user asks for talk: a report among it orders nothing.
    fn is_talk(&self) -> bool {
        talk::asks_for_talk(&self.input.message)
    }

    /// Judges a model's talk as an answer to a message and keeps the sentences of it that may be shown.
    pub(super) fn kept(&mut self, text: &str, message: &str) -> Option<CheckedProse> {
        let tasks = self.work.unit.tasks().clone();
        let said = self.everything_said();
        let mut kept = text.to_owned();
        let mut offers = false;
        // What is left is judged again, since a sentence leans on the one before it.
        for _ in 0..ROUNDS {
            let titles = guard_port::titles_in(&tasks, &kept, message);
            let talk = Talk {
                message,
                titles: &titles,
                said: &said,
            };
            let gates = &self.rules.gates;
            let Ok(mut judgement) = guard_port::ask(|| gates.prose(&kept, talk)) else {
                self.note_unchecked(text);
                return None;
            };
            let proven = self.prove(&kept, &mut judgement);
            offers |= judgement.has_offer();
            if judgement.passes() && !judgement.has_restated() {
                if kept != text {
                    self.note_refused_prose(text, "asserts in part");
                }
                if offers {
                    self.reword_offer(text);
                }
                for task in proven {
                    self.note_proof(task);
                }
                let question = judgement.is_question();
                let text = crate::domain::masked(&kept).into_owned();
                return Some(CheckedProse {
                    text,
                    question,
                    besides: false,
                });
            }
            let Some(rest) = guard_port::ask(|| talk::what_is_left(&kept, &judgement))
                .ok()
                .flatten()
            else {
                break;
            };
            kept = rest;
        }
        self.note_refused_prose(text, "asserts");
        if offers {
            self.reword_offer(text);
        }
        None
    }

    /// Lets sentences pass whose facts stand in the rows; gives the tasks that they speak of.
    fn prove(&self, text: &str, judgement: &mut Judgement) -> Vec<TaskId> {
        let tasks = self.work.unit.tasks();
        let mut proven = Vec::new();
        for sentence in &mut judgement.sentences {
            let words = text.get(sentence.bytes.clone()).unwrap_or_default();
            if !matches!(sentence.verdict, Verdict::Stopped(_)) {
                continue;
            }
            let day = (self.input.moment.today, self.words_language());
            let message = &self.input.message;
            let found = guard_port::ask(|| talk::proven(words, message, tasks, day));
            let found = found.unwrap_or_default();
            let offered = guard_port::ask(|| talk::offers_open(words, tasks));
            if !found.is_empty() {
                sentence.verdict = Verdict::Passes(Form::Fact);
                proven.extend(found);
            } else if offered.ok().flatten().is_some() {
                sentence.verdict = Verdict::Passes(Form::Offer);
            }
        }
        proven
    }

    /// Everything that the user said in this conversation.
    pub(super) fn everything_said(&self) -> String {
        let own = self
            .stored
            .history
            .iter()
            .filter(|message| message.role == MessageRole::User);
        let mut said: Vec<&str> = own.map(|message| message.content.as_str()).collect();
        said.push(&self.input.message);
        said.join("\n")
    }

    /// Notes prose that claims something in a turn where calls were expected.
    pub(super) fn check_ghost(&mut self, text: &str) {
        // It is shown to nobody; a guard that breaks over it has not passed it.
        let gates = &self.rules.gates;
        let judged = guard_port::ask(|| gates.prose(text, Talk::default()));
        if judged.is_ok_and(|judgement| judgement.stopped().next().is_none()) {
            return;
        }
        self.note_refused_prose(text, "ghost");
    }

    /// The guard broke over prose: it is not shown, and that is said.
    pub(super) fn note_unchecked(&mut self, text: &str) {
        self.note_refused_prose(text, "unchecked");
        let text = localized!(self.intent.speech, "answer-unchecked");
        let failed = CallResult::Failed(ToolError::new(ErrorType::Internal, text));
        self.work.ledger.push(LedgerEntry::own("answer", failed));
    }

    /// Asks in the server's own words where the model asks about what it was refused and nothing
    /// else was done.
    fn ask_refused(&self, question: &str) -> Option<ServerQuestion> {
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
        let context = self.question_context();
        ask_refused(&refused, question, &context)
    }

    /// A question of the model's own: shown only if it asserts and offers nothing.
    pub(super) fn ask_user(&mut self, question: &str) -> CallResult {
        if let Some(asked) = self.ask_refused(question) {
            self.work.ledger.put_to_the_user();
            return self.confirm(asked);
        }
        let message = self.input.message.clone();
        let shown = self.kept(question, &message).filter(|shown| shown.question);
        let Some(shown) = shown.filter(|shown| !self.asks_for_the_rest(&shown.text)) else {
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
