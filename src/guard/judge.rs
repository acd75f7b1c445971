//! The verdict on each proposed call: allowed, to be confirmed, failed, or denied.

use crate::domain::{Details, ErrorType, Lang, Task, TaskId, Tool, ToolError, text::fold};
use crate::intent::{Addition, Target, Values, Verb};
use crate::resolver::{Candidate, Missing, Reference, Resolution, Words, covers, title_words};
use crate::store::Receipt;
use crate::temporal::DueRule;
use crate::tools::{AddPlan, ChangePlan, ListFilter, NewValues, Plan, PlannedValues, Proposal};
use crate::turn::{Asked, Refusal};

use super::licence::{Grant, GrantKind, Licence, Meaning, Part, Situation, addition_parts, among};
use super::phrases::{Speech, absent};
use super::question;
use super::values::{self, Calendar};

/// What becomes of a proposed call.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// Run it.
    Allow(Plan),
    /// Show it to the user and ask first.
    Confirm(Asked),
    /// The model's own question, to be judged as prose.
    AskUser {
        /// The question.
        question: String,
        /// Answers to choose from.
        options: Vec<String>,
    },
    /// It was dispatched and fails: the model is told, and may mend it.
    Fail(ToolError),
    /// It is not dispatched: the words do not allow it. The model is told why.
    Deny(Refusal, ToolError),
}

/// Judges the calls of one turn against its licence.
#[derive(Debug)]
pub struct Judge<'a> {
    /// What the words allow; judging marks what is dealt with.
    pub licence: &'a mut Licence,
    /// The tasks as they stand now.
    pub situation: Situation<'a>,
    /// Which days may be due dates.
    pub due_rule: DueRule,
    /// The language of the words.
    pub lang: Lang,
    /// The language of the reply.
    pub speech: Speech,
    /// What an undo would take back.
    pub undoable: &'a [Receipt],
    /// Ask before anything is changed: the words only asked about it.
    pub ask_first: bool,
    /// Where dropped values are noted.
    pub dropped: &'a mut Vec<String>,
}

/// Which part of the licence a call is about.
type Place = (usize, usize);

