//! Readers of single values: each names its variable and what it takes.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use chrono::NaiveDate;
use chrono_tz::Tz;

use super::fault::ConfigError;
use super::variables::Variables;

/// One word of `words`, or `default` when the variable is unset.
pub fn word<T: Copy>(
    variables: &Variables,
    name: &'static str,
    words: &[(&str, T)],
    accepted: &'static str,
    default: T,
) -> Result<T, ConfigError> {
    let Some(value) = variables.text(name) else {
        return Ok(default);
    };
    let found = words.iter().find(|(word, _)| *word == value);
    found
        .map(|(_, meant)| *meant)
        .ok_or_else(|| ConfigError::quoting(name, value, "is not one of its words", accepted))
}

/// `on` or `off`.
pub fn switch(
    variables: &Variables,
    name: &'static str,
    default: bool,
) -> Result<bool, ConfigError> {
    word(
        variables,
        name,
        &[("on", true), ("off", false)],
        "on, off",
        default,
    )
}

/// An address to listen on. Port 0 takes any free one.
pub fn bind(variables: &Variables) -> Result<SocketAddr, ConfigError> {
    const NAME: &str = "CANDOR_BIND";
    let Some(value) = variables.text(NAME) else {
        return Ok(SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)));
    };
    let local = value
        .strip_prefix("localhost:")
        .and_then(|port| port.parse().ok());
    if let Some(port) = local {
        return Ok(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    }
    value.parse().map_err(|_| {
        ConfigError::quoting(
            NAME,
            value,
            "is not an address with a port",
            "ADDRESS:PORT such as 127.0.0.1:8080 or [::1]:8080",
        )
    })
}

/// Tells whether only this machine can reach `address`.
pub fn is_local(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => v4.is_loopback(),
        IpAddr::V6(v6) => {
            v6.is_loopback() || v6.to_ipv4_mapped().is_some_and(|v4| v4.is_loopback())
        }
    }
}

/// Tells whether `authority`, a host with or without a port, names this machine.
pub fn is_local_name(authority: &str) -> bool {
    let host = match authority.strip_prefix('[') {
        Some(v6) => v6.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    };
    host.eq_ignore_ascii_case("localhost") || host.parse().is_ok_and(is_local)
}

/// The pinned day.
pub fn today(variables: &Variables) -> Result<Option<NaiveDate>, ConfigError> {
    const NAME: &str = "CANDOR_TODAY";
    let Some(value) = variables.text(NAME) else {
        return Ok(None);
    };
    let day = NaiveDate::parse_from_str(value, "%Y-%m-%d").ok();
    // chrono also reads 2026-2-8 and +2026-02-08; one way to write a day is enough.
    let day = day.filter(|day| day.to_string() == value);
    day.map(Some).ok_or_else(|| {
        ConfigError::quoting(NAME, value, "is not a day", "YYYY-MM-DD such as 2026-02-08")
    })
}

/// The zone of requests that name none.
pub fn zone(variables: &Variables) -> Result<Tz, ConfigError> {
    const NAME: &str = "CANDOR_TIMEZONE";
    let Some(value) = variables.text(NAME) else {
        return Ok(Tz::UTC);
    };
    value.parse().map_err(|_| {
        ConfigError::quoting(
            NAME,
            value,
            "is not a time zone",
            "an IANA name such as UTC, Europe/Berlin or Asia/Karachi",
        )
    })
}

/// The longest time a model may be given.
const LONGEST: u64 = 600_000;

/// Reads the longest time that a model may take for its whole answer.
pub fn model_timeout(variables: &Variables) -> Result<Duration, ConfigError> {
    const NAME: &str = "CANDOR_MODEL_TIMEOUT_MS";
    let Some(value) = variables.text(NAME) else {
        return Ok(Duration::from_millis(30_000));
    };
    let millis = value
        .parse()
        .ok()
        .filter(|millis| (1..=LONGEST).contains(millis));
    millis.map(Duration::from_millis).ok_or_else(|| {
        ConfigError::quoting(
            NAME,
            value,
            "is not a number of milliseconds in range",
            "1 to 600000, such as 30000",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        let check = |value: &str, expect: &str| {
            let variables = Variables::from_pairs([("CANDOR_BIND", value)]);
            let read = bind(&variables).map_or_else(|e| e.to_string(), |a| a.to_string());
            assert_eq!(read, expect);
        };
        check("", "127.0.0.1:8080");
        check("127.0.0.1:0", "127.0.0.1:0");
        check("localhost:9", "127.0.0.1:9");
        check("[::1]:80", "[::1]:80");
        check("0.0.0.0:80", "0.0.0.0:80");
        let fault = "is not an address with a port; accepted: ADDRESS:PORT such as 127.0.0.1:8080 or [::1]:8080";
        check("8080", &format!("CANDOR_BIND: \"8080\" {fault}"));
        check(
            "localhost:x",
            &format!("CANDOR_BIND: \"localhost:x\" {fault}"),
        );
        check(
            "127.0.0.1:70000",
            &format!("CANDOR_BIND: \"127.0.0.1:70000\" {fault}"),
        );
    }

    #[test]
    fn which_addresses_are_local() {
        let check = |address: &str, expect| {
            assert_eq!(is_local(address.parse().unwrap()), expect, "{address}");
        };
        check("127.0.0.1", true);
        check("127.9.9.9", true);
        check("::1", true);
        check("::ffff:127.0.0.1", true);
        check("0.0.0.0", false);
        check("::", false);
        check("192.168.1.4", false);
        check("::ffff:10.0.0.1", false);
    }

    #[test]
    fn days() {
        let check = |value: &str, expect: bool| {
            let variables = Variables::from_pairs([("CANDOR_TODAY", value)]);
            assert_eq!(today(&variables).is_ok(), expect, "{value}");
        };
        check("2026-02-08", true);
        check("2026-2-8", false);
        check("+2026-02-08", false);
        check("2026-02-30", false);
        check("08.02.2026", false);
        check("tomorrow", false);
    }
}
