//! May this task be changed, so, with these values?

use chrono::{NaiveDate, Timelike};

use super::evidence::change_of;
use super::titles::as_said;
use super::{Judge, Verdict, deny, question, unlicensed};
use crate::domain::text::{Text, fold};
use crate::domain::{Details, ErrorType, Lang, Task, TaskId, Title, Tool, ToolError, shown};
use crate::guard::evidence::can_be_title;
use crate::guard::licence::{Grant, GrantKind, Meaning, Part, among, none_such};
use crate::guard::talk::is_function_word;
use crate::guard::unfound::no_such_task;
use crate::guard::values::{self, Calendar};
use crate::intent::{Due, Target, Values, Verb};
use crate::resolver::{Candidate, Missing, Reference, Resolution, Words, title_words};
use crate::tools::{NewValues, PlannedValues};
use crate::turn::Refusal;

/// Place in the licence that a call is about: the grant, and the part of it.
type Place = (usize, usize);

impl Judge<'_> {
    pub(super) fn change(&mut self, tool: Tool, reference: &str, values: NewValues) -> Verdict {
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

    /// Tells whether a task is named only by words of the title that is to be added: "add wash the car"
    /// where there is "sell the car".
    pub(super) fn names_a_new_task(&self, task: &Task) -> bool {
        let said = Words::of(&self.licence.words);
        let own = title_words(task.title.as_str());
        let (own, left): (Vec<_>, Vec<_>) = own.iter().partition(|word| said.contains(word));
        let standing = Words::of(task.title.as_str());
        let mut grants = self.licence.grants.iter();
        // "don't let me forget the present" names what is there; "add wash the car" says more.
        let of_it = |grant: &Grant| match &grant.kind {
            GrantKind::Add { addition, .. } => {
                let title = title_words(&addition.whole.title);
                own.iter().all(|word| title.contains(word))
                    && title
                        .iter()
                        .any(|word| !standing.contains(word) && !is_function_word(word))
            }
            _ => false,
        };
        !own.is_empty() && !left.is_empty() && grants.any(of_it)
    }

    /// Tells whether the words count to a place for this, and another task or none stands there.
    pub(super) fn counts_to_another(&self, wanted: Verb, id: TaskId) -> bool {
        let mut grants = self.licence.grants.iter();
        grants.any(|grant| match &grant.kind {
            GrantKind::Change { verb, parts, .. } if *verb == wanted => {
                let counted = |part: &Part| matches!(part.target, Target::Position(_));
                let here = |part: &Part| part.meaning == Meaning::One(id);
                parts.iter().any(counted) && !parts.iter().any(here)
            }
            _ => false,
        })
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
                    _ => part.named_as(reference),
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
        same.or_else(joined).or_else(open).map(|(place, _)| place)
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
        let asked = self.agreed(&wanted, &proposed, resolved);
        let alone = !matches!(found.meaning, Meaning::One(_));
        if verb == Verb::Update && alone && asked != wanted && asked == Values::default() {
            return unlicensed("give it these values: propose what their words say of this task");
        }
        let position = matches!(Reference::parse(reference), Reference::Position(_));
        match (&found.meaning, resolved) {
            (Meaning::One(id), Resolution::One(other)) if id != other => {
                self.wrong_target(&found, *id, *other)
            }
            // The words mean one task and the model named none: it is told, the user is not.
            (Meaning::One(id), Resolution::None { .. })
                if !found.named_as(reference) && !self.shown_as(*id, reference) =>
            {
                self.no_such_title(*id, reference)
            }
            (Meaning::One(id), _) => {
                self.touch((grant, part), Some(*id));
                self.change_one((verb, *id), grant, &wanted, proposed)
            }
            (Meaning::Many(candidates), _) => {
                self.touch((grant, part), None);
                self.which(verb, &found.words(self.speech), candidates, &asked)
            }
            (Meaning::Set(ids), _) if ids.is_empty() => {
                self.touch((grant, part), None);
                self.missing(
                    verb,
                    &found.kind_words(verb, self.speech),
                    none_such(&self.situation),
                    &[],
                )
            }
            (Meaning::Set(ids), _) => {
                self.touch((grant, part), None);
                // "all of them" of which some were done by calls of their own.
                let left = ids.iter().filter(|id| !found.done.contains(id));
                let left = self.of_named_state(reference, left.copied().collect());
                match left.as_slice() {
                    [] => unlicensed("change another task"),
                    left => self.set(verb, &found, left, &asked),
                }
            }
            (Meaning::Nothing { .. } | Meaning::Unnamed, _)
                if position && !matches!(found.target, Target::Position(_)) =>
            {
                deny(
                    Refusal::BarePosition,
                    "The user named no position: name the task by its title.",
                )
            }
            // "the second one", of a list of one
            (Meaning::Nothing { why, nearest }, Resolution::One(_))
                if *why == Missing::OutOfRange && matches!(found.target, Target::Position(_)) =>
            {
                self.touch((grant, part), None);
                self.missing(verb, &found.words(self.speech), *why, nearest)
            }
            // The words name no task for certain; the model's guess is shown and asked about.
            (Meaning::Nothing { .. } | Meaning::Unnamed, Resolution::One(id)) => {
                self.touch((grant, part), None);
                self.confirm_one(verb, *id, &asked)
            }
            (Meaning::Nothing { .. } | Meaning::Unnamed, Resolution::Many(candidates)) => {
                self.touch((grant, part), None);
                self.which(verb, reference, candidates, &asked)
            }
            (Meaning::Nothing { why, nearest }, Resolution::None { .. })
                if !matches!(why, Missing::NoFocus | Missing::NothingShown) =>
            {
                self.touch((grant, part), None);
                self.missing(verb, &found.words(self.speech), *why, nearest)
            }
            // The words name nothing that could be looked for: ask which task is meant.
            (Meaning::Nothing { .. } | Meaning::Unnamed, Resolution::None { why, nearest }) => {
                self.touch((grant, part), None);
                let list = match &found.target {
                    Target::Set(set) => set.list.as_deref(),
                    _ => None,
                };
                let context = self.question_context();
                match question::ask_unnamed(verb, list, &asked, &context) {
                    Some(asked) => Verdict::Confirm(asked),
                    None if matches!(found.target, Target::It) => {
                        let empty = self.situation.tasks.is_empty();
                        let why = if empty { Missing::EmptyList } else { *why };
                        self.missing(verb, &found.words(self.speech), why, nearest)
                    }
                    None => self.missing(verb, reference, *why, nearest),
                }
            }
        }
    }

    /// The values read in the words that the proposal has as well: the code's own cut of the words
    /// stands for no value of a model that proposed others.
    fn agreed(&self, wanted: &Values, proposed: &NewValues, resolved: &Resolution) -> Values {
        let mut agreed = wanted.clone();
        if *proposed == NewValues::default() {
            return agreed;
        }
        let calendar = Calendar::new(&self.question_context(), self.lang);
        let ids: Vec<TaskId> = match resolved {
            Resolution::One(id) => vec![*id],
            Resolution::Many(candidates) => candidates.iter().map(|one| one.id).collect(),
            Resolution::None { .. } => Vec::new(),
        };
        let tasks: Vec<&Task> = ids
            .iter()
            .filter_map(|id| self.situation.task(*id))
            .collect();
        let day = |due: &Due| {
            let of = |task: &&Task| calendar.day_of(due, Some(task));
            let mut days: Vec<Option<NaiveDate>> = tasks.iter().map(of).collect();
            if days.is_empty() {
                days.push(calendar.day_of(due, None));
            }
            proposed
                .due
                .is_some_and(|proposed| days.contains(&proposed))
        };
        let time = proposed.time.flatten();
        agreed.due = agreed.due.filter(day);
        agreed.time = agreed.time.filter(|read| Some(*read) == time);
        agreed.hour = agreed
            .hour
            .filter(|hour| time.is_some_and(|time| time.hour() % 12 == hour % 12));
        agreed.ends_repeat &= proposed.repeat == Some(None);
        agreed.priority = agreed
            .priority
            .filter(|level| proposed.priority == Some(*level));
        let title = proposed.title.as_ref().map(|title| fold(title.as_str()));
        agreed.title = agreed
            .title
            .filter(|read| title.as_ref() == Some(&fold(read)));
        let note = proposed
            .description
            .as_ref()
            .map(|note| fold(note.as_deref().unwrap_or_default()));
        agreed.description = agreed
            .description
            .filter(|read| note.as_ref() == Some(&fold(read)));
        agreed.described &= proposed.title.is_some();
        agreed
    }

    /// Tells whether the reference is the title as the prompt shows it, with what it masks.
    fn shown_as(&self, id: TaskId, reference: &str) -> bool {
        self.situation
            .task(id)
            .is_some_and(|task| fold(&shown(task.title.as_str())) == fold(reference))
    }

    fn no_such_title(&self, said: TaskId, reference: &str) -> Verdict {
        let title = self
            .situation
            .task(said)
            .map(|task| shown(task.title.as_str()));
        let title = title.unwrap_or_default();
        let reference = shown(reference);
        let text = format!("There is no task \"{reference}\". The user means \"{title}\".");
        let error = ToolError::new(ErrorType::NotFound, text).with(Details {
            parameter: Some("task".to_owned()),
            value: Some(reference.into()),
            suggestion: Some(format!("Use \"{title}\"")),
            suggestions: vec![title],
            ..Details::default()
        });
        Verdict::Deny(Refusal::WrongTarget, error)
    }

    fn wrong_target(&self, part: &Part, said: TaskId, proposed: TaskId) -> Verdict {
        let title = |id: TaskId| {
            let task = self.situation.task(id);
            task.map(|task| task.title.as_str().to_owned())
                .unwrap_or_default()
        };
        let text = format!(
            "The user's words \"{}\" mean \"{}\", not \"{}\".",
            part.words(Lang::En),
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
        let mut same = None;
        if let Some(grant) = self.licence.grants.get_mut(grant)
            && let GrantKind::Change { parts, verb, .. } = &mut grant.kind
            && let Some(part) = parts.get_mut(part)
        {
            part.touched = true;
            part.done.extend(done);
            same = done.map(|id| (*verb, id));
        }
        // "I've called mom, tick Call mom off" is one wish said twice: one call meets both.
        let Some((verb, id)) = same else { return };
        for grant in &mut self.licence.grants {
            if let GrantKind::Change { parts, verb: v, .. } = &mut grant.kind
                && *v == verb
                && verb != Verb::Update
            {
                for part in parts.iter_mut().filter(|p| p.meaning == Meaning::One(id)) {
                    part.touched = true;
                }
            }
        }
    }

    /// One task that an order was read of: with the values that its words support, or that were read
    /// in them and that the proposal leaves out or has as well.
    fn change_one(
        &mut self,
        (verb, id): (Verb, TaskId),
        grant: usize,
        read: &Values,
        proposed: NewValues,
    ) -> Verdict {
        let Some(task) = self.situation.task(id).cloned() else {
            return self.missing(verb, "it", Missing::NoMatch, &[]);
        };
        if verb != Verb::Update {
            return Verdict::Allow(change_of(verb, &task, PlannedValues::default()));
        }
        let other = values::other_than(&proposed, read);
        match self.values_of_order(&task, grant, read, proposed) {
            Ok((values, _)) if values == PlannedValues::default() => match other {
                Some(error) => Verdict::Fail(error),
                None => Verdict::Confirm(question::ask_what_to_change(&task, self.speech)),
            },
            Ok((values, true)) => {
                let plan = change_of(verb, &task, values);
                Verdict::Confirm(question::ask_plan(plan, self.situation, self.speech))
            }
            Ok((values, false)) => Verdict::Allow(change_of(verb, &task, values)),
            Err(error) => Verdict::Fail(error),
        }
    }

    /// The values of a change that was read as an order, and whether one was left to the model.
    fn values_of_order(
        &mut self,
        task: &Task,
        grant: usize,
        read: &Values,
        mut proposed: NewValues,
    ) -> Result<(PlannedValues, bool), ToolError> {
        let mut read = self.new_values(read, task)?;
        if proposed == NewValues::default() {
            proposed = read.clone();
        }
        read.leave_out(&proposed);
        let words = self.licence.words.clone();
        let text = Text::new(&words);
        let evidence = self.evidence(&text);
        let grant = self.licence.grants.get(grant);
        let at = grant.map(|grant| evidence.clauses_in(&grant.bytes));
        let at = at.unwrap_or_default();
        if read.due.is_some() {
            proposed.due = None;
        }
        let (values, _, unsaid) = self.values_by_evidence(&evidence, task, &at, &proposed)?;
        Ok((values.or(read), unsaid))
    }

    /// The values that an order was read to give a task, for a call that came without any.
    ///
    /// # Errors
    /// When a day is read that may be no due date.
    pub(super) fn read_values(&self, task: &Task) -> Result<NewValues, ToolError> {
        let mut grants = self.licence.grants.iter();
        let read = grants.find_map(|grant| match &grant.kind {
            GrantKind::Change {
                verb: Verb::Update,
                parts,
                values,
            } => {
                let mut parts = parts.iter();
                let of_it = parts.any(|part| part.meaning == Meaning::One(task.id));
                of_it.then_some(values)
            }
            _ => None,
        });
        read.map_or_else(
            || Ok(NewValues::default()),
            |read| self.new_values(read, task),
        )
    }

    fn new_values(&self, read: &Values, task: &Task) -> Result<NewValues, ToolError> {
        let calendar = Calendar::new(&self.question_context(), self.lang);
        let title = read.title.as_deref();
        Ok(NewValues {
            due: calendar.due(read.due.as_ref(), task)?,
            time: read.time.map(Some),
            repeat: read.ends_repeat.then_some(None),
            priority: read.priority,
            title: title.and_then(|title| Title::parse(title).ok()),
            description: read.description.clone().map(values::kept),
            ..NewValues::default()
        })
    }

    pub(super) fn missing(
        &self,
        verb: Verb,
        words: &str,
        why: Missing,
        nearest: &[Candidate],
    ) -> Verdict {
        let set = self.situation.tasks.is_empty() && !can_be_title(words);
        let why = if set { Missing::EmptyList } else { why };
        let said = match why {
            Missing::NoneSuch => words.to_owned(),
            _ => as_said(words, &self.licence.words),
        };
        Verdict::Fail(no_such_task(verb, &said, (why, nearest), self.speech))
    }

    fn confirm_one(&mut self, verb: Verb, id: TaskId, wanted: &Values) -> Verdict {
        self.all(verb, &[id], wanted)
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
}

impl Part {
    /// Tells whether a reference says the same words, or points as the words do ("it", "2").
    fn named_as(&self, reference: &str) -> bool {
        fold(&self.words(Lang::En)) == fold(reference)
    }
}
