//! Configuration: every variable of CONTRACT §1, read once, typed, or the start stops.
//!
//! Nobody below imports this module: `app` hands each layer the values it needs.

mod access;
mod database;
#[cfg(feature = "delegation")]
mod delegation;
mod fault;
#[cfg(feature = "delegation")]
mod file;
mod model;
mod parse;
mod traces;
mod variables;
mod webhook;

use std::net::SocketAddr;

use chrono::NaiveDate;

pub use access::{AuthConfig, IntrospectionConfig, JwtConfig, RateLimit};
pub use database::DatabaseUrl;
#[cfg(feature = "delegation")]
pub use delegation::DelegationConfig;
pub use fault::ConfigError;
pub use model::{ModelChoice, ModelServer};
pub use variables::{KNOWN, Variables};
pub use webhook::WebhookConfig;

use crate::chat::{MissingTool, ModelDown, TurnPolicy};
#[cfg(all(feature = "simulator", feature = "delegation"))]
use crate::delegation::PlantedInRunner;
use crate::domain::Lang;
use crate::http::Origins;
use crate::logging::Format;
#[cfg(feature = "simulator")]
use crate::reminders::PlantedInScheduler;
#[cfg(feature = "simulator")]
use crate::store::faults::PlantedBug;
use crate::temporal::DueRule;

/// Everything the program can be told.
#[derive(Debug, Clone)]
pub struct Config {
    /// `CANDOR_BIND`; port 0 takes any free one.
    pub bind: SocketAddr,
    /// `DATABASE_URL`.
    pub database: DatabaseUrl,
    /// `CANDOR_MIGRATE`: whether `serve` brings the database up to date.
    pub migrate: bool,
    /// `OPENAI_*`.
    pub model: ModelChoice,
    /// `CANDOR_TODAY`: the pinned day.
    pub today: Option<NaiveDate>,
    /// Zone, due dates, time limits and what happens when a model does not deliver.
    pub policy: TurnPolicy,
    /// `CANDOR_AUTH`.
    pub auth: AuthConfig,
    /// `CANDOR_RATE_LIMIT`.
    pub rate_limit: Option<RateLimit>,
    /// `CANDOR_CORS_ORIGINS`.
    pub cors: Origins,
    /// `CANDOR_USER_HEADER`: in which a trusted proxy says for whom it calls.
    pub user_header: Option<actix_web::http::header::HeaderName>,
    /// `CANDOR_TODO_BACKEND`.
    pub todo_backend: bool,
    /// `CANDOR_MCP_CONFIRM`: a client's model may confirm a deletion where the client can't ask.
    pub model_confirms: bool,
    /// `CANDOR_WEBHOOK_*`: where reminders are delivered besides the event streams.
    pub webhook: Option<WebhookConfig>,
    /// `OTEL_*`: where traces go.
    pub traces: Option<crate::telemetry::trace::TraceSettings>,
    /// `CANDOR_LOG`.
    pub log_format: Format,
    /// `RUST_LOG`.
    pub log_filter: Option<String>,
    /// `CANDOR_CONFIG`: who works on what is delegated; `None` where nobody does.
    #[cfg(feature = "delegation")]
    pub delegation: Option<DelegationConfig>,
    /// Settings that have no effect, in words for the log.
    pub notes: Vec<String>,
    /// `CANDOR_PLANTED`, which only the tests' build knows: the bug that it shall have.
    #[cfg(feature = "simulator")]
    pub planted: Option<PlantedBug>,
    /// `CANDOR_PLANTED_IN_RUNNER`: the same for who works on what is delegated.
    #[cfg(all(feature = "simulator", feature = "delegation"))]
    pub planted_in_runner: Option<PlantedInRunner>,
    /// `CANDOR_PLANTED_IN_SCHEDULER`: the same for who delivers reminders.
    #[cfg(feature = "simulator")]
    pub planted_in_scheduler: Option<PlantedInScheduler>,
}

/// Tells whether a terminal may be coloured: unless `NO_COLOR` is set, to anything.
pub fn colour_wanted() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// The folder that a variable of the system names (`HOME`, `XDG_STATE_HOME`).
pub fn folder(variable: &str) -> Option<std::path::PathBuf> {
    let value = std::env::var_os(variable).filter(|value| !value.is_empty());
    value.map(std::path::PathBuf::from)
}

