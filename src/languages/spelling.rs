//! Spellings of a language that has no fixed one: Roman Urdu is typed by ear, so that "nahi" is "nhi", "nahee"
//! or "nahin", and "bhej di" is "bhejdi".
//!
//! In a text that is of such a language a word that no file knows is read as the known one that sounds
//! the same. Its short forms, and verbs that are written in one, stand in `spelling.txt`.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::{Lang, LangSet, WordFile};

/// Shortest sound that tells a language by itself.
const TELLING: usize = 3;
/// Words of another language that one of this outweighs: it has many lent ones.
const OUTWEIGHED: usize = 3;

/// The words of all files, and the sounds of those of a language that is spelt freely.
struct Sounds {
    known: HashMap<&'static str, LangSet>,
    short: HashMap<&'static str, &'static str>,
    stems: HashSet<&'static str>,
    joined: Vec<&'static str>,
    by_sound: HashMap<String, &'static str>,
}

static SOUNDS: LazyLock<Sounds> = LazyLock::new(Sounds::read);

/// The language that is spelt freely.
const FREE: Lang = Lang::Ur;

impl Sounds {
    fn read() -> Self {
        let mut known: HashMap<&'static str, LangSet> = HashMap::new();
        for lang in Lang::ALL {
            let files = lang.files();
            let all = [
                files.orders,
                files.delegation,
                files.cues,
                files.past,
                files.talk,
                files.dates,
            ];
            // Names of tasks are held against the words of references as they are typed, each spelling of them.
            let all = all
                .into_iter()
                .chain((lang != FREE).then_some(files.references));
            for word in all.flat_map(words_of) {
                let of = known.entry(word).or_default();
                *of |= [lang].into_iter().collect();
            }
        }
        let (mut short, mut stems, mut joined) = (HashMap::new(), HashSet::new(), Vec::new());
        FREE.files().spelling.read(Some, |class, word| {
            match class {
                "stem" => _ = stems.insert(word),
                "joined" => joined.push(word),
                class => _ = short.insert(word, class),
            }
            Ok(())
        });
        // Of several that sound the same the first one is as good as another; one that is lent tells nothing.
        let own = known.iter().filter(|(_, of)| **of == LangSet::of(FREE));
        let mut own: Vec<&str> = own.map(|(word, _)| *word).collect();
        own.sort_unstable();
        let mut by_sound = HashMap::new();
        for word in own {
            by_sound.entry(sound(word)).or_insert(word);
        }
        Self {
            known,
            short,
            stems,
            joined,
            by_sound,
        }
    }

    /// Reads two verbs that are written in one as the one that is known, or as the second: "bhejdi", "hogyi".
    fn joined(&self, word: &str) -> Option<&'static str> {
        let short = |word: &'static str| self.short.get(word).copied().unwrap_or(word);
        let mut endings = self.joined.iter();
        endings.find_map(|ending| {
            let stem = *self.stems.get(word.strip_suffix(ending)?)?;
            let ending = short(ending);
            let whole = sound(&format!("{}{ending}", short(stem)));
            Some(self.by_sound.get(&whole).copied().unwrap_or(ending))
        })
    }

    /// Another spelling of a word of a text that is `free`.
    fn respelled(&self, word: &str, free: bool) -> Option<&'static str> {
        if free && let Some(word) = self.short.get(word) {
            return Some(word);
        }
        let typed = word.len() > 1 && word.bytes().all(|letter| letter.is_ascii_lowercase());
        if !free || !typed || self.known.contains_key(word) {
            return None;
        }
        let alike = || self.by_sound.get(&sound(word)).copied();
        self.joined(word).or_else(alike)
    }

    /// Tells whether a text of these words is of the language that is spelt freely.
    fn is_free(&self, words: &[&str]) -> bool {
        let (mut own, mut all, mut letters) = (0, 0, 0);
        let mut known = [(0_usize, 0_usize); Lang::ALL.len()];
        for word in words {
            let short = self.short.contains_key(word);
            if short && word.len() == 1 {
                letters += 1;
                continue;
            }
            let of = match self.known.get(word) {
                Some(of) => *of,
                None if short && word.len() > 1 => LangSet::of(FREE),
                None if sound(word).len() < TELLING => continue,
                None if self.respelled(word, true).is_none() => continue,
                None => LangSet::of(FREE),
            };
            all += usize::from(of.has(FREE));
            own += usize::from(of == LangSet::of(FREE) && word.len() > 1);
            for ((any, apart), lang) in known.iter_mut().zip(Lang::ALL) {
                if lang != FREE && of.has(lang) {
                    *any += 1;
                    *apart += usize::from(!of.has(FREE));
                }
            }
        }
        let most = |count: fn(&(usize, usize)) -> usize| known.iter().map(count).max();
        let (any, apart) = (most(|(any, _)| *any), most(|(_, apart)| *apart));
        // "bijli b": beside words of no language a letter is one of this.
        if apart == Some(0) {
            own += letters;
        }
        own > 0 && Some(own * OUTWEIGHED) >= apart || all > 1 && Some(all) > any
    }
}

