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
pub(crate) struct WordFault {
    path: &'static str,
    line: usize,
    said: String,
}

impl fmt::Display for WordFault {
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
    pub(crate) fn fault(self, line: usize, said: String) -> WordFault {
        let path = self.path;
        WordFault { path, line, said }
    }

    /// Hands each phrase to `put`, with its class. Returns the faults of the file, those that `put`
    /// finds among them.
    pub(crate) fn read<C: Copy>(
        self,
        class: impl Fn(&'static str) -> Option<C>,
        mut put: impl FnMut(C, &'static str) -> Result<(), &'static str>,
    ) -> Vec<WordFault> {
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

/// Fails when a class of a reader is told by no word, explained in no comment of the English `file`, or asked for
/// by no code in `folder`, where `asks` is how it is named there.
#[cfg(test)]
#[track_caller]
pub(crate) fn assert_used(file: WordFile, classes: &[(&str, String)], folder: &str) {
    let mut code = String::new();
    let mut folders = vec![std::path::PathBuf::from(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                code += &std::fs::read_to_string(path).unwrap();
            }
        }
    }
    let blocks: Vec<&str> = file.text.split("\n\n").collect();
    let mut unused = Vec::new();
    for (class, asked) in classes {
        let line = format!("\n{class} = ");
        let mut blocks = blocks
            .iter()
            .filter(|block| format!("\n{block}").contains(&line));
        if !blocks.any(|block| block.starts_with('#') || block.contains("\n# ")) {
            unused.push(format!("{}: no word or no comment of {class:?}", file.path));
        }
        let code = code.replace(&format!("(\"{class}\", {asked})"), "");
        let ends =
            |rest: &str| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_');
        if !code.split(asked.as_str()).skip(1).any(ends) {
            unused.push(format!("nothing in {folder} asks for {asked}"));
        }
    }
    assert!(unused.is_empty(), "\n{}\n", unused.join("\n"));
}

/// Fails when a file has a fault, and names all of them.
#[cfg(test)]
#[track_caller]
pub(crate) fn assert_sound(faults: impl IntoIterator<Item = WordFault>) {
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
        let faults: Vec<_> = faults.iter().map(WordFault::to_string).collect();
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
