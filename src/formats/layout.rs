//! Every layout that is read, how it is recognised, and its reader.
//!
//! A layout of one program stands before the plain one of the same format: the first that says
//! yes to a text reads it.

use super::others::{google_tasks, microsoft_todo, outlook, ticktick, todoist, vikunja};
use super::{Format, ReadOptions, Reading, Unreadable, csv, ics, identity, json, todotxt};

/// Layout of a file.
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    /// The word on the command line, in queries and in reports.
    pub name: &'static str,
    /// The format that it is a layout of.
    pub format: Format,
    /// Tells whether a text has it.
    sniff: fn(&str) -> bool,
    read: LayoutReader,
}

type LayoutReader = fn(&str, &ReadOptions) -> Result<Reading, Unreadable>;

/// All of them.
pub static LAYOUTS: [Layout; 10] = [
    Layout::new("ics", Format::Ics, ics::sniff, ics::read),
    Layout::new("todoist", Format::Csv, todoist::sniff, todoist::read),
    Layout::new("ticktick", Format::Csv, ticktick::sniff, ticktick::read),
    Layout::new("outlook", Format::Csv, outlook::sniff, outlook::read),
    Layout::new("vikunja", Format::Json, vikunja::sniff, vikunja::read),
    Layout::new(
        "google-tasks",
        Format::Json,
        google_tasks::sniff,
        google_tasks::read,
    ),
    Layout::new(
        "microsoft-todo",
        Format::Json,
        microsoft_todo::sniff,
        microsoft_todo::read,
    ),
    Layout::new("json", Format::Json, json::sniff, json::read),
    Layout::new("csv", Format::Csv, csv::sniff, csv::read),
    TODO_TXT,
];

/// Any text is one, so none is recognised as it.
const TODO_TXT: Layout = Layout::new("todotxt", Format::Todotxt, |_| false, todotxt::read);

impl Layout {
    const fn new(
        name: &'static str,
        format: Format,
        sniff: fn(&str) -> bool,
        read: LayoutReader,
    ) -> Self {
        Self {
            name,
            format,
            sniff,
            read,
        }
    }

    /// The names of all of them, for errors: `ics, todoist, … or todotxt`.
    pub fn names() -> String {
        let names = LAYOUTS.map(|layout| layout.name);
        match names.split_last() {
            Some((last, others)) => format!("{} or {last}", others.join(", ")),
            None => String::new(),
        }
    }

    /// The layout that somebody names. The word of a format lets the text tell which of its
    /// layouts it has.
    pub fn named(word: &str, text: &str) -> Option<&'static Self> {
        match Format::parse(word) {
            Some(format) => Some(Self::of(format, text)),
            None => LAYOUTS.iter().find(|layout| layout.name == word),
        }
    }

    /// The layout of a text of that format.
    pub fn of(format: Format, text: &str) -> &'static Self {
        let mut own = LAYOUTS.iter().filter(|layout| layout.format == format);
        let found = own.clone().find(|layout| (layout.sniff)(text));
        let plain = own.find(|layout| layout.name == format.as_str());
        // Every format has a plain layout of its own name.
        found.or(plain).unwrap_or(&TODO_TXT)
    }

    /// The layout of a text by what it says, else by the name of its file.
    pub fn recognise(text: &str, named: Option<Format>) -> Option<&'static Self> {
        let found = LAYOUTS.iter().find(|layout| (layout.sniff)(text));
        found.or_else(|| named.map(|format| Self::of(format, text)))
    }

    /// Reads a text, with lines that name the same task twice refused.
    ///
    /// # Errors
    /// [`Unreadable`] when it has not this layout at all.
    pub fn read(&self, text: &str, options: &ReadOptions) -> Result<Reading, Unreadable> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut reading = (self.read)(text, options)?;
        identity::refuse_doubles(&mut reading);
        reading.refused.sort_by_key(|refused| refused.line);
        Ok(reading)
    }
}
