//! Shapes of clients' prompts: reads `clients.txt`, which says how they are written, and finds
//! them in a text.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{PromptPart, UtilityPurpose};

/// Length of what is looked at of a prompt, at its beginning and at its end, in characters.
const LOOK: usize = 600;
/// The most tokens that `..` stands for.
const GAP: usize = 18;

/// The shapes in the order of the file. A line that can't be read is found by a test.
pub(super) static SHAPES: LazyLock<Vec<RequestShape>> = LazyLock::new(|| {
    let shapes = parse(include_str!("clients.txt"));
    shapes.into_iter().filter_map(Result::ok).collect()
});

/// One line of the file.
#[derive(Debug)]
pub(super) struct RequestShape {
    pub(super) wanted: UtilityPurpose,
    pub(super) place: PromptPart,
    marks: Vec<Mark>,
    /// Words of an instruction for some cases only, which is not what the request is for: in
    /// its sentence, and before its marks.
    ordinary: Vec<String>,
    sometimes: Vec<String>,
}

#[derive(Debug)]
enum Mark {
    Literal(String),
    Words(Vec<Step>),
}

/// One part of a mark of words.
#[derive(Debug)]
enum Step {
    Start,
    Edge,
    /// Up to [`GAP`] tokens, none of these words.
    Gap(Vec<String>),
    Sign(char),
    Word {
        any_of: Vec<String>,
        optional: bool,
    },
}

#[derive(Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    Sign(char),
    /// End of a sentence or a paragraph.
    Stop,
}

/// A prompt, cut into words and signs.
pub(super) struct Text {
    lower: String,
    tokens: Vec<Token>,
}

impl Text {
    /// Reads the beginning of a prompt, and its end too where `both`.
    pub(super) fn read(prompt: &str, both: bool) -> Self {
        let mut lower = prompt.trim().to_lowercase();
        let (head, rest) = split(&lower, LOOK);
        let mut tokens = tokens(head);
        if both {
            let between = rest.chars().count().saturating_sub(LOOK);
            if between > 0 {
                tokens.push(Token::Stop);
            }
            tokens.extend(self::tokens(split(rest, between).1));
        } else {
            lower.truncate(head.len());
        }
        let first = tokens
            .iter()
            .position(|token| matches!(token, Token::Word(_)));
        tokens.drain(..first.unwrap_or(tokens.len()));
        Self { lower, tokens }
    }
}

fn split(text: &str, chars: usize) -> (&str, &str) {
    let at = text
        .char_indices()
        .nth(chars)
        .map_or(text.len(), |(at, _)| at);
    text.split_at_checked(at).unwrap_or((text, ""))
}

fn tokens(text: &str) -> Vec<Token> {
    let text = text.replace("...", "…");
    let mut tokens = Vec::new();
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        let next = letters.peek().copied();
        let in_word = |c: char| c.is_alphanumeric() || c == '\'' || c == '’';
        match c {
            _ if c.is_alphanumeric() => {
                let mut word = String::from(c);
                while let Some(c) = letters.next_if(|c| in_word(*c)) {
                    word.push(if c == '’' { '\'' } else { c });
                }
                if !PASSED.contains(&word.as_str()) {
                    tokens.push(Token::Word(word));
                }
            }
            '\n' if matches!(next, Some('\n' | '-' | '*' | '•')) => tokens.push(Token::Stop),
            '.' | '!' | '?' if next.is_none_or(char::is_whitespace) => tokens.push(Token::Stop),
            '*' | '_' | '#' | '`' | '~' | '-' | '–' | '—' | '‑' => {}
            '\n' => tokens.push(Token::Sign('\n')),
            _ if c.is_whitespace() => {}
            _ => tokens.push(Token::Sign(c)),
        }
    }
    tokens
}

/// Words that mean nothing to a shape.
const PASSED: [&str; 2] = ["please", "kindly"];

impl RequestShape {
    /// Tells whether all of its marks stand in a text.
    pub(super) fn stands_in(&self, text: &Text) -> bool {
        self.marks.iter().all(|mark| match mark {
            Mark::Literal(literal) => text.lower.contains(literal),
            Mark::Words(steps) => (0..=text.tokens.len())
                .any(|at| follows(steps, &text.tokens, at) && !self.is_ordinary(text, at)),
        })
    }

    /// Tells whether the sentence around the token at `at` says that it holds for some cases only.
    fn is_ordinary(&self, text: &Text, at: usize) -> bool {
        let (before, after) = text.tokens.split_at_checked(at).unwrap_or_default();
        let goes_on = |token: &&Token| **token != Token::Stop;
        let has = |words: &[String], token: &Token| matches!(token, Token::Word(word) if is_one(words, word));
        let mut after = after.iter().take_while(goes_on);
        let mut before = before.iter().rev().take_while(goes_on);
        after.any(|token| has(&self.ordinary, token))
            || before.any(|token| has(&self.ordinary, token) || has(&self.sometimes, token))
    }
}

/// Tells whether the steps are taken from the token at `at` on.
fn follows(steps: &[Step], tokens: &[Token], at: usize) -> bool {
    let Some((step, rest)) = steps.split_first() else {
        return true;
    };
    let token = tokens.get(at);
    match step {
        Step::Start => at == 0 && follows(rest, tokens, at),
        Step::Edge => !matches!(token, Some(Token::Word(_))) && follows(rest, tokens, at),
        Step::Sign(sign) => {
            matches!(token, Some(Token::Sign(c)) if c == sign) && follows(rest, tokens, at + 1)
        }
        Step::Word { any_of, optional } => {
            let taken = matches!(token, Some(Token::Word(word)) if is_one(any_of, word));
            (taken && follows(rest, tokens, at + 1)) || (*optional && follows(rest, tokens, at))
        }
        Step::Gap(own) => {
            let passed = tokens
                .iter()
                .skip(at)
                .take(GAP)
                .take_while(|token| match token {
                    Token::Word(word) => !is_one(own, word),
                    Token::Sign(_) => true,
                    Token::Stop => false,
                });
            (at..=at + passed.count()).any(|at| follows(rest, tokens, at))
        }
    }
}

