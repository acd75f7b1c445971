//! Counting a period of the log, event by event.
//!
//! Events of one turn are held until its reply, which ends it; then the turn is counted as a
//! whole. Turns that never got a reply are counted at the end.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;
use serde_json::Value;

use crate::audit::{AuditRow, EventKind};
use crate::domain::{TurnId, UserId};
use crate::guard::account::{Account, Worth, account};

/// Counts by name.
pub(super) type NamedCounts = BTreeMap<String, u64>;

/// Time that a report covers; an instant at `to` is no longer in it.
#[derive(Debug, Clone, Default)]
pub(super) struct ReportPeriod {
    pub(super) user: Option<UserId>,
    pub(super) from: Option<DateTime<Utc>>,
    pub(super) to: Option<DateTime<Utc>>,
}

impl ReportPeriod {
    fn has(&self, row: &AuditRow) -> bool {
        self.user.as_ref().is_none_or(|user| *user == row.user_id)
            && self.from.is_none_or(|from| row.created_at >= from)
            && self.to.is_none_or(|to| row.created_at < to)
    }
}

/// Figures of one model.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(super) struct ModelTally {
    /// Turns that it answered.
    pub(super) turns: u64,
    /// Of these, turns in which it claimed something that was not so.
    pub(super) ghost_turns: u64,
    /// Claims that were stopped.
    pub(super) ghosts: u64,
    /// Turns in which it left out a call that was due.
    pub(super) missed_calls: u64,
    /// Calls that it proposed and nobody had asked for.
    pub(super) refused_calls: u64,
    /// Calls that failed.
    pub(super) failed_calls: u64,
    /// `ghost_turns` of `turns`, from 0 to 1.
    pub(super) ghost_rate: f64,
}

/// One day (UTC).
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub(super) struct DayTally {
    pub(super) turns: u64,
    pub(super) receipts: u64,
    pub(super) ghosts: u64,
}

/// Sentences of replies, by what they are worth.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(super) struct SentenceCounts {
    pub(super) proven: u64,
    pub(super) unproven: u64,
    pub(super) chat: u64,
}

/// Figures of a period of the log.
#[derive(Debug, Default, Serialize)]
pub(super) struct LogTally {
    pub(super) events: u64,
    pub(super) users: usize,
    pub(super) turns: u64,
    pub(super) turns_by_source: NamedCounts,
    /// Turns that have no reply: cut off, or the model was down.
    pub(super) turns_without_reply: u64,
    /// Turns whose words were erased.
    pub(super) turns_erased: u64,
    pub(super) replies_by_kind: NamedCounts,
    /// Claims of replies: proven by receipts and outcomes, or not.
    pub(super) sentences: SentenceCounts,
    /// Turns whose reply says more or less than the log; at most fifty of them.
    pub(super) turns_that_do_not_hold: Vec<TurnId>,
    pub(super) receipts_by_action: NamedCounts,
    pub(super) calls_by_outcome: NamedCounts,
    pub(super) refused_calls_by_reason: NamedCounts,
    pub(super) failed_calls_by_type: NamedCounts,
    /// Sentences of models that claimed something and were not shown, by kind.
    pub(super) ghosts_by_kind: NamedCounts,
    /// Other sentences of models that were not shown.
    pub(super) withheld_by_reason: NamedCounts,
    /// Turns that ended with "Tool not triggered", by the tool that was due.
    pub(super) missed_calls_by_tool: NamedCounts,
    /// Invented values that were left out.
    pub(super) values_dropped: u64,
    pub(super) models: BTreeMap<String, ModelTally>,
    pub(super) days: BTreeMap<NaiveDate, DayTally>,
    pub(super) erasures: u64,
    #[serde(skip)]
    open: HashMap<(UserId, TurnId), Vec<AuditRow>>,
    #[serde(skip)]
    names: BTreeSet<UserId>,
}

/// Turns named in full, of those that do not hold.
const NAMED: usize = 50;

impl LogTally {
    /// Returns the number of ghosts that were stopped.
    pub(super) fn ghosts(&self) -> u64 {
        self.ghosts_by_kind.values().sum()
    }

    /// Returns the number of receipts.
    pub(super) fn receipts(&self) -> u64 {
        self.receipts_by_action.values().sum()
    }

    /// Counts one event.
    pub(super) fn push(&mut self, row: AuditRow, period: &ReportPeriod) {
        if !period.has(&row) {
            return;
        }
        self.events += 1;
        if !self.names.contains(&row.user_id) {
            self.names.insert(row.user_id.clone());
        }
        if row.kind == EventKind::Erasure {
            self.erasures += 1;
            return;
        }
        let Some(turn) = row.turn_id else { return };
        let key = (row.user_id.clone(), turn);
        if row.kind == EventKind::Reply {
            let mut events = self.open.remove(&key).unwrap_or_default();
            events.push(row);
            self.turn(&events);
        } else {
            self.open.entry(key).or_default().push(row);
        }
    }