impl Config {
    /// Understands `variables`.
    ///
    /// # Errors
    /// The first variable that can't be used.
    ///
    /// ```
    /// use candor::config::{Config, Variables};
    /// let config = Config::read(&Variables::from_pairs([("CANDOR_TODAY", "2026-02-08")]));
    /// assert_eq!(config.unwrap().bind.port(), 8080);
    /// let wrong = Config::read(&Variables::from_pairs([("CANDOR_LOG", "xml")]));
    /// assert_eq!(
    ///     wrong.unwrap_err().to_string(),
    ///     "CANDOR_LOG: \"xml\" is not one of its words; accepted: text, json"
    /// );
    /// ```
    pub fn read(variables: &Variables) -> Result<Self, ConfigError> {
        let (log_format, log_filter) = log(variables)?;
        let today = parse::today(variables)?;
        let auth = access::auth(variables)?;
        let bind = parse::bind(variables)?;
        guard_bind(bind, &auth)?;
        let (rate_limit, cors) = (
            access::rate_limit(variables, &auth)?,
            access::cors(variables)?,
        );
        let todo_backend = variables.switch("CANDOR_TODO_BACKEND")?.unwrap_or(false);
        let model = ModelChoice::read(variables)?;
        let mut notes = notes(variables, &model)?;
        notes.extend(access_notes(variables, &auth, &cors, todo_backend));
        let database = DatabaseUrl::read(variables)?;
        #[cfg(feature = "delegation")]
        let delegation = DelegationConfig::read(variables, &database, &model, &mut notes)?;
        Ok(Self {
            bind,
            database,
            migrate: variables.switch("CANDOR_MIGRATE")?.unwrap_or(true),
            policy: policy(variables, today)?,
            model,
            today,
            auth,
            rate_limit,
            cors,
            user_header: access::user_header(variables)?,
            todo_backend,
            model_confirms: variables
                .word("CANDOR_MCP_CONFIRM", &[("person", false), ("model", true)])?
                .unwrap_or(false),
            webhook: WebhookConfig::read(variables)?,
            traces: traces::read(variables)?,
            log_format,
            log_filter,
            #[cfg(feature = "delegation")]
            delegation,
            notes,
            #[cfg(feature = "simulator")]
            planted: variables.word(
                "CANDOR_PLANTED",
                &[
                    ("early-answer", PlantedBug::EarlyAnswer),
                    ("key-apart", PlantedBug::KeyApart),
                    ("normal-sync", PlantedBug::NormalSync),
                ],
            )?,
            #[cfg(all(feature = "simulator", feature = "delegation"))]
            planted_in_runner: variables.word(
                "CANDOR_PLANTED_IN_RUNNER",
                &[
                    ("words-count", PlantedInRunner::WordsCount),
                    ("lost-receipt", PlantedInRunner::LostReceipt),
                    ("deaf", PlantedInRunner::Deaf),
                ],
            )?,
            #[cfg(feature = "simulator")]
            planted_in_scheduler: variables.word(
                "CANDOR_PLANTED_IN_SCHEDULER",
                &[("marked-first", PlantedInScheduler::MarkedFirst)],
            )?,
        })
    }
}

fn log(variables: &Variables) -> Result<(Format, Option<String>), ConfigError> {
    let format = variables.word(
        "CANDOR_LOG",
        &[("text", Format::Text), ("json", Format::Json)],
    )?;
    let accepted = "a level such as info, or directives such as info,candor=debug";
    let filter = variables.read("RUST_LOG", "is not a filter", accepted, |filter| {
        crate::logging::is_filter(filter).then(|| filter.to_owned())
    });
    Ok((format.unwrap_or(Format::Text), filter?))
}

/// Without credentials only this machine may call.
fn guard_bind(bind: SocketAddr, auth: &AuthConfig) -> Result<(), ConfigError> {
    if auth.is_none() && !parse::is_local(bind.ip()) {
        return Err(ConfigError::quoting(
            "CANDOR_BIND",
            &bind.to_string(),
            "can be reached by others, and CANDOR_AUTH=none would let them in as anybody",
            "a loopback address such as 127.0.0.1:8080 while CANDOR_AUTH=none",
        ));
    }
    Ok(())
}

