//! Asking the model, and what is done when it is down.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::OwnedSemaphorePermit;

use super::ModelDown;
use super::drive::TurnDriver;
use super::progress::ProgressEvent;
use super::prompt::PromptContext;
use crate::audit::{AuditEvent, EventKind};
use crate::intent::Reading;
use crate::llm::{
    self, LanguageModel, ModelAnswer, ModelError, ModelRequest, PromptMessage, ToolChoice,
};
use crate::tools::specs;

/// Longest wait for the one forced try of `CANDOR_MISSING_TOOL=retry`.
const FORCED: Duration = Duration::from_secs(2);

/// Longest wait for a place among those that end without an answer.
const PLACE: Duration = Duration::from_secs(1);

/// Counts and records of a turn's talk with models.
#[derive(Debug, Default)]
pub(super) struct ModelUsage {
    /// The conversation with the model so far.
    pub(super) prompt: Vec<PromptMessage>,
    /// Facts that the prompt was built from.
    pub(super) context: Option<PromptContext>,
    /// Number of answers with calls.
    pub(super) round: u32,
    /// Number of times that a model was asked.
    pub(super) calls: u32,
    /// Time spent waiting for it.
    pub(super) waited: Duration,
    /// Name of the model that answered last.
    pub(super) model: Option<String>,
    /// Tokens of prompts and of answers, where the server counts them.
    pub(super) tokens: Option<(u64, u64)>,
    /// Content of each answer, for the audit log.
    pub(super) answers: Vec<serde_json::Value>,
    /// Its place among those that end without an answer.
    place: Option<OwnedSemaphorePermit>,
}

impl TurnDriver<'_> {
    /// Asks the configured model; when it is down, the engine, if the policy says so.
    pub(super) async fn ask(
        &mut self,
        reading: &Arc<Reading>,
        choice: ToolChoice,
    ) -> Result<ModelAnswer, ModelError> {
        let policy = &self.service.policy;
        let within = match choice {
            ToolChoice::Required => policy.model_timeout.min(FORCED),
            _ => policy.model_timeout,
        };
        let request = self.request(reading, choice, within);
        let model = Arc::clone(&self.service.model);
        match self.timed(model.as_ref(), &request).await {
            Ok(answer) => Ok(answer),
            Err(error) => {
                tracing::warn!(model = model.name(), error = %error, "the model gave no answer");
                self.take_place().await;
                self.talk.answers.push(serde_json::json!({
                    "model": model.name(),
                    "error": error.to_string(),
                }));
                let wanted = error != ModelError::Cancelled;
                if policy.model_down == ModelDown::Engine && wanted {
                    self.ask_engine(reading).await
                } else {
                    Err(error)
                }
            }
        }
    }

    /// Waits for a place among the turns that end without an answer, but not for ever: who has one
    /// may wait for a database.
    async fn take_place(&mut self) {
        let place = Arc::clone(&self.service.ending).acquire_owned();
        let place = tokio::time::timeout(PLACE, place).await;
        self.talk.place = place.ok().and_then(Result::ok);
    }

    /// Leaves it: what comes now waits for the database, and is no work.
    pub(super) fn leave_place(&mut self) {
        self.talk.place = None;
    }

    /// Asks the built-in engine.
    pub(super) async fn ask_engine(
        &mut self,
        reading: &Arc<Reading>,
    ) -> Result<ModelAnswer, ModelError> {
        let request = self.request(reading, ToolChoice::Auto, Duration::from_secs(1));
        let engine = self.service.engine;
        self.timed(&engine, &request).await
    }

    fn request(
        &self,
        reading: &Arc<Reading>,
        choice: ToolChoice,
        within: Duration,
    ) -> ModelRequest {
        ModelRequest {
            prompt: self.talk.prompt.clone(),
            tools: match &self.service.delegation {
                Some(delegation) => delegation.specs(),
                None => specs(),
            },
            choice,
            reading: Arc::clone(reading),
            within,
        }
    }

    async fn timed(
        &mut self,
        model: &dyn LanguageModel,
        request: &ModelRequest,
    ) -> Result<ModelAnswer, ModelError> {
        if self.watch.progress.is_stopped() {
            return Err(ModelError::Cancelled);
        }
        let time = self.talk.calls + 1;
        self.watch.progress.tell(|| ProgressEvent::Asked { time });
        let asked = Instant::now();
        // The port keeps its own deadline; this one holds even if a model does not.
        let grace = request.within + Duration::from_millis(100);
        let mut hurry = self.service.hurry.subscribe();
        let answer = tokio::select! {
            biased;
            answer = tokio::time::timeout(grace, llm::ask(model, request)) => answer,
            // An error means that the service is gone, and this turn with it.
            _ = hurry.wait_for(|hurry| *hurry) => Ok(Err(ModelError::Stopped)),
            () = self.watch.progress.until_stopped() => Ok(Err(ModelError::Cancelled)),
        };
        self.talk.waited += asked.elapsed();
        self.talk.calls += 1;
        let answer = answer.unwrap_or(Err(ModelError::Timeout))?;
        self.talk.model = Some(answer.model.clone());
        if let Some((asked, answered)) = answer.usage {
            let (before, so_far) = self.talk.tokens.unwrap_or_default();
            let sum = (
                before.saturating_add(asked),
                so_far.saturating_add(answered),
            );
            self.talk.tokens = Some(sum);
        }
        self.talk.answers.push(serde_json::json!({
            "model": answer.model,
            "text": answer.text,
            "calls": answer.calls,
        }));
        Ok(answer)
    }

    /// Notes a sentence of the model that was not shown.
    pub(super) fn note_refused_prose(&mut self, text: &str, reason: &'static str) {
        self.watch.tally.ghost(reason);
        let told = serde_json::json!({
            "what": "prose",
            "reason": reason,
            "text": text.chars().take(2000).collect::<String>(),
        });
        self.work
            .events
            .push(AuditEvent::of(EventKind::Refusal, &told));
    }
}
