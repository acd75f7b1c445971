//! The notation of patterns in the word files, read into a tree.
//!
//! `word` is itself · `(a | b c)` one of these · `[a | b]` one of these or nothing ·
//! `@name` a class defined above · `{slot}` words to be captured · `,` a comma or colon
//! stands here · `'s` the word before ends in 's. Words are folded as messages are.

use crate::domain::text::{Kind, Text};

use super::slot::Slot;

/// One pattern, or a part of one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Node {
    /// One folded word.
    Word(String),
    /// One after the other.
    Seq(Vec<Node>),
    /// Any one; earlier ones are preferred.
    Any(Vec<Node>),
    /// A part, or nothing.
    Maybe(Box<Node>),
    /// A class of the same file.
    Class(String),
    /// Words to be captured.
    Slot(Slot),
    /// A comma, colon or dash before the next word.
    Comma,
    /// The word before ends in 's.
    Clitic,
}

/// Reason why a line is no pattern.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Fault {
    /// A bracket is missing or too many.
    #[error("unbalanced brackets in {0:?}")]
    Brackets(String),
    /// No such slot.
    #[error("unknown slot {0:?}")]
    Slot(String),
    /// No such class.
    #[error("unknown class {0:?}")]
    Class(String),
    /// No such head.
    #[error("unknown head {0:?}")]
    Head(String),
    /// Neither a definition, a head nor a pattern.
    #[error("what is this line: {0:?}")]
    Line(String),
}

/// Reads one pattern.
pub(crate) fn parse(line: &str) -> Result<Node, Fault> {
    let atoms = atoms(line);
    let mut rest = atoms.as_slice();
    let node = alternatives(&mut rest).map_err(|fault| match fault {
        Fault::Brackets(_) => Fault::Brackets(line.to_owned()),
        other => other,
    })?;
    if rest.is_empty() {
        Ok(node)
    } else {
        Err(Fault::Brackets(line.to_owned()))
    }
}