    /// Counts what is left.
    pub(super) fn finish(mut self) -> Self {
        for events in std::mem::take(&mut self.open).into_values() {
            self.turn(&events);
        }
        for model in self.models.values_mut() {
            model.ghost_rate = share(model.ghost_turns, model.turns);
        }
        self.users = self.names.len();
        self
    }

    fn turn(&mut self, events: &[AuditRow]) {
        let Some(account) = account(events) else {
            return;
        };
        self.turns += 1;
        let source = account.source.as_deref().unwrap_or("unfinished");
        add(&mut self.turns_by_source, source);
        self.reply(&account, events);
        let ghosts = self.stopped(&account);
        let missed = self.missed(events);
        for call in &account.calls {
            add(&mut self.calls_by_outcome, &call.outcome);
            let reason = |name: &str| call.reason.get(name).and_then(Value::as_str);
            match call.outcome.as_str() {
                "refused" => {
                    let why = reason("refusal").unwrap_or("unknown");
                    add(&mut self.refused_calls_by_reason, why);
                }
                "failed" => {
                    let why = reason("errorType").unwrap_or("unknown");
                    add(&mut self.failed_calls_by_type, why);
                }
                _ => {}
            }
        }
        for receipt in &account.receipts {
            add(&mut self.receipts_by_action, receipt.action.as_str());
        }
        let day = self.days.entry(account.at.date_naive()).or_default();
        day.turns += 1;
        day.receipts += account.receipts.len() as u64;
        day.ghosts += ghosts;
        if let Some(name) = &account.model {
            let outcomes = |outcome: &str| {
                let calls = account.calls.iter();
                calls.filter(|call| call.outcome == outcome).count() as u64
            };
            let model = self.models.entry(name.clone()).or_default();
            model.turns += 1;
            model.ghosts += ghosts;
            model.ghost_turns += u64::from(ghosts > 0);
            model.missed_calls += u64::from(missed);
            model.refused_calls += outcomes("refused");
            model.failed_calls += outcomes("failed");
        }
    }

    fn reply(&mut self, account: &Account, events: &[AuditRow]) {
        let replied = events.iter().any(|row| row.kind == EventKind::Reply);
        self.turns_without_reply += u64::from(!replied);
        self.turns_erased += u64::from(account.erased);
        if let Some(kind) = &account.kind {
            add(&mut self.replies_by_kind, kind);
        }
        for sentence in &account.sentences {
            *match sentence.verdict {
                Worth::Proven => &mut self.sentences.proven,
                Worth::Unproven => &mut self.sentences.unproven,
                Worth::Chat => &mut self.sentences.chat,
            } += 1;
        }
        if !account.holds() && self.turns_that_do_not_hold.len() < NAMED {
            self.turns_that_do_not_hold.push(account.turn_id);
        }
    }

    /// Counts the sentences that were not shown, and says how many of them claimed something.
    fn stopped(&mut self, account: &Account) -> u64 {
        let mut ghosts = 0;
        for stopped in &account.stopped {
            let kind = match stopped.reason.as_str() {
                "ghost" => "where a call was due",
                "asserts" | "asserts in part" => "in small talk",
                "ask_user" => "inside a question",
                other => {
                    add(&mut self.withheld_by_reason, other);
                    continue;
                }
            };
            add(&mut self.ghosts_by_kind, kind);
            ghosts += 1;
        }
        ghosts
    }

    /// Tells whether a call that was due never came.
    fn missed(&mut self, events: &[AuditRow]) -> bool {
        let reply = events.iter().find(|row| row.kind == EventKind::Reply);
        let reply: Value = reply
            .and_then(|row| serde_json::from_str(&row.payload).ok())
            .unwrap_or_default();
        let dropped = reply.get("dropped").and_then(Value::as_array);
        self.values_dropped += dropped.map_or(0, Vec::len) as u64;
        if reply.get("error").and_then(Value::as_str) != Some("tool_not_triggered") {
            return false;
        }
        let tools = reply.get("expected_tools").and_then(Value::as_array);
        for tool in tools.into_iter().flatten().filter_map(Value::as_str) {
            add(&mut self.missed_calls_by_tool, tool);
        }
        true
    }
}

fn add(counts: &mut NamedCounts, name: &str) {
    match counts.get_mut(name) {
        Some(count) => *count += 1,
        None => {
            counts.insert(name.to_owned(), 1);
        }
    }
}

/// From 0 to 1; 0 of none.
pub(super) fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}
