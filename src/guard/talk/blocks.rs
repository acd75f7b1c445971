//! Blocks: a reply cut into pieces that are judged one by one: headings, items, rows and sentences.

use std::ops::Range;

use super::words::{self, Kind};

/// The shape of a piece of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// A sentence of running text.
    Sentence,
    /// A line that announces what stands below it.
    LeadIn,
    /// A heading.
    Heading,
    /// An item of a list, or a line of it.
    Item,
    /// A row of a table.
    Row,
    /// Part of a program or of data, or somebody's quoted text.
    Code,
}

/// A piece with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub bytes: Range<usize>,
    /// Without the mark of a list.
    pub inner: Range<usize>,
    pub shape: Shape,
    /// The line that it stands on.
    pub line: usize,
}

/// Cuts a reply.
pub(super) fn cut(raw: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut start = 0;
    let mut fenced = false;
    for (number, line) in raw.split_inclusive('\n').enumerate() {
        let range = start..start + line.len();
        start = range.end;
        let body = line.trim();
        let fence = body.starts_with("```") || body.starts_with("~~~");
        if body.is_empty() {
            continue;
        }
        let from = range.start + (line.len() - line.trim_start().len());
        let bytes = from..from + body.len();
        let code = fenced || fence || body.starts_with('>') || body.starts_with('<');
        fenced ^= fence;
        let (shape, skip) = if code { (Shape::Code, 0) } else { shape(body) };
        let above = pieces.last().filter(|last| last.line + 1 == number);
        let below = above.is_some_and(|last| matches!(last.shape, Shape::LeadIn | Shape::Item));
        let shape = if below && shape == Shape::Sentence && is_labelled(body) {
            Shape::Item
        } else {
            shape
        };
        let inner = bytes.start + skip..bytes.end;
        let piece = |bytes: Range<usize>, inner, shape| Piece {
            bytes,
            inner,
            shape,
            line: number,
        };
        if shape != Shape::Sentence {
            pieces.push(piece(bytes, inner, shape));
            continue;
        }
        let ends = sentence_ends(body);
        let mut at = 0;
        for end in ends {
            let part = body.get(at..end).unwrap_or_default();
            let from = at + (part.len() - part.trim_start().len());
            at = end;
            if part.trim().is_empty() {
                continue;
            }
            let bytes = bytes.start + from..bytes.start + from + part.trim().len();
            let leads = part
                .trim_end_matches(['*', '_', ' '])
                .ends_with([':', '：']);
            let shape = if leads {
                Shape::LeadIn
            } else {
                Shape::Sentence
            };
            pieces.push(piece(bytes.clone(), bytes, shape));
        }
    }
    pieces
}

/// The shape of a line by its first marks, and how many bytes these take.
fn shape(line: &str) -> (Shape, usize) {
    if line.starts_with('#') {
        let marks = line.len() - line.trim_start_matches(['#', ' ']).len();
        return (Shape::Heading, marks);
    }
    if line.starts_with('|') {
        return (Shape::Row, 0);
    }
    for mark in ["- ", "* ", "• ", "– ", "+ ", "· "] {
        if let Some(rest) = line.strip_prefix(mark) {
            let open = rest.strip_prefix("[ ] ");
            let skip = mark.len() + open.map_or(0, |open| rest.len() - open.len());
            return (Shape::Item, skip);
        }
    }
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = line.get(digits..).unwrap_or_default();
    if (1..=2).contains(&digits) && (rest.starts_with(". ") || rest.starts_with(") ")) {
        return (Shape::Item, digits + 2);
    }
    let bold = line.starts_with("**");
    // "**Morning:** slow breakfast" is a line of a list; a bold line alone is a heading.
    if bold && line.trim_end_matches('*').len() < line.len() && line.matches("**").count() == 2 {
        return (Shape::Heading, 0);
    }
    if bold && (line.contains(":**") || line.contains("**:")) {
        return (Shape::Item, 0);
    }
    (Shape::Sentence, 0)
}

/// "Mon: flash cards" below a lead-in is an item without a mark.
fn is_labelled(line: &str) -> bool {
    line.split_once(": ").is_some_and(|(label, rest)| {
        let plain = label
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, ' ' | ','));
        plain && label.split(' ').count() <= LABEL && !rest.trim().is_empty()
    })
}

/// The most words of the label of an item.
const LABEL: usize = 3;

/// The ends of the sentences of a line.
fn sentence_ends(line: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut marks = line.char_indices().peekable();
    while let Some((at, c)) = marks.next() {
        if !matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？') {
            continue;
        }
        let mut end = at + c.len_utf8();
        while let Some((next, c)) = marks.peek().copied() {
            let closes = matches!(
                c,
                '.' | '!' | '?' | '…' | '"' | '\'' | '”' | '’' | '»' | ')' | '*' | '_'
            );
            if !closes {
                break;
            }
            end = next + c.len_utf8();
            marks.next();
        }
        let rest = line.get(end..).unwrap_or_default();
        if !rest.starts_with(char::is_whitespace) && !rest.is_empty() {
            continue;
        }
        let next = rest.trim_start().chars().next();
        let lower = next.is_some_and(char::is_lowercase);
        let before = line.get(..at).unwrap_or_default();
        let word = before.rsplit([' ', '(', '"']).next().unwrap_or_default();
        let short = c == '.'
            && (words::says(Kind::Short, &word.to_lowercase())
                || word.chars().count() == 1 && word.chars().all(char::is_uppercase));
        // A point behind a number stands in it, or ends with it.
        if lower && !matches!(c, '?' | '!') || short && next.is_some() {
            continue;
        }
        ends.push(end);
    }
    if ends.last() != Some(&line.len()) {
        ends.push(line.len());
    }
    ends
}
