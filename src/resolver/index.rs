//! The words of one user's titles, ready to be searched, and the rows by state, day and priority.
//!
//! Part of a [`super::TaskList`], which keeps it up: whatever is asked, nothing is read that does
//! not belong to the answer. Holds rows, not tasks. Copies share what they have in common.

use std::borrow::Borrow;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use imbl::{HashMap, OrdMap, Vector};

use super::confusable::looks;
use super::edit::Letters;
use super::facets::Facets;
use super::inflection::bases;
use super::places::{Place, place};
use super::rows::{Row, Rows};
use super::slips::Slips;
use super::vocabulary::{Part, part};
use super::words::{split, split_text};
use crate::domain::Task;
use crate::domain::text::Text;

/// Of a word of the vocabulary; never that of another, even after the word is gone.
pub(crate) type WordId = u32;

/// An index over the titles of one user's tasks.
#[derive(Debug, Clone, Default)]
pub(crate) struct Index {
    /// Every word of a title, with the rows whose titles have it.
    vocabulary: HashMap<Word, Rows>,
    next: WordId,
    /// Base form → the words that have it.
    families: HashMap<Arc<str>, Arc<[Word]>>,
    slips: Slips,
    /// The words of the titles, by slot.
    titles: Vector<Arc<[Word]>>,
    /// The rows by a hash of the title's words …
    folded: HashMap<u64, Rows>,
    /// … by one of what it looks like …
    looks: HashMap<u64, Rows>,
    /// … and by how many content words it has.
    lengths: OrdMap<usize, Rows>,
    /// Number of titles that have so many words in all.
    spans: OrdMap<usize, usize>,
    facets: Facets,
}

/// A word of the vocabulary; copies are the same word.
#[derive(Debug, Clone)]
pub(crate) struct Word(Arc<Entry>);

/// Everything there is to know about a word.
#[derive(Debug)]
pub(crate) struct Entry {
    /// Id of the word.
    pub(crate) id: WordId,
    /// As it is folded.
    pub(crate) text: Box<str>,
    /// Its letters.
    pub(crate) letters: Letters,
    /// Contribution to a reference.
    pub(crate) part: Option<Part>,
    /// Set for a number: equal or different, never nearly.
    pub(crate) number: bool,
    /// Set when it names a place in a list: "frist one" is no slip for "First aid kit".
    pub(crate) place: bool,
}

impl Entry {
    /// Tells whether it names nothing by itself.
    pub(crate) const fn is_soft(&self) -> bool {
        matches!(self.part, Some(Part::Article | Part::Link))
    }
}

impl std::ops::Deref for Word {
    type Target = Entry;

    fn deref(&self) -> &Entry {
        &self.0
    }
}

impl Borrow<str> for Word {
    fn borrow(&self) -> &str {
        &self.text
    }
}

impl Hash for Word {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl PartialEq for Word {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Word {}

impl Index {
    /// Every row.
    pub(crate) const fn rows(&self) -> &Rows {
        &self.facets.all
    }

    /// The rows by state, day and priority.
    pub(crate) const fn facets(&self) -> &Facets {
        &self.facets
    }

    /// The words of a title, in order.
    pub(crate) fn title(&self, row: Row) -> &[Word] {
        self.titles
            .get(row as usize)
            .map(AsRef::as_ref)
            .unwrap_or_default()
    }

    /// The rows whose titles have a word.
    pub(crate) fn rows_with(&self, word: &Word) -> &Rows {
        self.vocabulary.get(&*word.text).unwrap_or(&Rows::None)
    }

    /// The rows whose titles have at most so many content words.
    pub(crate) fn rows_up_to(&self, words: usize) -> Rows {
        Rows::union(self.lengths.range(..=words).map(|(_, rows)| rows))
    }

    /// The word that is written like this.
    pub(crate) fn word(&self, text: &str) -> Option<&Word> {
        self.vocabulary.get_key_value(text).map(|(word, _)| word)
    }

    /// The words that are another inflection of this one.
    pub(crate) fn family(&self, text: &str) -> Vec<Word> {
        let mut found: Vec<Word> = Vec::new();
        let mut collect = |form: &str| {
            found.extend(self.word(form).cloned());
            let family = self.families.get(form).map(AsRef::as_ref);
            found.extend(family.unwrap_or_default().iter().cloned());
        };
        collect(text);
        bases(text, &mut collect);
        found.retain(|word| &*word.text != text);
        found.sort_unstable_by_key(|word| word.id);
        found.dedup_by_key(|word| word.id);
        found
    }

