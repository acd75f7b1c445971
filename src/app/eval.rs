//! `candor eval` on the command line: which scenarios, which players, what is printed.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;

use super::cli::{EvalArgs, EvalCommand, ScenarioArgs};
use crate::config::{Config, ConfigError, ModelChoice};
use crate::domain::Secret;
use crate::eval::scenario::{self, Player};
use crate::eval::{Played, Report, Score, Suite, load, measure, play, play_turns};
use crate::llm::BuiltInEngine;

/// Runs one evaluation.
///
/// # Errors
/// [`crate::eval::BadInput`] when a file can't be used, [`ConfigError`] for a wrong flag, and
/// whatever the scratch database says when it fails.
pub(super) async fn run(config: &Config, command: EvalCommand) -> Result<ExitCode> {
    match command {
        EvalCommand::Scenarios(args) => scenarios(config, &args).await,
        EvalCommand::Schema => {
            let mut out = io::stdout().lock();
            writeln!(out, "{:#}", scenario::schema())?;
            Ok(ExitCode::SUCCESS)
        }
        EvalCommand::Intents(args) => lines(Suite::Intents, &args),
        EvalCommand::Dates(args) => lines(Suite::Dates, &args),
        EvalCommand::References(args) => lines(Suite::References, &args),
        EvalCommand::Claims(args) => lines(Suite::Claims, &args),
        EvalCommand::Turns(args) => show(play_turns(&args.file).await?, &args),
    }
}

fn lines(suite: Suite, args: &EvalArgs) -> Result<ExitCode> {
    show(measure(suite, &args.file)?, args)
}

fn show(mut report: Report, args: &EvalArgs) -> Result<ExitCode> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    if args.json {
        if !args.misses {
            report.misses.clear();
        }
        serde_json::to_writer(&mut out, &report)?;
        writeln!(out)?;
    } else {
        if args.misses {
            report.write_misses(&mut out)?;
        }
        report.write(&mut out)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

async fn scenarios(config: &Config, args: &ScenarioArgs) -> Result<ExitCode> {
    let scenarios = load(&args.paths)?;
    let choices = choices(config, args)?;
    let mut configured = Vec::with_capacity(choices.len());
    for choice in &choices {
        configured.push(super::model(choice)?);
    }
    let first = configured
        .first()
        .cloned()
        .unwrap_or_else(|| Arc::new(BuiltInEngine));
    let progress = EvalProgress::on(io::stderr().is_terminal());
    let mut plays: Vec<Played> = Vec::new();
    let repeat = usize::from(args.repeat);
    let total = scenarios.len() * repeat;
    for round in 0..repeat {
        for (index, scenario) in scenarios.iter().enumerate() {
            progress.show(round * scenarios.len() + index + 1, total, &scenario.name)?;
            for player in players(&choices, args, &scenario.players) {
                let models = match player {
                    Player::Configured => configured.as_slice(),
                    _ => std::slice::from_ref(&first),
                };
                for model in models {
                    plays.push(play(scenario, player, model).await?);
                }
            }
        }
    }
    progress.clear()?;
    if plays.is_empty() {
        let fault = "none of the scenarios is for this player";
        let accepted = "a player that the scenarios name, or --player configured";
        return Err(ConfigError::new("--player", fault, accepted).into());
    }
    let score = Score::new(plays, repeat);
    // Whoever reads only the head of it still gets the verdict.
    super::quietly(print(&score, args))?;
    Ok(if score.passed() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn print(score: &Score, args: &ScenarioArgs) -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    if args.json {
        score.write_json(&mut out)?;
    } else {
        score.write(args.misses, &mut out)?;
    }
    out.flush()
}

/// Returns the players: what the command line says, else the configured model alone, else whom the
/// scenario names. Nobody plays a scenario that is about somebody else's answers.
fn players(choices: &[ModelChoice], args: &ScenarioArgs, named: &[Player]) -> Vec<Player> {
    if !args.player.is_empty() {
        let wanted = args.player.iter().copied();
        return wanted
            .filter(|player| *player == Player::Configured || named.contains(player))
            .collect();
    }
    let server = |choice: &ModelChoice| matches!(choice, ModelChoice::Server(_));
    if choices.iter().any(server) {
        // What the engine can't play hangs on the answers that the scenario scripts.
        let open = named.contains(&Player::Configured) || named.contains(&Player::Engine);
        return open.then_some(Player::Configured).into_iter().collect();
    }
    named.to_vec()
}

/// The models to play against, side by side.
fn choices(config: &Config, args: &ScenarioArgs) -> Result<Vec<ModelChoice>, ConfigError> {
    let key = args.api_key_env.as_deref().map(Secret::named).transpose()?;
    let base_url = args.base_url.as_deref();
    let names: Vec<Option<&str>> = if args.model.is_empty() {
        vec![None]
    } else {
        args.model.iter().map(|name| Some(name.as_str())).collect()
    };
    let chosen = names
        .into_iter()
        .map(|name| config.model.with(base_url, key.clone(), name));
    chosen.collect()
}

/// One line on a terminal that says how far it is.
struct EvalProgress {
    shown: bool,
}

impl EvalProgress {
    const fn on(shown: bool) -> Self {
        Self { shown }
    }

    fn show(&self, at: usize, of: usize, name: &str) -> io::Result<()> {
        if !self.shown {
            return Ok(());
        }
        let filled = at * 24 / of.max(1);
        let bar = format!("{}{}", "#".repeat(filled), "-".repeat(24 - filled));
        let name: String = name.chars().take(48).collect();
        let mut err = io::stderr().lock();
        write!(err, "\r\x1b[2K[{bar}] {at}/{of} {name}")?;
        err.flush()
    }

    fn clear(&self) -> io::Result<()> {
        if !self.shown {
            return Ok(());
        }
        let mut err = io::stderr().lock();
        write!(err, "\r\x1b[2K")?;
        err.flush()
    }
}
