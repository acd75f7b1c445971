//! Lists written line by line: "add these:", then a line with a dash or a number for each.

use std::ops::Range;

use crate::domain::text::{Kind, Text};
use crate::intent::{Act, Clause, Target};
use crate::language::words::{Gap, Words};

use super::Reader;

/// Signs that mark a line as one of a list.
const BULLETS: [&str; 6] = ["-", "*", "•", "·", "+", "~"];

/// Part of a message that is read by itself.
#[derive(Debug)]
pub(crate) enum Stretch {
    /// One sentence.
    Sentence(Range<usize>),
    /// The lines of a list, without their marks.
    Items(Vec<Range<usize>>),
}

impl Stretch {
    /// The words of its sentence, or of each of its lines.
    pub(super) fn ranges(&self) -> &[Range<usize>] {
        match self {
            Self::Sentence(words) => std::slice::from_ref(words),
            Self::Items(items) => items,
        }
    }
}

/// The message in order: its sentences and lists.
pub(crate) fn stretches(text: &Text<'_>, words: &Words) -> Vec<Stretch> {
    let lines = Lines { text, words };
    let mut stretches = Vec::new();
    let mut start = 0;
    while start < words.list.len() {
        let items = lines.items(start);
        let stretch = match items.last() {
            Some(last) => {
                start = last.end;
                Stretch::Items(items)
            }
            None => {
                let sentence = start..words.sentence(start);
                start = sentence.end;
                Stretch::Sentence(sentence)
            }
        };
        stretches.push(stretch);
    }
    stretches
}

/// Finds the lines of lists.
struct Lines<'a> {
    text: &'a Text<'a>,
    words: &'a Words,
}

impl Lines<'_> {
    /// The lines of the list that begins at word `start`, without their marks; none when no list
    /// begins there. After a line that ends in a colon every line is one of its list.
    fn items(&self, start: usize) -> Vec<Range<usize>> {
        let mut items = Vec::new();
        let headed = start > 0 && self.words.gap(start).has(Gap::COLON) && self.breaks(start);
        let mut at = start;
        while at < self.words.list.len() && (at == 0 || self.breaks(at)) {
            let Some(first) = self.marked(at).or(headed.then_some(at)) else {
                break;
            };
            let mut rest = first + 1..self.words.list.len();
            let end = rest.find(|next| self.breaks(*next));
            let end = end.unwrap_or(self.words.list.len());
            items.push(first.min(end)..end);
            at = end;
        }
        // One dash alone at the front of a message is a manner of writing.
        if start == 0 && items.len() == 1 {
            items.clear();
        }
        items
    }

    /// Tells whether a line begins at word `at`.
    fn breaks(&self, at: usize) -> bool {
        let token = |at: usize| self.words.list.get(at).map(|word| word.token as usize);
        let Some(here) = token(at) else {
            return false;
        };
        let before = at.checked_sub(1).and_then(token).unwrap_or_default();
        let between = self.text.tokens.get(before..here).unwrap_or_default();
        between.iter().any(|token| token.kind == Kind::Break)
    }

    /// The first word after the mark of a line that begins at word `at`: "- milk", "1. milk".
    fn marked(&self, at: usize) -> Option<usize> {
        let word = self.words.list.get(at)?;
        let token = word.token as usize;
        let next = self.text.word(token + 1);
        if word.number && matches!(next, "." | ")") && at + 1 < self.words.list.len() {
            return (!self.breaks(at + 1)).then_some(at + 1);
        }
        let line = self.text.tokens.get(..token).unwrap_or_default();
        let marks = line
            .iter()
            .rev()
            .take_while(|token| token.kind == Kind::Punct);
        let marks = marks.count();
        let first = token.checked_sub(marks).filter(|first| *first < token)?;
        BULLETS.contains(&self.text.word(first)).then_some(at)
    }
}

impl Reader<'_> {
    /// Reads the lines of a list: as what the clause before it asks for, else each by itself.
    pub(super) fn listed(&mut self, items: &[Range<usize>], clauses: &mut Vec<Clause>) {
        let (Some(first), Some(last)) = (items.first(), items.last()) else {
            return;
        };
        let whole = first.start..last.end;
        let before = clauses.pop();
        match before {
            Some(mut clause) if opens(&clause.act) => {
                match &mut clause.act {
                    Act::Add(addition) => {
                        let head = std::mem::take(&mut addition.whole);
                        let tasks = items.iter().map(|item| {
                            self.sentence = item.clone();
                            self.task(item.clone())
                        });
                        addition.parts = tasks.filter(|task| !task.title.is_empty()).collect();
                        for part in &mut addition.parts {
                            part.fill(&head);
                        }
                        let titles = addition.parts.iter().map(|part| part.title.as_str());
                        addition.whole.title = titles.collect::<Vec<_>>().join(", ");
                        addition.whole.bytes = self.bytes(whole.clone());
                        addition.split = true;
                    }
                    Act::Change(change) => {
                        change.targets.whole = Target::Named(self.written(whole.clone()).into());
                        let parts = items.iter().map(|item| {
                            self.sentence = item.clone();
                            self.target(item.clone())
                        });
                        change.targets.parts = parts.collect();
                    }
                    _ => {}
                }
                clause.bytes.end = self.bytes(whole).end;
                clauses.push(clause);
            }
            other => {
                clauses.extend(other);
                for item in items {
                    self.apart(item.clone(), clauses);
                }
            }
        }
    }
}

/// Tells whether a list may say what this is about: "add these", "delete the following".
fn opens(act: &Act) -> bool {
    match act {
        Act::Add(addition) => addition.whole.title.is_empty() && !addition.described,
        Act::Change(change) => matches!(
            change.targets.whole,
            Target::They { .. } | Target::It | Target::Missing
        ),
        _ => false,
    }
}
