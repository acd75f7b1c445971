//! Patterns that the words of a sentence leave possible, kept from search to search.
//!
//! A sentence is searched in many parts, one tier after the other, and most of them fit nothing.
//! What all of its words tell is worked out once for each rule set; what the words of a part admit
//! of that, once for all tiers that ask for that part one after the other. What a pattern needs is
//! looked for once in the sentence, however many parts ask.

use std::ops::Range;

use super::Grammar;
use super::lexicon::ones;
use super::matcher::{Line, count};
use super::need::Present;
use super::rows::{Met, Row};
use super::rules::RuleSet;
use super::sign::Signature;
use super::slot::{Kinds, Slot};
use super::words::Word;

/// The patterns that the words of a sentence leave possible.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    /// Facts that the last sentence tells.
    sentence: Stretch,
    /// Facts that the last part of a long sentence tells.
    part: Stretch,
}

/// Number of rule sets of a grammar.
const SETS: usize = 4;

/// The most words of a sentence that tells enough about a short part of it.
pub(super) const LONG: usize = 64;

impl Marks {
    /// Finds what the words of the sentence around `range` tell, or those of `range`; nothing where
    /// they leave no pattern.
    #[inline]
    pub(super) fn look(
        &mut self,
        (rules, grammar): (&RuleSet, &Grammar),
        line: Line<'_>,
        range: &Range<usize>,
    ) -> Option<&mut Stretch> {
        let inside = line.sentence.start <= range.start && range.end <= line.sentence.end;
        let whole = if inside { line.sentence } else { range };
        let Self { sentence, part } = self;
        if !sentence.covers(range) {
            sentence.go_over_part(grammar, line, whole.clone())?;
        }
        if !sentence.survey(rules, line.words.get(sentence.of.clone())?) {
            return None;
        }
        if sentence.serves(range) {
            return Some(sentence);
        }
        if !part.covers(range) || !part.serves(range) {
            part.go_over_part(grammar, line, range.clone())?;
        }
        part.survey(rules, line.words.get(part.of.clone())?)
            .then_some(part)
    }
}

/// Facts that the words of a stretch tell.
#[derive(Debug, Default)]
pub(super) struct Stretch {
    of: Range<usize>,
    /// Its words, once a need is looked for: in most sentences none is.
    present: Present,
    present_made: bool,
    /// The kinds of its words.
    kinds: Kinds,
    /// By rule set.
    surveys: [Survey; SETS],
}

/// The patterns of one rule set that a part of a stretch may fit.
#[derive(Debug, Default)]
struct Survey {
    /// Set when it is of the stretch as it is now.
    made: bool,
    /// Patterns that are not known to lack anything: the slots of 64 that are not empty, by their
    /// numbers. Of two dozen slots a sentence leaves ten, with a pattern or two in each.
    left: Vec<(usize, u64)>,
    /// The met needs that they were made from.
    met: Vec<Met>,
    /// The part of the stretch that was asked for last.
    part: Range<usize>,
    /// Patterns of `left` that its words admit, by their numbers.
    admitted: Vec<usize>,
}

impl Stretch {
    fn covers(&self, range: &Range<usize>) -> bool {
        self.of.start <= range.start && range.end <= self.of.end && !self.of.is_empty()
    }

    /// Tells whether it says enough about `range`.
    fn serves(&self, range: &Range<usize>) -> bool {
        self.of.len() <= LONG || self.of.len() <= 2 * range.len()
    }

    fn go_over_part(&mut self, grammar: &Grammar, line: Line<'_>, of: Range<usize>) -> Option<()> {
        let words = line.words.get(of.clone())?;
        let ends = |all: &[Range<usize>]| {
            let mut all = all.iter();
            all.any(|one| one.end > of.start && one.end <= of.end)
        };
        let days = Slot::Date.kind().when(ends(line.dates));
        let moments = Slot::Time.kind().when(ends(line.times));
        self.go_over(grammar, words, (of, days.with(moments)));
        Some(())
    }