impl Judge<'_> {
    /// Judges one call.
    pub fn judge(&mut self, proposal: Proposal) -> Verdict {
        let verdict = match proposal {
            Proposal::Add { .. } => self.add(proposal),
            Proposal::List(filter) => self.list(filter),
            Proposal::Undo => self.undo(),
            Proposal::Ask { question, options } => Verdict::AskUser { question, options },
            Proposal::Change {
                tool,
                reference,
                values,
            } => self.change(tool, &reference, values),
        };
        match verdict {
            Verdict::Allow(plan @ (Plan::Add(_) | Plan::Change(_))) if self.ask_first => {
                Verdict::Confirm(question::ask_plan(plan, self.situation, self.speech))
            }
            other => other,
        }
    }

    fn list(&mut self, mut filter: ListFilter) -> Verdict {
        let words = self.licence.words.clone();
        // Reading harms nobody, but the question is the user's: their filter and form, with the
        // model's search words only where the user said them.
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
                let query = filter.query.take().filter(|query| covers(query, &words));
                let mut asked = wanted.clone();
                if asked.query.is_none() && asked.is_everything() {
                    asked.query = query;
                }
                return Verdict::Allow(Plan::List(asked));
            }
        }
        Verdict::Allow(Plan::List(filter))
    }

    fn undo(&mut self) -> Verdict {
        for grant in &mut self.licence.grants {
            if let GrantKind::Undo { covered } = &mut grant.kind {
                if *covered {
                    return deny(Refusal::TooMany, "The user asked for one undo only.");
                }
                *covered = true;
                let ids = self.undoable.iter().map(|receipt| receipt.facts().id);
                return Verdict::Allow(Plan::Undo(ids.collect()));
            }
        }
        unlicensed("undo anything")
    }

    fn add(&mut self, proposal: Proposal) -> Verdict {
        let Proposal::Add {
            title,
            description,
            priority,
            due,
        } = proposal
        else {
            return unlicensed("do that");
        };
        let adds = self.licence.grants.iter().enumerate();
        let open = adds.filter_map(|(index, grant)| match &grant.kind {
            GrantKind::Add { addition, covered } => {
                Some((index, pick_part(addition, covered, title.as_str())?))
            }
            _ => None,
        });
        // The addition whose own words the title takes up, else the first that is still open.
        let Some((index, picked)) = open.min_by_key(|(_, picked)| !picked.named) else {
            let any = |grant: &Grant| matches!(grant.kind, GrantKind::Add { .. });
            if self.licence.grants.iter().any(any) {
                return deny(
                    Refusal::TooMany,
                    "Everything the user asked to add has been added already.",
                );
            }
            return unlicensed("add a task");
        };
        let clause = self.licence.clause_words(index).to_owned();
        let Some(Grant {
            kind: GrantKind::Add { addition, covered },
            ..
        }) = self.licence.grants.get_mut(index)
        else {
            return unlicensed("add a task");
        };
        let part = addition_parts(addition).get(picked.part).copied().cloned();
        let wanted = part.unwrap_or_default();
        let wanted_due = wanted.due.clone().or_else(|| addition.whole.due.clone());
        let wanted_priority = wanted.priority.or(addition.whole.priority);
        let described = addition.described;
        let words = format!("{clause}\n{}", addition.whole.title);
        let calendar = Calendar {
            today: self.situation.today,
            rule: self.due_rule,
            words: &words,
            lang: self.lang,
        };
        let settled_due = match calendar.due(wanted_due.as_ref(), due.map(Some), None) {
            Ok(settled) => settled,
            Err(error) => return Verdict::Fail(error),
        };
        let settled_priority = match values::priority(wanted_priority, priority) {
            Ok(settled) => settled,
            Err(error) => return Verdict::Fail(error),
        };
        let note = wanted.description.as_deref();
        let settled_note = values::description(note, description.as_deref(), &words);
        let said = covers(title.as_str(), &words) && !described;
        // Another wording may stand for the part if it has a word of it; one that has none is
        // asked about, and the part stays open.
        if said || described || shares_a_word(title.as_str(), &wanted.title) {
            for part in &picked.covers {
                if let Some(done) = covered.get_mut(*part) {
                    *done = true;
                }
            }
        }
        let plan = AddPlan {
            due_date: settled_due
                .noted("add_task.due_date", self.dropped)
                .flatten(),
            priority: settled_priority
                .noted("add_task.priority", self.dropped)
                .unwrap_or_default(),
            description: settled_note.noted("add_task.description", self.dropped),
            title,
        };
        if !said {
            return Verdict::Confirm(question::ask_add(vec![plan], self.speech));
        }
        if let Some(twin) = self.pending_twin(plan.title.as_str()) {
            return Verdict::Confirm(question::ask_double(plan, twin, self.speech));
        }
        Verdict::Allow(Plan::Add(plan))
    }

    fn pending_twin(&self, title: &str) -> Option<&Task> {
        let key = fold(title);
        let mut tasks = self.situation.tasks.iter();
        tasks.find(|task| !task.status.is_completed() && fold(task.title.as_str()) == key)
    }

    fn change(&mut self, tool: Tool, reference: &str, values: NewValues) -> Verdict {
        let Some(verb) = self.verb_of(tool, &values) else {
            return unlicensed(match tool {
                Tool::DeleteTask => "delete a task",
                Tool::CompleteTask => "mark a task as done",
                _ => "change a task",
            });
        };
        let resolved = self.situation.resolver().resolve(reference, among(verb));
        match self.place(verb, reference, &resolved) {
            Some(place) => self.change_part(place, verb, reference, &resolved, values),
            None => deny(
                Refusal::TooMany,
                "Every task the user named for this has been dealt with already.",
            ),
        }
    }

    /// The licensed verb that a tool would carry out.
    fn verb_of(&self, tool: Tool, values: &NewValues) -> Option<Verb> {
        let granted = |wanted: Verb| {
            let mut grants = self.licence.grants.iter();
            grants.any(|g| matches!(g.kind, GrantKind::Change { verb, .. } if verb == wanted))
        };
        let verbs: &[Verb] = match (tool, values.completed) {
            (Tool::DeleteTask, _) => &[Verb::Delete],
            (Tool::CompleteTask, _) => &[Verb::Complete],
            (_, Some(true)) => &[Verb::Complete, Verb::Update],
            (_, Some(false)) => &[Verb::Reopen, Verb::Update],
            (_, None) => &[Verb::Update],
        };
        verbs.iter().copied().find(|verb| granted(*verb))
    }

    /// The part of the licence that the call is about: the one that means the same task, else
    /// the set that contains it, else the first one that no call has touched.
    fn place(&self, wanted: Verb, reference: &str, resolved: &Resolution) -> Option<Place> {
        let parts = || {
            self.licence
                .grants
                .iter()
                .enumerate()
                .flat_map(|(g, grant)| {
                    let parts = match &grant.kind {
                        GrantKind::Change { verb, parts, .. } if *verb == wanted => {
                            parts.as_slice()
                        }
                        _ => &[],
                    };
                    parts
                        .iter()
                        .enumerate()
                        .map(move |(p, part)| ((g, p), part))
                })
        };
        let same = parts().find(|(_, part)| {
            !part.touched
                && match (&part.meaning, resolved) {
                    (Meaning::One(id), Resolution::One(other)) => id == other,
                    (Meaning::One(id), Resolution::Many(candidates)) => {
                        candidates.iter().any(|candidate| candidate.id == *id)
                    }
                    (Meaning::Set(ids), Resolution::One(other)) => ids.contains(other),
                    _ => fold(&part.words()) == fold(reference),
                }
        });
        let open = || parts().find(|(_, part)| !part.touched);
        let joined = || {
            // One by one through a set that is being asked about: they join that question.
            parts().find(|(_, part)| match (&part.meaning, resolved) {
                (Meaning::Set(ids), Resolution::One(id)) => ids.contains(id),
                _ => false,
            })
        };
        same.or_else(open).or_else(joined).map(|(place, _)| place)
    }

    fn change_part(
        &mut self,
        (grant, part): Place,
        verb: Verb,
        reference: &str,
        resolved: &Resolution,
        proposed: NewValues,
    ) -> Verdict {
        let Some(Grant {
            kind: GrantKind::Change { parts, values, .. },
            ..
        }) = self.licence.grants.get(grant)
        else {
            return unlicensed("change a task");
        };
        let Some(found) = parts.get(part).cloned() else {
            return unlicensed("change a task");
        };
        let wanted = values.clone();
        let position = matches!(Reference::parse(reference), Reference::Position(_));
        match (&found.meaning, resolved) {
            (Meaning::One(id), Resolution::One(other)) if id != other => {
                self.wrong_target(&found, *id, *other)
            }
            (Meaning::One(_), Resolution::None { why, nearest }) if !found.named_as(reference) => {
                self.touch((grant, part), None);
                self.missing(verb, reference, *why, nearest)
            }
            (Meaning::One(id), _) => {
                self.touch((grant, part), Some(*id));
                let words = self.licence.clause_words(grant).to_owned();
                self.change_one(verb, *id, &words, &wanted, proposed)
            }
            (Meaning::Many(candidates), _) => {
                self.touch((grant, part), None);
                self.which(verb, &found.words(), candidates, &wanted)
            }
            (Meaning::Set(ids), _) if ids.is_empty() => {
                self.touch((grant, part), None);
                self.missing(verb, &found.words(), Missing::NoMatch, &[])
            }
            (Meaning::Set(ids), _) => {
                self.touch((grant, part), None);
                self.all(verb, ids, &wanted)
            }
            (Meaning::Nothing { .. } | Meaning::Unnamed, _) if position => deny(
                Refusal::BarePosition,
                "The user named no position: name the task by its title.",
            ),
            // The words name no task for certain; the model's guess is shown and asked about.
            (Meaning::Nothing { .. } | Meaning::Unnamed, Resolution::One(id)) => {
                self.touch((grant, part), None);
                self.confirm_one(verb, *id, &wanted)
            }
            (Meaning::Nothing { .. } | Meaning::Unnamed, Resolution::Many(candidates)) => {
                self.touch((grant, part), None);
                self.which(verb, reference, candidates, &wanted)
            }
            (Meaning::Nothing { why, nearest }, Resolution::None { .. })
                if !matches!(why, Missing::NoFocus | Missing::NothingShown) =>
            {
                self.touch((grant, part), None);
                self.missing(verb, &found.words(), *why, nearest)
            }
            // The words name nothing that could be looked for: ask which task is meant.
            (Meaning::Nothing { .. } | Meaning::Unnamed, Resolution::None { why, nearest }) => {
                self.touch((grant, part), None);
                let list = match &found.target {
                    Target::Set(set) => set.list.as_deref(),
                    _ => None,
                };
                let context = self.question_context();
                match question::ask_unnamed(verb, list, &wanted, &context) {
                    Some(asked) => Verdict::Confirm(asked),
                    None => self.missing(verb, reference, *why, nearest),
                }
            }
        }
    }

    fn wrong_target(&self, part: &Part, said: TaskId, proposed: TaskId) -> Verdict {
        let title = |id: TaskId| {
            let task = self.situation.task(id);
            task.map(|task| task.title.as_str().to_owned())
                .unwrap_or_default()
        };
        let text = format!(
            "The user's words \"{}\" mean \"{}\", not \"{}\".",
            part.words(),
            title(said),
            title(proposed)
        );
        let error = ToolError::new(ErrorType::Permission, text).with(Details {
            parameter: Some("task".to_owned()),
            value: Some(title(proposed).into()),
            suggestion: Some(format!("Use \"{}\"", title(said))),
            ..Details::default()
        });
        Verdict::Deny(Refusal::WrongTarget, error)
    }

    fn touch(&mut self, (grant, part): Place, done: Option<TaskId>) {
        if let Some(grant) = self.licence.grants.get_mut(grant)
            && let GrantKind::Change { parts, .. } = &mut grant.kind
            && let Some(part) = parts.get_mut(part)
        {
            part.touched = true;
            part.done.extend(done);
        }
    }

    /// One licensed task: settle the values and go.
    fn change_one(
        &mut self,
        verb: Verb,
        id: TaskId,
        words: &str,
        wanted: &Values,
        proposed: NewValues,
    ) -> Verdict {
        let Some(task) = self.situation.task(id) else {
            return self.missing(verb, "it", Missing::NoMatch, &[]);
        };
        let mut plan = ChangePlan {
            verb,
            task: id,
            title: task.title.as_str().to_owned(),
            values: PlannedValues::default(),
        };
        if verb != Verb::Update {
            return Verdict::Allow(Plan::Change(plan));
        }
        match self.settle(task, words, wanted, proposed) {
            Ok((values, said)) => {
                plan.values = values;
                if plan.values == PlannedValues::default() {
                    return Verdict::Confirm(question::ask_what_to_change(task, self.speech));
                }
                let plan = Plan::Change(plan);
                if said {
                    Verdict::Allow(plan)
                } else {
                    Verdict::Confirm(question::ask_plan(plan, self.situation, self.speech))
                }
            }
            Err(error) => Verdict::Fail(error),
        }
    }

    /// The values to write, and whether every text in them was said by the user.
    fn settle(
        &mut self,
        task: &Task,
        words: &str,
        wanted: &Values,
        proposed: NewValues,
    ) -> Result<(PlannedValues, bool), ToolError> {
        let calendar = Calendar {
            today: self.situation.today,
            rule: self.due_rule,
            words,
            lang: self.lang,
        };
        let due = calendar.due(wanted.due.as_ref(), proposed.due, task.due_date)?;
        let priority = values::priority(wanted.priority, proposed.priority)?;
        let note = proposed.description.clone().flatten();
        let note = values::description(wanted.description.as_deref(), note.as_deref(), words);
        let mut said = true;
        let title = match (wanted.title.as_deref(), proposed.title) {
            (Some(_), Some(title)) if covers(title.as_str(), words) => Some(title),
            (None, Some(title)) if wanted.described => {
                said = false;
                Some(title)
            }
            (Some(wanted), _) => crate::domain::Title::parse(wanted).ok(),
            (None, Some(title)) => {
                if fold(title.as_str()) != fold(task.title.as_str()) {
                    self.dropped.push("update_task.title".to_owned());
                }
                None
            }
            (None, None) => None,
        };
        if proposed.completed.is_some() {
            self.dropped.push("update_task.status".to_owned());
        }
        let values = PlannedValues {
            title,
            description: note
                .noted("update_task.description", self.dropped)
                .map(Some),
            priority: priority.noted("update_task.priority", self.dropped),
            due_date: due.noted("update_task.due_date", self.dropped),
        };
        Ok((values, said))
    }

    fn missing(&self, verb: Verb, words: &str, why: Missing, nearest: &[Candidate]) -> Verdict {
        let said = as_said(words, &self.licence.words);
        Verdict::Fail(no_such_task(verb, &said, (why, nearest), self.speech))
    }

    fn confirm_one(&mut self, verb: Verb, id: TaskId, wanted: &Values) -> Verdict {
        self.all(verb, &[id], wanted)
    }

    fn all(&mut self, verb: Verb, ids: &[TaskId], wanted: &Values) -> Verdict {
        match question::ask_change(verb, ids, wanted, &self.question_context()) {
            Ok(asked) => Verdict::Confirm(asked),
            Err(error) => Verdict::Fail(error),
        }
    }

    fn which(
        &mut self,
        verb: Verb,
        words: &str,
        candidates: &[Candidate],
        wanted: &Values,
    ) -> Verdict {
        let context = self.question_context();
        match question::ask_which(verb, words, candidates, wanted, &context) {
            Ok(asked) => Verdict::Confirm(asked),
            Err(error) => Verdict::Fail(error),
        }
    }

    fn question_context(&self) -> question::QuestionContext<'_> {
        question::QuestionContext {
            situation: self.situation,
            due_rule: self.due_rule,
            speech: self.speech,
        }
    }
}

