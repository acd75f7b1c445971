//! Cuts a sentence into clauses, and finds the pattern that reads each.
//!
//! A comma or an "and" ends a clause only where what follows reads as one; else it
//! belongs to a title.

use std::ops::Range;

use crate::intent::grammar::{Class, Flags, Head, HeadKind, Match, Part, Tier};
use crate::intent::{Act, Clause, Fragment, Social};
use crate::language::slot::Slot;
use crate::language::words::Gap;

use super::Reader;
use super::parting::{Cut, may_part};
use super::thought::{Thought, asked_about};

/// Largest number of cuts of one sentence; whoever writes more at once is asked to repeat it.
const CUTS: usize = 24;

/// Number of times that a part of a sentence may be read anew, for what is said behind it.
const REREADS: usize = 4;

/// The longest end of a sentence, in words, that may go on from it whatever its first word is.
const SHORT: usize = 4;

/// The longest bare noun, in words.
const NOUN: usize = 7;

/// A stretch of words and what reads it.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub(super) range: Range<usize>,
    pub(super) read: Option<(Match, Range<usize>)>,
}

impl Piece {
    /// A pattern reads it that is no last resort.
    pub(super) fn is_firm(&self) -> bool {
        self.read.is_some() && !self.is_loose()
    }

    /// Tells whether it asks for something to be added or changed.
    pub(super) fn is_command(&self) -> bool {
        self.is_firm() && matches!(self.kind(), Some(HeadKind::Add | HeadKind::Change(_)))
    }

    fn kind(&self) -> Option<HeadKind> {
        self.read.as_ref().map(|(found, _)| found.head.kind)
    }

    /// Tells whether it would change something.
    pub(super) fn is_order(&self) -> bool {
        let orders = |kind| matches!(kind, HeadKind::Add | HeadKind::Change(_) | HeadKind::Undo);
        self.kind().is_some_and(orders)
    }

    /// Returns the meaning of the pattern that reads it.
    pub(super) fn read(&self) -> Option<Head> {
        self.read.as_ref().map(|(found, _)| found.head)
    }

    /// The words for what an order is about.
    pub(super) fn about(&self) -> Option<Range<usize>> {
        let (found, _) = self.read.as_ref().filter(|_| self.is_order())?;
        let target = found.captures.first(Slot::Target);
        target.or_else(|| found.captures.first(Slot::Content))
    }

    /// The words for what is wished for.
    pub(super) fn wished(&self) -> Option<Range<usize>> {
        let (found, _) = self.read.as_ref()?;
        found
            .captures
            .first(Slot::Content)
            .filter(|words| !words.is_empty())
    }

    /// Says why something is done, and nothing by itself.
    fn is_remark(&self) -> bool {
        let head = self.read();
        head.is_some_and(|head| head.kind == HeadKind::Other && head.flags.has(Flags::BACK))
    }

    /// Tells whether it asks for a change of a task.
    pub(super) fn is_change(&self) -> bool {
        matches!(self.kind(), Some(HeadKind::Change(_)))
    }

    /// Tells whether its pattern's capture begins at word `at`: the colon before it is its own.
    fn goes_on_at(&self, at: usize) -> bool {
        const TOLD: [Slot; 3] = [Slot::Content, Slot::Note, Slot::New];
        self.read.as_ref().is_some_and(|(found, _)| {
            let told = TOLD.iter().filter_map(|slot| found.captures.first(*slot));
            told.into_iter().any(|words| words.start == at)
        })
    }

    /// Only a pattern of last resort reads it.
    fn is_loose(&self) -> bool {
        let wish = self.kind() == Some(HeadKind::Wish);
        !wish && self.read().is_some_and(|head| head.flags.has(Flags::LATE))
    }
}

