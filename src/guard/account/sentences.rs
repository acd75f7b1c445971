//! Worth of each line of a reply, given what the log says should have been said.

use serde_json::Value;

use super::read::Told;
use super::{Call, Sentence, SentenceKind, Worth};
use crate::domain::Lang;
use crate::guard::parts::{Origin, ReplyPart};
use crate::guard::phrases::TOOL_NOT_TRIGGERED;
use crate::guard::talk::{self, Talk};
use crate::locales::{Edition, localized};
use crate::turn::{CallResult, LedgerEntry};

/// A line that should have been said.
struct Due<'a> {
    text: &'a str,
    origin: Origin,
    /// To leave it out is to keep something back.
    owed: bool,
}

/// The lines of `said` against all `parts` of the reply as it was computed again, and the lines
/// that were left out.
pub(super) fn whole(
    said: &str,
    parts: &[ReplyPart],
    entries: &[LedgerEntry],
    message: &str,
    told: &Told,
) -> (Vec<Sentence>, Vec<String>) {
    // A line of a list leans on the line that announces it: talk is judged as it was shown.
    let talk = |text: &str| {
        if declines(text) {
            return Worth::Chat;
        }
        let mut parts = parts.iter().filter(|part| part.origin == Origin::Words);
        let part = parts.find(|part| lines(&part.text).any(|line| line == text));
        match words(part.map_or(text, |part| &part.text), message) {
            // A line of the server's own stands for itself.
            Worth::Unproven => words(text, ""),
            worth => worth,
        }
    };
    let due: Vec<Due<'_>> = parts
        .iter()
        .flat_map(|part| {
            lines(&part.text).map(|text| Due {
                text,
                origin: part.origin,
                owed: true,
            })
        })
        .collect();
    aligned(said, &due, |text, origin| match origin {
        Some(Origin::Proof(place)) => told.receipt(text, place),
        Some(Origin::Outcome(Some(place))) => told.outcome(text, entries.get(place)),
        Some(Origin::Outcome(None)) => {
            sentence(text, Worth::Proven, SentenceKind::Failure, told.turn_seq())
        }
        Some(Origin::Question) => sentence(text, Worth::Chat, SentenceKind::Question, None),
        Some(Origin::Words) => sentence(text, talk(text), SentenceKind::Chat, None),
        Some(Origin::Fixed) => sentence(text, Worth::Chat, SentenceKind::Chat, None),
        None => sentence(text, Worth::Unproven, SentenceKind::Chat, None),
    })
}

/// Tells whether a line is the server's own to a yes or a no, in some language; in a model's mouth
/// some would be stopped.
fn declines(text: &str) -> bool {
    let lines = [
        "rest-stays",
        "nothing-added",
        "nothing-deleted",
        "nothing-changed",
        "nothing-waits",
        "question-closed",
    ];
    let all = || {
        let mut all = Lang::ALL.into_iter();
        all.any(|lang| lines.iter().any(|id| localized!(lang, id) == text))
    };
    [
        Edition::Present,
        Edition::Ten,
        Edition::Nine,
        Edition::Eight,
    ]
    .into_iter()
    .any(|edition| edition.says(all))
}

/// The same where only the lines of receipts can be rendered: what else was said must be a
/// logged failure, or tell of nothing.
pub(super) fn judged(said: &str, receipts: &[String], told: &Told) -> (Vec<Sentence>, Vec<String>) {
    let due: Vec<Due<'_>> = (receipts.iter().enumerate())
        .flat_map(|(place, text)| {
            let facts = told.receipts.get(place).map(|(_, logged)| logged.facts());
            let change = facts.is_some_and(|facts| facts.action.is_change());
            // A reading beside a change need not be told.
            lines(text).map(move |text| Due {
                text,
                origin: Origin::Proof(place),
                owed: change,
            })
        })
        .collect();
    aligned(said, &due, |text, origin| match origin {
        Some(Origin::Proof(place)) => told.receipt(text, place),
        _ => told.unkept(text),
    })
}

