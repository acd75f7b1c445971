//! Search for the titles that have all the words of a reference.
//!
//! A title that lacks one word is no match, however much of the rest it has. Words meet
//! as they are, as another inflection, or across a slip; how much of a slip is forgiven
//! depends on how much else was matched, and on how rare that is. Knows words and rows
//! only: whose task it is, and whether one may be picked, is decided above.

use super::asked::Asked;
use super::edit::{FARTHEST, INFLECTED};
use super::index::{Index, Word, names};
use super::list::{TaskList, age};
use super::rows::{Row, Rows};
use super::vocabulary::{Part, opens, part, vocabulary};
use super::words::split;

/// More content words than any title can have: such a reference is a paragraph.
const MOST_WORDS: usize = 64;
/// So many titles are all looked at; in tests fewer, so that short lists are looked at as long
/// ones are.
const PLAIN: usize = if cfg!(test) { 4 } else { 128 };
/// Of more, so many that are alike to the reference: more than are ever shown.
const ENOUGH: usize = 64;
/// Of more, so many in all.
const LIMIT: usize = 2_048;
/// Number of rows kept that do not fit, for want of anything better to ask about.
const OTHERS: usize = 8;

/// Margin by which a sum of evidence may be off, added up in another order.
const ROUNDING: f32 = 1e-3;

/// Way in which words may meet.
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
    list: &'i TaskList,
    index: &'i Index,
    /// Words that have to be in the title.
    pub(crate) words: Vec<Asked>,
    /// Words that only tell equal titles apart.
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
    /// Agreement of the prepositions and list words.
    pub(crate) links: Links,
}

/// The titles that have all the words.
#[derive(Debug, Default)]
pub(crate) struct Fits {
    /// Oldest first.
    pub(crate) found: Vec<Fit>,
    /// There may be more that would decide.
    pub(crate) cut: bool,
    /// Some that have all the words, but do not fit.
    pub(crate) others: Vec<Row>,
}

