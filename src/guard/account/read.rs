//! Reads an account off a turn's events.

use crate::domain::Lang;
use serde_json::{Map, Value};

use super::basis::Basis;
use super::renderers::{Renderer, renderer};
use super::sentences::{judged, whole};
use super::{Account, Call, Chain, Proven, Recomputed, Sentence, Stopped, Worth};
use crate::audit::{AuditRow, BrokenChain, ChainFault, CoveredPayload, EventKind, link};
use crate::intent::Reading;
use crate::store::Logged;
use crate::turn::SuccessProof;

type Payload = Map<String, Value>;

/// Contents of a turn's events, with their numbers.
#[derive(Default)]
pub(super) struct Told {
    pub(super) turn: Option<(i64, Payload)>,
    pub(super) reply: Option<(i64, Payload)>,
    pub(super) calls: Vec<Call>,
    pub(super) stopped: Vec<Stopped>,
    pub(super) receipts: Vec<(i64, Logged)>,
    erased: bool,
}

/// The account of one user's turn, from its events in the order of their numbers. None when
/// there are no events, or when they are of several turns or users.
pub fn account(events: &[AuditRow]) -> Option<Account> {
    let (first, last) = (events.first()?, events.last()?);
    let turn_id = first.turn_id?;
    let same = |row: &AuditRow| row.turn_id == first.turn_id && row.user_id == first.user_id;
    if !events.iter().all(same) {
        return None;
    }
    let told = Told::by(events);
    let turn = told.turn.as_ref().map(|(_, payload)| payload);
    let reply = told.reply.as_ref().map(|(_, payload)| payload);
    let versions = turn.and_then(|turn| turn.get("versions")).cloned();
    let version = versions
        .as_ref()
        .and_then(|all| all.get("renderer")?.as_str());
    // A log that names no version is one of the first two.
    let known = renderer(version.unwrap_or("1"));
    let said = text(reply, "message");
    let speech = speech(turn, reply);
    let (recomputed, sentences, unsaid) = match (&said, &known) {
        (None, _) => (told.silent(), Vec::new(), Vec::new()),
        (Some(said), None) => told.unknown(said, version.unwrap_or_default()),
        (Some(said), Some(known)) => told.recompute(said, known, speech),
    };
    let renderer = known.unwrap_or_else(Renderer::present);
    let count = |worth| sentences.iter().filter(|one| one.verdict == worth).count();
    Some(Account {
        turn_id,
        user_id: first.user_id.clone(),
        at: last.created_at,
        source: text(turn, "source"),
        message: text(turn, "message"),
        asked: member(turn, "asked"),
        model: text(turn, "model"),
        versions: versions.unwrap_or_default(),
        answers: member(turn, "answers"),
        receipts: told
            .receipts
            .iter()
            .map(|(seq, logged)| Proven {
                seq: *seq,
                id: logged.facts().id,
                action: logged.facts().action,
                task_id: logged.facts().task_id,
                line: renderer.line(SuccessProof::Logged(logged), speech),
            })
            .collect(),
        said,
        kind: text(reply, "kind"),
        erased: told.erased,
        recomputed,
        unsaid,
        proven: count(Worth::Proven),
        unproven: count(Worth::Unproven),
        chat: count(Worth::Chat),
        sentences,
        chain: Chain {
            first_seq: first.seq,
            last_seq: last.seq,
            broken: broken(events),
        },
        receipts_agree: None,
        calls: told.calls,
        stopped: told.stopped,
    })
}

impl Told {
    fn by(events: &[AuditRow]) -> Self {
        let mut told = Self::default();
        for event in events {
            told.erased |= CoveredPayload::of(&event.payload).is_some_and(|covered| covered.erased);
            let Ok(Value::Object(payload)) = serde_json::from_str(&event.payload) else {
                continue;
            };
            let prose = payload.get("what").and_then(Value::as_str) == Some("prose");
            match event.kind {
                EventKind::Turn => told.turn = Some((event.seq, payload)),
                EventKind::Reply => told.reply = Some((event.seq, payload)),
                EventKind::Receipt => {
                    let logged = Logged::read(event).map(|logged| (event.seq, logged));
                    told.receipts.extend(logged);
                }
                EventKind::Refusal if prose => told.stopped.push(Stopped {
                    seq: event.seq,
                    reason: text(Some(&payload), "reason").unwrap_or_default(),
                    text: text(Some(&payload), "text").unwrap_or_default(),
                }),
                EventKind::ToolCall | EventKind::Refusal => {
                    told.calls.push(call(event.seq, &payload));
                }
                EventKind::Erasure | EventKind::Run | EventKind::Reminder => {}
            }
        }
        told
    }

