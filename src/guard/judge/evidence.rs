//! The decision table: what becomes of a proposal, by the evidence that the words hold for it.

use chrono::NaiveDate;

use super::titles::plain;
use super::{Judge, Verdict, deny, question};
use crate::domain::text::Text;
use crate::domain::{Action, Details, ErrorType, Priority, Task, TaskId, Title, Tool, ToolError};
use crate::guard::evidence::{Aim, Carried, Days, Deed, Evidence, Found, Ground, Wanted};
use crate::guard::licence::{Grant, GrantKind};
use crate::guard::values;
use crate::intent::Verb;
use crate::resolver::Resolution;
use crate::tools::{AddPlan, ChangePlan, NewValues, Plan, PlannedValues};
use crate::turn::{LastVerb, Refusal};

/// So many tasks of a set are changed without being shown first.
const SET_RUN: usize = 3;

/// What the evidence decides.
#[derive(Debug)]
pub(super) enum Decision {
    /// As it is.
    Settled(Verdict),
    /// Asked about, unless the words were read as an order.
    Unless(Verdict),
    /// Nothing: the reading of the words decides.
    Open,
}

/// The row of the decision table.
#[derive(Debug, Clone, Copy)]
enum Row {
    Run,
    Ask,
    AskUnless,
    Refuse,
    Open,
}

const fn row(deed: Deed, ground: Ground, named: bool) -> Row {
    match (ground, deed) {
        (Ground::Forbidden, _) => Row::Refuse,
        (Ground::Ordered, _) => Row::Run,
        (Ground::Told | Ground::Carried, Deed::Delete) => Row::Ask,
        (Ground::Told | Ground::Carried, _) => Row::Run,
        (Ground::Doubtful, _) => Row::Ask,
        (Ground::None, _) if named => Row::AskUnless,
        (Ground::None | Ground::Contradicted, _) => Row::Open,
    }
}

