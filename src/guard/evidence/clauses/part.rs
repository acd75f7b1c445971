//! Bounds of clauses: where one ends and the next begins, and how they are joined.

use std::ops::Range;

use super::{Clause, Joint, Standing};
use crate::domain::text::{Kind, Text};
use crate::guard::evidence::cues::{Cue, Deed, Hit, PHRASES};
use crate::guard::talk::is_function_word;
use crate::resolver::is_soft;

/// Parts a message into clauses: at marks, lines and joints.
pub(super) fn part(text: &Text<'_>, hits: &[Hit], whole: &[Range<usize>]) -> Vec<Clause> {
    let mut parted: Vec<Clause> = Vec::new();
    let (mut start, mut sentence, mut joint) = (0, 0, Joint::Begins);
    let mut close = |tokens: Range<usize>, sentence: usize, joint: Joint| {
        let says = tokens.clone().any(|at| {
            let mark = matches!(text.word(at), "." | "!" | "?" | "…" | "," | ";" | ":");
            text.tokens.get(at).is_some_and(|t| {
                t.kind == Kind::Word || !t.spaced && t.kind == Kind::Punct && !mark
            })
        });
        if says {
            parted.push(Clause {
                tokens,
                sentence,
                joint,
                own: true,
                hits: Vec::new(),
                opening: 0,
                asks: false,
                marked: false,
                requests: false,
                scope: Standing::Free,
                heard: false,
                contrasted: false,
                countered: false,
                corrected: false,
                introduced: false,
            });
        }
        says
    };
    for (at, token) in text.tokens.iter().enumerate() {
        let within = whole.iter().any(|range| range.start < at && at < range.end);
        if within || token.quoted {
            continue;
        }
        if at > start && opens_behind_a_verb(text, hits, start, at) {
            let _ = close(start..at, sentence, joint);
            (start, joint) = (at, Joint::Comma);
        }
        let spaced_behind = text
            .tokens
            .get(at + 1)
            .is_none_or(|next| next.spaced || next.kind != Kind::Word);
        // "1. milk": the number of a line says nothing of it.
        let numbered = at == start + 1
            && matches!(joint, Joint::Begins | Joint::Line | Joint::Colon)
            && matches!(text.word(at), "." | ")")
            && text.word(start).chars().all(|c| c.is_ascii_digit());
        if numbered {
            start = at + 1;
            continue;
        }
        let next = match (token.kind, text.word(at)) {
            (Kind::Break, _) => Some((Joint::Line, true)),
            (Kind::Punct, ".") if is_letter(text, at.wrapping_sub(1)) => None,
            // "am 20. bin ich weg": a number of a day goes on in lower case.
            (Kind::Punct, ".")
                if is_number(text, at.wrapping_sub(1))
                    && text.slice(at + 1..at + 2).starts_with(char::is_lowercase) =>
            {
                None
            }
            (Kind::Punct, "." | "!" | "?" | "…" | "؟" | "؛") if spaced_behind => {
                Some((Joint::Begins, true))
            }
            (Kind::Punct, ";") => Some((Joint::Begins, true)),
            (Kind::Punct, ",") if spaced_behind => Some((Joint::Comma, false)),
            // "4 : 30"
            (Kind::Punct, ":")
                if is_number(text, at.wrapping_sub(1)) && is_number(text, at + 1) =>
            {
                None
            }
            (Kind::Punct, ":") if spaced_behind => Some((Joint::Colon, false)),
            (Kind::Punct, "-" | "–" | "—" | "|" | "•" | "*") if token.spaced => {
                Some((Joint::Comma, false))
            }
            (Kind::Punct, "(" | ")") => Some((Joint::Comma, false)),
            _ => None,
        };
        if let Some((next_joint, ends)) = next {
            // "delete it... just kidding": three dots end one sentence.
            let end = if ends { at } else { at + 1 };
            let said = close(start..end, sentence, joint);
            start = at + 1;
            joint = next_joint;
            sentence += usize::from(said && ends && next_joint != Joint::Line);
            continue;
        }
        // "sent it off just now": a word at the end opens no clause.
        let ends = |hit: &Hit| {
            let mut rest = hit.end..text.tokens.len();
            hit.cue == Cue::Contrast
                && rest.len() < 2
                && rest.all(|at| text.tokens.get(at).is_some_and(|t| t.kind == Kind::Word))
        };
        // "should i just delete it": behind the words of a question alone it sets nothing apart.
        let asked = |hit: &Hit| {
            let asks = |token: usize| {
                let mut hits = hits.iter();
                hits.any(|hit| hit.cue == Cue::Asks && hit.covers(token))
            };
            hit.cue == Cue::Contrast && start < at && (start..at).all(asks)
        };
        let joins = hits.iter().find(|hit| {
            hit.at == at
                && !ends(hit)
                && !asked(hit)
                && matches!(
                    hit.cue,
                    Cue::And | Cue::Or | Cue::Contrast | Cue::So | Cue::Reason
                )
        });
        if let Some(hit) = joins.filter(|_| at > start) {
            let _ = close(start..at, sentence, joint);
            start = at;
            joint = match hit.cue {
                Cue::And => Joint::And,
                Cue::Or => Joint::Or,
                Cue::So => Joint::So,
                Cue::Reason => Joint::Reason,
                _ => Joint::Contrast,
            };
        } else if let Some(hit) = joins.filter(|_| at == start) {
            joint = match (hit.cue, joint) {
                (Cue::Contrast, _) => Joint::Contrast,
                (Cue::So, _) => Joint::So,
                (Cue::Reason, _) => Joint::Reason,
                (Cue::Or, Joint::Comma) => Joint::Or,
                (Cue::And, Joint::Begins) if sentence > 0 => Joint::And,
                (_, joint) => joint,
            };
        }
    }
    let _ = close(start..text.tokens.len(), sentence, joint);
    parted
}

