//! Memory of users who are talking right now, so that a turn need not ask the database what this
//! process itself wrote last.
//!
//! Memory is never believed, only proposed: a unit that was decided on it names the mark of that
//! memory, and is written only where the database's own log still stands where this process
//! left it. Else nothing is written, the memory is dropped, and the turn begins anew from the
//! database.

use std::collections::HashSet;

use hashlink::LruCache;
use parking_lot::Mutex;

use super::open::OpenWrite;
use super::plan::AdmissionState;
use super::record::{CommitRecord, QuestionWrite};
use super::snapshot::{ConversationState, StoredMessage, UserSnapshot};
use super::unit::{RowWrite, Unit};
use crate::audit::ChainHead;
use crate::domain::{ConversationId, UserId};
use crate::resolver::TaskList;

/// Users remembered at most.
const USERS: usize = 1_000;
/// Tasks remembered at most, of all users together.
const TASKS: usize = 200_000;
/// Conversations remembered of each user, the latest ones.
const CONVERSATIONS: usize = 4;
/// Lines remembered of a conversation: as many as a snapshot holds.
const MESSAGES: usize = 20;

/// Position at which a user's rows stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::store) struct LogPosition {
    /// The last event of the log.
    pub head: ChainHead,
    /// Number of times the user's ledger was written; 0 where the database counts nothing.
    pub version: i64,
}

impl LogPosition {
    /// Of a database that counts nothing.
    pub(in crate::store) const fn of(head: ChainHead) -> Self {
        Self { head, version: 0 }
    }
}

/// From which event to where a commit leads the log.
pub(in crate::store) type LogSpan = (i64, LogPosition);

/// On which memory a snapshot was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CacheMark {
    /// One reading of the database, and what this process has written since.
    line: u64,
    /// The last event that it knew.
    seq: i64,
}

/// The users.
#[derive(Debug)]
pub(in crate::store) struct SnapshotCache {
    users: Mutex<CachedUsers>,
}

#[derive(Debug)]
struct CachedUsers {
    known: LruCache<UserId, CachedUser>,
    lines: u64,
}

/// One user.
#[derive(Debug)]
struct CachedUser {
    line: u64,
    stand: LogPosition,
    tasks: TaskList,
    /// The latest last.
    conversations: Vec<ConversationState>,
}

impl Default for SnapshotCache {
    fn default() -> Self {
        let users = CachedUsers {
            known: LruCache::new(USERS),
            lines: 0,
        };
        Self {
            users: Mutex::new(users),
        }
    }
}

impl SnapshotCache {
    /// Returns what is known, where that is all a turn needs.
    pub(in crate::store) fn recall(
        &self,
        user: &UserId,
        conversation: Option<ConversationId>,
    ) -> Option<UserSnapshot> {
        let mut users = self.users.lock();
        let known = users.known.get(user)?;
        let conversation = match conversation {
            Some(id) => Some(known.conversation(id)?.clone()),
            None => None,
        };
        Some(UserSnapshot {
            user: user.clone(),
            tasks: known.tasks.clone(),
            conversation,
            keyed: None,
            open: None,
            recalled: Some(known.mark()),
        })
    }

    /// Takes note of what was read from the database.
    pub(in crate::store) fn learn(&self, snapshot: &UserSnapshot, stand: LogPosition) {
        let mut users = self.users.lock();
        // While the database was read, this process may have written what the reading lacks.
        let known = users.known.peek(&snapshot.user);
        let talk = snapshot.conversation.clone();
        let talk = talk.filter(|_| snapshot.open.is_none());
        match known.map(|known| known.stand.head.seq.cmp(&stand.head.seq)) {
            Some(std::cmp::Ordering::Greater) => {}
            Some(std::cmp::Ordering::Equal) => {
                if let (Some(known), Some(talk)) = (users.known.get_mut(&snapshot.user), talk) {
                    known.remember(talk);
                }
            }
            None | Some(std::cmp::Ordering::Less) => {
                users.lines += 1;
                let known = CachedUser {
                    line: users.lines,
                    stand,
                    tasks: snapshot.tasks.clone(),
                    conversations: talk.into_iter().collect(),
                };
                users.insert(snapshot.user.clone(), known);
            }
        }
    }

    /// Drops what is known of a user.
    pub(in crate::store) fn forget(&self, user: &UserId) {
        self.users.lock().known.remove(user);
    }

    /// Tells whether what a unit was decided on was true, now that the database says that the
    /// user's log ends with event `seq`.
    pub(in crate::store) fn upholds(&self, unit: &Unit, record: &CommitRecord, seq: i64) -> bool {
        let Some(recalled) = record.recalled else {
            return true;
        };
        if recalled.seq == seq {
            return true;
        }
        let mut users = self.users.lock();
        let known = users.known.get(unit.user());
        known.is_some_and(|known| known.line == recalled.line && known.stand.head.seq == seq)
    }

