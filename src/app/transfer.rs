//! `candor export` and `candor import`: whole lists, to a file and from one.

use std::fs::OpenOptions;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;
use clap::builder::PossibleValuesParser;
use serde_json::json;

use super::maintenance::{self, count};
use super::{clock, direct};
use crate::chat::direct::{ImportOutcome, ImportReport, TaskImport};
use crate::chat::wire::task_file;
use crate::config::Config;
use crate::domain::{IdSource, UserId, put_member};
use crate::eval::BadInput;
use crate::formats::{self, DayOrder, Format, LAYOUTS, Layout, LeftOutKind, ReadOptions};

/// Name that stands for standard input.
const STDIN: &str = "-";

/// `candor export`.
#[derive(Debug, Args)]
pub struct OutArgs {
    /// The file to make; standard output without it
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Format to write; else the file's name says it, and standard output is json
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(Format::ALL.map(Format::as_str)))]
    pub format: Option<String>,
    /// User of the tasks
    #[arg(long, value_name = "USER", default_value = "me", value_parser = UserId::parse)]
    pub user: UserId,
    /// Write over a file that is there
    #[arg(long)]
    pub replace: bool,
    /// Print one JSON object about the file
    #[arg(long, requires = "file")]
    pub json: bool,
}

/// `candor import`.
#[derive(Debug, Args)]
pub struct TakeArgs {
    /// The file to read; - is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Format to read; else its text says it, or its name
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(LAYOUTS.map(|layout| layout.name)))]
    pub format: Option<String>,
    /// Order of day and month in dates such as 10/02/2026; else its other dates must show it
    #[arg(long, value_name = "ORDER", value_parser = PossibleValuesParser::new(DayOrder::ALL.map(DayOrder::as_str)))]
    pub dates: Option<String>,
    /// Its encoding, such as windows-1252; else UTF-8, or what its byte-order mark says
    #[arg(long, value_name = "NAME")]
    pub encoding: Option<String>,
    /// Exit with 0 although less is kept than the file holds
    #[arg(long)]
    pub lossy: bool,
    /// User of the list
    #[arg(long, value_name = "USER", default_value = "me", value_parser = UserId::parse)]
    pub user: UserId,
    /// Say what it would do, and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `candor export`.
pub(super) async fn export(
    config: &Config,
    arguments: &OutArgs,
    out: &mut impl Write,
) -> Result<ExitCode> {
    let format = written_as(arguments)?;
    let store = super::maintenance::current(config).await?;
    let tasks = direct(config, &store, IdSource::random())
        .all(&arguments.user)
        .await;
    store.close().await;
    let tasks = tasks.context("nothing was exported")?;
    let text = task_file(format, &tasks.to_vec());
    let Some(file) = &arguments.file else {
        out.write_all(text.as_bytes())?;
        out.flush()?;
        return Ok(ExitCode::SUCCESS);
    };
    put(file, &text, arguments.replace)?;
    let held = count(tasks.len() as u64, "task", "tasks");
    let words = format!("{} holds {held} of {}.", file.display(), arguments.user);
    let format = format.as_str();
    let told = json!({"ok": true, "file": file, "format": format, "tasks": tasks.len()});
    maintenance::tell(arguments.json, &told, &words, out)
}

/// The format that is asked for, or that the file's name says; JSON on standard output.
fn written_as(arguments: &OutArgs) -> Result<Format> {
    let asked = arguments.format.as_deref().and_then(Format::parse);
    match (asked, &arguments.file) {
        (Some(format), _) => Ok(format),
        (None, None) => Ok(Format::Json),
        (None, Some(file)) => of_file(file).filter(|_| !is_tabbed(file)).with_context(|| {
            let formats = Format::ALL.map(Format::as_str).join(", ");
            format!(
                "the name {} says no format (.ics, .csv, .txt, .json): add --format, one of {formats}",
                file.display()
            )
        }),
    }
}

/// Writes a file that is whole or not there: what breaks off stays under another name.
fn put(file: &Path, text: &str, replace: bool) -> Result<()> {
    let shown = file.display();
    if file.exists() && !replace {
        bail!("{shown} is there already: --replace writes over it");
    }
    let mut part = file.as_os_str().to_owned();
    part.push(".part");
    let written = || -> io::Result<()> {
        let mut open = OpenOptions::new();
        let mut half = open.write(true).create(true).truncate(true).open(&part)?;
        half.write_all(text.as_bytes())?;
        half.sync_all()?;
        std::fs::rename(&part, file)
    };
    written().with_context(|| format!("{shown} can't be written"))
}

