//! Needs still open when the model has spoken: asked of the user, or said to be missing.

use super::TurnMachine;
use crate::domain::{Task, TaskId, Tool};
use crate::guard::talk;
use crate::guard::{
    GrantKind, Meaning, Need, QuestionContext, ask_change, ask_hinted, ask_plans, ask_unnamed,
    ask_which, offered_verb,
};
use crate::intent::{Act, Clause, Due, Target, Values, Verb};
use crate::locales::localized;
use crate::resolver::{Among, Resolution};
use crate::tools::{Plan, StandingFact};
use crate::turn::{CallResult, ChoiceMode, LedgerEntry, ServerQuestion};

impl TurnMachine<'_> {
    /// An offer about the one task that the user asked about is put in the server's own words;
    /// any other offer is dropped.
    pub(super) fn reword_offer(&mut self, text: &str) {
        let clauses = self.intent.clauses();
        let target = clauses.iter().find_map(|clause| match &clause.act {
            Act::Opinion(Target::Named(words)) => Some(words.clone()),
            _ => None,
        });
        let Some(words) = target else { return };
        let situation = self.situation();
        let Resolution::One(id) = situation.resolver().resolve(&words, Among::All) else {
            return;
        };
        let Some(verb) = offered_verb(text) else {
            return;
        };
        let context = self.question_context();
        let asked = ask_change(verb, &[id], &Values::default(), &context).ok();
        self.reply.asked = asked;
    }

    /// Asks whether the change that the words call for is wanted.
    pub(super) fn ask_what_is_hinted(&mut self) {
        if self.reply.asked.is_some() {
            return;
        }
        let context = self.question_context();
        let mut clauses = self.intent.clauses().iter();
        let asked = clauses.find_map(|clause| match &clause.act {
            Act::Hint(change) => ask_hinted(change, &context),
            _ => None,
        });
        self.reply.asked = asked;
    }

    /// "report: friday", with such a task on the list: whether it is to be moved is asked, rather
    /// than whether it is to be added; where it is so already, that is said. False when it is
    /// about no such task.
    pub(super) fn settle_noun_with_values(&mut self) -> bool {
        let Some((id, values)) = self.noun_with_values() else {
            return false;
        };
        let Some(task) = self.work.unit.task(id) else {
            return false;
        };
        if is_so(task, &values) {
            let title = task.title.as_str().to_owned();
            self.note_fact(Tool::UpdateTask, StandingFact::AlreadySo(title));
            return true;
        }
        let context = self.question_context();
        let asked = ask_change(Verb::Update, &[id], &values, &context).ok();
        self.reply.asked = asked;
        self.reply.asked.is_some()
    }

    /// The task that a bare noun with a day or a priority names, and those values.
    fn noun_with_values(&self) -> Option<(TaskId, Values)> {
        let [clause] = self.intent.clauses() else {
            return None;
        };
        let (Act::Noun(task) | Act::Wish(task)) = &clause.act else {
            return None;
        };
        let values = Values {
            due: task.due.clone(),
            time: task.time,
            priority: task.priority,
            ..Values::default()
        };
        if values == Values::default() {
            return None;
        }
        let context = self.question_context();
        let resolver = context.situation.resolver();
        match resolver.resolve(&task.title, Among::Pending) {
            Resolution::One(id) => Some((id, values)),
            _ => None,
        }
    }

    pub(super) fn question_context(&self) -> QuestionContext<'_> {
        QuestionContext {
            situation: self.situation(),
            due_rule: self.rules.policy.due_rule,
            speech: self.intent.speech,
        }
    }

    /// Takes out of the question what a later call of the turn has deleted.
    fn ask_of_nothing_gone(&mut self) {
        let Some(asked) = self.reply.asked.take() else {
            return;
        };
        let situation = self.situation();
        let there = |plan: &&Plan| match plan {
            Plan::Change(plan) => situation.task(plan.task).is_some(),
            _ => true,
        };
        let left: Vec<Plan> = asked.plans().filter(there).cloned().collect();
        let whole = asked.mode != ChoiceMode::All || left.len() == asked.plans().count();
        let again = (!left.is_empty()).then(|| ask_plans(left, situation, self.intent.speech));
        self.reply.asked = if whole { Some(asked) } else { again };
    }

    /// Turns what the words ask for and no call has dealt with into a question, where it can.
    pub(super) fn ask_what_is_open(&mut self) {
        self.ask_of_nothing_gone();
        self.answer_from_rows();
        // A question where an order is plain is asked in words that a plain yes can answer.
        let asks = self.reply.asks_back();
        let dealt = self.was_dealt_with() || self.reply.prose.is_some();
        if self.is_understood() && dealt && !(asks && self.orders_plainly(None)) {
            return;
        }
        if self.asks_for_an_open_value() {
            return;
        }
        let situation = self.situation();
        let context = self.question_context();
        let open = self.intent.licence.open(&situation, self.intent.speech);
        // What was dispatched and failed is told, not asked about as well.
        let adds = |entry: &LedgerEntry| entry.tool == Some(Tool::AddTask) && entry.dispatched();
        let tried = self.has_call(adds);
        let mut questions = open
            .iter()
            .filter(|need| !matches!(need, Need::NothingToAdd { .. }) || !tried)
            .filter_map(|need| ask_need(need, &context));
        let asked = questions.next();
        // "no, delete both": two orders that name nothing are one question.
        let other = |more: &ServerQuestion| asked.as_ref().is_none_or(|it| it.text != more.text);
        let more = questions.filter(other).count();
        // The model asked where it should have acted: the same question, in words that a plain
        // yes can answer.
        let instead = || {
            let prose = self.reply.asks_back();
            (prose && !self.intent.completed.ask_first)
                .then(|| self.ask_licensed(&context))
                .flatten()
        };
        let asked = asked.or_else(instead);
        if self.reply.asked.is_none() {
            self.reply.asked = asked;
        }
        if more > 0 {
            self.note_one_question();
        }
    }

    /// Tells whether the model asks for a value that an order leaves open: "to which day?"
    fn asks_for_an_open_value(&self) -> bool {
        let prose = self.reply.prose.as_ref();
        let details =
            prose.is_some_and(|prose| prose.question && talk::asks_for_details(&prose.text));
        let open = |kind: &GrantKind| matches!(kind, GrantKind::Change { verb: Verb::Update, values, .. } if *values == Values::default());
        let mut grants = self.intent.licence.grants.iter();
        details && grants.any(|grant| open(&grant.kind))
    }

    /// Says what was not begun because a question comes first.
    pub(super) fn note_one_question(&mut self) {
        self.remark(localized!(self.intent.speech, "one-question"));
    }

    /// Asks about the first change that the words allow and no call has dealt with.
    fn ask_licensed(&self, context: &QuestionContext<'_>) -> Option<ServerQuestion> {
        let mut grants = self.intent.licence.grants.iter();
        grants.find_map(|grant| {
            let GrantKind::Change {
                verb,
                parts,
                values,
            } = &grant.kind
            else {
                return None;
            };
            let mut parts = parts.iter().filter(|part| !part.touched);
            parts.find_map(|part| match part.meaning {
                Meaning::One(id) => ask_change(*verb, &[id], values, context).ok(),
                _ => None,
            })
        })
    }

    /// Tells whether the model left the message to the code: nothing was called, asked or said.
    pub(super) fn is_unanswered(&self) -> bool {
        let silent =
            self.reply.asked.is_none() && !self.reply.spoke && self.reply.remarks.is_empty();
        silent && !self.was_called()
    }

    /// The model's calls, but for a question that was not shown.
    fn calls(&self) -> impl Iterator<Item = &LedgerEntry> {
        let shown = self.reply.prose.is_some();
        self.work.ledger.entries().iter().filter(move |entry| {
            entry.call_id.is_some() && (shown || entry.tool != Some(Tool::AskUser))
        })
    }

    fn was_called(&self) -> bool {
        self.calls().next().is_some()
    }

    /// Tells whether the model dealt with the message by some call.
    fn was_dealt_with(&self) -> bool {
        self.calls().any(|entry| {
            !matches!(
                entry.result,
                CallResult::Refused(..) | CallResult::Failed(_)
            )
        })
    }

    /// Tells whether a plain command opens the message, so that prose is no answer to it.
    pub(super) fn orders_plainly(&self, verb: Option<Verb>) -> bool {
        crate::guard::orders_plainly(
            &self.intent.completed.words,
            &self.situation(),
            self.words_language(),
            verb,
        )
    }

    /// Tells whether the model has only read so far, and the words speak of a change.
    pub(super) fn has_only_read(&self) -> bool {
        let lang = self.intent.completed.reading.lang;
        let words = &self.intent.completed.words;
        let reads = |entry: &LedgerEntry| entry.tool == Some(Tool::ListTasks);
        // "list my completed tasks" is a listing, whatever it speaks of.
        let list = |clause: &Clause| matches!(clause.act, Act::List(_));
        let clauses = self.intent.clauses();
        let lists = !clauses.is_empty() && clauses.iter().all(list);
        !lists
            && self.is_understood()
            && self.work.ledger.entries().iter().all(reads)
            && self.open_needs().is_empty()
            && crate::guard::speaks_of_a_change(words, &self.situation(), lang)
    }

    /// Tells whether the model has only added so far, and the words order more of what is new.
    pub(super) fn has_only_added(&self) -> bool {
        let lang = self.intent.completed.reading.lang;
        let words = &self.intent.completed.words;
        let adds = |entry: &LedgerEntry| entry.tool == Some(Tool::AddTask);
        self.work.ledger.entries().iter().all(adds)
            && crate::guard::orders_of_the_new(words, &self.situation(), lang)
    }

    /// The question that stands beside an order which was carried out, and that no call answers: the
    /// model's own words may.
    pub(super) fn asked_besides(&self) -> Option<String> {
        let done = |entry: &LedgerEntry| {
            entry.tool.is_some_and(Tool::mutates) && matches!(entry.result, CallResult::Done(_))
        };
        if !self.is_understood() || !self.has_call(done) {
            return None;
        }
        let message = self.input.message.as_str();
        let asks = |clause: &Clause| {
            let said = message.get(clause.bytes.clone())?.trim();
            let behind = message.get(clause.bytes.end..)?.trim_start();
            let mark = if behind.starts_with('?') { "?" } else { "" };
            let asked = format!("{said}{mark}");
            let open = matches!(clause.act, Act::Other | Act::Opinion(_));
            (open && crate::guard::talk::opens_talk(&asked)).then_some(asked)
        };
        self.intent.clauses().iter().find_map(asks)
    }

    /// Tells whether a call of this tool was dispatched and failed.
    pub(super) fn failed(&self, tool: Tool) -> bool {
        let failed = |entry: &LedgerEntry| matches!(entry.result, CallResult::Failed(_));
        self.has_call(|entry| entry.tool == Some(tool) && failed(entry))
    }

    /// Tells whether there is such a call in the ledger.
    pub(super) fn has_call(&self, is_such: impl Fn(&LedgerEntry) -> bool) -> bool {
        self.work.ledger.entries().iter().any(is_such)
    }

    /// Returns what no call has dealt with and no question asks about.
    pub(super) fn open_needs(&self) -> Vec<Need> {
        let mut open = self
            .intent
            .licence
            .open(&self.situation(), self.intent.speech);
        if self.is_understood() && self.was_called() && !self.is_certain() {
            let plain = self.orders_plainly(None);
            open.retain(|need| match need {
                // A task that a plain command names was left out.
                Need::Absent { verb, .. } => {
                    *verb == Verb::Delete || self.orders_plainly(Some(*verb))
                }
                Need::Call(tool) => plain && *tool != Tool::AddTask,
                _ => false,
            });
        }
        if self.is_understood() && self.was_called() {
            let (words, lang) = (&self.intent.completed.words, self.words_language());
            let beside =
                |part: &str| crate::guard::tells_beside(part, words, &self.situation(), lang);
            open.retain(|need| !matches!(need, Need::Absent { words, .. } if beside(words)));
        }
        if self.is_understood() && self.reply.prose.is_some() && !self.is_certain() {
            // "who else can see my tasks?": words that hold no claim answer what may be no listing.
            open.retain(|need| !matches!(need, Need::Call(Tool::ListTasks)));
        }
        if self.reply.asks_back() {
            // The model asked what is meant.
            open.retain(|need| !matches!(need, Need::Absent { .. }));
        }
        // What was dispatched and failed is told as that failure, not as a call that never came.
        open.retain(|need| !matches!(need, Need::Call(tool) if self.failed(*tool)));
        let acted = |entry: &LedgerEntry| entry.dispatched() && entry.tool != Some(Tool::AskUser);
        let asks = |entry: &LedgerEntry| entry.tool == Some(Tool::AskUser);
        if self.has_call(acted) {
            return open;
        }
        if self.reply.asks_back() && self.has_call(asks) {
            // The model asked for what it needs to call the tool.
            open.retain(|need| !matches!(need, Need::Call(_)));
        }
        if let Some(asked) = &self.reply.asked {
            // The question stands in for the call that should have come.
            let tools: Vec<_> = asked.plans().map(Plan::tool).collect();
            open.retain(|need| !matches!(need, Need::Call(tool) if tools.contains(tool)));
        }
        open
    }
}

