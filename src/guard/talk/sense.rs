//! Sense: of a reply some sentences of which fell, what still says something by itself.

use super::blocks::{self, Piece, Shape};
use super::verdict::{Form, Judgement, Verdict};
use super::words::{self, Kind};

/// Gives the sentences that pass, as they stood; none where they no longer make sense.
pub fn what_is_left(prose: &str, judgement: &Judgement) -> Option<String> {
    let pieces = blocks::cut(prose);
    let passes = |at: usize| match judgement.sentences.get(at).map(|one| one.verdict) {
        Some(Verdict::Passes(form)) => Some(form),
        _ => None,
    };
    let mut kept: Vec<bool> = (0..pieces.len()).map(|at| passes(at).is_some()).collect();
    for (at, piece) in pieces.iter().enumerate() {
        let Some(before) = at.checked_sub(1) else {
            continue;
        };
        let fell = kept.get(before) == Some(&false);
        let beside = pieces
            .get(before)
            .is_some_and(|before| before.line == piece.line);
        let told = matches!(passes(at), Some(Form::Fact | Form::Help));
        if fell && beside && told && points(prose, piece) {
            drop_at(&mut kept, at);
        }
    }
    // A lead-in or a heading without anything below it.
    for at in (0..pieces.len()).rev() {
        let leads = |piece: &Piece| matches!(piece.shape, Shape::LeadIn | Shape::Heading);
        let falls = kept.get(at + 1) == Some(&false);
        let mut below = pieces.iter().zip(&kept).skip(at + 1);
        let below = below.find(|(_, kept)| **kept);
        let empty = below.is_none_or(|(next, _)| falls && !listed(next));
        if empty && pieces.get(at).is_some_and(leads) {
            drop_at(&mut kept, at);
        }
    }
    let says = |at: usize| kept.get(at) == Some(&true) && passes(at) != Some(Form::Assent);
    if !(0..pieces.len()).any(says) {
        return None;
    }
    Some(joined(prose, &pieces, &kept))
}

fn listed(piece: &Piece) -> bool {
    matches!(piece.shape, Shape::Item | Shape::Row)
}

fn drop_at(kept: &mut [bool], at: usize) {
    if let Some(kept) = kept.get_mut(at) {
        *kept = false;
    }
}

fn points(prose: &str, piece: &Piece) -> bool {
    let text = prose.get(piece.bytes.clone()).unwrap_or_default();
    let first = text
        .split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’')
        .next();
    let first = first.unwrap_or_default().to_lowercase().replace('’', "'");
    words::says(Kind::Points, &first)
}

/// The kept pieces with the breaks that stood between them.
fn joined(prose: &str, pieces: &[Piece], kept: &[bool]) -> String {
    let mut out = String::new();
    let mut last: Option<&Piece> = None;
    for (piece, _) in pieces.iter().zip(kept).filter(|(_, kept)| **kept) {
        if let Some(last) = last {
            let between = prose
                .get(last.bytes.end..piece.bytes.start)
                .unwrap_or_default();
            out.push_str(match between.matches('\n').count() {
                0 => " ",
                1 => "\n",
                _ if piece.line > last.line + 1 && between.trim().is_empty() => "\n\n",
                _ => "\n",
            });
        }
        out.push_str(prose.get(piece.bytes.clone()).unwrap_or_default());
        last = Some(piece);
    }
    out
}