impl Part {
    /// Whether a reference says the same words, or points as the words do ("it", "2").
    fn named_as(&self, reference: &str) -> bool {
        fold(&self.words()) == fold(reference)
    }
}

/// The part of an addition that a title takes up.
struct Picked {
    part: usize,
    covers: Vec<usize>,
    named: bool,
}

fn pick_part(addition: &Addition, covered: &[bool], title: &str) -> Option<Picked> {
    if addition.described {
        // "what I need for pancakes": how many is the model's to say, and the user's to confirm.
        return Some(Picked {
            part: 0,
            covers: (0..covered.len()).collect(),
            named: false,
        });
    }
    let said = Words::of(title);
    let parts = addition_parts(addition);
    let open = |index: usize| covered.get(index).is_some_and(|done| !done);
    let taken: Vec<usize> = parts
        .iter()
        .enumerate()
        .filter(|(index, part)| {
            let named = !part.title.trim().is_empty();
            open(*index)
                && named
                && (said.contains_all(&part.title) || Words::of(&part.title).contains_all(title))
        })
        .map(|(index, _)| index)
        .collect();
    if let Some(first) = taken.first() {
        return Some(Picked {
            part: *first,
            covers: taken,
            named: true,
        });
    }
    let first = (0..parts.len()).find(|index| open(*index))?;
    Some(Picked {
        part: first,
        covers: vec![first],
        named: false,
    })
}

