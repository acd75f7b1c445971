//! The reply, composed from the ledger: a total function of what came of the calls.
//!
//! A model's prose has one way in, as `prose`, which was checked and is used only where there is
//! nothing else to say.

mod cause;
mod notes;
mod refused;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::canned::canned;
use super::delegation::{fault_of, tells_of_notice, told_later};
use super::facts::fact_line;
use super::left_out::left_out_line;
use super::licence::Need;
use super::lines::receipt_line;
use super::parts::{Origin, ReplyPart, text_of};
use super::phrases::{TOOL_NOT_TRIGGERED, absent, quoted};
use super::reminders::tells_of_missed_reminder;
use super::talk;
use crate::domain::{Action, ErrorType, Lang, Tool, ToolError};
use crate::intent::{Act, Clause, Note};
use crate::locales::localized;
use crate::resolver::title_words;
use crate::store::ReadResult;
use cause::failure_text;
pub(super) use refused::refused;
use refused::{mended, refusals, refused_order};

use crate::turn::{CallLedger, CallResult, LedgerEntry, NoteKey, ServerQuestion, SuccessProof};

/// Names, in the question of a reading of receipts, the turn that was cut off.
pub const CUT_TURN: &str = "cut_turn";

/// The name of a reading that proves a model's talk: the talk tells it.
pub const PROOF: &str = "proof";

/// Kind of a reply: the first of these that it contains.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Asks something that waits for an answer.
    Question,
    /// Something that was asked for did not happen.
    Failure,
    /// Tells what was committed.
    Receipt,
    /// Everything else.
    Chat,
}

impl Kind {
    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Question => "question",
            Self::Failure => "failure",
            Self::Receipt => "receipt",
            Self::Chat => "chat",
        }
    }
}

/// Material that a reply is composed from.
#[derive(Debug)]
pub struct Composition<'a> {
    /// Results of the calls.
    pub ledger: &'a CallLedger,
    /// Every proof of the turn, as the ledger counts them.
    pub proofs: Vec<SuccessProof<'a>>,
    /// Requests of the words that no call has dealt with.
    pub open: Vec<Need>,
    /// The clauses of the message.
    pub clauses: &'a [Clause],
    /// The words that license the turn: the message, and those it refers to.
    pub words: &'a str,
    /// The message, for the words of what was not answered.
    pub message: &'a str,
    /// The tools that the words ask for: only their failures are the user's.
    pub wanted: Vec<Tool>,
    /// The words asked for a listing: readings are shown beside changes.
    pub listing_asked: bool,
    /// The question that is put to the user.
    pub asked: Option<&'a ServerQuestion>,
    /// True when that question stood before the message, which did not answer it: it is shown
    /// again, below what else there is to say.
    pub again: bool,
    /// A line of the server's own: what became of a pending question.
    pub remarks: Vec<String>,
    /// Model prose that passed the check; a question of the model among it.
    pub prose: Option<CheckedProse>,
    /// Remarks already made in this conversation.
    pub noted: &'a [NoteKey],
    /// A model read the message: what code read into a word of it is not said to be unanswered.
    pub understood: bool,
    /// The language of the reply.
    pub speech: Lang,
}

impl Composition<'_> {
    /// Tells whether a failed call is one that the user asked for, by words or by an answer.
    fn concerns(&self, entry: &LedgerEntry) -> bool {
        entry.call_id.is_none() || entry.tool.is_some_and(|tool| self.wanted.contains(&tool))
    }

    /// Tells whether a clause is a question that neither a listing nor the model dealt with.
    fn leaves_unanswered(&self, clause: &Clause, wording: &Wording) -> bool {
        let behind = self.message.get(clause.bytes.end..).unwrap_or_default();
        let said = self.message.get(clause.bytes.clone()).unwrap_or_default();
        let asks = said.trim_end().ends_with('?') || behind.trim_start().starts_with('?');
        let read = |proof: &SuccessProof<'_>| proof.facts().reading.is_some();
        let command = |act: &Act| matches!(act, Act::Add(_) | Act::Change(_) | Act::Undo);
        // "is the rent overdue? move it": the receipt tells of the rent.
        let words = crate::resolver::Words::of(said);
        let told = |proof: &SuccessProof<'_>| {
            let title = title_words(proof.facts().title().unwrap_or_default());
            title.iter().any(|word| words.contains(word))
        };
        if wording.version >= 6 && self.proofs.iter().any(told) {
            return false;
        }
        let beside = self.clauses.iter().any(|other| command(&other.act));
        asks && beside && self.prose.is_none() && !self.proofs.iter().any(read)
    }

    /// Tells whether the message itself is asked back about.
    const fn asks(&self) -> bool {
        self.asked.is_some() && !self.again
    }
}

