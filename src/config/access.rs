//! Who may call: `CANDOR_AUTH` and what goes with it.
//!
//! This build knows no credential yet: a value that would have to keep somebody out stops the
//! start instead of being ignored. What only opens a door further stays closed and is noted.

use super::fault::ConfigError;
use super::secret::Secret;
use super::variables::Variables;

/// How callers prove who they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Auth {
    /// They do not: everybody who reaches the port is whoever the path says.
    None,
}

/// Reads `CANDOR_AUTH`.
pub fn auth(variables: &Variables) -> Result<Auth, ConfigError> {
    const NAME: &str = "CANDOR_AUTH";
    let Some(value) = variables.text(NAME) else {
        return Ok(Auth::None);
    };
    let mut words = value.split(',').map(str::trim);
    if value == "none" {
        Ok(Auth::None)
    } else if words.all(|word| matches!(word, "jwt" | "keys")) {
        let fault = "is not available in this build yet";
        Err(ConfigError::quoting(NAME, value, fault, "none"))
    } else {
        Err(ConfigError::quoting(
            NAME,
            value,
            "is not one of its words",
            "none",
        ))
    }
}

/// Reads `CANDOR_RATE_LIMIT`: only `off` can be kept so far.
pub fn rate_limit(variables: &Variables) -> Result<(), ConfigError> {
    const NAME: &str = "CANDOR_RATE_LIMIT";
    let Some(value) = variables.text(NAME) else {
        return Ok(());
    };
    let limit = value.split_once('/').is_some_and(|(count, per)| {
        count.parse::<u32>().is_ok_and(|count| count > 0) && matches!(per, "s" | "m" | "h")
    });
    match value {
        "off" => Ok(()),
        _ if limit => {
            let fault = "is not available in this build yet";
            Err(ConfigError::quoting(NAME, value, fault, "off"))
        }
        _ => Err(ConfigError::quoting(NAME, value, "is not a limit", "off")),
    }
}

/// Reads `CANDOR_CORS_ORIGINS`; whether any was named.
pub fn cors(variables: &Variables) -> Result<bool, ConfigError> {
    const NAME: &str = "CANDOR_CORS_ORIGINS";
    let Some(value) = variables.text(NAME) else {
        return Ok(false);
    };
    let origin = |text: &str| {
        let rest = text
            .strip_prefix("https://")
            .or_else(|| text.strip_prefix("http://"));
        rest.is_some_and(|host| {
            let plain = |b: u8| b.is_ascii_alphanumeric() || b"-.:[]".contains(&b);
            !host.is_empty() && host.bytes().all(plain)
        })
    };
    let wrong = value.split(',').map(str::trim).find(|text| !origin(text));
    match wrong {
        Some(wrong) if value != "*" => Err(ConfigError::quoting(
            NAME,
            wrong,
            "is not an origin",
            "*, or a comma list such as https://todo.example,http://localhost:3000",
        )),
        _ => Ok(true),
    }
}

/// The key of signed tokens, taken out of sight even while it is not used.
pub fn jwt_secret(variables: &Variables) -> Option<Secret> {
    variables.text("CANDOR_JWT_SECRET").map(Secret::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values() {
        let check = |name: &'static str, value: &str, expect: &str| {
            let variables = Variables::from_pairs([(name, value)]);
            let read = match name {
                "CANDOR_AUTH" => auth(&variables).map(drop),
                "CANDOR_RATE_LIMIT" => rate_limit(&variables),
                _ => cors(&variables).map(drop),
            };
            let line = read.map_or_else(|error| error.to_string(), |()| "ok".to_owned());
            assert!(line.contains(expect), "{name}={value}: {line}");
        };
        check("CANDOR_AUTH", "none", "ok");
        check(
            "CANDOR_AUTH",
            "jwt",
            "not available in this build yet; accepted: none",
        );
        check(
            "CANDOR_AUTH",
            "jwt,keys",
            "not available in this build yet; accepted: none",
        );
        check(
            "CANDOR_AUTH",
            "basic",
            "is not one of its words; accepted: none",
        );
        check(
            "CANDOR_AUTH",
            "none,jwt",
            "is not one of its words; accepted: none",
        );
        check("CANDOR_RATE_LIMIT", "off", "ok");
        check(
            "CANDOR_RATE_LIMIT",
            "60/m",
            "not available in this build yet; accepted: off",
        );
        check("CANDOR_RATE_LIMIT", "60", "is not a limit; accepted: off");
        check("CANDOR_CORS_ORIGINS", "*", "ok");
        check(
            "CANDOR_CORS_ORIGINS",
            "https://a.example, http://localhost:3000",
            "ok",
        );
        check(
            "CANDOR_CORS_ORIGINS",
            "a.example",
            "\"a.example\" is not an origin",
        );
        check(
            "CANDOR_CORS_ORIGINS",
            "https://a.example/x",
            "is not an origin",
        );
        check(
            "CANDOR_CORS_ORIGINS",
            "*,https://a.example",
            "\"*\" is not an origin",
        );
    }
}
