//! Asking the model, and what is done when it is down.

use std::sync::Arc;
use std::time::Duration;

use super::TurnMachine;
use super::effects::{Effect, ModelRole, Waited};
use crate::audit::{AuditEvent, EventKind};
use crate::chat::ModelDown;
use crate::chat::progress::ProgressEvent;
use crate::chat::prompt::PromptContext;
use crate::intent::Reading;
use crate::llm::{ModelAnswer, ModelError, ModelRequest, PromptMessage, ToolChoice};
use crate::tools::specs;

/// Longest wait for the one forced try of `CANDOR_MISSING_TOOL=retry`.
const FORCED: Duration = Duration::from_secs(2);

/// Time beyond a model's own deadline, which the port keeps: this one holds even if a model does not.
const GRACE: Duration = Duration::from_millis(100);

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
}

impl TurnMachine<'_> {
    /// Asks the configured model; when it is down, the engine, if the policy says so.
    pub(super) async fn ask(
        &mut self,
        reading: &Arc<Reading>,
        choice: ToolChoice,
    ) -> Result<ModelAnswer, ModelError> {
        let policy = &self.rules.policy;
        let within = match choice {
            ToolChoice::Required => policy.model_timeout.min(FORCED),
            _ => policy.model_timeout,
        };
        let request = self.request(reading, choice, within);
        match self.timed(ModelRole::Configured, request).await {
            Ok(answer) => Ok(answer),
            Err(error) => {
                let model = &self.rules.model;
                tracing::warn!(model, error = %error, "the model gave no answer");
                self.talk.answers.push(serde_json::json!({
                    "model": model,
                    "error": error.to_string(),
                }));
                self.effect(|answer| Effect::TakePlace(PLACE, answer)).await;
                let wanted = error != ModelError::Cancelled;
                if policy.model_down == ModelDown::Engine && wanted {
                    self.ask_engine(reading).await
                } else {
                    Err(error)
                }
            }
        }
    }

    /// Asks the built-in engine.
    pub(super) async fn ask_engine(
        &mut self,
        reading: &Arc<Reading>,
    ) -> Result<ModelAnswer, ModelError> {
        let request = self.request(reading, ToolChoice::Auto, Duration::from_secs(1));
        self.timed(ModelRole::Engine, request).await
    }

    fn request(
        &self,
        reading: &Arc<Reading>,
        choice: ToolChoice,
        within: Duration,
    ) -> ModelRequest {
        ModelRequest {
            prompt: self.talk.prompt.clone(),
            tools: match &self.rules.agents {
                Some(agents) => agents.specs(),
                None => specs(),
            },
            choice,
            reading: Arc::clone(reading),
            within,
        }
    }

    async fn timed(
        &mut self,
        role: ModelRole,
        request: ModelRequest,
    ) -> Result<ModelAnswer, ModelError> {
        if self.watch.progress.is_stopped() {
            return Err(ModelError::Cancelled);
        }
        let time = self.talk.calls + 1;
        self.watch.progress.tell(|| ProgressEvent::Asked { time });
        let patience = request.within + GRACE;
        let ask = |answer| Effect::AskModel(role, Box::new(request), patience, answer);
        let reply = self.effect(ask).await;
        self.talk.waited += reply.took;
        self.talk.calls += 1;
        let answer = match reply.end {
            Waited::Done(answer) => answer?,
            Waited::Late => return Err(ModelError::Timeout),
            Waited::Ending => return Err(ModelError::Stopped),
            Waited::Stopped => return Err(ModelError::Cancelled),
        };
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