/// Tells whether a thing right behind a report opens a clause of its own, where sentences end in their verb
/// and more is told of it: "doodh le aya bread nahi mili".
fn opens_behind_a_verb(text: &Text<'_>, hits: &[Hit], start: usize, at: usize) -> bool {
    let thing = |at: usize| {
        text.tokens.get(at).is_some_and(|t| t.kind == Kind::Word)
            && !is_soft(text.word(at))
            && !is_function_word(text.word(at))
            && !hits.iter().any(|hit| hit.covers(at))
    };
    let report = |hit: &Hit| hit.cue == Cue::Told(Deed::Complete) && start < hit.at;
    let closing = |hit: &Hit| {
        let auxiliary = |at: usize| is_function_word(text.word(at));
        report(hit) && hit.end <= at && (hit.end..at).all(auxiliary) && ends_in_verb(text, hit)
    };
    // Up to the next mark or joint.
    let joint = |at: usize| {
        let joins = |hit: &Hit| {
            let joints = [Cue::And, Cue::Or, Cue::Contrast, Cue::So, Cue::Reason];
            hit.at == at && joints.contains(&hit.cue)
        };
        let word = text.tokens.get(at).is_some_and(|t| t.kind == Kind::Word);
        !word || hits.iter().any(joins)
    };
    let tells = |hit: &Hit| {
        let told = [
            Cue::Undone,
            Cue::Negation,
            Cue::Told(Deed::Complete),
            Cue::Told(Deed::Reopen),
        ];
        told.contains(&hit.cue) && hit.at > at && !(at..hit.at).any(joint)
    };
    thing(at) && hits.iter().any(closing) && hits.iter().any(tells)
}

/// Tells whether a cue is of a language whose sentences end in their verb.
pub(in crate::guard::evidence) fn ends_in_verb(text: &Text<'_>, hit: &Hit) -> bool {
    let mut phrases = PHRASES.of(text.word(hit.at));
    phrases.any(|phrase| {
        let (cue, lang) = phrase.class;
        cue == hit.cue && lang.habits().ends_in_verb
    })
}

/// Tells whether a token is one letter, as in "e.g.".
fn is_letter(text: &Text<'_>, at: usize) -> bool {
    let mut letters = text.word(at).chars();
    letters.next().is_some_and(char::is_alphabetic) && letters.next().is_none()
}

fn is_number(text: &Text<'_>, at: usize) -> bool {
    text.word(at).starts_with(|c: char| c.is_ascii_digit())
}
