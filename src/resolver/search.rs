//! Which titles have all the words of a reference.
//!
//! A title that lacks one word is no match, however much of the rest it has. Words meet
//! as they are, as another inflection, or across a slip; how much of a slip is forgiven
//! depends on how much else was matched, and on how rare that is. Knows words and rows
//! only: whose task it is, and whether one may be picked, is decided above.

use super::asked::{Asked, FARTHEST};
use super::edit::INFLECTED;
use super::index::{Index, Row, WordId};
use super::vocabulary::{Part, opens, part};
use super::words::split;

/// More content words than any title can have: such a reference is a paragraph.
const MOST_WORDS: usize = 64;
/// How words may meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// As they are, or inflected.
    Forms,
    /// Also across slips, for words that no title has.
    Slips,
    /// Also across slips, for all words.
    AllSlips,
}

/// A reference, as words.
#[derive(Debug)]
pub(crate) struct Query<'i> {
    index: &'i Index,
    /// What has to be in the title.
    pub(crate) words: Vec<Asked>,
    /// What only tells equal titles apart.
    links: Vec<String>,
    /// There is no content word: "the thing".
    hollow: bool,
}

/// A title that has all the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fit {
    pub(crate) row: Row,
    /// The sum of all slips and inflections, in tenths.
    pub(crate) cost: u16,
    /// Some word was met across a slip.
    pub(crate) slipped: bool,
    /// The title has no further content word.
    pub(crate) whole: bool,
    /// How well the prepositions and list words agree.
    pub(crate) links: Links,
}

/// How the prepositions and list words of a reference and a title agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Links {
    /// The reference has none, or the title lacks one of them.
    Apart,
    /// The title has all of them.
    Shared,
    /// The title has these and no others, and no further content word either.
    Same,
}

impl<'i> Query<'i> {
    /// Reads a reference; `None` when it can't be words of a title.
    pub(crate) fn new(index: &'i Index, reference: &str) -> Option<Self> {
        let mut words = Vec::new();
        split(reference, &mut |word| words.push(word.to_owned()));
        drop_list_phrase(&mut words);
        Self::of(index, words)
    }

    /// The same reference without an article that only its first place makes one.
    pub(crate) fn without_opening(&self) -> Option<Self> {
        let (first, rest) = self.words.split_first()?;
        if rest.is_empty() || !opens(&first.text) {
            return None;
        }
        let words = rest.iter().map(|word| word.text.clone());
        Self::of(
            self.index,
            words.chain(self.links.iter().cloned()).collect(),
        )
    }

    /// The same reference with words joined or split, where the titles write them so.
    pub(crate) fn respaced(&self) -> Vec<Self> {
        let texts: Vec<&str> = self.words.iter().map(|word| word.text.as_str()).collect();
        let mut variants = Vec::new();
        for (at, asked) in self.words.iter().enumerate() {
            let next = self.words.get(at + 1).map_or("", |word| word.text.as_str());
            let joined = format!("{}{next}", asked.text);
            if !next.is_empty() && self.index.word(&joined).is_some() {
                variants.push((at..at + 2, vec![joined]));
            }
            if asked.known {
                continue;
            }
            let inner = asked.text.char_indices().map(|(byte, _)| byte).skip(2);
            let halves = inner.filter_map(|byte| asked.text.split_at_checked(byte));
            for (left, right) in halves.filter(|(_, right)| right.len() > 1) {
                if self.index.word(left).is_some() && self.index.word(right).is_some() {
                    variants.push((at..at + 1, vec![left.to_owned(), right.to_owned()]));
                }
            }
        }
        let replaced = variants.into_iter().filter_map(|(range, new)| {
            let before = texts.iter().take(range.start).map(ToString::to_string);
            let after = texts.iter().skip(range.end).map(ToString::to_string);
            Self::of(self.index, before.chain(new).chain(after).collect())
        });
        replaced.collect()
    }

