//! Reads the grammar files.
//!
//! `# …` is a comment · `@name = pattern` defines a class; indented lines below it are
//! further alternatives · `number 2 = two`, `ordinal 2 = second`, `unit day = day` give
//! words a value; `deed call = call | called | phone` names verbs that may stand for each other, in
//! all their forms · `head:` opens a list of indented patterns. A line with a fault is left
//! out, and a test names it: a typing mistake must not keep the server from starting.

use std::collections::HashMap;

use crate::domain::{Lang, LangSet, Priority};
use crate::languages::{Files, GrammarHabits, PerLang, WordFault, WordFile};
use crate::temporal::Unit;

use crate::language::lexicon::{Lexicon, WordId, WordSet};
use crate::language::notation::{Fault, Node, each_word, parse};
use crate::language::pattern::{Classes, Pattern};

use super::class::Class;
use super::head::{Flags, Head, HeadKind};
use super::{Grammar, Grammars, RuleSet, Tables, WordValues};

/// Classes of words that stand in nearly every sentence: no pattern should be looked up by one.
const EVERYDAY: [Class; 4] = [Class::Article, Class::Inner, Class::Sentence, Class::And];

/// Weight of a word of such a class, counted in words of patterns.
const COMMON: u32 = 500;

/// Numbers the words of all files, for the grammars that are read of them.
pub(super) fn grammars(file: fn(&Files) -> WordFile, all: PerLang<Grammar>) -> Grammars {
    let mut lexicon = Lexicon::default();
    let mut speakers = vec![LangSet::default()];
    for lang in Lang::ALL {
        for (_, line) in file(lang.files()).lines() {
            each_word(pattern(line), |word| {
                let id = lexicon.learn(word);
                speakers.resize(lexicon.size(), LangSet::default());
                if let Some(knowing) = speakers.get_mut(usize::from(id)) {
                    *knowing |= LangSet::of(lang);
                }
            });
        }
    }
    Grammars {
        lexicon,
        speakers,
        all,
    }
}

/// Returns the pattern in a line; habits are none.
fn pattern(line: &str) -> &str {
    match line.split_once('=') {
        _ if line.starts_with(char::is_whitespace) => line,
        _ if GrammarHabits::named_in(line).is_some() => "",
        Some((_, pattern)) => pattern,
        None => "",
    }
}

/// Section that the lines below an unindented one belong to.
enum Section {
    Nothing,
    Class(String, Vec<Node>),
    Rules(Head),
}

struct Reader<'l> {
    lexicon: &'l Lexicon,
    classes: Classes,
    tables: Tables,
    clauses: RuleSet,
    targets: RuleSet,
    attributes: RuleSet,
    notes: RuleSet,
}

/// Reads one grammar, whose words are numbered in `lexicon`, and the faults of its file.
pub(super) fn read(lang: Lang, file: WordFile, lexicon: &Lexicon) -> (Grammar, Vec<WordFault>) {
    let mut reader = Reader {
        lexicon,
        classes: Classes::default(),
        tables: Tables {
            classes: vec![None; Class::COUNT],
            ..Tables::default()
        },
        clauses: RuleSet::new(0),
        targets: RuleSet::new(1),
        attributes: RuleSet::new(2),
        notes: RuleSet::new(3),
    };
    let mut faults = Vec::new();
    let (mut section, mut begun) = (Section::Nothing, 0);
    for (number, line) in file.lines() {
        let done = if line.starts_with(char::is_whitespace) {
            reader.below(&mut section, line)
        } else {
            let open = std::mem::replace(&mut section, Section::Nothing);
            faults.extend(reader.close(open).err().map(|fault| (begun, fault)));
            begun = number;
            reader.open(line).map(|opened| section = opened)
        };
        faults.extend(done.err().map(|fault| (number, fault)));
    }
    faults.extend(reader.close(section).err().map(|fault| (begun, fault)));
    let faults = faults
        .into_iter()
        .map(|(line, fault)| file.fault(line, fault.to_string()))
        .collect();
    (reader.finish(lang), faults)
}

