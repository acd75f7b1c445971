//! Tasks that words leave of all: "the overdue tasks", "everything of next week".

use std::ops::Range;

use chrono::NaiveDate;

use super::Evidence;
use super::clauses::Clause;
use super::cues::{Cue, Deed};
use crate::domain::{Priority, Task, TaskId};

/// Qualities that words ask of the tasks of a set.
#[derive(Debug, Default)]
struct Narrowing {
    done: bool,
    open: bool,
    late: bool,
    /// Tasks that are not spoken of.
    rest: bool,
    level: Option<Priority>,
    day: Option<(NaiveDate, NaiveDate)>,
    /// Later than the day.
    after: bool,
    before: bool,
    /// The words that say so.
    words: Option<Range<usize>>,
}

impl Narrowing {
    fn is_plain(&self) -> bool {
        let Self {
            done, open, late, ..
        } = self;
        !done && !open && !late && !self.rest && self.level.is_none() && self.day.is_none()
    }

    fn also(&mut self, words: Range<usize>) {
        let so_far = self.words.take().unwrap_or(words.clone());
        self.words = Some(so_far.start.min(words.start)..so_far.end.max(words.end));
    }
}

impl Evidence<'_> {
    /// The tasks that the words of a set name by their state, their day or their priority, with the
    /// words; `None` where these narrow no set.
    pub fn narrowed(&self, deed: Deed) -> Option<(Vec<TaskId>, String)> {
        let set = |clause: &Clause| clause.has(Cue::All) || clause.has(Cue::Item);
        self.narrowed_where(deed, set)
    }

    /// The tasks in one state that an order names by that alone: "die schon erledigten", "las que ya
    /// terminé".
    pub fn in_state(&self, done: bool, deed: Deed) -> Vec<TaskId> {
        let names_none = |clause: &Clause| {
            let mut named = self.mentions.iter().flat_map(|mention| &mention.tokens);
            !named.any(|at| clause.tokens.contains(at))
        };
        let narrowed = self.narrowed_where(deed, names_none);
        let (members, _) = narrowed.unwrap_or_default();
        let of_it = |id: &TaskId| {
            let task = self.tasks.get(*id);
            task.is_some_and(|task| task.status.is_completed() == done)
        };
        if members.iter().all(of_it) {
            members
        } else {
            Vec::new()
        }
    }

    fn narrowed_where(
        &self,
        deed: Deed,
        names: impl Fn(&Clause) -> bool,
    ) -> Option<(Vec<TaskId>, String)> {
        let clauses = self.clauses.iter().enumerate();
        // "delete all of it, it's all done": the clause of the order says which.
        let of_tasks = clauses.filter(|(_, clause)| {
            !clause.is_foreign() && clause.has(Cue::Order(deed)) && names(clause)
        });
        let at: Vec<usize> = of_tasks.map(|(at, _)| at).collect();
        let narrowing = self.narrowing(&at, deed);
        let words = narrowing.words.clone().filter(|_| !narrowing.rest)?;
        let tasks = self.tasks.iter();
        let tasks = tasks.filter(|task| self.is_within(&narrowing, task));
        Some((
            tasks.map(|task| task.id).collect(),
            self.text.slice(words).to_owned(),
        ))
    }

    /// The tasks of the set that these clauses describe; `None` where a word of them describes
    /// nothing that tasks have.
    pub(super) fn members(&self, at: &[usize], deed: Deed) -> Option<Vec<TaskId>> {
        let narrowing = self.narrowing(at, deed);
        let mut clauses = at.iter().filter_map(|at| self.clauses.get(*at));
        // "them", "both", "those": the tasks that were talked about, where nothing else is said.
        let plain = narrowing.is_plain();
        if plain && clauses.any(|clause| clause.has(Cue::Them)) && self.focus.len() > 1 {
            return Some(self.focus.to_vec());
        }
        let mut named = self.mentions.iter().map(|mention| mention.task);
        if plain && named.any(|task| !self.is_excepted(task)) {
            return None;
        }
        let all = self
            .tasks
            .iter()
            .filter(|task| self.is_within(&narrowing, task) && !self.is_excepted(task.id));
        Some(all.map(|task| task.id).collect())
    }

    fn narrowing(&self, at: &[usize], deed: Deed) -> Narrowing {
        let clauses: Vec<&Clause> = at.iter().filter_map(|at| self.clauses.get(*at)).collect();
        let moves = deed == Deed::Update
            || clauses.iter().any(|clause| {
                clause.has(Cue::Order(Deed::Update)) && !clause.has(Cue::Order(deed))
            });
        let find = |cue: Cue| {
            let mut hits = clauses.iter().flat_map(|clause| &clause.hits);
            hits.find(|hit| hit.cue == cue)
        };
        let has = |cue: Cue| find(cue).is_some();
        // "delete the ones i already paid" says of what it deletes that it is done.
        let state = match (find(Cue::Completed), deed) {
            (None, Deed::Delete | Deed::Reopen) => Cue::Told(Deed::Complete),
            _ => Cue::Completed,
        };
        // "everything is done" tells what they are now, not which of them are meant.
        let mut narrowing = Narrowing {
            done: has(state) && deed != Deed::Complete,
            open: has(Cue::Open) && deed != Deed::Reopen,
            late: has(Cue::Overdue),
            rest: has(Cue::Rest),
            after: has(Cue::After),
            before: has(Cue::Before),
            ..Narrowing::default()
        };
        let levels = [
            (Cue::High, Priority::High),
            (Cue::Medium, Priority::Medium),
            (Cue::Low, Priority::Low),
        ];
        let level = levels.iter().find(|(cue, _)| has(*cue));
        let scan = &self.scan;
        let mut days = scan.dates.iter().filter(|found| {
            clauses.iter().any(|clause| {
                // "les deux" are two, and no second of a month.
                let counted = clause.hits.iter().any(|hit| {
                    matches!(hit.cue, Cue::Them | Cue::All)
                        && hit.at <= found.core.start
                        && found.core.end <= hit.end
                });
                clause.tokens.contains(&found.core.start) && !counted
            })
        });
        // Of two days the first tells which tasks are meant: "move all of Monday to Tuesday"; so does
        // what stands before the new value: "everything that's high priority to Monday".
        let day = days.next();
        let leveled = level.and_then(|(cue, _)| find(*cue));
        let (of_level, of_day) = match (leveled, &day) {
            (Some(level), Some(day)) => (level.at < day.core.start, day.core.start < level.at),
            _ => (false, false),
        };
        narrowing.level = level
            .map(|(_, level)| *level)
            .filter(|_| !moves || of_level);
        let day = day.filter(|_| !moves || of_day || days.next().is_some());
        narrowing.day = day.map(|found| found.span);
        let said = [
            (narrowing.done, state),
            (narrowing.open, Cue::Open),
            (narrowing.late, Cue::Overdue),
            (narrowing.rest, Cue::Rest),
        ];
        for hit in said
            .iter()
            .filter(|(says, _)| *says)
            .filter_map(|(_, cue)| find(*cue))
            .chain(leveled.filter(|_| narrowing.level.is_some()))
        {
            narrowing.also(hit.at..hit.end);
        }
        if let Some(found) = day {
            narrowing.also(found.core.clone());
        }
        narrowing
    }

    fn is_within(&self, narrowing: &Narrowing, task: &Task) -> bool {
        let completed = task.status.is_completed();
        let late = !completed && task.due_date.is_some_and(|due| due < self.today);
        let spoken_of =
            || self.focus.contains(&task.id) || self.mentions.iter().any(|m| m.task == task.id);
        let on_day = |(first, last): (NaiveDate, NaiveDate)| {
            task.due_date.is_some_and(|due| {
                if narrowing.after {
                    due > last
                } else if narrowing.before {
                    due < first
                } else {
                    first <= due && due <= last
                }
            })
        };
        (!narrowing.done || completed)
            && (!narrowing.open || !completed)
            && (!narrowing.late || late)
            && (!narrowing.rest || !spoken_of())
            && narrowing.level.is_none_or(|level| task.priority == level)
            && narrowing.day.is_none_or(on_day)
    }
}