    /// Every title that has all the words, within `reach`.
    pub(crate) fn fits(&mut self, reach: Reach) -> Vec<Fit> {
        if !self.extend(reach) {
            return Vec::new();
        }
        let reached = |asked: &Asked| {
            let rows = asked
                .meets
                .iter()
                .map(|(word, _)| self.index.rows_with(*word).len());
            rows.sum::<usize>()
        };
        let Some(rarest) = self.words.iter().min_by_key(|asked| reached(asked)) else {
            return Vec::new();
        };
        let with = |(word, _): &(WordId, u16)| self.index.rows_with(*word);
        let mut rows: Vec<Row> = rarest.meets.iter().flat_map(with).copied().collect();
        rows.sort_unstable();
        rows.dedup();
        rows.into_iter().filter_map(|row| self.fit(row)).collect()
    }

    /// Looks for words a few slips away for every word that meets none.
    pub(crate) fn search_all(&mut self) {
        for asked in &mut self.words {
            if asked.meets.is_empty() {
                asked.search(self.index);
            }
        }
    }

    /// What share of the reference a title has, weighted by rarity, 0..1; for showing only.
    pub(crate) fn coverage(&self, row: Row) -> f32 {
        let title = self.index.title(row);
        let (mut met, mut all) = (0.0, 0.0);
        for asked in &self.words {
            let costs = title
                .iter()
                .filter_map(|word| Some((*word, asked.cost(*word)?)));
            let best = costs.min_by_key(|(_, cost)| *cost);
            let generic = if asked.part == Some(Part::Verb) {
                0.3
            } else {
                1.0
            };
            all += generic;
            met += best.map_or(0.0, |(word, cost)| {
                let near = 1.0 - f32::from(cost) / f32::from(2 * FARTHEST);
                generic * near * self.index.rarity(word)
            });
        }
        if all > 0.0 { met / all } else { 0.0 }
    }

    /// The rows that share a word with the reference, the rarest words' first, at most `most`.
    pub(crate) fn touched(&self, most: usize) -> Vec<Row> {
        let meets = self.words.iter().flat_map(|asked| asked.meets.iter());
        let mut postings: Vec<&[Row]> =
            meets.map(|(word, _)| self.index.rows_with(*word)).collect();
        postings.sort_by_key(|rows| rows.len());
        let mut rows: Vec<Row> = postings.into_iter().flatten().copied().take(most).collect();
        rows.sort_unstable();
        rows.dedup();
        rows
    }

    fn of(index: &'i Index, words: Vec<String>) -> Option<Self> {
        let soft = |word: &String| matches!(part(word), Some(Part::Article | Part::Link));
        let hollow = words.iter().all(soft);
        let (soft, mut content): (Vec<_>, Vec<_>) = if hollow {
            (Vec::new(), words)
        } else {
            words.into_iter().partition(soft)
        };
        let mut seen = std::collections::HashSet::new();
        content.retain(|word| seen.insert(word.clone()));
        if content.is_empty() || content.len() > MOST_WORDS {
            return None;
        }
        let links = soft
            .into_iter()
            .filter(|word| part(word) == Some(Part::Link));
        Some(Self {
            index,
            words: content
                .into_iter()
                .map(|text| Asked::new(index, text))
                .collect(),
            links: links.collect(),
            hollow,
        })
    }

    /// Looks for words of titles within `reach`; gives up at the first word that meets none.
    fn extend(&mut self, reach: Reach) -> bool {
        for asked in &mut self.words {
            let wanted = match reach {
                Reach::Forms => false,
                Reach::Slips => asked.meets.is_empty(),
                Reach::AllSlips => true,
            };
            if wanted {
                asked.search(self.index);
            }
            if asked.meets.is_empty() {
                return false;
            }
        }
        true
    }