/// Prose that may be shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckedProse {
    /// The text.
    pub text: String,
    /// Set when it asks the user something.
    pub question: bool,
    /// Set when it answers what the user asked beside an order that was carried out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub besides: bool,
}

/// Error that occurred, for programs.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// `tool_not_triggered`, `not_found` …
    pub code: String,
    /// In plain words.
    pub message: String,
    /// The tools that should have been called.
    pub expected_tools: Vec<Tool>,
    /// More.
    pub details: Value,
}

/// A composed reply; only this module makes one.
#[derive(Debug, Clone, PartialEq)]
pub struct Composed {
    message: String,
    parts: Vec<ReplyPart>,
    kind: Kind,
    fault: Option<Fault>,
    noted: Vec<NoteKey>,
}

impl Composed {
    /// The text.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Its parts, in order: the text is these, one below the other.
    pub fn parts(&self) -> &[ReplyPart] {
        &self.parts
    }

    /// The same with words that the guard did not choose: a planted lie, for those who test
    /// the watchers.
    #[cfg(feature = "simulator")]
    #[must_use]
    pub fn saying(self, message: String) -> Self {
        Self { message, ..self }
    }

    /// Returns its kind.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns what went wrong.
    pub const fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }

    /// Remarks made by it for the first time.
    pub fn noted(&self) -> &[NoteKey] {
        &self.noted
    }
}

