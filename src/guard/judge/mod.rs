//! The verdict on each proposed call: allowed, to be confirmed, failed, or denied.

mod add;
mod change;
mod evidence;
mod proposed;
mod sets;
mod shown;
mod times;
mod titles;
mod undo;

use chrono::NaiveDate;

use crate::domain::text::{Kind, Text};
use crate::domain::{DelegateAuthorization, ErrorType, Lang, TaskId, Tool, ToolError};
use crate::intent::{Target, Values, Verb};
use crate::locales::localized;
use crate::resolver::{
    Among, Missing, Position, Reference, Resolution, TaskList, abbreviates, covers,
};
use crate::store::{KnownRuns, ReadResult, Receipt};
use crate::temporal::DueRule;
use crate::tools::{DueRange, ListFilter, NewValues, Plan, Proposal, StatusFilter, read_list};
use crate::turn::{ChoiceMode, LastVerb, Refusal, ServerQuestion};

use evidence::{Decision, is_deletion};

use super::delegation::ErrandPlan;
use super::evidence::message::{agrees_to, says_only_values};
use super::evidence::{can_be_title, says_days};
use super::licence::{GrantKind, Licence, Situation, target_words};
use super::phrases::quoted;
use super::question;
pub(super) use titles::said_by_user;

/// Words of a question that asks for a task by its position and for nothing else, at most.
const SHORT_QUESTION: usize = 7;
/// So many tasks, and so many days, are named to a model that was refused.
const NAMED: usize = 3;

/// Verdict on a proposed call.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// Run it.
    Allow(Plan),
    /// Show it to the user and ask first.
    Confirm(ServerQuestion),
    /// The model's own question, to be judged as prose.
    AskUser {
        /// The question.
        question: String,
        /// Answers to choose from.
        options: Vec<String>,
    },
    /// Something about agents that may run.
    Errand(Box<ErrandPlan>),
    /// Call that was dispatched and fails: the model is told, and may mend it.
    Fail(ToolError),
    /// Call that is not dispatched: the words do not allow it. The model is told why.
    Deny(Refusal, ToolError),
}

/// Context that the turns before leave to go on with.
#[derive(Debug, Clone, Copy, Default)]
pub struct Standing<'a> {
    /// The latest deed: carried out, asked about, or spoken of.
    pub deed: Option<&'a LastVerb>,
    /// The message answers a question about it.
    pub answers: bool,
    /// The message stands by itself, as a greeting or a question of its own: it takes nothing up.
    pub apart: bool,
    /// The values that the latest change gave.
    pub values: Option<&'a Values>,
    /// The reply before, where it made an offer of a model's own and the message takes that up.
    pub accepted: Option<&'a str>,
    /// Titles that the question showed.
    pub offered: &'a [String],
    /// Days that it showed.
    pub asked_days: &'a [NaiveDate],
    /// The user's message before this one, and the reply to it.
    pub shown: &'a [String],
    /// The tasks when the turn began: what the words name is theirs.
    pub began: Option<&'a TaskList>,
    /// The message opens with a no to the question: it carries nothing over as it was.
    pub declined: bool,
    /// The question that waited and that the message is no plain answer to.
    pub asked: Option<&'a ServerQuestion>,
    /// The message has a yes.
    pub agrees: bool,
    /// The question that a yes before these words has answered.
    pub ran: Option<&'a ServerQuestion>,
}

/// Judges the calls of one turn against its licence.
#[derive(Debug)]
pub struct Judge<'a> {
    /// Licence of the words; judging marks what is dealt with.
    pub licence: &'a mut Licence,
    /// The tasks as they stand now.
    pub situation: Situation<'a>,
    /// Rule for the days that may be due dates.
    pub due_rule: DueRule,
    /// The language of the words.
    pub lang: Lang,
    /// The language of the reply.
    pub speech: Lang,
    /// Receipts that an undo would take back.
    pub undoable: &'a [Receipt],
    /// Ask before anything is changed: the words only asked about it.
    pub ask_first: bool,
    /// List in which dropped values are noted.
    pub dropped: &'a mut Vec<String>,
    /// Runs that agents work on, or worked on.
    pub runs: &'a KnownRuns,
    /// Words that it takes to hand work over.
    pub errands: DelegateAuthorization,
    /// Context that the turns before leave to go on with.
    pub standing: Standing<'a>,
}

