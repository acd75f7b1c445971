//! Lines as they come: from a pipe, or typed by somebody with the comforts of line editing.
//!
//! The editor blocks, so it has a thread of its own that reads one line whenever one is asked for.
//! What was typed is kept between conversations where the system keeps such things, for this
//! user's eyes alone.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc;

use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{Config, Editor, ExternalPrinter};
use tokio::io::{AsyncBufRead, Lines};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Number of lines that are kept.
const KEPT: usize = 1_000;
/// Prompt before a line that is typed.
const PROMPT: &str = "> ";

/// Source of lines.
#[derive(Debug)]
pub enum Input<R> {
    /// A pipe or a file.
    Piped(Lines<R>),
    /// Somebody types.
    Typed(Typed),
}

impl<R: AsyncBufRead + Unpin> Input<R> {
    /// The next line; none at the end. Cancel-safe.
    pub(super) async fn next(&mut self) -> io::Result<Option<String>> {
        match self {
            Self::Piped(lines) => lines.next_line().await,
            Self::Typed(typed) => typed.next().await,
        }
    }
}

/// Somebody at a terminal.
#[derive(Debug)]
pub struct Typed {
    ask: mpsc::Sender<()>,
    lines: UnboundedReceiver<io::Result<Option<String>>>,
    asked: bool,
    aside: Option<UnboundedSender<String>>,
}

impl Typed {
    /// Begins to listen; `kept` is the file of earlier lines.
    ///
    /// # Errors
    /// When this terminal can't be edited on.
    pub fn begin(kept: Option<PathBuf>) -> io::Result<Self> {
        let config = Config::builder().max_history_size(KEPT).map_err(other)?;
        let config = config.history_ignore_space(true).auto_add_history(true);
        let mut editor: Editor<(), FileHistory> =
            Editor::with_config(config.build()).map_err(other)?;
        if let Some(kept) = &kept {
            // The first time there is none.
            drop(editor.load_history(kept));
        }
        let aside = editor.create_external_printer().ok().map(printed);
        let (ask, asked) = mpsc::channel::<()>();
        let (tell, lines) = unbounded_channel();
        std::thread::spawn(move || {
            while asked.recv().is_ok() {
                let line = read(&mut editor);
                if let Some(kept) = &kept {
                    // A file that can't be written costs the memory, not the conversation.
                    drop(keep(&mut editor, kept));
                }
                if tell.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Self {
            ask,
            lines,
            asked: false,
            aside,
        })
    }

    async fn next(&mut self) -> io::Result<Option<String>> {
        if !self.asked {
            self.ask.send(()).map_err(io::Error::other)?;
            self.asked = true;
        }
        let line = self.lines.recv().await;
        self.asked = false;
        line.unwrap_or(Ok(None))
    }

    /// Prints above the line that is being typed; false when that can't be done.
    pub(super) fn aside(&self, text: &str) -> bool {
        let aside = self.aside.as_ref();
        aside.is_some_and(|aside| aside.send(text.to_owned()).is_ok())
    }
}

/// Returns the path that a user's lines are kept at: `$XDG_STATE_HOME/candor/history`, or in
/// `~/.local/state`.
pub fn history(state: Option<PathBuf>, home: Option<PathBuf>) -> Option<PathBuf> {
    let state = state.filter(|path| path.is_absolute());
    let state = state.or_else(|| Some(home?.join(".local/state")));
    Some(state?.join("candor/history"))
}

/// Ctrl-C gives the line up, Ctrl-D ends.
fn read(editor: &mut Editor<(), FileHistory>) -> io::Result<Option<String>> {
    match editor.readline(PROMPT) {
        Ok(line) => Ok(Some(line)),
        Err(ReadlineError::Interrupted) => Ok(Some(String::new())),
        Err(ReadlineError::Eof) => Ok(None),
        Err(ReadlineError::Io(error)) => Err(error),
        Err(error) => Err(other(error)),
    }
}

fn keep(editor: &mut Editor<(), FileHistory>, file: &Path) -> rustyline::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    editor.save_history(file)
}

/// Hands text to a printer that may block.
fn printed(mut printer: impl ExternalPrinter + Send + 'static) -> UnboundedSender<String> {
    let (aside, mut texts) = unbounded_channel();
    std::thread::spawn(move || {
        while let Some(text) = texts.blocking_recv() {
            if printer.print(text).is_err() {
                break;
            }
        }
    });
    aside
}

fn other(error: ReadlineError) -> io::Error {
    io::Error::other(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_kept_where_the_system_keeps_such_things() {
        let path = |text: &str| Some(PathBuf::from(text));
        let check = |state, home, expect| assert_eq!(history(state, home), expect);
        check(path("/s"), path("/h"), path("/s/candor/history"));
        check(None, path("/h"), path("/h/.local/state/candor/history"));
        // A relative one is to be ignored, by the specification of these folders.
        check(
            path("s"),
            path("/h"),
            path("/h/.local/state/candor/history"),
        );
        check(None, None, None);
    }
}
