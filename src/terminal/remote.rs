//! A server elsewhere, spoken to over HTTP.

use std::time::Duration;

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Client, RequestBuilder, Url};
use serde_json::{Value, json};

use super::talk::TalkFault;
use crate::chat::wire::ChatRequest;
use crate::domain::{ReceiptId, TurnId, UserId};

/// Longer than any turn takes: the server ends it sooner, with words.
const PATIENCE: Duration = Duration::from_secs(120);

/// One user's routes on a server.
#[derive(Debug, Clone)]
pub struct Remote {
    client: Client,
    chat: Url,
    tasks: Url,
    log: Url,
    agents: Url,
}

impl Remote {
    /// The server at `address` (`http://127.0.0.1:8080`), with an API key or a token where it
    /// asks for one.
    ///
    /// # Errors
    /// Words for an address that is none.
    pub fn new(address: &str, user: &UserId, credential: Option<&str>) -> Result<Self, TalkFault> {
        let base = Url::parse(address).ok().filter(Url::has_host);
        let base = base.filter(|url| matches!(url.scheme(), "http" | "https"));
        let base = base.ok_or_else(|| {
            TalkFault::new("--url takes an address such as http://127.0.0.1:8080")
        })?;
        let route = |parts: &[&str]| {
            let mut url = base.clone();
            if let Ok(mut path) = url.path_segments_mut() {
                path.pop_if_empty()
                    .extend(["api", user.as_str()])
                    .extend(parts);
            }
            url
        };
        // A server on this machine or in the same network is not behind a proxy.
        let mut headers = HeaderMap::new();
        if let Some(credential) = credential {
            let bearer = HeaderValue::from_str(&format!("Bearer {credential}"));
            let mut bearer =
                bearer.map_err(|_| TalkFault::new("The key can't stand in a header."))?;
            bearer.set_sensitive(true);
            headers.insert(AUTHORIZATION, bearer);
        }
        let client = Client::builder().timeout(PATIENCE).no_proxy();
        let client = client.default_headers(headers).build();
        Ok(Self {
            client: client.map_err(|_| TalkFault::new("no HTTP client can be set up here"))?,
            chat: route(&["chat"]),
            tasks: route(&["tasks"]),
            log: route(&["audit"]),
            agents: route(&["agents"]),
        })
    }

    /// One turn. A lost connection is tried once more under the same key: that can't do it twice.
    ///
    /// # Errors
    /// [`TalkFault`]; the server's own words where it has any.
    pub(super) async fn say(&self, request: &ChatRequest, key: &str) -> Result<String, TalkFault> {
        // A request's fields always serialise.
        let body = serde_json::to_string(request).unwrap_or_default();
        let ask = || {
            let ask = self.client.post(self.chat.clone()).body(body.clone());
            ask.header(CONTENT_TYPE, "application/json")
                .header("Idempotency-Key", format!("\"{key}\""))
        };
        match exchange(ask()).await {
            Err(Broken::Lost) => exchange(ask()).await.map_err(TalkFault::from),
            other => other.map_err(TalkFault::from),
        }
    }

    /// Asks whether the server has anybody to delegate to.
    ///
    /// # Errors
    /// [`TalkFault`] when it can't say now.
    pub(super) async fn delegates(&self) -> Result<bool, TalkFault> {
        match exchange(self.client.get(self.agents.clone())).await {
            Ok(_) => Ok(true),
            Err(Broken::Refused(fault)) if fault.body.get("code") == Some(&json!("not_found")) => {
                Ok(false)
            }
            Err(broken) => Err(broken.into()),
        }
    }

    /// Reads what agents did: events after the one of that number.
    pub(super) async fn happened(&self, after: i64) -> Result<Vec<Value>, TalkFault> {
        let mut url = self.log.clone();
        url.set_query(Some(&format!("kind=run&after={after}&limit=500")));
        let text = exchange(self.client.get(url)).await?;
        let body: Value = serde_json::from_str(&text).unwrap_or_default();
        let events = body.get("events").and_then(Value::as_array).cloned();
        events.ok_or_else(|| TalkFault::new("The server answered with something that is no log."))
    }

    /// The account of a turn.
    pub(super) async fn account(&self, turn: TurnId) -> Result<Value, TalkFault> {
        let text = self.audited(&["turns", &turn.to_string()]).await?;
        let body: Result<Value, _> = serde_json::from_str(&text);
        body.map_err(|_| TalkFault::new("The server answered with something that is no account."))
    }

    /// The proof of a receipt, as it came.
    pub(super) async fn proof(&self, receipt: ReceiptId) -> Result<String, TalkFault> {
        self.audited(&["receipts", &receipt.to_string(), "proof"])
            .await
    }

    async fn audited(&self, parts: &[&str]) -> Result<String, TalkFault> {
        let mut url = self.log.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.extend(parts);
        }
        match exchange(self.client.get(url)).await {
            Err(Broken::Lost) => Err(TalkFault::new("The server can't be reached.")),
            other => other.map_err(TalkFault::from),
        }
    }

    /// The task list, newest first.
    pub(super) async fn tasks(&self) -> Result<Vec<Value>, TalkFault> {
        let text = exchange(self.client.get(self.tasks.clone())).await?;
        let list: Result<Vec<Value>, _> = serde_json::from_str(&text);
        list.map_err(|_| TalkFault::new("The server answered with something that is no task list."))
    }
}

enum Broken {
    /// No answer arrived: what was asked for may or may not have been done.
    Lost,
    /// The server said no.
    Refused(TalkFault),
}

impl From<Broken> for TalkFault {
    fn from(broken: Broken) -> Self {
        match broken {
            Broken::Lost => {
                Self::new("The server can't be reached. It is not known whether this was saved.")
            }
            Broken::Refused(fault) => fault,
        }
    }
}

async fn exchange(ask: RequestBuilder) -> Result<String, Broken> {
    let response = ask.send().await.map_err(|_| Broken::Lost)?;
    let status = response.status();
    let text = response.text().await.map_err(|_| Broken::Lost)?;
    if status.is_success() {
        return Ok(text);
    }
    let body: Value = serde_json::from_str(&text)
        .unwrap_or_else(|_| json!({"code": "unreadable", "status": status.as_u16()}));
    let detail = body
        .get("detail")
        .and_then(Value::as_str)
        .map(str::to_owned);
    let detail = detail.unwrap_or_else(|| format!("The server answered with status {status}."));
    Err(Broken::Refused(TalkFault { detail, body }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        let check = |address: &str, user: &str, expect: Option<&str>| {
            let user = UserId::parse(user).unwrap();
            let remote = Remote::new(address, &user, None).ok();
            assert_eq!(
                remote.as_ref().map(|r| r.chat.as_str()),
                expect,
                "{address}"
            );
        };
        check(
            "http://127.0.0.1:8080",
            "me",
            Some("http://127.0.0.1:8080/api/me/chat"),
        );
        check(
            "http://host/base/",
            "me",
            Some("http://host/base/api/me/chat"),
        );
        check(
            "http://host",
            "auth0|1",
            Some("http://host/api/auth0|1/chat"),
        );
        check("127.0.0.1:8080", "me", None);
        check("ftp://host", "me", None);
        check("", "me", None);
    }
}
