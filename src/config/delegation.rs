//! `candor.toml`: providers, model names, and what agents may do.
//!
//! Read once at the start and whole: a wrong value, an unknown key or a key that is not there
//! stops the start with one line. A server's key is named by its environment variable and
//! never stands in the file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use toml::{Table, Value};

use super::database::DatabaseUrl;
use super::fault::ConfigError;
use super::file::{self, FILE, FileSection};
use super::model::{self, ModelChoice, ModelServer};
use super::variables::{Variables, joined};
use crate::delegation::{
    DEFAULT_PERSONA, DelegationSettings, EnvironmentVariables, ModelName, ProviderKind,
    ProviderSettings, RoutingModels,
};
use crate::domain::{CompletionPolicy, DelegateAuthorization, Secret, is_ident, is_persona};

const TOP: &[&str] = &["providers", "models", "delegation"];
const TOP_KEYS: &str = "[[providers]], [models], [delegation]";
const PROVIDER: &[&str] = &[
    "id",
    "kind",
    "base_url",
    "command",
    "api_key_env",
    "env",
    "models",
    "max_concurrent",
    "enabled",
];
const MODELS: &[&str] = &["fast", "smart"];
const DELEGATION: &[&str] = &[
    "default_persona",
    "workspace_roots",
    "completion_policy",
    "authorization",
    "foreground_wait_ms",
    "max_depth",
    "max_runs_per_user",
];

/// Keys as an error lists them.
fn listed(known: &[&str]) -> String {
    joined(known.iter().copied())
}

/// Time that a turn waits for its runs, in milliseconds.
const FOREGROUND_WAIT_MS: u64 = 20_000;
/// Largest number of runs of one user that work at once.
const MAX_RUNS_PER_USER: u64 = 10;

/// Delegation as the operator set it up.
#[derive(Debug, Clone)]
pub struct DelegationConfig {
    /// All but the keys.
    pub settings: DelegationSettings,
    /// The keys, by the provider's id.
    pub keys: BTreeMap<String, Secret>,
}

impl DelegationConfig {
    /// Reads `CANDOR_CONFIG`, or `candor.toml` when it is there; `None` where no provider is
    /// configured. What is set and without effect is noted.
    ///
    /// # Errors
    /// The first key that can't be used.
    pub fn read(
        variables: &Variables,
        database: &DatabaseUrl,
        model: &ModelChoice,
        notes: &mut Vec<String>,
    ) -> Result<Option<Self>, ConfigError> {
        let path = match variables.text("CANDOR_CONFIG") {
            Some(path) if !Path::new(path).is_file() => {
                return Err(ConfigError::quoting(
                    "CANDOR_CONFIG",
                    path,
                    "is not there",
                    "the path of a file",
                ));
            }
            Some(path) => Path::new(path),
            None if Path::new(FILE).is_file() => Path::new(FILE),
            None => return Ok(None),
        };
        let mut read = Self::understand(&file::open(path)?, variables, model, notes)?;
        if let Some(read) = &mut read {
            read.settings.own_files = own_files(path, variables, database);
        }
        Ok(read)
    }

    /// Understands the file's table.
    fn understand(
        table: &Table,
        variables: &Variables,
        model: &ModelChoice,
        notes: &mut Vec<String>,
    ) -> Result<Option<Self>, ConfigError> {
        FileSection::new("", table, TOP, TOP_KEYS)?;
        let chat = match model {
            ModelChoice::Server(server) => Some(server),
            ModelChoice::Engine => None,
        };
        let (mut providers, mut keys) = providers(table, variables, chat)?;
        let none = Table::new();
        let models = FileSection::new(
            "[models]",
            part(table, "models", &none)?,
            MODELS,
            listed(MODELS),
        )?;
        let rules = part(table, "delegation", &none)?;
        let rules = FileSection::new("[delegation]", rules, DELEGATION, listed(DELEGATION))?;
        if providers.is_empty() {
            if !table.is_empty() {
                let note = "candor.toml has no [[providers]]: nothing can be delegated";
                notes.push(note.to_owned());
            }
            // Wrong values stop the start all the same.
            settings(providers, None, &models, &rules)?;
            return Ok(None);
        }
        let session = chat.map(|chat| {
            admit(&mut providers, &mut keys, chat);
            ModelName {
                provider: chat.provider.clone(),
                model: chat.model.clone(),
            }
        });
        let settings = settings(providers, session, &models, &rules)?;
        Ok(Some(Self { settings, keys }))
    }
}

