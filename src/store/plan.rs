//! Decides, inside a transaction, what a commit writes: preconditions first, then rows.
//!
//! Pure: a backend reads the [`AdmissionState`] under its write lock, admits units one after another,
//! and writes the rows of those that were admitted. Every admitted unit moves the state, so
//! that units which share a transaction are judged as if each had come alone.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use serde::Deserialize;
use serde_json::{Value, json};

use super::batch::RowBatch;
use super::delegation::{RunBatch, RunsState, RunsWanted};
use super::erasure::ErasureReport;
use super::open::OpenWrite;
use super::receipt::ReceiptFacts;
use super::record::{CommitRecord, QuestionWrite, RollbackCause};
use super::unit::{RowWrite, Unit};
use crate::audit::{self, AuditEvent, ChainHead, EventKind};
use crate::domain::{ConversationId, ReceiptId, ReminderId, TaskId, TurnId, UserId};

type OfUser<T> = (UserId, T);

/// The version of what was written in this very transaction: nobody can have seen it, so
/// nothing can have been decided on it.
const UNSEEN: i64 = -1;

/// State that the units of a transaction are checked against.
#[derive(Debug, Default)]
pub(in crate::store) struct AdmissionState {
    /// Head of each user's audit log.
    pub heads: HashMap<UserId, ChainHead>,
    /// The version of each task that exists, deleted or not.
    pub tasks: HashMap<OfUser<TaskId>, i64>,
    /// The version of each conversation that exists.
    pub conversations: HashMap<OfUser<ConversationId>, i64>,
    /// Idempotency keys that are taken.
    pub keys: HashSet<OfUser<String>>,
    /// Receipts that exist, and whether they were taken back.
    pub receipts: HashMap<OfUser<ReceiptId>, bool>,
    /// Turns that have no reply yet, and how often their processes said that they work on them.
    pub open: HashMap<OfUser<TurnId>, i64>,
    /// State of the runs that are written about.
    pub runs: RunsState,
    /// Number of times that each reminder was taken which is ended.
    pub fences: HashMap<OfUser<ReminderId>, i64>,
}

