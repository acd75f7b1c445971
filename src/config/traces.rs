//! Destination of traces: the standard variables of OpenTelemetry (`OTEL_*`), as far as they
//! concern an exporter of traces over HTTP. Without an address or an exporter there is none.

use std::time::Duration;

use super::fault::ConfigError;
use super::parse;
use super::variables::Variables;
use crate::formats::percent_decoded;
use crate::telemetry::trace::TraceSettings;

const EXPORTER: &str = "OTEL_TRACES_EXPORTER";
const ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
const TRACES_ENDPOINT: &str = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
const SAMPLER: &str = "OTEL_TRACES_SAMPLER";
const SAMPLER_ARG: &str = "OTEL_TRACES_SAMPLER_ARG";
const RESOURCE: &str = "OTEL_RESOURCE_ATTRIBUTES";

/// Fault of a word that means something else elsewhere.
const UNSPOKEN: &str = "is not spoken here";
/// Address that a collector listens on by default.
const DEFAULT: &str = "http://localhost:4318";

/// Longest time that one request to it may take when nobody says.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Reads where traces go, if anywhere.
pub(super) fn read(variables: &Variables) -> Result<Option<TraceSettings>, ConfigError> {
    let off = variables.text("OTEL_SDK_DISABLED");
    if off.is_some_and(|word| word.eq_ignore_ascii_case("true")) {
        return Ok(None);
    }
    let exporter = variables.read(EXPORTER, UNSPOKEN, "otlp, none", |word| match word {
        "otlp" => Some(true),
        "none" => Some(false),
        _ => None,
    });
    let exporter = exporter?;
    if exporter == Some(false) {
        return Ok(None);
    }
    let of_traces = variables.text(TRACES_ENDPOINT);
    let of_all = variables.text(ENDPOINT);
    if of_traces.or(of_all).is_none() && exporter.is_none() {
        return Ok(None);
    }
    let endpoint = match of_traces {
        Some(endpoint) => address(TRACES_ENDPOINT, endpoint)?.to_owned(),
        None => {
            let base = address(ENDPOINT, of_all.unwrap_or(DEFAULT))?;
            format!("{}/v1/traces", base.trim_end_matches('/'))
        }
    };
    let protocol = set(
        variables,
        "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
        "OTEL_EXPORTER_OTLP_PROTOCOL",
    );
    let spoken = |word: &str| (word == "http/protobuf").then_some(());
    variables.read(protocol, UNSPOKEN, "http/protobuf", spoken)?;
    let headers = set(
        variables,
        "OTEL_EXPORTER_OTLP_TRACES_HEADERS",
        "OTEL_EXPORTER_OTLP_HEADERS",
    );
    let timeout = set(
        variables,
        "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT",
        "OTEL_EXPORTER_OTLP_TIMEOUT",
    );
    let accepted = "milliseconds, 1 to 600000";
    let timeout = variables.read(timeout, "is not a time", accepted, parse::milliseconds);
    let (as_callers, share) = sampler(variables)?;
    Ok(Some(TraceSettings {
        endpoint,
        headers: pairs(variables, headers)?,
        timeout: timeout?.unwrap_or(TIMEOUT),
        resource: resource(variables)?,
        share,
        as_callers,
    }))
}

/// The special one of two variables if it is set, else the general one.
fn set(variables: &Variables, special: &'static str, general: &'static str) -> &'static str {
    match variables.text(special) {
        Some(_) => special,
        None => general,
    }
}

/// An address may hold a password, so it is not quoted.
fn address<'v>(name: &'static str, value: &'v str) -> Result<&'v str, ConfigError> {
    let plain = value.starts_with("http://") || value.starts_with("https://");
    match reqwest::Url::parse(value) {
        Ok(url) if plain && url.has_host() => Ok(value),
        _ => Err(ConfigError::new(
            name,
            "it is not an address",
            "an address such as http://localhost:4318",
        )),
    }
}

/// `name=value` pairs, percent-encoded as baggage is; values may be credentials.
fn pairs(variables: &Variables, name: &'static str) -> Result<Vec<(String, String)>, ConfigError> {
    let wrong = || ConfigError::new(name, "it is no list of pairs", "name=value,name=value");
    let parts = variables.list(name);
    parts
        .map(|part| {
            let (key, value) = part.split_once('=').ok_or_else(wrong)?;
            let key = key.trim();
            if key.is_empty() {
                return Err(wrong());
            }
            Ok((
                key.to_owned(),
                percent_decoded(value.trim()).ok_or_else(wrong)?,
            ))
        })
        .collect()
}