/// The chat's own model is a provider, too; where the file has one of its name, that one is it.
fn admit(
    providers: &mut Vec<ProviderSettings>,
    keys: &mut BTreeMap<String, Secret>,
    chat: &ModelServer,
) {
    if let Some(same) = providers.iter_mut().find(|it| it.id == chat.provider) {
        if !same.models.is_empty() && !same.models.contains(&chat.model) {
            same.models.push(chat.model.clone());
        }
        return;
    }
    let mut models = vec![chat.model.clone()];
    models.extend(chat.fallbacks.iter().cloned());
    providers.push(ProviderSettings {
        id: chat.provider.clone(),
        kind: ProviderKind::OpenAiCompat,
        base_url: Some(chat.base_url.clone()),
        command: Vec::new(),
        env: EnvironmentVariables::default(),
        api_key_env: None,
        models,
        max_concurrent: None,
        enabled: true,
    });
    if let Some(key) = &chat.api_key {
        keys.insert(chat.provider.clone(), key.clone());
    }
}

fn part<'a>(table: &'a Table, key: &str, none: &'a Table) -> Result<&'a Table, ConfigError> {
    match table.get(key) {
        None => Ok(none),
        Some(Value::Table(part)) => Ok(part),
        Some(_) => Err(file::fault(key, "is not a table", TOP_KEYS)),
    }
}

type ConfiguredProviders = (Vec<ProviderSettings>, BTreeMap<String, Secret>);

fn providers(
    table: &Table,
    variables: &Variables,
    chat: Option<&ModelServer>,
) -> Result<ConfiguredProviders, ConfigError> {
    let list = match table.get("providers") {
        None => &[][..],
        Some(Value::Array(list)) => list.as_slice(),
        Some(_) => {
            let fault = "is not a list of tables";
            return Err(file::fault("providers", fault, "[[providers]]"));
        }
    };
    let mut providers: Vec<ProviderSettings> = Vec::new();
    let mut keys = BTreeMap::new();
    for (at, value) in list.iter().enumerate() {
        let name = format!("[[providers]] {}", at + 1);
        let Value::Table(table) = value else {
            return Err(file::fault(&name, "is not a table", "[[providers]]"));
        };
        no_key_in_the_file(&name, table)?;
        let section = FileSection::new(name, table, PROVIDER, listed(PROVIDER))?;
        let (provider, key) = provider(&section, variables, chat)?;
        if providers.iter().any(|it| it.id == provider.id) {
            let fault = format!("= {:?} is the id of an earlier one", provider.id);
            return Err(section.fault("id", fault, "an id of its own"));
        }
        if let Some(key) = key {
            keys.insert(provider.id.clone(), key);
        }
        providers.push(provider);
    }
    Ok((providers, keys))
}

/// Keys do not belong into a file that is shown around; whoever wrote one there is told where.
fn no_key_in_the_file(name: &str, table: &Table) -> Result<(), ConfigError> {
    let secrets = ["api_key", "key", "token", "secret", "password"];
    match table.keys().find(|key| secrets.contains(&key.as_str())) {
        Some(key) => Err(file::fault(
            &format!("{name} {key}"),
            "is not a key of this file: a secret does not belong into it",
            "api_key_env, the name of the environment variable that holds it",
        )),
        None => Ok(()),
    }
}

