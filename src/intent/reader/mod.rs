//! Reads one message with one grammar: sentences, clauses, what each says.
//!
//! Holds no words of any language: those stand in the grammar files.

mod act;
mod apiece;
mod clauses;
mod join;
mod listed;
mod mend;
mod parting;
mod targets;
mod thought;
mod titles;
mod values;

use std::ops::Range;

use chrono::{NaiveDate, NaiveTime};

use crate::domain::text::{Kind, Text};
use crate::temporal::{self, Found, FoundRepeat, Scan, Unkept};

use super::grammar::{Class, Grammar, Line, Match, Part, RuleSet, Tier};
use super::{Act, AnswerPlaces, Clause, Reading};
use crate::language::lexicon::Lexicon;
use crate::language::matcher::{Finish, Matcher};
use crate::language::words::{Gap, Words};
use clauses::Piece;
pub(crate) use listed::{Stretch, stretches};

/// The words of each sentence and of each line of a list.
pub(crate) fn parts_of(stretches: &[Stretch]) -> Vec<Range<usize>> {
    stretches
        .iter()
        .flat_map(Stretch::ranges)
        .cloned()
        .collect()
}

/// Tells whether a pattern of `grammar` of `tier` may read any of `parts`. A quick look: where the
/// answer is no, [`Reader::read`] says the same.
pub(crate) fn may_read(
    grammar: &Grammar,
    words: &Words,
    parts: &[Range<usize>],
    tier: Tier,
) -> bool {
    let sentences = parts.iter().filter_map(|part| words.list.get(part.clone()));
    grammar.clauses.may_fit(sentences, |head| tier.admits(head))
}

/// A message and the grammar it is read with.
pub(crate) struct Reader<'a> {
    grammar: &'a Grammar,
    lexicon: &'a Lexicon,
    text: &'a Text<'a>,
    words: &'a Words,
    today: NaiveDate,
    found: Vec<Found>,
    dates: Vec<Range<usize>>,
    /// Words about time of which no task can keep all.
    unkept: Vec<(Range<usize>, Unkept)>,
    /// Times of day whose hour is told.
    clock: Vec<(Range<usize>, NaiveTime)>,
    /// Whiles from now, with their seconds.
    whiles: Vec<(Range<usize>, u32)>,
    /// Words that a time slot takes: times of day and repetitions, in order. What stands side by side
    /// is one: "every monday at 9am".
    moments: Vec<Range<usize>>,
    /// Repetitions that a task can have.
    repeats: Vec<(Range<usize>, FoundRepeat)>,
    matcher: Matcher,
    /// The words that are being read: a sentence, or an item of a list.
    sentence: Range<usize>,
    /// Readings of parts of the sentence: a part is asked for more than once.
    pieces: Vec<Piece>,
    understood: bool,
    /// The first clause of the last sentence that orders anything.
    began: usize,
    /// Number of times that a part of the sentence may yet be read anew.
    rereads: usize,
    /// Words that may say what is to stay ("keep the bread"), and what of them names it.
    kept: Option<(Range<usize>, Range<usize>)>,
}

impl<'a> Reader<'a> {
    /// A reader of `text`, whose words are `words`.
    pub(crate) fn new(
        (lexicon, grammar): (&'a Lexicon, &'a Grammar),
        text: &'a Text<'a>,
        words: &'a Words,
        today: NaiveDate,
    ) -> Self {
        let mut scan = temporal::scan(text, today, grammar.lang);
        join_parts_of_day(&mut scan);
        join_first_thing(&mut scan, text);
        let place =
            |tokens: &Range<usize>| words.at_token(tokens.start)..words.at_token(tokens.end);
        let unkept = scan.unkept.iter();
        let unkept: Vec<_> = unkept
            .map(|(tokens, kind)| (place(tokens), *kind))
            .collect();
        let repeats = scan.repeats.iter();
        let repeats: Vec<_> = repeats
            .map(|found| (place(&found.tokens), found.clone()))
            .collect();
        let moments = (unkept.iter())
            .filter(|(_, kind)| !matches!(kind, Unkept::NoDay | Unkept::RepeatEnd))
            .map(|(words, _)| words);
        let moments = moments.chain(repeats.iter().map(|(words, _)| words));
        Self {
            grammar,
            lexicon,
            text,
            words,
            today,
            dates: scan.dates.iter().map(|date| place(&date.tokens)).collect(),
            moments: side_by_side(moments.cloned().collect()),
            clock: (scan.times.iter())
                .map(|(tokens, time)| (place(tokens), time.likely()))
                .collect(),
            whiles: (scan.whiles.iter())
                .map(|(tokens, seconds)| (place(tokens), *seconds))
                .collect(),
            unkept,
            repeats,
            found: scan.dates,
            matcher: Matcher::new(),
            sentence: 0..0,
            pieces: Vec::new(),
            understood: false,
            began: 0,
            rereads: 0,
            kept: None,
        }
    }

