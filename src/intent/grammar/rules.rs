//! Patterns in order, and which of them a clause can fit at all.

use std::ops::Range;

use super::Grammar;
use super::head::Head;
use super::lexicon::WordId;
use super::matcher::{Captures, Finish, Line, Matcher};
use super::program::{Needs, bloom};

/// One pattern with its meaning.
#[derive(Debug)]
struct Rule {
    head: Head,
    start: u32,
    blooms: Box<[u128]>,
}

/// A pattern that fitted.
#[derive(Debug, Clone)]
pub(crate) struct Match {
    /// What it means.
    pub head: Head,
    /// What it captured.
    pub captures: Captures,
}

/// Patterns in the order they are tried.
#[derive(Debug, Default)]
pub(crate) struct RuleSet {
    rules: Vec<Rule>,
    /// By word: the patterns that begin with it.
    by_first: Vec<Vec<u16>>,
    /// By word: the patterns that have it somewhere.
    by_anchor: Vec<Vec<u16>>,
    /// The patterns that need no word at all.
    always: Vec<u16>,
}

impl RuleSet {
    /// Adds a pattern after the others.
    pub(crate) fn push(&mut self, head: Head, start: u32, needs: Needs) {
        let number = u16::try_from(self.rules.len()).unwrap_or(u16::MAX);
        match (needs.first, needs.anchor) {
            (Some(first), _) => first
                .iter()
                .for_each(|id| note(&mut self.by_first, id, number)),
            (None, Some(anchor)) => anchor
                .iter()
                .for_each(|id| note(&mut self.by_anchor, id, number)),
            (None, None) => self.always.push(number),
        }
        self.rules.push(Rule {
            head,
            start,
            blooms: needs.blooms.into(),
        });
    }

    /// Whether some pattern begins with `id`.
    pub(crate) fn begins(&self, id: WordId) -> bool {
        self.by_first
            .get(usize::from(id))
            .is_some_and(|rules| !rules.is_empty())
    }

    /// The first pattern that fits all of `range`, among those whose head passes `admit`.
    pub(crate) fn find(
        &self,
        grammar: &Grammar,
        matcher: &mut Matcher,
        line: Line<'_>,
        range: Range<usize>,
        admit: impl Fn(Head) -> bool,
    ) -> Option<Match> {
        let words = line.words.get(range.clone())?;
        let first = words.first()?;
        let mut wanted = std::mem::take(&mut matcher.wanted);
        wanted.clear();
        wanted.resize(self.rules.len() / 64 + 1, 0);
        let mut bits = 0;
        mark(&mut wanted, self.by_first.get(usize::from(first.id)));
        for word in words {
            bits |= bloom(word.id);
            mark(&mut wanted, self.by_anchor.get(usize::from(word.id)));
        }
        mark(&mut wanted, Some(&self.always));
        let found = self.first(grammar, matcher, line, &range, &wanted, |rule| {
            rule.blooms.iter().all(|needed| needed & bits != 0) && admit(rule.head)
        });
        matcher.wanted = wanted;
        found
    }

    /// The first of the `wanted` patterns that is `possible` and fits.
    fn first(
        &self,
        grammar: &Grammar,
        matcher: &mut Matcher,
        line: Line<'_>,
        range: &Range<usize>,
        wanted: &[u64],
        possible: impl Fn(&Rule) -> bool,
    ) -> Option<Match> {
        for (slot, flags) in wanted.iter().enumerate() {
            let mut flags = *flags;
            while flags != 0 {
                let at = slot * 64 + flags.trailing_zeros() as usize;
                flags &= flags - 1;
                let Some(rule) = self.rules.get(at) else {
                    break;
                };
                if possible(rule)
                    && matcher
                        .fit(grammar, line, rule.start, range.clone(), Finish::There)
                        .is_some()
                {
                    return Some(Match {
                        head: rule.head,
                        captures: matcher.captures(),
                    });
                }
            }
        }
        None
    }
}

fn note(index: &mut Vec<Vec<u16>>, id: WordId, number: u16) {
    let place = usize::from(id);
    if index.len() <= place {
        index.resize_with(place + 1, Vec::new);
    }
    if let Some(rules) = index.get_mut(place) {
        rules.push(number);
    }
}

fn mark(wanted: &mut [u64], rules: Option<&Vec<u16>>) {
    for rule in rules.into_iter().flatten() {
        let number = usize::from(*rule);
        if let Some(bits) = wanted.get_mut(number / 64) {
            *bits |= 1 << (number % 64);
        }
    }
}