    /// The words within a few slips of this one, and how far they are; no numbers.
    pub(crate) fn near(&self, letters: &Letters) -> Vec<(&Word, u16)> {
        self.slips.near(letters)
    }

    /// Returns how much sharing a word proves, 0..1: nearly nothing if every title has it, all if
    /// only every tenth does.
    pub(crate) fn rarity(&self, word: &Word) -> f32 {
        let titles = self.rows().len() as f32;
        let having = self.rows_with(word).len().max(1) as f32;
        ((titles / having).ln_1p() / 10_f32.ln_1p()).min(1.0)
    }

    /// The rows whose folded title may be this text's: equal hashes, to be verified by the caller.
    pub(crate) fn folded_like(&self, text: &str) -> Rows {
        let mut words: Vec<String> = Vec::new();
        split(text, &mut |word| words.push(word.to_owned()));
        self.folded_as(words_key(words.iter().map(String::as_str)))
    }

    /// The rows of a [`words_key`].
    pub(crate) fn folded_as(&self, key: u64) -> Rows {
        self.folded.get(&key).cloned().unwrap_or_default()
    }

    /// The other rows whose titles can't be told from this one by looking.
    pub(crate) fn twins(&self, row: Row, title: &str) -> Rows {
        let mut twins = self.looks.get(&looks(&Text::new(title))).cloned();
        if let Some(rows) = &mut twins {
            rows.remove(row);
        }
        twins.unwrap_or_default()
    }

    /// Returns the number of words of the longest title.
    pub(crate) fn longest(&self) -> usize {
        self.spans.get_max().map_or(0, |(words, _)| *words)
    }

    /// The rows whose titles have all of these words, in any inflection.
    pub(crate) fn having(&self, words: &[String]) -> Rows {
        let mut all: Option<Rows> = None;
        for word in words {
            let rows = self.having_one(word);
            let both = all.map_or_else(|| rows.clone(), |all| all.and(&rows));
            if both.is_empty() {
                return both;
            }
            all = Some(both);
        }
        all.unwrap_or_default()
    }

    /// The rows whose titles have this word, in any inflection.
    pub(crate) fn having_one(&self, word: &str) -> Rows {
        let family = self.family(word);
        let own = self.vocabulary.get(word);
        Rows::union(
            own.into_iter()
                .chain(family.iter().map(|word| self.rows_with(word))),
        )
    }

    /// The rows whose titles have this word, in any inflection, as one that names something.
    pub(crate) fn naming(&self, word: &str) -> Rows {
        let all = self
            .word(word)
            .cloned()
            .into_iter()
            .chain(self.family(word));
        let all: Vec<Word> = all.filter(|word| !word.is_soft()).collect();
        Rows::union(all.iter().map(|word| self.rows_with(word)))
    }

    /// Adds a task whose slot is the next one.
    pub(crate) fn add(&mut self, row: Row, task: &Task) {
        self.facets.add(row, task);
        let words = self.post(row, task.title.as_str());
        self.titles.push_back(words);
    }

    /// Leaves the next slot empty.
    pub(crate) fn skip(&mut self) {
        self.titles.push_back(Arc::default());
    }

    /// Takes a task out; its slot stays empty.
    pub(crate) fn remove(&mut self, row: Row, task: &Task) {
        self.facets.remove(row, task);
        self.unpost(row, task.title.as_str());
        if let Some(title) = self.titles.get_mut(row as usize) {
            *title = Arc::default();
        }
    }

    /// Puts a task in the place of an older version.
    pub(crate) fn change(&mut self, row: Row, old: &Task, new: &Task) {
        self.facets.remove(row, old);
        self.facets.add(row, new);
        if old.title == new.title {
            return;
        }
        self.unpost(row, old.title.as_str());
        let words = self.post(row, new.title.as_str());
        if let Some(title) = self.titles.get_mut(row as usize) {
            *title = words;
        }
    }

