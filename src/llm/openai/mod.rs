//! A model behind an OpenAI-compatible server, asked through async-openai, unstreamed.
//!
//! One question is at most a few exchanges inside one deadline: the first model, two repeats
//! after passing faults, then each fallback. A question has no effect anywhere, so repeating
//! it is safe. Nothing less than a whole answer gets out of here. No key, address or body gets
//! into an error or a log, but for the words by which a server refuses our schemas.

mod body;
mod config;
mod fault;
mod retry_policy;
mod transport;

pub use config::{OpenAiConfig, TlsUnavailable};

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_openai::Client;
use async_openai::config::OpenAIConfig;
use parking_lot::Mutex;
use serde_json::value::RawValue;
use tokio::time::{Instant, sleep, timeout};

use super::answer::parse_answer;
use super::attempt::{ModelAttempt, ServerAddress};
use super::{AnswerFuture, LanguageModel, ModelAnswer, ModelError, ModelRequest, ToolSpec};
use crate::domain::Secret;
use body::{RequestBody, WrittenTools};
use fault::ExchangeFault;
use retry_policy::{RetryPolicy, RetryStep};
use transport::HttpTransport;

/// The model of an OpenAI-compatible server, with its fallbacks.
pub struct OpenAi {
    client: Client<OpenAIConfig>,
    first: ServedModel,
    fallbacks: Vec<ServedModel>,
    repeats: bool,
    /// Address of the server, for spans.
    address: Option<ServerAddress>,
    /// Known so that it is kept out of the log.
    key: Secret,
    written: Mutex<Option<Arc<WrittenTools>>>,
}

/// One model of the server.
#[derive(Debug)]
struct ServedModel {
    /// Its name there: `gpt-4`.
    model: String,
    /// Its name here: `openai (gpt-4)`.
    name: String,
    /// Set once it refused strict schemas and answered without them: it is sent none.
    lax: AtomicBool,
}

impl OpenAi {
    /// Prepares to ask; connects to nothing yet.
    ///
    /// # Errors
    /// [`TlsUnavailable`] when the address wants TLS and the machine has none.
    pub fn new(config: OpenAiConfig) -> Result<Self, TlsUnavailable> {
        let transport = HttpTransport::new(&config).map_err(|_| TlsUnavailable)?;
        // `OpenAIConfig::new` reads all of these from the environment: each is set over.
        let explicit = OpenAIConfig::new()
            .with_api_base(&config.base_url)
            .with_api_key(config.api_key.expose())
            .with_org_id("")
            .with_project_id("");
        let served = |model: String| ServedModel {
            name: format!("{} ({model})", config.provider_id),
            model,
            lax: AtomicBool::new(false),
        };
        Ok(Self {
            address: config.address(),
            key: config.api_key,
            client: Client::build(transport.http(), explicit).with_http_service(transport),
            first: served(config.model),
            fallbacks: config.fallbacks.into_iter().map(served).collect(),
            repeats: config.repeats,
            written: Mutex::default(),
        })
    }

    /// Tells whether the server is there: its list of models is asked for, and no model anything.
    /// One that does not know that route is there, too; one that refuses the key, or has too much
    /// to do, is not.
    pub async fn is_there(config: &OpenAiConfig, within: Duration) -> bool {
        let Ok(transport) = HttpTransport::new(config) else {
            return false;
        };
        let address = format!("{}/models", config.base_url.trim_end_matches('/'));
        let mut asked = transport.http().get(address).timeout(within);
        if config.has_key() {
            asked = asked.bearer_auth(config.api_key.expose());
        }
        let answer = asked.send().await;
        answer.is_ok_and(|answer| {
            let status = answer.status();
            !status.is_server_error() && !matches!(status.as_u16(), 401 | 403 | 429)
        })
    }

    async fn answer(&self, request: &ModelRequest) -> Result<ModelAnswer, ModelError> {
        let asked = Instant::now();
        let mut patience = if self.repeats {
            RetryPolicy::new(self.fallbacks.len())
        } else {
            RetryPolicy::without_repeats(self.fallbacks.len())
        };
        let mut fallbacks = self.fallbacks.iter();
        let mut served = &self.first;
        let mut reported: Option<ModelError> = None;
        loop {
            let share = patience.share(request.within.saturating_sub(asked.elapsed()));
            let fault = match self.ask_one(served, request, share).await {
                Ok(answer) => return Ok(answer),
                Err(fault) => fault,
            };
            let left = request.within.saturating_sub(asked.elapsed());
            let step = patience.after(&fault, left);
            tracing::warn!(model = served.name, error = ?fault.error, next = ?step, "no answer");
            // That a fallback is misspelt says less than why it was needed.
            let error = match (fault.error, reported.take()) {
                (ModelError::NoSuchModel, Some(earlier)) => earlier,
                (error, _) => error,
            };
            match step {
                RetryStep::Again(pause) => sleep(pause).await,
                RetryStep::NextModel => match fallbacks.next() {
                    Some(next) => served = next,
                    None => return Err(error),
                },
                RetryStep::GiveUp => return Err(error),
            }
            reported = Some(error);
        }
    }