/// Goes through both texts in order.
fn aligned(
    said: &str,
    due: &[Due<'_>],
    judge: impl Fn(&str, Option<Origin>) -> Sentence,
) -> (Vec<Sentence>, Vec<String>) {
    let mut sentences = Vec::new();
    let mut unsaid = Vec::new();
    let mut rest = due;
    for text in lines(said) {
        let found = rest.iter().position(|due| due.text == text);
        let Some((left_out, [due, after @ ..])) = found.and_then(|at| rest.split_at_checked(at))
        else {
            sentences.push(judge(text, None));
            continue;
        };
        keep_owed(left_out, &mut unsaid);
        sentences.push(judge(text, Some(due.origin)));
        rest = after;
    }
    keep_owed(rest, &mut unsaid);
    (sentences, unsaid)
}

fn keep_owed(left_out: &[Due<'_>], unsaid: &mut Vec<String>) {
    let owed = left_out.iter().filter(|due| due.owed);
    unsaid.extend(owed.map(|due| due.text.to_owned()));
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim().is_empty())
}

/// Checks that what was composed as mere words tells of no effect, whoever says that it was.
fn words(text: &str, message: &str) -> Worth {
    let tells = |sentence: &talk::Sentence| {
        matches!(
            sentence.verdict,
            talk::Verdict::Stopped(talk::Assertion::Effect)
        )
    };
    let talk = Talk {
        message,
        ..Talk::default()
    };
    match talk::judge_in(text, talk).sentences.iter().any(tells) {
        true => Worth::Unproven,
        false => Worth::Chat,
    }
}

fn sentence(text: &str, verdict: Worth, kind: SentenceKind, event: Option<i64>) -> Sentence {
    Sentence {
        text: text.to_owned(),
        verdict,
        kind,
        receipts: Vec::new(),
        events: event.into_iter().collect(),
    }
}

impl Told {
    /// The number of the turn's own event.
    fn turn_seq(&self) -> Option<i64> {
        self.turn.as_ref().map(|(seq, _)| *seq)
    }

    fn receipt(&self, text: &str, place: usize) -> Sentence {
        let found = self.receipts.get(place);
        let mut sentence = sentence(
            text,
            Worth::Proven,
            SentenceKind::Receipt,
            found.map(|(seq, _)| *seq),
        );
        let id = found.map(|(_, logged)| logged.facts().id);
        sentence.receipts = id.into_iter().collect();
        sentence
    }

    /// A failure, or that something was so already: the call's own event must say so too.
    fn outcome(&self, text: &str, entry: Option<&LedgerEntry>) -> Sentence {
        // A turn that was cut off ends without a call of its own: that there are no more of them
        // is what the log says, and nothing but these words may be said of it.
        let mut cut_off = Lang::ALL.iter().map(|lang| localized!(*lang, "cut-off"));
        let own = entry.is_some_and(|entry| entry.call_id.is_none());
        if own && cut_off.any(|line| line == text) {
            return sentence(text, Worth::Proven, SentenceKind::Failure, self.turn_seq());
        }
        let logged = entry.and_then(|entry| {
            let outcome = match entry.result {
                CallResult::Failed(_) => "failed",
                CallResult::Unchanged(_) => "unchanged",
                CallResult::Done(_) | CallResult::Refused(..) | CallResult::Asked => return None,
            };
            let same = |call: &&Call| call.name == entry.name && call.outcome == outcome;
            let call = self.calls.iter().find(same).map(|call| call.seq);
            // A guard that broke is told as a failure, and logged as a refusal.
            let unchecked = self.stopped.iter().find(|one| one.reason == "unchecked");
            call.or_else(|| unchecked.map(|one| one.seq))
        });
        let worth = match logged {
            Some(_) => Worth::Proven,
            None => Worth::Unproven,
        };
        sentence(text, worth, SentenceKind::Failure, logged)
    }

    /// A line that no receipt says, of a version that did not keep where it came from.
    fn unkept(&self, text: &str) -> Sentence {
        let failed = self.calls.iter().find(|call| {
            let error = call.reason.get("error").and_then(Value::as_str);
            call.outcome == "failed" && error == Some(text)
        });
        if let Some(call) = failed {
            return sentence(text, Worth::Proven, SentenceKind::Failure, Some(call.seq));
        }
        let reply = self.reply.as_ref().map(|(_, reply)| reply);
        let field = |name: &str| reply.and_then(|reply| reply.get(name));
        let missed = field("error").and_then(Value::as_str) == Some("tool_not_triggered");
        if missed && text.starts_with(TOOL_NOT_TRIGGERED) {
            return sentence(text, Worth::Proven, SentenceKind::Failure, self.turn_seq());
        }
        let asks = field("kind").and_then(Value::as_str) == Some("question");
        if asks && text.trim_end().ends_with('?') {
            return sentence(text, Worth::Chat, SentenceKind::Question, None);
        }
        let worth = match talk::judge(text).passes() {
            true => Worth::Chat,
            false => Worth::Unproven,
        };
        sentence(text, worth, SentenceKind::Chat, None)
    }
}
