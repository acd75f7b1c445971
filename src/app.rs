//! Wiring: from a configuration to a running program.
//!
//! The only place that knows every layer. Decides nothing about turns.

mod access;
mod audit;
#[doc(hidden)]
pub mod bench;
pub mod cli;
mod copies;
#[cfg(feature = "delegation")]
mod delegation;
mod eval;
pub mod maintenance;
#[cfg(feature = "mcp")]
mod mcp;
mod merkle_task;
mod observe;
mod token;
mod transfer;

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::pin::Pin;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::json;
use tokio::io::AsyncBufReadExt;

use crate::chat::ChatService;
use crate::chat::direct::DirectWrites;
use crate::chat::wire::TaskView;
use crate::config::{Config, ConfigError, ModelChoice, ModelServer, Variables, WebhookConfig};
use crate::domain::{Clock, IdSource};
use crate::http::{Api, Beside, InFlight, Listening};
use crate::llm::{BuiltInEngine, LanguageModel, OpenAi, OpenAiConfig};
use crate::reminders::{ReminderChannels, ReminderScheduler, SchedulerServices};
use crate::store::Store;
use crate::terminal::{self, Colour, Input, Manner, Remote, Talk, Typed};
use cli::{ChatArgs, Cli, CliCommand, ServeArgs};
use merkle_task::TreeTask;

/// Runs what the command line says. Boxed, because whoever polls a future that it knows the type of
/// compiles it: the binary would hold most of the library a second time.
///
/// # Errors
/// What stopped it, in words for the operator; [`ConfigError`] for a wrong variable.
pub fn run(cli: Cli) -> Pin<Box<dyn Future<Output = Result<ExitCode>>>> {
    Box::pin(told(cli))
}