impl Judge<'_> {
    /// Judges one call.
    pub fn judge(&mut self, proposal: Proposal) -> Verdict {
        let before = self.licence.spans.len();
        let verdict = match proposal {
            Proposal::Add(add) => {
                let verdict = self.judge_shown(add);
                if matches!(verdict, Verdict::Deny(..)) {
                    self.note_denied_part();
                }
                verdict
            }
            Proposal::List(filter) => self.list(filter),
            Proposal::Undo => self.undo(),
            Proposal::Ask { question, options } => Verdict::AskUser { question, options },
            Proposal::Change {
                reference, values, ..
            } if values.take_back => self.take_back(&reference, values),
            Proposal::Change {
                tool,
                reference,
                values,
            } => self.judge_change(tool, &reference, values),
            Proposal::Delegate(call) => self.delegate(*call),
            Proposal::Output(call) => self.output(&call),
            Proposal::Cancel(call) => self.cancel(call),
            Proposal::Delegations(call) => self.delegations(call),
            // Whoever runs calls takes them one by one.
            Proposal::Several(_) => deny(Refusal::TooMany, "Call it once per task."),
        };
        match &verdict {
            // What the reading allows stands where its order does.
            Verdict::Allow(plan) if self.licence.spans.len() == before => {
                let bytes = self.licence.bytes_of(plan);
                self.licence.spans.extend(bytes);
            }
            Verdict::Allow(_) => {}
            _ => self.licence.spans.truncate(before),
        }
        match verdict {
            Verdict::Confirm(asked) => match self.agreed_to(&asked) {
                Some(plan) => Verdict::Allow(plan),
                None => Verdict::Confirm(asked),
            },
            Verdict::Allow(plan @ (Plan::Add(_) | Plan::Change(_))) if self.ask_first => {
                Verdict::Confirm(question::ask_plan(plan, self.situation, self.speech))
            }
            Verdict::Deny(reason @ Refusal::Unlicensed, mut error) => {
                if let Some(named) = self.named_by_the_words() {
                    error.error.push_str(&named);
                }
                Verdict::Deny(reason, error)
            }
            other => other,
        }
    }

    /// The plan of a question that only repeats what the pending one asks, where the words have a yes to it
    /// and nothing against: "yes pet".
    fn agreed_to(&self, asked: &ServerQuestion) -> Option<Plan> {
        let pending = self.standing.asked.filter(|_| self.standing.agrees)?;
        let mut plans = asked.plans();
        let plan = plans.next().filter(|_| plans.next().is_none())?;
        let whole = pending.mode == ChoiceMode::All || pending.items.len() == 1;
        let text = Text::new(&self.licence.words);
        let (named, days) = self.evidence(&text).named();
        let others = |id: &TaskId| !matches!(plan, Plan::Change(plan) if plan.task == *id);
        let verb = match plan {
            Plan::Change(plan) => Some(plan.verb),
            Plan::Add(_) => None,
            Plan::List(_) | Plan::Undo(_) => return None,
        };
        let agrees = whole
            && pending.plans().any(|before| before == plan)
            && !named.iter().any(others)
            && days.iter().all(|day| plan.due() == Some(*day))
            && agrees_to(&self.licence.words, verb);
        agrees.then(|| plan.clone())
    }

    /// Names the tasks and days that the user did name, for a refused model to go by.
    fn named_by_the_words(&self) -> Option<String> {
        let words = self.licence.words.clone();
        let text = Text::new(&words);
        let (tasks, days) = self.evidence(&text).named();
        let titles = tasks.into_iter().filter_map(|id| self.situation.task(id));
        let titles = titles.map(|task| quoted(task.title.as_str()));
        let days = days.into_iter().map(|day| day.to_string());
        let named: Vec<String> = titles.take(NAMED).chain(days.take(NAMED)).collect();
        (!named.is_empty()).then(|| format!(" Their words name {}.", named.join(", ")))
    }

    pub(super) fn judge_change(
        &mut self,
        tool: Tool,
        reference: &str,
        values: NewValues,
    ) -> Verdict {
        let decision = self.change_by_evidence(tool, reference, &values);
        let verdict = self.unless_read(decision, |judge| judge.change(tool, reference, values));
        match verdict {
            Verdict::Allow(plan) if self.means_the_reminder(&plan) => self.ask(plan),
            Verdict::Allow(Plan::Change(change)) if change.values.remind == Some(None) => {
                // Of a reminder that is gone nothing is left to do, and the task stays.
                if self.deletes_its_reminder(change.task) {
                    self.licence.cover(Verb::Delete, change.task);
                }
                Verdict::Allow(Plan::Change(change))
            }
            verdict => verdict,
        }
    }

    /// Tells whether words that have a task deleted may mean its reminder alone: "cancel the reminder
    /// for call mum".
    fn means_the_reminder(&self, plan: &Plan) -> bool {
        let Plan::Change(change) = plan else {
            return false;
        };
        let task = self.situation.task(change.task);
        let waits = task.is_some_and(|task| task.reminders.waiting().is_some());
        is_deletion(plan) && waits && self.deletes_its_reminder(change.task)
    }

    fn deletes_its_reminder(&self, task: TaskId) -> bool {
        let text = Text::new(&self.licence.words);
        self.evidence(&text).deletes_a_reminder(task)
    }

    /// The evidence decides where it can; what it leaves open is decided by the reading.
    fn unless_read(
        &mut self,
        decision: Decision,
        read: impl FnOnce(&mut Self) -> Verdict,
    ) -> Verdict {
        match decision {
            Decision::Settled(verdict) => verdict,
            Decision::Open => read(self),
            Decision::Unless(asked) => match read(self) {
                Verdict::Deny(Refusal::Unlicensed | Refusal::TooMany, _) => asked,
                verdict => verdict,
            },
        }
    }

    fn list(&mut self, filter: ListFilter) -> Verdict {
        let words = self.licence.words.clone();
        let text = Text::new(&words);
        let evidence = self.evidence(&text);
        let (reminders, notes) = (evidence.speaks_of_reminders(), evidence.speaks_of_notes());
        let asked = ListFilter {
            reminders,
            notes,
            ..self.filter(filter, &words)
        };
        match self.at_a_position(asked, &words) {
            Ok(asked) => Verdict::Allow(Plan::List(asked)),
            Err(error) => Verdict::Fail(error),
        }
    }

    /// The filter of the task at a position, where the words ask for nothing else: "what's number 1".
    fn at_a_position(&self, mut asked: ListFilter, words: &str) -> Result<ListFilter, ToolError> {
        let position = position_at_end(words).filter(|(_, named)| {
            let of_it = |query: &String| said_by_user(query, named);
            asked.is_everything() || asked.query.as_ref().is_some_and(of_it)
        });
        let Some((position, _)) = position else {
            return Ok(asked);
        };
        let resolver = self.situation.resolver();
        match resolver.resolve_reference(&Reference::Position(position), Among::All) {
            Resolution::One(id) => {
                let task = self.situation.task(id);
                asked.query = task.map(|task| task.title.as_str().to_owned());
                Ok(asked)
            }
            Resolution::None {
                why: Missing::OutOfRange,
                ..
            } => Err(beyond_the_list(position, self.speech)),
            _ => Ok(asked),
        }
    }

    fn filter(&mut self, mut filter: ListFilter, words: &str) -> ListFilter {
        let text = Text::new(words);
        let evidence = self.evidence(&text);
        filter.priority = filter
            .priority
            .filter(|level| evidence.names_priority(*level));
        // What the words say and the reading does not know stands as the model has it.
        let undated = filter
            .due
            .clone()
            .filter(|due| matches!(due, DueRange::Undated) && evidence.speaks_of_no_date());
        let state = match filter.status {
            StatusFilter::Completed => evidence.names_state(true),
            StatusFilter::Pending => evidence.names_state(false),
            StatusFilter::All => false,
        };
        let dated = filter.due.is_some() && says_days(words, self.situation.today);
        // Reading harms nobody, but the question is the user's: their filter and form, with the
        // model's search words only where the user said them.
        let tasks = self.situation.tasks;
        for grant in &mut self.licence.grants {
            if let GrantKind::List {
                filter: wanted,
                covered,
            } = &mut grant.kind
            {
                if *covered {
                    continue;
                }
                *covered = true;
                let query = filter
                    .query
                    .take()
                    .filter(|query| covers(query, words) || abbreviates(query, words));
                let mut asked = wanted.clone();
                // "when's the next yoga?", "when is everything due?": an absence is said of words
                // alone that can be a title, and where the model finds no better ones among them:
                // in "anything from March on?" it read a day.
                if let Some(said) = &wanted.query
                    && finds_nothing(&asked, tasks)
                {
                    let other = ListFilter {
                        query: query.clone(),
                        ..wanted.clone()
                    };
                    if query.is_some() && !finds_nothing(&other, tasks) {
                        asked = other;
                    } else if (filter.priority.is_some() || state) && says_only_values(said)
                        || query.is_none() && (dated || filter.priority.is_some())
                        || !can_be_title(said)
                    {
                        asked.query = None;
                        asked.one = false;
                        asked.due = asked.due.or_else(|| filter.due.clone());
                    }
                }
                asked.due = asked.due.or(undated);
                // "anything without a date?" is mostly about what is still to be done.
                let state = state && asked.query.is_none();
                if asked.status == StatusFilter::All && (asked.due.is_some() || state) {
                    asked.status = filter.status;
                }
                // "how many things are left for the wedding?": a topic that the words name narrows what
                // the reading knows.
                if asked.query.is_none() {
                    let topic = query.filter(|query| {
                        let narrower = ListFilter {
                            query: Some(query.clone()),
                            ..asked.clone()
                        };
                        asked.is_everything()
                            || can_be_title(query) && !finds_nothing(&narrower, tasks)
                    });
                    asked.query = topic;
                }
                asked.priority = asked.priority.or(filter.priority);
                return asked;
            }
        }
        // A reading nobody asked for shows nothing that the model chose the words of, but for the
        // task that was just spoken of.
        let spoken = self.situation.context.focus.iter();
        let spoken: Vec<String> = spoken
            .filter_map(|id| self.situation.task(*id))
            .map(|task| task.title.as_str().to_owned())
            .collect();
        // A word cut short names a topic where a task has it.
        let topic = abbreviates(filter.query.as_deref().unwrap_or_default(), words)
            && !finds_nothing(&filter, tasks);
        filter.query = filter.query.filter(|query| {
            topic || said_by_user(query, words) || spoken.iter().any(|title| covers(query, title))
        });
        filter
    }

    fn question_context(&self) -> question::QuestionContext<'_> {
        question::QuestionContext {
            situation: self.situation,
            due_rule: self.due_rule,
            speech: self.speech,
        }
    }
}

