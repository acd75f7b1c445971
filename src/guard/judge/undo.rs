//! The verdict on an undo: of the latest change, where the words take it back.

use super::evidence::{Decision, DecisionRow, change_of};
use super::{Judge, Verdict, deny, question, unlicensed};
use crate::domain::text::Text;
use crate::domain::{Action, TaskId, Tool};
use crate::guard::evidence::{Deed, Evidence, Ground};
use crate::guard::licence::GrantKind;
use crate::intent::Verb;
use crate::resolver::{Among, Resolution, Words, title_words};
use crate::store::Receipt;
use crate::tools::{NewValues, Plan, PlannedValues};
use crate::turn::Refusal;

impl Judge<'_> {
    pub(super) fn undo(&mut self) -> Verdict {
        let words = self.licence.words.clone();
        match self.corrected(&words) {
            // Both halves of the correction are one question: what is to go instead is asked about too.
            Some(Deed::Delete) => {
                return Verdict::Confirm(question::ask_undo(self.undoable, self.speech));
            }
            Some(_) => {
                return Verdict::Allow(self.undo_of(&words));
            }
            None => {}
        }
        if self.undoes(&words) && !self.licence.tools().contains(&Tool::Undo) {
            if let Some(reopened) = self.reopens(&words) {
                return reopened;
            }
            self.licence.cover_returned();
            if self.dismisses(&words) {
                self.licence.cover_dismissed();
            }
            return Verdict::Allow(self.undo_of(&words));
        }
        if self.dismisses(&words) {
            self.licence.cover_dismissed();
            return Verdict::Allow(self.undo_of(&words));
        }
        if self.may_undo(&words) && !self.licence.tools().contains(&Tool::Undo) {
            return Verdict::Confirm(question::ask_undo(self.undoable, self.speech));
        }
        if let Some(verdict) = self.takes_off(&words) {
            return verdict;
        }
        for grant in &mut self.licence.grants {
            if let GrantKind::Undo { covered } = &mut grant.kind {
                if *covered {
                    return deny(Refusal::TooMany, "The user asked for one undo only.");
                }
                *covered = true;
                return Verdict::Allow(self.undo_of(&words));
            }
        }
        unlicensed("undo anything")
    }

    /// The verdict on the undo of an addition by words that have what was added deleted: "take that off again".
    fn takes_off(&mut self, words: &str) -> Option<Verdict> {
        let [receipt] = self.undoable else {
            return None;
        };
        let facts = receipt.facts();
        let title = facts
            .title()
            .filter(|_| facts.action == Action::AddTask)?
            .to_owned();
        let values = NewValues::default();
        // "delete everything", which asks, is no wish to take one back.
        match self.change_by_evidence(Tool::DeleteTask, &title, &values) {
            Decision::Settled(Verdict::Allow(_)) => Some(Verdict::Allow(self.undo_of(words))),
            _ => None,
        }
    }

    /// The latest change, or those of its tasks that the words of the undo name: "undo only the bread".
    fn undo_of(&self, words: &str) -> Plan {
        let text = Text::new(words);
        let said = Words::of(&self.evidence(&text).undoing_words());
        let titles = self.undoable.iter().map(|receipt| receipt.facts().title());
        let titles: Vec<_> = titles
            .map(|title| title_words(title.unwrap_or_default()))
            .collect();
        // A word of its title that no other has.
        let named = |at: usize| {
            let own = |word: &&String| {
                let mut others = titles.iter().enumerate().filter(|(other, _)| *other != at);
                !others.any(|(_, title)| title.contains(word))
            };
            let mut words = titles.get(at).into_iter().flatten().filter(own);
            words.any(|word| said.contains(word))
        };
        let some = (0..titles.len()).any(named);
        let meant = self.undoable.iter().enumerate();
        let meant = meant.filter(|(at, _)| !some || named(*at));
        Plan::Undo(meant.map(|(_, receipt)| receipt.facts().id).collect())
    }

    /// Tells whether new values are those that a task had before the latest change, and the words take that
    /// back: "put it back where it was".
    pub(super) fn goes_back(
        &self,
        id: TaskId,
        values: &PlannedValues,
        evidence: &Evidence<'_>,
    ) -> bool {
        let named = evidence.named_to_undo();
        let mut undoable = self.undoable.iter().map(Receipt::facts);
        let changed = undoable.any(|facts| {
            let before = facts.before.as_ref().filter(|task| task.id == id);
            facts.after.is_some() && before.is_some_and(|before| values.patch().is_so(before))
        });
        // "keep it there", once it was moved.
        let kept = evidence.keeps()
            && !values
                .due_date
                .flatten()
                .is_some_and(|day| evidence.named().1.contains(&day));
        // "reopen it" takes back that it is done, and no value.
        let done = self
            .situation
            .task(id)
            .is_some_and(|task| task.status.is_completed());
        let reopens = done && evidence.orders(Deed::Reopen) && !evidence.orders(Deed::Undo);
        changed
            && !kept
            && !reopens
            && matches!(evidence.undoes(), Ground::Ordered | Ground::Told)
            && (named.is_empty() || named.contains(&id))
    }

    /// The deed that the words plainly say was meant for another task: "no, I meant the windows".
    fn corrected(&self, words: &str) -> Option<Deed> {
        let text = Text::new(words);
        let evidence = self.evidence(&text);
        let [receipt] = self.undoable else {
            return None;
        };
        // "undo that, I meant the club one" says itself what is to come.
        if evidence.orders(Deed::Undo) {
            return None;
        }
        let facts = receipt.facts();
        let deed = match facts.action {
            Action::CompleteTask => Deed::Complete,
            Action::DeleteTask => Deed::Delete,
            _ => return None,
        };
        let meant = evidence.means_another(facts.task_id?, deed) == Some(true);
        meant.then_some(deed)
    }

    /// Tells whether the words take the latest change back.
    fn undoes(&self, words: &str) -> bool {
        let text = Text::new(words);
        let evidence = self.evidence(&text);
        // To reopen is to take back that it is done or gone, and nothing else.
        let named = evidence.named_to_undo();
        let reopens = |receipt: &Receipt| {
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
        matches!(evidence.undoes(), Ground::Ordered | Ground::Told)
            && !self.undoable.is_empty()
            // "reopen the essay" takes back nothing that was done to another task.
            && named.iter().all(|id| self.is_undoable(*id))
            && (evidence.orders(Deed::Undo) || self.undoable.iter().all(reopens))
            && !evidence.names_more_than(&titles)
            && !evidence.keeps_as_it_is(&titles)
    }

    /// The verb of a proposal to open a task again: where the task is open and gets other values, these
    /// are what it is about.
    pub(super) fn unless_open(&self, verb: Verb, reference: &str, proposed: &NewValues) -> Verb {
        let bare = NewValues {
            completed: proposed.completed,
            ..NewValues::default()
        };
        let resolver = self.situation.resolver();
        let is_one = |among| matches!(resolver.resolve(reference, among), Resolution::One(_));
        let reopens = verb != Verb::Reopen || *proposed == bare;
        if reopens || is_one(Among::Completed) || !is_one(Among::Pending) {
            verb
        } else {
            Verb::Update
        }
    }

    /// Reopens what was just completed, where the words order no more than that: an undo of it is
    /// an undo of the reopening then.
    fn reopens(&mut self, words: &str) -> Option<Verdict> {
        let text = Text::new(words);
        if self.evidence(&text).orders(Deed::Undo) {
            return None;
        }
        let [receipt] = self.undoable else {
            return None;
        };
        let done = receipt.facts();
        let task = done
            .task_id
            .filter(|_| done.action == Action::CompleteTask)?;
        let plan = change_of(
            Verb::Reopen,
            self.situation.task(task)?,
            PlannedValues::default(),
        );
        match self.decide(DecisionRow::Run, plan) {
            Decision::Settled(verdict) => Some(verdict),
            Decision::Unless(_) | Decision::Open => None,
        }
    }

    /// Tells whether the latest change completed a task, and it is still spoken of.
    pub(super) fn was_just_completed(&self, id: TaskId) -> bool {
        let completed = |receipt: &Receipt| {
            let facts = receipt.facts();
            facts.action == Action::CompleteTask && facts.task_id == Some(id)
        };
        self.situation.context.focus.contains(&id) && self.undoable.iter().any(completed)
    }

    /// Tells whether an undo would take back what was done to a task.
    fn is_undoable(&self, id: TaskId) -> bool {
        let mut undoable = self.undoable.iter();
        undoable.any(|receipt| receipt.facts().task_id == Some(id))
    }

    /// Tells whether the words speak of the latest change without saying what is to come of it:
    /// "actually keep gym too".
    fn may_undo(&self, words: &str) -> bool {
        let text = Text::new(words);
        let evidence = self.evidence(&text);
        let titles = self.undoable.iter();
        let titles: Vec<String> = titles
            .filter_map(|receipt| receipt.facts().title())
            .map(str::to_owned)
            .collect();
        !titles.is_empty()
            && matches!(evidence.undoes(), Ground::None | Ground::Doubtful)
            && evidence
                .named_tasks()
                .iter()
                .all(|id| self.is_undoable(*id))
            && evidence.takes_back(&titles)
    }

    /// Tells whether the words dismiss what the reply before them told of: "nvm" under "Added: gym".
    fn dismisses(&self, words: &str) -> bool {
        let text = Text::new(words);
        let evidence = self.evidence(&text);
        let titles = self
            .undoable
            .iter()
            .filter_map(|receipt| receipt.facts().title());
        let titles: Vec<String> = titles.map(str::to_owned).collect();
        let told = |receipt: &Receipt| {
            let title = receipt.facts().title().unwrap_or_default();
            let shown = self.standing.shown.first();
            !title.is_empty() && shown.is_some_and(|reply| reply.contains(title))
        };
        !self.undoable.is_empty()
            && evidence.dismisses(&titles)
            && self.undoable.iter().all(told)
            && evidence
                .named_tasks()
                .iter()
                .all(|id| self.is_undoable(*id))
    }
}