async fn told(cli: Cli) -> Result<ExitCode> {
    // An agent's child: it reads no setting of ours, and what it prints is its protocol.
    #[cfg(feature = "acp")]
    if let Some(CliCommand::AgentTools { link, token }) = &cli.command {
        crate::delegation::relay(link.as_deref(), token.as_deref()).await?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut variables = Variables::collect(Path::new(".env"))?;
    let command = cli
        .command
        .unwrap_or(CliCommand::Serve(ServeArgs::default()));
    let bind = match &command {
        CliCommand::Serve(args) => args.bind.clone().or(cli.flags.bind),
        _ => cli.flags.bind,
    };
    let named = cli.flags.database.clone();
    let flags = [("CANDOR_BIND", bind), ("DATABASE_URL", cli.flags.database)];
    for (name, value) in flags {
        if let Some(value) = value {
            variables.set(name, value);
        }
    }
    let config = Config::read(&variables)?;
    // Only the server is chatty by default: elsewhere standard error belongs to people. What a
    // model does wrong in an evaluation is in its figures.
    let quiet = match command {
        CliCommand::Serve(_) => None,
        CliCommand::Eval(_) => Some("error"),
        _ => Some("warn"),
    };
    let filter = config.log_filter.as_deref().or(quiet);
    crate::logging::start(config.log_format, filter, crate::config::colour_wanted());
    match command {
        CliCommand::Eval(command) => unless_unread(eval::run(&config, command).await),
        CliCommand::Serve(_) => serve(&config).await,
        CliCommand::Chat(args) => chat(&config, args).await,
        #[cfg(feature = "mcp")]
        CliCommand::Mcp(args) => mcp::stdio(&config, args.user).await,
        CliCommand::Migrate { json } => migrate(&config, json).await,
        CliCommand::Backup(args) => copies::backup(&config, &args, &mut io::stdout()).await,
        CliCommand::Restore(args) => copies::restore(&config, &args, &mut io::stdout()).await,
        CliCommand::Export(args) => {
            unless_unread(transfer::export(&config, &args, &mut io::stdout()).await)
        }
        CliCommand::Import(args) => transfer::import(&config, &args, &mut io::stdout()).await,
        CliCommand::Erase(args) => maintenance::erase(&config, &args, &mut io::stdout()).await,
        CliCommand::Purge { json } => maintenance::purge(&config, json, &mut io::stdout()).await,
        CliCommand::Bench(args) => unless_unread(bench::run(named, &args, &mut io::stdout()).await),
        CliCommand::BenchModel => bench::model::serve(&mut io::stdout()).await,
        CliCommand::BenchEcho => bench::floor::serve(&mut io::stdout()).await,
        #[cfg(feature = "acp")]
        CliCommand::AgentTools { .. } => Ok(ExitCode::SUCCESS),
        CliCommand::Openapi { .. } => {
            let text = crate::http::document(crate::http::Served {
                closed: !config.auth.is_none(),
                todo_backend: config.todo_backend,
            })?;
            unless_unread(
                writeln!(io::stdout(), "{text}")
                    .map(|()| ExitCode::SUCCESS)
                    .map_err(Into::into),
            )
        }
        CliCommand::Token(command) => token::run(&config, &command, &mut io::stdout()).await,
        CliCommand::Audit(command) => {
            let mut out = io::BufWriter::new(io::stdout().lock());
            let code = audit::run(&config, &command, &mut out).await;
            quietly(out.flush())?;
            unless_unread(code)
        }
    }
}

/// The exit status of a program whose reader went away, as a shell counts signal 13.
const UNREAD: u8 = 141;

/// A reader that has had enough, as `| head` has, is nothing to complain about.
fn unless_unread(ended: Result<ExitCode>) -> Result<ExitCode> {
    let unread = |error: &anyhow::Error| {
        error.chain().any(|cause| {
            let io = cause.downcast_ref::<io::Error>().map(io::Error::kind);
            let json = cause.downcast_ref::<serde_json::Error>();
            let json = json.and_then(serde_json::Error::io_error_kind);
            io.or(json) == Some(io::ErrorKind::BrokenPipe)
        })
    };
    match ended {
        Err(error) if unread(&error) => Ok(ExitCode::from(UNREAD)),
        ended => ended,
    }
}

/// Printing, in which a reader that has had enough is no fault.
fn quietly(printed: io::Result<()>) -> io::Result<()> {
    match printed {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        printed => printed,
    }
}

async fn serve(config: &Config) -> Result<ExitCode> {
    for note in &config.notes {
        tracing::warn!("{note}");
    }
    // The first user should not wait for the grammars.
    crate::intent::prepare();
    crate::locales::prepare();
    let store = ready(config).await?;
    let traces = observe::traces(config.traces.as_ref()).await?;
    let figures = observe::figures(store.clone())?;
    let ids = IdSource::random();
    let policy = &config.policy;
    let clock = clock(config);
    #[cfg(feature = "delegation")]
    let working = delegation::QueueWorker::begin(config, &store, clock, &ids)?;
    #[cfg(feature = "delegation")]
    let desk = working.as_ref().map(|working| working.desk.clone());
    #[cfg(not(feature = "delegation"))]
    let desk = None;
    let webhook = config.webhook.as_ref().map(WebhookConfig::webhook);
    let reminders = ReminderChannels::new(webhook.transpose()?);
    let chat = service(config, &store, clock, ids.clone())?.reminding(reminders.clone());
    #[cfg(feature = "delegation")]
    let chat = match &working {
        Some(working) => working.chat(chat),
        None => chat,
    };
    let api = Api {
        todo_backend: config.todo_backend,
        direct: direct(config, &store, ids.clone()).stopping_agents(desk.is_some()),
        desk,
        reminders: reminders.clone(),
        chat,
        ids: ids.clone(),
        access: Arc::new(access::of(config, clock)?),
        in_flight: InFlight::default(),
        signer: audit::signing(None)?.map(Arc::new),
    };
    let sweeping = tokio::spawn(sweep(api.chat.clone(), sweep_once(&api.chat).await));
    let beside: Vec<Beside> = vec![
        #[cfg(feature = "mcp")]
        crate::mcp::beside(
            crate::mcp::McpTools::served(api.clone(), clock).confirmed_by(mcp::confirming(config)),
        ),
    ];
    let listening = Listening::bind(config.bind, api, &beside);
    let listening = listening.with_context(|| format!("can't listen on {}", config.bind))?;
    tracing::info!(
        database = %config.database,
        model = %model_name(&config.model),
        today = config.today.map(tracing::field::display),
        timezone = policy.default_zone.name(),
        due_dates = ?policy.due_rule,
        "starting"
    );
    let address = listening.address();
    // For whoever asked for port 0, and for people: where it is, once it is there.
    let mut out = io::stdout().lock();
    writeln!(out, "candor listening on http://{address}")?;
    out.flush()?;
    drop(out);
    let scheduler = ReminderScheduler::start(SchedulerServices {
        store: store.clone(),
        channels: reminders,
        show: |task| json!(TaskView::from(task)),
        clock,
        ids,
        #[cfg(feature = "simulator")]
        planted: config.planted_in_scheduler,
    });
    let keeper = tokio::spawn(maintenance::keep(store.clone(), clock));
    let growth = TreeTask::begin(store.clone());
    let served = listening.serve(stop_signal()).await;
    scheduler.end().await;
    sweeping.abort();
    keeper.abort();
    figures.abort();
    #[cfg(feature = "delegation")]
    if let Some(working) = working {
        working.end().await;
    }
    tokio::join!(growth.end(), observe::send_last(traces));
    store.close().await;
    served.context("the server failed")?;
    tracing::info!("stopped");
    Ok(ExitCode::SUCCESS)
}

/// Interval at which turns are looked for that a process left open when it died.
const SWEEP: Duration = Duration::from_secs(2);

/// Tells the turns that were cut off, so that their conversations miss nothing that was done,
/// whether or not somebody asks. A fault is complained of once, not each time.
async fn sweep(chat: ChatService, mut sound: bool) {
    loop {
        tokio::time::sleep(SWEEP).await;
        match chat.settle_cut_turns().await {
            Ok(_) => sound = true,
            Err(error) if sound => {
                tracing::warn!(%error, "can't look for turns that were cut off");
                sound = false;
            }
            Err(_) => {}
        }
    }
}

/// The first time, before anybody is served; not for long, should the database be away.
async fn sweep_once(chat: &ChatService) -> bool {
    let swept = tokio::time::timeout(SWEEP, chat.settle_cut_turns()).await;
    match swept {
        Ok(Ok(0)) => true,
        Ok(Ok(count)) => {
            tracing::info!(count, "turns that were cut off have been told");
            true
        }
        Ok(Err(error)) => {
            tracing::warn!(%error, "can't look for turns that were cut off");
            false
        }
        Err(_) => false,
    }
}

async fn chat(config: &Config, args: ChatArgs) -> Result<ExitCode> {
    let ids = IdSource::random();
    let person = io::stdin().is_terminal() && io::stdout().is_terminal();
    let coloured = io::stdout().is_terminal() && crate::config::colour_wanted();
    let manner = Manner {
        person,
        colour: if coloured { Colour::On } else { Colour::Off },
        json: args.json,
        timezone: args.timezone,
        conversation: args.conversation,
        ids: ids.clone(),
    };
    #[cfg(feature = "delegation")]
    let mut working = None;
    let (talk, store) = match &args.url {
        Some(url) => {
            let key = args.api_key_env.as_deref();
            let key = key.map(crate::domain::Secret::named).transpose()?;
            let key = key.as_ref().map(crate::domain::Secret::expose);
            let remote = Remote::new(url, &args.user, key);
            (
                Talk::There(Box::new(
                    remote.map_err(|fault| anyhow::anyhow!(fault.detail))?,
                )),
                None,
            )
        }
        None => {
            let store = ready(config).await?;
            let clock = clock(config);
            let chat = service(config, &store, clock, ids.clone())?;
            #[cfg(feature = "delegation")]
            let chat = {
                working = delegation::QueueWorker::begin(config, &store, clock, &ids)?;
                match &working {
                    Some(working) => working.chat(chat),
                    None => chat,
                }
            };
            (Talk::Here(chat, args.user), Some(store))
        }
    };
    let piped = || Input::Piped(tokio::io::BufReader::new(tokio::io::stdin()).lines());
    let input = if person && !args.json {
        use crate::config::folder;
        let kept = terminal::history(folder("XDG_STATE_HOME"), folder("HOME"));
        Typed::begin(kept).map_or_else(|_| piped(), Input::Typed)
    } else {
        piped()
    };
    let mut out = io::stdout();
    let ended = tokio::select! {
        ended = terminal::converse(&talk, manner, input, &mut out) => ended,
        () = stop_signal() => Ok(0),
    };
    #[cfg(feature = "delegation")]
    if let Some(working) = working {
        working.end().await;
    }
    if let Some(store) = store {
        store.close().await;
    }
    Ok(if ended? == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

async fn migrate(config: &Config, as_json: bool) -> Result<ExitCode> {
    let store = open(config).await?;
    store.migrate().await?;
    store.close().await;
    let told = json!({"ok": true, "database": config.database.to_string()});
    let words = format!("{} is up to date", config.database);
    maintenance::tell(as_json, &told, &words, &mut io::stdout())
}

async fn open(config: &Config) -> Result<Store> {
    #[cfg(feature = "simulator")]
    let store = match config.planted {
        Some(bug) => Store::open_planted(config.database.expose(), bug).await,
        None => Store::open(config.database.expose()).await,
    };
    #[cfg(not(feature = "simulator"))]
    let store = Store::open(config.database.expose()).await;
    store.with_context(|| format!("DATABASE_URL ({})", config.database))
}

/// The store of a database that is there: what looks after one makes none.
async fn existing(config: &Config) -> Result<Store> {
    let store = Store::open_existing(config.database.expose()).await;
    store.with_context(|| format!("DATABASE_URL ({})", config.database))
}

/// The store, brought up to date unless the operator does that.
async fn ready(config: &Config) -> Result<Store> {
    let store = open(config).await?;
    if config.migrate {
        store.migrate().await?;
    }
    Ok(store)
}

/// The clock of requests that name no zone.
fn clock(config: &Config) -> Clock {
    Clock::system(config.today).in_zone(config.policy.default_zone)
}

/// Writes without a conversation.
fn direct(config: &Config, store: &Store, ids: IdSource) -> DirectWrites {
    let policy = &config.policy;
    let (rule, zone) = (policy.due_rule, policy.default_zone);
    DirectWrites::new(store.clone(), clock(config), ids, rule, zone)
}

fn service(config: &Config, store: &Store, clock: Clock, ids: IdSource) -> Result<ChatService> {
    let model = model(&config.model)?;
    Ok(ChatService::new(
        store.clone(),
        model,
        config.policy.clone(),
        clock,
        ids,
    ))
}

fn model(choice: &ModelChoice) -> Result<Arc<dyn LanguageModel>, ConfigError> {
    match choice {
        ModelChoice::Engine => Ok(Arc::new(BuiltInEngine)),
        ModelChoice::Server(server) => Ok(Arc::new(connect(server)?)),
    }
}

fn connect(server: &ModelServer) -> Result<OpenAi, ConfigError> {
    let key = server.api_key.as_ref().map(crate::domain::Secret::expose);
    let models = std::iter::once(&server.model).chain(&server.fallbacks);
    let settings = OpenAiConfig::new(&server.provider, &server.base_url, key, models);
    OpenAi::new(settings).map_err(|error| {
        let accepted = "an OpenAI-compatible server such as http://127.0.0.1:11434/v1";
        ConfigError::new("OPENAI_BASE_URL", error.to_string(), accepted)
    })
}

fn model_name(choice: &ModelChoice) -> String {
    match choice {
        ModelChoice::Engine => "candor (engine)".to_owned(),
        ModelChoice::Server(server) => format!("{} ({})", server.provider, server.model),
    }
}

/// Ready when the operator or the supervisor asks the program to end.
#[cfg(unix)]
async fn stop_signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut term) = signal(SignalKind::terminate()) else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = term.recv() => {}
        pressed = tokio::signal::ctrl_c() => {
            if pressed.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }
}

/// Ready when somebody presses Ctrl-C.
#[cfg(not(unix))]
async fn stop_signal() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
