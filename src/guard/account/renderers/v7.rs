//! Replies of version 7: what a model proposed and the words do not ask for was counted, and named by
//! no task.

use crate::domain::{Lang, Tool};
use crate::guard::compose::{Composition, PRESENT, Wording, refused};
use crate::locales::localized;

/// Words of version 7.
pub(super) const WORDING: Wording = Wording {
    refusals: |from, _| refusals(from),
    ..PRESENT
};

fn refusals(from: &Composition<'_>) -> Vec<String> {
    let mut told: Vec<(Tool, usize)> = Vec::new();
    for entry in refused(from) {
        let Some(tool) = entry.tool else { continue };
        match told.iter_mut().find(|(known, _)| *known == tool) {
            Some((_, count)) => *count += 1,
            None => told.push((tool, 1)),
        }
    }
    let speech = from.speech;
    let deeds = told.iter();
    let deeds = deeds.filter_map(|(tool, count)| refused_deed(*tool, *count, speech));
    let deeds: Vec<String> = deeds.collect();
    if deeds.is_empty() {
        return Vec::new();
    }
    let deeds = deeds.join(", ");
    vec![localized!(speech, "refused", deeds = deeds)]
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
