//! The order of the readings: id, exact title, place or pronoun, words, slips.

use crate::domain::{Task, TaskId};

use super::decide::{Found, Titles};
use super::list::TaskList;
use super::nearest::nearest;
use super::parse::is_bare_ordinal;
use super::rows::Row;
use super::search::Query;
use super::{
    Among, Candidate, Context, Missing, Position, Reference, ReferenceResolver, Resolution,
};

/// The most candidates of a `Many` that words led to: more is not a question but a listing.
pub(crate) const CANDIDATES: usize = 50;
/// The longest reference that can be words of a title, in bytes.
const LONGEST: usize = 2_048;

impl<'a> ReferenceResolver<'a> {
    /// A resolver over `tasks`.
    pub const fn new(tasks: &'a TaskList, context: Context<'a>) -> Self {
        Self { tasks, context }
    }

    /// Finds what `text` means: a title it is exactly comes before a place or a pronoun it could
    /// be.
    pub fn resolve(&self, text: &str, among: Among) -> Resolution {
        let text = text.trim();
        let reference = Reference::parse(text);
        match reference {
            Reference::Words(words) => self.words(words, among),
            Reference::Id(id) if self.task(id).is_some() => Resolution::One(id),
            _ => match self.exact(text, among) {
                Some(found) => self.resolution(found),
                None if is_bare_ordinal(text) => self.bare_ordinal(&reference, text, among),
                None => self.resolve_reference(&reference, among),
            },
        }
    }

    /// Finds what a reference means that was read already.
    pub fn resolve_reference(&self, reference: &Reference<'_>, among: Among) -> Resolution {
        match reference {
            Reference::Id(id) => self.one(*id, Missing::NoMatch),
            Reference::Position(position) => self.position(*position),
            Reference::It => match distinct(self.context.focus).as_slice() {
                [] => none(Missing::NoFocus),
                [id] => self.one(*id, Missing::Gone(*id)),
                several => self.several(several),
            },
            Reference::They => self.several(&distinct(self.context.focus)),
            Reference::Other => {
                let mut others = distinct(self.context.offered);
                others.retain(|id| !self.context.focus.contains(id));
                match others.as_slice() {
                    [id] => self.one(*id, Missing::Gone(*id)),
                    several => self.several(several),
                }
            }
            Reference::Words(words) => self.words(words, among),
        }
    }

    fn position(&self, position: Position) -> Resolution {
        let shown = self.context.shown;
        if shown.is_empty() {
            return none(Missing::NothingShown);
        }
        let place = match position {
            Position::Nth(n) => n.checked_sub(1).and_then(|n| shown.get(n as usize)),
            Position::FromEnd(n) => n
                .checked_sub(1)
                .and_then(|n| shown.iter().rev().nth(n as usize)),
        };
        match place {
            Some(id) => self.one(*id, Missing::Gone(*id)),
            None => none(Missing::OutOfRange),
        }
    }

    /// "first", with a task "First aid kit": a place or a title, only the user knows.
    fn bare_ordinal(&self, reference: &Reference<'_>, text: &str, among: Among) -> Resolution {
        let place = self.resolve_reference(reference, among);
        let mut rows = self.titles(among).having(text);
        match place {
            Resolution::One(id) => {
                rows.retain(|row| self.tasks.at(*row).is_some_and(|task| task.id != id));
                if rows.is_empty() {
                    return Resolution::One(id);
                }
                let first = self.task(id).map(Candidate::of);
                Resolution::Many(first.into_iter().chain(self.candidates(&rows)).collect())
            }
            Resolution::None { .. } if rows.len() > 1 => Resolution::Many(self.candidates(&rows)),
            Resolution::None { why, .. } => {
                rows.truncate(3);
                let nearest = self.candidates(&rows);
                Resolution::None { why, nearest }
            }
            many @ Resolution::Many(_) => many,
        }
    }

    fn words(&self, text: &str, among: Among) -> Resolution {
        if text.len() > LONGEST {
            return none(Missing::NoMatch);
        }
        let titles = self.titles(among);
        // A title of several words that is said whole names its task, whatever its state: another
        // title that only has its words is not meant. "milk" may be the open "buy milk".
        let several = text.split_whitespace().nth(1).is_some();
        let whole = || several.then(|| titles.all().exact(text))?;
        let plain = titles.exact(text).or_else(whole);
        let plain = plain.or_else(|| titles.by_words(text));
        let all = titles.all();
        let plain = plain.or_else(|| all.exact(text).or_else(|| all.by_words(text)));
        if let Some(found) = plain {
            return self.resolution(found);
        }
        let mut query = Query::new(titles.list, text);
        let slips = query.as_mut().and_then(|query| {
            let found = titles.all().by_slips(query)?;
            Some(titles.prefer(found))
        });
        if let Some(found) =
            slips.or_else(|| numbered(text).and_then(|title| titles.all().exact(title)))
        {
            return self.resolution(found);
        }
        let rows = nearest(&titles, text, query.as_mut());
        let nearest = self.candidates(&rows);
        Resolution::None {
            why: Missing::NoMatch,
            nearest,
        }
    }

    fn exact(&self, text: &str, among: Among) -> Option<Found> {
        let titles = self.titles(among);
        titles.exact(text).or_else(|| titles.all().exact(text))
    }

    const fn titles(&self, among: Among) -> Titles<'_> {
        Titles {
            list: self.tasks,
            among,
        }
    }

    fn task(&self, id: TaskId) -> Option<&'a Task> {
        self.tasks.get(id)
    }

    fn one(&self, id: TaskId, why: Missing) -> Resolution {
        match self.task(id) {
            Some(_) => Resolution::One(id),
            None => none(why),
        }
    }

    /// Finds the tasks that still exist. Never one alone: of several spoken of, the rest being gone
    /// doesn't say that the last is meant.
    fn several(&self, ids: &[TaskId]) -> Resolution {
        let tasks = ids.iter().filter_map(|id| self.task(*id));
        let candidates: Vec<Candidate> = tasks.map(Candidate::of).collect();
        match (candidates.is_empty(), ids) {
            (true, [id]) => none(Missing::Gone(*id)),
            (true, _) => none(Missing::NoFocus),
            (false, _) => Resolution::Many(candidates),
        }
    }

    fn resolution(&self, found: Found) -> Resolution {
        match found {
            Found::One(row) => match self.tasks.at(row) {
                Some(task) => Resolution::One(task.id),
                None => none(Missing::NoMatch),
            },
            Found::Many { rows, .. } => Resolution::Many(self.candidates(&rows)),
        }
    }

    fn candidates(&self, rows: &[Row]) -> Vec<Candidate> {
        let tasks = rows.iter().filter_map(|row| self.tasks.at(*row));
        tasks.take(CANDIDATES).map(Candidate::of).collect()
    }
}

const fn none(why: Missing) -> Resolution {
    Resolution::None {
        why,
        nearest: Vec::new(),
    }
}

fn distinct(ids: &[TaskId]) -> Vec<TaskId> {
    let mut seen = Vec::with_capacity(ids.len());
    for id in ids {
        if !seen.contains(id) {
            seen.push(*id);
        }
    }
    seen
}

/// The title in a line copied from a listing: "2. Read book".
fn numbered(text: &str) -> Option<&str> {
    let (number, title) = text.split_once(['.', ')'])?;
    let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    (is_number && title.starts_with(' ')).then(|| title.trim())
}