impl<'a> Judge<'a> {
    fn carried(&self) -> Carried<'a> {
        let deed = match self.standing.deed {
            Some(LastVerb::Add) => Some(Deed::Add),
            Some(LastVerb::Change(verb)) => Some(deed_of(*verb)),
            _ => None,
        };
        Carried {
            focus: self.situation.context.focus,
            deed,
            day: self.standing.day,
            answers: self.standing.answers,
            offered: self.standing.offered,
            shown: self.standing.shown,
        }
    }

    fn evidence<'t>(&self, text: &'t Text<'t>) -> Evidence<'t>
    where
        'a: 't,
    {
        let tasks = self.standing.began.unwrap_or(self.situation.tasks);
        Evidence::of(text, tasks, self.carried(), self.situation.today, self.lang)
    }

    /// Whether the words take the latest change back.
    pub(super) fn undoes(&self, words: &str) -> bool {
        let text = Text::new(words);
        let evidence = self.evidence(&text);
        // To reopen is to take back that it is done or gone, and nothing else.
        let named = evidence.named_tasks();
        let reopens = |receipt: &crate::store::Receipt| {
            let facts = receipt.facts();
            let ended = matches!(facts.action, Action::CompleteTask | Action::DeleteTask);
            let meant = facts.task_id.is_some_and(|id| named.contains(&id));
            ended && (named.is_empty() || meant)
        };
        let titles = self
            .undoable
            .iter()
            .filter_map(|receipt| receipt.facts().title());
        let titles: Vec<String> = titles.map(str::to_owned).collect();
        // "reopen the essay" takes back nothing that was done to another task.
        let theirs = |id: &TaskId| {
            let mut undoable = self.undoable.iter();
            undoable.any(|receipt| receipt.facts().task_id == Some(*id))
        };
        matches!(evidence.undoes(), Ground::Ordered | Ground::Told)
            && !self.undoable.is_empty()
            && named.iter().all(theirs)
            && (evidence.orders_undo() || self.undoable.iter().all(reopens))
            && !evidence.names_more_than(&titles)
    }

    /// Decides a change of one task by the evidence of the words.
    pub(super) fn change_by_evidence(
        &mut self,
        tool: Tool,
        reference: &str,
        proposed: &NewValues,
    ) -> Decision {
        let verb = match (tool, proposed.completed) {
            (Tool::DeleteTask, _) => Verb::Delete,
            (Tool::CompleteTask, _) | (_, Some(true)) => Verb::Complete,
            (_, Some(false)) => Verb::Reopen,
            (_, None) => Verb::Update,
        };
        let among = crate::guard::licence::among(verb);
        let Resolution::One(id) = self.situation.resolver().resolve(reference, among) else {
            return Decision::Open;
        };
        let Some(task) = self.situation.task(id).cloned() else {
            return Decision::Open;
        };
        let words = self.licence.words.clone();
        let text = Text::new(&words);
        let evidence = self.evidence(&text);
        let aim = evidence.aim(id, among, deed_of(verb));
        tracing::debug!(%tool, ?aim, focus = self.situation.context.focus.len(), "aim");
        // A position stands for a task only where the user counts.
        if is_position(reference) && !words.contains(reference.trim()) {
            return Decision::Open;
        }
        let (at, named) = match aim.clone() {
            Aim::Named(at) => (at, true),
            Aim::Pointed(at) | Aim::Implied(at) => (at, true),
            Aim::Set(at, count) => (at, count <= SET_RUN && verb != Verb::Delete),
            Aim::Quoted => {
                return Decision::Settled(deny(
                    Refusal::Unlicensed,
                    "Only a text that the user quotes names this task: it asks for nothing.",
                ));
            }
            Aim::Shared | Aim::None => return Decision::Open,
        };
        let set = matches!(aim, Aim::Set(..));
        let deed = deed_of(verb);
        if deed == Deed::Delete && evidence.takes_a_part(id) {
            return Decision::Settled(deny(
                Refusal::Unlicensed,
                "The user wants something taken out of this task, not the task deleted: call update_task with the new title.",
            ));
        }
        let noted = self.dropped.len();
        let values = match verb {
            Verb::Update => match self.values_by_evidence(&evidence, &task, &at, proposed) {
                Ok(values) => Some(values),
                Err(error) => return Decision::Settled(Verdict::Fail(error)),
            },
            _ => None,
        };
        if values
            .as_ref()
            .is_some_and(|(values, ..)| *values == PlannedValues::default())
        {
            self.dropped.truncate(noted);
            return Decision::Open;
        }
        let (values, valued, unsaid) = values.unwrap_or_default();
        let wanted = Wanted {
            task: Some(&task),
            values: &valued,
            ..Wanted::deed(deed, &at)
        };
        let ground = match (evidence.ground(&wanted), &values.title) {
            (Ground::None | Ground::Forbidden, Some(title))
                if evidence.puts_right(title.as_str(), task.title.as_str()) =>
            {
                Ground::Told
            }
            (ground, _) => ground,
        };
        tracing::debug!(%tool, ?aim, ?ground, ?valued, "evidence");
        let which = evidence.leaves_open_which(&wanted);
        let plan = Plan::Change(ChangePlan {
            verb,
            task: id,
            title: task.title.as_str().to_owned(),
            values,
        });
        let row = match row(deed, ground, named) {
            Row::Run if which || unsaid || matches!(aim, Aim::Implied(_)) => Row::Ask,
            // The words are those of an earlier question, which is now affirmed.
            Row::Refuse if self.ask_first => Row::Open,
            Row::Run if set && !(named && matches!(ground, Ground::Ordered | Ground::Carried)) => {
                Row::Ask
            }
            Row::Ask | Row::AskUnless if set && deed == Deed::Delete && ground != Ground::Told => {
                Row::Open
            }
            row => row,
        };
        self.decide(row, plan, id)
    }

    fn decide(&mut self, row: Row, plan: Plan, id: TaskId) -> Decision {
        match row {
            Row::Run => {
                if let Plan::Change(change) = &plan {
                    if !self.licence.allow(change) {
                        let text = "What the user asked of this task has been done already.";
                        return Decision::Settled(deny(Refusal::TooMany, text));
                    }
                    self.licence.cover(change.verb, id);
                }
                Decision::Settled(Verdict::Allow(plan))
            }
            Row::Ask => Decision::Settled(self.ask(plan, id)),
            Row::AskUnless if is_deletion(&plan) => Decision::Settled(self.ask(plan, id)),
            Row::AskUnless => {
                let asked = question::ask_plan(plan, self.situation, self.speech);
                Decision::Unless(Verdict::Confirm(asked))
            }
            Row::Refuse => Decision::Settled(deny(
                Refusal::Unlicensed,
                "The user's words do not ask for this: they forbid it, ask about it, or quote somebody.",
            )),
            Row::Open => Decision::Open,
        }
    }

    fn ask(&mut self, plan: Plan, id: TaskId) -> Verdict {
        if let Plan::Change(change) = &plan {
            self.licence.cover(change.verb, id);
        }
        Verdict::Confirm(question::ask_plan(plan, self.situation, self.speech))
    }

    /// The values that the words support, the clauses in which they stand by themselves, and
    /// whether one was left to the model.
    fn values_by_evidence(
        &mut self,
        evidence: &Evidence<'_>,
        task: &Task,
        at: &[usize],
        proposed: &NewValues,
    ) -> Result<(PlannedValues, Vec<usize>, bool), ToolError> {
        let mut values = PlannedValues::default();
        let (mut valued, mut unsaid) = (Vec::new(), false);
        match proposed.due {
            None => {}
            Some(None) if evidence.clears() => {
                values.due_date = Some(None);
                valued.extend(evidence.clearing_at());
            }
            Some(None) => self.dropped.push("update_task.due_date".to_owned()),
            Some(Some(day)) => {
                let title = proposed.title.as_ref().map(Title::as_str);
                let reach = evidence.reach(at);
                let days = evidence.days(Some(task), &reach, title);
                if let Some(at) = self.day_by_evidence(&days, day, "update_task.due_date")? {
                    values.due_date = Some(Some(day));
                    valued.extend(at);
                    // "no longer due on Friday": the day stands there to be taken away.
                    unsaid |= evidence.clears();
                }
            }
        }
        if let Some(priority) = proposed.priority {
            let found = evidence.priority_at(priority, at);
            if !found.is_empty() {
                values.priority = Some(priority);
                valued.extend(found);
            } else if priority != Priority::Medium {
                not_contradicted(evidence, at, priority)?;
                self.dropped.push("update_task.priority".to_owned());
            }
        }
        let mut named = evidence.named_at(task.id);
        if let Some(title) = &proposed.title {
            let same = crate::domain::text::fold(title.as_str())
                == crate::domain::text::fold(task.title.as_str());
            match evidence.title(title.as_str(), Some(task.title.as_str())) {
                _ if same && title.as_str() == task.title.as_str() => {}
                Found::Scattered(_) if evidence.puts_right(title.as_str(), task.title.as_str()) => {
                    values.title = Some(title.clone());
                }
                Found::InOrder(run) if evidence.takes_in_the_order(&run) => {
                    self.dropped.push("update_task.title".to_owned());
                }
                Found::InOrder(run) if !evidence.drops_a_negation(title.as_str(), &run) => {
                    unsaid |= evidence.is_cut_short(&run, title.as_str());
                    named.extend(run);
                    values.title = Some(title.clone());
                }
                Found::InOrder(_) | Found::Scattered(_) => {
                    values.title = Some(title.clone());
                    unsaid = true;
                }
                Found::Missing if evidence.leaves_words() && plain(title.as_str()) => {
                    values.title = Some(title.clone());
                    unsaid = true;
                }
                Found::Missing => self.dropped.push("update_task.title".to_owned()),
            }
        }
        match &proposed.description {
            None => {}
            Some(None) if evidence.clears() => values.description = Some(None),
            Some(Some(note)) if evidence.note_drops_a_negation(note) => {
                let text = "description leaves out a negation of the user's words: keep it";
                return Err(ToolError::new(ErrorType::Validation, text));
            }
            Some(Some(note)) if evidence.note(note, &named) => {
                values.description = Some(Some(note.clone()));
                valued.extend(evidence.noted_at(note));
            }
            Some(_) => self.dropped.push("update_task.description".to_owned()),
        }
        Ok((values, valued, unsaid))
    }

    /// The clauses that support a day, if any; an error that names both when they name another.
    fn day_by_evidence(
        &mut self,
        days: &Days,
        day: NaiveDate,
        name: &str,
    ) -> Result<Option<Vec<usize>>, ToolError> {
        let Some(at) = days.supporting(day) else {
            if days.said {
                let said: Vec<String> = days
                    .all()
                    .into_iter()
                    .take(3)
                    .map(|day| day.to_string())
                    .collect();
                let said = said.join(" or ");
                let text = format!(
                    "{day} disagrees with the user's words, which can mean {said}; use the user's own words"
                );
                return Err(
                    ToolError::new(ErrorType::Validation, format!("due_date {text}")).with(
                        Details {
                            parameter: Some("due_date".to_owned()),
                            value: Some(day.to_string().into()),
                            constraint: Some(text),
                            suggestion: Some(format!("Use {said}")),
                            ..Details::default()
                        },
                    ),
                );
            }
            self.dropped.push(name.to_owned());
            return Ok(None);
        };
        self.due_rule
            .check(day, self.situation.today)
            .map_err(|fault| {
                ToolError::new(ErrorType::Validation, fault.to_string()).with(Details {
                    parameter: Some("due_date".to_owned()),
                    value: Some(day.to_string().into()),
                    constraint: Some(fault.to_string()),
                    ..Details::default()
                })
            })?;
        Ok(Some(at))
    }

    /// The proposed day of a new task, where the words at these clauses support it.
    fn new_day(
        &mut self,
        evidence: &Evidence<'_>,
        at: &[usize],
        due: Option<NaiveDate>,
    ) -> Result<Option<NaiveDate>, ToolError> {
        let Some(day) = due else { return Ok(None) };
        let days = evidence.days(None, at, None);
        let found = self.day_by_evidence(&days, day, "add_task.due_date")?;
        Ok(found.map(|_| day))
    }

    /// Decides an addition that the words only point at, at these clauses: a task's title is taken
    /// over, and what else was shown is put to the user.
    fn add_of_shown(
        &mut self,
        evidence: &Evidence<'_>,
        title: &Title,
        (at, is_task): (Vec<usize>, bool),
        due: Option<NaiveDate>,
        priority: Option<Priority>,
    ) -> Decision {
        let ground = evidence.ground(&Wanted::deed(Deed::Add, &at));
        tracing::debug!(
            tool = "add_task",
            ?at,
            ?ground,
            is_task,
            "evidence of what was shown"
        );
        if ground == Ground::Forbidden {
            return Decision::Open;
        }
        let mut plan = AddPlan {
            title: title.clone(),
            description: None,
            priority: priority
                .filter(|level| !evidence.priority_at(*level, &at).is_empty())
                .unwrap_or_default(),
            due_date: None,
        };
        match self.new_day(evidence, &at, due) {
            Ok(day) => plan.due_date = day,
            Err(error) => return Decision::Settled(Verdict::Fail(error)),
        }
        self.licence.cover_addition(title.as_str());
        let supported = matches!(ground, Ground::Ordered | Ground::Told | Ground::Carried);
        let runs = supported && is_task && self.pending_twin(title.as_str()).is_none();
        Decision::Settled(if runs {
            Verdict::Allow(Plan::Add(plan))
        } else {
            Verdict::Confirm(question::ask_add(vec![plan], self.speech))
        })
    }

    /// Decides an addition by the evidence of the words.
    pub(super) fn add_by_evidence(
        &mut self,
        title: &Title,
        description: Option<&str>,
        priority: Option<Priority>,
        due: Option<NaiveDate>,
    ) -> Decision {
        let words = self.licence.words.clone();
        let text = Text::new(&words);
        let situation = self.situation;
        let evidence = self.evidence(&text);
        // A title that is not the user's contradicts their order, where they gave one.
        let adds = |grant: &Grant| matches!(grant.kind, GrantKind::Add { .. });
        let wrong = if self.licence.grants.iter().any(adds) {
            Refusal::Contradiction
        } else {
            Refusal::Unlicensed
        };
        let found = evidence.title(title.as_str(), None);
        if matches!(found, Found::Missing | Found::Scattered(_))
            && let Some(shown) = evidence.shown_title(title.as_str())
            && plain(title.as_str())
        {
            return self.add_of_shown(&evidence, title, shown, due, priority);
        }
        let (run, scattered) = match found {
            Found::InOrder(run) => (run, false),
            Found::Scattered(_) if title.as_str().contains(|c: char| c.is_ascii_digit()) => {
                return Decision::Settled(deny(
                    wrong,
                    "The title puts the user's numbers in another order: keep theirs.",
                ));
            }
            Found::Scattered(run) => (run, true),
            Found::Missing if !evidence.is_spelt_alike(title.as_str(), "") => {
                return Decision::Settled(deny(
                    wrong,
                    "The title has letters or signs that the user did not write: keep theirs.",
                ));
            }
            Found::Missing => return Decision::Open,
        };
        if evidence.takes_in_another_order(&run) {
            return Decision::Settled(deny(
                wrong,
                "The title takes in what the user orders besides: call the tool for that.",
            ));
        }
        if !scattered && evidence.drops_a_negation(title.as_str(), &run) {
            return Decision::Settled(deny(
                wrong,
                "The title leaves out a negation of the user's words: keep it.",
            ));
        }
        let at = evidence.clauses_of(&run);
        let wanted = Wanted {
            title: &run,
            ..Wanted::deed(Deed::Add, &at)
        };
        let ground = evidence.ground(&wanted);
        tracing::debug!(tool = "add_task", ?at, ?ground, scattered, "evidence");
        let row = match row(Deed::Add, ground, true) {
            Row::Run if scattered => Row::AskUnless,
            row => row,
        };
        let mut plan = AddPlan {
            title: title.clone(),
            description: None,
            priority: Priority::default(),
            due_date: None,
        };
        match self.new_day(&evidence, &at, due) {
            Ok(day) => plan.due_date = day,
            Err(error) => return Decision::Settled(Verdict::Fail(error)),
        }
        if due.is_none()
            && let Some(day) = evidence.only_day(&run)
            && self.due_rule.check(day, situation.today).is_ok()
        {
            plan.due_date = Some(day);
        }
        if let Some(priority) = priority {
            if !evidence.priority_at(priority, &at).is_empty() {
                plan.priority = priority;
            } else if priority != Priority::Medium {
                if let Err(error) = not_contradicted(&evidence, &at, priority) {
                    return Decision::Settled(Verdict::Fail(error));
                }
                self.dropped.push("add_task.priority".to_owned());
            }
        }
        if let Some(note) = description {
            if evidence.note(note, &run) {
                plan.description = Some(note.to_owned());
            } else {
                self.dropped.push("add_task.description".to_owned());
            }
        }
        // A value that fails above spends nothing: the model may call again.
        if matches!(row, Row::Run | Row::Ask | Row::AskUnless) && !self.licence.spend(&run) {
            return Decision::Settled(deny(
                Refusal::TooMany,
                "What these words ask for has been added already.",
            ));
        }
        match row {
            Row::Refuse => Decision::Settled(deny(
                Refusal::Unlicensed,
                "The user's words do not ask to add this: they forbid it, ask about it, or quote somebody.",
            )),
            Row::Open => Decision::Open,
            Row::Run => {
                self.licence.cover_addition(title.as_str());
                if let Some(twin) = self.pending_twin(plan.title.as_str()) {
                    let asked = question::ask_double(plan, twin, self.speech);
                    return Decision::Settled(Verdict::Confirm(asked));
                }
                Decision::Settled(Verdict::Allow(Plan::Add(plan)))
            }
            Row::Ask => {
                self.licence.cover_addition(title.as_str());
                Decision::Settled(Verdict::Confirm(question::ask_add(vec![plan], self.speech)))
            }
            Row::AskUnless => {
                Decision::Unless(Verdict::Confirm(question::ask_add(vec![plan], self.speech)))
            }
        }
    }
}

/// An error that names both levels, where the words say another one than was proposed.
fn not_contradicted(
    evidence: &Evidence<'_>,
    at: &[usize],
    proposed: Priority,
) -> Result<(), ToolError> {
    let levels = [Priority::High, Priority::Medium, Priority::Low];
    let said = levels.into_iter().find(|level| {
        let found = evidence.priority_at(*level, at);
        found.iter().any(|clause| at.contains(clause))
    });
    match said.filter(|said| *said != proposed) {
        Some(said) => values::priority(Some(said), Some(proposed)).map(|_| ()),
        None => Ok(()),
    }
}

/// Whether a reference is a number alone.
fn is_position(reference: &str) -> bool {
    let reference = reference.trim().trim_start_matches('#');
    !reference.is_empty() && reference.chars().all(|c| c.is_ascii_digit())
}

const fn deed_of(verb: Verb) -> Deed {
    match verb {
        Verb::Update => Deed::Update,
        Verb::Complete => Deed::Complete,
        Verb::Reopen => Deed::Reopen,
        Verb::Delete => Deed::Delete,
    }
}

const fn is_deletion(plan: &Plan) -> bool {
    matches!(plan, Plan::Change(change) if matches!(change.verb, Verb::Delete))
}
