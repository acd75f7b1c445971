//! The matcher against a plain search that tries one way after the other.

use std::ops::Range;

use proptest::prelude::*;

use super::lexicon::{Lexicon, WordId};
use super::matcher::{Captures, Finish, Matcher, PatternText};
use super::notation::{each_word, parse};
use super::pattern::{Classes, Pattern};
use super::rules::{Part, RuleSet};
use super::slot::Slot;
use super::words::{Gap, Word};

/// Words, all of which are one sentence. Number 1 can't stand in a picky slot.
struct Words(Vec<Word>);

impl PatternText for Words {
    fn words(&self) -> &[Word] {
        &self.0
    }

    fn around(&self, _range: &Range<usize>) -> Range<usize> {
        0..self.0.len()
    }

    fn closed(&self, _slot: Slot, range: Range<usize>) -> Option<usize> {
        let word = self.0.get(range.start).filter(|_| !range.is_empty())?;
        (word.id % 2 == 0).then_some(range.start + 1)
    }

    fn bars(&self, _slot: Slot, word: &Word, _first: bool) -> bool {
        word.id == 1
    }
}

fn words(ids: &[WordId]) -> Words {
    let word = |(at, id): (usize, &WordId)| Word {
        id: *id,
        token: 0,
        gap: if at % 5 == 3 {
            Gap::COMMA
        } else {
            Gap::default()
        },
        clitic: at % 4 == 1,
        number: false,
        place: false,
    };
    Words(ids.iter().enumerate().map(word).collect())
}

type Taken = Vec<(Slot, Range<usize>)>;

/// Tries the ways through `pattern` in their order until one is wanted.
fn tried(
    line: &Words,
    pattern: &Pattern,
    at: usize,
    taken: &mut Taken,
    wanted: &mut dyn FnMut(usize, &mut Taken) -> bool,
) -> bool {
    match pattern {
        Pattern::Set(set) => {
            let stands = line.0.get(at).is_some_and(|word| set.contains(word.id));
            stands && wanted(at + 1, taken)
        }
        Pattern::Seq(parts) => tried_all(line, parts, at, taken, wanted),
        Pattern::Any(choice) => {
            let mut ways = choice.all().iter();
            ways.any(|way| tried(line, way, at, taken, wanted))
        }
        Pattern::Maybe(part) => tried(line, part, at, taken, wanted) || wanted(at, taken),
        Pattern::Comma => {
            line.0.get(at).is_some_and(|word| word.gap.has(Gap::COMMA)) && wanted(at, taken)
        }
        Pattern::Clitic => at > 0 && line.0[at - 1].clitic && wanted(at, taken),
        Pattern::Slot(slot) => {
            let rest = line.0.len() - at;
            let lengths = match slot.extent() {
                Some((least, most)) => least..=most.min(rest),
                None => 1..=usize::from(rest > 0 && line.0[at].id.is_multiple_of(2)),
            };
            for length in lengths {
                let barred = line.0[at..at + length].iter().any(|word| word.id == 1);
                if slot.is_picky() && barred {
                    return false;
                }
                taken.push((slot.kept(), at..at + length));
                if wanted(at + length, taken) {
                    return true;
                }
                taken.pop();
            }
            false
        }
    }
}

fn tried_all(
    line: &Words,
    parts: &[Pattern],
    at: usize,
    taken: &mut Taken,
    wanted: &mut dyn FnMut(usize, &mut Taken) -> bool,
) -> bool {
    match parts.split_first() {
        None => wanted(at, taken),
        Some((part, rest)) => tried(line, part, at, taken, &mut |at, taken| {
            tried_all(line, rest, at, taken, wanted)
        }),
    }
}

fn lower(line: &str, classes: &mut Classes) -> Pattern {
    let mut lexicon = Lexicon::default();
    for word in ["a", "b", "c", "d"] {
        lexicon.learn(word);
    }
    each_word(line, |word| {
        lexicon.learn(word);
    });
    classes.lower(&parse(line).unwrap(), &lexicon).unwrap()
}

fn notation() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "a",
        "b",
        "c",
        "d",
        "@pair",
        "{content}",
        "{few}",
        "{stuff}",
        "{unit}",
        ",",
        "'s",
    ]);
    leaf.prop_map(str::to_owned)
        .prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 1..4).prop_map(|parts| parts.join(" ")),
                prop::collection::vec(inner.clone(), 1..4)
                    .prop_map(|parts| format!("({})", parts.join(" | "))),
                inner.prop_map(|part| format!("[{part}]")),
            ]
        })
}

/// Captures that the plain search finds for all of the words.
fn expected(line: &Words, pattern: &Pattern) -> Option<Taken> {
    let mut found = None;
    let end = line.0.len();
    tried(line, pattern, 0, &mut Vec::new(), &mut |at, taken| {
        if at == end {
            found = Some(taken.clone());
        }
        at == end
    });
    found
}

fn all(captures: &Captures) -> Taken {
    let kinds = [Slot::Content, Slot::Few, Slot::Unit];
    let each = kinds
        .iter()
        .flat_map(|kind| captures.all(*kind).map(|words| (*kind, words)));
    let mut all: Taken = each.collect();
    all.sort_by_key(|(kind, words)| (words.start, words.end, *kind as u8));
    all
}

proptest! {
    #[test]
    fn it_finds_what_a_plain_search_does(
        lines in prop::collection::vec(notation(), 1..4),
        ids in prop::collection::vec(0_u16..5, 1..9),
        long in any::<bool>(),
    ) {
        let ids = if long { [vec![3; 140], ids].concat() } else { ids };
        let line = words(&ids);
        let mut classes = Classes::default();
        let pair = lower("a b | c [d] | b", &mut classes);
        classes.insert("pair".to_owned(), pair);
        let patterns: Vec<_> = lines.iter().map(|line| lower(line, &mut classes)).collect();
        let mut rules = RuleSet::new(0);
        (0..).zip(&patterns).for_each(|(number, pattern)| rules.push(number, pattern));
        rules.link(&Default::default());
        let mut matcher = Matcher::new();
        let range = 0..ids.len();
        for pattern in &patterns {
            let fits = matcher.fit(&line, pattern, range.clone(), Finish::There);
            prop_assert_eq!(fits.is_some(), expected(&line, pattern).is_some());
        }
        let found = rules.find(&mut matcher, &line, range.clone(), |_| true);
        let expect = (0..).zip(&patterns).find_map(|(number, pattern)| {
            let mut taken = expected(&line, pattern)?;
            taken.sort_by_key(|(kind, words)| (words.start, words.end, *kind as u8));
            Some((number, taken))
        });
        let may = rules.may_hold(&mut matcher, &line, (&range, Part::Any), |_: i32| true);
        prop_assert!(may || found.is_none());
        prop_assert_eq!(found.map(|(number, captures)| (number, all(&captures))), expect);
    }
}

#[test]
fn no_pattern_is_dear() {
    let mut classes = Classes::default();
    let pattern = lower(
        "[{content}] [{content}] [{content}] [{content}] a b",
        &mut classes,
    );
    let line = words(&[3; 100]);
    let mut matcher = Matcher::new();
    let before = super::matcher::EFFORT.get();
    assert_eq!(matcher.fit(&line, &pattern, 0..100, Finish::There), None);
    assert!(super::matcher::EFFORT.get() - before < 20);
}
