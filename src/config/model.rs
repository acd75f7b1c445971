//! The model that answers: `OPENAI_*`.

use std::str::FromStr;

use actix_web::http::Uri;

use super::fault::ConfigError;
use super::variables::Variables;
use crate::domain::Secret;

/// Address that requests go to when only a key is set.
const OPENAI: &str = "https://api.openai.com/v1";
/// The model that is asked for when none is named.
const DEFAULT_MODEL: &str = "gpt-4o-mini";

/// The model or engine that answers the chat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModelChoice {
    /// The built-in engine: no server, no key.
    Engine,
    /// A server that speaks OpenAI's chat completions.
    Server(ModelServer),
}

/// A model's server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelServer {
    /// Its name in replies and in the audit log: `openai`.
    pub provider: String,
    /// Its address, without a trailing slash; `/chat/completions` is appended.
    pub base_url: String,
    /// Its credential; local servers need none.
    pub api_key: Option<Secret>,
    /// The model to ask for.
    pub model: String,
    /// Set when `OPENAI_MODEL` named the model.
    pub named: bool,
    /// The models to ask for when that one is missing or down, in order.
    pub fallbacks: Vec<String>,
}

impl Secret {
    /// The key in the environment variable that `--api-key-env` names.
    ///
    /// # Errors
    /// When it is not set, or holds what no header can carry.
    pub fn named(variable: &str) -> Result<Self, ConfigError> {
        let value = std::env::var(variable).unwrap_or_default();
        let value = value.trim();
        let accepted = "the name of an environment variable that holds a key";
        let fault = match value {
            "" => "is not set",
            _ if !value.bytes().all(|b| b.is_ascii_graphic()) => {
                "holds a character that no header can carry"
            }
            _ => return Ok(Self::new(value)),
        };
        Err(ConfigError::quoting(
            "--api-key-env",
            variable,
            fault,
            accepted,
        ))
    }
}

impl ModelChoice {
    /// The same choice with another address, key or model, as a command line names them. The
    /// configured key is not sent to another address.
    ///
    /// # Errors
    /// When one of them can't be used, or a model is named and there is no server to ask.
    pub fn with(
        &self,
        base_url: Option<&str>,
        key: Option<Secret>,
        model: Option<&str>,
    ) -> Result<Self, ConfigError> {
        let base_url = base_url.map(|url| self::base_url("--base-url", url));
        let base_url = base_url.transpose()?;
        let model = model.map(|name| self::model("--model", name)).transpose()?;
        let mut server = match (self, &base_url) {
            (Self::Server(server), _) => server.clone(),
            (Self::Engine, None) if model.is_some() || key.is_some() => {
                let (flag, fault) = ("--model", "there is no server to ask for it");
                let accepted = "a model beside --base-url or OPENAI_BASE_URL";
                return Err(ConfigError::new(flag, fault, accepted));
            }
            (Self::Engine, None) => return Ok(Self::Engine),
            (Self::Engine, Some(base_url)) => ModelServer {
                provider: "openai".to_owned(),
                base_url: base_url.clone(),
                api_key: None,
                model: DEFAULT_MODEL.to_owned(),
                named: false,
                fallbacks: Vec::new(),
            },
        };
        if let Some(base_url) = base_url
            && base_url != server.base_url
        {
            server.base_url = base_url;
            server.api_key = None;
        }
        if key.is_some() {
            server.api_key = key;
        }
        if let Some(model) = model {
            server.model = model;
            server.named = true;
            server.fallbacks.clear();
        }
        Ok(Self::Server(server))
    }

