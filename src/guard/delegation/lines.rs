//! Every sentence about agents, rendered from rows and receipts.

use serde_json::Value;

use crate::domain::{ErrorType, RunState, ToolError, Verification, shown};
use crate::guard::phrases::{Speech, quoted, title};
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
pub(in crate::guard) fn delegated(facts: &ReceiptFacts, run: &RunFacts, speech: Speech) -> String {
    let name = title(facts.title().unwrap_or_default());
    let head = match run.round {
        1 => speech.pick("Delegated", "Delegate ho gaya"),
        _ => speech.pick("Resumed", "Agent phir shuru hua"),
    };
    format!("{head}: {name} ({})", who_works(run))
}

/// `Cancelled: X (…)`, or that this was only asked for.
pub(in crate::guard) fn stopped(facts: &ReceiptFacts, run: &RunFacts, speech: Speech) -> String {
    let name = title(facts.title().unwrap_or_default());
    if run.state == RunState::Cancelled {
        let head = speech.pick("Cancelled", "Cancel ho gaya");
        return format!("{head}: {name} ({})", who_works(run));
    }
    unconfirmed(&name, run, speech)
}

fn unconfirmed(name: &str, run: &RunFacts, speech: Speech) -> String {
    match speech {
        Speech::English => {
            format!(
                "Cancel requested: {name} ({}); work may still land",
                who_works(run)
            )
        }
        Speech::RomanUrdu => {
            format!(
                "Cancel ka kaha gaya: {name} ({}); kaam abhi aa sakta hai",
                who_works(run)
            )
        }
    }
}

fn who_works(run: &RunFacts) -> String {
    format!("{}, {}, {}", run.persona, run.agent, run.run)
}

/// Tells how a run stands, and what was reported, as a quotation.
pub fn run_lines(run: &AgentRun, speech: Speech) -> Vec<String> {
    let facts = run.facts();
    let name = title(&run.title);
    let who = who_works(&facts);
    match run.state {
        RunState::Pending | RunState::Running | RunState::InputRequired if run.is_stopping() => {
            vec![unconfirmed(&name, &facts, speech)]
        }
        RunState::Pending => vec![format!(
            "{}: {name} ({who})",
            speech.pick("Waiting for a free agent", "Agent ka intezar")
        )],
        RunState::InputRequired => vec![asks(run, &name, speech)],
        RunState::Running => vec![format!(
            "{}: {name} ({who})",
            speech.pick("Still working", "Kaam jari hai")
        )],
        RunState::Completed => completed(run, &name, speech),
        RunState::Failed => {
            let reason = run.fault.as_ref().map(|fault| shown(&fault.error));
            let reason = reason.unwrap_or_default();
            let head = speech.pick("Agent could not finish", "Agent pura na kar saka");
            vec![format!("{head}: {name} – {}", cut(&reason))]
        }
        RunState::Cancelled => vec![format!(
            "{}: {name} ({who})",
            speech.pick("Cancelled", "Cancel ho gaya")
        )],
        RunState::Interrupted => vec![match speech {
            Speech::English => format!(
                "Outcome unknown: {name} ({who}) – it was cut off. Say \"continue with the agent on {name}\" to go on."
            ),
            Speech::RomanUrdu => {
                format!("Nateeja maloom nahi: {name} ({who}) – kaam beech mein ruk gaya.")
            }
        }],
    }
}

/// Tells what an agent asks the user, as a quotation, and how it is answered.
fn asks(run: &AgentRun, name: &str, speech: Speech) -> String {
    let who = who_works(&run.facts());
    let question = run.question.as_deref().map(|text| cut(&shown(text)));
    let question = quoted(&question.unwrap_or_default());
    let persona = &run.persona;
    match speech {
        Speech::English => format!(
            "Agent asks: {name} ({who}) – {question} Say \"continue with {persona} on {name}: …\" to answer."
        ),
        Speech::RomanUrdu => format!(
            "Agent poochta hai: {name} ({who}) – {question} Jawab: \"continue with {persona} on {name}: …\""
        ),
    }
}

