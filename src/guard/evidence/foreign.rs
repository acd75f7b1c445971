//! Text that is not the user's own: pasted, quoted at length, or said by a role.

use std::ops::Range;

use super::cues::{Cue, Deed, Hit};
use crate::domain::text::{Kind, Text};

/// Tokens of text that is not the user's own: pasted, quoted at length, or said by a role.
pub(super) fn foreign(text: &Text<'_>, hits: &[Hit]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let end = text.tokens.len();
    let raw = text.raw;
    let token_at = |byte: usize| {
        text.tokens
            .iter()
            .position(|token| token.span.start >= byte)
            .unwrap_or(end)
    };

    // Lines of a quotation, roles, fences, comments.
    let mut offset = 0;
    let mut fence: Option<usize> = None;
    for line in raw.split_inclusive('\n') {
        let trimmed = line.trim_start();
        let small = trimmed.to_lowercase();
        let fenced = trimmed.starts_with("```")
            || trimmed.starts_with("\"\"\"")
            || trimmed.starts_with("---")
            || trimmed.starts_with("===");
        if fenced {
            match fence.take() {
                Some(start) => found.push(start..token_at(offset + line.len())),
                None => fence = Some(token_at(offset)),
            }
        }
        const ROLES: [&str; 14] = [
            "assistant:",
            "system:",
            "user:",
            "human:",
            "ai:",
            "tool:",
            "developer:",
            "assistant :",
            "from:",
            "subject:",
            "fwd:",
            "fw:",
            "re:",
            "to:",
        ];
        let code = trimmed.starts_with('$')
            || trimmed.starts_with("#!")
            || trimmed.starts_with('<') && trimmed.contains("</")
            || small.starts_with("delete from")
            || small.starts_with("select ")
            || small.starts_with("drop table")
            || small.starts_with("echo ")
            || stamped(trimmed)
            || trimmed.contains(" ~");
        if code || trimmed.starts_with('>') || ROLES.iter().any(|role| small.starts_with(role)) {
            found.push(token_at(offset)..token_at(offset + line.len()));
        }
        if small.contains("original message") || small.contains("forwarded message") {
            found.push(token_at(offset)..end);
        }
        offset += line.len();
    }
    if let Some(start) = fence {
        found.push(start..end);
    }
    found.extend(quotations(text));
    let mut rest = 0;
    while let Some(start) = raw.get(rest..).and_then(|r| r.find("<!--")) {
        let begin = rest + start;
        let close = raw
            .get(begin..)
            .and_then(|r| r.find("-->"))
            .map_or(raw.len(), |at| begin + at + 3);
        found.push(token_at(begin)..token_at(close));
        rest = close;
    }
    // What follows a lead-in: behind its colon, its question mark or its line's end.
    // What is to be added is the user's own: "add the following: …".
    let adds = |lead: &Hit| {
        let near = |hit: &&Hit| hit.end <= lead.at && lead.at <= hit.end + 1;
        let mut before = hits.iter().filter(near);
        before.any(|hit| hit.cue == Cue::Order(Deed::Add))
    };
    for hit in hits
        .iter()
        .filter(|hit| hit.cue == Cue::LeadIn && !adds(hit))
    {
        let mark = (hit.end.saturating_sub(1)..end.min(hit.end + 12)).find(|at| {
            matches!(text.word(*at), ":" | "?" | "\n")
                || text.tokens.get(*at).is_some_and(|t| t.kind == Kind::Quote)
        });
        let Some(mark) = mark else {
            continue;
        };
        let stop = (hit.end..mark).any(|at| matches!(text.word(at), "." | "!" | ";"));
        let colon = text.word(mark) != "?";
        let more = mark + 1 < end;
        if !stop && more && (colon || text.word(mark + 1) == "\n" || text.tokens.len() > mark + 1) {
            let blank =
                (mark + 2..end).find(|at| text.word(*at) == "\n" && text.word(at - 1) == "\n");
            let paragraph = blank.filter(|at| *at > mark + 3);
            found.push(mark + 1..paragraph.unwrap_or(end));
        }
    }
    found
}

/// "[10:15] Bob: …": a line of another conversation.
fn stamped(line: &str) -> bool {
    let inside = line.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    inside
        .is_some_and(|(stamp, _)| stamp.contains(':') && stamp.chars().any(|c| c.is_ascii_digit()))
}

/// Quotations over several lines.
fn quotations(text: &Text<'_>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = None;
    let mut broken = false;
    for (at, token) in text.tokens.iter().enumerate() {
        if token.kind == Kind::Quote {
            if let Some(start) = start.take().filter(|_| broken) {
                found.push(start..at + 1);
            } else if !broken || start.is_none() {
                start = Some(at);
            }
            broken = false;
        } else if token.kind == Kind::Break {
            broken = true;
        }
    }
    found
}
