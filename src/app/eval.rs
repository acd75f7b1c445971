//! `candor eval` on the command line: which scenarios, which players, what is printed.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;

use super::cli::{EvalArgs, EvalCommand, PlayerArg, ScenarioArgs};
use crate::config::{Config, ModelChoice};
use crate::eval::scenario::{self, Player};
use crate::eval::{Played, Score, Suite, load, measure, play};
use crate::llm::{Engine, Model};

/// Runs one evaluation.
///
/// # Errors
/// When a file can't be read or the scratch database fails.
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
    }
}

fn lines(suite: Suite, args: &EvalArgs) -> Result<ExitCode> {
    let report = measure(suite, &args.file)?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    if args.misses {
        report.write_misses(&mut out)?;
    }
    if args.json {
        writeln!(out, "{}", report.to_json())?;
    } else {
        report.write(&mut out)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

async fn scenarios(config: &Config, args: &ScenarioArgs) -> Result<ExitCode> {
    let scenarios = load(&args.paths)?;
    let configured = configured(config, args)?;
    let first = configured
        .first()
        .cloned()
        .unwrap_or_else(|| Arc::new(Engine));
    let progress = Progress::new(!args.json);
    let mut plays: Vec<Played> = Vec::new();
    let total = scenarios.len() * args.repeat.max(1);
    for round in 0..args.repeat.max(1) {
        for (index, scenario) in scenarios.iter().enumerate() {
            progress.show(round * scenarios.len() + index + 1, total, &scenario.name)?;
            for player in players(config, args, &scenario.players) {
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
    let score = Score::new(plays, args.repeat);
    let mut out = io::BufWriter::new(io::stdout().lock());
    if args.json {
        writeln!(out, "{}", score.to_json())?;
    } else {
        score.write(&mut out)?;
    }
    out.flush()?;
    Ok(if score.passed() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Who plays: what the command line says, else the configured model alone, else whom the
/// scenario names.
fn players(config: &Config, args: &ScenarioArgs, named: &[Player]) -> Vec<Player> {
    if !args.player.is_empty() {
        let wanted = args.player.iter().map(|player| match player {
            PlayerArg::Engine => Player::Engine,
            PlayerArg::Good => Player::Good,
            PlayerArg::Hostile => Player::Hostile,
            PlayerArg::Configured => Player::Configured,
        });
        return wanted
            .filter(|player| *player == Player::Configured || named.contains(player))
            .collect();
    }
    let server = matches!(config.model, ModelChoice::Server(_));
    if server || args.base_url.is_some() || !args.model.is_empty() {
        return vec![Player::Configured];
    }
    named.to_vec()
}

/// The models to play against, side by side.
fn configured(config: &Config, args: &ScenarioArgs) -> Result<Vec<Arc<dyn Model>>> {
    let base_url = args.base_url.as_deref();
    let named = args.model.iter().map(|name| Some(name.as_str()));
    let names: Vec<Option<&str>> = if args.model.is_empty() {
        vec![None]
    } else {
        named.collect()
    };
    let models = names
        .into_iter()
        .map(|name| super::model(&config.model.with(base_url, name)));
    Ok(models.collect::<Result<_, _>>()?)
}

/// One line on a terminal that says how far it is.
struct Progress {
    shown: bool,
}

impl Progress {
    fn new(wanted: bool) -> Self {
        Self {
            shown: wanted && io::stderr().is_terminal(),
        }
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