    /// Goes over to `words`, which are those of `of` and have dates and times as `moments` says.
    pub(super) fn go_over(
        &mut self,
        grammar: &Grammar,
        words: &[Word],
        (of, moments): (Range<usize>, Kinds),
    ) {
        self.of = of;
        self.present_made = false;
        let kinds = words.iter().map(|word| grammar.kinds(word));
        self.kinds = kinds.fold(moments, Kinds::with);
        for survey in &mut self.surveys {
            survey.made = false;
        }
        count(words.len());
    }

    /// Looks at `words`, which are all of it, for the patterns of `rules`; false when no part can
    /// fit any.
    pub(super) fn survey(&mut self, rules: &RuleSet, words: &[Word]) -> bool {
        let Some(survey) = self.surveys.get_mut(rules.number) else {
            return false;
        };
        if !survey.made {
            survey.made = true;
            rules.telling.meet(words, &mut survey.met);
            survey.left.clear();
            let met = survey.met.iter().map(|met| met.both());
            let left = met.zip(rules.filled(self.kinds));
            let left = left.map(|(met, filled)| met & filled).enumerate();
            survey.left.extend(left.filter(|(_, left)| *left != 0));
            survey.part = 0..0;
            survey.admitted.clear();
        }
        !survey.left.is_empty()
    }

    /// Works out which patterns of `rules` the words of `part` admit: those at its edges, how many
    /// they are, and roughly which.
    pub(super) fn admit(
        &mut self,
        (rules, grammar): (&RuleSet, &Grammar),
        line: Line<'_>,
        part: &Range<usize>,
    ) {
        let Some(survey) = self.surveys.get_mut(rules.number) else {
            return;
        };
        if survey.part == *part {
            return;
        }
        survey.part = part.clone();
        survey.admitted.clear();
        let mut signature = None;
        let words = line.words.get(part.clone()).unwrap_or_default();
        let kinds = grammar.edge_kinds(line, part, self.kinds);
        let [first, second, last] = rules.edges(words, kinds);
        for (slot, left) in &survey.left {
            let standing = left & first.slot(*slot) & second.slot(*slot) & last.slot(*slot);
            for bit in ones(standing) {
                let number = slot * 64 + bit;
                let signature = *signature.get_or_insert_with(|| Signature::of(words));
                count(1);
                if rules.admits(number, words.len(), signature) {
                    survey.admitted.push(number);
                }
            }
        }
    }

    /// The number of the pattern at place `at` among those that were admitted.
    pub(super) fn admitted(&self, rules: &RuleSet, at: usize) -> Option<usize> {
        let survey = self.surveys.get(rules.number)?;
        survey.admitted.get(at).copied()
    }

    /// The patterns of `rules` that what begins `range`, a part of it, can begin.
    pub(super) fn begins<'r>(
        &self,
        (rules, grammar): (&'r RuleSet, &Grammar),
        line: Line<'_>,
        range: &Range<usize>,
    ) -> Row<'r> {
        let [first, _] = grammar.edge_kinds(line, range, self.kinds);
        rules.begun_by(line.words.get(range.clone()).unwrap_or_default(), first)
    }

    /// Of the slots of patterns of `rules` that any part of it may fit the one at place `at`, with its
    /// number; once it is surveyed.
    #[inline]
    pub(super) fn left(&self, rules: &RuleSet, at: usize) -> Option<(usize, u64)> {
        let survey = self.surveys.get(rules.number)?;
        survey.left.get(at).copied()
    }

    /// Tells whether it has all of `needs`, those of a pattern: each need is looked for once.
    /// `words` are those of the message.
    pub(super) fn has_needs(&mut self, grammar: &Grammar, words: &[Word], needs: &[u16]) -> bool {
        if !self.present_made {
            self.present_made = true;
            let own = words.get(self.of.clone()).unwrap_or_default();
            self.present.go_over(own);
        }
        self.present.has_all(&grammar.program.needed, needs)
    }
}
