//! Words that take back or put in doubt what is said beside them: "delete milk, wait", "delete milk
//! if mom agrees", "mom: delete milk".
//!
//! Where it is taken back nothing is left to do. A doubt, a condition that the user has to judge and
//! the words of somebody else leave a question: what was an order is asked about.

use std::ops::Range;

use crate::intent::grammar::{Class, Flags, HeadKind, Part, Tier};
use crate::intent::{Act, Clause, Target};
use crate::language::words::Gap;

use super::Reader;
use super::clauses::Piece;

/// Number of places of a sentence that are looked at.
const LOOKS: usize = 6;

/// Signs that part the words behind them from those before: a comma, a colon, a dash or a
/// parenthesis.
const APART: Gap = Gap::COMMA.with(Gap::COLON).with(Gap::PAREN);

/// Words that may stand before what takes back: "no, wait", "thanks, but not yet".
const OPENINGS: [Class; 4] = [Class::And, Class::Lead, Class::No, Class::Thanks];

/// Effect of a thought on the orders beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Thought {
    /// The orders are taken back.
    Back,
    /// The orders are asked about.
    Doubt,
    /// The same, where they stand in one sentence with it.
    Condition,
    /// The orders stand: the thought is why, or a condition that is met.
    Aside,
}

/// Words that go on behind what takes back: where these end and those begin.
pub(super) struct Mended {
    /// End of what is taken back.
    pub end: usize,
    /// Beginning of what is said instead.
    pub start: usize,
}