    /// Reads the whole message. False when no pattern read any of it.
    pub(crate) fn read(mut self, stretches: &[Stretch]) -> (Reading, bool) {
        // Every other sentence says two things.
        let mut clauses = Vec::with_capacity(stretches.len() * 3 / 2 + 1);
        for stretch in stretches {
            match stretch {
                Stretch::Items(items) => self.listed(items, &mut clauses),
                Stretch::Sentence(words) => self.apart(words.clone(), &mut clauses),
            }
        }
        let mut clauses = join::join(clauses);
        self.refuse_no_days(&mut clauses);
        let reading = Reading {
            lang: self.grammar.lang,
            clauses,
        };
        (reading, self.understood)
    }

    /// Reads words that are a yes or a no and nothing else but manners, and the words that it may have beside.
    pub(crate) fn answers(mut self, places: &AnswerPlaces) -> Option<bool> {
        let kept = AnswerPlaces {
            again: places.kept.clone(),
            ..AnswerPlaces::default()
        };
        let no = self.only_says(Class::No, Class::Yes, &kept);
        let yes = self.only_says(Class::Yes, Class::No, places);
        (yes != no).then_some(yes)
    }

    /// Tells whether the words are phrases of `class`, which `other` takes none of, with nothing but manners
    /// and what may stand beside it between them.
    fn only_says(&mut self, class: Class, other: Class, places: &AnswerPlaces) -> bool {
        let (mut at, end, mut says) = (0, self.words.list.len(), false);
        while at < end {
            let mut longest = |classes: &[Class]| {
                let ends = classes
                    .iter()
                    .filter_map(|class| self.prefix(*class, at..end));
                ends.max().unwrap_or(at)
            };
            let (said, opposed) = (longest(&[class]), longest(&[other]));
            let manners = longest(&[Class::Lead, Class::Tail, Class::Thanks, Class::Vocative]);
            let token = self.words.tokens(at..at + 1).start;
            let points = places.points.iter();
            let points = points.filter(|_| says || !places.again.is_empty());
            let beside = places.again.iter().chain(points);
            let beside = beside.filter(|place| place.start == token);
            let beside = beside.map(|place| self.words.at_token(place.end)).max();
            let next = said.max(manners).max(beside.unwrap_or(at));
            let tokens = self.words.tokens(at..next);
            let hedged =
                |place: &Range<usize>| place.start < tokens.end && tokens.start < place.end;
            if next == at || opposed >= next || said < next && places.against.iter().any(hedged) {
                return false;
            }
            says |= said == next;
            at = next;
        }
        says
    }

    /// "add party on february 30": a day that no month has is told, and no part of a title.
    fn refuse_no_days(&self, clauses: &mut [Clause]) {
        for words in self.unkept(Unkept::NoDay) {
            let place = self.bytes(words.clone());
            let quoted = (self.text.tokens.get(self.words.tokens(words.clone())))
                .is_some_and(|tokens| tokens.iter().any(|token| token.quoted));
            let clause = clauses
                .iter_mut()
                .find(|clause| clause.bytes.start <= place.start && place.end <= clause.bytes.end);
            if let Some(clause) = clause.filter(|clause| !quoted && clause.act.is_one_with_a_day())
            {
                clause.act = Act::NoSuchDay(self.written(words.clone()).to_owned());
            }
        }
    }

    /// The words about time of that kind.
    fn unkept(&self, kind: Unkept) -> impl Iterator<Item = &Range<usize>> {
        let these = self.unkept.iter().filter(move |(_, known)| *known == kind);
        these.map(|(words, _)| words)
    }

    /// The words that are read, and the state of the search in them.
    fn searched(&mut self) -> (Line<'_>, &mut Matcher) {
        let line = Line {
            grammar: self.grammar,
            words: &self.words.list,
            dates: &self.dates,
            times: &self.moments,
            sentence: &self.sentence,
        };
        (line, &mut self.matcher)
    }

    fn find(&mut self, rules: &RuleSet, range: Range<usize>, tier: Tier) -> Option<Match> {
        let (line, matcher) = self.searched();
        Grammar::find(rules, matcher, &line, range, tier)
    }

    /// Tells whether a pattern of `tier` may read that part of `range`, which is one of the
    /// sentence. A quick look: where the answer is no, none reads it.
    fn may_hold(&mut self, range: &Range<usize>, part: Part, tier: Tier) -> bool {
        let (line, matcher) = self.searched();
        let rules = &line.grammar.clauses;
        rules.may_hold(matcher, &line, (range, part), |head| tier.admits(head))
    }

    /// Returns the end of a phrase of `class` when `range` begins with one.
    fn prefix(&mut self, class: Class, range: Range<usize>) -> Option<usize> {
        self.phrase(class, range, Finish::Anywhere)
    }

    /// Tells whether `range` is a phrase of `class`.
    fn whole(&mut self, class: Class, range: Range<usize>) -> bool {
        self.phrase(class, range, Finish::There).is_some()
    }

