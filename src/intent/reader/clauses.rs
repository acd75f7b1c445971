//! Cuts a sentence into clauses, and finds the pattern that reads each.
//!
//! A comma or an "and" ends a clause only where what follows reads as one; else it
//! belongs to a title.

use std::ops::Range;

use crate::intent::grammar::words::Gap;
use crate::intent::grammar::{Flags, Head, Kind, Match};
use crate::intent::{Act, Clause, Fragment};

use super::Reader;

/// How often a sentence is cut at most; whoever writes more at once is asked to repeat it.
const CUTS: usize = 24;

/// A stretch of words and what reads it.
struct Piece {
    range: Range<usize>,
    read: Option<(Match, Range<usize>)>,
}

/// A place where a new clause may begin.
struct Cut {
    /// Where the clause before it ends.
    end: usize,
    /// Where the new one begins.
    start: usize,
    /// A comma stands there.
    comma: bool,
    /// A bare "and" or comma, as within a title.
    plain: bool,
}

impl Reader<'_> {
    /// Reads one sentence.
    pub(super) fn sentence(&mut self, range: Range<usize>, out: &mut Vec<Clause>) {
        if range.is_empty() {
            return;
        }
        let whole = self.skip("lead", range.clone());
        let body = if whole.is_empty() { range } else { whole };
        let rest = self.answer(body, out);
        if rest.is_empty() {
            return;
        }
        let mut current = self.piece(rest.clone());
        let cuts = self.cuts(&rest);
        for (index, cut) in cuts.iter().enumerate() {
            let end = cuts.get(index + 1).map_or(rest.end, |next| next.end);
            let next = self.piece(cut.start..end);
            let left = self.piece(current.range.start..cut.end);
            if parts(left.read.as_ref(), next.read.as_ref(), cut) {
                self.emit(&left, out);
                current = next;
            } else {
                current = self.piece(current.range.start..end);
            }
        }
        self.emit(&current, out);
    }

    /// Takes "yes", "no" or "thanks" off the front, where something follows it.
    fn answer(&mut self, body: Range<usize>, out: &mut Vec<Clause>) -> Range<usize> {
        if self.matched(body.clone()).is_some() {
            return body;
        }
        let words = [
            ("yes", Act::Yes),
            ("no", Act::No),
            ("thanks", Act::Social(crate::intent::Social::Thanks)),
            ("hello", Act::Social(crate::intent::Social::Greeting)),
        ];
        for (class, act) in words {
            let Some(end) = self.prefix(class, body.clone()) else {
                continue;
            };
            let rest = self.skip("lead", end..body.end);
            if rest.is_empty() {
                continue;
            }
            let apart = self.words.gap(end).has(Gap::COMMA.with(Gap::COLON));
            if apart || self.matched(rest.clone()).is_some() {
                out.push(self.clause(body.start..end, act));
                return rest;
            }
        }
        body
    }

    /// Leaves out phrases of the class `name` at the front.
    fn skip(&mut self, name: &str, mut range: Range<usize>) -> Range<usize> {
        while let Some(end) = self.prefix(name, range.clone()) {
            range.start = end;
        }
        range
    }

    /// Leaves out phrases of the class `name` at the end, but never everything.
    pub(super) fn trim(&mut self, name: &str, mut range: Range<usize>) -> Range<usize> {
        'again: loop {
            let nearest = range.end.saturating_sub(4).max(range.start + 1);
            for start in nearest..range.end {
                if self.whole(name, start..range.end) {
                    range.end = start;
                    continue 'again;
                }
            }
            return range;
        }
    }

    fn piece(&mut self, range: Range<usize>) -> Piece {
        Piece {
            read: self.matched(range.clone()),
            range,
        }
    }

    /// The pattern that reads `range`, and the words it was fitted to.
    fn matched(&mut self, range: Range<usize>) -> Option<(Match, Range<usize>)> {
        let polite = self.trim("tail", range.clone());
        self.fit(polite.clone(), false)
            .or_else(|| {
                let short = self.trim("late", polite.clone());
                (short != polite).then(|| self.fit(short, false)).flatten()
            })
            .or_else(|| self.fit(polite, true))
    }

    /// Tries the words as they are, then without each polite or joining phrase at their front.
    fn fit(&mut self, mut range: Range<usize>, late: bool) -> Option<(Match, Range<usize>)> {
        let grammar = self.grammar;
        let mut wishing = false;
        loop {
            let admit = |head: Head| {
                head.flags.has(Flags::LATE) == late && !(wishing && head.flags.has(Flags::WEAK))
            };
            if let Some(found) = self.find(&grammar.clauses, range.clone(), admit) {
                return Some((found, range));
            }
            if late {
                return None;
            }
            let wish = self.prefix("wishing", range.clone());
            wishing |= wish.is_some();
            range.start = wish.or_else(|| self.prefix("request", range.clone()))?;
        }
    }

    /// The places where another clause may begin.
    fn cuts(&mut self, range: &Range<usize>) -> Vec<Cut> {
        let mut cuts = Vec::new();
        let mut at = range.start + 1;
        while at < range.end && cuts.len() < CUTS {
            let comma = self.words.gap(at).has(Gap::COMMA.with(Gap::COLON));
            if !comma && !self.is("and", at) {
                at += 1;
                continue;
            }
            let joint = self.skip("and", at..range.end);
            let rest = self.skip("lead", joint);
            let start = self.skip("request", rest).start;
            let plain = start - at <= 1 && !self.is("apart", at);
            let first = self.words.list.get(start).filter(|_| start < range.end);
            let begins = first.is_some_and(|word| self.grammar.clauses.begins(word.id));
            let dated = self.dates.iter().any(|date| date.start == start);
            if begins || dated {
                cuts.push(Cut {
                    end: at,
                    start,
                    comma,
                    plain,
                });
            }
            at = start.max(at + 1);
        }
        cuts
    }

    fn emit(&mut self, piece: &Piece, out: &mut Vec<Clause>) {
        let clause = match &piece.read {
            Some((found, range)) => self.act(found, range.clone(), piece.range.clone()),
            None => self.bare(piece.range.clone(), out),
        };
        out.push(clause);
    }

    /// What no pattern reads: a date or a time alone, a noun, or anything else.
    fn bare(&mut self, range: Range<usize>, before: &[Clause]) -> Clause {
        let polite = self.trim("tail", range.clone());
        let start = self.skip("and", polite.clone()).start;
        if start > polite.start && start < polite.end {
            let words = start..polite.end;
            let fragment = Fragment::Also {
                words: self.written(words.clone()).to_owned(),
                due: self.only_date(&words),
                question: self.asks(&range),
            };
            return self.clause(range, Act::Fragment(fragment));
        }
        let refused = matches!(before.last(), Some(Clause { act: Act::No, .. }));
        if let Some(fragment) = self.bare_value(&polite) {
            return self.clause(range, Act::Fragment(fragment));
        }
        if !self.names(&range) {
            return self.clause(range, Act::Other);
        }
        let task = self.task(polite);
        let act = if refused {
            Act::Fragment(Fragment::Amend {
                due: task.due,
                time: None,
                words: Some(task.title),
                priority: task.priority,
            })
        } else {
            Act::Noun(task)
        };
        let mut clause = self.clause(range.clone(), act);
        clause.notes = self.time_notes(&range);
        clause
    }

    /// Whether the words look like the title of a task: few, and none that only sentences have.
    fn names(&self, range: &Range<usize>) -> bool {
        let sentence = |at: usize| self.is("sentence", at);
        range.len() <= 7
            && !self.asks(range)
            && !self.is("foreign", range.start)
            && !range.clone().any(sentence)
    }
}

/// Whether a sentence is cut between two pieces.
fn parts(
    left: Option<&(Match, Range<usize>)>,
    right: Option<&(Match, Range<usize>)>,
    cut: &Cut,
) -> bool {
    let Some((right, _)) = right else {
        return false;
    };
    let weak = right.head.flags.has(Flags::WEAK);
    let command = matches!(
        right.head.kind,
        Kind::Add | Kind::List | Kind::Change(_) | Kind::Undo
    );
    let remark = matches!(
        right.head.kind,
        Kind::Statement { .. } | Kind::Wish | Kind::Amend | Kind::Yes | Kind::No | Kind::Social(_)
    );
    let Some((left, _)) = left else {
        return !weak && (command || remark || right.head.kind == Kind::Other);
    };
    match left.head.kind {
        Kind::Help(_) | Kind::If(_) | Kind::Opinion | Kind::Did(_) | Kind::Other => {
            !cut.plain && !weak && command
        }
        Kind::Not(_) => cut.comma || !cut.plain || (command && !weak),
        Kind::Add if left.head.flags.has(Flags::INF) && cut.plain => !weak && !remark,
        Kind::Add | Kind::Change(_) | Kind::List | Kind::Wish => !remark,
        _ => true,
    }
}
