//! All tasks of one user: kept in order, found by id and by words, cheap to copy and to change.
//!
//! Copies share what they have in common, so that a snapshot, a unit of work and whatever is kept
//! between turns are one list as long as nothing changes; a change costs the same however many
//! tasks there are. The index over the titles is part of the list: made when words are first
//! looked for, kept up with every change from then on.
//!
//! A task lies in a slot. Slots are handed out in the order of age; a task that is put between
//! older ones gets a late one, which the readings in order merge in. When late or empty slots
//! become many, they are numbered anew.

use std::fmt;
use std::sync::{Arc, OnceLock};

use chrono::{DateTime, Utc};
use imbl::{OrdMap, Vector};

use super::index::Index;
use super::rows::{Row, Rows};
use crate::domain::{Task, TaskId};

/// By what tasks are ordered: when they were added, then id.
pub(crate) type Age = (DateTime<Utc>, TaskId);

/// So many late or empty slots are always borne …
const SPARE: usize = 64;
/// … and of late ones besides one in so many, since readings in order look at each.
const LATE_SHARE: usize = 64;

/// All tasks of one user, oldest first.
///
/// ```
/// use candor::resolver::TaskList;
/// let list = TaskList::default();
/// assert!(list.is_empty() && list.iter().next().is_none());
/// ```
#[derive(Clone, Default)]
pub struct TaskList {
    slots: Vector<Option<Arc<Task>>>,
    ids: OrdMap<TaskId, Row>,
    /// The slots that are out of order.
    late: OrdMap<Age, Row>,
    late_rows: Rows,
    /// Of the newest slot that is in order.
    newest: Option<Age>,
    index: Arc<OnceLock<Index>>,
}

impl TaskList {
    /// Returns the number of tasks.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Tells whether there is no task.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The task of that id.
    pub fn get(&self, id: TaskId) -> Option<&Task> {
        self.at(*self.ids.get(&id)?)
    }

    /// Oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Task> + '_ {
        let in_order = self.slots.iter().flatten().map(Arc::as_ref);
        let late = self.late.values().filter_map(|row| self.at(*row));
        let all = merge(self.in_order(in_order), late, |a, b| age(a) < age(b));
        all.inspect(|_| read())
    }

    /// Copies of all tasks, oldest first: for whoever reads them all anyway.
    pub fn to_vec(&self) -> Vec<Task> {
        self.iter().cloned().collect()
    }

    /// Counts the tasks that are older than that of this id; `None` when there is no such task.
    pub fn place(&self, id: TaskId) -> Option<usize> {
        let row = *self.ids.get(&id)?;
        let own = age(self.at(row)?);
        let in_order = self.index().rows().without(&self.late_rows);
        let late = self.late.range(..own).count();
        if in_order.contains(row) {
            return Some(in_order.before(row) + late);
        }
        let (mut from, mut to) = (0, in_order.len());
        while from < to {
            let middle = from.midpoint(to);
            let older = |row| self.at(row).is_some_and(|task| age(task) < own);
            if in_order.nth(middle).is_some_and(older) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        Some(from + late)
    }

    /// Puts a task in, in the place of the one that has its id.
    pub fn put(&mut self, task: impl Into<Arc<Task>>) {
        let task = task.into();
        if let Some(row) = self.ids.get(&task.id).copied() {
            let standing = self.slots.get(row as usize).cloned().flatten();
            match standing {
                Some(old) if old.created_at == task.created_at => {
                    if let Some(index) = self.index_mut() {
                        index.change(row, &old, &task);
                    }
                    self.slots.set(row as usize, Some(task));
                    return;
                }
                _ => {
                    self.take(task.id);
                }
            }
        }
        let Ok(row) = Row::try_from(self.slots.len()) else {
            return;
        };
        let own = age(&task);
        if self.newest.is_none_or(|newest| newest < own) {
            self.newest = Some(own);
        } else {
            self.late.insert(own, row);
            self.late_rows.insert(row);
        }
        self.ids.insert(task.id, row);
        if let Some(index) = self.index_mut() {
            index.add(row, &task);
        }
        self.slots.push_back(Some(task));
        self.tidy();
    }

    /// Takes the task of that id out; whether there was one.
    pub fn remove(&mut self, id: TaskId) -> bool {
        let found = self.take(id);
        self.tidy();
        found
    }

    fn take(&mut self, id: TaskId) -> bool {
        let Some(row) = self.ids.remove(&id) else {
            return false;
        };
        let Some(slot) = self.slots.get_mut(row as usize) else {
            return false;
        };
        let Some(task) = slot.take() else {
            return false;
        };
        if self.late.remove(&age(&task)).is_some() {
            self.late_rows.remove(row);
        }
        if let Some(index) = self.index_mut() {
            index.remove(row, &task);
        }
        true
    }

    /// Numbers the slots anew when too many are late or empty.
    fn tidy(&mut self) {
        let late = self.late.len() > SPARE + self.len() / LATE_SHARE;
        let empty = self.slots.len() > SPARE + 2 * self.len();
        if late || empty {
            let tasks: Vec<Arc<Task>> = self.shared().collect();
            *self = tasks.into_iter().collect();
        }
    }

    fn shared(&self) -> impl Iterator<Item = Arc<Task>> + '_ {
        let ids = self.iter().map(|task| task.id);
        let rows = ids.filter_map(|id| self.ids.get(&id).copied());
        rows.filter_map(|row| self.slots.get(row as usize).cloned().flatten())
    }

    /// The task in a slot.
    pub(crate) fn at(&self, row: Row) -> Option<&Task> {
        read();
        self.slots.get(row as usize)?.as_deref()
    }

    /// The words of the titles, and the rows by what else they are asked for.
    pub(crate) fn index(&self) -> &Index {
        self.index.get_or_init(|| {
            let mut index = Index::default();
            for (row, task) in (0..).zip(&self.slots) {
                match task {
                    Some(task) => index.add(row, task),
                    None => index.skip(),
                }
            }
            index
        })
    }

    /// The list with its index, which is else made when somebody first asks for something by
    /// words: of a long list that is long work.
    pub(crate) fn indexed(self) -> Self {
        self.index();
        self
    }

    /// Tells whether the index is there.
    #[cfg(test)]
    pub(crate) fn is_indexed(&self) -> bool {
        self.index.get().is_some()
    }

    /// The oldest `most` of `rows`, oldest first.
    pub(crate) fn oldest(&self, rows: &Rows, most: usize) -> Vec<Row> {
        if self.late.is_empty() {
            return rows.iter().take(most).collect();
        }
        let in_order = rows.without(&self.late_rows);
        let late = self.late.values().copied();
        let late = late.filter(|row| rows.contains(*row)).take(most);
        let older = |a: &Row, b: &Row| self.at(*a).map(age) < self.at(*b).map(age);
        merge(in_order.iter(), late, older).take(most).collect()
    }

    /// The index, to be kept up with a change of this list alone; `None` while there is none.
    fn index_mut(&mut self) -> Option<&mut Index> {
        if Arc::get_mut(&mut self.index).is_none() {
            let own = self.index.get().cloned();
            self.index = Arc::new(own.map_or_else(OnceLock::new, OnceLock::from));
        }
        Arc::get_mut(&mut self.index)?.get_mut()
    }

    /// Counts the slots that are out of order.
    #[cfg(test)]
    pub(crate) fn late(&self) -> usize {
        self.late.len()
    }

    /// Counts the slots.
    #[cfg(test)]
    pub(crate) fn slots(&self) -> usize {
        self.slots.len()
    }

    fn in_order<'a>(
        &'a self,
        tasks: impl Iterator<Item = &'a Task> + 'a,
    ) -> impl Iterator<Item = &'a Task> + 'a {
        tasks.filter(|task| self.late.is_empty() || !self.late.contains_key(&age(task)))
    }
}