    /// The tools, written; the last ones are kept.
    fn written(&self, tools: &Arc<Vec<ToolSpec>>) -> Result<Arc<WrittenTools>, ExchangeFault> {
        let mut kept = self.written.lock();
        if let Some(written) = kept.as_ref().filter(|written| written.is_of(tools)) {
            return Ok(Arc::clone(written));
        }
        let written = WrittenTools::new(tools);
        let written = written.map_err(|_| ModelError::Malformed("the tools can't be written"))?;
        Ok(Arc::clone(kept.insert(Arc::new(written))))
    }

    /// Asks one model within `share`; a second time without strict schemas where it refuses those.
    async fn ask_one(
        &self,
        served: &ServedModel,
        request: &ModelRequest,
        share: Duration,
    ) -> Result<ModelAnswer, ExchangeFault> {
        let asked = Instant::now();
        let strict = !served.lax.load(Ordering::Relaxed);
        let ended = self.attempt(served, request, share, strict).await;
        let Err(ExchangeFault {
            refused_schema: Some(said),
            ..
        }) = &ended
        else {
            return ended;
        };
        let said = match self.key.expose() {
            "" => said.clone(),
            key => said.replace(key, "…"),
        };
        let model = &served.name;
        if !strict || request.tools.is_empty() {
            tracing::warn!(model, said, "the request is refused");
            return ended;
        }
        tracing::warn!(model, said, "refused: asking again without strict schemas");
        let share = share.saturating_sub(asked.elapsed());
        let ended = self.attempt(served, request, share, false).await;
        if ended.is_ok() {
            served.lax.store(true, Ordering::Relaxed);
        }
        ended
    }

    /// Asks one model once, within `share`, in a span.
    async fn attempt(
        &self,
        served: &ServedModel,
        request: &ModelRequest,
        share: Duration,
        strict: bool,
    ) -> Result<ModelAnswer, ExchangeFault> {
        let mut attempt = ModelAttempt::begin(&served.name, self.address.as_ref());
        let asked = self.exchange(served, request, strict, &attempt);
        let asked = attempt.span().run(asked);
        let ended = timeout(share, asked).await;
        let ended = ended.unwrap_or_else(|_| Err(ModelError::Timeout.into()));
        attempt.end(ended.as_ref().map_err(|fault| &fault.error));
        ended
    }

    async fn exchange(
        &self,
        served: &ServedModel,
        request: &ModelRequest,
        strict: bool,
        attempt: &ModelAttempt,
    ) -> Result<ModelAnswer, ExchangeFault> {
        let written = self.written(&request.tools)?;
        let tools = written.text(strict);
        let body = RequestBody::new(&served.model, request, tools);
        // What that library can't parse it writes to the log, so it is given nothing to parse.
        let answer: Box<RawValue> = self.client.chat().create_byot(body).await?;
        let named: CompletionId = serde_json::from_str(answer.get()).unwrap_or_default();
        attempt.answered_as(named.id.as_deref().unwrap_or_default());
        Ok(parse_answer(answer.get().as_bytes(), &served.name)?)
    }
}

/// The server's own id of an answer.
#[derive(Default, serde::Deserialize)]
#[serde(default)]
struct CompletionId {
    id: Option<String>,
}

impl LanguageModel for OpenAi {
    fn name(&self) -> &str {
        &self.first.name
    }

    fn traces_attempts(&self) -> bool {
        true
    }

    fn ask<'a>(&'a self, request: &'a ModelRequest) -> AnswerFuture<'a> {
        Box::pin(self.answer(request))
    }
}

impl fmt::Debug for OpenAi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Leaves the client out: its headers carry the credential.
        f.debug_struct("OpenAi")
            .field("first", &self.first)
            .field("fallbacks", &self.fallbacks)
            .finish()
    }
}