    /// Reads `OPENAI_*`: a base URL or a key makes it a server, neither the built-in engine.
    ///
    /// # Errors
    /// When one of them can't be used; a wrong one is an error even when the engine answers.
    pub fn read(variables: &Variables) -> Result<Self, ConfigError> {
        let base_url = variables
            .text("OPENAI_BASE_URL")
            .map(|url| base_url("OPENAI_BASE_URL", url))
            .transpose()?;
        let api_key = variables.text("OPENAI_API_KEY").map(api_key).transpose()?;
        let model = variables.text("OPENAI_MODEL");
        let model = model.map(|name| self::model("OPENAI_MODEL", name));
        let model = model.transpose()?;
        let fallbacks = variables.list("OPENAI_FALLBACK_MODELS");
        let fallbacks = fallbacks.map(|name| self::model("OPENAI_FALLBACK_MODELS", name));
        let fallbacks: Vec<String> = fallbacks.collect::<Result<_, _>>()?;
        let accepted = "1 to 64 of A-Z a-z 0-9 - _ .";
        let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
        let provider = variables.read(
            "OPENAI_PROVIDER_ID",
            "is not a provider's name",
            accepted,
            |name| (name.len() <= 64 && name.bytes().all(plain)).then(|| name.to_owned()),
        );
        let provider = provider?.unwrap_or_else(|| "openai".to_owned());
        if base_url.is_none() && api_key.is_none() {
            return Ok(Self::Engine);
        }
        Ok(Self::Server(ModelServer {
            provider,
            base_url: base_url.unwrap_or_else(|| OPENAI.to_owned()),
            api_key,
            named: model.is_some(),
            model: model.unwrap_or_else(|| DEFAULT_MODEL.to_owned()),
            fallbacks,
        }))
    }
}

/// Reads an address. It is never quoted: it may hold a credential.
fn base_url(variable: &'static str, value: &str) -> Result<String, ConfigError> {
    const ACCEPTED: &str =
        "http:// or https:// with a host and a path, such as http://127.0.0.1:11434/v1";
    address(value).map_err(|fault| ConfigError::new(variable, fault, ACCEPTED))
}

/// An address without its trailing slashes, or what is wrong with it, in words that do not
/// quote it.
pub(super) fn address(value: &str) -> Result<String, &'static str> {
    if !["http://", "https://"]
        .iter()
        .any(|scheme| value.starts_with(scheme))
    {
        return Err("it begins with neither http:// nor https://");
    }
    let uri = Uri::from_str(value).map_err(|_| "it is not an address")?;
    let authority = uri.authority().ok_or("it names no host")?;
    if authority.host().is_empty() {
        return Err("it names no host");
    }
    if authority.as_str().contains('@') {
        return Err("it holds a user name; a key goes into a variable of its own");
    }
    if uri.query().is_some() || value.contains('#') {
        return Err("it has a query or a fragment");
    }
    let url = reqwest::Url::parse(value).map_err(|_| "it is not an address")?;
    Ok(url.as_str().trim_end_matches('/').to_owned())
}

/// Reads a key. It is never quoted.
fn api_key(value: &str) -> Result<Secret, ConfigError> {
    if value.bytes().all(|b| b.is_ascii_graphic()) {
        Ok(Secret::new(value))
    } else {
        let fault = "it holds a space or a character that no header can carry";
        Err(ConfigError::new(
            "OPENAI_API_KEY",
            fault,
            "visible ASCII characters",
        ))
    }
}