fn resource(variables: &Variables) -> Result<Vec<(String, String)>, ConfigError> {
    let mut resource = pairs(variables, RESOURCE)?;
    let named = resource.iter().any(|(name, _)| name == "service.name");
    match variables.text("OTEL_SERVICE_NAME") {
        Some(name) => {
            resource.retain(|(known, _)| known != "service.name");
            resource.push(("service.name".to_owned(), name.to_owned()));
        }
        None if !named => resource.push(("service.name".to_owned(), "candor".to_owned())),
        None => {}
    }
    let version = env!("CARGO_PKG_VERSION").to_owned();
    resource.push(("service.version".to_owned(), version));
    Ok(resource)
}

/// Reads whether a caller's decision counts, and the share of the traces that are kept.
fn sampler(variables: &Variables) -> Result<(bool, f64), ConfigError> {
    let accepted = "always_on, always_off, traceidratio, or one of these after parentbased_";
    let sampler = variables.read(SAMPLER, "is not one of its words", accepted, |word| {
        let of_callers = word.strip_prefix("parentbased_");
        let share = match of_callers.unwrap_or(word) {
            "always_on" => Some(1.0),
            "always_off" => Some(0.0),
            "traceidratio" => None,
            _ => return None,
        };
        Some((of_callers.is_some(), share))
    });
    let (of_callers, share) = sampler?.unwrap_or((true, Some(1.0)));
    let share = match share {
        Some(share) => share,
        None => {
            let share = |text: &str| {
                text.parse()
                    .ok()
                    .filter(|share| (0.0..=1.0).contains(share))
            };
            let accepted = "a share from 0 to 1";
            let share = variables.read(SAMPLER_ARG, "is not a share", accepted, share);
            share?.unwrap_or(1.0)
        }
    };
    Ok((of_callers, share))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(pairs: &[(&str, &str)]) -> Result<Option<TraceSettings>, ConfigError> {
        read(&Variables::from_pairs(pairs.iter().copied()))
    }

    #[test]
    fn nothing_is_sent_unless_an_address_or_an_exporter_says_so() {
        let check = |pairs: &[(&str, &str)], expect: Option<&str>| {
            let settings = settings(pairs).unwrap();
            let endpoint = settings.map(|settings| settings.endpoint);
            assert_eq!(endpoint.as_deref(), expect, "{pairs:?}");
        };
        let base = (ENDPOINT, "http://collector:4318/");
        check(&[], None);
        check(&[("OTEL_SERVICE_NAME", "todo")], None);
        check(
            &[(EXPORTER, "otlp")],
            Some("http://localhost:4318/v1/traces"),
        );
        check(&[base], Some("http://collector:4318/v1/traces"));
        check(
            &[base, (TRACES_ENDPOINT, "http://other:1/here")],
            Some("http://other:1/here"),
        );
        check(&[base, (EXPORTER, "none")], None);
        check(&[base, ("OTEL_SDK_DISABLED", "TRUE")], None);
    }

    #[test]
    fn a_wrong_value_names_its_variable_and_shows_no_secret() {
        let check = |name: &'static str, value: &str| {
            let error = settings(&[(EXPORTER, "otlp"), (name, value)]).unwrap_err();
            assert_eq!(error.variable, name);
            assert!(!error.to_string().contains("canary"), "{error}");
        };
        check(ENDPOINT, "ftp://canary@host");
        check(TRACES_ENDPOINT, "canary");
        check("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc");
        check("OTEL_EXPORTER_OTLP_HEADERS", "canary");
        check("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "0");
        check(SAMPLER, "xray");
        check(RESOURCE, "a=%zz");
        let error = settings(&[(EXPORTER, "jaeger")]).unwrap_err();
        assert_eq!(error.variable, EXPORTER);
        let half = [
            (EXPORTER, "otlp"),
            (SAMPLER, "traceidratio"),
            (SAMPLER_ARG, "2"),
        ];
        assert_eq!(settings(&half).unwrap_err().variable, SAMPLER_ARG);
    }

    #[test]
    fn headers_and_resource_are_read_as_pairs() {
        let settings = settings(&[
            (EXPORTER, "otlp"),
            (
                "OTEL_EXPORTER_OTLP_HEADERS",
                "authorization=Bearer%20x, x-team = a",
            ),
            (
                RESOURCE,
                "service.name=other,deployment.environment.name=test",
            ),
            (SAMPLER, "traceidratio"),
            (SAMPLER_ARG, "0.25"),
        ]);
        let settings = settings.unwrap().unwrap();
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let headers = [pair("authorization", "Bearer x"), pair("x-team", "a")];
        assert_eq!(settings.headers, headers);
        assert!(settings.resource.contains(&pair("service.name", "other")));
        assert_eq!((settings.as_callers, settings.share), (false, 0.25));
        assert!(!format!("{settings:?}").contains("Bearer"));
    }
}