impl Reader<'_> {
    /// Reads a sentence or a line of a list by itself.
    pub(super) fn apart(&mut self, words: Range<usize>, out: &mut Vec<Clause>) {
        self.sentence = words.clone();
        self.pieces.clear();
        self.rereads = REREADS;
        let began = out.len();
        self.sentence(words, out);
        if out.len() > began {
            self.began = began;
        }
    }

    /// Reads one sentence.
    pub(super) fn sentence(&mut self, range: Range<usize>, out: &mut Vec<Clause>) {
        if let Some(at) = self.second_thought(&range) {
            self.sentence(range.start..at, out);
            // "scratch that, eggs" would scratch eggs.
            let no = self.prefix(Class::No, at..range.end);
            let said = no.filter(|end| self.words.gap(*end).has(Gap::COMMA));
            let rest = match said {
                Some(end) if self.piece(at..range.end).is_order() => {
                    out.push(self.clause(at..end, Act::No));
                    end
                }
                _ => at,
            };
            self.sentence(rest..range.end, out);
            return;
        }
        if let Some(mended) = self.mended(&range) {
            self.sentence(range.start..mended.end, out);
            out.push(self.clause(mended.end..mended.start, Act::No));
            self.sentence(mended.start..range.end, out);
            return;
        }
        if self.reads_otherwise(&range, out) {
            return;
        }
        let rest = self.skip(Class::Lead, range.clone());
        // "look for …" begins like "look, …": a pattern for all of it comes first.
        let led = rest.start > range.start && !rest.is_empty();
        let whole =
            !led || !self.piece(rest.clone()).is_firm() && self.piece(range.clone()).is_firm();
        let body = if whole { range } else { rest };
        let whole = self.answer(body, out);
        let Range { mut start, end } = whole.range;
        // The words of politeness at the end are no clause of their own.
        let spoken = self.trim(Class::Tail, whole.range.clone());
        let cuts = self.cuts(&spoken);
        let mut current = whole;
        let mut doubted = None;
        for (index, cut) in cuts.iter().enumerate() {
            let until = cuts.get(index + 1).map_or(end, |next| next.end);
            let mut begins = cut.start;
            let mut next = self.piece(cut.start..until);
            // What no pattern reads goes on from an order alone.
            let follows = match next.read() {
                Some(head) => may_part(head, cut) || cut.colon && next.is_change(),
                None => cut.goes_on() && self.may_hold(&(start..cut.end), Part::Any, Tier::Orders),
            };
            if !follows {
                continue;
            }
            let left = self.piece(start..cut.end);
            // "…, also eggs", "…, sorry, wednesday"
            if next.read.is_none() && left.is_order() {
                begins = cut.end;
                next = self.piece(cut.end..until);
                if next.read.is_none() {
                    begins = self.skip(Class::Lead, cut.end..until).start;
                    next = self.piece(begins..until);
                }
            }
            let told =
                |head: Head| matches!(head.kind, HeadKind::Also | HeadKind::Statement { .. });
            let dated = self.dates.iter().any(|date| date.start == cut.start);
            let amends = |head: Head| head.kind == HeadKind::Amend && dated;
            let may = |head: Head| !cut.short || begins < cut.start || told(head) || amends(head);
            let polite = left.read.is_none() && self.only_polite(left.range.clone());
            if polite || !next.read().is_some_and(may) {
                continue;
            }
            if cut.colon && next.is_change() && self.names_list(&left) {
                return self.listed_below(&left, start..end, cut.start, out);
            }
            // A pattern for all of it is worth more than a loose one for its first part, or none:
            // "mark A and Call mom as done" is not cut before the "Call" of a title.
            let firm = current.range == (start..end) && current.is_firm();
            let loose = firm && (left.is_loose() || left.read.is_none());
            // "add to the report: remove the last line"
            if firm && cut.colon && current.goes_on_at(cut.end) {
                continue;
            }
            let cut = Cut {
                open: !current.is_firm(),
                ..*cut
            };
            if !loose && self.is_cut(&left, &next, &cut) {
                let told = self.is_told(&left, cut.end, &next);
                // "because mom is away, …"
                let led = self.prefix(Class::Afterthought, left.range.clone());
                if led.is_none() || !left.is_remark() {
                    self.emit(left, out);
                }
                doubted = doubted.or(told.then_some((out.len(), start..cut.start)));
                start = begins;
                current = next;
            }
        }
        let mut last = if current.range == (start..end) {
            current
        } else {
            self.piece(start..end)
        };
        // "find pay rent" is ours only where something is to be done with it, or a title has it.
        let soft = last
            .read
            .take_if(|(found, _)| found.head.flags.has(Flags::SOFT));
        let range = last.range.clone();
        self.emit(last, out);
        if let Some((found, words)) = soft
            && let Some(clause) = out.pop_if(|clause| clause.act == Act::Other)
        {
            let act = self.act(&found, words, range);
            out.push(Clause {
                bytes: clause.bytes,
                ..act
            });
        }
        if let Some((from, words)) = doubted {
            self.think_again(Thought::Doubt, from, words, out);
        }
    }

    /// Tells whether `piece` names a list and asks nothing: "todo", "my shopping list".
    fn names_list(&self, piece: &Piece) -> bool {
        let Some((found, words)) = &piece.read else {
            return false;
        };
        let name = found.captures.first(Slot::Name).unwrap_or_default();
        let bare = |at: usize| {
            name.contains(&at) || self.is(Class::PlainList, at) || self.is(Class::ListWord, at)
        };
        found.head.kind == HeadKind::List && words.clone().all(bare)
    }

    /// "todo: cancel the lease": what stands under the name of a list is what is to be done, in
    /// whatever words. `head` names the list, its content begins at word `start`.
    fn listed_below(
        &mut self,
        head: &Piece,
        range: Range<usize>,
        start: usize,
        out: &mut Vec<Clause>,
    ) {
        let content = self.trim(Class::Tail, start..range.end);
        let addition = self.addition(content);
        let mut clause = self.clause(range.clone(), Act::Add(addition));
        if let Some((found, words)) = &head.read {
            clause.notes = self.act(found, words.clone(), range.clone()).notes;
        }
        clause.notes.extend(self.time_notes(&range));
        self.understood = true;
        out.push(clause);
    }

    /// Finds where a command is taken back or mended: "delete milk, no wait, eggs",
    /// "…, no, tuesday".
    fn second_thought(&mut self, range: &Range<usize>) -> Option<usize> {
        let mut looks = CUTS;
        let words = self.words.list.get(range.start + 1..range.end)?;
        let commas = (range.start + 1..).zip(words);
        for (at, _) in commas.filter(|(_, word)| word.gap.has(Gap::COMMA)) {
            let Some(end) = self.prefix(Class::No, at..range.end) else {
                continue;
            };
            // What came before is read anew at every no.
            looks = looks.checked_sub(1)?;
            let rest = self.skip(Class::Lead, end..range.end);
            let apart = (end..=rest.start).any(|at| self.words.gap(at).has(Gap::COMMA));
            let goes_on = apart || self.bare_value(&rest).is_some();
            if goes_on && !rest.is_empty() && self.piece(range.start..at).is_command() {
                return Some(at);
            }
        }
        None
    }

    /// "salam, doodh add karo": what is said before a comma and an order greets, and is no part of it.
    fn greeted(&mut self, range: &Range<usize>) -> Option<usize> {
        let end = self.prefix(Class::Hello, range.clone())?;
        let apart = end < range.end && self.words.gap(end).has(Gap::COMMA);
        (apart && self.piece(end..range.end).is_order()).then_some(end)
    }

    /// Takes "yes", "no" or "thanks" off the front, where something follows it; gives the rest.
    fn answer(&mut self, body: Range<usize>, out: &mut Vec<Clause>) -> Piece {
        let mut whole = self.piece(body);
        if out.is_empty()
            && let Some((found, range)) = whole.read.take_if(|(found, _)| Self::only_follows(found))
        {
            self.kept = found.captures.first(Slot::Target).map(|kept| (range, kept));
        }
        let greeted = self.greeted(&whole.range);
        if whole.read.is_some() && greeted.is_none() {
            return whole;
        }
        let body = whole.range.clone();
        for class in [Class::Yes, Class::No, Class::Thanks, Class::Hello] {
            let Some(end) = self.prefix(class, body.clone()) else {
                continue;
            };
            let rest = self.skip(Class::Lead, end..body.end);
            if rest.is_empty() {
                continue;
            }
            let comma = Gap::COMMA.with(Gap::COLON);
            // "no wait, tuesday": what is said before a sentence stands between.
            let apart = (end..=rest.start).any(|at| self.words.gap(at).has(comma));
            let piece = self.piece(rest);
            let denied = class == Class::No && !apart && !self.only_answers(&body, end);
            if denied && piece.is_order() {
                continue;
            }
            if apart || piece.read.is_some() || self.bare_value(&piece.range).is_some() {
                let act = match class {
                    Class::Yes => Act::Yes,
                    Class::No => Act::No,
                    Class::Thanks => Act::Social(Social::Thanks),
                    _ => Act::Social(Social::Greeting),
                };
                out.push(self.clause(body.start..end, act));
                return piece;
            }
        }
        whole
    }

    /// Tells whether the words of `body` up to `end` are a no that can't deny a verb behind it.
    pub(super) fn only_answers(&mut self, body: &Range<usize>, end: usize) -> bool {
        self.prefix(Class::PlainNo, body.start..end) == Some(end)
    }

    pub(super) fn piece(&mut self, range: Range<usize>) -> Piece {
        let mut known = self.pieces.iter();
        if let Some(piece) = known.find(|piece| piece.range == range) {
            return piece.clone();
        }
        let piece = Piece {
            read: self.matched(range.clone()),
            range,
        };
        self.pieces.push(piece.clone());
        piece
    }

    /// The pattern that reads `range`, and the words it was fitted to.
    fn matched(&mut self, range: Range<usize>) -> Option<(Match, Range<usize>)> {
        let polite = self.trim(Class::Tail, range);
        if self.is_chore(&polite) {
            return None;
        }
        let spoken = self.without_fillers(polite.clone());
        if spoken != polite
            && let Some(found) = self.fit(spoken)
            && matches!(found.0.head.kind, HeadKind::Add | HeadKind::Change(_))
        {
            return Some(found);
        }
        if let Some(found) = self.fit(polite.clone()) {
            return Some(found);
        }
        let short = self.trim(Class::Late, polite.clone());
        if short != polite
            && let Some(found) = self.fit(short)
        {
            return Some(found);
        }
        let grammar = self.grammar;
        let found = self.find(&grammar.clauses, polite.clone(), Tier::Late)?;
        Some((found, polite))
    }

    /// Leaves out what a comma sets apart at the end and says nothing: "add eggs, finally". What is a
    /// value stays: "add eggs, asap".
    fn without_fillers(&mut self, mut range: Range<usize>) -> Range<usize> {
        let grammar = self.grammar;
        loop {
            let nearest = range.end.saturating_sub(4).max(range.start + 1);
            let mut last = (nearest..range.end).rev();
            let Some(at) = last.find(|at| self.words.gap(*at).has(Gap::COMMA)) else {
                return range;
            };
            let words = at..range.end;
            if !self.is_filler(words.clone())
                || self.find(&grammar.attributes, words, Tier::All).is_some()
            {
                return range;
            }
            range = self.trim(Class::Tail, range.start..at);
        }
    }

    /// Tells whether these words are said beside something, and nothing by themselves.
    fn is_filler(&mut self, words: Range<usize>) -> bool {
        let mut classes = [Class::Lead, Class::Late, Class::Request].into_iter();
        classes.any(|class| self.whole(class, words.clone()))
    }

    /// Tells whether these words between two things mean nothing: "bread, oh and butter".
    pub(super) fn is_sigh(&mut self, words: Range<usize>) -> bool {
        let late = self.whole(Class::Late, words.clone());
        self.is_filler(words.clone()) && (!late || self.whole(Class::Mend, words))
    }

    /// "take the bins out on friday" is a thing to do; "take the bins off" is none.
    fn is_chore(&mut self, range: &Range<usize>) -> bool {
        let Some(end) = self.prefix(Class::Chore, range.clone()) else {
            return false;
        };
        let rest = end..range.end;
        let apart = self.words.gap(end).has(Gap::COMMA) || self.is(Class::And, end);
        rest.is_empty() || apart || self.bare_value(&rest).is_some()
    }

    /// Tells whether this may only follow a command: "keep the milk" alone is a thing to do.
    fn only_follows(read: &Match) -> bool {
        read.head.flags.has(Flags::WEAK) && matches!(read.head.kind, HeadKind::Not(_))
    }

    /// Tries the words as they are, then without each polite or joining phrase at their front.
    fn fit(&mut self, mut range: Range<usize>) -> Option<(Match, Range<usize>)> {
        let grammar = self.grammar;
        let mut tier = Tier::Firm;
        loop {
            if let Some(found) = self.find(&grammar.clauses, range.clone(), tier) {
                return Some((found, range));
            }
            let wish = self.prefix(Class::Wishing, range.clone());
            if let Some(start) = wish {
                if self.is_chore(&(start..range.end)) {
                    return None;
                }
                tier = Tier::Strong;
            }
            range.start = wish.or_else(|| self.prefix(Class::Request, range.clone()))?;
        }
    }

    /// The places where another clause may begin.
    fn cuts(&mut self, range: &Range<usize>) -> Vec<Cut> {
        let mut cuts = Vec::new();
        // The "and" of "go ahead and …" joins nothing.
        let polite = self.prefix(Class::Request, range.clone());
        let polite = polite.filter(|end| end - range.start > 1);
        let mut at = polite.unwrap_or(range.start) + 1;
        while at < range.end && cuts.len() < CUTS {
            at += self.plain_words(at..range.end);
            if at == range.end {
                break;
            }
            let comma = self.words.gap(at).has(Gap::COMMA.with(Gap::COLON));
            if self.is(Class::Without, at) {
                cuts.push(Cut::at(at));
            }
            if !comma && !self.is(Class::And, at) {
                at += 1;
                continue;
            }
            let joint = self.skip(Class::And, at..range.end);
            let rest = self.skip(Class::Lead, joint);
            let start = self.skip(Class::Request, rest).start;
            let first = self.words.list.get(start).filter(|_| start < range.end);
            let begins = first.is_some_and(|word| self.grammar.clauses.begins(word.id));
            let begins = begins
                || self.grammar.lang.habits().ends_in_verb
                    && self.closes_with_its_verb(range.start..at, start..range.end);
            // "…, essay too", "…, essay's done"
            let token = first.map(|word| self.text.word(word.token as usize));
            let short =
                comma && token.is_some_and(|word| range.end - at <= SHORT || word.ends_with("'s"));
            if begins || short || self.dates.iter().any(|date| date.start == start) {
                cuts.push(Cut {
                    end: at,
                    start,
                    comma,
                    colon: self.words.gap(at).has(Gap::COLON),
                    without: false,
                    plain: start - at <= 1 && !self.is(Class::Apart, at),
                    said: self.is(Class::Sentence, start),
                    short: !begins,
                    open: false,
                });
            }
            at = start.max(at + 1);
        }
        cuts
    }

    /// Counts the words at the front of `range` that have no sign of a cut before and are none.
    fn plain_words(&self, range: Range<usize>) -> usize {
        let words = self.words.list.get(range).unwrap_or_default();
        let signs = Class::Without.bit() | Class::And.bit();
        let comma = Gap::COMMA.with(Gap::COLON);
        let plain = words
            .iter()
            .take_while(|word| !word.gap.has(comma) && self.grammar.classes(word.id) & signs == 0);
        plain.count()
    }

    fn emit(&mut self, piece: Piece, out: &mut Vec<Clause>) {
        let clause = match piece.read {
            Some((found, range)) => {
                self.understood |= found.head.kind.stands_alone();
                // "delete milk?": whether it is to be deleted is asked of us as well.
                let first = self.is(Class::Sentence, range.start);
                let asked = range == piece.range && !first && self.asks(&range);
                let asked = asked && !self.is_requested(range.start, out);
                let mut clause = self.act(&found, range, piece.range);
                if asked && matches!(clause.act, Act::Add(_) | Act::Change(_)) {
                    let act = std::mem::replace(&mut clause.act, Act::Other);
                    clause.act = asked_about(act);
                }
                clause
            }
            None => self.bare(piece.range, out),
        };
        out.push(clause);
    }

    /// Makes a clause of what no pattern reads: a date or a time alone, a noun, or anything else.
    fn bare(&mut self, range: Range<usize>, before: &[Clause]) -> Clause {
        let polite = self.trim(Class::Tail, range.clone());
        let start = self.skip(Class::And, polite.clone()).start;
        if start > polite.start && start < polite.end {
            let words = start..polite.end;
            let fragment = Fragment::Also {
                words: self.written(words.clone()).to_owned(),
                due: self.only_date(&words),
                question: self.asks(&range),
            };
            return self.clause(range, Act::Fragment(fragment));
        }
        if let Some(fragment) = self.bare_value(&polite) {
            return self.clause(range, Act::Fragment(fragment));
        }
        // "hmm", "well": said before a sentence that never came.
        let said = !self.skip(Class::Lead, polite.clone()).is_empty();
        if !said || !self.names(&polite) {
            return self.clause(range, Act::Other);
        }
        if self.asks(&range) {
            let fragment = Fragment::Also {
                words: self.written(polite).to_owned(),
                due: None,
                question: true,
            };
            return self.clause(range, Act::Fragment(fragment));
        }
        let task = self.task(polite.clone());
        if let Some((_, kept)) = self.kept.take().filter(|(range, _)| *range == polite) {
            let targets = self.targets(kept).parts;
            return self.clause(range, Act::Fragment(Fragment::Keep { targets, task }));
        }
        let act = if matches!(before.last(), Some(Clause { act: Act::No, .. })) {
            Act::Fragment(Fragment::Amend {
                due: task.due,
                days: None,
                time_of_day: None,
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

    /// Tells whether the words look like the title of a task, or like several things to do: few,
    /// and none that only sentences have.
    fn names(&mut self, range: &Range<usize>) -> bool {
        let says = |at: usize| self.is(Class::Sentence, at);
        if self.is(Class::Foreign, range.start) || range.clone().any(says) {
            return false;
        }
        range.len() <= NOUN
            || self.joined(range.clone()).iter().all(|piece| {
                // Several things to do.
                piece.len() <= NOUN && self.is(Class::Doing, piece.start)
            })
    }
}
