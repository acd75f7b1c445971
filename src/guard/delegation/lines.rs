//! Every sentence about agents, rendered from rows and receipts.

use serde_json::Value;

use crate::domain::{ErrorType, Lang, ReportOutcome, RunState, ToolError, Verification, shown};
use crate::guard::phrases::{numbered, quoted, title};
use crate::locales::localized;
use crate::store::{AgentRun, ReadResult, ReceiptFacts, RunFacts, RunPage};
use crate::tools::DelegationPreview;
use crate::turn::SuccessProof;

/// Names, in the question of a reading of runs, that the turn waited for its own run.
pub const WAITED: &str = "waited";
/// Names, in the question of a reading of runs, that an end is told of which nobody asked about.
pub const NOTICE: &str = "notice";

/// At most so many lines of a report are shown.
const REPORT_LINES: usize = 40;
/// At most so many characters of one of them.
const LINE_MAX: usize = 500;

/// `Delegated: X (researcher, agent-abc123, run-7)`
pub(in crate::guard) fn delegated(facts: &ReceiptFacts, run: &RunFacts, speech: Lang) -> String {
    let name = title(facts.title().unwrap_or_default());
    let who = who_works(run);
    match run.round {
        1 => localized!(speech, "delegated", name = name, who = who),
        _ => localized!(speech, "resumed", name = name, who = who),
    }
}

/// `Cancelled: X (…)`, or that this was only asked for.
pub(in crate::guard) fn stopped(facts: &ReceiptFacts, run: &RunFacts, speech: Lang) -> String {
    let name = title(facts.title().unwrap_or_default());
    if run.state == RunState::Cancelled {
        return localized!(speech, "cancelled", name = name, who = who_works(run));
    }
    unconfirmed(&name, run, speech)
}

fn unconfirmed(name: &str, run: &RunFacts, speech: Lang) -> String {
    localized!(
        speech,
        "cancel-requested",
        name = name,
        who = who_works(run)
    )
}

fn who_works(run: &RunFacts) -> String {
    format!("{}, {}, {}", run.persona, run.agent, run.run)
}

/// Tells how a run stands, and what was reported, as a quotation.
pub fn run_lines(run: &AgentRun, speech: Lang) -> Vec<String> {
    let facts = run.facts();
    let name = title(&run.title);
    let who = who_works(&facts);
    let line = match run.state {
        state if state.is_live() && run.is_stopping() => unconfirmed(&name, &facts, speech),
        RunState::Pending => localized!(speech, "run-waiting", name = name, who = who),
        RunState::InputRequired => asks(run, &name, speech),
        RunState::Running => localized!(speech, "run-working", name = name, who = who),
        RunState::Completed => return completed(run, &name, speech),
        RunState::Failed => {
            let reason = reason(run, speech);
            localized!(speech, "run-failed", name = name, reason = reason)
        }
        RunState::Cancelled => localized!(speech, "cancelled", name = name, who = who),
        RunState::Interrupted => localized!(speech, "run-interrupted", name = name, who = who),
    };
    vec![line]
}

/// Reason why a run has no result; where the agent gave one, its words as a quotation.
fn reason(run: &AgentRun, speech: Lang) -> String {
    let fault = run.fault.as_ref();
    let why = match (&run.result, fault.map(|fault| fault.error_type)) {
        (Some(result), _) if result.outcome == ReportOutcome::Rejected => "rejected",
        (Some(_), _) => "contradicted",
        (None, Some(ErrorType::Timeout)) => "timeout",
        (None, Some(ErrorType::Limit)) => "limit",
        (None, Some(ErrorType::Unavailable)) => "unavailable",
        _ if fault.is_some_and(|fault| fault.unreported_output.is_some()) => "no_report",
        _ => "other",
    };
    let said = run.result.as_ref().map(|result| cut(&shown(&result.text)));
    let said = quoted(&said.unwrap_or_default());
    localized!(
        speech,
        "run-fault",
        why = why,
        said = said,
        provider = &run.provider
    )
}

/// Tells what an agent asks the user, as a quotation, and how it is answered.
fn asks(run: &AgentRun, name: &str, speech: Lang) -> String {
    let who = who_works(&run.facts());
    let question = run.question.as_deref().map(|text| cut(&shown(text)));
    let question = quoted(&question.unwrap_or_default());
    localized!(
        speech,
        "run-asks",
        name = name,
        who = who,
        question = question,
        persona = &run.persona,
    )
}