impl Reader<'_> {
    /// Reads a sentence that is not what it seems to be at its front, or that says one thing of several
    /// tasks. False when it is no such sentence; then nothing was read.
    pub(super) fn reads_otherwise(&mut self, range: &Range<usize>, out: &mut Vec<Clause>) -> bool {
        self.thought_better(range, out)
            || self.doubts_first(range, out)
            || self.depends_first(range, out)
            || self.moves_each(range, out)
    }

    /// Reads "if it rains tomorrow move the essay to friday", where no sign parts the condition from
    /// the order.
    fn depends_first(&mut self, range: &Range<usize>, out: &mut Vec<Clause>) -> bool {
        let rest = self.skip(Class::Lead, range.clone());
        let Some(end) = self.prefix(Class::Afterthought, rest.clone()) else {
            return false;
        };
        let parted = (rest.start + 1..rest.end).any(|at| self.stands_apart(at));
        let head = self.piece(rest.clone()).read();
        let depends =
            head.is_some_and(|head| head.kind == HeadKind::Doubt && head.flags.has(Flags::LATE));
        if parted || !depends {
            return false;
        }
        let mut looks = LOOKS + 1;
        for at in end + 1..rest.end {
            // "when I finish the essay …": what somebody does is no order.
            let first = self.words.list.get(at).map(|word| word.id);
            let begins = first.is_some_and(|first| self.grammar.clauses.begins(first));
            if !begins || self.is(Class::Sentence, at - 1) {
                continue;
            }
            looks -= 1;
            if looks == 0 {
                return false;
            }
            if !self.piece(at..rest.end).is_command() {
                continue;
            }
            let from = out.len();
            out.push(self.clause(rest.start..at, Act::Other));
            self.sentence(at..rest.end, out);
            return self.think_again(Thought::Doubt, from, rest.start..at, out);
        }
        false
    }

    /// Reads a sentence that is taken back or put in doubt where it ends, or that does so to the one
    /// before it. False when it is no such sentence; then nothing was read.
    fn thought_better(&mut self, range: &Range<usize>, out: &mut Vec<Clause>) -> bool {
        let began = out.get(self.began..).unwrap_or_default();
        let ordered = began.iter().any(|clause| is_ordered(&clause.act));
        // Whether it may do anything to the sentence before it.
        let ordered = ordered && self.may_take_back(range.clone());
        if ordered
            && let Some(thought) = self.thought(range.clone(), true)
            && matches!(thought, Thought::Back | Thought::Doubt)
            && self.think_again(thought, self.began, range.clone(), out)
        {
            return true;
        }
        if ordered && self.hesitates(range, out) {
            return true;
        }
        let mut looks = LOOKS;
        let mut until = range.end;
        while let Some(mut at) = self.last_look(range.start + 1..until) {
            until = at;
            let mut apart = self.stands_apart(at);
            if !apart && self.prefix(Class::Afterthought, at..range.end).is_none() {
                continue;
            }
            // Of a message that is understood already, words without an order tell nothing more; nor
            // do fewer of them.
            let told = self.understood && !out.is_empty() && !ordered;
            if looks == 0 || told && !self.may_hold(&(range.start..at), Part::Any, Tier::Orders) {
                break;
            }
            looks -= 1;
            let Some(thought) = self.thought(at..range.end, apart) else {
                continue;
            };
            // "only if mom agrees"
            while !apart
                && at > range.start + 1
                && self.thought(at - 1..range.end, false) == Some(thought)
            {
                at -= 1;
                apart = self.stands_apart(at);
            }
            let mut end = at;
            while end > range.start + 1 && self.is(Class::And, end - 1) {
                end -= 1;
            }
            let said = range.start..end;
            // "add bread, I always forget it"
            if thought == Thought::Back && !apart && self.is_remark_at(range.start + 1..at) {
                continue;
            }
            let joined = !apart && matches!(thought, Thought::Condition | Thought::Aside);
            if self.asks_otherwise(range) || joined && !self.may_depend(said.clone()) {
                continue;
            }
            // Each time the words before are read anew.
            if !self.may_reread() {
                return false;
            }
            let from = out.len();
            self.sentence(said, out);
            let kept = thought == Thought::Aside && self.belongs_to_title(at..range.end);
            let added = |clause: &Clause| matches!(clause.act, Act::Add(_));
            let titled = kept && out.last().is_some_and(added);
            if !titled && self.think_again(thought, from, at..range.end, out) {
                return true;
            }
            out.truncate(from);
        }
        false
    }

    /// Reads a sentence that begins with a doubt: "maybe delete milk", "yeah right, delete milk". False
    /// when it is no such sentence; then nothing was read.
    fn doubts_first(&mut self, range: &Range<usize>, out: &mut Vec<Clause>) -> bool {
        let rest = self.skip(Class::And, range.clone());
        let rest = self.skip(Class::Lead, rest);
        let mut start = rest.start;
        let mut end = self.prefix(Class::Afterthought, rest.clone());
        // "oh great, …": a sigh may be the front of a doubt.
        if end.is_none() {
            start = range.start;
            end = self.prefix(Class::Afterthought, range.clone());
            end = end.filter(|end| *end > rest.start);
        }
        let Some(end) = end.filter(|end| *end < range.end) else {
            return false;
        };
        // "maybe you could …" is polite.
        let polite = self.prefix(Class::Request, start..range.end);
        if polite.is_some_and(|polite| polite >= end && polite > start + 1) {
            return false;
        }
        let doubt = self.said_back(start..end, true);
        if !matches!(doubt, Some((Thought::Doubt, _))) {
            return false;
        }
        let whole = self.piece(start..range.end);
        // "i think we need eggs on the list": the pattern has the phrase itself.
        let named = whole.about().is_some_and(|words| words.start == start);
        if whole.is_firm() && !named {
            return false;
        }
        if !self.may_reread() {
            return false;
        }
        let from = out.len();
        self.sentence(end..range.end, out);
        // "perhaps delete milk?" is asked already.
        let asked = |clause: &Clause| matches!(clause.act, Act::Hint(_) | Act::Wish(_));
        let asked = out.get(from..).unwrap_or_default().iter().any(asked);
        if self.think_again(Thought::Doubt, from, start..end, out) || asked {
            return true;
        }
        out.truncate(from);
        false
    }

    /// Tells whether a part of the sentence may be read anew once more.
    pub(super) fn may_reread(&mut self) -> bool {
        let left = self.rereads.checked_sub(1);
        self.rereads = left.unwrap_or_default();
        left.is_some()
    }

    /// Tells whether the last words of `range` that a comma sets apart begin as only a sentence
    /// does.
    fn is_remark_at(&self, range: Range<usize>) -> bool {
        let comma = range.rev().find(|at| self.words.gap(*at).has(Gap::COMMA));
        comma.is_some_and(|at| self.is(Class::Sentence, at))
    }

    /// Tells whether the remark of `range` may be the end of a title: "email Sam, he is new".
    fn belongs_to_title(&mut self, range: Range<usize>) -> bool {
        let start = self.skip(Class::And, range.clone()).start;
        let head = self.piece(start..range.end).read();
        head.is_some_and(|head| head.flags.has(Flags::TITLED))
    }

    /// "delete milk. Wait, is that the oat milk?": what is asked takes the command back as well.
    fn hesitates(&mut self, range: &Range<usize>, out: &mut Vec<Clause>) -> bool {
        if !self.asks(range) {
            return false;
        }
        let start = self.skip(Class::And, range.clone()).start;
        let Some(end) = self.prefix(Class::Afterthought, start..range.end) else {
            return false;
        };
        let apart = self.words.gap(end).has(Gap::COMMA.with(Gap::COLON));
        let said = self.said_back(start..end, false);
        let said = said.map(|(thought, _)| thought);
        let back = apart && end < range.end && said == Some(Thought::Back);
        let again = back && self.think_again(Thought::Back, self.began, start..end, out);
        if again {
            self.sentence(end..range.end, out);
        }
        again
    }

    /// Finds where a command is taken back and something else is said: "delete milk, wait, eggs".
    pub(super) fn mended(&mut self, range: &Range<usize>) -> Option<Mended> {
        let mut looks = self.rereads;
        for at in range.start + 1..range.end {
            if !self.stands_apart(at) {
                continue;
            }
            if let Some(start) = self.mending(range.start..at, at..range.end) {
                return Some(Mended { end: at, start });
            }
            let at = self.skip(Class::And, at..range.end).start;
            let Some(end) = self.prefix(Class::Afterthought, at..range.end) else {
                continue;
            };
            let rest = self.skip(Class::Lead, end..range.end);
            if rest.is_empty() || !self.words.gap(end).has(Gap::COMMA.with(Gap::COLON)) {
                continue;
            }
            looks = looks.checked_sub(1)?;
            self.rereads = looks;
            let said = self.said_back(at..end, false);
            let back = said.is_some_and(|(thought, _)| thought == Thought::Back);
            // "delete milk, oh wait, and add bread" goes on.
            let goes_on = self.whole(Class::Lead, at..end) && self.piece(rest.clone()).is_order()
                || self.is(Class::And, rest.start);
            if back && !goes_on && self.piece(range.start..at).is_command() {
                let start = rest.start;
                return Some(Mended { end: at, start });
            }
        }
        None
    }

    /// Finds what the words of `range` do to what stands before them; `apart` tells that a sign
    /// does so too, and then the first of them may be such as any sentence begins with.
    fn thought(&mut self, mut range: Range<usize>, apart: bool) -> Option<Thought> {
        while !range.is_empty() {
            let first = self.words.list.get(range.start)?.id;
            let led = self.grammar.leads(Class::Afterthought, first);
            if led || apart {
                let firm = |said: &(Thought, bool)| apart || said.1;
                if let Some((thought, _)) = self.said_back(range.clone(), apart).filter(firm) {
                    return Some(thought);
                }
            }
            if !apart {
                return None;
            }
            range.start = self.behind_opening(&range)?;
        }
        None
    }

    /// Finds where the words behind one that may stand before what takes back begin.
    fn behind_opening(&mut self, range: &Range<usize>) -> Option<usize> {
        let mut openings = OPENINGS.into_iter();
        openings.find_map(|class| self.prefix(class, range.clone()))
    }

    /// Tells whether what takes back or puts in doubt may begin `range`, behind words such as any
    /// sentence begins with.
    fn may_take_back(&mut self, mut range: Range<usize>) -> bool {
        while self.prefix(Class::Afterthought, range.clone()).is_none() {
            let Some(start) = self.behind_opening(&range) else {
                return false;
            };
            range.start = start;
        }
        true
    }

    /// Tells whether a remark may stand in `range`. Only what is polite is left out at its front.
    fn may_remark(&mut self, range: &Range<usize>) -> bool {
        let first = self.words.list.get(range.start).map(|word| word.id);
        let led = |class: Class| first.is_some_and(|first| self.grammar.leads(class, first));
        let polite = led(Class::Request) || led(Class::Wishing);
        let part = if polite { Part::Any } else { Part::Front };
        self.may_hold(range, part, Tier::Remarks)
    }

    /// Finds what the words of `range` do to what stands before them, and whether no title ends
    /// like this. Where they stand `apart`, any remark does nothing to it: "push it to friday, I'm
    /// busy tomorrow".
    fn said_back(&mut self, range: Range<usize>, apart: bool) -> Option<(Thought, bool)> {
        let polite = [Class::Tail, Class::Late, Class::Request];
        let led = self.prefix(Class::Afterthought, range.clone()).is_some();
        if !(led || apart && self.may_remark(&range)) {
            return None;
        }
        let piece = self.piece(range.clone());
        let head = piece.read();
        let doubt = head.is_some_and(|head| {
            head.kind == HeadKind::Doubt && !head.flags.has(Flags::LATE | Flags::WEAK)
        });
        // "if it isn't too much trouble"
        if led && !doubt {
            if (polite.iter()).any(|class| self.whole(*class, range.clone())) {
                return Some((Thought::Aside, true));
            }
            // "…, if you can, eggs" goes on.
            if (polite.iter()).any(|class| self.goes_on_behind(*class, range.clone())) {
                return None;
            }
        }
        let head = head?;
        let firm = !head.flags.has(Flags::WEAK);
        if !led {
            let weak = head.flags.has(Flags::WEAK);
            let wished = head.kind == HeadKind::Wish && (weak || self.is_about_it(&piece));
            let remark = head.kind == HeadKind::Other && head.flags.has(Flags::BACK);
            return (remark || wished).then_some((Thought::Aside, false));
        }
        match head.kind {
            HeadKind::No if head.flags.has(Flags::BACK) => Some((Thought::Back, firm)),
            HeadKind::Doubt if head.flags.has(Flags::LATE) => Some((Thought::Condition, true)),
            HeadKind::Doubt => Some((Thought::Doubt, firm)),
            HeadKind::Other if head.flags.has(Flags::BACK) => Some((Thought::Aside, firm)),
            // "I take that back": by itself it is said of something older.
            HeadKind::No | HeadKind::Undo | HeadKind::Help(_) | HeadKind::Other => {
                let back = self.whole(Class::Afterthought, range);
                back.then_some((Thought::Back, false))
            }
            _ => None,
        }
    }

    /// Tells whether `range` begins with a phrase of `class` that a comma sets apart from what
    /// follows it.
    fn goes_on_behind(&mut self, class: Class, range: Range<usize>) -> bool {
        let end = self.prefix(class, range.clone());
        end.is_some_and(|end| end < range.end && self.words.gap(end).has(Gap::COMMA))
    }

    /// Tells whether what is wished for is what was just spoken of: "I forgot to buy it".
    fn is_about_it(&mut self, piece: &Piece) -> bool {
        let Some(words) = piece.wished() else {
            return false;
        };
        [words.start, words.end - 1]
            .into_iter()
            .any(|at| matches!(self.target(at..at + 1), Target::It | Target::They { .. }))
    }

    /// Tells whether the words before an order make a question of it: "hypothetically, …", "this is
    /// a test, …", or they say whose it is: "mom: delete milk". What "milk: delete it" is about
    /// stands before it.
    pub(super) fn is_told(&mut self, left: &Piece, at: usize, right: &Piece) -> bool {
        if let Some(head) = left.read() {
            let test = head.kind == HeadKind::No
                && head.flags.has(Flags::BACK)
                && head.flags.has(Flags::WEAK);
            return test || head.kind == HeadKind::Doubt && !head.flags.has(Flags::LATE);
        }
        if !self.signed(at, ":") || !right.is_order() {
            return false;
        }
        let all = right.read().is_some_and(|head| head.flags.has(Flags::ALL));
        right.about().map_or(all, |words| {
            let target = self.target(words);
            !matches!(target, Target::It | Target::They { .. } | Target::Missing)
        })
    }

    /// Tells whether all of it is a question or a remark, whatever its last words are.
    fn asks_otherwise(&mut self, range: &Range<usize>) -> bool {
        let rest = self.skip(Class::Lead, range.clone());
        let whole = self.piece(rest);
        let goes_on = |kind: HeadKind| {
            matches!(
                kind,
                HeadKind::Except
                    | HeadKind::Amend
                    | HeadKind::Also
                    | HeadKind::Pick
                    | HeadKind::Instead
                    | HeadKind::Statement { .. }
            )
        };
        whole.is_firm() && !whole.is_order() && !whole.read().is_some_and(|head| goes_on(head.kind))
    }

    /// Tells whether a condition or a reason behind these words is said of them: what is to be
    /// added may have it in its title, and so may what is quoted ("delete the task meet John when
    /// …").
    fn may_depend(&mut self, words: Range<usize>) -> bool {
        let noun = |at: &usize| self.is(Class::ListWord, *at);
        let titled = words.clone().any(|at| {
            let named = (at + 1..words.end).find(|at| !noun(at));
            self.is(Class::Article, at) && noun(&(at + 1)) && named.is_some()
        });
        let rest = self.skip(Class::Lead, words);
        let order = self.piece(rest);
        !titled && order.is_change() && order.about().is_some()
    }

    /// Tells whether a comma, a colon, a dash or a parenthesis stands before the word `at`.
    fn stands_apart(&self, at: usize) -> bool {
        self.words.gap(at).has(APART)
    }

    /// The last word of `range` before which something stands apart, or with which an afterthought
    /// may begin: of everyday sentences few words do.
    fn last_look(&self, range: Range<usize>) -> Option<usize> {
        let start = range.start;
        let mut words = self.words.list.get(range)?.iter();
        let place = words.rposition(|word| {
            word.gap.has(APART) || self.grammar.leads(Class::Afterthought, word.id)
        });
        place.map(|place| start + place)
    }

    /// Tells whether `sign` stands right before the word `at`.
    pub(super) fn signed(&self, at: usize, sign: &str) -> bool {
        let token = self.words.list.get(at).map(|word| word.token as usize);
        let before = token.and_then(|token| token.checked_sub(1));
        before.is_some_and(|before| self.text.word(before) == sign)
    }

    /// Takes back the orders among the clauses behind `from`, or makes questions of them; `words` say
    /// so. False when there are none.
    pub(super) fn think_again(
        &mut self,
        thought: Thought,
        from: usize,
        words: Range<usize>,
        out: &mut Vec<Clause>,
    ) -> bool {
        let said = out.get_mut(from..).unwrap_or_default();
        if !said.iter().any(|clause| is_ordered(&clause.act)) {
            return false;
        }
        if thought == Thought::Aside {
            return true;
        }
        if thought != Thought::Back {
            for clause in said {
                let act = std::mem::replace(&mut clause.act, Act::Other);
                clause.act = asked_about(act);
            }
            return true;
        }
        let hoped = |act: &Act| is_ordered(act) || matches!(act, Act::Hint(_) | Act::Wish(_));
        let rest = out.split_off(from);
        out.extend(rest.into_iter().filter(|clause| !hoped(&clause.act)));
        out.push(self.clause(words, Act::No));
        true
    }
}

/// Tells whether `act` is an order, or a statement that would be taken as one.
const fn is_ordered(act: &Act) -> bool {
    matches!(
        act,
        Act::Add(_) | Act::Change(_) | Act::Undo | Act::Statement(_)
    )
}

/// Returns what is left of an order that is put in doubt: a question, where one can be asked.
pub(super) fn asked_about(act: Act) -> Act {
    match act {
        Act::Change(change) => Act::Hint(change),
        Act::Add(addition) if !addition.described && !addition.whole.title.is_empty() => {
            Act::Wish(addition.whole)
        }
        Act::Add(_) | Act::Undo | Act::Statement(_) => Act::Other,
        other => other,
    }
}