    fn post(&mut self, row: Row, title: &str) -> Arc<[Word]> {
        let text = Text::new(title);
        let mut words: Vec<Word> = Vec::new();
        split_text(&text, &mut |word| {
            words.extend(self.intern(word, row));
        });
        let key = words_key(words.iter().map(|word| &*word.text));
        insert(&mut self.folded, key, row);
        insert(&mut self.looks, looks(&text), row);
        let length = self.lengths.entry(content(&words)).or_default();
        length.insert(row);
        *self.spans.entry(words.len()).or_default() += 1;
        words.into()
    }

    fn unpost(&mut self, row: Row, title: &str) {
        let text = Text::new(title);
        let words: Vec<Word> = self.title(row).to_vec();
        let key = words_key(words.iter().map(|word| &*word.text));
        remove(&mut self.folded, key, row);
        remove(&mut self.looks, looks(&text), row);
        if let Some(titles) = self.spans.get_mut(&words.len()) {
            *titles -= 1;
            if *titles == 0 {
                self.spans.remove(&words.len());
            }
        }
        if let Some(rows) = self.lengths.get_mut(&content(&words)) {
            rows.remove(row);
        }
        for word in words {
            let Some(rows) = self.vocabulary.get_mut(&*word.text) else {
                continue;
            };
            rows.remove(row);
            if rows.is_empty() {
                self.forget(&word);
            }
        }
    }

    /// The word of that text, as one of the title of `row`.
    fn intern(&mut self, text: &str, row: Row) -> Option<Word> {
        if let Some((word, rows)) = self.vocabulary.get_key_value_mut(text) {
            rows.insert(row);
            return Some(word.clone());
        }
        let id = self.next;
        self.next = self.next.checked_add(1)?;
        let word = Word(Arc::new(Entry {
            id,
            text: text.into(),
            letters: Letters::of(text),
            part: part(text),
            number: is_number(text),
            place: place(text)
                .is_some_and(|place| matches!(place, Place::Ordinal(_) | Place::Last)),
        }));
        self.slips.insert(&word);
        bases(text, &mut |base| {
            let family = self.families.get_mut(base);
            match family {
                Some(family) if family.contains(&word) => {}
                Some(family) => {
                    let all = family.iter().chain([&word]);
                    *family = all.cloned().collect();
                }
                None => {
                    self.families.insert(base.into(), Arc::new([word.clone()]));
                }
            }
        });
        self.vocabulary.insert(word.clone(), Rows::One(row));
        Some(word)
    }

    /// Strikes out a word that no title has any more.
    fn forget(&mut self, word: &Word) {
        self.vocabulary.remove(&*word.text);
        self.slips.remove(word);
        bases(&word.text, &mut |base| {
            let Some(family) = self.families.get_mut(base) else {
                return;
            };
            *family = family.iter().filter(|one| *one != word).cloned().collect();
            if family.is_empty() {
                self.families.remove(base);
            }
        });
    }
}

fn insert(map: &mut HashMap<u64, Rows>, key: u64, row: Row) {
    map.entry(key).or_default().insert(row);
}

fn remove(map: &mut HashMap<u64, Rows>, key: u64, row: Row) {
    if let Some(rows) = map.get_mut(&key) {
        rows.remove(row);
        if rows.is_empty() {
            map.remove(&key);
        }
    }
}

fn content(words: &[Word]) -> usize {
    (0..words.len()).filter(|at| names(words, *at)).count()
}

/// Tells whether a word of a title names something there: a letter at its end is no article ("plan A").
pub(crate) fn names(title: &[Word], at: usize) -> bool {
    title.get(at).is_some_and(|word| {
        !word.is_soft() || at > 0 && at + 1 == title.len() && word.text.len() == 1
    })
}

/// Tells whether a word is a number, in digits or in words.
pub(crate) fn is_number(word: &str) -> bool {
    let digits = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    let mut number = word.chars().all(char::is_numeric);
    bases(word, &mut |base| number |= digits(base));
    number
}

/// Equal for texts of the same folded words; different ones may share it.
pub(crate) fn words_key<'w>(words: impl IntoIterator<Item = &'w str>) -> u64 {
    let mut hasher = DefaultHasher::new();
    words.into_iter().for_each(|word| word.hash(&mut hasher));
    hasher.finish()
}

/// The keys of the first word, the first two, and so on.
pub(crate) fn words_keys<'w>(words: impl Iterator<Item = &'w str>) -> impl Iterator<Item = u64> {
    words.scan(DefaultHasher::new(), |hasher, word| {
        word.hash(hasher);
        Some(hasher.clone().finish())
    })
}