/// `Agent finished: X`, and the report.
fn completed(run: &AgentRun, name: &str, speech: Lang) -> Vec<String> {
    let mut lines = vec![localized!(speech, "run-finished", name = name)];
    let Some(result) = &run.result else {
        return lines;
    };
    let verified = result.verification == Verification::Verified;
    let reported = match verified {
        true => localized!(speech, "run-reported", persona = &run.persona),
        false => localized!(speech, "run-reported-unverified", persona = &run.persona),
    };
    let text = result.summary.as_deref().unwrap_or(&result.text);
    let said: Vec<String> = text
        .lines()
        .map(|line| cut(&shown(line)))
        .filter(|line| !line.trim().is_empty())
        .collect();
    if let [one] = said.as_slice() {
        let reported = localized!(speech, "with-colon", head = reported);
        lines.push(format!("{reported} {}", quoted(one)));
        return lines;
    }
    lines.push(localized!(speech, "with-colon", head = reported));
    lines.extend(
        said.iter()
            .take(REPORT_LINES)
            .map(|line| format!("> {line}")),
    );
    if said.len() > REPORT_LINES {
        lines.push(format!("> … {}", said.len() - REPORT_LINES));
    }
    lines
}

/// Lists what is delegated, newest first.
pub fn delegations_lines(page: &RunPage, speech: Lang) -> Vec<String> {
    let matched = page.matched;
    if page.runs.is_empty() {
        return vec![localized!(speech, "nothing-delegated")];
    }
    let mut lines = vec![localized!(speech, "delegations", count = matched)];
    lines.extend(numbered(page.runs.iter().map(|run| {
        let state = match run.is_stopping() {
            true => "stopping",
            false => run.state.as_str(),
        };
        let state = localized!(speech, "run-state", state = state);
        let who = who_works(&run.facts());
        format!("{} ({state}, {who})", title(&run.title))
    })));
    if page.withheld() > 0 {
        let more = page.withheld();
        lines.push(localized!(speech, "more-tasks", count = more));
    }
    lines
}

/// Lists the personas there are: for whoever asks whom work can be given to.
pub fn who<'a>(personas: impl Iterator<Item = (&'a str, &'a str)>, speech: Lang) -> String {
    let mut lines = vec![localized!(speech, "agents")];
    let named = |name| localized!(speech, "with-colon", head = name);
    lines.extend(personas.map(|(name, what)| format!("- {} {what}", named(name))));
    lines.join("\n")
}

/// A task that an agent works on is not marked as done by the way (G-13).
pub fn conflict_live(run: &AgentRun, speech: Lang) -> ToolError {
    let (agent, name) = (run.agent.to_string(), quoted(&run.title));
    let say = |lang| {
        localized!(
            lang,
            "agent-busy",
            agent = agent.as_str(),
            name = name.as_str()
        )
    };
    ToolError::of_agents(ErrorType::Conflict, speech, say)
}

/// Nothing is left to stop.
pub fn already_ended(run: &AgentRun, speech: Lang) -> ToolError {
    let name = quoted(&run.title);
    let say = |lang| {
        let state = localized!(lang, "run-state", state = run.state.as_str());
        localized!(lang, "agent-ended", name = name.as_str(), state = state)
    };
    ToolError::of_agents(ErrorType::Conflict, speech, say)
}

/// `Preview, nothing was started: X → researcher on openai-dev (gpt-4)`
pub(in crate::guard) fn preview(previews: &[DelegationPreview], speech: Lang) -> String {
    let lines: Vec<String> = previews
        .iter()
        .map(|one| {
            let model = match one.model.as_str() {
                "" => String::new(),
                model => format!(" ({})", shown(model)),
            };
            localized!(
                speech,
                "agent-preview",
                name = title(&one.title),
                persona = &one.persona,
                provider = format!("{}{model}", shown(&one.provider)),
            )
        })
        .collect();
    lines.join("\n")
}

/// Tells whether a reading tells of an end that nobody asked about.
pub fn tells_of_notice(reading: Option<&ReadResult>) -> bool {
    question(reading).is_some_and(|question| question.get(NOTICE).is_some())
}

/// Tells whether a later proof of the turn tells how the same run stands.
pub(in crate::guard) fn told_later(place: usize, proofs: &[SuccessProof<'_>]) -> bool {
    let run = |proof: &SuccessProof<'_>| proof.facts().run.as_ref().map(|run| run.run);
    let Some(own) = proofs.get(place).and_then(run) else {
        return false;
    };
    let mut later = proofs.iter().skip(place + 1);
    later.any(|proof| {
        let reads = matches!(proof.facts().reading, Some(ReadResult::Runs { .. }));
        reads && run(proof) == Some(own)
    })
}

/// The fault of a run that this turn began and waited for, when it ended without a result.
pub fn fault_of(facts: &ReceiptFacts) -> Option<ErrorType> {
    question(facts.reading.as_ref()).filter(|question| question.get(WAITED).is_some())?;
    match facts.run.as_ref()?.state {
        RunState::Failed => Some(ErrorType::Execution),
        RunState::Cancelled => Some(ErrorType::Cancelled),
        RunState::Interrupted => Some(ErrorType::Interrupted),
        _ => None,
    }
}

fn question(reading: Option<&ReadResult>) -> Option<&Value> {
    match reading {
        Some(ReadResult::Runs { question, .. }) => Some(question),
        _ => None,
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LINE_MAX) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
