//! One HTTP exchange under async-openai: bounded, impatient, loyal to its host.
//!
//! That library on its own retries, sleeps for as long as the server says, reads bodies of
//! any size and writes unreadable ones to the log. This service takes the place of all
//! that: it repeats nothing, and lets nothing pass upward but a `200` that is JSON.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use async_openai::middleware::HttpRequestFactory;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue};
use reqwest::{Response, StatusCode, redirect, retry};
use serde_json::value::RawValue;
use tower_service::Service;

use super::config::OpenAiConfig;
use super::fault::{ExchangeFault, refusal};
use crate::llm::ModelError;
use crate::telemetry::trace::TraceSpan;

/// The largest answer that is read, in bytes.
const ANSWER_MAX: usize = 4 << 20;
/// The most that is read of a refusal, in bytes.
const REFUSAL_MAX: usize = 64 << 10;

/// Time for which an unused connection is kept; less than what servers commonly allow.
const POOLED: Duration = Duration::from_secs(30);

/// Silence before the first byte of a body: some servers send their headers and think then.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BodyWait {
    /// Only the time of the whole answer bounds it.
    Allowed,
    /// Stall: it counts as one.
    Over,
}

/// The way to one server.
#[derive(Debug, Clone)]
pub(super) struct HttpTransport {
    http: reqwest::Client,
    idle: Duration,
    authorized: bool,
}

impl HttpTransport {
    /// Opens the way; no connection is made yet.
    ///
    /// # Errors
    /// When no TLS can be set up, for example because the machine has no root certificates.
    pub(super) fn new(config: &OpenAiConfig) -> Result<Self, reqwest::Error> {
        let mut http = reqwest::Client::builder()
            .user_agent(concat!("candor/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(config.connect_within)
            .pool_idle_timeout(POOLED)
            // The credential stays with the host that was configured.
            .redirect(redirect::Policy::none())
            .retry(retry::never());
        if !config.is_encrypted() {
            // A proxy could read the credential, and TLS (which wants the machine's
            // certificates) isn't needed.
            http = http.no_proxy().tls_certs_only([]);
        }
        Ok(Self {
            http: http.build()?,
            idle: config.idle,
            authorized: config.has_key(),
        })
    }

    /// The client that does the work.
    pub(super) fn http(&self) -> reqwest::Client {
        self.http.clone()
    }

    async fn exchange(self, request: HttpRequestFactory) -> Result<Response, ExchangeFault> {
        let mut request = request.build().await?;
        if !self.authorized {
            // async-openai sends `Bearer ` with nothing behind it, which some servers refuse.
            request.headers_mut().remove(AUTHORIZATION);
        }
        for (name, value) in TraceSpan::current().headers() {
            if let (Ok(name), Ok(value)) =
                (HeaderName::try_from(name), HeaderValue::try_from(value))
            {
                request.headers_mut().insert(name, value);
            }
        }
        let sent = self.http.execute(request).await;
        let response = sent.map_err(|error| broken(&error))?;
        if response.status() != StatusCode::OK {
            return Err(self.refused(response).await);
        }
        if !is_json(&response) {
            return Err(ModelError::Malformed("another content type").into());
        }
        let body = self.read(response, ANSWER_MAX, BodyWait::Allowed).await?;
        serde_json::from_slice::<&RawValue>(&body)
            .map_err(|_| ModelError::Malformed("not JSON"))?;
        Ok(http::Response::new(body).into())
    }

    async fn refused(&self, response: Response) -> ExchangeFault {
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        // Its status speaks for itself; a body that can't be read adds nothing.
        let body = self.read(response, REFUSAL_MAX, BodyWait::Over).await;
        let body = body.unwrap_or_default();
        refusal(status, &headers, &body)
    }

    async fn read(
        &self,
        mut response: Response,
        max: usize,
        thinking: BodyWait,
    ) -> Result<Vec<u8>, ExchangeFault> {
        let mut body = Vec::new();
        loop {
            let chunk = if body.is_empty() && thinking == BodyWait::Allowed {
                response.chunk().await
            } else {
                let chunk = tokio::time::timeout(self.idle, response.chunk()).await;
                chunk.map_err(|_| ModelError::Timeout)?
            };
            let Some(chunk) = chunk.map_err(|error| broken(&error))? else {
                return Ok(body);
            };
            if body.len() + chunk.len() > max {
                return Err(ModelError::Malformed("too long").into());
            }
            body.extend_from_slice(&chunk);
        }
    }
}

impl Service<HttpRequestFactory> for HttpTransport {
    type Response = Response;
    type Error = ExchangeFault;
    type Future = Pin<Box<dyn Future<Output = Result<Response, ExchangeFault>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), ExchangeFault>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: HttpRequestFactory) -> Self::Future {
        Box::pin(self.clone().exchange(request))
    }
}

/// Tells whether the answer calls itself JSON; one that calls itself nothing is judged by its body.
fn is_json(response: &Response) -> bool {
    let Some(kind) = response.headers().get(CONTENT_TYPE) else {
        return true;
    };
    let kind = kind.to_str().unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    let kind = kind.to_ascii_lowercase();
    kind == "application/json" || (kind.starts_with("application/") && kind.ends_with("+json"))
}

fn broken(error: &reqwest::Error) -> ExchangeFault {
    if error.is_timeout() && !error.is_connect() {
        return ModelError::Timeout.into();
    }
    ModelError::Unreachable.into()
}
