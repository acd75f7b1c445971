//! Proposals of a model that the words do not ask for, told in a line of their own.

use serde_json::Value;

use super::{Composition, Wording, failure_text};
use crate::domain::{Cause, ErrorType, Tool};
use crate::guard::phrases::quoted;
use crate::intent::{Act, Clause};
use crate::locales::localized;
use crate::resolver::{Words, covers, title_words};
use crate::turn::{CallResult, LedgerEntry};

/// Says, in lines of their own, what was proposed and neither done nor asked about: a fault by its
/// cause, else what was not done. A task is named in words of the user's alone.
pub(super) fn refusals(from: &Composition<'_>, wording: &Wording) -> Vec<String> {
    let (mut lines, told) = gather(from, wording, true);
    for (tool, names, count) in told {
        lines.extend(
            refused_lines(tool, &names, count, from)
                .into_iter()
                .flatten(),
        );
    }
    lines
}

/// The refusal of the calls of a tool that the words do order, where one of them named what they say.
pub(super) fn refused_order(
    from: &Composition<'_>,
    tool: Tool,
    wording: &Wording,
) -> Option<String> {
    let mut told = gather(from, wording, false).1.into_iter();
    let (_, names, count) = told.find(|(known, names, _)| *known == tool && !names.is_empty())?;
    refused_lines(tool, &names, count, from)?.into_iter().next()
}

/// Calls of a tool that were refused: the tasks that they named in the user's words, and the number
/// of the others.
type RefusedCalls = (Tool, Vec<String>, usize);

/// The lines of faults, and the refused calls of each tool; those that name a task only in part with
/// that part, where `partly`.
fn gather(
    from: &Composition<'_>,
    wording: &Wording,
    partly: bool,
) -> (Vec<String>, Vec<RefusedCalls>) {
    let mut lines = Vec::new();
    let mut told: Vec<RefusedCalls> = Vec::new();
    // "There is no feb 30: say a day that exists." tells the cause already.
    let no_day = |clause: &Clause| matches!(clause.act, Act::NoSuchDay(_));
    let dayless = from.clauses.iter().any(no_day);
    for entry in refused(from) {
        let listed = entry.tool == Some(Tool::ListTasks);
        let said = said_argument(entry, from);
        if let CallResult::Failed(error) = &entry.result {
            let not_a_day = |cause: &Cause| matches!(cause, Cause::NotADay { .. });
            if dayless && error.causes.iter().any(not_a_day) {
                continue;
            }
            if listed && error.error_type == ErrorType::NotFound {
                lines.push(failure_text(entry, error, from, wording));
            }
        }
        let Some(tool) = entry.tool.filter(|tool| verb(*tool).is_some()) else {
            continue;
        };
        match (&entry.result, said) {
            (CallResult::Failed(error), Some(_)) => {
                lines.push(failure_text(entry, error, from, wording));
            }
            (_, said) => {
                if told.iter().all(|(known, ..)| *known != tool) {
                    told.push((tool, Vec::new(), 0));
                }
                let mut known = told.iter_mut();
                let Some((_, names, count)) = known.find(|(known, ..)| *known == tool) else {
                    continue;
                };
                match said.or_else(|| said_part(entry, from).filter(|_| partly)) {
                    Some(name) if !names.contains(&name) => names.push(name),
                    Some(_) => {}
                    None => *count += 1,
                }
            }
        }
    }
    (lines, told)
}

/// The entries that were refused, or failed and were nobody's wish, each once.
pub(in crate::guard) fn refused<'e>(from: &'e Composition<'_>) -> Vec<&'e LedgerEntry> {
    // A turn that was cut off says so of all that it left.
    let cut = |entry: &LedgerEntry| matches!(&entry.result, CallResult::Failed(error) if error.error_type == ErrorType::Interrupted);
    let entries = from.ledger.entries();
    if entries.iter().any(cut) {
        return Vec::new();
    }
    let refused = entries.iter().enumerate().filter(|(index, entry)| {
        let told = match entry.result {
            CallResult::Refused(..) => false,
            CallResult::Failed(_) => from.concerns(entry),
            _ => true,
        };
        let again = entries
            .iter()
            .take(*index)
            .any(|before| before.tool == entry.tool && before.arguments == entry.arguments);
        !told && !again && !mended(entries, *index)
    });
    refused.map(|(_, entry)| entry).collect()
}

/// The task that a call names, quoted, where the user said these words.
fn said_argument(entry: &LedgerEntry, from: &Composition<'_>) -> Option<String> {
    let name = match entry.tool? {
        Tool::AddTask => "title",
        _ => "task",
    };
    let text = entry.arguments.get(name).and_then(Value::as_str)?.trim();
    // A place in the list that the user did not say is in none of their numbers either.
    let place = text.bytes().all(|byte| byte.is_ascii_digit());
    let mut words = from.words.split_whitespace();
    let counted = words.any(|word| word.trim_matches(|c: char| !c.is_alphanumeric()) == text);
    let said = !text.is_empty() && covers(text, from.words) && (!place || counted);
    said.then(|| quoted(&text.chars().take(80).collect::<String>()))
}

/// The longest run of words of the task that a call names which the user said, quoted.
fn said_part(entry: &LedgerEntry, from: &Composition<'_>) -> Option<String> {
    let task = entry.arguments.get("task").and_then(Value::as_str)?;
    let said = Words::of(from.words);
    let words: Vec<&str> = task.split_whitespace().collect();
    let known = |word: &&str| title_words(word).iter().all(|word| said.contains(word));
    let content = |word: &&str| !title_words(word).is_empty();
    let runs = words.split(|word| !known(word)).filter_map(|run| {
        let (first, last) = (
            run.iter().position(&content),
            run.iter().rposition(&content),
        );
        run.get(first?..=last?)
    });
    let run = runs.max_by_key(|run| run.len())?.join(" ");
    let run = run.trim_matches(|c: char| !c.is_alphanumeric());
    run.chars().any(char::is_alphabetic).then(|| quoted(run))
}

/// `I didn't change "dentist": I can't read that in your words.`, and the same of a number of others.
fn refused_lines(
    tool: Tool,
    names: &[String],
    count: usize,
    from: &Composition<'_>,
) -> Option<Vec<String>> {
    let (speech, verb) = (from.speech, verb(tool)?);
    let named = (!names.is_empty()).then(|| names.join(", "));
    let others = (count > 0).then(|| localized!(speech, "refused-some", count = count));
    let all = named.into_iter().chain(others);
    Some(
        all.map(|what| localized!(speech, "refused-line", verb = verb, what = what))
            .collect(),
    )
}

const fn verb(tool: Tool) -> Option<&'static str> {
    Some(match tool {
        Tool::AddTask => "add",
        Tool::DeleteTask => "delete",
        Tool::CompleteTask => "complete",
        Tool::UpdateTask => "change",
        Tool::Undo => "undo",
        _ => return None,
    })
}

/// A failure is not reported when the same tool did better in a later round, or failed again
/// there: then the later one is.
pub(super) fn mended(entries: &[LedgerEntry], index: usize) -> bool {
    let Some(failed) = entries.get(index) else {
        return false;
    };
    entries.iter().skip(index + 1).any(|later| {
        later.tool == failed.tool && later.round > failed.round && later.dispatched_or_asked()
    })
}
