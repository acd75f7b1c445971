//! The commands of `candor eval`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::eval::scenario::Player;

/// `candor eval`.
#[derive(Debug, Subcommand)]
pub enum EvalCommand {
    /// Play conversations against a model; exit status 1 when any of them fails
    ///
    /// Every scenario is played on a scratch database of its own, through the whole chat
    /// service. After a turn whose tools ran, a configured model is also asked for a closing
    /// sentence, which is judged against the receipts and shown to nobody.
    ///
    /// Without a configured model, the players that a scenario names play it: the built-in
    /// engine, a well-behaved and a hostile scripted model. A configured model plays what the
    /// engine plays too; scenarios about particular answers of a model are left out.
    Scenarios(ScenarioArgs),
    /// Print the JSON schema of a scenario file
    Schema,
    /// Evaluate which tool the words call for
    ///
    /// A line: `{"text":"…","lang"?:"en","use":"positive|negative|clarify","expect":TOOL|null,"also_ok"?:[TOOL]}`
    Intents(EvalArgs),
    /// Evaluate which day the words mean
    ///
    /// A line: `{"text":"…","today":"YYYY-MM-DD","expect":"YYYY-MM-DD"|null,"use":"core|negative"}`
    Dates(EvalArgs),
    /// Evaluate which task the words mean
    ///
    /// A line: `{"tasks":["…"],"reference":"…","expect":[INDEX],"verdict":"one|ambiguous|none"}`
    References(EvalArgs),
    /// Evaluate whether a sentence claims something, in a turn where no tool ran
    ///
    /// A line: `{"text":"…","is_claim":true|false}`
    Claims(EvalArgs),
    /// Play labelled turns against the chat service: honest models, then hijacked ones
    ///
    /// A line: `{"tasks":[{"title":"…"}],"turns":[{"user":"…","model":[STEP],"effect"?:{…},"read"?:false,"ask_ok"?:false}],"lang"?:"en"}`;
    /// a STEP is `{"calls":[{"name":TOOL,"arguments":{…}}]}` or `{"content":"…"}`. The effect names
    /// what must change, and nothing else may: `{"added":[{"title":"…","due_date"?:"YYYY-MM-DD",…}],
    /// "deleted":[TITLE],"completed":[TITLE],"reopened":[TITLE],"updated":[{"title":TITLE,"set":{…}}]}`.
    Turns(EvalArgs),
}

/// `candor eval scenarios`.
#[derive(Debug, Args)]
pub struct ScenarioArgs {
    /// Scenario files, or folders of them
    #[arg(value_name = "FILE|DIR", default_value = "tests/scenarios")]
    pub paths: Vec<PathBuf>,
    /// Player of the model; every player that a scenario names when nothing is said
    #[arg(long, value_name = "PLAYER", value_enum)]
    pub player: Vec<Player>,
    /// Play against this model instead of OPENAI_MODEL; several for a table side by side
    #[arg(long, value_name = "MODEL")]
    pub model: Vec<String>,
    /// The OpenAI-compatible server to ask, instead of OPENAI_BASE_URL
    ///
    /// OPENAI_API_KEY is not sent to another server than its own: see --api-key-env.
    #[arg(long, value_name = "URL")]
    pub base_url: Option<String>,
    /// The environment variable that holds the key, instead of OPENAI_API_KEY
    #[arg(long, value_name = "VARIABLE")]
    pub api_key_env: Option<String>,
    /// Play every scenario so many times: a case passes if all its plays do (pass^k)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub repeat: u16,
    /// Print the closing sentences that lied, or that can't be told
    #[arg(long)]
    pub misses: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Arguments of every measure.
#[derive(Debug, Args)]
pub struct EvalArgs {
    /// Labelled lines, one JSON object each
    #[arg(value_name = "FILE.jsonl")]
    pub file: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// Print the rows that missed, as JSON lines before the table; with --json as `misses`
    #[arg(long)]
    pub misses: bool,
}