/// Tells `each` of the words of a pattern, without reading it.
pub(crate) fn each_word(line: &str, mut each: impl FnMut(&str)) {
    let sign = |c: char| matches!(c, '(' | ')' | '[' | ']' | '|' | ',') || c.is_whitespace();
    for atom in line.split(sign).filter(|atom| !atom.is_empty()) {
        if is_plain(atom) {
            each(atom);
            continue;
        }
        let mut nodes: Vec<Node> = Vec::new();
        // A slot that does not exist is no word either.
        let _known = word(atom, &mut nodes);
        for node in nodes {
            match node {
                Node::Word(word) => each(&word),
                Node::Any(spellings) => {
                    for spelling in spellings {
                        if let Node::Word(word) = spelling {
                            each(&word);
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

/// Tells whether `atom` is a word that folds to itself.
fn is_plain(atom: &str) -> bool {
    atom.bytes().all(|byte| byte.is_ascii_lowercase())
}

fn atoms(line: &str) -> Vec<&str> {
    let mut atoms = Vec::new();
    let mut start = None;
    for (at, c) in line.char_indices() {
        let sign = matches!(c, '(' | ')' | '[' | ']' | '|' | ',');
        if sign || c.is_whitespace() {
            atoms.extend(start.take().and_then(|from| line.get(from..at)));
            if sign {
                atoms.extend(line.get(at..at + 1));
            }
        } else if start.is_none() {
            start = Some(at);
        }
    }
    atoms.extend(start.and_then(|from| line.get(from..)));
    atoms
}

fn alternatives(rest: &mut &[&str]) -> Result<Node, Fault> {
    let mut all = vec![sequence(rest)?];
    while let Some((&"|", tail)) = rest.split_first() {
        *rest = tail;
        all.push(sequence(rest)?);
    }
    Ok(match all.len() {
        1 => all.remove(0),
        _ => Node::Any(all),
    })
}

fn sequence(rest: &mut &[&str]) -> Result<Node, Fault> {
    let mut items = Vec::new();
    while let Some((&atom, tail)) = rest.split_first() {
        match atom {
            "|" | ")" | "]" => break,
            "(" | "[" => {
                *rest = tail;
                let inner = alternatives(rest)?;
                let close = if atom == "(" { ")" } else { "]" };
                match rest.split_first() {
                    Some((end, tail)) if *end == close => *rest = tail,
                    _ => return Err(Fault::Brackets(atom.to_owned())),
                }
                items.push(if atom == "[" {
                    Node::Maybe(Box::new(inner))
                } else {
                    inner
                });
            }
            _ => {
                *rest = tail;
                word(atom, &mut items)?;
            }
        }
    }
    Ok(match items.len() {
        1 => items.remove(0),
        _ => Node::Seq(items),
    })
}

fn word(atom: &str, items: &mut Vec<Node>) -> Result<(), Fault> {
    if atom == "," {
        items.push(Node::Comma);
    } else if atom == "'s" {
        items.push(Node::Clitic);
    } else if let Some(name) = atom.strip_prefix('@').filter(|name| !name.is_empty()) {
        items.push(Node::Class(name.to_owned()));
    } else if let Some(name) = atom.strip_prefix('{').and_then(|a| a.strip_suffix('}')) {
        let slot = Slot::parse(name).ok_or_else(|| Fault::Slot(name.to_owned()))?;
        items.push(Node::Slot(slot));
    } else if is_plain(atom) {
        items.push(Node::Word(atom.to_owned()));
    } else {
        let text = Text::new(atom);
        let words = text.tokens.iter().enumerate().filter(|(_, token)| {
            token.kind == Kind::Word || !matches!(text.raw.get(token.span.clone()), Some("-"))
        });
        items.extend(words.map(|(at, _)| spelt(text.word(at))));
    }
    Ok(())
}

/// The endings that are often typed without their apostrophe: "whats", "dont", "im".
const TIED: [&str; 7] = ["n't", "'s", "'m", "'ve", "'re", "'ll", "'d"];

/// Words that are another word, or too often one, without their apostrophe.
const ANOTHER: [&str; 9] = [
    "its", "were", "well", "ill", "wed", "id", "hell", "shell", "shed",
];

/// A word, also as it is typed in haste.
fn spelt(word: &str) -> Node {
    if !word.contains('\'') {
        return Node::Word(word.to_owned());
    }
    let bare = word.replace('\'', "");
    let tied = TIED.iter().any(|end| word.ends_with(end)) && word.len() > bare.len();
    let whole = Node::Word(word.to_owned());
    if !tied || bare.len() < 2 || ANOTHER.contains(&bare.as_str()) {
        return whole;
    }
    Node::Any(vec![whole, Node::Word(bare)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expect: &Node) {
        assert_eq!(parse(line).as_ref(), Ok(expect), "{line}");
    }

    #[test]
    fn patterns_nest() {
        let word = |w: &str| Node::Word(w.to_owned());
        check("Löschen", &word("loschen"));
        check("to-do", &Node::Seq(vec![word("to"), word("do")]));
        check(
            "take [it | them] off",
            &Node::Seq(vec![
                word("take"),
                Node::Maybe(Box::new(Node::Any(vec![word("it"), word("them")]))),
                word("off"),
            ]),
        );
        check(
            "(add|put) {thing}",
            &Node::Seq(vec![
                Node::Any(vec![word("add"), word("put")]),
                Node::Slot(Slot::Thing),
            ]),
        );
    }

    #[test]
    fn an_apostrophe_may_be_missing() {
        let word = |w: &str| Node::Word(w.to_owned());
        check("don't", &Node::Any(vec![word("don't"), word("dont")]));
        check("we're", &word("we're"));
        check("d'appeler", &word("d'appeler"));
    }

    #[test]
    fn faults_are_named() {
        assert!(matches!(parse("(add"), Err(Fault::Brackets(_))));
        assert!(matches!(parse("add)"), Err(Fault::Brackets(_))));
        assert!(matches!(parse("add {nonsense}"), Err(Fault::Slot(_))));
    }
}