impl Reader<'_> {
    fn open(&mut self, line: &str) -> Result<Section, Fault> {
        let unread = || Fault::Line(line.to_owned());
        if let Some((name, pattern)) = line.strip_prefix('@').and_then(|l| l.split_once('=')) {
            let first = (!pattern.trim().is_empty()).then(|| parse(pattern));
            let nodes = first.transpose()?.into_iter().collect();
            return Ok(Section::Class(name.trim().to_owned(), nodes));
        }
        if let Some(head) = line.trim_end().strip_suffix(':') {
            let head = Head::parse(head).ok_or_else(|| Fault::Head(head.to_owned()))?;
            return Ok(Section::Rules(head));
        }
        if let Some(names) = GrammarHabits::named_in(line) {
            GrammarHabits::default().take(names).ok_or_else(unread)?;
            return Ok(Section::Nothing);
        }
        let (key, pattern) = line.split_once('=').ok_or_else(unread)?;
        let (table, key) = key.trim().split_once(' ').ok_or_else(unread)?;
        let words = self.lower(&parse(pattern)?)?.words();
        self.value(table, key.trim(), &words).ok_or_else(unread)?;
        Ok(Section::Nothing)
    }

    fn lower(&mut self, node: &Node) -> Result<Pattern, Fault> {
        self.classes.lower(node, self.lexicon)
    }

    fn value(&mut self, table: &str, key: &str, words: &WordSet) -> Option<()> {
        self.tables.known.extend(words);
        match table {
            "number" => put(&mut self.tables.numbers, words, key.parse().ok()?),
            "ordinal" => put(&mut self.tables.ordinals, words, key.parse().ok()?),
            "unit" => {
                let unit = match key {
                    "day" => Unit::Day,
                    "week" => Unit::Week,
                    "month" => Unit::Month,
                    "year" => Unit::Year,
                    _ => return None,
                };
                put(&mut self.tables.units, words, unit);
            }
            "level" => {
                self.tables.trailing.extend(words);
                put(&mut self.tables.levels, words, Priority::parse(key)?);
            }
            "deed" => self.tables.deeds.push(words.clone()),
            _ => return None,
        }
        Some(())
    }

    fn below(&mut self, section: &mut Section, line: &str) -> Result<(), Fault> {
        let node = parse(line)?;
        match section {
            Section::Nothing => Err(Fault::Line(line.to_owned())),
            Section::Class(_, nodes) => {
                nodes.push(node);
                Ok(())
            }
            Section::Rules(head) => {
                let line = self.lower(&node)?;
                let rules = match head.kind {
                    HeadKind::It
                    | HeadKind::They
                    | HeadKind::TheOther
                    | HeadKind::Nth
                    | HeadKind::First
                    | HeadKind::Set
                    | HeadKind::Named
                    | HeadKind::Nothing => &mut self.targets,
                    HeadKind::Attribute if head.flags.has(Flags::NOTE) => &mut self.notes,
                    HeadKind::Attribute => &mut self.attributes,
                    _ => &mut self.clauses,
                };
                rules.push(*head, &line);
                Ok(())
            }
        }
    }

    fn close(&mut self, section: Section) -> Result<(), Fault> {
        let Section::Class(name, nodes) = section else {
            return Ok(());
        };
        let pattern = self.lower(&Node::Any(nodes))?;
        if let Some(class) = Class::parse(&name)
            && let Some(place) = self.tables.classes.get_mut(class as usize)
        {
            *place = Some(pattern.clone());
        }
        pattern.know(&mut self.tables.known);
        self.classes.insert(name, pattern);
        Ok(())
    }

    fn finish(mut self, lang: Lang) -> Grammar {
        let mut all = [
            &mut self.clauses,
            &mut self.targets,
            &mut self.attributes,
            &mut self.notes,
        ];
        let mut weights = HashMap::default();
        for rules in &all {
            rules.weigh(&mut weights);
            rules.know(&mut self.tables.known);
        }
        let everyday = EVERYDAY.into_iter().filter_map(|class| {
            let pattern = self.tables.classes.get(class as usize)?.as_ref()?;
            Some(pattern.words())
        });
        for id in everyday.flat_map(|words| words.iter().collect::<Vec<WordId>>()) {
            *weights.entry(id).or_default() += COMMON;
        }
        for rules in &mut all {
            rules.link(&weights);
        }
        for rules in [&self.attributes, &self.notes] {
            self.tables.trailing.extend(rules.beginnings());
        }
        self.tables.link(self.lexicon.size());
        Grammar {
            lang,
            clauses: self.clauses,
            targets: self.targets,
            attributes: self.attributes,
            notes: self.notes,
            words: self.tables,
        }
    }
}

/// Gives words a value; the first that a word is given counts.
fn put<T: Copy>(values: &mut WordValues<T>, words: &WordSet, value: T) {
    for id in words.iter() {
        values.entry(id).or_insert(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::assert_sound;

    const FILES: [fn(&Files) -> WordFile; 2] = [|files| files.orders, |files| files.delegation];

    #[test]
    fn the_files_have_no_faults() {
        for file in FILES {
            let faults = |lang: Lang| read(lang, file(lang.files()), &Lexicon::default()).1;
            assert_sound(Lang::ALL.into_iter().flat_map(faults));
        }
    }

    #[test]
    fn every_class_is_used() {
        for file in Lang::ALL
            .into_iter()
            .flat_map(|lang| FILES.map(|file| file(lang.files())))
        {
            let named = file.text.split('@').skip(1);
            let name = |rest: &'static str| {
                let end = rest.find(|next: char| !next.is_alphanumeric() && next != '_');
                rest.get(..end.unwrap_or(rest.len())).unwrap_or_default()
            };
            let named: Vec<_> = named.map(name).collect();
            for class in file.lines().filter_map(|(_, line)| line.strip_prefix('@')) {
                let class = name(class);
                let uses = named.iter().filter(|named| **named == class).count();
                assert!(
                    uses > 1 || Class::parse(class).is_some(),
                    "{}: @{class}",
                    file.path
                );
            }
        }
    }

    #[test]
    fn a_fault_is_named_and_left_out() {
        let file = "list:\n  show (me\nnonsense:\n  show me\nadd:\n  add {content}\n";
        let (path, text) = ("orders.txt", file);
        let (grammar, faults) = read(Lang::En, WordFile { path, text }, &Lexicon::default());
        let faults: Vec<_> = faults.iter().map(ToString::to_string).collect();
        assert_eq!(
            faults[0],
            "orders.txt:2: unbalanced brackets in \"  show (me\""
        );
        assert_eq!(faults.len(), 3, "{faults:?}");
        assert!(format!("{:?}", grammar.clauses).contains("Add"));
    }

    /// A language is met by its words before its grammar is read.
    #[test]
    fn a_grammar_knows_the_words_of_its_file() {
        for grammars in [Grammars::load(), Grammars::errands()] {
            for grammar in grammars.read_all() {
                let known = &grammar.words.known;
                let differ = (1..grammars.lexicon.size()).filter_map(|id| u16::try_from(id).ok());
                let differ = differ
                    .filter(|id| known.contains(*id) != grammars.speakers(*id).has(grammar.lang));
                let differ: Vec<_> = differ.collect();
                assert!(differ.is_empty(), "{:?}: {differ:?}", grammar.lang);
            }
        }
    }
}
