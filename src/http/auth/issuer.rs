//! Requests to whoever gives out tokens: bounded in time and size, and led nowhere else.

use std::time::Duration;

use reqwest::{Client, Response};

/// Longest time that an answer may take.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Time after which it is worth another try when there is no answer.
pub(super) const SOON: Duration = Duration::from_secs(5);

/// A client that asks at `url`.
///
/// # Errors
/// Words for the operator when none can be made.
pub(super) fn client(url: &str) -> Result<Client, String> {
    let mut client = Client::builder()
        .timeout(TIMEOUT)
        .redirect(reqwest::redirect::Policy::none());
    if url.starts_with("http://") {
        // On this machine: nobody is to be asked on the way.
        client = client.no_proxy();
    }
    client.build().map_err(fault)
}

/// The body of an answer, of at most `largest` bytes.
///
/// # Errors
/// The fault in words for the log.
pub(super) async fn body(mut answer: Response, largest: usize) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(fault)? {
        bytes.extend_from_slice(&chunk);
        if bytes.len() > largest {
            return Err("the answer is too large".to_owned());
        }
    }
    Ok(bytes)
}

/// Words for the log. What the library says of an error may hold the address, which may hold a
/// secret.
pub(super) fn fault(error: reqwest::Error) -> String {
    error.without_url().to_string()
}