/// Notes the settings about callers that have no effect, or more than one might think.
fn access_notes(
    variables: &Variables,
    auth: &AuthConfig,
    cors: &Origins,
    todo_backend: bool,
) -> Vec<String> {
    const JWT: [&str; 4] = [
        "CANDOR_JWT_SECRET",
        "CANDOR_JWKS",
        "CANDOR_JWT_AUDIENCE",
        "CANDOR_JWT_ISSUER",
    ];
    const INTROSPECT: [&str; 3] = [
        "CANDOR_INTROSPECT_CLIENT",
        "CANDOR_INTROSPECT_SECRET",
        "CANDOR_INTROSPECT_URL",
    ];
    let mut notes = Vec::new();
    let said = variables.text("CANDOR_AUTH").unwrap_or("none");
    let is_set = |names: &[&str]| names.iter().any(|name| variables.text(name).is_some());
    for (names, family, used) in [
        (&JWT[..], "CANDOR_JWT_*", auth.jwt.is_some()),
        (
            &INTROSPECT,
            "CANDOR_INTROSPECT_*",
            auth.introspect.is_some(),
        ),
    ] {
        if !used && is_set(names) {
            notes.push(format!("{family} have no effect: CANDOR_AUTH is {said}"));
        }
    }
    if !auth.keys && is_set(&["CANDOR_USER_HEADER"]) {
        notes.push(format!(
            "CANDOR_USER_HEADER has no effect: only an admin key may say for whom it calls, and \
             CANDOR_AUTH is {said}"
        ));
    }
    if auth.is_none() && todo_backend {
        let note = "CANDOR_TODO_BACKEND=on while CANDOR_AUTH=none: every page that is open in a \
                    browser on this machine can read and change task lists";
        notes.push(note.to_owned());
    }
    if auth.is_none() && *cors == Origins::Any {
        let note = "CANDOR_CORS_ORIGINS=* while CANDOR_AUTH=none: every page that is open in a \
                    browser on this machine can read and change everything";
        notes.push(note.to_owned());
    }
    notes
}

fn policy(variables: &Variables, today: Option<NaiveDate>) -> Result<TurnPolicy, ConfigError> {
    const RULES: &[(&str, DueRule)] = &[("year", DueRule::Year), ("rolling", DueRule::Rolling)];
    const MISSING: &[(&str, MissingTool)] = &[
        ("reject", MissingTool::Reject),
        ("retry", MissingTool::Retry),
        ("engine", MissingTool::Engine),
    ];
    const DOWN: &[(&str, ModelDown)] =
        &[("reject", ModelDown::Reject), ("engine", ModelDown::Engine)];
    let mut languages = vec![("auto", None)];
    languages.extend(Lang::ALL.map(|lang| (lang.code(), Some(lang))));
    let default_zone = parse::zone(variables)?;
    let due_rule = variables.word("CANDOR_DUE_DATES", RULES)?;
    let reply_language = variables.word("CANDOR_REPLY_LANGUAGE", &languages)?;
    let missing_tool = variables.word("CANDOR_MISSING_TOOL", MISSING)?;
    let model_down = variables.word("CANDOR_MODEL_DOWN", DOWN)?;
    Ok(TurnPolicy {
        default_zone,
        // A rule by the year is exact on a pinned day; on a live clock it would forbid tomorrow
        // every 31 December.
        due_rule: due_rule.unwrap_or(match today {
            Some(_) => DueRule::Year,
            None => DueRule::Rolling,
        }),
        reply_language: reply_language.flatten(),
        missing_tool: missing_tool.unwrap_or(MissingTool::Reject),
        model_down: model_down.unwrap_or(ModelDown::Reject),
        fast_path: variables.switch("CANDOR_FAST_PATH")?.unwrap_or(false),
        model_timeout: parse::model_timeout(variables)?,
    })
}