/// The position that the last words of a short question name, and these words.
fn position_at_end(words: &str) -> Option<(Position, String)> {
    let text = Text::new(words);
    let is_word = |at: &usize| {
        text.tokens
            .get(*at)
            .is_some_and(|token| token.kind == Kind::Word)
    };
    let words: Vec<&str> = (0..text.tokens.len())
        .filter(is_word)
        .map(|at| text.word(at))
        .collect();
    if words.len() > SHORT_QUESTION {
        return None;
    }
    (1..words.len()).find_map(|from| {
        let named = words.get(from..)?.join(" ");
        match Reference::parse(&named) {
            Reference::Position(position @ Position::Nth(_)) if words.len() - from > 1 => {
                Some((position, named))
            }
            _ => None,
        }
    })
}

/// The error for a position beyond the end of the list.
fn beyond_the_list(position: Position, speech: Lang) -> ToolError {
    let what = quoted(&target_words(&Target::Position(position), speech));
    let cause = localized!(speech, "cause-out-of-range");
    let text = localized!(
        speech,
        "could-not",
        verb = "list",
        what = what,
        cause = cause
    );
    ToolError::new(ErrorType::NotFound, text)
}

/// Tells whether no task is among what is asked for.
fn finds_nothing(filter: &ListFilter, tasks: &TaskList) -> bool {
    match read_list(tasks, filter) {
        ReadResult::Tasks { matched, .. } => matched == 0,
        _ => false,
    }
}

pub(super) fn deny(reason: Refusal, text: &str) -> Verdict {
    Verdict::Deny(reason, ToolError::new(ErrorType::Permission, text))
}

pub(super) fn unlicensed(what: &str) -> Verdict {
    deny(
        Refusal::Unlicensed,
        &format!(
            "The user's words do not ask to {what}. Do only what the user's last message asks."
        ),
    )
}
