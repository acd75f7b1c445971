//! `candor token`: makes, lists and revokes API keys.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use rand_core::RngCore;
use serde_json::{Map, Value, json};

use super::cli::{ScopeArg, TokenArgs, TokenCommand};
use crate::config::Config;
use crate::domain::{Clock, UserId};
use crate::store::{ApiKey, ENTROPY, KeyScope, NewKey, Store, prefix_of};

/// `candor token …`.
pub(super) async fn run(
    config: &Config,
    command: &TokenCommand,
    out: &mut impl Write,
) -> Result<ExitCode> {
    let now = Clock::system(None).now(chrono_tz::UTC).instant;
    let store = match command {
        // Whoever begins with a key has no database yet.
        TokenCommand::Create(_) => super::ready(config).await?,
        TokenCommand::List { .. } | TokenCommand::Revoke { .. } => {
            super::maintenance::current(config).await?
        }
    };
    let done = match command {
        TokenCommand::Create(arguments) => create(config, &store, arguments, now, out).await,
        TokenCommand::List { user, json } => list(&store, user.as_ref(), *json, now, out).await,
        TokenCommand::Revoke { key, json } => revoke(&store, key, *json, now, out).await,
    };
    store.close().await;
    done
}

async fn create(
    config: &Config,
    store: &Store,
    arguments: &TokenArgs,
    now: DateTime<Utc>,
    out: &mut impl Write,
) -> Result<ExitCode> {
    let scope = match arguments.scope {
        ScopeArg::Read => KeyScope::Read,
        ScopeArg::Write => KeyScope::Write,
        ScopeArg::Admin => KeyScope::Admin,
    };
    match (&arguments.user, scope) {
        (Some(_), KeyScope::Admin) => {
            bail!("a key of scope admin opens every user's paths: leave --user out")
        }
        (None, KeyScope::Read | KeyScope::Write) => {
            bail!("say whose paths the key opens: --user NAME, such as --user me")
        }
        _ => {}
    }
    let mut entropy = [0; ENTROPY];
    let drawn = rand_core::OsRng.try_fill_bytes(&mut entropy);
    drawn.map_err(|error| anyhow::anyhow!("no randomness: {error}"))?;
    let new = NewKey {
        name: arguments.name.clone(),
        user: arguments.user.clone(),
        scope,
        expires_at: arguments
            .days
            .map(|days| now + TimeDelta::days(days.into())),
    };
    let made = store.create_key(new, &entropy, now).await;
    let (key, text) = made.context("no key was made")?;
    if arguments.json {
        let mut shown = shown(&key, now);
        shown.insert("key".to_owned(), text.into());
        writeln!(out, "{}", Value::Object(shown))?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(out, "{text}")?;
    // Beside the key, so that a script gets the key alone.
    let mut beside = io::stderr().lock();
    let whose = whose(&key);
    writeln!(
        beside,
        "This is the key of {whose} ({scope}), shown this once: keep it."
    )?;
    let path = key.user.as_ref().map_or("USER", UserId::as_str);
    writeln!(
        beside,
        "Send it as the header `Authorization: Bearer KEY` to /api/{path}/…"
    )?;
    if !config.auth.keys {
        writeln!(
            beside,
            "A server asks for it when it is started with CANDOR_AUTH=keys."
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

async fn list(
    store: &Store,
    user: Option<&UserId>,
    as_json: bool,
    now: DateTime<Utc>,
    out: &mut impl Write,
) -> Result<ExitCode> {
    let mut keys = store.keys().await?;
    keys.retain(|key| user.is_none() || key.user.as_ref() == user);
    if as_json {
        let keys = keys.iter().map(|key| Value::Object(shown(key, now)));
        let keys: Vec<Value> = keys.collect();
        writeln!(out, "{}", json!({ "keys": keys }))?;
        return Ok(ExitCode::SUCCESS);
    }
    if keys.is_empty() {
        writeln!(
            out,
            "There are no keys: candor token create --user NAME makes one."
        )?;
        return Ok(ExitCode::SUCCESS);
    }
    let head = [
        "PREFIX",
        "STATE",
        "SCOPE",
        "USER",
        "MADE",
        "LAST USED",
        "NAME",
    ];
    let mut rows = vec![head.map(str::to_owned)];
    rows.extend(keys.iter().map(|key| {
        let day = |at: DateTime<Utc>| at.format("%Y-%m-%d").to_string();
        let minute = |at: DateTime<Utc>| at.format("%Y-%m-%d %H:%M").to_string();
        [
            key.prefix.clone(),
            state(key, now).to_owned(),
            key.scope.to_string(),
            whose(key),
            day(key.created_at),
            key.last_used_at.map_or_else(|| "never".to_owned(), minute),
            key.name.clone(),
        ]
    }));
    let widths: [usize; 7] = std::array::from_fn(|column| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    });
    for row in &rows {
        let cells = row.iter().zip(widths);
        let line: String = cells
            .map(|(cell, width)| format!("{cell:width$}  "))
            .collect();
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(ExitCode::SUCCESS)
}

async fn revoke(
    store: &Store,
    key: &str,
    as_json: bool,
    now: DateTime<Utc>,
    out: &mut impl Write,
) -> Result<ExitCode> {
    let prefix = prefix_of(key).unwrap_or(key);
    let Some(found) = store.key(prefix).await? else {
        bail!("there is no key of this prefix: see candor token list");
    };
    store.revoke_key(prefix, now).await?;
    let before = found.revoked_at.is_some();
    if as_json {
        let found = store.key(prefix).await?.unwrap_or(found);
        let mut shown = shown(&found, now);
        shown.insert("changed".to_owned(), (!before).into());
        writeln!(out, "{}", Value::Object(shown))?;
    } else if before {
        writeln!(
            out,
            "The key {prefix} of {} was revoked already.",
            whose(&found)
        )?;
    } else {
        writeln!(out, "Revoked the key {prefix} of {}.", whose(&found))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn whose(key: &ApiKey) -> String {
    let user = key.user.as_ref().map(UserId::to_string);
    user.unwrap_or_else(|| "everybody".to_owned())
}

fn state(key: &ApiKey, now: DateTime<Utc>) -> &'static str {
    match (key.revoked_at, key.expires_at) {
        (Some(_), _) => "revoked",
        (None, Some(end)) if end <= now => "expired",
        (None, _) => "good",
    }
}

/// All of a key but the key.
fn shown(key: &ApiKey, now: DateTime<Utc>) -> Map<String, Value> {
    let at = |at: Option<DateTime<Utc>>| {
        let text = at.map(|at| at.to_rfc3339_opts(SecondsFormat::Secs, true));
        Value::from(text)
    };
    let members = [
        ("prefix", json!(key.prefix)),
        ("state", json!(state(key, now))),
        ("scope", json!(key.scope)),
        ("user_id", json!(key.user)),
        ("name", json!(key.name)),
        ("created_at", at(Some(key.created_at))),
        ("expires_at", at(key.expires_at)),
        ("revoked_at", at(key.revoked_at)),
        ("last_used_at", at(key.last_used_at)),
    ];
    let members = members.map(|(name, value)| (name.to_owned(), value));
    Map::from_iter(members)
}
