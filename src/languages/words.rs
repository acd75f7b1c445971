//! Files of words: which phrases belong to which class.
//!
//! A line is `class = phrase | phrase`; one that begins with a tab goes on with the line above, and
//! `#` opens a comment. A line with a fault is left out, and a test names its file, its number and the
//! fault: a typing mistake must not keep the server from starting.

use std::fmt;

/// A file of a language's words.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WordFile {
    /// Path from the root of the source tree.
    pub path: &'static str,
    /// The words.
    pub text: &'static str,
}

/// A fault of a line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    path: &'static str,
    line: usize,
    said: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, line, said } = self;
        write!(f, "{path}:{line}: {said}")
    }
}

impl WordFile {
    /// The lines without comments and blanks, with their numbers.
    pub(crate) fn lines(self) -> impl Iterator<Item = (usize, &'static str)> {
        let lines = self.text.lines().map(|line| {
            let said = line.split('#').next();
            said.unwrap_or_default().trim_end()
        });
        (1..).zip(lines).filter(|(_, line)| !line.is_empty())
    }

    /// A fault of one of its lines.
    pub(crate) fn fault(self, line: usize, said: String) -> Fault {
        let path = self.path;
        Fault { path, line, said }
    }

    /// Hands each phrase to `put`, with its class. Returns the faults of the file, those that `put`
    /// finds among them.
    pub(crate) fn read<C: Copy>(
        self,
        class: impl Fn(&str) -> Option<C>,
        mut put: impl FnMut(C, &'static str) -> Result<(), &'static str>,
    ) -> Vec<Fault> {
        let mut faults = Vec::new();
        let mut known = None;
        for (number, line) in self.lines() {
            let phrases = match line.split_once('=') {
                _ if line.starts_with('\t') => line,
                Some((name, phrases)) => {
                    known = class(name.trim());
                    if known.is_none() {
                        faults.push(self.fault(number, format!("no class {:?}", name.trim())));
                    }
                    phrases
                }
                None => {
                    faults.push(self.fault(number, "no `class = phrase | phrase`".to_owned()));
                    known = None;
                    continue;
                }
            };
            let phrases = phrases.split('|').map(str::trim);
            for phrase in phrases.filter(|phrase| !phrase.is_empty()) {
                if let Some(Err(said)) = known.map(|class| put(class, phrase)) {
                    faults.push(self.fault(number, format!("{phrase:?} {said}")));
                }
            }
        }
        faults
    }
}

/// Fails when a file has a fault, and names all of them.
#[cfg(test)]
#[track_caller]
pub(crate) fn assert_sound(faults: impl IntoIterator<Item = Fault>) {
    let faults: Vec<_> = faults.into_iter().map(|fault| fault.to_string()).collect();
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_go_on_and_faults_are_named() {
        let file = WordFile {
            path: "x.txt",
            text: "# a\nb = c d | e\n\t| f # g\n\nh = i\n\t| j\nk\n\tl\n",
        };
        let mut read = Vec::new();
        let class = |name: &str| (name == "b").then_some(1);
        let faults = file.read(class, |class, phrase| {
            read.push((class, phrase));
            (phrase != "f").then_some(()).ok_or("is wrong")
        });
        assert_eq!(read, [(1, "c d"), (1, "e"), (1, "f")]);
        let faults: Vec<_> = faults.iter().map(Fault::to_string).collect();
        assert_eq!(
            faults,
            [
                "x.txt:3: \"f\" is wrong",
                "x.txt:5: no class \"h\"",
                "x.txt:7: no `class = phrase | phrase`"
            ]
        );
    }
}
