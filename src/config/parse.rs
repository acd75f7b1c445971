//! Readers of single values: each names its variable and what it takes.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use chrono::NaiveDate;
use chrono_tz::Tz;

use super::fault::ConfigError;
use super::variables::Variables;

/// An address to listen on. Port 0 takes any free one.
pub fn bind(variables: &Variables) -> Result<SocketAddr, ConfigError> {
    let fault = "is not an address with a port";
    let accepted = "ADDRESS:PORT such as 127.0.0.1:8080 or [::1]:8080";
    let local = |port| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let bind = variables.read("CANDOR_BIND", fault, accepted, |value| {
        match value.strip_prefix("localhost:") {
            Some(port) => port.parse().ok().map(local),
            None => value.parse().ok(),
        }
    });
    Ok(bind?.unwrap_or_else(|| local(8080)))
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
    let accepted = "YYYY-MM-DD such as 2026-02-08";
    variables.read("CANDOR_TODAY", "is not a day", accepted, |value| {
        let day = NaiveDate::parse_from_str(value, "%Y-%m-%d").ok();
        // chrono also reads 2026-2-8 and +2026-02-08; one way to write a day is enough.
        day.filter(|day| day.to_string() == value)
    })
}

/// The zone of requests that name none.
pub fn zone(variables: &Variables) -> Result<Tz, ConfigError> {
    let accepted = "an IANA name such as UTC, Europe/Berlin or Asia/Karachi";
    let read = |value: &str| value.parse().ok();
    let zone = variables.read("CANDOR_TIMEZONE", "is not a time zone", accepted, read);
    Ok(zone?.unwrap_or(Tz::UTC))
}

/// Reads the longest time that a model may take for its whole answer.
pub fn model_timeout(variables: &Variables) -> Result<Duration, ConfigError> {
    let fault = "is not a number of milliseconds in range";
    let accepted = "1 to 600000, such as 30000";
    let time = variables.read("CANDOR_MODEL_TIMEOUT_MS", fault, accepted, milliseconds);
    Ok(time?.unwrap_or(Duration::from_secs(30)))
}

/// A time of 1 to 600000 milliseconds.
pub fn milliseconds(text: &str) -> Option<Duration> {
    let millis = text.parse().ok();
    let millis = millis.filter(|millis| (1..=600_000).contains(millis));
    millis.map(Duration::from_millis)
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