fn provider(
    section: &FileSection<'_>,
    variables: &Variables,
    chat: Option<&ModelServer>,
) -> Result<(ProviderSettings, Option<Secret>), ConfigError> {
    const ID: &str = "1 to 64 of A-Z a-z 0-9 _ . - beginning with a letter or digit";
    const URL: &str =
        "http:// or https:// with a host and a path, such as http://127.0.0.1:11434/v1";
    const COMMAND: &str = "the program and its arguments, such as [\"codex\", \"acp\"]";
    const COUNT: &str = "1 to 1000";
    let id = section.text("id", ID)?;
    let id = id.ok_or_else(|| section.fault("id", "is missing", ID))?;
    if !is_ident(id) {
        return Err(section.fault("id", "can't be one", ID));
    }
    if matches!(id, "auto" | "custom") {
        return Err(section.fault("id", format!("= {id:?} has a meaning of its own"), ID));
    }
    let kind = section.word("kind", &ProviderKind::ALL.map(|it| (it.as_str(), it)), None)?;
    let foreign = |key: &str, wanted: ProviderKind| {
        if kind != wanted && section.has(key) {
            let fault = format!("has no meaning for kind = {:?}", kind.as_str());
            return Err(section.fault(key, fault, listed(PROVIDER)));
        }
        Ok(())
    };
    foreign("base_url", ProviderKind::OpenAiCompat)?;
    if kind == ProviderKind::BuiltIn {
        foreign("api_key_env", ProviderKind::OpenAiCompat)?;
    }
    foreign("command", ProviderKind::AcpStdio)?;
    foreign("env", ProviderKind::AcpStdio)?;
    let own = chat.filter(|chat| chat.provider == id);
    let base_url = match (section.text("base_url", URL)?, own) {
        (Some(url), _) => Some(
            model::address(url)
                .map_err(|why| section.fault("base_url", format!("can't be one: {why}"), URL))?,
        ),
        (None, Some(own)) => Some(own.base_url.clone()),
        (None, None) if kind == ProviderKind::OpenAiCompat => {
            return Err(section.fault("base_url", "is missing", URL));
        }
        (None, None) => None,
    };
    let command = section.command("command", COMMAND)?;
    if kind == ProviderKind::AcpStdio && command.is_empty() {
        return Err(section.fault("command", "is missing", COMMAND));
    }
    let env = section.texts("env", NAMES)?;
    if !env.iter().all(|name| is_variable(name)) {
        return Err(section.fault("env", "holds what is not the name of a variable", NAMES));
    }
    let env = match kind {
        ProviderKind::AcpStdio => inherited(&env, variables),
        ProviderKind::OpenAiCompat | ProviderKind::BuiltIn => EnvironmentVariables::default(),
    };
    let models = section.texts("models", "a list of model names")?;
    if kind == ProviderKind::OpenAiCompat && models.is_empty() && own.is_none() {
        let fault = "is missing: there is no model to ask for";
        return Err(section.fault("models", fault, "a list of model names"));
    }
    let models = match own {
        Some(own) if models.is_empty() => vec![own.model.clone()],
        _ => models,
    };
    let api_key_env = section.text("api_key_env", VARIABLE)?.map(str::to_owned);
    let key = match (&api_key_env, own) {
        (Some(name), _) => Some(key(section, name, variables)?),
        // The key of the chat's server goes to that server and to no other.
        (None, Some(own)) if base_url.as_ref() == Some(&own.base_url) => own.api_key.clone(),
        (None, _) => None,
    };
    let max_concurrent = section.number("max_concurrent", 1..=1000, COUNT)?;
    let provider = ProviderSettings {
        id: id.to_owned(),
        kind,
        base_url,
        command,
        env,
        api_key_env,
        models,
        max_concurrent: max_concurrent.and_then(|count| usize::try_from(count).ok()),
        enabled: section.switch("enabled", true)?,
    };
    Ok((provider, key))
}

/// Variables of this process that every program gets: where programs and files are found, and the
/// locale.
const INHERITED: [&str; 9] = [
    "PATH",
    "HOME",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_CTYPE",
    "LC_MESSAGES",
    "LC_NUMERIC",
    "LC_TIME",
];

/// The variables that a program gets, those that its provider lists among them.
fn inherited(listed: &[String], variables: &Variables) -> EnvironmentVariables {
    let names = INHERITED
        .into_iter()
        .chain(listed.iter().map(String::as_str));
    let set = names.filter_map(|name| Some((name.to_owned(), variables.text(name)?.to_owned())));
    EnvironmentVariables(set.collect())
}

const NAMES: &str = "a list of names of environment variables, such as [\"HTTPS_PROXY\"]";

/// Tells whether `name` can be the name of a variable, and is no value that was written in its
/// place.
fn is_variable(name: &str) -> bool {
    let fits = |c: u8| c.is_ascii_alphanumeric() || c == b'_';
    name.bytes().all(fits) && name.len() <= 64
}

const VARIABLE: &str = "the name of an environment variable that holds a key";

/// The key in the variable of that name. Neither is its value quoted, nor a name that looks
/// like a value.
fn key(
    section: &FileSection<'_>,
    name: &str,
    variables: &Variables,
) -> Result<Secret, ConfigError> {
    let is_name = |c: u8| c.is_ascii_uppercase() || c.is_ascii_digit() || c == b'_';
    if !name.bytes().all(is_name) || name.len() > 64 {
        return Err(section.fault("api_key_env", "is not the name of a variable", VARIABLE));
    }
    let fault = match variables.text(name) {
        None => "is not set",
        Some(value) if !value.bytes().all(|b| b.is_ascii_graphic()) => {
            "holds a space or a character that no header can carry"
        }
        Some(value) => return Ok(Secret::new(value)),
    };
    Err(section.fault("api_key_env", format!("= {name:?}: it {fault}"), VARIABLE))
}

