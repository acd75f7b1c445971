//! Decides whether a sentence is cut between two of its pieces.

use std::ops::Range;

use crate::intent::grammar::{Class, Flags, Head, HeadKind, Match, Tier};
use crate::intent::{Act, Clause, Verb};
use crate::language::slot::Slot;

use super::Reader;
use super::clauses::Piece;

/// A place where a new clause may begin.
pub(super) struct Cut {
    /// End of the clause before it.
    pub(super) end: usize,
    /// Beginning of the new one.
    pub(super) start: usize,
    /// A comma stands there.
    pub(super) comma: bool,
    /// A colon stands there: "add task: …".
    pub(super) colon: bool,
    /// Set when what is left out begins there: "except …".
    pub(super) without: bool,
    /// A bare "and" or comma, as within a title.
    pub(super) plain: bool,
    /// Set when what follows begins as only sentences do.
    pub(super) said: bool,
    /// No clause begins with its first word.
    pub(super) short: bool,
    /// Nothing reads all of the sentence.
    pub(super) open: bool,
}

impl Cut {
    /// Before a word that begins a clause by itself: "except".
    pub(super) fn at(place: usize) -> Self {
        Self {
            end: place,
            start: place,
            comma: false,
            colon: false,
            without: true,
            plain: false,
            said: false,
            short: false,
            open: false,
        }
    }

    /// Tells whether what follows may go on from what stands before, though no pattern reads it.
    pub(super) const fn goes_on(&self) -> bool {
        self.comma && self.end < self.start || self.short
    }
}

/// Tells whether a sentence may be cut before what `right` reads, whatever stands before it.
pub(super) fn may_part(right: Head, cut: &Cut) -> bool {
    // What takes back or puts in doubt is no clause of its own.
    let own = right.kind != HeadKind::Doubt && !right.flags.has(Flags::BACK);
    own && (!cut.without || right.kind == HeadKind::Except)
}

/// Tells whether a sentence is cut between two pieces.
fn parts(
    left: Option<&(Match, Range<usize>)>,
    right: Option<&(Match, Range<usize>)>,
    cut: &Cut,
) -> bool {
    let Some((right, _)) = right else {
        return false;
    };
    if !may_part(right.head, cut) {
        return false;
    }
    let is = |kind| left.is_some_and(|(left, _)| left.head.kind == kind);
    let changes = left.is_some_and(|(left, _)| matches!(left.head.kind, HeadKind::Change(_)));
    let weak = right.head.flags.has(Flags::WEAK);
    let loose = right.head.flags.has(Flags::LATE);
    // "…, no wait, don't" takes back what stands before it.
    if cut.comma && right.head.kind == HeadKind::No {
        return true;
    }
    // "…, I mean eggs", "…, friday would be good" mends what stands before it.
    if cut.comma && right.head.kind == HeadKind::Amend && !loose && left.is_some() {
        return true;
    }
    // "mark milk as done, essay too": what goes on from it is of one kind with it.
    if cut.comma && cut.open && right.head.kind == HeadKind::Also && (changes || is(HeadKind::Add))
    {
        return true;
    }
    // "delete milk, I want bread": a wish of its own.
    if cut.comma && cut.said && right.head.kind == HeadKind::Wish {
        return true;
    }
    // "the dentist is on monday, not friday" is read as a whole.
    if !cut.open && right.head.kind == HeadKind::Except && left.is_some_and(|(left, _)| moves(left))
    {
        return false;
    }
    // "delete milk but keep eggs"; "buy eggs and keep the receipt" is one thing to do.
    if weak && matches!(right.head.kind, HeadKind::Not(_)) {
        return changes;
    }
    let command = matches!(
        right.head.kind,
        HeadKind::Add | HeadKind::List | HeadKind::Change(_) | HeadKind::Undo
    );
    if command && loose {
        return false;
    }
    // "add milk and I haven't paid rent": what begins as only a sentence does is no title.
    let adds = is(HeadKind::Add);
    let done = is(HeadKind::Change(Verb::Complete));
    // "finished the essay, still have to pay rent"
    if done && cut.comma && right.head.kind == HeadKind::Wish {
        return true;
    }
    if adds && cut.said && matches!(right.head.kind, HeadKind::Statement { .. } | HeadKind::Wish) {
        return true;
    }
    // "I finished the essay but haven't paid rent", "… and paid rent"
    if matches!(right.head.kind, HeadKind::Statement { .. }) && (cut.comma || !cut.plain || done) {
        return true;
    }
    let remark = matches!(
        right.head.kind,
        HeadKind::Statement { .. }
            | HeadKind::Wish
            | HeadKind::Amend
            | HeadKind::Yes
            | HeadKind::No
            | HeadKind::Social(_)
    );
    let fragment = matches!(
        right.head.kind,
        HeadKind::Also | HeadKind::Pick | HeadKind::DoIt | HeadKind::Again
    );
    let Some((left, _)) = left else {
        return (cut.comma || !weak) && (command || remark);
    };
    // "I didn't mean that, put it back"
    if cut.comma && right.head.kind == HeadKind::Undo && matches!(left.head.kind, HeadKind::Help(_))
    {
        return true;
    }
    match left.head.kind {
        HeadKind::Doubt => cut.comma && command,
        HeadKind::Other if left.head.flags.has(Flags::BACK) => {
            (cut.comma || !weak) && (command || remark)
        }
        HeadKind::Help(_)
        | HeadKind::If(_)
        | HeadKind::Opinion
        | HeadKind::Did(_)
        | HeadKind::Other => !cut.plain && !weak && command,
        HeadKind::Not(_) => cut.comma || !cut.plain || (command && !weak),
        HeadKind::Add if left.head.flags.has(Flags::INF) && cut.plain => command && !weak,
        HeadKind::Add | HeadKind::Change(_) | HeadKind::List | HeadKind::Wish => {
            !remark && !fragment
        }
        _ => true,
    }
}