/// Agreement of the prepositions and list words of a reference and a title.
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
    pub(crate) fn new(list: &'i TaskList, reference: &str) -> Option<Self> {
        let mut words = Vec::new();
        split(reference, &mut |word| words.push(word.to_owned()));
        drop_list_phrase(&mut words);
        Self::of(list, words)
    }

    /// The same reference without an article that only its first place makes one.
    pub(crate) fn without_opening(&self) -> Option<Self> {
        let (first, rest) = self.words.split_first()?;
        if rest.is_empty() || !opens(&first.text) {
            return None;
        }
        let words = rest.iter().map(|word| word.text.clone());
        Self::of(self.list, words.chain(self.links.iter().cloned()).collect())
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
            Self::of(self.list, before.chain(new).chain(after).collect())
        });
        replaced.collect()
    }

    /// The titles that have all the words, within `reach`, oldest first; `among` says which may.
    ///
    /// All of them, unless they are more than anybody is asked about: then those that can decide
    /// are looked at first, and the rest up to a limit.
    pub(crate) fn fits(&mut self, reach: Reach, among: impl Fn(Rows) -> Rows) -> Fits {
        let mut fits = Fits::default();
        if !self.extend(reach) {
            return fits;
        }
        let rows = among(self.candidates());
        if rows.len() <= PLAIN {
            self.look_at(&rows, PLAIN, &mut fits);
        } else {
            self.look_first(&rows, &mut fits);
            fits.found
                .sort_by_cached_key(|fit| self.list.at(fit.row).map(age));
            fits.found.dedup_by_key(|fit| fit.row);
        }
        fits
    }

    /// The rows whose titles have a word for every word: few enough, or exactly those.
    fn candidates(&self) -> Rows {
        let alone = self.words.len() == 1;
        let mut parts: Vec<(usize, &Asked, f32)> = Vec::with_capacity(self.words.len());
        for asked in &self.words {
            let others = self
                .words
                .iter()
                .filter(|other| !std::ptr::eq(*other, asked));
            let most = others.map(|other| self.most_evidence(other)).sum::<f32>() + ROUNDING;
            let reached = asked.meets.iter();
            let reached = reached.map(|(word, _)| self.index.rows_with(word).len());
            parts.push((reached.sum(), asked, most));
        }
        parts.sort_by_key(|(reached, ..)| *reached);
        let mut all: Option<Rows> = None;
        for (_, asked, most) in parts {
            if all.as_ref().is_some_and(|all| all.len() <= PLAIN) {
                break;
            }
            let met = asked.meets.iter();
            let met = met.filter(|(word, cost)| asked.may_be_slip(word, *cost, most, alone));
            let rows = met.map(|(word, _)| self.index.rows_with(word));
            let rows = Rows::union(rows);
            all = Some(all.map_or_else(|| rows.clone(), |all| all.and(&rows)));
        }
        all.unwrap_or_default()
    }

    /// The most that a word can prove by being met.
    fn most_evidence(&self, asked: &Asked) -> f32 {
        let exact = asked.meets.iter().filter(|(_, cost)| *cost <= INFLECTED);
        let rarity = exact.map(|(word, _)| self.index.rarity(word));
        rarity.fold(0.0, f32::max)
    }

    /// Looks at the titles of `rows` that can decide, and at the rest up to a limit: whole titles,
    /// those that share the prepositions, those with the very words. Where a very title was found,
    /// no inflected one that is not whole is asked about, so the rest decides nothing.
    fn look_first(&self, rows: &Rows, fits: &mut Fits) {
        let whole = rows.and(&self.index.rows_up_to(self.words.len()));
        fits.cut = !self.look_at(&whole, LIMIT, fits);
        if self.hollow {
            return;
        }
        let with = |rows: Rows, text: &str| match self.index.word(text) {
            Some(word) => rows.and(self.index.rows_with(word)),
            None => Rows::None,
        };
        let texts = self.words.iter().map(|asked| asked.text.as_str());
        let very = texts.fold(rows.clone(), with);
        if !self.links.is_empty() {
            let links = self.links.iter().map(String::as_str);
            self.look_at(&links.fold(very.clone(), with), ENOUGH, fits);
        }
        self.look_at(&very, ENOUGH, fits);
        if fits.found.iter().all(|fit| fit.cost > 0) {
            fits.cut |= !self.look_at(rows, LIMIT, fits);
        }
    }

    /// Looks at the oldest `most` of `rows`; whether these are all.
    fn look_at(&self, rows: &Rows, most: usize, fits: &mut Fits) -> bool {
        let seen = self.list.oldest(rows, most);
        for row in &seen {
            match self.fit(*row) {
                Some(fit) => fits.found.push(fit),
                None if fits.others.len() < OTHERS => fits.others.push(*row),
                None => {}
            }
        }
        seen.len() == rows.len()
    }

    /// Looks for words a few slips away for every word that meets none.
    pub(crate) fn search_all(&mut self) {
        for asked in &mut self.words {
            if asked.meets.is_empty() {
                asked.search(self.index);
            }
        }
    }

    /// Returns the share of the reference that a title has, weighted by rarity, 0..1; for showing
    /// only.
    pub(crate) fn coverage(&self, row: Row) -> f32 {
        let title = self.index.title(row);
        let (mut met, mut all) = (0.0, 0.0);
        for asked in &self.words {
            let costs = title
                .iter()
                .filter_map(|word| Some((word, asked.cost(word.id)?)));
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

    /// The rows that share a word with the reference, those of the rarest words, at most `most`;
    /// oldest first.
    pub(crate) fn touched(&self, most: usize) -> Vec<Row> {
        let meets = self.words.iter().flat_map(|asked| asked.meets.iter());
        let mut met: Vec<(&Rows, &Word)> = meets
            .map(|(word, _)| (self.index.rows_with(word), word))
            .collect();
        met.sort_by(|(a, x), (b, y)| a.len().cmp(&b.len()).then_with(|| x.text.cmp(&y.text)));
        let mut found: Vec<Row> = Vec::new();
        for (rows, _) in met {
            if found.len() >= most {
                break;
            }
            found.extend(self.list.oldest(rows, most - found.len()));
        }
        self.list.oldest(&found.into_iter().collect(), most)
    }

    fn of(list: &'i TaskList, words: Vec<String>) -> Option<Self> {
        let index = list.index();
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
            list,
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
        let content = |word: &Word| !word.is_soft();
        let mut used = vec![false; title.len()];
        let mut matched: Vec<(&Asked, &Word, u16)> = Vec::with_capacity(self.words.len());
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
                let costs = free.filter_map(|(at, word)| Some((asked.cost(word.id)?, at, word)));
                let costs = costs.filter(|(cost, ..)| exact == (*cost == 0));
                let first = costs.min_by_key(|(cost, at, word)| (!content(word), *cost, *at));
                let Some((cost, at, word)) = first else {
                    if exact { continue } else { return None }
                };
                if let Some(used) = used.get_mut(at) {
                    *used = true;
                }
                matched.push((asked, word, cost));
            }
        }
        let left = |(at, used): (usize, &bool)| !*used && (self.hollow || names(title, at));
        let whole = !used.iter().enumerate().any(left);
        let evidence = self.evidence(&matched);
        let slips = matched
            .iter()
            .filter(|(.., cost)| *cost > INFLECTED)
            .count();
        let only = whole && slips == 1 && evidence > 0.0;
        let alone = self.words.len() == 1;
        let near = |(asked, word, cost): &(&Asked, &Word, u16)| {
            *cost <= INFLECTED
                || (only && asked.is_lone_slip(word, *cost))
                || asked.is_slip(word, *cost, evidence, alone)
        };
        let names = self.hollow || matched.iter().any(|(_, word, _)| content(word));
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

    fn agree(&self, title: &[Word], whole: bool) -> Links {
        let own = title.iter().filter(|word| word.part == Some(Part::Link));
        let own: Vec<&Word> = own.collect();
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

    /// Returns what the words that were matched as they are prove, in rare words.
    fn evidence(&self, matched: &[(&Asked, &Word, u16)]) -> f32 {
        let exact = matched.iter().filter(|(.., cost)| *cost <= INFLECTED);
        let proof = exact.map(|(asked, word, _)| match asked.part {
            Some(Part::Verb) => 0.5 * self.index.rarity(word),
            _ => self.index.rarity(word),
        });
        proof.sum()
    }
}

/// Leaves out "from my list" and the like at the end.
fn drop_list_phrase(words: &mut Vec<String>) {
    let (lists, links) = (&vocabulary().lists, &vocabulary().list_links);
    if words
        .last()
        .is_none_or(|last| !lists.contains(last.as_str()))
    {
        return;
    }
    let at = words.iter().rposition(|word| links.contains(word.as_str()));
    if let Some(at) = at.filter(|at| *at > 0 && words.len() - at <= 4) {
        words.truncate(at);
    }
}
