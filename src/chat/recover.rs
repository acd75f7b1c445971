//! Turns that were cut off: found when their key or their conversation is seen again, or by who
//! looks for them, and told from their receipts.
//!
//! Nothing is done that was not done before: the reply says what stands and that the rest did
//! not happen. Ending a turn is a commit that demands that it is still open, so that whoever
//! else tries, the turn's own process included, finds it ended.

use std::pin::pin;
use std::time::{Duration, Instant};

use super::driver::TurnDriver;
use super::input::{AttemptFault, TurnInput};
use super::machine::{TurnJournal, TurnMachine};
use super::service::TurnServices;
use super::{ChatAnswer, ChatError, ChatService};
use crate::domain::{ConversationId, Moment, UserId};
use crate::store::{LEASE, OpenTurn, UserSnapshot};

/// Interval at which an open turn of another process is looked at again.
const POLL: Duration = Duration::from_millis(100);

/// Longest wait of a message for another one of its conversation, on which another process works.
const PATIENCE: Duration = Duration::from_secs(20);

/// Number of cut turns that are looked for at once.
const SOME: u32 = 100;

/// Number of tries to end one turn.
const TRIES: usize = 8;

/// Observations that a request has made of a turn that is in its way.
#[derive(Debug, Default)]
pub(super) struct TakeoverWatch(Option<(Instant, i64)>);

impl TakeoverWatch {
    /// Waits a little for an open turn of another process, unless it has waited long enough.
    async fn wait(&mut self, open: &OpenTurn, input: &TurnInput) -> Result<(), ChatError> {
        let (since, beats) = *self.0.get_or_insert((Instant::now(), open.beats));
        let same_request = input.keyed.as_ref().map(|(key, _)| key) == open.key.as_ref();
        if same_request && open.key.is_some() {
            // A beat shows that somebody works on it; without one, its lease runs out.
            if open.beats != beats || since.elapsed() > LEASE + LEASE {
                return Err(ChatError::Running);
            }
        } else if since.elapsed() > PATIENCE {
            return Err(ChatError::Conflict(
                "an earlier message of this conversation is still being worked on: nothing was \
                 changed by this one, try again"
                    .to_owned(),
            ));
        }
        tokio::time::sleep(POLL).await;
        Ok(())
    }
}

impl TurnServices {
    /// Ends the open turn that stands in a request's way, or waits for who works on it.
    pub(super) async fn attend(
        &self,
        input: &TurnInput,
        open: &OpenTurn,
        watch: &mut TakeoverWatch,
    ) -> Result<(), ChatError> {
        if !self.is_cut(open) {
            return watch.wait(open, input).await;
        }
        let told =
            input.keyed.is_some() && input.keyed.as_ref().map(|(key, _)| key) == open.key.as_ref();
        // A request that begins a conversation holds the lock of that one.
        let _lock = if open.conversation == input.conversation {
            None
        } else {
            Some(self.locks.conversation(open.conversation).await)
        };
        self.settle(&input.user, open.conversation, told).await
    }

    /// Tells whether nobody works on a turn. Whoever asks holds the lock of its key or
    /// conversation, so what this process was working on, it is not any more.
    fn is_cut(&self, open: &OpenTurn) -> bool {
        !open.alive || open.owner == self.rules.owner
    }

    /// Ends what was cut off in a conversation whose lock is held. `told`: whoever asked for
    /// that turn gets its answer; else the conversation's next reply tells of it.
    async fn settle(
        &self,
        user: &UserId,
        conversation: ConversationId,
        told: bool,
    ) -> Result<(), ChatError> {
        let mut key: Option<String> = None;
        for _ in 0..TRIES {
            let loaded = self.store.load(user, Some(conversation), key.as_deref());
            let snapshot = loaded.await?;
            let open = match &snapshot.open {
                Some(open) if open.conversation == conversation && self.is_cut(open) => {
                    open.clone()
                }
                _ => return Ok(()),
            };
            if open.key != key {
                // Its key is answered with it.
                key = open.key;
                continue;
            }
            // Boxed: it is rare, and every turn would have room for it.
            match Box::pin(self.end(user, snapshot, &open, told)).await {
                Ok(_) => return Ok(()),
                Err(AttemptFault::Failed(error)) => return Err(error),
                Err(AttemptFault::Overtaken | AttemptFault::TakenOver) => {}
            }
        }
        Err(ChatError::Unconfirmed)
    }

    async fn end(
        &self,
        user: &UserId,
        snapshot: UserSnapshot,
        open: &OpenTurn,
        told: bool,
    ) -> Result<ChatAnswer, AttemptFault> {
        let journal = TurnJournal::read(&open.journal, self.now());
        let receipts = self.store.turn_receipts(user, open.turn).await;
        let receipts = receipts.map_err(ChatError::from)?;
        let zone = journal
            .zone
            .parse()
            .unwrap_or(self.rules.policy.default_zone);
        // A key that was forgotten meanwhile is not answered any more.
        let claim = snapshot
            .keyed
            .as_ref()
            .filter(|keyed| keyed.is_claim() && Some(&keyed.key) == open.key.as_ref());
        let input = TurnInput {
            user: user.clone(),
            conversation: open.conversation,
            fresh: false,
            begins: false,
            message: journal.said.clone(),
            answer: None,
            hint: Some(journal.lang),
            moment: Moment {
                instant: self.now().instant,
                today: journal.today,
                zone,
                remind_now: self.now().remind_now,
            },
            keyed: claim.map(|claim| (claim.key.clone(), claim.fingerprint.clone())),
            started: Instant::now(),
            unseen: false,
            course: None,
        };
        tracing::warn!(turn = %open.turn, %user, "a turn was cut off: it is told from its receipts");
        let driver = TurnDriver::new(self, &input);
        let (rules, effects) = (&self.rules, driver.effects());
        let mut machine = TurnMachine::new(rules, &input, snapshot, open.turn, effects)?;
        let receipts = receipts.into_iter().map(|entry| entry.receipt).collect();
        machine.resume(journal, receipts, (open.beats, told));
        driver.drive(pin!(machine.finish())).await
    }
}

impl ChatService {
    /// Ends turns that were cut off and that nobody has asked about since; says how many.
    ///
    /// # Errors
    /// [`ChatError::Storage`] when they can't be looked for.
    pub async fn settle_cut_turns(&self) -> Result<usize, ChatError> {
        let found = self.inner.store.cut_turns(SOME).await?;
        let mut ended = 0;
        for cut in found {
            let lock = self.inner.locks.conversation(cut.conversation);
            // A turn of this process that has been too slow to say that it runs: it runs.
            let Ok(_lock) = tokio::time::timeout(POLL, lock).await else {
                continue;
            };
            let settled = self.inner.settle(&cut.user, cut.conversation, false).await;
            match settled {
                Ok(()) => ended += 1,
                // It is looked at again next time; the others need not wait for it.
                Err(error) => tracing::warn!(%error, "a cut turn could not be told"),
            }
        }
        Ok(ended)
    }
}
