//! `candor audit report`: a period of the log in figures, as text, JSON or one page.

mod chart;
mod html;
mod tally;
mod text;

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, Result};
use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta, Utc};
use serde_json::json;

use self::tally::{LogTally, ReportPeriod};
use super::super::cli::ReportArgs;
use super::{each_event, export, users};
use crate::domain::put_member;
use crate::store::Store;

/// Reports on the database.
pub(super) async fn online(
    store: &Store,
    arguments: &ReportArgs,
    out: &mut impl Write,
) -> Result<ExitCode> {
    let period = period(arguments);
    let mut tally = LogTally::default();
    for user in users(store, arguments.user.as_ref()).await? {
        each_event(store, &user, |row| {
            tally.push(row, &period);
            Ok(())
        })
        .await?;
    }
    print(&tally.finish(), arguments, out)
}

/// Reports on an export. Opens no database.
pub(super) fn offline(arguments: &ReportArgs, out: &mut impl Write) -> Result<ExitCode> {
    let period = period(arguments);
    let mut tally = LogTally::default();
    if let Some(file) = &arguments.export {
        export::each(file, |placed| {
            tally.push(placed.event, &period);
            Ok(())
        })?;
    }
    print(&tally.finish(), arguments, out)
}

fn print(tally: &LogTally, arguments: &ReportArgs, out: &mut impl Write) -> Result<ExitCode> {
    let covers = covers(arguments);
    if let Some(path) = &arguments.html {
        let page = html::page(tally, &covers);
        std::fs::write(path, page)
            .with_context(|| format!("{} can't be written", path.display()))?;
    }
    if arguments.json {
        let mut told = serde_json::to_value(tally)?;
        put_member(&mut told, "ghosts", json!(tally.ghosts()));
        put_member(&mut told, "receipts", json!(tally.receipts()));
        put_member(
            &mut told,
            "period",
            json!({
                "from": arguments.from.map(PeriodEdge::text),
                "to": arguments.to.map(PeriodEdge::text),
                "user": arguments.user,
            }),
        );
        writeln!(out, "{told}")?;
    } else {
        text::write(tally, &covers, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// One end of a period: a day, or an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PeriodEdge {
    /// A whole day (UTC).
    Day(NaiveDate),
    /// An instant.
    At(DateTime<Utc>),
}

impl PeriodEdge {
    /// Reads `2026-02-08` or an RFC 3339 instant.
    ///
    /// # Errors
    /// In words for the command line.
    pub fn parse(text: &str) -> Result<Self, String> {
        let day = text.parse().map(Self::Day).ok();
        let at = || DateTime::parse_from_rfc3339(text).map(|at| Self::At(at.to_utc()));
        day.or_else(|| at().ok())
            .ok_or_else(|| "a day such as 2026-02-08, or an instant (RFC 3339)".to_owned())
    }

    fn begin(self) -> DateTime<Utc> {
        match self {
            Self::Day(day) => day.and_time(NaiveTime::MIN).and_utc(),
            Self::At(at) => at,
        }
    }

    /// A day that ends a period belongs to it.
    fn end(self) -> DateTime<Utc> {
        match self {
            Self::Day(_) => self.begin() + TimeDelta::days(1),
            Self::At(at) => at,
        }
    }

    fn text(self) -> String {
        match self {
            Self::Day(day) => day.to_string(),
            Self::At(at) => at.to_rfc3339(),
        }
    }
}

fn period(arguments: &ReportArgs) -> ReportPeriod {
    ReportPeriod {
        user: arguments.user.clone(),
        from: arguments.from.map(PeriodEdge::begin),
        to: arguments.to.map(PeriodEdge::end),
    }
}

/// The period in words.
fn covers(arguments: &ReportArgs) -> String {
    let from = arguments.from.map(PeriodEdge::text);
    let to = arguments.to.map(PeriodEdge::text);
    let mut words = match (from, to) {
        (Some(from), Some(to)) => format!("from {from} to {to}"),
        (Some(from), None) => format!("from {from} on"),
        (None, Some(to)) => format!("up to {to}"),
        (None, None) => "the whole log".to_owned(),
    };
    if let Some(user) = &arguments.user {
        words.push_str(&format!(", user {user}"));
    }
    words
}
