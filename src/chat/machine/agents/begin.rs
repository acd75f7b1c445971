//! Beginning runs: who, where, with what; all of it settled before any row is written.

use std::path::{Path, PathBuf};

use crate::chat::ChatError;
use crate::chat::delegation::DelegateAgents;
use crate::chat::machine::TurnMachine;
use crate::chat::machine::effects::Effect;
use crate::delegation::{Persona, RoutingRequest, RunDestination, route};
use crate::domain::{
    Assignee, Details, ErrorType, NewAgent, Priority, RunHandle, Title, ToolError,
};
use crate::guard::{DelegatePlan, not_delegated};
use crate::llm::RawCall;
use crate::locales::localized;
use crate::store::{DelegationTarget, MessageRole, NewRun, NewTask, RunOptions, SessionChoice};
use crate::tools::{DelegateCall, DelegateItem, DelegationPreview, StandingFact};
use crate::turn::CallResult;

use super::RunFollowUp;

/// Number of messages of the conversation that an agent is told, where that is asked for.
const CONTEXT_LINES: usize = 20;

impl TurnMachine<'_> {
    /// Begins the runs of one call: one result per task.
    pub(super) async fn begin(
        &mut self,
        plan: DelegatePlan,
        call: &RawCall,
        provider: &str,
    ) -> Result<Vec<CallResult>, ChatError> {
        let Some(agents) = &self.rules.agents else {
            return Ok(Vec::new());
        };
        let mut settled = Vec::with_capacity(plan.call.items.len());
        for item in &plan.call.items {
            match self.settled(agents, &plan, item).await? {
                Ok(one) => settled.push(one),
                // Nothing is begun by a call that is wrong in one place.
                Err(mut error) => {
                    error
                        .details
                        .provider_context
                        .get_or_insert_with(|| provider.to_owned());
                    return Ok(vec![CallResult::Failed(error)]);
                }
            }
        }
        if plan.call.dry_run {
            let previews = plan.call.items.iter().zip(&settled);
            let previews = previews
                .map(|(item, settled)| preview(item, settled))
                .collect();
            return Ok(vec![CallResult::Unchanged(StandingFact::Previewed(
                previews,
            ))]);
        }
        let mut results = Vec::with_capacity(settled.len());
        let mut first = None;
        for (index, (item, settled)) in plan.call.items.iter().zip(&settled).enumerate() {
            let result = self.begin_one(&plan, (index, item), settled, (call, &mut first));
            results.push(result);
        }
        Ok(results)
    }

    async fn settled(
        &self,
        agents: &DelegateAgents,
        plan: &DelegatePlan,
        item: &DelegateItem,
    ) -> Result<Result<RunDestination, ToolError>, ChatError> {
        let resumed = plan
            .resumed
            .and_then(|handle| self.runs.known.handle(handle));
        let handle = match (&item.assignee, resumed) {
            (_, Some(run)) => Some(run.agent.clone()),
            (Some(Assignee::Existing(handle)), None) => Some(handle.clone()),
            _ => None,
        };
        if let Some(handle) = handle {
            let name = handle.clone();
            let found = self.read(|answer| Effect::ReadAgent(name, answer)).await?;
            return Ok(found
                .map(|agent| RunDestination::Resume(Box::new(agent)))
                .ok_or_else(|| {
                    let agent = handle.to_string();
                    let say = |lang| localized!(lang, "agent-unknown", agent = agent.as_str());
                    ToolError::of_agents(ErrorType::NotFound, self.intent.speech, say)
                }));
        }
        let agent = match &item.assignee {
            Some(Assignee::New(agent)) => agent.clone(),
            _ => NewAgent {
                persona: agents.default_persona().to_owned(),
                model: None,
            },
        };
        let persona = match agents.registry.find(&agent.persona) {
            Ok(persona) => persona,
            Err(error) => return Ok(Err(error)),
        };
        Ok(self.new_session(agents, &plan.call, &agent, persona).await)
    }

    async fn new_session(
        &self,
        agents: &DelegateAgents,
        call: &DelegateCall,
        agent: &NewAgent,
        persona: &Persona,
    ) -> Result<RunDestination, ToolError> {
        let wish = RoutingRequest {
            model: agent.model.as_ref(),
            routing: call.routing.as_ref(),
            persona,
            work: call.work,
        };
        let providers = self.effect(Effect::ReadProviders).await;
        let way = route(&wish, &agents.settings.models, &providers)?;
        let root = call.workspace_root.as_deref();
        let root = self.workspace(root, &agents.settings.workspace_roots);
        let (session, notes) = way.session(agent, root.await?);
        Ok(RunDestination::New(session, notes))
    }

    fn begin_one(
        &mut self,
        plan: &DelegatePlan,
        (index, item): (usize, &DelegateItem),
        settled: &RunDestination,
        (call, first): (&RawCall, &mut Option<RunHandle>),
    ) -> CallResult {
        let target = match plan.existing.get(index).copied().flatten() {
            Some(task) => DelegationTarget::Existing(task),
            None => match new_task(item) {
                Ok(task) => DelegationTarget::New(task),
                Err(error) => return CallResult::Failed(error),
            },
        };
        let shared = first.filter(|_| plan.call.share_session);
        let behalf = shared.map_or_else(|| settled.choice(), SessionChoice::After);
        let key = match &self.input.keyed {
            Some((key, _)) => key.clone(),
            None => self.work.turn.to_string(),
        };
        let run = NewRun {
            prompt: item.prompt.clone(),
            expected_response: item.expected_response.clone(),
            priority: item.priority.unwrap_or_default(),
            background: plan.call.background,
            queued: shared.is_some(),
            tool_call_id: call.id.clone(),
            key: format!("{key}:{}:{index}", call.id),
            options: self.options(&plan.call, item, settled.notes()),
        };
        let from = self.work.next_proof();
        let begun = self.work.unit.delegate(target, behalf, run).map(|draft| {
            let facts = draft.facts();
            facts.run.as_ref().map(|run| run.run)
        });
        match begun {
            Ok(handle) => {
                if let Some(handle) = handle {
                    first.get_or_insert(handle);
                    self.runs.waits.push(match plan.call.background {
                        true => RunFollowUp::Wake,
                        false => RunFollowUp::End(handle),
                    });
                }
                CallResult::Done(from..self.work.next_proof())
            }
            Err(fault) => {
                let speech = self.intent.speech;
                CallResult::Failed(not_delegated(&fault, &item.title, speech))
            }
        }
    }

    fn options(
        &self,
        call: &DelegateCall,
        item: &DelegateItem,
        notes: Option<String>,
    ) -> RunOptions {
        RunOptions {
            intent: call.work.map(|work| work.as_str().to_owned()),
            description: item.description.clone(),
            files_include_glob: call.files_include_glob.clone(),
            max_files: call.max_files,
            time_budget_ms: call.time_budget_ms,
            summarize: call.summarize,
            context: call.share_context.then(|| self.conversation_text()),
            notes,
            speech: self.intent.speech,
        }
    }

    /// The directory a run may work in: one of the operator's roots, or below one (C-17).
    async fn workspace(
        &self,
        asked: Option<&str>,
        roots: &[PathBuf],
    ) -> Result<Option<String>, ToolError> {
        let shown = |path: &Path| path.to_string_lossy().into_owned();
        let Some(asked) = asked else {
            return Ok(roots.first().map(|root| shown(root)));
        };
        // Symbolic links and ".." are followed before it is compared.
        let resolve = |answer| Effect::ResolvePath(asked.to_owned(), answer);
        let real = self.effect(resolve).await;
        let inside = real.filter(|path| roots.iter().any(|root| path.starts_with(root)));
        inside.map(|path| Some(shown(&path))).ok_or_else(|| {
            let asked: String = asked.chars().take(200).collect();
            let say = |lang| localized!(lang, "agent-outside-root", path = asked.as_str());
            let error = ToolError::of_agents(ErrorType::Permission, self.intent.speech, say);
            error.with(Details {
                parameter: Some("workspace_root".to_owned()),
                value: Some(asked.into()),
                ..Details::default()
            })
        })
    }

    /// Returns what was said here, without the reports of other agents.
    fn conversation_text(&self) -> String {
        let skip = self.stored.history.len().saturating_sub(CONTEXT_LINES);
        let earlier = self.stored.history.iter().skip(skip).map(|message| {
            let who = match message.role {
                MessageRole::User => "user",
                MessageRole::Assistant => "assistant",
            };
            format!(
                "{who}: {}",
                super::prompt::without_reports(&message.content)
            )
        });
        let now = std::iter::once(format!("user: {}", self.input.message));
        let lines: Vec<String> = earlier.chain(now).collect();
        crate::domain::masked(&lines.join("\n")).into_owned()
    }
}

fn new_task(item: &DelegateItem) -> Result<NewTask, ToolError> {
    let title = Title::parse(&item.title).map_err(|fault| {
        ToolError::new(ErrorType::Validation, fault.to_string()).with(Details {
            parameter: Some("title".to_owned()),
            ..Details::default()
        })
    })?;
    Ok(NewTask {
        priority: item.priority.unwrap_or(Priority::Medium),
        ..NewTask::titled(title)
    })
}

fn preview(item: &DelegateItem, settled: &RunDestination) -> DelegationPreview {
    let title = item.title.clone();
    let (persona, provider, model, notes) = match settled {
        RunDestination::New(it, notes) => (&it.persona, &it.provider, &it.model, notes.clone()),
        RunDestination::Resume(it) => {
            let notes = format!("resumes {}", it.handle);
            (&it.persona, &it.provider, &it.model, notes)
        }
    };
    DelegationPreview {
        title,
        persona: persona.clone(),
        provider: provider.clone(),
        model: model.clone(),
        notes,
    }
}
