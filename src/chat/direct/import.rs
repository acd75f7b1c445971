//! Whole lists at once: tasks of a file become tasks of a user.
//!
//! They pass the same unit of work as any other write, so that each leaves its receipt and its
//! audit events; a unit holds [`UNIT`] of them and is a turn of its own. Units commit one after
//! another: what breaks off stays as far as it came, and the same file again goes on from there,
//! since a task that is there is left as it is. A due date that is past is kept, as it was.

use std::collections::{HashMap, HashSet};

use serde::Serialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use super::{BUSY, DirectWrites, WriteAnswer, WriteError, account, described, fingerprint, replay};
use crate::audit::AuditEvent;
use crate::domain::{Action, Moment, Task, TaskId, UserId};
use crate::formats::{
    DayOrder, Decoded, Entry, Layout, LeftOutKind, ReadOptions, Reading, Refused, Unreadable,
    identity,
};
use crate::resolver::TaskList;
use crate::store::{CommitRecord, KeyedAnswer, Unit, UserSnapshot};

/// Tasks of one commit.
const UNIT: usize = 100;

/// Refusals that a report tells one by one.
const TOLD: usize = 1_000;

/// A file that is to be imported.
#[derive(Debug)]
pub struct TaskImport {
    layout: &'static Layout,
    sha256: String,
    reading: Reading,
    ids: Vec<TaskId>,
}

/// Outcome of an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ImportReport)]
pub struct ImportReport {
    /// The layout that it was read as.
    pub format: &'static str,
    /// Nothing was written: it says what would have been.
    pub dry_run: bool,
    /// Tasks in the file, refused ones included.
    #[schema(format = Int64)]
    pub read: usize,
    /// Tasks that were added.
    #[schema(format = Int64)]
    pub added: usize,
    /// Of them, tasks that had been deleted and are back.
    #[schema(format = Int64)]
    pub brought_back: usize,
    /// Tasks that were on the list already, and are left as they are.
    #[schema(format = Int64)]
    pub already_there: usize,
    /// Tasks that were refused.
    #[schema(format = Int64)]
    pub refused: usize,
    /// The first thousand of them, by line.
    pub refusals: Vec<Refused>,
    /// Everything else that the file holds and no task keeps, by kind.
    pub left_out: Vec<LeftOutKind>,
    /// Assumptions about what the file does not say.
    pub assumed: Vec<String>,
}

/// Outcome of an import.
#[derive(Debug)]
pub enum ImportOutcome {
    /// The import ran to its end.
    Done(ImportReport),
    /// The import was done before, under this idempotency key.
    Before(WriteAnswer),
}

/// Cause that stopped an import, and how far it had come: what it had added stays.
#[derive(Debug, thiserror::Error)]
#[error("{cause}")]
pub struct ImportStopped {
    /// Cause of the stop.
    pub cause: WriteError,
    /// Report of what was committed before.
    pub report: ImportReport,
}

impl TaskImport {
    /// Reads a file's text.
    ///
    /// # Errors
    /// [`Unreadable`] when it has not that layout at all.
    pub fn read(
        layout: &'static Layout,
        file: &Decoded,
        options: &ReadOptions,
    ) -> Result<Self, Unreadable> {
        let mut reading = layout.read(&file.text, options)?;
        let encoding = file.guessed.map(|name| format!("the encoding is {name}"));
        reading.assumed.extend(encoding);
        Ok(Self {
            layout,
            sha256: crate::audit::hex(&Sha256::digest(&file.text)),
            ids: identity::ids(&reading.entries),
            reading,
        })
    }

    /// Tasks that can be imported.
    pub const fn len(&self) -> usize {
        self.ids.len()
    }

    /// Tells whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Describes what is asked for; of one commit with the number of its tasks.
    fn asked(&self, tasks: Option<usize>) -> Value {
        described([
            ("action", Some(json!("import"))),
            ("format", Some(json!(self.layout.name))),
            ("sha256", Some(json!(self.sha256))),
            ("tasks", tasks.map(|count| json!(count))),
        ])
    }