    fn fit(&self, row: Row) -> Option<Fit> {
        let title = self.index.title(row);
        let entry = |word: WordId| self.index.entry(word);
        let content = |word: WordId| entry(word).is_some_and(|entry| !entry.is_soft());
        let mut used = vec![false; title.len()];
        let mut matched: Vec<(&Asked, WordId, u16)> = Vec::with_capacity(self.words.len());
        // Exact words first, so that a slip never takes the place of the word itself.
        for exact in [true, false] {
            for asked in &self.words {
                if matched
                    .iter()
                    .any(|(other, ..)| std::ptr::eq(*other, asked))
                {
                    continue;
                }
                let free = title
                    .iter()
                    .enumerate()
                    .filter(|(at, _)| used.get(*at) == Some(&false));
                let costs = free.filter_map(|(at, word)| Some((asked.cost(*word)?, at, *word)));
                let costs = costs.filter(|(cost, ..)| exact == (*cost == 0));
                let first = costs.min_by_key(|(cost, at, word)| (!content(*word), *cost, *at));
                let Some((cost, at, word)) = first else {
                    if exact { continue } else { return None }
                };
                if let Some(used) = used.get_mut(at) {
                    *used = true;
                }
                matched.push((asked, word, cost));
            }
        }
        let left = |(used, word): (&bool, &WordId)| !*used && (self.hollow || content(*word));
        let whole = !used.iter().zip(title).any(left);
        let evidence = self.evidence(&matched);
        let slips = matched
            .iter()
            .filter(|(.., cost)| *cost > INFLECTED)
            .count();
        let only = whole && slips == 1 && evidence > 0.0;
        let alone = self.words.len() == 1;
        let near = |(asked, word, cost): &(&Asked, WordId, u16)| {
            let slip = |entry| {
                (only && asked.is_lone_slip(entry, *cost))
                    || asked.is_slip(entry, *cost, evidence, alone)
            };
            *cost <= INFLECTED || entry(*word).is_some_and(slip)
        };
        let names = self.hollow || matched.iter().any(|(_, word, _)| content(*word));
        if !names || (self.hollow && !whole) || !matched.iter().all(near) {
            return None;
        }
        Some(Fit {
            row,
            cost: matched.iter().map(|(.., cost)| *cost).sum(),
            slipped: matched.iter().any(|(.., cost)| *cost > INFLECTED),
            whole,
            links: self.agree(title, whole),
        })
    }

    fn agree(&self, title: &[WordId], whole: bool) -> Links {
        let mut own: Vec<WordId> = title.to_vec();
        own.retain(|word| {
            self.index
                .entry(*word)
                .is_some_and(|entry| entry.part == Some(Part::Link))
        });
        let asked: Vec<_> = self
            .links
            .iter()
            .map(|link| self.index.word(link))
            .collect();
        let shared = asked
            .iter()
            .all(|link| link.is_some_and(|link| own.contains(&link)));
        if shared && whole && own.iter().all(|link| asked.contains(&Some(*link))) {
            Links::Same
        } else if shared && !asked.is_empty() {
            Links::Shared
        } else {
            Links::Apart
        }
    }

    /// What the words that were matched as they are prove, in rare words.
    fn evidence(&self, matched: &[(&Asked, WordId, u16)]) -> f32 {
        let exact = matched.iter().filter(|(.., cost)| *cost <= INFLECTED);
        let proof = exact.map(|(asked, word, _)| match asked.part {
            Some(Part::Verb) => 0.5 * self.index.rarity(*word),
            _ => self.index.rarity(*word),
        });
        proof.sum()
    }
}

/// Leaves out "from my list" and the like at the end.
fn drop_list_phrase(words: &mut Vec<String>) {
    if words.last().is_none_or(|last| last != "list") {
        return;
    }
    let links = ["from", "on", "off", "in"];
    let at = words
        .iter()
        .rposition(|word| links.contains(&word.as_str()));
    if let Some(at) = at.filter(|at| *at > 0 && words.len() - at <= 4) {
        words.truncate(at);
    }
}