/// Notes the settings that have no effect in this build; wrong values are errors all the same.
fn notes(variables: &Variables, model: &ModelChoice) -> Result<Vec<String>, ConfigError> {
    let mut notes = Vec::new();
    let mut note = |text: &str| notes.push(text.to_owned());
    #[cfg(not(feature = "delegation"))]
    if variables.text("CANDOR_CONFIG").is_some() || std::path::Path::new("candor.toml").is_file() {
        note("candor.toml is not read: this build is without delegation");
    }
    if let ModelChoice::Server(server) = model
        && server.base_url.matches('/').count() == 2
    {
        note(
            "OPENAI_BASE_URL has no path: most servers answer below /v1, as in http://127.0.0.1:11434/v1",
        );
    }
    match model {
        ModelChoice::Engine if variables.text("OPENAI_MODEL").is_some() => note(
            "OPENAI_MODEL has no effect: set OPENAI_BASE_URL or OPENAI_API_KEY, or the built-in engine answers",
        ),
        ModelChoice::Server(server) if !server.named => {
            notes.push(format!(
                "OPENAI_MODEL is not set: asking for {}",
                server.model
            ));
        }
        ModelChoice::Engine | ModelChoice::Server(_) => {}
    }
    for name in variables.strangers() {
        notes.push(format!(
            "{} is not a variable of this program",
            name.escape_debug()
        ));
    }
    Ok(notes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of a variable, its value and what is said of it: `NAME=value => words`.
    pub(super) fn cases(text: &str) -> impl Iterator<Item = (&str, &str, &str)> {
        text.trim().lines().map(|line| {
            let (set, expect) = line.trim().split_once(" => ").unwrap();
            let (name, value) = set.split_once('=').unwrap();
            (name, value, expect)
        })
    }

    fn read(pairs: &[(&str, &str)]) -> Result<Config, ConfigError> {
        Config::read(&Variables::from_pairs(pairs.iter().copied()))
    }

    #[test]
    fn defaults() {
        let config = read(&[]).unwrap();
        assert_eq!(config.bind.to_string(), "127.0.0.1:8080");
        assert_eq!(config.database.expose(), "sqlite://candor.db");
        assert_eq!(config.model, ModelChoice::Engine);
        assert_eq!(config.policy.due_rule, DueRule::Rolling);
        assert_eq!(config.policy.missing_tool, MissingTool::Reject);
        assert_eq!(config.policy.model_down, ModelDown::Reject);
        assert_eq!(config.policy.model_timeout.as_millis(), 30_000);
        assert_eq!(config.log_format, Format::Text);
        assert!(config.migrate && !config.policy.fast_path && config.notes.is_empty());
    }

    #[test]
    fn a_pinned_day_brings_the_rule_of_the_year_unless_told_otherwise() {
        let rule = |pairs: &[(&str, &str)]| read(pairs).unwrap().policy.due_rule;
        assert_eq!(rule(&[("CANDOR_TODAY", "2026-02-08")]), DueRule::Year);
        let told = [
            ("CANDOR_TODAY", "2026-02-08"),
            ("CANDOR_DUE_DATES", "rolling"),
        ];
        assert_eq!(rule(&told), DueRule::Rolling);
        assert_eq!(rule(&[("CANDOR_DUE_DATES", "year")]), DueRule::Year);
    }

    #[test]
    fn a_wrong_value_stops_the_start_with_one_line() {
        let text = "
            CANDOR_BIND=0.0.0.0:8080 => CANDOR_AUTH=none would let them in
            CANDOR_BIND=[::]:8080 => CANDOR_AUTH=none would let them in
            CANDOR_BIND=here => is not an address
            DATABASE_URL=mysql://x/y => scheme
            CANDOR_MIGRATE=no => accepted: on, off
            CANDOR_TODAY=today => accepted: YYYY-MM-DD
            CANDOR_TIMEZONE=Mars/Olympus => accepted: an IANA name
            CANDOR_DUE_DATES=never => accepted: year, rolling
            CANDOR_MISSING_TOOL=ignore => accepted: reject, retry, engine
            CANDOR_MODEL_DOWN=retry => accepted: reject, engine
            CANDOR_FAST_PATH=yes => accepted: on, off
            CANDOR_MODEL_TIMEOUT_MS=0 => accepted: 1 to 600000
            CANDOR_MODEL_TIMEOUT_MS=30s => accepted: 1 to 600000
            CANDOR_MODEL_TIMEOUT_MS=600001 => accepted: 1 to 600000
            CANDOR_AUTH=jwt => has nothing to check signatures with
            CANDOR_RATE_LIMIT=60 => is not a limit
            CANDOR_CORS_ORIGINS=everyone => is not an origin
            CANDOR_TODO_BACKEND=1 => accepted: on, off
            CANDOR_CONFIG=/no/such/file.toml => is not there
            CANDOR_LOG=xml => accepted: text, json
            RUST_LOG=candor=loud => is not a filter
            OPENAI_BASE_URL=localhost:11434 => accepted: http:// or https://
        ";
        for (name, value, expect) in cases(text) {
            let line = read(&[(name, value)]).unwrap_err().to_string();
            assert!(line.starts_with(&format!("{name}: ")), "{line}");
            assert!(line.contains(expect), "{line}");
            let whole = line.contains("; accepted: ") && !line.contains('\n');
            assert!(whole, "{line}");
        }
    }

    #[test]
    fn a_webhook_needs_an_address_and_a_secret_that_hold() {
        const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        let check = |url: &str, secret: &str, expect: &str| {
            let pairs = [
                ("CANDOR_WEBHOOK_URL", url),
                ("CANDOR_WEBHOOK_SECRET", secret),
            ];
            let line = read(&pairs).unwrap_err().to_string();
            assert!(
                line.contains(expect) && line.contains("; accepted: "),
                "{line}"
            );
            assert!(!line.contains("canary"), "{line}");
        };
        check(
            "https://x.org/canary",
            "",
            "CANDOR_WEBHOOK_SECRET: it is not set",
        );
        check("", SECRET, "CANDOR_WEBHOOK_URL: it is not set");
        check("mailto:canary", SECRET, "CANDOR_WEBHOOK_URL: it is no http");
        check(
            "https://x.org",
            "canary",
            "CANDOR_WEBHOOK_SECRET: it does not begin",
        );
        let whole = [
            ("CANDOR_WEBHOOK_URL", "https://x.org/canary"),
            ("CANDOR_WEBHOOK_SECRET", SECRET),
        ];
        let shown = format!("{:?}", read(&whole).unwrap().webhook);
        assert!(
            !shown.contains("canary") && !shown.contains("MfKQ"),
            "{shown}"
        );
    }

    #[test]
    fn what_has_no_effect_is_noted() {
        let text = "
            CANDOR_CORS_ORIGINS=* => every page that is open in a browser
            CANDOR_TODO_BACKEND=on => CANDOR_TODO_BACKEND=on while CANDOR_AUTH=none
            CANDOR_JWT_SECRET=canary => CANDOR_JWT_* have no effect
            CANDOR_INTROSPECT_SECRET=canary => CANDOR_INTROSPECT_* have no effect: CANDOR_AUTH is none
            CANDOR_USER_HEADER=X-User => CANDOR_USER_HEADER has no effect
            OPENAI_MODEL=gpt-4 => OPENAI_MODEL has no effect
            OPENAI_API_KEY=sk-canary => asking for gpt-4o-mini
            OPENAI_BASE_URL=http://host:11434/ => OPENAI_BASE_URL has no path
            CANDOR_DUE_DATE=year => CANDOR_DUE_DATE is not a variable
        ";
        let notes = |name, value| read(&[(name, value)]).unwrap().notes.join("\n");
        for (name, value, expect) in cases(text) {
            let notes = notes(name, value);
            assert!(notes.contains(expect), "{notes}");
            assert!(!notes.contains("canary"), "{notes}");
        }
        let notes = notes("OPENAI_BASE_URL", "http://host/v1");
        assert!(!notes.contains("has no path"), "{notes}");
    }

    #[test]
    fn the_example_file_is_complete_and_its_values_are_accepted() {
        let example = include_str!("../../.env.example");
        let lines = example
            .lines()
            .filter_map(|line| line.strip_prefix('#')?.split_once('='));
        let mut pairs: Vec<_> = lines.filter(|(name, _)| !name.contains(' ')).collect();
        for name in KNOWN.iter().filter(|name| !name.contains("JW")) {
            assert!(
                pairs.iter().any(|(listed, _)| listed == name),
                "{name} is missing"
            );
        }
        // The file it names need not be there.
        pairs.retain(|(name, _)| *name != "CANDOR_CONFIG");
        read(&pairs).unwrap();
    }
}
