//! Changes of a set of tasks that the words name.

use super::evidence::Decision;
use super::{Judge, Verdict, question, unlicensed};
use crate::domain::text::{Text, fold};
use crate::domain::{Task, TaskId};
use crate::guard::evidence::{Aim, Evidence, Ground, Wanted, deed_of, state_of};
use crate::guard::licence::{GrantKind, Meaning, Part, among, set_words};
use crate::intent::{Set, Target, Values, Verb};
use crate::resolver::{Missing, covers, title_words};

impl Judge<'_> {
    /// The members of a set by what the words say of them ("my completed tasks"), where they say it.
    pub(super) fn members(&self, verb: Verb, ids: &[TaskId]) -> Vec<TaskId> {
        let text = Text::new(&self.licence.words);
        let evidence = self.evidence(&text);
        let among = among(verb);
        let meant = |id: &TaskId| evidence.aim(*id, among, deed_of(verb)) != Aim::None;
        let told: Vec<TaskId> = ids.iter().copied().filter(meant).collect();
        if told.is_empty() { ids.to_vec() } else { told }
    }

    /// Asks about the tasks that the words name together.
    pub(super) fn set(
        &mut self,
        verb: Verb,
        part: &Part,
        ids: &[TaskId],
        values: &Values,
    ) -> Verdict {
        let text = Text::new(&self.licence.words);
        let narrowed = self.evidence(&text).narrowed(deed_of(verb));
        // Words that were read as "all" may say which: "les tâches de haute priorité".
        let all = matches!(&part.target, Target::Set(set) if *set == Set::default());
        let Some((members, words)) = narrowed.filter(|_| all) else {
            return self.all(verb, ids, values);
        };
        let ids: Vec<TaskId> = ids
            .iter()
            .copied()
            .filter(|id| members.contains(id))
            .collect();
        if !ids.is_empty() {
            return self.all(verb, &ids, values);
        }
        let set = Set {
            query: Some(words),
            ..Set::default()
        };
        let named = set_words(&set, self.speech);
        self.missing(verb, &named, Missing::NoneSuch, &[])
    }

    pub(super) fn all(&mut self, verb: Verb, ids: &[TaskId], wanted: &Values) -> Verdict {
        // A title that is left to the model is no value yet.
        let said = Values {
            described: false,
            ..wanted.clone()
        };
        if verb == Verb::Update && said == Values::default() {
            let task = ids.first().and_then(|id| self.situation.task(*id));
            return match task {
                Some(task) if ids.len() == 1 => {
                    Verdict::Confirm(question::ask_what_to_change(task, self.speech))
                }
                _ => unlicensed("change tasks"),
            };
        }
        let ids = self.members(verb, ids);
        match question::ask_change(verb, &ids, wanted, &self.question_context()) {
            Ok(asked) => Verdict::Confirm(asked),
            Err(error) => Verdict::Fail(error),
        }
    }

    /// The tasks of a set that are in the state that a reference names ("all completed"), where any is:
    /// a model may mean fewer than the words were read to name.
    pub(super) fn of_named_state(&self, reference: &str, ids: Vec<TaskId>) -> Vec<TaskId> {
        let Some(done) = state_of(reference) else {
            return ids;
        };
        let of_it = |id: &TaskId| {
            let task = self.situation.task(*id);
            task.is_some_and(|task| task.status.is_completed() == done)
        };
        let some: Vec<TaskId> = ids.iter().copied().filter(of_it).collect();
        if some.is_empty() { ids } else { some }
    }

    /// Tells whether a reference that is no title names other tasks as well: "tests".
    pub(super) fn is_one_name_of_many(&self, reference: &str, task: &Task) -> bool {
        let named = |task: &&Task| covers(reference, task.title.as_str());
        fold(reference) != fold(task.title.as_str())
            && !title_words(reference).is_empty()
            && self.situation.tasks.iter().filter(named).nth(1).is_some()
    }

    /// Asks about the set that the words name, for a reference that names no single task: of those
    /// of the title that it says, where it says one.
    pub(super) fn set_by_evidence(
        &mut self,
        verb: Verb,
        reference: &str,
        evidence: &Evidence<'_>,
    ) -> Decision {
        if verb == Verb::Update {
            return Decision::Open;
        }
        let (deed, among) = (deed_of(verb), among(verb));
        let mut at = Vec::new();
        let mut ids = Vec::new();
        let state = state_of(reference);
        let titled = self.situation.tasks.titled(&fold(reference), among);
        for task in self.situation.tasks.iter() {
            if !titled.is_empty() && titled.iter().all(|titled| titled.id != task.id) {
                continue;
            }
            if let Aim::Set(clauses, _) = evidence.aim(task.id, among, deed) {
                at = clauses;
                ids.push(task.id);
            }
        }
        if let Some(done) = state.filter(|_| ids.is_empty()) {
            ids = evidence.in_state(done, deed);
            at = evidence.every_clause();
        }
        let ids = self.of_named_state(reference, ids);
        let ground = evidence.ground(&Wanted::deed(deed, &at));
        if ids.is_empty() || ground != Ground::Ordered {
            return Decision::Open;
        }
        let asked = question::ask_change(verb, &ids, &Values::default(), &self.question_context());
        let Ok(asked) = asked else {
            return Decision::Open;
        };
        // Words that were read as a set say best which tasks are in it.
        let reads = |part: &Part| matches!(part.meaning, Meaning::Set(_));
        let read = self.licence.grants.iter().any(|grant| match &grant.kind {
            GrantKind::Change {
                verb: own, parts, ..
            } => *own == verb && parts.iter().any(reads),
            _ => false,
        });
        if read {
            return Decision::Unless(Verdict::Confirm(asked));
        }
        for id in ids {
            self.licence.cover(verb, id);
        }
        Decision::Settled(Verdict::Confirm(asked))
    }
}
