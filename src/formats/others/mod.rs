//! Files that other programs write, each by its published layout.

use serde_json::value::RawValue;

use super::draft::Drafts;
use super::lines::LineIndex;
use super::values::{elements, values};
use super::{ReadOptions, Reading, Unreadable};

pub(super) mod google_tasks;
pub(super) mod microsoft_todo;
pub(super) mod outlook;
pub(super) mod ticktick;
pub(super) mod todoist;
pub(super) mod vikunja;

/// Reads a text of JSON values: each, or each element of one that is an array.
///
/// # Errors
/// [`Unreadable`], where it is not JSON.
fn read_each(
    text: &str,
    options: &ReadOptions,
    read: impl Fn(&RawValue, &LineIndex<'_>, &mut Drafts),
) -> Result<Reading, Unreadable> {
    let (mut drafts, lines) = (Drafts::default(), LineIndex::new(text));
    for root in values(text)? {
        for each in elements(root).unwrap_or_else(|| vec![root]) {
            read(each, &lines, &mut drafts);
        }
    }
    Ok(drafts.read(options))
}