/// The spellings of words of a text that are read as others, by their place.
pub(crate) fn respelled(words: &[&str]) -> Vec<(usize, &'static str)> {
    let free = SOUNDS.is_free(words);
    let words = words.iter().enumerate();
    words
        .filter_map(|(at, word)| Some((at, SOUNDS.respelled(word, free)?)))
        .collect()
}

/// The words of a file's phrases; beginnings and ends of words are none.
fn words_of(file: WordFile) -> impl Iterator<Item = &'static str> {
    let phrases = file.lines().map(|(_, line)| match line.split_once('=') {
        Some((_, phrases)) if !line.starts_with('\t') => phrases,
        _ => line,
    });
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '*' | '\'' | '_');
    phrases
        .flat_map(move |phrases| phrases.split(move |c: char| !inside(c)))
        .filter(|word| !word.is_empty() && !word.contains('*'))
}

/// Consonants and vowels as they are heard: long vowels as short ones, no "a" between consonants.
fn sound(word: &str) -> String {
    const ALIKE: [(&str, &str); 17] = [
        ("aa", "a"),
        ("ee", "i"),
        ("ii", "i"),
        ("oo", "u"),
        ("uu", "u"),
        ("aye", "ae"),
        ("aey", "ae"),
        ("ay", "e"),
        ("ai", "e"),
        ("ei", "e"),
        ("ey", "e"),
        ("ia", "iya"),
        ("ie", "iye"),
        ("au", "o"),
        ("ph", "f"),
        ("w", "v"),
        ("q", "k"),
    ];
    let mut heard = word.to_owned();
    for (written, same) in ALIKE {
        heard = heard.replace(written, same);
    }
    let mut letters: Vec<char> = heard.chars().collect();
    let vowel = |c: char| matches!(c, 'a' | 'e' | 'i' | 'o' | 'u');
    if let [_, _, .., before, last @ ('n' | 'h')] = letters.as_slice() {
        // "nahin", "karein", "barah": what is hardly heard at the end is not always written.
        let nose = *last == 'n' && vowel(*before) && *before != 'a';
        if nose || *last == 'h' && matches!(before, 'a' | 'e') {
            letters.pop();
        }
    }
    let mut out = String::with_capacity(letters.len());
    for (at, letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| letters.get(at)).copied();
        let behind = letters.get(at + 1).copied();
        let between = before.is_some_and(|c| !vowel(c)) && behind.is_some_and(|c| !vowel(c));
        let silent = *letter == 'a' && between || Some(*letter) == before && !vowel(*letter);
        match letter {
            _ if silent => {}
            // "mujhy", "waly"
            'y' if behind.is_none() && before.is_some_and(|c| !vowel(c)) => out.push('e'),
            letter => out.push(*letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        let words: Vec<&str> = text.split(' ').collect();
        let mut out: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        for (at, word) in respelled(&words) {
            out[at] = word.to_owned();
        }
        out.join(" ")
    }

    #[test]
    fn words_that_sound_alike_are_one() {
        for (one, other) in [
            ("karo", "kro"),
            ("nahi", "nahee"),
            ("mujhe", "mujhy"),
            ("wale", "waly"),
            ("diya", "dia"),
            ("chahiye", "chahie"),
            ("zaroori", "zaruri"),
        ] {
            assert_eq!(sound(one), sound(other), "{one} {other}");
        }
        for (one, other) in [
            ("li", "le"),
            ("kal", "kul"),
            ("lana", "lena"),
            ("bhi", "bhai"),
        ] {
            assert_ne!(sound(one), sound(other), "{one} {other}");
        }
    }

    #[test]
    fn words_are_read_as_the_files_spell_them() {
        for (typed, meant) in [
            ("report bhejdi boss ko", "report diya boss ko"),
            ("kaam hogyi nhi", "kaam hogaya nahi"),
            ("sabzi lani hy", "sabzi lani hai"),
        ] {
            assert_eq!(read(typed), meant);
        }
    }

    #[test]
    fn a_text_of_another_language_is_left_as_it_is() {
        for text in [
            "pls add brd for Hri and kll him",
            "raise PR for the login",
            "zeig mir bitte alles von heute",
            "borra la leche y el pan del dia",
        ] {
            assert_eq!(read(text), text);
        }
    }
}