    /// Tells whether the user's rows stand so, as far as is known.
    pub(in crate::store) fn stands(&self, user: &UserId, so: &LogPosition) -> bool {
        let users = self.users.lock();
        let known = users.known.peek(user);
        known.is_some_and(|known| known.stand == *so)
    }

    /// The state that a unit is checked against, and the version of the user's ledger, where they
    /// are known; `None` where the database must be asked. They hold only while the user's log
    /// stands where [`AdmissionState::heads`] says.
    pub(in crate::store) fn state(
        &self,
        unit: &Unit,
        record: &CommitRecord,
    ) -> Option<(AdmissionState, i64)> {
        let mut users = self.users.lock();
        let user = unit.user();
        let known = users.known.get(user)?;
        let held = record.recalled.is_none_or(|recalled| {
            recalled.line == known.line || recalled.seq == known.stand.head.seq
        });
        let plain = unit.undone().is_empty()
            && unit.run_writes().is_empty()
            && unit.reminder_lease.is_none()
            && record.open == OpenWrite::None
            && !record.claimed;
        if !held || !plain {
            return None;
        }
        let mut state = AdmissionState::default();
        state.heads.insert(user.clone(), known.stand.head.clone());
        if let Some((id, _)) = record.conversation {
            let version = known.conversation(id)?.version;
            state.conversations.insert((user.clone(), id), version);
        }
        let mut written = HashSet::new();
        for write in unit.writes() {
            let id = write.task.id;
            match known.tasks.get(id) {
                Some(task) => {
                    state.tasks.insert((user.clone(), id), task.version);
                }
                // Nobody has a task of an id that was made for it just now; what may be a
                // deleted one's is looked up.
                None if write.task.version == 1 && write.task.created_at == unit.now() => {}
                None if written.contains(&id) => {}
                None => return None,
            }
            written.insert(id);
        }
        Some((state, known.stand.version))
    }

    /// Takes note of what was written: the log stood at `before` and stands at `after`.
    pub(in crate::store) fn written(
        &self,
        unit: &Unit,
        record: &CommitRecord,
        before: i64,
        after: &LogPosition,
    ) {
        let mut users = self.users.lock();
        let Some(known) = users.known.get_mut(unit.user()) else {
            return;
        };
        if known.stand.head.seq != before {
            users.known.remove(unit.user());
            return;
        }
        known.stand = after.clone();
        known.change(unit.writes());
        known.talk(unit, record);
    }
}

impl CachedUsers {
    fn insert(&mut self, user: UserId, known: CachedUser) {
        self.known.insert(user, known);
        // One user may have more than all others may: a list that long costs most to read.
        while self.tasks() > TASKS && self.known.len() > 1 {
            self.known.remove_lru();
        }
    }

    fn tasks(&self) -> usize {
        self.known.iter().map(|(_, known)| known.tasks.len()).sum()
    }
}

impl CachedUser {
    const fn mark(&self) -> CacheMark {
        CacheMark {
            line: self.line,
            seq: self.stand.head.seq,
        }
    }

    fn conversation(&self, id: ConversationId) -> Option<&ConversationState> {
        self.conversations.iter().find(|known| known.id == id)
    }

    fn remember(&mut self, talk: ConversationState) {
        self.conversations.retain(|known| known.id != talk.id);
        if self.conversations.len() == CONVERSATIONS {
            self.conversations.remove(0);
        }
        self.conversations.push(talk);
    }

    fn change(&mut self, writes: &[RowWrite]) {
        for write in writes {
            if write.deleted {
                self.tasks.remove(write.task.id);
            } else {
                self.tasks.put(write.task.clone());
            }
        }
    }

    /// The conversation as the record left it. One whose turn goes on is read anew by the next.
    fn talk(&mut self, unit: &Unit, record: &CommitRecord) {
        let Some((id, version)) = record.conversation else {
            return;
        };
        let at = self.conversations.iter().position(|known| known.id == id);
        let talk = at.map(|at| self.conversations.remove(at));
        if record.open != OpenWrite::None {
            return;
        }
        let mut talk = match talk {
            Some(talk) => talk,
            None if version == 0 => ConversationState {
                id,
                version,
                frame: "{}".to_owned(),
                messages: Vec::new(),
                question: None,
            },
            None => return,
        };
        talk.version = version + 1;
        if let Some(frame) = &record.frame {
            talk.frame.clone_from(frame);
        }
        talk.messages
            .extend(record.messages.iter().map(|said| StoredMessage {
                id: said.id,
                role: said.role,
                content: said.content.clone(),
                created_at: unit.now(),
            }));
        let old = talk.messages.len().saturating_sub(MESSAGES);
        talk.messages.drain(..old);
        match &record.question {
            QuestionWrite::Keep => {}
            QuestionWrite::Close => talk.question = None,
            QuestionWrite::Ask(question) => talk.question = Some(question.clone()),
        }
        self.remember(talk);
    }
}
