//! Proposals of a model that the words do not ask for, told in a line of their own.

use super::Composition;
use crate::domain::{ErrorType, Lang, Tool};
use crate::locales::localized;
use crate::turn::{CallResult, LedgerEntry};

/// Says, in a line of its own, what was proposed and neither done nor asked about.
pub(super) fn refusals(from: &Composition<'_>) -> Option<String> {
    // A turn that was cut off says so of all that it left.
    let cut = |entry: &LedgerEntry| matches!(&entry.result, CallResult::Failed(error) if error.error_type == ErrorType::Interrupted);
    let entries = from.ledger.entries();
    if entries.iter().any(cut) {
        return None;
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
    let mut told: Vec<(Tool, usize)> = Vec::new();
    for (_, entry) in refused {
        let Some(tool) = entry.tool else { continue };
        match told.iter_mut().find(|(known, _)| *known == tool) {
            Some((_, count)) => *count += 1,
            None => told.push((tool, 1)),
        }
    }
    let speech = from.speech;
    let deeds: Vec<String> = told
        .iter()
        .filter_map(|(tool, count)| refused_deed(*tool, *count, speech))
        .collect();
    if deeds.is_empty() {
        return None;
    }
    let deeds = deeds.join(", ");
    Some(localized!(speech, "refused", deeds = deeds))
}

fn refused_deed(tool: Tool, count: usize, speech: Lang) -> Option<String> {
    Some(match tool {
        Tool::AddTask => localized!(speech, "refused-add", count = count),
        Tool::DeleteTask => localized!(speech, "refused-delete", count = count),
        Tool::CompleteTask => localized!(speech, "refused-complete", count = count),
        Tool::UpdateTask => localized!(speech, "refused-change", count = count),
        Tool::Undo => localized!(speech, "refused-undo"),
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
