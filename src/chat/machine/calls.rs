//! Running calls: propose, judge, run, note. Those of a model, and those a user's answer allows.

use std::ops::Range;
use std::slice;

use chrono::NaiveDate;
use serde_json::{Value, json};

use super::agents::{RunAnswers, success};
use super::effects::Effect;
use super::tally::{note_outcome, tool_span};
use super::{AttemptFault, TurnMachine};
use crate::chat::ChatError;
use crate::chat::delegation::DelegateAgents;
use crate::chat::guard_port;
use crate::chat::progress::input_of;
use crate::domain::{Action, Cause, ErrorType, Lang, ReceiptId, TaskId, Tool, ToolError, masked};
use crate::guard::PROOF;
use crate::guard::{
    Grant, GrantKind, Judge, Standing, Verdict, amend, ask_plans, is_yes, left_out, may_take_back,
    may_tell, writes,
};
use crate::intent::{Act, Clause, Values};
use crate::llm::{ModelAnswer, PromptMessage, RawCall};
use crate::locales::localized;
use crate::store::ReadResult as ReadReceipt;
use crate::tools::{CallContext, ListFilter, Plan, Proposal, StandingFact, called, propose, run};
use crate::turn::{
    CALLS_MAX, CallResult, ChoiceMode, LastVerb, LedgerEntry, Refusal, RoundReport, ServerQuestion,
};

/// So many things are asked about in one question.
const QUESTION_MAX: usize = 20;