    fn silent(&self) -> Recomputed {
        let why = match (&self.reply, self.erased) {
            (_, true) => "the words of this turn were erased",
            (None, _) => "the turn has no reply",
            (Some(_), _) => "the reply has no sentences",
        };
        Recomputed::Not {
            why: why.to_owned(),
        }
    }

    fn unknown(&self, said: &str, version: &str) -> (Recomputed, Vec<Sentence>, Vec<String>) {
        let why = format!("rendered by version \"{version}\", which this program does not know");
        let sentences = said.lines().filter(|line| !line.trim().is_empty());
        let unproven = sentences.map(|line| Sentence {
            text: line.to_owned(),
            verdict: Worth::Unproven,
            kind: super::SentenceKind::Chat,
            receipts: Vec::new(),
            events: Vec::new(),
        });
        (Recomputed::Not { why }, unproven.collect(), Vec::new())
    }

    fn recompute(
        &self,
        said: &str,
        known: &Renderer,
        speech: Lang,
    ) -> (Recomputed, Vec<Sentence>, Vec<String>) {
        let proofs: Vec<SuccessProof<'_>> = (self.receipts.iter())
            .map(|(_, logged)| SuccessProof::Logged(logged))
            .collect();
        let turn = self.turn.as_ref().map(|(_, payload)| payload);
        let basis = self.reply.as_ref().and_then(|(_, reply)| {
            let kept = reply.get("composed").filter(|kept| kept.is_object())?;
            serde_json::from_value::<Basis>(kept.clone()).ok()
        });
        if let Some(basis) = basis.filter(|_| known.keeps_all()) {
            let reading: Option<Reading> = serde_json::from_value(member(turn, "reading")).ok();
            let clauses = reading.map(|reading| reading.clauses).unwrap_or_default();
            let message = text(turn, "message").unwrap_or_default();
            let composed = basis.compose(&message, &clauses, proofs, |from| known.compose(from));
            let (sentences, unsaid) = whole(said, composed.parts(), &basis.calls, &message, self);
            let recomputed = Recomputed::Whole {
                equal: composed.message() == said,
                message: composed.message().to_owned(),
            };
            return (recomputed, sentences, unsaid);
        }
        let lines = proofs.iter().map(|proof| known.line(*proof, speech));
        let (sentences, unsaid) = judged(said, &lines.collect::<Vec<_>>(), self);
        (Recomputed::Receipts, sentences, unsaid)
    }
}

fn call(seq: i64, payload: &Payload) -> Call {
    let name = text(Some(payload), "name").unwrap_or_default();
    let ids = member(Some(payload), "task_ids");
    Call {
        seq,
        name,
        arguments: member(Some(payload), "arguments"),
        outcome: text(Some(payload), "outcome").unwrap_or_default(),
        reason: member(Some(payload), "reason"),
        task_ids: serde_json::from_value(ids).unwrap_or_default(),
    }
}

/// The language that the reply was rendered in.
fn speech(turn: Option<&Payload>, reply: Option<&Payload>) -> Lang {
    let said = text(reply, "language").or_else(|| text(turn, "language"));
    Lang::from_hint(said.as_deref().unwrap_or_default())
}

fn member(payload: Option<&Payload>, name: &str) -> Value {
    let found = payload.and_then(|payload| payload.get(name));
    found.cloned().unwrap_or_default()
}

fn text(payload: Option<&Payload>, name: &str) -> Option<String> {
    let found = payload?.get(name)?.as_str();
    found.map(str::to_owned)
}

/// The first event that does not have its hash, or does not follow the one before it. Between
/// two commits of a turn another turn of the same user may stand.
fn broken(events: &[AuditRow]) -> Option<BrokenChain> {
    let fault = |row: &AuditRow, fault| {
        Some(BrokenChain {
            seq: row.seq,
            fault,
        })
    };
    let mut before: Option<&AuditRow> = None;
    for row in events {
        if link(row).as_ref() != Some(&row.hash) {
            return fault(row, ChainFault::Hash);
        }
        if let Some(before) = before {
            if row.seq <= before.seq {
                return fault(row, ChainFault::Order);
            }
            if row.seq == before.seq + 1 && row.prev_hash != before.hash {
                return fault(row, ChainFault::PrevHash);
            }
        }
        before = Some(row);
    }
    None
}