/// Words of a reply that changed from one version of the renderer to the next.
#[derive(Debug)]
pub(super) struct Wording {
    /// Version of the renderer: what is said at all hangs on it.
    pub version: u8,
    /// Lines of a receipt.
    pub line: fn(SuccessProof<'_>, Lang) -> String,
    /// Cause of a failed call.
    pub cause: fn(&ToolError, &str, Lang) -> String,
    /// Lines for what was proposed and neither done nor asked about.
    pub refusals: fn(&Composition<'_>, &Self) -> Vec<String>,
}

pub(super) const PRESENT: Wording = Wording {
    version: 11,
    line: receipt_line,
    cause: cause::cause,
    refusals,
};

impl Wording {
    /// Tells whether a task keeps a time of day and may repeat.
    const fn keeps_times(&self) -> bool {
        self.version >= 5
    }

    /// Tells whether a task keeps a while from now as its time, and a question tells the time it would.
    const fn keeps_whiles(&self) -> bool {
        self.version >= 6
    }
}

/// Composes the reply.
pub fn compose(from: &Composition<'_>) -> Composed {
    compose_with(from, &PRESENT)
}

/// Composes a reply in the words of some version.
pub(super) fn compose_with(from: &Composition<'_>, wording: &Wording) -> Composed {
    let mut reply = Draft::default();
    reply.calls(from, wording);
    for need in &from.open {
        reply.need(need, from, wording);
    }
    for remark in &from.remarks {
        reply.put(remark.clone(), Origin::Words);
    }
    reply.clauses(from, wording);
    reply.finish(from, wording)
}

#[derive(Default)]
struct Draft {
    /// Report of what the turn before had done and could not say: it stands before all else, and
    /// changes nothing of it.
    before: Vec<ReplyPart>,
    lines: Vec<ReplyPart>,
    notes: Vec<String>,
    noted: Vec<NoteKey>,
    receipts: bool,
    faults: Vec<Fault>,
    missing: Vec<Tool>,
}

impl Draft {
    fn calls(&mut self, from: &Composition<'_>, wording: &Wording) {
        let entries = from.ledger.entries();
        for (index, entry) in entries.iter().enumerate() {
            if entry.name == PROOF {
                continue;
            }
            match &entry.result {
                CallResult::Done(range) => {
                    let proofs = from.proofs.get(range.clone()).unwrap_or_default();
                    for (place, proof) in range.clone().zip(proofs) {
                        self.proof(place, *proof, from, wording);
                    }
                }
                CallResult::Unchanged(fact) => {
                    let origin = Origin::Outcome(Some(index));
                    self.line(fact_line(fact, from.speech), origin);
                }
                CallResult::Failed(error) if from.concerns(entry) && !mended(entries, index) => {
                    let text = failure_text(entry, error, from, wording);
                    let origin = Origin::Outcome(Some(index));
                    self.fail(error.error_type, text, json!(error.details), origin);
                }
                CallResult::Failed(_) | CallResult::Refused(..) | CallResult::Asked => {}
            }
        }
    }

    fn proof(
        &mut self,
        place: usize,
        proof: SuccessProof<'_>,
        from: &Composition<'_>,
        wording: &Wording,
    ) {
        let facts = proof.facts();
        let notice = tells_of_notice(facts.reading.as_ref());
        if told_later(place, &from.proofs) {
            // What a later line tells better.
            let delegates = matches!(facts.action, Action::Delegate | Action::CancelDelegation);
            if delegates || notice {
                return;
            }
        }
        if let Some(kind) = fault_of(facts) {
            self.receipts = true;
            let text = (wording.line)(proof, from.speech);
            self.fail(kind, text, json!({}), Origin::Proof(place));
            return;
        }
        let reading = facts.reading.as_ref();
        if notice || tells_of_cut_turn(reading) || tells_of_missed_reminder(reading) {
            let text = (wording.line)(proof, from.speech);
            let origin = Origin::Proof(place);
            self.before.push(ReplyPart { text, origin });
            return;
        }
        let hidden = matches!(facts.reading, Some(ReadResult::Tasks { .. }))
            && !from.listing_asked
            && from
                .proofs
                .iter()
                .any(|other| other.facts().reading.is_none());
        let line = (wording.line)(proof, from.speech);
        // Two changes are told twice, though their titles be equal; the same reading once.
        if facts.reading.is_none() {
            self.put(line, Origin::Proof(place));
        } else if !hidden {
            self.line(line, Origin::Proof(place));
        }
        self.receipts = true;
    }

    /// The same line is said once: two identical readings tell nothing new.
    fn line(&mut self, line: String, origin: Origin) {
        if !line.is_empty() && self.lines.iter().all(|part| part.text != line) {
            self.put(line, origin);
        }
    }

    fn put(&mut self, text: String, origin: Origin) {
        self.lines.push(ReplyPart { text, origin });
    }

    fn fail(&mut self, kind: ErrorType, text: String, details: Value, origin: Origin) {
        if self.faults.iter().any(|known| known.message == text) {
            return;
        }
        self.put(text.clone(), origin);
        self.faults.push(Fault {
            code: json!(kind).as_str().unwrap_or("internal").to_owned(),
            message: text,
            expected_tools: Vec::new(),
            details,
        });
    }

    fn need(&mut self, need: &Need, from: &Composition<'_>, wording: &Wording) {
        let speech = from.speech;
        match need {
            Need::Call(tool) => {
                let tells = wording.version >= 8 && from.understood;
                let refused = tells.then(|| refused_order(from, *tool, wording)).flatten();
                match refused {
                    Some(text) => {
                        let origin = Origin::Outcome(None);
                        self.fail(ErrorType::Permission, text, json!({}), origin);
                    }
                    None if self.missing.contains(tool) => {}
                    None => self.missing.push(*tool),
                }
            }
            Need::Absent {
                verb,
                words,
                why,
                nearest,
            } => {
                let near: Vec<&str> = nearest.iter().map(|c| c.title.as_str()).collect();
                let text = absent(*verb, words, *why, &near, speech);
                let details = json!({ "suggestions": near });
                self.fail(ErrorType::NotFound, text, details, Origin::Outcome(None));
            }
            // These are asked about; the question says it.
            Need::Which { .. }
            | Need::All { .. }
            | Need::Unnamed { .. }
            | Need::NothingToAdd { .. } => {}
        }
    }

    fn clauses(&mut self, from: &Composition<'_>, wording: &Wording) {
        let acted =
            self.receipts || !self.faults.is_empty() || !self.missing.is_empty() || from.asks();
        // What is neither an answer nor answered by the model.
        let unread = acted || from.again && from.prose.is_none();
        for clause in from.clauses {
            for note in &clause.notes {
                // A question about another list says so itself.
                let list =
                    matches!(note, Note::ListName(_)) && matches!(clause.act, Act::Change(_));
                let told = from.understood && wording.version >= 4;
                if list && (from.asks() || told) {
                    self.noted.push(NoteKey::from(note));
                } else {
                    self.note(note, from, wording);
                }
            }
            let help = matches!(clause.act, Act::Help(_));
            // "Okay." helps nobody.
            let told = |prose: &CheckedProse| !help || prose.text.split(' ').count() > 5;
            if from.understood && from.prose.as_ref().is_some_and(told) {
                continue;
            }
            let line = match &clause.act {
                Act::AlarmQuestion if wording.keeps_times() => {
                    Some(localized!(from.speech, "reminders-rule"))
                }
                act => canned(act, from.speech),
            };
            if let Some(line) = line {
                // A greeting before a command needs no answer of its own, two pleasantries need
                // one, and a model's own words are warmer than ours.
                let social = matches!(clause.act, Act::Social(_));
                if from.understood && acted {
                    continue;
                }
                if !social || !(acted || from.prose.is_some() || !self.lines.is_empty()) {
                    self.line(line, Origin::Fixed);
                }
            } else if unread
                && matches!(clause.act, Act::Other | Act::Opinion(_))
                && (!from.understood || from.leaves_unanswered(clause, wording))
            {
                let words = from.message.get(clause.bytes.clone()).unwrap_or_default();
                let words = words.trim_matches(|c: char| c.is_whitespace() || c == ',');
                if words.chars().any(char::is_alphanumeric) && !is_remark(words) {
                    let words = quoted(words);
                    self.notes
                        .push(localized!(from.speech, "not-answered", words = words));
                }
            }
        }
    }

    fn finish(mut self, from: &Composition<'_>, wording: &Wording) -> Composed {
        let asks_alone = wording.version >= 4 && self.says_nothing_but_a_question(from);
        if from.understood && self.missing.is_empty() {
            let refusals = (wording.refusals)(from, wording).into_iter();
            let told = |text: &String| self.lines.iter().any(|part| part.text == *text);
            let refusals: Vec<String> = refusals.filter(|text| !told(text)).collect();
            self.notes.extend(refusals);
        }
        self.notes.extend(left_out_line(from));
        let said = !self.lines.is_empty() || from.asked.is_some();
        let fault = self.fault(said);
        let mut lines = std::mem::take(&mut self.lines);
        if self.missing.is_empty() || said {
            let notes = std::mem::take(&mut self.notes).into_iter();
            lines.extend(notes.map(|text| ReplyPart {
                text,
                origin: Origin::Fixed,
            }));
        } else {
            self.noted.clear();
        }
        if !self.missing.is_empty() {
            lines.push(ReplyPart {
                text: missing_line(&self.missing, said),
                origin: Origin::Outcome(None),
            });
        }
        let mut model_question = false;
        if (lines.is_empty() || asks_alone) && !from.asks() {
            let said = match &from.prose {
                Some(prose) if prose.question => {
                    model_question = true;
                    Some((prose.text.clone(), Origin::Question))
                }
                Some(prose) => Some((prose.text.clone(), Origin::Words)),
                // The question says enough.
                None if from.again => None,
                None => {
                    let id = if wording.version < 4 {
                        "help"
                    } else {
                        "unsaid"
                    };
                    Some((localized!(from.speech, id), Origin::Fixed))
                }
            };
            lines.extend(said.map(|(text, origin)| ReplyPart { text, origin }));
        } else if let Some(prose) = from.prose.as_ref().filter(|prose| prose.besides) {
            lines.push(ReplyPart {
                text: prose.text.clone(),
                origin: Origin::Words,
            });
        }
        lines.extend(from.asked.map(|asked| ReplyPart {
            text: asked.text.clone(),
            origin: Origin::Question,
        }));
        let mut entries = from.ledger.entries().iter();
        let proven = entries.any(|entry| entry.name == PROOF);
        let receipts = self.receipts || !self.before.is_empty() || proven;
        lines.splice(0..0, self.before);
        let kind = if from.asked.is_some() || model_question {
            Kind::Question
        } else if fault.is_some() {
            Kind::Failure
        } else if receipts {
            Kind::Receipt
        } else {
            Kind::Chat
        };
        Composed {
            message: text_of(&lines),
            parts: lines,
            kind,
            fault,
            noted: self.noted,
        }
    }

    /// Tells whether the model asks something, and nothing is said beside, but for what it may not
    /// do.
    fn says_nothing_but_a_question(&self, from: &Composition<'_>) -> bool {
        let asks = from.prose.as_ref().is_some_and(|prose| prose.question);
        let told = self.receipts || !self.faults.is_empty() || !self.missing.is_empty();
        asks && !told && self.lines.is_empty() && self.notes.is_empty()
    }

    fn fault(&self, said: bool) -> Option<Fault> {
        if self.missing.is_empty() {
            return self.faults.first().cloned();
        }
        Some(Fault {
            code: "tool_not_triggered".to_owned(),
            message: missing_line(&self.missing, said),
            expected_tools: self.missing.clone(),
            details: json!({}),
        })
    }
}

fn missing_line(missing: &[Tool], said: bool) -> String {
    if !said {
        return TOOL_NOT_TRIGGERED.to_owned();
    }
    let names: Vec<&str> = missing.iter().map(|tool| tool.as_str()).collect();
    format!("{TOOL_NOT_TRIGGERED} Missing: {}.", names.join(", "))
}

/// Tells whether a reading was made to tell what a turn did that was cut off before it could say
/// so.
pub fn tells_of_cut_turn(reading: Option<&ReadResult>) -> bool {
    match reading {
        Some(ReadResult::History { question, .. }) => question.get(CUT_TURN).is_some(),
        _ => false,
    }
}

/// A clause that tells something rather than asking for it: "they moved it". It needs no answer.
fn is_remark(words: &str) -> bool {
    !words.contains('?') && talk::opens_with_a_subject(words)
}

impl LedgerEntry {
    const fn dispatched_or_asked(&self) -> bool {
        !matches!(self.result, CallResult::Refused(..))
    }
}