fn model(variable: &'static str, name: &str) -> Result<String, ConfigError> {
    let fits = name.chars().count() <= 200 && !name.chars().any(char::is_control);
    fits.then(|| name.to_owned()).ok_or_else(|| {
        ConfigError::quoting(
            variable,
            name,
            "is not a model's name",
            "1 to 200 characters on one line, such as gpt-4o-mini",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<ModelChoice, ConfigError> {
        ModelChoice::read(&Variables::from_pairs(pairs.iter().copied()))
    }

    fn server(pairs: &[(&str, &str)]) -> ModelServer {
        match read(pairs).unwrap() {
            ModelChoice::Server(server) => server,
            ModelChoice::Engine => panic!("the engine"),
        }
    }

    #[test]
    fn neither_address_nor_key_is_the_engine() {
        assert_eq!(read(&[]).unwrap(), ModelChoice::Engine);
        assert_eq!(
            read(&[("OPENAI_API_KEY", " ")]).unwrap(),
            ModelChoice::Engine
        );
        assert_eq!(
            read(&[("OPENAI_MODEL", "gpt-4")]).unwrap(),
            ModelChoice::Engine
        );
    }

    #[test]
    fn an_address_or_a_key_is_a_server() {
        let keyed = server(&[("OPENAI_API_KEY", "sk-canary"), ("OPENAI_MODEL", "gpt-4")]);
        assert_eq!(keyed.base_url, "https://api.openai.com/v1");
        assert_eq!(keyed.model, "gpt-4");
        assert!(!format!("{keyed:?}").contains("canary"));

        let local = server(&[
            ("OPENAI_BASE_URL", "http://localhost:11434/v1/"),
            ("OPENAI_FALLBACK_MODELS", "a, b ,,"),
            ("OPENAI_PROVIDER_ID", "openai-dev"),
        ]);
        assert_eq!(local.base_url, "http://localhost:11434/v1");
        assert_eq!(local.fallbacks, ["a", "b"]);
        assert_eq!(local.provider, "openai-dev");
        assert!(local.api_key.is_none() && !local.named);
    }

    #[test]
    fn flags_go_before_the_variables_and_take_no_key_elsewhere() {
        let configured = read(&[
            ("OPENAI_API_KEY", "sk-canary"),
            ("OPENAI_FALLBACK_MODELS", "other"),
        ]);
        let configured = configured.unwrap();
        let server = |choice: Result<ModelChoice, ConfigError>| match choice.unwrap() {
            ModelChoice::Server(server) => server,
            ModelChoice::Engine => panic!("the engine"),
        };
        let named = server(configured.with(None, None, Some("gpt-4")));
        assert!(named.api_key.is_some() && named.fallbacks.is_empty());
        assert_eq!(named.model, "gpt-4");
        let elsewhere = server(configured.with(Some("http://host/v1/"), None, None));
        assert_eq!(elsewhere.base_url, "http://host/v1");
        assert!(elsewhere.api_key.is_none());
        let key = Some(Secret::new("k"));
        let elsewhere = server(configured.with(Some("http://host/v1"), key, None));
        assert!(elsewhere.api_key.is_some());

        let engine = ModelChoice::Engine;
        assert_eq!(engine.with(None, None, None).unwrap(), ModelChoice::Engine);
        let line = engine
            .with(None, None, Some("gpt-4"))
            .unwrap_err()
            .to_string();
        assert!(line.starts_with("--model: there is no server"), "{line}");
        let line = engine
            .with(Some("host"), None, None)
            .unwrap_err()
            .to_string();
        assert!(line.starts_with("--base-url: it begins with"), "{line}");
    }

    #[test]
    fn faults_name_the_variable_and_show_no_credential() {
        let text = "
            OPENAI_BASE_URL=localhost:1/canary => neither http:// nor https://
            OPENAI_BASE_URL=/v1/canary => neither http:// nor https://
            OPENAI_BASE_URL=http://me:canary@host/v1 => a user name
            OPENAI_BASE_URL=http://host/v1?key=canary => a query
            OPENAI_BASE_URL=http://host/v1#canary => a query or a fragment
            OPENAI_BASE_URL=http:// => it is not an address
            OPENAI_BASE_URL=ftp://canary => neither http:// nor https://
            OPENAI_API_KEY=sk canary => a space
            OPENAI_API_KEY=canaryü => no header can carry
            OPENAI_MODEL=a\u{7}b => is not a model's name
            OPENAI_PROVIDER_ID=my provider => is not a provider's name
        ";
        for (name, value, expect) in crate::config::tests::cases(text) {
            let line = read(&[(name, value)]).unwrap_err().to_string();
            let told = line.starts_with(&format!("{name}: ")) && line.contains(expect);
            assert!(told && !line.contains("canary"), "{line}");
        }
    }
}