fn is_one(any_of: &[String], word: &str) -> bool {
    any_of.iter().any(|one| match one.strip_suffix('*') {
        Some(stem) => word.starts_with(stem),
        None => word == one,
    })
}

type Classes = HashMap<String, Vec<String>>;

/// Reads the file: a shape, or the line that is none.
fn parse(file: &str) -> Vec<Result<RequestShape, String>> {
    let mut classes = Classes::new();
    let mut shapes = Vec::new();
    for line in file.lines().map(str::trim) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some((name, words)) = class(line) {
            classes.insert(name, words);
        } else {
            shapes.push(shape(line, &classes).ok_or_else(|| line.to_owned()));
        }
    }
    shapes
}

fn class(line: &str) -> Option<(String, Vec<String>)> {
    let (name, words) = line.strip_prefix("class ")?.split_once('=')?;
    let words = words.split_whitespace().map(str::to_owned).collect();
    Some((name.trim().to_owned(), words))
}

fn shape(line: &str, classes: &Classes) -> Option<RequestShape> {
    let columns: Vec<&str> = line.split(" | ").map(str::trim).collect();
    let [_, wanted, place, marks] = columns.as_slice() else {
        return None;
    };
    let place = match *place {
        "system" => PromptPart::System,
        "message" => PromptPart::Message,
        "transcript" => PromptPart::Transcript,
        _ => return None,
    };
    let if_system = |class: &str| match place {
        PromptPart::System => classes.get(class).cloned(),
        PromptPart::Message | PromptPart::Transcript => Some(Vec::new()),
    };
    let marks = marks
        .split(" & ")
        .map(|mark| self::mark(mark.trim(), classes));
    Some(RequestShape {
        wanted: UtilityPurpose::parse(wanted)?,
        place,
        marks: marks.collect::<Option<_>>()?,
        ordinary: if_system("ordinary")?,
        sometimes: if_system("sometimes")?,
    })
}

fn mark(mark: &str, classes: &Classes) -> Option<Mark> {
    if let Some(literal) = mark.strip_prefix('`') {
        return Some(Mark::Literal(literal.strip_suffix('`')?.to_owned()));
    }
    let steps = mark.split_whitespace().map(|part| step(part, classes));
    Some(Mark::Words(steps.collect::<Option<_>>()?))
}

fn step(part: &str, classes: &Classes) -> Option<Step> {
    Some(match part {
        "^" => Step::Start,
        "/" => Step::Edge,
        ".." => Step::Gap(classes.get("own")?.clone()),
        ":" | "…" => Step::Sign(part.chars().next()?),
        _ => {
            let word = part.strip_suffix('?');
            let optional = word.is_some();
            let word = word.unwrap_or(part);
            let class = word
                .strip_prefix('{')
                .and_then(|word| word.strip_suffix('}'));
            let any_of = match class {
                Some(class) => classes.get(class)?.clone(),
                None => vec![word.to_owned()],
            };
            Step::Word { any_of, optional }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_file_is_read() {
        let shapes = parse(include_str!("clients.txt"));
        let unread: Vec<_> = shapes
            .iter()
            .filter_map(|shape| shape.as_ref().err())
            .collect();
        assert!(unread.is_empty(), "{unread:#?}");
        assert!(shapes.len() > 100);
        for bad in [
            "title | message | x",
            "a | song | message | x",
            "a | tags | here | x",
            "a | tags | message | {none}",
        ] {
            assert!(shape(bad, &Classes::new()).is_none(), "{bad}");
        }
    }

    #[test]
    fn marks_are_found_as_the_file_says() {
        let file = "class own = task\nclass make = generat* write\n";
        let check = |mark: &str, text: &str, expect: bool| {
            let line = format!("{file}a | title | message | {mark}");
            let shapes: Vec<_> = parse(&line).into_iter().collect::<Result<_, _>>().unwrap();
            let found = shapes
                .iter()
                .all(|shape| shape.stands_in(&Text::read(text, true)));
            assert_eq!((found, shapes.len()), (expect, 1), "{mark}: {text}");
        };
        check(
            "{make} .. title",
            "Please **write** a 3-5 word Title.",
            true,
        );
        check("{make} .. title", "Write it. A title", false);
        check("{make} .. title", "write\n\na title", false);
        check("{make} .. title", "generating\na title", true);
        check("{make} .. title", "write a task with a title", false);
        check("^ write", "\"Please write", true);
        check("^ write", "add write", false);
        check("title /", "a title", true);
        check("title /", "a title, short", true);
        check("title /", "a title page", false);
        check("a? title :", "title: x", true);
        check("title …", "title... x", true);
        check("`<x>` & write", "write <X>", true);
        check("`<x>` & write", "write x", false);
        let far = format!("{} write a title", "word. ".repeat(500));
        check("write a title", &far, true);
        let between = format!(
            "{} write a title {}",
            "word. ".repeat(500),
            "word. ".repeat(500)
        );
        check("write a title", &between, false);
    }
}
