//! The files of the project as the rules see them: the text, and the code alone.

#![cfg(test)]

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

/// A text file.
pub struct Source {
    /// Relative to the project, with `/`: `src/guard/judge.rs`.
    pub path: String,
    /// As it stands.
    pub text: String,
    /// For Rust: without comments and without what stands in quotes; lines stay where they are.
    pub code: String,
}

impl Source {
    pub fn new(path: &str, text: &str) -> Self {
        let rust = path.ends_with(".rs");
        Self {
            path: path.to_owned(),
            text: text.to_owned(),
            code: if rust { code(text) } else { String::new() },
        }
    }

    pub fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    pub fn is_under(&self, folder: &str) -> bool {
        self.path.starts_with(folder)
    }
}

/// The number, from 1, of the line in which the byte `at` of `text` lies.
pub fn line_of(text: &str, at: usize) -> usize {
    1 + text.bytes().take(at).filter(|byte| *byte == b'\n').count()
}

/// Every text file of the project; what is built or generated is not looked at.
pub static TREE: LazyLock<Vec<Source>> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = Vec::new();
    collect(root, "", &mut sources);
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    sources
});

fn collect(folder: &Path, prefix: &str, sources: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let path = format!("{prefix}{name}");
        if entry.file_type().unwrap().is_dir() {
            // What a fuzzer wrote down is any bytes at all.
            let generated = ["target", ".git", "mutants.out", "corpus", "artifacts"];
            if !generated.contains(&name.as_str()) {
                collect(&entry.path(), &format!("{path}/"), sources);
            }
        } else if name != ".env" && name != ".git" {
            // `.git` is a file where one repository has several trees. What is not text, such as
            // a database left by a run, is nobody's source. A file may also be gone by now.
            if let Ok(text) = fs::read_to_string(entry.path()) {
                sources.push(Source::new(&path, &text));
            }
        }
    }
}

/// Rust with every comment, string and character blanked out.
fn code(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut code = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(&here) = chars.get(at) {
        let Some(end) = hidden(&chars, at) else {
            code.push(here);
            at += 1;
            continue;
        };
        for hidden in &chars[at..end] {
            code.push(if *hidden == '\n' { '\n' } else { ' ' });
        }
        at = end;
    }
    code
}

/// Where the comment, string or character that begins at `at` ends, if one begins there.
fn hidden(chars: &[char], at: usize) -> Option<usize> {
    let next = chars.get(at + 1).copied();
    match chars[at] {
        '/' if next == Some('/') => Some(until(chars, at, |c| c == '\n')),
        '/' if next == Some('*') => Some(block_comment(chars, at)),
        '"' => Some(string(chars, at + 1)),
        'r' if at == 0 || !in_word(chars, at - 1) => raw_string(chars, at + 1),
        '\'' if next == Some('\\') => Some(1 + until(chars, at + 3, |c| c == '\'')),
        '\'' if chars.get(at + 2) == Some(&'\'') => Some(at + 3),
        _ => None,
    }
    .map(|end| end.min(chars.len()))
}

/// Tells whether the character belongs to a word that goes on; the `b` of `br""` does not.
fn in_word(chars: &[char], at: usize) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let prefix = chars[at] == 'b' && (at == 0 || !word(chars[at - 1]));
    word(chars[at]) && !prefix
}

fn until(chars: &[char], from: usize, stop: impl Fn(char) -> bool) -> usize {
    let rest = chars.iter().skip(from).position(|c| stop(*c));
    rest.map_or(chars.len(), |found| from + found)
}

fn block_comment(chars: &[char], at: usize) -> usize {
    let mut depth = 0_usize;
    let mut here = at;
    while let Some(pair) = chars.get(here..here + 2) {
        match pair {
            ['/', '*'] => depth += 1,
            ['*', '/'] if depth == 1 => return here + 2,
            ['*', '/'] => depth -= 1,
            _ => {
                here += 1;
                continue;
            }
        }
        here += 2;
    }
    chars.len()
}

fn string(chars: &[char], from: usize) -> usize {
    let mut here = from;
    while let Some(c) = chars.get(here) {
        match c {
            '\\' => here += 2,
            '"' => return here + 1,
            _ => here += 1,
        }
    }
    chars.len()
}

fn raw_string(chars: &[char], from: usize) -> Option<usize> {
    let open = until(chars, from, |c| c != '#');
    if chars.get(open) != Some(&'"') {
        return None;
    }
    let marks = open - from;
    let closes = |at: usize| {
        let rest = chars.get(at + 1..at + 1 + marks);
        chars[at] == '"' && rest.is_some_and(|rest| rest.iter().all(|c| *c == '#'))
    };
    let end = (open + 1..chars.len()).find(|at| closes(*at));
    Some(end.map_or(chars.len(), |end| end + 1 + marks))
}

mod tests {
    use super::code;

    #[test]
    fn code_is_what_is_neither_said_nor_quoted() {
        let check = |text: &str, expect: &str| {
            let words: Vec<_> = code(text).split_whitespace().map(str::to_owned).collect();
            assert_eq!(words.join(" "), expect, "{text}");
            assert_eq!(code(text).lines().count(), text.lines().count(), "{text}");
        };
        check("a; // b\nc", "a; c");
        check("a /* b /* c */ d */ e", "a e");
        check("f(\"a \\\" // b\", c)", "f( , c)");
        check("f(r#\"a \" b\"#, br\"c\\\", d)", "f( , b , d)");
        check("x == '\"' && y == '\\'' // z", "x == && y ==");
        check("fn f<'a>(x: &'a str) {}", "fn f<'a>(x: &'a str) {}");
        check("for r in rows {}", "for r in rows {}");
        check("\"never closed", "");
    }
}
