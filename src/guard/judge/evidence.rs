//! The decision table: what becomes of a proposal, by the evidence that the words hold for it.

use chrono::{NaiveDate, NaiveTime};

use super::{Judge, Verdict, deny, question};
use crate::domain::text::Text;
use crate::domain::{RemindAt, Repeat, Task, Title, Tool};
use crate::guard::evidence::{Aim, Carried, Deed, Evidence, Ground, Wanted, deed_of};
use crate::guard::licence::{Situation, target_words};
use crate::guard::phrases::TOOL_NOT_TRIGGERED;
use crate::guard::unfound::no_such_task;
use crate::intent::{Target, Verb};
use crate::resolver::{Among, Missing, Position, Reference, Resolution};
use crate::tools::{ChangePlan, NewValues, Plan, PlannedValues};
use crate::turn::{LastVerb, Refusal};

/// So many tasks of a set are changed without being shown first.
const SET_RUN: usize = 3;

/// Decision of the evidence.
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
pub(super) enum DecisionRow {
    Run,
    Ask,
    AskUnless,
    Refuse,
    Open,
}

pub(super) const fn row(deed: Deed, ground: Ground, named: bool) -> DecisionRow {
    match (ground, deed) {
        (Ground::Forbidden, _) => DecisionRow::Refuse,
        (Ground::Ordered, _) => DecisionRow::Run,
        (Ground::Told | Ground::Carried, Deed::Delete) => DecisionRow::Ask,
        (Ground::Told | Ground::Carried, _) => DecisionRow::Run,
        (Ground::Doubtful, _) => DecisionRow::Ask,
        (Ground::None, _) if named => DecisionRow::AskUnless,
        (Ground::None | Ground::Contradicted, _) => DecisionRow::Open,
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
            values: self.standing.values,
            answers: self.standing.answers && !self.licence.declines,
            offered: self.standing.offered,
            shown: self.standing.shown,
            answered: match self.standing.shown {
                // An order that came to nothing waits as well.
                [reply, said, ..]
                    if (reply.contains(['?', '؟'])
                        || reply == TOOL_NOT_TRIGGERED
                        || self.standing.accepted.is_some())
                        && !self.standing.apart
                        && !self.licence.declines =>
                {
                    Some(said)
                }
                _ => None,
            },
            accepted: self.standing.accepted,
            asked_days: self.standing.asked_days,
            declined: self.standing.declined,
        }
    }

    pub(super) fn evidence<'t>(&self, text: &'t Text<'t>) -> Evidence<'t>
    where
        'a: 't,
    {
        let tasks = self.standing.began.unwrap_or(self.situation.tasks);
        Evidence::of(text, tasks, self.carried(), self.situation.today, self.lang)
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
        let verb = self.unless_open(verb, reference, proposed);
        let among = crate::guard::licence::among(verb);
        let words = self.licence.words.clone();
        let text = Text::new(&words);
        let resolved = self.situation.resolver().resolve(reference, among);
        let evidence = match (&resolved, self.standing.began) {
            // "create read book and mark it as done": the words name what they add.
            (Resolution::One(id), Some(began)) if began.get(*id).is_none() => Evidence::of(
                &text,
                self.situation.tasks,
                self.carried(),
                self.situation.today,
                self.lang,
            ),
            _ => self.evidence(&text),
        };
        let Resolution::One(id) = resolved else {
            if is_position(reference) {
                return match beyond(reference, &resolved) {
                    Some(position)
                        if words.contains(reference.trim()) && evidence.orders(deed_of(verb)) =>
                    {
                        let named = target_words(&Target::Position(position), self.speech);
                        let why = (Missing::OutOfRange, &[][..]);
                        let error = no_such_task(verb, &named, why, self.speech);
                        Decision::Settled(Verdict::Fail(error))
                    }
                    _ => Decision::Open,
                };
            }
            return self.set_by_evidence(verb, reference, &evidence);
        };
        if self.names_what_is_gone(reference, among) {
            let text = "This task is gone: what the reference names was deleted in this turn.";
            return Decision::Settled(deny(Refusal::WrongTarget, text));
        }
        let Some(task) = self.situation.task(id).cloned() else {
            return Decision::Open;
        };
        // "push gym by a week", and the model leaves it to the words by how much.
        let read = match verb {
            Verb::Update if *proposed == NewValues::default() => self.read_values(&task).ok(),
            _ => None,
        };
        let proposed = read.as_ref().unwrap_or(proposed);
        if verb == Verb::Reopen
            && self.was_just_completed(id)
            && let Some(plainly) = evidence.means_another(id, Deed::Complete)
        {
            let row = if plainly {
                DecisionRow::Run
            } else {
                DecisionRow::Ask
            };
            let all = evidence.every_clause();
            return match self.values_by_evidence(&evidence, &task, &all, proposed) {
                Ok((values, ..)) => self.decide(row, change_of(verb, &task, values)),
                Err(error) => Decision::Settled(Verdict::Fail(error)),
            };
        }
        let back = PlannedValues::of(proposed.clone(), self.situation.zone);
        if verb == Verb::Update && self.goes_back(id, &back, &evidence) {
            self.licence.expect_no_undo();
            return self.decide(DecisionRow::Run, change_of(verb, &task, back));
        }
        let aim = evidence.aim(id, among, deed_of(verb));
        tracing::debug!(%tool, ?aim, focus = self.situation.context.focus.len(), "aim");
        // A position stands for a task only where the user counts.
        if is_position(reference) && !words.contains(reference.trim()) {
            return Decision::Open;
        }
        let (at, named) = match aim.clone() {
            Aim::Named(at) => (at, true),
            // "the second one" is no other than the second.
            Aim::Pointed(_) | Aim::Implied(_) if self.counts_to_another(verb, id) => {
                return Decision::Open;
            }
            Aim::Pointed(at) | Aim::Implied(at) => (at, true),
            Aim::Set(..) if self.is_one_name_of_many(reference, &task) => {
                return self.set_by_evidence(verb, reference, &evidence);
            }
            Aim::Set(at, count) => (at, count <= SET_RUN && verb != Verb::Delete),
            Aim::Quoted => {
                return Decision::Settled(deny(
                    Refusal::Unlicensed,
                    "Only a text that the user quotes names this task: it asks for nothing.",
                ));
            }
            Aim::None if self.reminds_of_unnamed(&evidence, &task, proposed) => {
                (evidence.reminding_at(&[], true), true)
            }
            Aim::Shared(at) => (at, false),
            Aim::None => return Decision::Open,
        };
        let shared = matches!(aim, Aim::Shared(_));
        let guessed = aim == Aim::None;
        // A new title or note may be any words; beside a day or a priority they name something else.
        let worded = proposed.title.is_some() || matches!(proposed.description, Some(Some(_)));
        let implied = matches!(aim, Aim::Implied(_)) && !(verb == Verb::Update && worded);
        let added = self.standing.ran.is_some();
        // "no, remind me at 9pm", of what was about reminding.
        let reminds = proposed.remind.is_some() && evidence.was_about_reminding();
        if implied && verb == Verb::Update && !added && !reminds && evidence.orders(Deed::Add) {
            return Decision::Open;
        }
        let notes = matches!(proposed.description, Some(Some(_))) && evidence.speaks_of_notes();
        let spoken = notes || evidence.orders_of_it(&at) || evidence.only_reminds(id);
        let new = verb == Verb::Update && !spoken;
        if new && self.names_a_new_task(&task) {
            return Decision::Open;
        }
        let set = matches!(aim, Aim::Set(..));
        let deed = deed_of(verb);
        if deed == Deed::Delete && evidence.takes_a_part(id) {
            return Decision::Settled(deny(
                Refusal::Unlicensed,
                "The user wants something taken out of this task, not the task deleted: call update_task with the new title.",
            ));
        }
        if deed == Deed::Delete && self.licence.denied_part && evidence.splits_a_task(&at) {
            return Decision::Settled(deny(
                Refusal::Unlicensed,
                "A part of what is to replace this task was not added: it stays.",
            ));
        }
        let before = self.standing.began.and_then(|tasks| tasks.get(id));
        let reminded = before.is_some_and(|task| !task.reminders.is_empty());
        if deed == Deed::Delete && reminded && evidence.speaks_of_its_reminder(id) {
            return Decision::Settled(deny(
                Refusal::Unlicensed,
                "The user wants the reminder of this task gone, not the task: call update_task with remind \"none\".",
            ));
        }
        let noted = self.dropped.len();
        let values = match verb {
            Verb::Update | Verb::Reopen | Verb::Complete => {
                match self.values_by_evidence(&evidence, &task, &at, proposed) {
                    Ok(values) => Some(values),
                    // What was done is done, whatever value stands beside it.
                    Err(error) if verb == Verb::Complete => {
                        let value = error.details.parameter.unwrap_or_default();
                        self.dropped.push(format!("update_task.{value}"));
                        None
                    }
                    // The day that the words were read to mean.
                    Err(_) if read.is_some() => return Decision::Open,
                    Err(error) => return Decision::Settled(Verdict::Fail(error)),
                }
            }
            _ => None,
        };
        let unvalued = |(values, ..): &(PlannedValues, _, _)| *values == PlannedValues::default();
        if verb == Verb::Update && values.as_ref().is_some_and(unvalued) {
            self.dropped.truncate(noted);
            return Decision::Open;
        }
        let (values, valued, unsaid) = values.unwrap_or_default();
        let wanted = Wanted {
            task: Some(&task),
            values: &valued,
            clears: values.clears(),
            ..Wanted::deed(deed, &at)
        };
        let right = |new: Option<&str>, old: Option<&str>| {
            new.zip(old)
                .is_some_and(|(new, old)| evidence.puts_right(new, old))
        };
        let title = values.title.as_ref().map(Title::as_str);
        let note = values.description.as_ref().and_then(|note| note.as_deref());
        let taken_out = title.is_some_and(|new| evidence.takes_out(new, task.title.as_str()));
        let ground = match evidence.ground(&wanted) {
            Ground::None | Ground::Forbidden | Ground::Contradicted
                if taken_out
                    || right(title, Some(task.title.as_str()))
                    || right(note, task.description.as_deref()) =>
            {
                Ground::Told
            }
            ground => ground,
        };
        tracing::debug!(%tool, ?aim, ?ground, ?valued, "evidence");
        self.licence
            .spans
            .extend(evidence.spans(at.iter().chain(&valued)));
        let loose = evidence.leaves_open_which(&wanted)
            || evidence.names_by_stem(&task)
            || new && ground == Ground::Told && evidence.names_something_new(id)
            || unsaid
            || guessed;
        let is_so = verb == Verb::Update && values.patch().is_so(&task);
        let plan = change_of(verb, &task, values);
        let named_whole = matches!(aim, Aim::Named(_));
        self.cover_read(&evidence, &wanted, (verb, ground), (named_whole, taken_out));
        let row = match row(deed, ground, named) {
            // "It is so already" needs no consent.
            DecisionRow::Ask | DecisionRow::AskUnless if is_so => DecisionRow::Run,
            // Unless the reading asks which of them.
            DecisionRow::Run | DecisionRow::Ask if shared => {
                let asked = question::ask_plan(plan, self.situation, self.speech);
                return Decision::Unless(Verdict::Confirm(asked));
            }
            DecisionRow::Run if loose => DecisionRow::Ask,
            // "the first one": the reading may know which that is.
            DecisionRow::Run
                if implied
                    && !evidence.takes_up_an_offer()
                    && !self.moves_its_reminder(&plan, &evidence) =>
            {
                DecisionRow::AskUnless
            }
            // The words are those of an earlier question, which is now affirmed.
            DecisionRow::Refuse if self.ask_first => DecisionRow::Open,
            DecisionRow::Run
                if set && !(named && matches!(ground, Ground::Ordered | Ground::Carried)) =>
            {
                DecisionRow::Ask
            }
            DecisionRow::Ask | DecisionRow::AskUnless
                if set
                    && deed == Deed::Delete
                    && !matches!(ground, Ground::Told | Ground::Doubtful) =>
            {
                DecisionRow::Open
            }
            row => row,
        };
        self.decide(row, plan)
    }

    /// Tells whether a reference named a task when the turn began that this turn has deleted since:
    /// it names no other that is left.
    fn names_what_is_gone(&self, reference: &str, among: Among) -> bool {
        let Some(tasks) = self.standing.began else {
            return false;
        };
        let began = Situation {
            tasks,
            ..self.situation
        };
        match began.resolver().resolve(reference, among) {
            Resolution::One(id) => self.situation.task(id).is_none(),
            _ => false,
        }
    }

    pub(super) fn decide(&mut self, row: DecisionRow, plan: Plan) -> Decision {
        match row {
            DecisionRow::Run => {
                if let Plan::Change(change) = &plan {
                    if !self.licence.allow(change) {
                        let text = "What the user asked of this task has been done already.";
                        return Decision::Settled(deny(Refusal::TooMany, text));
                    }
                    self.licence.cover_change(change);
                    if change.verb != Verb::Delete {
                        self.licence.cover_written(&change.title);
                    }
                    if let Some(Some(note)) = &change.values.description {
                        self.licence.cover_written(note);
                    }
                }
                Decision::Settled(Verdict::Allow(plan))
            }
            DecisionRow::Ask => Decision::Settled(self.ask(plan)),
            DecisionRow::AskUnless if is_deletion(&plan) => Decision::Settled(self.ask(plan)),
            DecisionRow::AskUnless => {
                let asked = question::ask_plan(plan, self.situation, self.speech);
                Decision::Unless(Verdict::Confirm(asked))
            }
            DecisionRow::Refuse => Decision::Settled(deny(
                Refusal::Unlicensed,
                "The user's words do not ask for this: they forbid it, ask about it, or quote somebody.",
            )),
            DecisionRow::Open => Decision::Open,
        }
    }

    pub(super) fn ask(&mut self, plan: Plan) -> Verdict {
        if let Plan::Change(change) = &plan {
            self.licence.cover_change(change);
        }
        Verdict::Confirm(question::ask_plan(plan, self.situation, self.speech))
    }
}

/// Day, time of day, repetition and reminder of a proposal.
pub(super) type ProposedWhen<'p> = (
    Option<NaiveDate>,
    Option<NaiveTime>,
    Option<&'p Repeat>,
    Option<RemindAt>,
);

pub(super) fn change_of(verb: Verb, task: &Task, values: PlannedValues) -> Plan {
    Plan::Change(ChangePlan {
        verb,
        task: task.id,
        title: task.title.as_str().to_owned(),
        values,
    })
}

/// The position that a reference names, where the list ends before it.
fn beyond(reference: &str, resolved: &Resolution) -> Option<Position> {
    match (Reference::parse(reference.trim()), resolved) {
        (
            Reference::Position(position),
            Resolution::None {
                why: Missing::OutOfRange,
                ..
            },
        ) => Some(position),
        _ => None,
    }
}

/// Tells whether a reference is a number alone.
fn is_position(reference: &str) -> bool {
    let reference = reference.trim().trim_start_matches('#');
    !reference.is_empty() && reference.chars().all(|c| c.is_ascii_digit())
}

pub(super) const fn is_deletion(plan: &Plan) -> bool {
    matches!(plan, Plan::Change(change) if matches!(change.verb, Verb::Delete))
}
