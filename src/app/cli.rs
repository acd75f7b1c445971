//! The command line.

mod audit;
mod eval;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

pub use self::audit::{AuditCommand, ExportArgs, ReportArgs, ShowArgs, VerifyArgs};
pub use self::eval::{EvalArgs, EvalCommand, ScenarioArgs};
use super::bench::BenchArgs;
use super::transfer::{OutArgs, TakeArgs};
use crate::domain::{ConversationId, UserId};

/// A todo list you talk to, whose replies come from what was saved and from nothing else.
///
/// Without a command it serves the chat API and a web page on http://127.0.0.1:8080, with
/// SQLite in candor.db and the built-in engine as the model: no key, no other server.
/// Every setting is an environment variable, or a line of .env; see .env.example.
#[derive(Debug, Parser)]
#[command(name = "candor", version, max_term_width = 100)]
pub struct Cli {
    /// Command to carry out.
    #[command(subcommand)]
    pub command: Option<CliCommand>,
    /// Settings that are worth a flag.
    #[command(flatten)]
    pub flags: CliFlags,
}

/// Flags that go before the environment.
#[derive(Debug, Default, Args)]
pub struct CliFlags {
    /// Address to listen on; port 0 takes any free one [env: CANDOR_BIND]
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub bind: Option<String>,
    /// Address of the data, such as sqlite://candor.db [env: DATABASE_URL]
    #[arg(long, global = true, value_name = "URL")]
    pub database: Option<String>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum CliCommand {
    /// Serve the chat API and the web page (what happens without a command)
    Serve(ServeArgs),
    /// Talk in the terminal, or through a pipe: one message per line
    Chat(ChatArgs),
    /// Serve the task tools to a program that speaks the Model Context Protocol, over a pipe
    ///
    /// The program starts this and speaks over standard input and output. A deletion asks the user
    /// through that program. A running server has the same tools at /mcp.
    #[cfg(feature = "mcp")]
    Mcp(McpArgs),
    /// Bring the database up to date
    Migrate {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Write everything into one file, checked to the last hash, while the server goes on
    ///
    /// The file is there only when it is whole and on the disk. PostgreSQL has its own tools for
    /// that (pg_dump, pg_restore), which the command then names.
    Backup(BackupArgs),
    /// Put a backup in the place of the database, once it is checked to the last hash
    ///
    /// Nobody may have the database open meanwhile. A backup with a fault is refused, and the
    /// fault named; then all is as it was.
    Restore(RestoreArgs),
    /// Erase what a user said, for good: all but the hashes that keep the log provable
    ///
    /// Tasks, conversations and stored answers go, and the words in receipts and in audit
    /// events; the log is told so. The user's name stays, and so does what older backups hold.
    /// Can be run while a server runs, and again when it was cut off.
    Erase(EraseArgs),
    /// Remove what is past its time, as a running server does every hour
    ///
    /// Tasks that were deleted more than 30 days ago, and stored answers older than a day.
    Purge {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Write a user's tasks as a file that calendars, spreadsheets and todo programs read
    ///
    /// JSON and CSV carry everything but reminders that have ended, and CSV none; iCalendar all but fractions of a second, todo.txt all but the
    /// hour at which a task was added, changed or done. The reminder that waits goes along in JSON and
    /// iCalendar. Without a file it goes to standard output.
    Export(OutArgs),
    /// Add the tasks of a file to a user's list
    ///
    /// What is on the list already stays as it is, so the same file again adds nothing twice: a
    /// task is known by its id, or by its title and the day it was made. Due dates that are past
    /// are kept. Files of Todoist, TickTick, Outlook, Vikunja, Google Tasks and Microsoft To Do are
    /// recognised by what they say. Exit status 1 when less is kept than the file holds, unless
    /// --lossy accepts that; 2 when the file can't be read.
    Import(TakeArgs),
    /// Make, list and revoke API keys, which say who calls (CANDOR_AUTH=keys)
    ///
    /// A key is made for one user and opens that user's paths only, /api/USER/…:
    ///
    ///   candor token create --user ann --name laptop
    ///   CANDOR_AUTH=keys candor
    ///   curl -H "Authorization: Bearer KEY" localhost:8080/api/ann/tasks
    ///
    /// Keys are kept as hashes in the database, so a server finds a new one at once, and one that
    /// was revoked is refused at once.
    #[command(subcommand, verbatim_doc_comment)]
    Token(TokenCommand),
    /// Carry lines between an agent's program and the tools of its run; agents start it
    #[cfg(feature = "acp")]
    #[command(hide = true)]
    AgentTools {
        /// Address of the run's tools
        #[arg(long, env = "CANDOR_RUN_LINK")]
        link: Option<String>,
        /// Secret that lets it in
        #[arg(long, env = "CANDOR_RUN_TOKEN", hide_env_values = true)]
        token: Option<String>,
    },
    /// Print the description of the HTTP API (OpenAPI), as a server has it at /openapi.json
    Openapi {
        /// JSON is what it prints anyway
        #[arg(long)]
        json: bool,
    },
    /// Check, read and export the audit log
    #[command(subcommand)]
    Audit(AuditCommand),
    /// Measure: the real server under load, with a model that answers at once
    ///
    /// Server and model are processes of their own on this machine. The server has a new SQLite
    /// file for each run, or the database that --database names, where it adds users of its own.
    /// After each run the receipts in the database are held against the replies, one to one; exit
    /// status 1 when they don't agree, or a reply was not as expected. Before the runs of so many
    /// clients the floor is measured: a server that gives JSON back, and bare durable commits, one
    /// after the other.
    Bench(BenchArgs),
    /// The model of `candor bench`
    #[command(hide = true)]
    BenchModel,
    /// The floor of `candor bench`
    #[command(hide = true)]
    BenchEcho,
    /// Play scenarios against a model, or measure one judgement on labelled lines
    #[command(subcommand)]
    Eval(EvalCommand),
}

/// `candor serve`.
#[derive(Debug, Default, Args)]
pub struct ServeArgs {
    /// Address to listen on; port 0 takes any free one [env: CANDOR_BIND]
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub bind: Option<String>,
}

/// `candor chat`.
#[derive(Debug, Args)]
pub struct ChatArgs {
    /// Talk to a running server instead of opening the database
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
    /// The environment variable that holds the API key or token for --url
    #[arg(long, value_name = "VARIABLE", requires = "url")]
    pub api_key_env: Option<String>,
    /// User who talks
    #[arg(long, value_name = "USER", default_value = "me", value_parser = UserId::parse)]
    pub user: UserId,
    /// Go on with a conversation
    #[arg(long, value_name = "UUID")]
    pub conversation: Option<ConversationId>,
    /// Zone that "today" is read in, such as Asia/Karachi
    #[arg(long, value_name = "IANA")]
    pub timezone: Option<String>,
    /// Print each reply as the JSON the API gives
    #[arg(long)]
    pub json: bool,
}

/// `candor mcp`.
#[cfg(feature = "mcp")]
#[derive(Debug, Args)]
pub struct McpArgs {
    /// User of the tasks
    #[arg(long, value_name = "USER", default_value = "me", value_parser = UserId::parse)]
    pub user: UserId,
}

/// `candor backup`.
#[derive(Debug, Args)]
pub struct BackupArgs {
    /// The file to make; never written over
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `candor restore`.
#[derive(Debug, Args)]
pub struct RestoreArgs {
    /// A file that `candor backup` made
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Take the place of a database that holds data; it is kept beside it, as NAME.replaced
    #[arg(long)]
    pub replace: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `candor erase`.
#[derive(Debug, Args)]
pub struct EraseArgs {
    /// User of the words
    #[arg(long, value_name = "USER", value_parser = UserId::parse)]
    pub user: UserId,
    /// Do it without asking
    #[arg(long)]
    pub yes: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `candor token`.
#[derive(Debug, Subcommand)]
pub enum TokenCommand {
    /// Make a key and print it: the only time that it is shown
    ///
    /// Standard output gets the key and nothing else, for KEY=$(candor token create --user ann).
    Create(TokenArgs),
    /// List the keys by their prefixes: whose they are, what they may do, when they were used
    List {
        /// Only this user's
        #[arg(long, value_name = "USER", value_parser = UserId::parse)]
        user: Option<UserId>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Take a key back, for good: from then on it opens nothing
    Revoke {
        /// The key's prefix, as `candor token list` shows it; the whole key does too
        #[arg(value_name = "PREFIX")]
        key: String,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}

/// `candor token create`.
#[derive(Debug, Args)]
pub struct TokenArgs {
    /// User of the paths that it opens, /api/USER/…; every scope but admin needs one
    #[arg(long, value_name = "USER", value_parser = UserId::parse)]
    pub user: Option<UserId>,
    /// Rights of the key
    #[arg(long, value_name = "SCOPE", value_enum, default_value = "write")]
    pub scope: ScopeArg,
    /// Name for it in lists, such as the program or the machine that gets it
    #[arg(long, value_name = "NAME", default_value = "unnamed", value_parser = label)]
    pub name: String,
    /// Stop taking it after so many days; without this it holds until it is revoked
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u16).range(1..))]
    pub days: Option<u16>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Rights of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum ScopeArg {
    /// Look at the user's tasks, conversations and log
    Read,
    /// Look, talk and change
    Write,
    /// Act for every user; such a key is made without --user
    Admin,
}

/// 1 to 100 characters on one line.
fn label(text: &str) -> Result<String, &'static str> {
    let text = text.trim();
    let fits = (1..=100).contains(&text.chars().count());
    if !fits || text.chars().any(char::is_control) {
        return Err("a name has 1 to 100 characters on one line");
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn help_names_every_command_and_is_there_for_each() {
        let help = Cli::command().render_long_help().to_string();
        for word in "serve chat migrate audit --bind --database .env.example".split(' ') {
            assert!(help.contains(word), "{word} is missing in:\n{help}");
        }
        let lines = "serve, chat, migrate, audit, token, token create, token list, token revoke, \
                     audit verify, audit show, audit export, eval, eval intents";
        for line in lines.split(", ") {
            let line = format!("candor {line} --help");
            let asked = Cli::try_parse_from(line.split(' ')).unwrap_err();
            assert_eq!(asked.kind(), clap::error::ErrorKind::DisplayHelp, "{line}");
        }
    }

    #[test]
    fn an_address_is_offered_only_where_something_listens() {
        let offers = |line: &str| {
            let asked = Cli::try_parse_from(line.split(' ')).unwrap_err();
            asked.to_string().contains("--bind")
        };
        assert!(offers("candor --help") && offers("candor serve --help"));
        for line in ["eval scenarios", "eval intents", "audit export", "chat"] {
            assert!(!offers(&format!("candor {line} --help")), "{line}");
        }
    }

    #[test]
    fn command_lines() {
        let check = |line: &str, expect: bool| {
            let parsed = Cli::try_parse_from(line.split(' '));
            assert_eq!(parsed.is_ok(), expect, "{line}: {parsed:?}");
        };
        check("candor", true);
        check("candor --bind 127.0.0.1:0", true);
        check("candor serve --database sqlite:x.db", true);
        check("candor serve --bind 127.0.0.1:0", true);
        check("candor audit verify --bind 127.0.0.1:0", false);
        check("candor eval claims x.jsonl --bind 127.0.0.1:0", false);
        check("candor eval scenarios --repeat 0", false);
        check("candor eval scenarios --model a --model b --repeat 3", true);
        check("candor chat --user me --json", true);
        check("candor chat --user a/b", false);
        check("candor token create --user me --scope read --days 90", true);
        check("candor token create --user a/b", false);
        check("candor token create --user me --days 0", false);
        check("candor token create --user me --scope root", false);
        check("candor token revoke", false);
        check("candor audit", false);
        check("candor audit verify --user me", true);
        check("candor audit show nonsense", false);
        check("candor eval", false);
        check("candor bench --clients 1,3 --rate 100 --seconds 5", true);
        check("candor bench --clients 0", false);
        check("candor bench --seconds 0", false);
    }
}
