//! Logging: lines for people or for machines, on standard error.
//!
//! Message bodies are not logged at info, secrets never at any level: types that hold one
//! print as `[redacted]`.

use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt;
use tracing_subscriber::util::SubscriberInitExt;

/// Form of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// For people.
    Text,
    /// One JSON object per line.
    Json,
}

/// Filter when `RUST_LOG` says nothing. What libraries do at info is their own business.
const DEFAULT_FILTER: &str = "info,sqlx=warn,actix_server=warn,rmcp=error";

/// Tells whether `text` can be a filter.
pub fn is_filter(text: &str) -> bool {
    EnvFilter::try_new(text).is_ok()
}

/// Starts logging to standard error, once per process; a second call changes nothing.
///
/// `colour` is for a terminal only; a file gets plain text.
pub fn start(format: Format, filter: Option<&str>, colour: bool) {
    let filter = filter.unwrap_or(DEFAULT_FILTER);
    let filter = EnvFilter::try_new(filter).unwrap_or_else(|_| EnvFilter::new(DEFAULT_FILTER));
    let lines = fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_target(false);
    let started = match format {
        Format::Text => {
            let colour = colour && std::io::IsTerminal::is_terminal(&std::io::stderr());
            lines.with_ansi(colour).finish().try_init()
        }
        Format::Json => lines.json().flatten_event(true).finish().try_init(),
    };
    // Already started, by a test or by a host program: its choice stands.
    drop(started);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters() {
        let check = |text: &str, expect| assert_eq!(is_filter(text), expect, "{text}");
        check("info", true);
        check("warn,candor=debug", true);
        check("candor=loud", false);
    }
}
