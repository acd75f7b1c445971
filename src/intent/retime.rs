//! Another time of day in the words of a title, where it stands.

use chrono::NaiveDate;

use crate::domain::Lang;
use crate::domain::text::Text;
use crate::temporal::{self, Unkept};

/// The title with its time of day replaced: "call the plumber at 5pm" and "6pm". `None` when it
/// has none.
pub fn retime(title: &str, time: &str) -> Option<String> {
    let read = Text::new(title);
    let scan = temporal::scan(&read, NaiveDate::MIN, Lang::En);
    let (tokens, _) = scan
        .unkept
        .iter()
        .find(|(_, kind)| *kind == Unkept::TimeOfDay)?;
    // The preposition stays as the user wrote it.
    let first = tokens.clone().find(|index| {
        !matches!(
            read.word(*index),
            "at" | "by" | "around" | "um" | "a" | "alle"
        )
    })?;
    let bytes = read.bytes(first..tokens.end)?;
    let mut changed = title.to_owned();
    changed.replace_range(bytes, time.trim_start_matches("at "));
    Some(changed)
}