/// Words that a request has before its order: "do you think you can".
const REQUEST: usize = 6;

impl Reader<'_> {
    /// Tells whether nothing is left of `range` without what is said before a command.
    pub(super) fn only_polite(&mut self, range: Range<usize>) -> bool {
        let rest = self.skip(Class::Lead, range);
        self.skip(Class::Request, rest).is_empty()
    }

    /// Tells whether the sentence is cut between `left` and `next`.
    pub(super) fn is_cut(&mut self, left: &Piece, next: &Piece, cut: &Cut) -> bool {
        // "I wish I finished the essay and paid rent": neither is so.
        let told = |head: Head| matches!(head.kind, HeadKind::Statement { .. });
        let along = cut.plain && !cut.comma && next.read().is_some_and(told);
        if along && self.is_unreal(left.range.clone()) {
            return false;
        }
        let rest = next.range.start.min(cut.end)..self.sentence.end;
        !self.notes_it(left, rest) && parts(left.read.as_ref(), next.read.as_ref(), cut)
    }

    /// "roti delete karo aur paneer add karo": two orders, the first of which ends in its verb.
    pub(super) fn closes_with_its_verb(
        &mut self,
        first: Range<usize>,
        second: Range<usize>,
    ) -> bool {
        let left = self.piece(first);
        let Some((found, words)) = left.read.as_ref().filter(|_| left.is_order()) else {
            return false;
        };
        let named = [Slot::Target, Slot::Content].iter();
        let last = named.filter_map(|slot| found.captures.all(*slot).last());
        let last = last.map(|slot| slot.end).max();
        last.is_some_and(|last| last < words.end) && self.piece(second).is_order()
    }

    /// "add milk, note: two dozen": what is added has the note.
    fn notes_it(&mut self, left: &Piece, range: Range<usize>) -> bool {
        let grammar = self.grammar;
        let first = self.words.list.get(range.start);
        left.read().is_some_and(|head| head.kind == HeadKind::Add)
            && first.is_some_and(|word| grammar.notes.begins(word.id))
            && self.find(&grammar.notes, range, Tier::All).is_some()
    }

    /// Tells whether the words of `range` say that what they tell is not so, or not yet.
    fn is_unreal(&self, range: Range<usize>) -> bool {
        range.into_iter().any(|at| self.is(Class::Unreal, at))
    }

    /// Tells whether an order that begins at word `at` is asked for in so many words, behind what
    /// was done or ordered: "bought the milk, can you tick it off?"
    pub(super) fn is_requested(&mut self, at: usize, before: &[Clause]) -> bool {
        let done = |clause: &Clause| matches!(clause.act, Act::Statement(_) | Act::Change(_));
        if !before.last().is_some_and(done) {
            return false;
        }
        (2..=REQUEST.min(at)).any(|count| {
            let words = at - count..at;
            self.prefix(Class::Request, words.clone()) == Some(words.end)
        })
    }
}

/// Tells whether a match gives a task a day.
fn moves(found: &Match) -> bool {
    found.head.kind == HeadKind::Change(Verb::Update) && found.captures.first(Slot::Date).is_some()
}