impl FromIterator<Arc<Task>> for TaskList {
    fn from_iter<I: IntoIterator<Item = Arc<Task>>>(tasks: I) -> Self {
        let mut tasks: Vec<Arc<Task>> = tasks.into_iter().collect();
        if !tasks.is_sorted_by_key(|task| age(task)) {
            tasks.sort_by_key(|task| age(task));
        }
        let mut list = Self::default();
        for (row, task) in (0..).zip(&tasks) {
            list.ids.insert(task.id, row);
        }
        if list.ids.len() < tasks.len() {
            // An id stands twice: the last one counts.
            list.ids.clear();
            tasks.into_iter().for_each(|task| list.put(task));
            return list;
        }
        list.newest = tasks.last().map(|task| age(task));
        list.slots = tasks.into_iter().map(Some).collect();
        list
    }
}

impl FromIterator<Task> for TaskList {
    fn from_iter<I: IntoIterator<Item = Task>>(tasks: I) -> Self {
        tasks.into_iter().map(Arc::new).collect()
    }
}

impl From<Vec<Task>> for TaskList {
    fn from(tasks: Vec<Task>) -> Self {
        tasks.into_iter().collect()
    }
}

impl PartialEq for TaskList {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl fmt::Debug for TaskList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Counts the tasks that are read, in tests: work that grows with the list comes to light there.
fn read() {
    #[cfg(test)]
    READ.with(|count| count.set(count.get() + 1));
}

#[cfg(test)]
thread_local! {
    /// Number of tasks that were read by this thread.
    pub(crate) static READ: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Returns when a task was added, and its id.
pub(crate) fn age(task: &Task) -> Age {
    (task.created_at, task.id)
}

/// Two sequences in order as one.
fn merge<T>(
    a: impl Iterator<Item = T>,
    b: impl Iterator<Item = T>,
    before: impl Fn(&T, &T) -> bool,
) -> impl Iterator<Item = T> {
    let (mut a, mut b) = (a.peekable(), b.peekable());
    std::iter::from_fn(move || match (a.peek(), b.peek()) {
        (Some(left), Some(right)) if before(right, left) => b.next(),
        (None, Some(_)) => b.next(),
        _ => a.next(),
    })
}
