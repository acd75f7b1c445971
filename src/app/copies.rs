//! `candor backup` and `candor restore`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, Result};
use serde_json::json;

use super::cli::{BackupArgs, RestoreArgs};
use super::maintenance::{count, tell};
use crate::config::Config;
use crate::store::{SoundnessReport, Store};

/// `candor backup`. Migrations are left alone: one may want a backup because of them.
pub(super) async fn backup(
    config: &Config,
    arguments: &BackupArgs,
    out: &mut impl Write,
) -> Result<ExitCode> {
    let store = super::existing(config).await?;
    let made = store.backup(&arguments.file).await;
    store.close().await;
    let sound = made.context("no backup was made")?;
    let file = &arguments.file;
    let told = json!({"ok": true, "file": file, "holds": sound});
    let words = format!(
        "{} holds {}; every hash fits.",
        file.display(),
        words(&sound)
    );
    tell(arguments.json, &told, &words, out)
}

/// `candor restore`.
pub(super) async fn restore(
    config: &Config,
    arguments: &RestoreArgs,
    out: &mut impl Write,
) -> Result<ExitCode> {
    let url = config.database.expose();
    let restored = Store::restore(url, &arguments.file, arguments.replace).await;
    let restored = restored.context("nothing was restored")?;
    let (holds, kept) = (&restored.sound, &restored.kept);
    let told = json!({"ok": true, "holds": holds, "kept": kept});
    let mut words = format!(
        "{} now holds {}; every hash fits.",
        config.database,
        words(holds)
    );
    if let Some(kept) = kept {
        words.push_str(&format!(
            "\nWhat was there before is in {}.",
            kept.display()
        ));
    }
    tell(arguments.json, &told, &words, out)
}

fn words(sound: &SoundnessReport) -> String {
    let users = count(sound.users, "user", "users");
    let events = count(sound.events, "audit event", "audit events");
    let root = sound.tree_root.get(..16).unwrap_or_default();
    format!("{events} of {users} (tree {root}…)")
}
