//! Helpers that the fuzz targets share: how bytes choose the day and the language, and what holds
//! for every span.
//!
//! From the root, with a nightly toolchain or `RUSTC_BOOTSTRAP=1`:
//! `cargo fuzz run -s none message_reader fuzz/corpus/message_reader fuzz/seeds/message_reader`.
//! The first folder is written to and must be there. Nothing here is `unsafe`, so no sanitizer
//! is needed. With `--features planted` every target must crash: `arguments`, whose text must stay
//! a task, within a minute or two, the others within seconds.

use std::ops::Range;

use candor::domain::Lang;
use chrono::{Days, NaiveDate};

/// A text with the day and the language it is read with, which the first two bytes choose.
pub fn setting(data: &[u8]) -> Option<(&str, NaiveDate, Lang)> {
    let (head, text) = data.split_at_checked(2)?;
    let text = std::str::from_utf8(text).ok()?;
    let first = NaiveDate::from_ymd_opt(2023, 12, 25)?;
    let today = first.checked_add_days(Days::new(u64::from(head[0]) * 5))?;
    let lang = Lang::ALL[usize::from(head[1]) % Lang::ALL.len()];
    Some((text, today, lang))
}

/// A span lies in the text, on boundaries of characters.
#[track_caller]
pub fn lies_in(text: &str, bytes: &Range<usize>) {
    assert!(text.get(bytes.clone()).is_some(), "{bytes:?} of {text:?}");
}

/// Tells whether the planted fault shows on this text: only fuzzing writes such a one.
pub fn planted(text: &str) -> bool {
    cfg!(feature = "planted") && text.contains('7') && text.contains(';')
}