/// Tells whether a task has these values already.
fn is_so(task: &Task, values: &Values) -> bool {
    let due = match &values.due {
        None => true,
        Some(Due::On { day, .. }) => task.due_date == Some(*day),
        Some(Due::Clear) => task.due_date.is_none(),
        Some(Due::By { .. } | Due::SameWeekday { .. } | Due::Skip { .. }) => false,
    };
    let time = |time| task.due_time.is_some_and(|due| due.time() == time);
    due && values.time.is_none_or(time)
        && !(values.ends_repeat && task.repeat.is_some())
        && values.priority.is_none_or(|level| level == task.priority)
}

fn ask_need(need: &Need, context: &QuestionContext<'_>) -> Option<ServerQuestion> {
    match need {
        Need::Which {
            verb,
            words,
            candidates,
            values,
        } => ask_which(*verb, words, candidates, values, context).ok(),
        Need::All {
            verb,
            tasks,
            values,
        } => ask_change(*verb, tasks, values, context).ok(),
        Need::Unnamed { verb, list, values } => {
            ask_unnamed(*verb, list.as_deref(), values, context)
        }
        Need::NothingToAdd { described } => {
            Some(crate::guard::ask_what_to_add(*described, context.speech))
        }
        Need::Call(_) | Need::Absent { .. } => None,
    }
}