fn settings(
    providers: Vec<ProviderSettings>,
    session: Option<ModelName>,
    models: &FileSection<'_>,
    rules: &FileSection<'_>,
) -> Result<DelegationSettings, ConfigError> {
    const PERSONA: &str = "a to z, then a-z 0-9 - _, at most 64 characters";
    const WAIT: &str = "0 to 600000 (milliseconds)";
    let persona = rules.text("default_persona", PERSONA)?;
    let persona = persona.unwrap_or(DEFAULT_PERSONA);
    if !is_persona(persona) {
        return Err(rules.fault("default_persona", "can't be one", PERSONA));
    }
    let wait = rules.number("foreground_wait_ms", 0..=600_000, WAIT)?;
    let depth = rules.number("max_depth", 1..=3, "1 to 3")?.unwrap_or(1);
    let runs = rules.number("max_runs_per_user", 1..=1000, "1 to 1000")?;
    let runs = runs.unwrap_or(MAX_RUNS_PER_USER);
    Ok(DelegationSettings {
        models: RoutingModels {
            fast: model_name(models, "fast", &providers)?,
            smart: model_name(models, "smart", &providers)?,
            session,
        },
        providers,
        default_persona: persona.to_owned(),
        workspace_roots: roots(rules)?,
        own_files: Vec::new(),
        completion: rules.word(
            "completion_policy",
            &CompletionPolicy::ALL.map(|it| (it.as_str(), it)),
            Some(CompletionPolicy::Reported),
        )?,
        authorization: rules.word(
            "authorization",
            &DelegateAuthorization::ALL.map(|it| (it.as_str(), it)),
            Some(DelegateAuthorization::Intent),
        )?,
        foreground_wait: Duration::from_millis(wait.unwrap_or(FOREGROUND_WAIT_MS)),
        max_depth: u8::try_from(depth).unwrap_or(1),
        max_runs_per_user: usize::try_from(runs).unwrap_or(1),
    })
}

/// `fast` and `smart`: a configured provider and a model it offers.
fn model_name(
    section: &FileSection<'_>,
    key: &str,
    providers: &[ProviderSettings],
) -> Result<Option<ModelName>, ConfigError> {
    const MODEL: &str = "provider:model, such as \"openai-dev:gpt-4\"";
    let Some(text) = section.text(key, MODEL)? else {
        return Ok(None);
    };
    let parts = text.split_once(':').filter(|(_, model)| !model.is_empty());
    let Some((id, model)) = parts else {
        return Err(section.fault(key, "names no provider and model", MODEL));
    };
    let Some(provider) = providers.iter().find(|it| it.id == id) else {
        let fault = format!("names the provider {id:?}, which is not configured");
        return Err(section.fault(key, fault, MODEL));
    };
    if !provider.models.is_empty() && !provider.models.iter().any(|known| known == model) {
        let fault = format!("names the model {model:?}, which {id} does not list in its models");
        return Err(section.fault(key, fault, MODEL));
    }
    Ok(Some(ModelName {
        provider: id.to_owned(),
        model: model.to_owned(),
    }))
}

/// Files that no agent sees: this file, the database, `.env` and keys.
fn own_files(config: &Path, variables: &Variables, database: &DatabaseUrl) -> Vec<PathBuf> {
    let keys = variables.text("CANDOR_JWKS").map(Path::new);
    let named = [Some(config), database.file(), keys];
    let usual = [".env", "candor-audit.key"].map(Path::new);
    let files = named.into_iter().flatten().chain(usual);
    files
        .filter_map(|path| std::path::absolute(path).ok())
        .collect()
}

/// The roots as they are on disk, links followed: what is compared later can't be renamed by one.
fn roots(section: &FileSection<'_>) -> Result<Vec<PathBuf>, ConfigError> {
    const ROOTS: &str = "a list of folders that are there";
    let mut roots = Vec::new();
    for root in section.texts("workspace_roots", ROOTS)? {
        let real = Path::new(&root).canonicalize();
        let real = real.ok().filter(|path| path.is_dir()).ok_or_else(|| {
            let shown: String = root.chars().take(80).collect();
            let fault = format!("holds {shown:?}: no such folder");
            section.fault("workspace_roots", fault, ROOTS)
        })?;
        if !roots.contains(&real) {
            roots.push(real);
        }
    }
    Ok(roots)
}

#[cfg(test)]
mod tests;