    fn report(&self, dry_run: bool) -> ImportReport {
        let refused = &self.reading.refused;
        ImportReport {
            format: self.layout.name,
            dry_run,
            read: self.len() + refused.len(),
            added: 0,
            brought_back: 0,
            already_there: 0,
            refused: refused.len(),
            refusals: refused.iter().take(TOLD).cloned().collect(),
            left_out: self.reading.left_out.kinds(),
            assumed: self.reading.assumed.iter().cloned().collect(),
        }
    }

    /// Entries with their ids and places.
    fn parts(&self) -> Vec<(usize, &Entry, TaskId)> {
        let entries = self.reading.entries.iter().zip(&self.ids).enumerate();
        entries
            .map(|(place, (entry, id))| (place, entry, *id))
            .collect()
    }
}

/// State of an import.
struct ImportState<'a> {
    import: &'a TaskImport,
    user: &'a UserId,
    key: Option<(&'a str, String)>,
    /// The database was asked for the list, and whether the key has its answer.
    looked: bool,
    report: ImportReport,
}

impl DirectWrites {
    /// Answers, as of now, to what a file does not say.
    pub fn read_options(&self, day_order: Option<DayOrder>) -> ReadOptions {
        let today = self.clock.now(self.zone).today;
        let zone = self.zone;
        ReadOptions {
            zone,
            today,
            day_order,
        }
    }

    /// A user's tasks, oldest first.
    ///
    /// # Errors
    /// [`WriteError::Storage`].
    pub async fn all(&self, user: &UserId) -> Result<TaskList, WriteError> {
        Ok(self.store.load(user, None, None).await?.tasks)
    }

    /// Reports what an import would do now.
    ///
    /// # Errors
    /// [`WriteError::Storage`].
    pub async fn try_import(
        &self,
        user: &UserId,
        import: &TaskImport,
    ) -> Result<ImportReport, WriteError> {
        let standing = self.store.load(user, None, None).await?;
        let deleted = self.deleted(user, &import.ids).await?;
        let mut report = import.report(true);
        for id in &import.ids {
            if standing.task(*id).is_some() {
                report.already_there += 1;
            } else {
                report.added += 1;
                report.brought_back += usize::from(deleted.contains_key(id));
            }
        }
        Ok(report)
    }

    /// Adds the tasks of a file, and tells `progress` after each commit how many of them are seen
    /// to.
    ///
    /// # Errors
    /// [`ImportStopped`], with what was committed until then.
    pub async fn import(
        &self,
        user: &UserId,
        import: &TaskImport,
        key: Option<&str>,
        progress: impl Fn(usize) + Send,
    ) -> Result<ImportOutcome, ImportStopped> {
        let mut course = ImportState {
            import,
            user,
            key: key.map(|key| (key, fingerprint(&import.asked(None)))),
            looked: false,
            report: import.report(false),
        };
        let parts = import.parts();
        let mut chunks: Vec<_> = parts.chunks(UNIT).collect();
        if chunks.is_empty() {
            chunks.push(&[]);
        }
        let (mut seen, last) = (0, chunks.len() - 1);
        for (index, chunk) in chunks.into_iter().enumerate() {
            match self.take_in(&mut course, chunk, index == last).await {
                Ok(None) => {}
                Ok(Some(before)) => return Ok(ImportOutcome::Before(before)),
                Err(cause) => {
                    let report = course.report;
                    return Err(ImportStopped { cause, report });
                }
            }
            seen += chunk.len();
            progress(seen);
        }
        Ok(ImportOutcome::Done(course.report))
    }