/// `Agent finished: X`, and the report.
fn completed(run: &AgentRun, name: &str, speech: Speech) -> Vec<String> {
    let head = speech.pick("Agent finished", "Agent ne pura kiya");
    let mut lines = vec![format!("{head}: {name}")];
    let Some(result) = &run.result else {
        return lines;
    };
    let verified = result.verification == Verification::Verified;
    let worth = match (verified, speech) {
        (true, _) => "",
        (false, Speech::English) => " (unverified: it cites nothing it did)",
        (false, Speech::RomanUrdu) => " (tasdeeq nahi hui)",
    };
    let reported = speech.pick("reported", "ne bataya");
    let text = result.summary.as_deref().unwrap_or(&result.text);
    let said: Vec<String> = text
        .lines()
        .map(|line| cut(&shown(line)))
        .filter(|line| !line.trim().is_empty())
        .collect();
    if let [one] = said.as_slice() {
        lines.push(format!(
            "{} {reported}{worth}: {}",
            run.persona,
            quoted(one)
        ));
        return lines;
    }
    lines.push(format!("{} {reported}{worth}:", run.persona));
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
pub fn delegations_lines(page: &RunPage, speech: Speech) -> Vec<String> {
    let matched = page.matched;
    if page.runs.is_empty() {
        let none = speech.pick("Nothing is delegated.", "Kuch delegate nahi hai.");
        return vec![none.to_owned()];
    }
    let noun = if matched == 1 {
        "delegation"
    } else {
        "delegations"
    };
    let mut lines = vec![match speech {
        Speech::English => format!("You have {matched} {noun}:"),
        Speech::RomanUrdu => format!("Aap ki {matched} {noun}:"),
    }];
    let numbered = page.runs.iter().enumerate();
    lines.extend(numbered.map(|(index, run)| {
        let state = match run.is_stopping() {
            true => "stopping",
            false => run.state.as_str(),
        };
        format!(
            "{}. {} ({state}, {})",
            index + 1,
            title(&run.title),
            who_works(&run.facts())
        )
    }));
    if page.withheld() > 0 {
        let more = page.withheld();
        lines.push(match speech {
            Speech::English => format!("… and {more} more"),
            Speech::RomanUrdu => format!("… aur {more} mazeed"),
        });
    }
    lines
}

/// Lists the personas there are: for whoever asks whom work can be given to.
pub fn who<'a>(personas: impl Iterator<Item = (&'a str, &'a str)>, speech: Speech) -> String {
    let mut lines: Vec<String> = vec![
        speech
            .pick(
                "You can hand tasks to these agents:",
                "Aap in agents ko kaam de sakte hain:",
            )
            .to_owned(),
    ];
    lines.extend(personas.map(|(name, what)| format!("- {name}: {what}")));
    lines.join("\n")
}

/// Said when words about agents name no task.
pub const fn unclear(speech: Speech) -> &'static str {
    speech.pick(
        "Which task do you mean? Name it by its title.",
        "Kaunsa task? Title batayein.",
    )
}

/// A task that an agent works on is not marked as done by the way (G-13).
pub fn conflict_live(run: &AgentRun, speech: Speech) -> ToolError {
    let text = match speech {
        Speech::English => format!(
            "{} is still working on {}. Say 'mark it done anyway' to complete it yourself.",
            run.agent,
            quoted(&run.title)
        ),
        Speech::RomanUrdu => format!(
            "{} abhi {} par kaam kar raha hai. Khud mukammal karne ke liye 'mark it done anyway' kahein.",
            run.agent,
            quoted(&run.title)
        ),
    };
    ToolError::new(ErrorType::Conflict, text)
}

/// Nothing is left to stop.
pub fn already_ended(run: &AgentRun, speech: Speech) -> ToolError {
    let name = quoted(&run.title);
    let text = match speech {
        Speech::English => format!(
            "Nothing to stop: the work on {name} has ended ({}).",
            run.state
        ),
        Speech::RomanUrdu => format!(
            "Rokne ko kuch nahi: {name} ka kaam khatam hai ({}).",
            run.state
        ),
    };
    ToolError::new(ErrorType::Conflict, text)
}

/// `Preview, nothing was started: X → researcher on openai-dev (gpt-4)`
pub(in crate::guard) fn preview(previews: &[DelegationPreview], speech: Speech) -> String {
    let lines: Vec<String> = previews
        .iter()
        .map(|one| {
            let model = match one.model.as_str() {
                "" => String::new(),
                model => format!(" ({})", shown(model)),
            };
            let head = speech.pick(
                "Preview, nothing was started",
                "Sirf preview, kuch shuru nahi hua",
            );
            format!(
                "{head}: {} → {} on {}{model}",
                title(&one.title),
                one.persona,
                shown(&one.provider)
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
