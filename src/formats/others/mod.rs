//! Files that other programs write, each by its published layout.

pub(super) mod google_tasks;
pub(super) mod microsoft_todo;
pub(super) mod outlook;
pub(super) mod ticktick;
pub(super) mod todoist;
pub(super) mod vikunja;