impl TurnMachine<'_> {
    /// Runs the calls of one answer, at most so many, and tells the model what came of them.
    pub(super) async fn run_calls(
        &mut self,
        answer: ModelAnswer,
    ) -> Result<RoundReport, AttemptFault> {
        // To reopen a task may be to take back that it was completed, and to give it a value, that it
        // lost the one it had.
        let words = &self.input.message;
        let takes_back = |call: &RawCall| {
            call.name.trim() == Tool::Undo.as_str()
                || call.name.trim() == Tool::DeleteTask.as_str() && may_take_back(words)
                || call.name.trim() == Tool::UpdateTask.as_str()
                    && (call.arguments.contains("pending") || may_take_back(words))
        };
        if answer.calls.iter().any(takes_back) {
            self.load_undoable().await?;
        }
        if let Some(text) = &answer.text {
            // Prose beside calls is never shown: what is said comes from what came of them.
            self.check_ghost(text);
        }
        let mut report = RoundReport::default();
        let mut spans = Vec::with_capacity(answer.calls.len());
        for (index, call) in answer.calls.iter().enumerate() {
            let entries = if index < CALLS_MAX {
                let span = tool_span(call);
                let entries = span.run(self.run_call(call, &answer.model)).await?;
                note_outcome(&span, &entries);
                entries
            } else {
                let text = format!("too many calls in one answer: at most {CALLS_MAX} are run");
                let error = ToolError::new(ErrorType::Limit, text);
                self.tell_short(call, Some(ErrorType::Limit));
                let refused = CallResult::Refused(Refusal::TooMany, error);
                vec![self.entry_of(call, refused)]
            };
            let first = self.work.ledger.entries().len();
            for entry in entries {
                match &entry.result {
                    CallResult::Failed(_) | CallResult::Refused(..) => report.failed += 1,
                    CallResult::Asked => report.asked = true,
                    CallResult::Done(_) | CallResult::Unchanged(_) => {}
                }
                self.enter(entry);
            }
            spans.push(first..self.work.ledger.entries().len());
        }
        self.attend_runs().await?;
        let results: Vec<PromptMessage> = answer
            .calls
            .iter()
            .zip(spans)
            .map(|(call, span)| PromptMessage::Tool {
                call_id: call.id.clone(),
                content: masked(&self.result_of(span).to_string()).into_owned(),
            })
            .collect();
        self.talk.prompt.push(PromptMessage::Assistant {
            content: None,
            calls: answer.calls,
        });
        self.talk.prompt.extend(results);
        Ok(report)
    }

    /// Returns what a model is told of the call whose entries these are.
    fn result_of(&self, span: std::ops::Range<usize>) -> Value {
        let entries = self.work.ledger.entries().get(span).unwrap_or_default();
        let entries: Vec<&LedgerEntry> = entries.iter().collect();
        let (work, runs) = (&self.work, &*self.runs.known);
        let answers = self
            .rules
            .agents
            .as_ref()
            .map(|_| RunAnswers { work, runs });
        if let Some(result) = answers.and_then(|answers| answers.result(&entries)) {
            return result;
        }
        if let [entry] = entries.as_slice() {
            return self.result_for_model(entry);
        }
        let each: Vec<Value> = entries
            .iter()
            .map(|entry| self.result_for_model(entry))
            .collect();
        let well = entries.iter().all(|entry| entry.succeeded());
        if well {
            success(&json!({ "items": each }))
        } else {
            json!({
                "ok": false, "success": false, "errorType": "execution",
                "error": "Not all of the tasks were added.", "details": { "items": each },
            })
        }
    }

    pub(super) fn call_context<'c>(&'c self, provider: &'c str) -> CallContext<'c> {
        let agents = self.rules.agents.as_ref();
        CallContext {
            today: self.input.moment.today,
            lang: self.intent.completed.reading.lang,
            due_rule: self.rules.policy.due_rule,
            provider,
            agents: agents.map(DelegateAgents::default_persona),
            remind_now: self.input.moment.remind_now,
            zone: self.input.moment.zone,
        }
    }

    async fn run_call(
        &mut self,
        call: &RawCall,
        provider: &str,
    ) -> Result<Vec<LedgerEntry>, ChatError> {
        self.intent.licence.spans.clear();
        let proposed = propose(call, &self.call_context(provider));
        let proposed = proposed.or_else(|error| self.listed_as_asked(error));
        let results = match proposed {
            Err(error) => {
                self.trace_fault(call, provider, &error);
                self.tell_short(call, Some(error.error_type));
                vec![CallResult::Failed(error)]
            }
            Ok((_, Proposal::Several(proposals))) => {
                let mut results = Vec::with_capacity(proposals.len());
                for proposal in proposals {
                    results.extend(self.run_proposal(proposal, call, provider).await?);
                }
                results
            }
            Ok((_, proposal)) => self.run_proposal(proposal, call, provider).await?,
        };
        let entries = results.into_iter();
        Ok(entries.map(|result| self.entry_of(call, result)).collect())
    }

    /// The listing of the user's own days, where the model's can't be read: a reading harms nobody.
    fn listed_as_asked(&self, error: ToolError) -> Result<(Tool, Proposal), ToolError> {
        let unread = error.details.parameter.as_deref() == Some("due")
            && matches!(error.causes.as_slice(), [Cause::NotADay { .. }]);
        let dated = |grant: &Grant| matches!(&grant.kind, GrantKind::List { filter, covered: false } if filter.due.is_some());
        if unread && self.intent.licence.grants.iter().any(dated) {
            return Ok((Tool::ListTasks, Proposal::List(ListFilter::default())));
        }
        Err(error)
    }

    async fn run_proposal(
        &mut self,
        proposal: Proposal,
        call: &RawCall,
        provider: &str,
    ) -> Result<Vec<CallResult>, ChatError> {
        let verdict = self.judge(proposal.clone());
        self.watch.tally.verdict(&verdict);
        let planned = match &verdict {
            Verdict::Allow(plan) => Some(plan.clone()),
            Verdict::Confirm(asked) => only_plan(asked),
            _ => None,
        };
        let left = planned.map(|plan| {
            let left = left_out(&proposal, &plan, self.work.unit.tasks());
            (left, writes(&plan))
        });
        let result = match verdict {
            Verdict::Allow(plan) => self.carry_out(&plan, self.check_live(&plan)),
            Verdict::Confirm(asked) => self.confirm(asked),
            Verdict::AskUser { question, .. } => self.ask_user(&question),
            Verdict::Errand(plan) => {
                let tool = plan.tool();
                let told = self.watch.progress.called(tool, || json!({}));
                let results = self.run_errand(*plan, call, provider).await?;
                self.watch.progress.came(told, tool, &results);
                return Ok(results);
            }
            Verdict::Fail(error) => {
                self.tell_short(call, Some(error.error_type));
                CallResult::Failed(error)
            }
            Verdict::Deny(reason, error) => {
                self.tell_short(call, None);
                CallResult::Refused(reason, error)
            }
        };
        let came = matches!(
            result,
            CallResult::Done(_) | CallResult::Unchanged(_) | CallResult::Asked
        );
        if let Some((mut left, written)) = left.filter(|_| came) {
            let (today, lang) = (self.input.moment.today, self.words_language());
            left.retain(|left| may_tell(left.value, &self.input.message, today, lang));
            self.work.ledger.note_left_out(left, &written);
        }
        Ok(vec![result])
    }

    /// Tells whoever watches of a call that did not run; `why` is left out for one that the
    /// words do not allow.
    fn tell_short(&self, call: &RawCall, why: Option<ErrorType>) {
        if self.watch.progress.is_watched() {
            let agents = self.rules.agents.is_some();
            let tool = called(&call.name, &call.arguments, agents).tool;
            self.watch.progress.stopped_short(tool, why);
        }
    }

    /// A call that could not be read, for whoever watches which tools models confuse (D-057).
    fn trace_fault(&self, call: &RawCall, provider: &str, error: &ToolError) {
        tracing::info!(
            target: "tool.validation",
            conversation = %self.input.conversation,
            tool = call.name,
            error_type = ?error.error_type,
            schema_errors = ?error.details.schema_errors,
            suggestions = ?error.details.suggestions,
            provider,
            "Tool validation failed, sending error to model for trajectory adjustment"
        );
    }

    /// Places of the words of the message that support the call at hand.
    fn spans(&self) -> Vec<Range<usize>> {
        let words = &self.intent.licence.words;
        let Some(from) = self.input.message.find(words.as_str()) else {
            return Vec::new();
        };
        let spans = self.intent.licence.spans.iter();
        spans
            .map(|span| span.start + from..span.end + from)
            .collect()
    }

    fn entry_of(&self, call: &RawCall, result: CallResult) -> LedgerEntry {
        let arguments = serde_json::from_str(&call.arguments)
            .unwrap_or_else(|_| Value::String(call.arguments.chars().take(500).collect()));
        let called = called(&call.name, &call.arguments, self.rules.agents.is_some());
        let own = called.tool.map(|tool| tool.as_str().to_owned());
        LedgerEntry {
            call_id: Some(call.id.clone()),
            name: own.unwrap_or_else(|| call.name.trim().to_owned()),
            called_as: called.called_as,
            tool: called.tool,
            arguments,
            round: self.talk.round,
            spans: match &result {
                CallResult::Done(_) => self.spans(),
                _ => Vec::new(),
            },
            result,
        }
    }

    fn judge(&mut self, proposal: Proposal) -> Verdict {
        let (deed, answers, offered) = self.goes_on_with();
        let apart = self.asks_to_be_told() || self.is_social();
        let agrees = self.intent.clauses().iter().any(|c| is_yes(&c.act));
        let asked = self.stored.pending.as_ref().map(|(_, asked)| asked);
        // "no, the essay", "yes, and the tea too": the day that was asked about is theirs as well.
        let declined = self.reply.declined.is_some();
        let taken_up = asked.filter(|_| declined || self.reply.ran);
        let plans = taken_up.iter().flat_map(|asked| asked.plans());
        let asked_days: Vec<NaiveDate> = plans.filter_map(Plan::due).collect();
        let last = self.stored.history.iter().rev().take(2);
        let shown: Vec<String> = last.map(|line| line.content.clone()).collect();
        let mut judge = Judge {
            licence: &mut self.intent.licence,
            situation: (self.conversation).situation(self.work.unit.tasks(), self.input.moment),
            due_rule: self.rules.policy.due_rule,
            lang: self.intent.completed.reading.lang,
            speech: self.intent.speech,
            undoable: &self.stored.undoable,
            ask_first: self.intent.completed.ask_first,
            dropped: &mut self.work.ledger.dropped,
            runs: &self.runs.known,
            standing: Standing {
                deed: deed.as_ref(),
                answers,
                apart,
                values: Some(&self.conversation.frame.values),
                accepted: shown
                    .first()
                    .filter(|_| self.intent.accepts)
                    .map(String::as_str),
                offered: &offered,
                asked_days: &asked_days,
                shown: &shown,
                began: Some(&self.stored.began),
                declined,
                asked: asked.filter(|_| !self.reply.ran),
                agrees,
                ran: asked.filter(|_| self.reply.ran),
            },
            errands: (self.rules.agents.as_ref())
                .map_or_else(Default::default, |agents| agents.settings.authorization),
        };
        let gates = &self.rules.gates;
        guard_port::ask(|| gates.judge(&mut judge, proposal)).unwrap_or_else(|_| {
            let text = localized!(self.intent.speech, "not-checked");
            Verdict::Fail(ToolError::new(ErrorType::Internal, text))
        })
    }

    /// Tells whether the message asks for something of its own, and answers nothing: "show my tasks".
    fn asks_to_be_told(&self) -> bool {
        let mut clauses = self.intent.clauses().iter();
        clauses.any(|clause| match &clause.act {
            Act::List(listing) => !listing.unasked,
            Act::Past(_) | Act::Help(_) => true,
            _ => false,
        })
    }

    /// Tells whether the message is nothing but a greeting, thanks or the like.
    fn is_social(&self) -> bool {
        let clauses = self.intent.clauses();
        let social = |clause: &Clause| matches!(clause.act, Act::Social(_));
        !clauses.is_empty() && clauses.iter().all(social)
    }

    /// The deed that the message may go on with, whether it answers a question about it, and the
    /// titles that the question showed.
    fn goes_on_with(&self) -> (Option<LastVerb>, bool, Vec<String>) {
        let answers = !self.asks_to_be_told();
        if let Some((_, asked)) = &self.stored.pending {
            let deed = asked.plans().find_map(|plan| match plan {
                Plan::Add(_) => Some(LastVerb::Add),
                Plan::Change(change) => Some(LastVerb::Change(change.verb)),
                _ => None,
            });
            let titles = asked.items.iter().map(|item| item.title.clone());
            return (deed, answers, titles.collect());
        }
        match &self.conversation.frame.open {
            Some(deed) => {
                // What failed is put right by words that take it up; a question is answered by any.
                let last = self.stored.history.last();
                let asked = last.is_some_and(|line| line.content.contains(['?', '؟']));
                let answers = answers && asked || self.intent.accepts;
                (Some(deed.clone()), answers, Vec::new())
            }
            None => (self.conversation.frame.verb.clone(), false, Vec::new()),
        }
    }

    /// Reads the row of a task that the model's talk states facts of: the receipt is its proof.
    pub(super) fn note_proof(&mut self, task: TaskId) {
        let Some(task) = self.work.unit.task(task) else {
            return;
        };
        let filter = ListFilter {
            query: Some(task.title.as_str().to_owned()),
            ..ListFilter::default()
        };
        self.read_by_itself(PROOF, &Plan::List(filter));
    }

    /// Reads the list without a call of the model.
    pub(super) fn list_by_itself(&mut self, plan: &Plan) {
        self.read_by_itself(plan.tool().as_str(), plan);
    }

    fn read_by_itself(&mut self, name: &str, plan: &Plan) {
        let result = self.run_plan(plan);
        let entry = LedgerEntry::planned(name, plan, result);
        self.enter(entry);
    }

    /// Runs a plan that was `checked`, and tells whoever watches.
    fn carry_out(&mut self, plan: &Plan, checked: Result<(), ToolError>) -> CallResult {
        let tool = plan.tool();
        let told = self.watch.progress.called(tool, || input_of(plan));
        let result = match checked {
            Ok(()) => self.run_plan(plan),
            Err(error) => CallResult::Failed(error),
        };
        self.watch
            .progress
            .came(told, tool, slice::from_ref(&result));
        result
    }

    fn run_plan(&mut self, plan: &Plan) -> CallResult {
        let first = self.work.next_proof();
        CallResult::of(run(plan, &mut self.work.unit, &self.stored.undoable), first)
    }

    /// Puts a question to the user. Several become one, and one task is asked about once: what is
    /// proposed for it first.
    pub(super) fn confirm(&mut self, asked: ServerQuestion) -> CallResult {
        let Some(standing) = &self.reply.asked else {
            self.reply.asked = Some(asked);
            return CallResult::Asked;
        };
        let refuse = |text: &str| {
            let error = ToolError::new(ErrorType::Limit, text);
            CallResult::Refused(Refusal::TooMany, error)
        };
        if *standing == asked {
            return CallResult::Asked;
        }
        if standing.mode != ChoiceMode::All || asked.mode != ChoiceMode::All {
            return refuse("the user is asked something else first");
        }
        let known = |task| standing.items.iter().any(|item| item.task == Some(task));
        if asked.items.iter().filter_map(|item| item.task).any(known) {
            return refuse("the user is asked about this task already");
        }
        let plans: Vec<Plan> = standing.plans().chain(asked.plans()).cloned().collect();
        if plans.len() > QUESTION_MAX {
            return refuse("no more than twenty things are asked about at once");
        }
        let joined = ask_plans(plans, self.situation(), self.intent.speech);
        self.reply.asked = Some(joined);
        CallResult::Asked
    }

    /// Runs what a user's answer chose, in one transaction. No model is asked.
    pub(super) async fn run_items(
        &mut self,
        asked: &ServerQuestion,
        items: &[usize],
        amended: &Values,
    ) -> Result<(), ChatError> {
        let chosen = items.iter().filter_map(|index| asked.items.get(*index));
        let plans: Vec<Plan> = chosen.flat_map(|item| item.plans.clone()).collect();
        for mut plan in plans {
            if let Plan::Undo(ids) = &plan {
                self.load_receipts(&ids.clone()).await?;
            }
            let (situation, rule) = (self.situation(), self.rules.policy.due_rule);
            amend(&mut plan, amended, &situation, rule);
            let checked = self
                .check_standing(&plan)
                .and_then(|()| self.check_due(&plan))
                .and_then(|()| self.check_live(&plan));
            let result = self.carry_out(&plan, checked);
            let entry = LedgerEntry::planned(plan.tool().as_str(), &plan, result);
            self.enter(entry);
        }
        Ok(())
    }

    /// Checks that what was shown is still what would be changed.
    fn check_standing(&self, plan: &Plan) -> Result<(), ToolError> {
        let Plan::Change(plan) = plan else {
            return Ok(());
        };
        match self.work.unit.task(plan.task) {
            Some(task) if task.title.as_str() != plan.title => {
                let shown = crate::domain::shown(&plan.title);
                let text = format!("Could not change \"{shown}\": it was renamed since.");
                let title = plan.title.clone();
                let error = ToolError::new(ErrorType::Conflict, text);
                Err(error.because([Cause::RenamedSince { title }]))
            }
            _ => Ok(()),
        }
    }

    fn check_due(&self, plan: &Plan) -> Result<(), ToolError> {
        let Some(day) = plan.due() else {
            return Ok(());
        };
        let rule = self.rules.policy.due_rule;
        Ok(rule.check(day, self.input.moment.today)?)
    }

    async fn load_receipts(&mut self, ids: &[ReceiptId]) -> Result<(), ChatError> {
        for id in ids {
            let found = self.read(|answer| Effect::ReadReceipt(*id, answer)).await?;
            if let Some(entry) = found
                && entry.undone_by.is_none()
            {
                self.stored.undoable.push(entry.receipt);
            }
        }
        Ok(())
    }

    /// Notes a reading of receipts that the server made itself.
    pub(super) fn record_history(&mut self, reading: ReadReceipt) {
        let first = self.work.next_proof();
        self.work.unit.read(Action::History, reading);
        let result = CallResult::Done(first..first + 1);
        let entry = LedgerEntry::own(Action::History.as_str(), result);
        self.work.ledger.push(entry);
    }

    /// Returns what a model is told of a call: facts without ids, or the error.
    fn result_for_model(&self, entry: &LedgerEntry) -> Value {
        match &entry.result {
            CallResult::Done(range) => {
                let proofs = self.work.proofs();
                let lines: Vec<String> = proofs
                    .get(range.clone())
                    .unwrap_or_default()
                    .iter()
                    .map(|proof| crate::guard::receipt_line(*proof, Lang::En))
                    .collect();
                success(&json!({ "result": lines }))
            }
            CallResult::Unchanged(fact) => success(&json!({ "unchanged": unchanged(fact) })),
            CallResult::Asked => success(&json!({ "waiting": "the user is being asked" })),
            CallResult::Failed(error) | CallResult::Refused(_, error) => error.to_wire(),
        }
    }
}

/// The plan of a question about one thing.
fn only_plan(asked: &ServerQuestion) -> Option<Plan> {
    let [item] = asked.items.as_slice() else {
        return None;
    };
    match item.plans.as_slice() {
        [plan] => Some(plan.clone()),
        _ => None,
    }
}

fn unchanged(fact: &StandingFact) -> &'static str {
    match fact {
        StandingFact::AlreadyDone(_) => "it was already done",
        StandingFact::AlreadyOpen(_) => "it was already pending",
        StandingFact::AlreadySo(_) => "it already had these values",
        StandingFact::AlreadyDeleted(_) => "it was already deleted",
        StandingFact::NothingToUndo => "there is nothing to undo",
        StandingFact::Previewed(_) => "nothing was started: this was a preview",
    }
}
