//! Patterns of file names: `*.md`, `docs/**`, `src/{a,b}/?.rs`.

use regex::Regex;

/// The longest pattern, in bytes.
const PATTERN_MAX: usize = 200;

/// Patterns of the files that are meant.
#[derive(Debug, Clone)]
pub(super) struct FileGlobs(Option<Vec<Regex>>);

impl FileGlobs {
    /// The patterns of a run; none means every file. One that can't be read means no file: it
    /// was meant to narrow.
    pub(super) fn new(patterns: &[String]) -> Self {
        if patterns.is_empty() {
            return Self(None);
        }
        Self(Some(patterns.iter().filter_map(|it| compile(it)).collect()))
    }

    /// Tells whether a path (relative, with `/`) is meant. A pattern without `/` is one of the
    /// name.
    pub(super) fn allow(&self, path: &str) -> bool {
        self.0
            .as_ref()
            .is_none_or(|known| known.iter().any(|it| it.is_match(path)))
    }
}

fn compile(pattern: &str) -> Option<Regex> {
    let pattern = pattern.trim().trim_start_matches("./");
    if pattern.is_empty() || pattern.len() > PATTERN_MAX {
        return None;
    }
    let mut text = String::from(if pattern.contains('/') {
        "^"
    } else {
        "(?:^|/)"
    });
    let mut rest = pattern.chars().peekable();
    let mut braces = 0_u32;
    while let Some(c) = rest.next() {
        match c {
            '*' if rest.peek() == Some(&'*') => {
                rest.next();
                if rest.peek() == Some(&'/') {
                    rest.next();
                    text.push_str("(?:.*/)?");
                } else {
                    text.push_str(".*");
                }
            }
            '*' => text.push_str("[^/]*"),
            '?' => text.push_str("[^/]"),
            '{' => {
                braces += 1;
                text.push_str("(?:");
            }
            '}' if braces > 0 => {
                braces -= 1;
                text.push(')');
            }
            ',' if braces > 0 => text.push('|'),
            c => text.push_str(&regex::escape(c.encode_utf8(&mut [0; 4]))),
        }
    }
    text.push('$');
    Regex::new(&text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        let check = |pattern: &str, path: &str, expect: bool| {
            let globs = FileGlobs::new(&[pattern.to_owned()]);
            assert_eq!(globs.allow(path), expect, "{pattern} {path}");
        };
        check("*.md", "a.md", true);
        check("*.md", "docs/a.md", true);
        check("*.md", "a.mdx", false);
        check("docs/*.md", "docs/a.md", true);
        check("docs/*.md", "docs/x/a.md", false);
        check("docs/**/*.md", "docs/x/y/a.md", true);
        check("docs/**/*.md", "docs/a.md", true);
        check("src/**", "src/a/b.rs", true);
        check("src/**", "lib/a.rs", false);
        check("a.{rs,md}", "a.md", true);
        check("a?.md", "ab.md", true);
        check("a+b.md", "aab.md", false);
        check("{a", "{a", false);
        assert!(FileGlobs::new(&[]).allow("anything"));
    }
}