/// Rows to read before units can be admitted, as pairs of user and id.
#[derive(Debug, Default)]
pub(in crate::store) struct AdmissionReads<'a> {
    pub users: Vec<&'a str>,
    pub tasks: Vec<(&'a str, TaskId)>,
    pub conversations: Vec<(&'a str, ConversationId)>,
    pub keys: Vec<(&'a str, &'a str)>,
    pub receipts: Vec<(&'a str, ReceiptId)>,
    pub open: Vec<(&'a str, TurnId)>,
    pub runs: RunsWanted<'a>,
    pub reminders: Vec<(&'a str, TaskId, ReminderId)>,
}

impl<'a> AdmissionReads<'a> {
    /// Adds what one unit is checked against.
    pub(in crate::store) fn add(&mut self, unit: &'a Unit, record: &'a CommitRecord) {
        let user = unit.user().as_str();
        if !self.users.contains(&user) {
            self.users.push(user);
        }
        for step in TaskStep::all(unit) {
            self.tasks.push((user, step.write.task.id));
        }
        if let Some((id, _)) = record.conversation {
            self.conversations.push((user, id));
        }
        if let Some(answer) = &record.keyed {
            self.keys.push((user, &answer.key));
        }
        for (receipt, _) in unit.undone() {
            self.receipts.push((user, *receipt));
        }
        if record.open != OpenWrite::None {
            self.open.push((user, unit.turn()));
        }
        self.runs.add(unit);
        let lease = unit.reminder_lease.iter();
        (self.reminders).extend(lease.map(|lease| (user, lease.task, lease.id)));
    }
}

/// Arrays of a database's answer, each row with its user: heads of logs as commits and as events tell
/// them, versions of tasks and of conversations, keys, how often receipts were taken back, and beats.
#[derive(Deserialize)]
struct StateRow(
    [Vec<(UserId, i64, String)>; 2],
    Vec<(UserId, TaskId, i64)>,
    Vec<(UserId, ConversationId, i64)>,
    HashSet<OfUser<String>>,
    Vec<(UserId, ReceiptId, i64)>,
    Vec<(UserId, TurnId, i64)>,
);

impl AdmissionState {
    /// Reads what the database gave, but for runs and reminders.
    pub(in crate::store) fn read(text: &str) -> serde_json::Result<Self> {
        fn by_id<I: Eq + Hash>(rows: Vec<(UserId, I, i64)>) -> HashMap<OfUser<I>, i64> {
            let rows = rows.into_iter();
            rows.map(|(user, id, number)| ((user, id), number))
                .collect()
        }
        let StateRow(heads, tasks, conversations, keys, receipts, open) =
            serde_json::from_str(text)?;
        let undone = receipts.into_iter();
        let mut state = Self {
            tasks: by_id(tasks),
            conversations: by_id(conversations),
            keys,
            receipts: (undone.map(|(user, id, undos)| ((user, id), undos > 0))).collect(),
            open: by_id(open),
            ..Self::default()
        };
        for (user, seq, hash) in heads.into_iter().flatten() {
            let further = state.head(&user).or_further(ChainHead { seq, hash });
            state.heads.insert(user, further);
        }
        Ok(state)
    }

    /// Returns the head of a user's log.
    pub(in crate::store) fn head(&self, user: &UserId) -> ChainHead {
        self.heads
            .get(user)
            .cloned()
            .unwrap_or_else(ChainHead::genesis)
    }

    /// Checks a unit and adds its rows to `batch`. What is refused leaves both as they were.
    pub(in crate::store) fn admit(
        &mut self,
        unit: &Unit,
        record: &CommitRecord,
        batch: &mut RowBatch,
    ) -> Result<(), RollbackCause> {
        let steps = self.check(unit, record)?;
        let receipts = receipts(unit);
        let (mut runs, mut about) = (self.runs.clone(), RunBatch::default());
        let told = runs.admit(unit, &mut about)?;
        self.runs = runs;
        batch.runs.append(about);
        self.step(unit, record, &steps);
        self.log(unit, record, (receipts, told), batch)
            .map_err(|error| RollbackCause::Storage(error.to_string()))?;
        for step in &steps {
            batch.task(unit, step.write);
        }
        batch.record(unit, record);
        Ok(())
    }

    /// Adds the commit of an erasure, and gives the number of its event.
    pub(in crate::store) fn admit_erasure(
        &mut self,
        unit: &Unit,
        erased: &ErasureReport,
        batch: &mut RowBatch,
    ) -> serde_json::Result<i64> {
        let told = json!({ "what": "erasure", "erased": erased });
        let told = AuditEvent::of(EventKind::Erasure, &told);
        let record = CommitRecord {
            events: vec![told],
            ..CommitRecord::default()
        };
        self.log(unit, &record, (Vec::new(), Vec::new()), batch)?;
        let head = self.heads.get(unit.user());
        Ok(head.map_or(0, |head| head.seq))
    }

    fn check<'a>(
        &self,
        unit: &'a Unit,
        record: &CommitRecord,
    ) -> Result<Vec<TaskStep<'a>>, RollbackCause> {
        let user = unit.user();
        // Before the key: who was taken for dead finds its key answered, and is told why.
        let beats = self.open.get(&(user.clone(), unit.turn()));
        let ended = match &record.open {
            OpenWrite::None | OpenWrite::Begin(_) => false,
            OpenWrite::Keep(_) | OpenWrite::End { beats: None } => beats.is_none(),
            OpenWrite::End { beats: known } => beats.copied() != *known,
        };
        if ended {
            return Err(RollbackCause::TurnEnded);
        }
        if let Some(keyed) = &record.keyed
            && self.keys.contains(&(user.clone(), keyed.key.clone())) != record.claimed
        {
            return Err(RollbackCause::KeyTaken);
        }
        match record.conversation {
            Some((id, version)) => {
                let standing = self.conversations.get(&(user.clone(), id));
                if standing.copied().unwrap_or(0) != version {
                    return Err(RollbackCause::ConversationMoved);
                }
            }
            None if record.messages.is_empty() && record.question == QuestionWrite::Keep => {}
            None => return Err(flaw("lines or a question belong to a conversation")),
        }
        let own = record.events.iter().find_map(|event| match event.kind {
            EventKind::Receipt => Some("only a commit tells the log of a receipt"),
            EventKind::Erasure => Some("only an erasure tells the log of an erasure"),
            EventKind::Run => Some("only what is written about a run tells the log of it"),
            EventKind::Reminder => Some("only what ends a reminder tells the log of it"),
            _ => None,
        });
        if let Some(words) = own {
            return Err(flaw(words));
        }
        if let Some(lease) = unit.reminder_lease
            && self.fences.get(&(user.clone(), lease.id)) != Some(&lease.fence)
        {
            return Err(RollbackCause::ReminderMoved);
        }
        for (receipt, _) in unit.undone() {
            match self.receipts.get(&(user.clone(), *receipt)) {
                Some(false) => {}
                Some(true) => return Err(RollbackCause::AlreadyUndone),
                None => return Err(flaw("a receipt to take back is not this user's")),
            }
        }
        let steps = TaskStep::all(unit);
        for step in &steps {
            let id = step.write.task.id;
            if step.write.task.user_id != *user {
                return Err(flaw("a task to write is not this user's"));
            }
            let standing = self.tasks.get(&(user.clone(), id));
            if standing.copied().unwrap_or(0) != step.stands_at {
                return Err(RollbackCause::TaskMoved(id));
            }
        }
        Ok(steps)
    }

    fn step(&mut self, unit: &Unit, record: &CommitRecord, steps: &[TaskStep<'_>]) {
        let user = unit.user();
        for step in steps {
            self.tasks
                .insert((user.clone(), step.write.task.id), UNSEEN);
        }
        if let Some((id, _)) = record.conversation {
            self.conversations.insert((user.clone(), id), UNSEEN);
        }
        if let Some(keyed) = &record.keyed {
            self.keys.insert((user.clone(), keyed.key.clone()));
        }
        for (receipt, _) in unit.undone() {
            self.receipts.insert((user.clone(), *receipt), true);
        }
        match &record.open {
            OpenWrite::None => {}
            OpenWrite::Begin(_) | OpenWrite::Keep(_) => {
                self.open.insert((user.clone(), unit.turn()), UNSEEN);
            }
            OpenWrite::End { .. } => {
                self.open.remove(&(user.clone(), unit.turn()));
            }
        }
    }

    /// Tells the log: what led to the receipts, then the receipts, then what became of runs and of
    /// reminders, then what was replied.
    fn log(
        &mut self,
        unit: &Unit,
        record: &CommitRecord,
        (receipts, runs): (Vec<(&ReceiptFacts, Value)>, Vec<AuditEvent>),
        batch: &mut RowBatch,
    ) -> serde_json::Result<()> {
        let user = unit.user();
        let mut head = self.head(user);
        let first_seq = head.seq + 1;
        let mut tell = |kind, payload: &Value, batch: &mut RowBatch| {
            let (turn, at) = (Some(unit.turn()), unit.now());
            let payload = (payload, || unit.salt());
            let row = audit::AuditRow::after(&head, user.clone(), turn, kind, payload, at);
            head = row.head();
            batch.event(&row);
            head.seq
        };
        let (replies, causes): (Vec<_>, Vec<_>) =
            (record.events.iter()).partition(|event| event.kind == EventKind::Reply);
        for event in causes {
            tell(event.kind, &event.payload, batch);
        }
        for (facts, payload) in receipts {
            let seq = tell(EventKind::Receipt, &payload, batch);
            batch.receipt(unit, facts, seq)?;
        }
        for event in runs.iter().chain(unit.reminder_events()).chain(replies) {
            tell(event.kind, &event.payload, batch);
        }
        batch.commit(unit, first_seq, &head);
        self.heads.insert(user.clone(), head);
        Ok(())
    }
}

/// Change of one task by a unit in all, and the version the row must stand at.
struct TaskStep<'a> {
    write: &'a RowWrite,
    stands_at: i64,
}

impl<'a> TaskStep<'a> {
    fn all(unit: &'a Unit) -> Vec<Self> {
        let mut steps: Vec<Self> = Vec::with_capacity(unit.writes().len());
        let mut places = HashMap::with_capacity(unit.writes().len());
        for write in unit.writes() {
            let place = *places.entry(write.task.id).or_insert(steps.len());
            match steps.get_mut(place) {
                Some(step) => step.write = write,
                None => steps.push(Self {
                    write,
                    stands_at: write.task.version - 1,
                }),
            }
        }
        steps
    }
}

fn receipts(unit: &Unit) -> Vec<(&ReceiptFacts, Value)> {
    let facts = unit.drafts().iter().map(super::receipt::Draft::facts);
    facts.map(|facts| (facts, facts.told())).collect()
}

/// A write that no caller may hand in.
pub(in crate::store) fn flaw(words: &str) -> RollbackCause {
    RollbackCause::Storage(words.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{IdSource, Task, Title, TurnId};
    use crate::store::{KeyedAnswer, NewTask};

    fn ann() -> UserId {
        UserId::parse("ann").unwrap()
    }

    fn unit(base: Vec<Task>) -> Unit {
        let ids = IdSource::random();
        let turn = TurnId::new(ids.next());
        let at = chrono::DateTime::from_timestamp(1_770_544_800, 0).unwrap();
        Unit::new(ann(), None, turn, at, ids, base.into())
    }

    fn milk() -> NewTask {
        NewTask::titled(Title::parse("Milk").unwrap())
    }

    fn standing() -> (Task, AdmissionState) {
        let mut adding = unit(Vec::new());
        let task = adding.add(milk()).facts().after.clone().unwrap();
        let mut state = AdmissionState::default();
        state.tasks.insert((ann(), task.id), 1);
        (task, state)
    }

    #[test]
    fn of_two_units_in_one_transaction_the_second_finds_the_task_moved() {
        let (task, mut state) = standing();
        let units = [unit(vec![task.clone()]), unit(vec![task.clone()])].map(|mut unit| {
            let _ = unit.delete(task.id);
            unit
        });
        let record = CommitRecord::default();
        let mut batch = RowBatch::default();
        assert_eq!(state.admit(&units[0], &record, &mut batch), Ok(()));
        let refused = state.admit(&units[1], &record, &mut batch);
        assert_eq!(refused, Err(RollbackCause::TaskMoved(task.id)));
        assert_eq!(
            (batch.tasks.len(), batch.receipts.len(), batch.commits.len()),
            (1, 1, 1)
        );
    }

    #[test]
    fn nothing_can_be_decided_on_what_nobody_has_seen() {
        let (task, mut state) = standing();
        let mut seen = task.clone();
        let mut first = unit(vec![task.clone()]);
        let _ = first.delete(task.id);
        seen.version = 2;
        let mut second = unit(vec![seen]);
        let _ = second.delete(task.id);
        let record = CommitRecord::default();
        let mut batch = RowBatch::default();
        assert_eq!(state.admit(&first, &record, &mut batch), Ok(()));
        let refused = state.admit(&second, &record, &mut batch);
        assert_eq!(refused, Err(RollbackCause::TaskMoved(task.id)));
    }

    #[test]
    fn units_of_one_user_continue_one_log() {
        let mut state = AdmissionState::default();
        let mut batch = RowBatch::default();
        let reply = AuditEvent::of(EventKind::Reply, &"ok");
        let record = CommitRecord {
            events: vec![reply],
            ..CommitRecord::default()
        };
        let mut units = [unit(Vec::new()), unit(Vec::new())];
        for unit in &mut units {
            unit.add(milk());
        }
        for unit in &units {
            assert_eq!(state.admit(unit, &record, &mut batch), Ok(()));
        }
        assert_eq!(batch.events.len(), 4);
        assert_eq!(state.heads.get(&ann()).map(|head| head.seq), Some(4));
    }

    #[test]
    fn only_an_erasure_tells_of_an_erasure() {
        let unit = unit(Vec::new());
        let told = AuditEvent::of(EventKind::Erasure, &serde_json::json!({}));
        let record = CommitRecord {
            events: vec![told],
            ..CommitRecord::default()
        };
        let mut batch = RowBatch::default();
        let refused = AdmissionState::default().admit(&unit, &record, &mut batch);
        assert!(
            matches!(refused, Err(RollbackCause::Storage(_))),
            "{refused:?}"
        );
        let mut state = AdmissionState::default();
        let seq = state.admit_erasure(&unit, &ErasureReport::default(), &mut batch);
        assert_eq!(seq.unwrap(), 1);
        // It holds nothing personal.
        assert!(!batch.events[0].to_string().contains("salt"));
        assert_eq!((batch.events.len(), batch.commits.len()), (1, 1));
    }

    #[test]
    fn a_key_is_the_first_thing_looked_at() {
        let (task, mut state) = standing();
        state.keys.insert((ann(), "k".to_owned()));
        let mut late = unit(vec![Task {
            version: 7,
            ..task.clone()
        }]);
        let _ = late.delete(task.id);
        let keyed = KeyedAnswer {
            key: "k".to_owned(),
            fingerprint: String::new(),
            status: 200,
            body: String::new(),
        };
        let record = CommitRecord {
            keyed: Some(keyed),
            ..CommitRecord::default()
        };
        let refused = state.admit(&late, &record, &mut RowBatch::default());
        assert_eq!(refused, Err(RollbackCause::KeyTaken));
    }
}