/// The words of a reference with the article that the user gave them: "the dentist".
fn as_said(words: &str, message: &str) -> String {
    let Some(at) = message.find(words) else {
        return words.to_owned();
    };
    let before = message.get(..at).unwrap_or_default();
    let article = ["the ", "The ", "my ", "My "]
        .into_iter()
        .find(|article| before.ends_with(article));
    format!("{}{words}", article.unwrap_or_default())
}

fn shares_a_word(title: &str, part: &str) -> bool {
    let part = Words::of(part);
    title_words(title).iter().any(|word| part.contains(word))
}

fn deny(reason: Refusal, text: &str) -> Verdict {
    Verdict::Deny(reason, ToolError::new(ErrorType::Permission, text))
}

fn unlicensed(what: &str) -> Verdict {
    deny(
        Refusal::Unlicensed,
        &format!(
            "The user's words do not ask to {what}. Do only what the user's last message asks."
        ),
    )
}

/// The error for words that name no task.
pub(super) fn no_such_task(
    verb: Verb,
    words: &str,
    (why, nearest): (Missing, &[Candidate]),
    speech: Speech,
) -> ToolError {
    let near: Vec<&str> = nearest.iter().map(|c| c.title.as_str()).collect();
    let text = absent(verb, words, why, &near, speech);
    ToolError::new(ErrorType::NotFound, text).with(Details {
        parameter: Some("task".to_owned()),
        value: Some(words.into()),
        suggestions: nearest.iter().map(|c| c.title.clone()).collect(),
        ..Details::default()
    })
}