/// `candor import`.
pub(super) async fn import(
    config: &Config,
    arguments: &TakeArgs,
    out: &mut impl Write,
) -> Result<ExitCode> {
    let file = &arguments.file;
    let import = read(config, arguments).map_err(|fault| BadInput::of(file, fault))?;
    let store = super::ready(config).await?;
    let direct = direct(config, &store, IdSource::random());
    let user = &arguments.user;
    let (report, broke_off) = if arguments.dry_run {
        let report = direct.try_import(user, &import).await;
        (report.context("nothing was imported")?, None)
    } else {
        let shown = io::stderr().is_terminal();
        let total = import.len();
        let progress = |seen: usize| {
            if shown {
                // A line that can't be drawn is no reason to stop.
                let _ = write!(io::stderr(), "\r{seen} of {total} tasks");
            }
        };
        let ended = direct.import(user, &import, None, progress).await;
        if shown && total > 0 {
            let _ = writeln!(io::stderr());
        }
        match ended {
            Ok(ImportOutcome::Done(report)) => (report, None),
            // Without a key there is no answer from before.
            Ok(ImportOutcome::Before(_)) => bail!("it was imported before"),
            Err(stopped) => (stopped.report, Some(stopped.cause.to_string())),
        }
    };
    store.close().await;
    if arguments.json {
        let mut told = serde_json::to_value(&report)?;
        put_member(&mut told, "broke_off", json!(broke_off));
        writeln!(out, "{told}")?;
    } else {
        tell(&report, arguments, broke_off.as_deref(), out)?;
    }
    let kept = arguments.lossy || report.is_whole();
    Ok(if kept && broke_off.is_none() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// The report, in words.
fn tell(
    report: &ImportReport,
    arguments: &TakeArgs,
    broke_off: Option<&str>,
    out: &mut impl Write,
) -> io::Result<()> {
    let TakeArgs { file, lossy, .. } = arguments;
    let tasks = |number: usize| count(number as u64, "task", "tasks");
    let (read, format) = (tasks(report.read), report.format);
    writeln!(out, "{}: {read}, read as {format}.", file.display())?;
    if !report.assumed.is_empty() {
        let assumed = report.assumed.join("; ");
        writeln!(out, "Taken for granted: {assumed}.")?;
    }
    let added = tasks(report.added);
    if report.dry_run {
        writeln!(out, "Would add {added}; nothing was written.")?;
    } else {
        writeln!(out, "Added {added}.")?;
    }
    if report.brought_back > 0 {
        let number = report.brought_back;
        writeln!(out, "Of them {number} had been deleted and came back.")?;
    }
    if report.already_there > 0 {
        let there = tasks(report.already_there);
        writeln!(out, "Left as on the list already: {there}.")?;
    }
    if !report.left_out.is_empty() {
        let kinds: Vec<String> = report.left_out.iter().map(named).collect();
        writeln!(out, "Left out: {}.", kinds.join("; "))?;
    }
    if report.refused > 0 {
        writeln!(out, "Refused {}:", tasks(report.refused))?;
    }
    for refused in &report.refusals {
        let (line, text, reason) = (refused.line, &refused.text, &refused.reason);
        writeln!(out, "  line {line}: {reason} ({text})")?;
    }
    let untold = report.refused - report.refusals.len();
    if untold > 0 {
        writeln!(out, "  … and {untold} more")?;
    }
    if !report.is_whole() && !lossy {
        writeln!(
            out,
            "Less is kept than the file holds: --lossy accepts that."
        )?;
    }
    if let Some(cause) = broke_off {
        writeln!(
            out,
            "It broke off: {cause}. What was added stays; the same file again goes on from there."
        )?;
    }
    Ok(())
}

/// A kind of what was left out, with its number: `sections (2: Errands, Home)`.
fn named(kind: &LeftOutKind) -> String {
    /// Names that are told one by one.
    const TOLD: usize = 10;
    let LeftOutKind { kind, count, names } = kind;
    let shown = names.iter().take(TOLD).map(String::as_str);
    let mut shown: Vec<&str> = shown.collect();
    if names.len() > TOLD {
        shown.push("…");
    }
    match shown.join(", ") {
        shown if shown.is_empty() => format!("{kind} ({count})"),
        shown => format!("{kind} ({count}: {shown})"),
    }
}

/// The tasks of the file.
fn read(config: &Config, arguments: &TakeArgs) -> Result<TaskImport, String> {
    let bytes = bytes(&arguments.file).map_err(|error| error.to_string())?;
    let file = formats::decode(&bytes, arguments.encoding.as_deref());
    let file = file.map_err(|fault| fault.to_string())?;
    let layout = match &arguments.format {
        Some(word) => Layout::named(word, &file.text),
        None => Layout::recognise(&file.text, of_file(&arguments.file)),
    };
    let layout = layout.ok_or_else(|| {
        let names = Layout::names();
        format!("neither its text nor its name says its format: add --format, one of {names}")
    })?;
    let day_order = arguments.dates.as_deref().and_then(DayOrder::parse);
    let zone = config.policy.default_zone;
    let options = ReadOptions {
        zone,
        today: clock(config).now(zone).today,
        day_order,
    };
    TaskImport::read(layout, &file, &options).map_err(|fault| fault.to_string())
}

fn bytes(file: &Path) -> io::Result<Vec<u8>> {
    if file.as_os_str() != STDIN {
        return std::fs::read(file);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn of_file(file: &Path) -> Option<Format> {
    Format::of_file_name(file.file_name()?.to_str()?)
}

/// Tells whether a file's name says tab-separated values, which are read and not written.
fn is_tabbed(file: &Path) -> bool {
    let extension = file.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("tsv"))
}
