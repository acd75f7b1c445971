//! Permissions and expectations of words about agents.

use std::ops::Range;

use crate::guard::licence::{Grant, GrantKind, Meaning, Need, Part, Situation, mean};
use crate::intent::{Errand, Target, Verb};

/// The permission of one errand; none for a question about what agents there are.
pub(in crate::guard) fn errand_grant(
    errand: &Errand,
    bytes: &Range<usize>,
    situation: &Situation<'_>,
) -> Option<Grant> {
    errand.tool()?;
    let part = |target: &Target| mean(Verb::Update, target, situation);
    let parts: Vec<Part> = match errand {
        Errand::Hand(hand) => {
            let whole = part(&hand.whole);
            // A title may hold the conjunction: then it is one.
            if hand.parts.len() < 2 || matches!(whole.meaning, Meaning::One(_)) {
                vec![whole]
            } else {
                hand.parts.iter().map(part).collect()
            }
        }
        Errand::Ask(about) | Errand::Stop(about) | Errand::Resume { about, .. } => {
            about.what.iter().map(part).collect()
        }
        Errand::TakeBack(target) => vec![part(target)],
        Errand::Overview | Errand::Who => Vec::new(),
    };
    Some(Grant {
        kind: GrantKind::Errand {
            errand: errand.clone(),
            parts,
            covered: false,
            handed: 0,
        },
        expected: true,
        bytes: bytes.clone(),
    })
}

/// Adds what is still open of an errand to `needs`.
pub(in crate::guard) fn errand_open(errand: &Errand, covered: bool, needs: &mut Vec<Need>) {
    if let (false, Some(tool)) = (covered, errand.tool()) {
        needs.push(Need::Call(tool));
    }
}