    fn phrase(&mut self, class: Class, range: Range<usize>, finish: Finish) -> Option<usize> {
        let first = self.words.list.get(range.start)?;
        if range.is_empty() || !self.grammar.leads(class, first.id) {
            return None;
        }
        let start = range.start;
        let (line, matcher) = self.searched();
        let end = line.grammar.starts(class, matcher, &line, range, finish);
        end.filter(|end| *end > start)
    }

    /// Leaves out phrases of `class` at the front.
    fn skip(&mut self, class: Class, mut range: Range<usize>) -> Range<usize> {
        while let Some(end) = self.prefix(class, range.clone()) {
            range.start = end;
        }
        range
    }

    /// Leaves out phrases of `class` at the end, but never everything.
    fn trim(&mut self, class: Class, mut range: Range<usize>) -> Range<usize> {
        // "muchas gracias" is no "muchas" with thanks.
        if self.whole(class, range.clone()) {
            return range;
        }
        while let Some(start) = self.last_phrase(class, range.clone()) {
            range.end = start;
        }
        range
    }

    /// Finds the start of the longest phrase of `class` that ends `range`, if it is not all of it.
    fn last_phrase(&mut self, class: Class, range: Range<usize>) -> Option<usize> {
        let nearest = range.end.saturating_sub(4).max(range.start + 1);
        (nearest..range.end).find(|start| self.whole(class, *start..range.end))
    }

    /// Tells whether the word at `at` is one of `class`.
    fn is(&self, class: Class, at: usize) -> bool {
        self.grammar.is(class, self.words.list.get(at))
    }

    /// The words of `range` as they were written. Quotation marks around all of it are left out,
    /// those around a part of it are not: `watch "Alien"`.
    fn written(&self, range: Range<usize>) -> &'a str {
        let mut tokens = self.words.tokens(range);
        let quote = |at: usize| {
            let token = self.text.tokens.get(at);
            token.is_some_and(|token| token.kind == Kind::Quote)
        };
        let inside = self.text.tokens.get(tokens.clone()).unwrap_or_default();
        let inside = inside.iter().filter(|token| token.kind == Kind::Quote);
        if inside.count() % 2 == 1 {
            let before = tokens.start.checked_sub(1).filter(|at| quote(*at));
            match before {
                Some(before) => tokens.start = before,
                None if quote(tokens.end) => tokens.end += 1,
                None => {}
            }
        }
        let is = |at: usize, sign: &str| self.text.word(at) == sign;
        if is(tokens.end, ")")
            && tokens.clone().any(|at| is(at, "("))
            && !tokens.clone().any(|at| is(at, ")"))
        {
            tokens.end += 1;
        }
        self.text.slice(tokens)
    }

    /// The same, and without an article that an apostrophe ties to the first word.
    fn titled(&self, range: Range<usize>) -> &'a str {
        let written = self.written(range);
        self.untied(written).unwrap_or(written)
    }

    /// The words behind an article that an apostrophe ties to the first of them.
    fn untied<'w>(&self, words: &'w str) -> Option<&'w str> {
        let (tied, rest) = words.split_once(['\'', '’'])?;
        let id = self.lexicon.id(&tied.to_lowercase());
        (self.grammar.has(Class::Elided, id) && !rest.is_empty()).then_some(rest)
    }

    /// The bytes of the words of `range`.
    fn bytes(&self, range: Range<usize>) -> Range<usize> {
        let tokens = self.words.tokens(range);
        self.text.bytes(tokens).unwrap_or_default()
    }

    /// Tells whether a question mark ends `range`.
    fn asks(&self, range: &Range<usize>) -> bool {
        self.words.gap(range.end).has(Gap::QUESTION)
    }

    fn clause(&self, range: Range<usize>, act: Act) -> Clause {
        Clause {
            bytes: self.bytes(range),
            act,
            notes: Vec::new(),
        }
    }
}

/// "tomorrow night" is one phrase for a day, as "tonight" is.
fn join_parts_of_day(scan: &mut Scan) {
    let Scan { dates, unkept, .. } = scan;
    unkept.retain(|(part, kind)| {
        let before = |date: &&mut Found| date.tokens.end == part.start;
        let date = (*kind == Unkept::PartOfDay)
            .then(|| dates.iter_mut().find(before))
            .flatten();
        date.is_none_or(|date| {
            date.tokens.end = part.end;
            false
        })
    });
}

/// "first thing tomorrow" and "tomorrow first thing" are one phrase for a day as well.
fn join_first_thing(scan: &mut Scan, text: &Text<'_>) {
    let says = |at: usize| text.word(at) == "first" && text.word(at + 1) == "thing";
    for date in &mut scan.dates {
        let Range { start, end } = date.tokens;
        if start >= 2 && says(start - 2) {
            date.tokens.start = start - 2;
        }
        if says(end) {
            date.tokens.end = end + 2;
        }
    }
}

/// Puts ranges in order, and joins those that touch.
fn side_by_side(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| range.start);
    ranges.dedup_by(|next, last| {
        let touch = next.start <= last.end;
        if touch {
            last.end = last.end.max(next.end);
        }
        touch
    });
    ranges
}

/// Tells whether `inner` lies within `outer`.
fn within(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end && !inner.is_empty()
}