    /// Commits one unit; gives the stored answer when there is one.
    async fn take_in(
        &self,
        course: &mut ImportState<'_>,
        chunk: &[(usize, &Entry, TaskId)],
        last: bool,
    ) -> Result<Option<WriteAnswer>, WriteError> {
        let user = course.user;
        let moment = self.clock.now(self.zone);
        let ids: Vec<TaskId> = chunk.iter().map(|(_, _, id)| *id).collect();
        let mut transaction = self.store.transact(BUSY);
        loop {
            // A list that grows by each unit is read once and then remembered. Memory holds no
            // key, and may be out of date: then nothing is written, and it is read after all.
            let remembered = course.looked && transaction.is_first();
            let remembered = remembered.then(|| self.store.recall(user, None)).flatten();
            let snapshot = match remembered {
                Some(snapshot) => snapshot,
                None => {
                    let key = course.key.as_ref().map(|(key, _)| *key);
                    self.store.load(user, None, key).await?
                }
            };
            course.looked = true;
            if let (Some(kept), Some((_, fingerprint))) = (&snapshot.keyed, &course.key) {
                return replay(kept, fingerprint).map(Some);
            }
            let deleted = self.deleted(user, &ids).await?;
            let mut unit = self.unit(user, moment, &snapshot);
            let report = course.add(chunk, &snapshot, &deleted, &mut unit);
            if !unit.has_effect() && !last {
                course.report = report;
                return Ok(None);
            }
            let record = CommitRecord {
                events: events(course.import, chunk, moment, &unit),
                keyed: course
                    .key
                    .as_ref()
                    .filter(|_| last)
                    .map(|(key, fingerprint)| KeyedAnswer {
                        key: (*key).to_owned(),
                        fingerprint: fingerprint.clone(),
                        status: 200,
                        body: report.body(),
                    }),
                recalled: snapshot.recalled,
                ..CommitRecord::default()
            };
            if transaction.commit(unit, record).await?.is_some() {
                course.report = report;
                return Ok(None);
            }
        }
    }

    /// Of these tasks, those that are deleted and not gone yet.
    async fn deleted(
        &self,
        user: &UserId,
        among: &[TaskId],
    ) -> Result<HashMap<TaskId, Task>, WriteError> {
        let deleted = self.store.deleted_tasks(user, among).await?;
        Ok(deleted.into_iter().map(|task| (task.id, task)).collect())
    }
}

impl ImportState<'_> {
    /// Adds what is not there, and gives the report as it will be.
    fn add(
        &self,
        chunk: &[(usize, &Entry, TaskId)],
        snapshot: &UserSnapshot,
        deleted: &HashMap<TaskId, Task>,
        unit: &mut Unit,
    ) -> ImportReport {
        let mut report = self.report.clone();
        for (place, entry, id) in chunk {
            if snapshot.task(*id).is_some() {
                report.already_there += 1;
                continue;
            }
            let order = (*place, self.import.len());
            let task = entry.task(self.user, *id, unit.now(), order);
            let task = unit.remind_of(task, &entry.reminders);
            let over = deleted.get(id);
            unit.bring(task, over);
            report.added += 1;
            report.brought_back += usize::from(over.is_some());
        }
        report
    }
}

impl ImportReport {
    /// Tells whether every part of the file is kept, on the list or by what was on it.
    pub fn is_whole(&self) -> bool {
        self.refused == 0 && self.left_out.is_empty()
    }

    /// As JSON.
    pub fn body(&self) -> String {
        // Strings and numbers always serialise.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Returns the events for the log.
fn events(
    import: &TaskImport,
    chunk: &[(usize, &Entry, TaskId)],
    moment: Moment,
    unit: &Unit,
) -> Vec<AuditEvent> {
    let added: HashSet<TaskId> = unit.writes().iter().map(|write| write.task.id).collect();
    let asked = import.asked(Some(chunk.len()));
    let calls = chunk.iter().map(|(_, entry, id)| {
        let outcome = if added.contains(id) {
            "committed"
        } else {
            "unchanged"
        };
        json!({
            "name": Action::AddTask,
            "task_id": id,
            "line": entry.line,
            "outcome": outcome,
        })
    });
    account("import", &asked, moment, calls, 200)
}
