//! May this be handed to an agent, may this agent be stopped?

use std::time::Duration;

use super::faults::not_delegated;
use super::find::{is_another, newest, run_about, run_named};
use crate::domain::text::fold;
use crate::domain::{
    Assignee, Cause, DelegateAuthorization, Details, ErrorType, Lang, RunHandle, RunState, Task,
    TaskId, Tool, ToolError,
};
use crate::guard::judge::{Judge, Verdict, deny, said_by_user, unlicensed};
use crate::guard::licence::{GrantKind, Meaning, Part};
use crate::guard::phrases::quoted;
use crate::intent::{About, Errand, Verb};
use crate::locales::localized;
use crate::resolver::Among;
use crate::store::DelegateFault;
use crate::tools::{
    CancelCall, ChangePlan, DelegateCall, DelegateItem, DelegationsCall, NewValues, OutputCall,
    Plan, PlannedValues, ResumeTarget,
};
use crate::turn::Refusal;

/// A call about agents that may run.
#[derive(Debug, Clone, PartialEq)]
pub enum ErrandPlan {
    /// Begin runs.
    Delegate(Box<DelegatePlan>),
    /// Answer what the agent of a run asked.
    Answer {
        /// Run whose agent asked.
        run: RunHandle,
        /// The user's words.
        text: String,
    },
    /// Read how a run stands.
    Output {
        /// Run to read.
        run: RunHandle,
        /// Time to wait for its end.
        wait: Option<Duration>,
    },
    /// Stop a run.
    Cancel {
        /// Run to stop.
        run: RunHandle,
        /// Reason for stopping it.
        reason: Option<String>,
    },
    /// Read what is delegated.
    List(DelegationsCall),
}

impl ErrandPlan {
    /// The tool that was called for it.
    pub const fn tool(&self) -> Tool {
        match self {
            Self::Delegate(_) | Self::Answer { .. } => Tool::Delegate,
            Self::Output { .. } => Tool::TaskOutput,
            Self::Cancel { .. } => Tool::CancelDelegation,
            Self::List(_) => Tool::ListDelegations,
        }
    }
}

/// Work that may be handed over.
#[derive(Debug, Clone, PartialEq)]
pub struct DelegatePlan {
    /// The call.
    pub call: DelegateCall,
    /// For each of its tasks the one on the list, where there is one; else it is added.
    pub existing: Vec<Option<TaskId>>,
    /// The run that is gone on with.
    pub resumed: Option<RunHandle>,
}

impl Judge<'_> {
    /// Judges a call of `delegate`.
    pub(in crate::guard) fn delegate(&mut self, mut call: DelegateCall) -> Verdict {
        let kind = |errand: &Errand| matches!(errand, Errand::Hand(_) | Errand::Resume { .. });
        let Some((grant, errand, parts, handed)) = self.errand(kind) else {
            return self.delegate_unasked(call);
        };
        let words = self.licence.clause_words(grant).to_owned();
        match errand {
            Errand::Resume { about, more } => self.resume(grant, call, (&about, more.as_deref())),
            Errand::Hand(hand) => {
                if self.errands == DelegateAuthorization::Explicit && !hand.named {
                    return unlicensed("hand work to an agent that they name");
                }
                if call.resume.is_some() {
                    let text = "The user asked for new work, not to go on with an earlier agent: leave 'resume' out.";
                    return deny(Refusal::Contradiction, text);
                }
                if handed + call.items.len() > parts.len() {
                    let text = format!("The user handed over {} task(s), no more.", parts.len());
                    return deny(Refusal::TooMany, &text);
                }
                let mut existing = Vec::with_capacity(call.items.len());
                for item in &call.items {
                    if let Some(verdict) = self.wrong_agent(item, &hand.agent, hand.named) {
                        return verdict;
                    }
                    match self.todo(item, &parts, &words) {
                        Ok(found) => existing.push(found),
                        Err(verdict) => return *verdict,
                    }
                }
                // "in the background" is the user's to say, and the model may say it as well.
                call.background |= hand.background;
                self.cover(grant, call.items.len());
                allow(ErrandPlan::Delegate(Box::new(DelegatePlan {
                    call,
                    existing,
                    resumed: None,
                })))
            }
            _ => unlicensed("hand work to an agent"),
        }
    }

    /// Nobody asked for it: refused, unless the operator lets the model decide.
    fn delegate_unasked(&self, call: DelegateCall) -> Verdict {
        if self.licence.meta {
            let text = "The user asks what can be done: the server answers that. Delegate nothing.";
            let error = ToolError::new(ErrorType::Unsupported, text).with(Details {
                constraint: Some("no_delegation_for_meta_questions".to_owned()),
                ..Details::default()
            });
            return Verdict::Deny(Refusal::Unlicensed, error);
        }
        if self.errands != DelegateAuthorization::Auto || call.resume.is_some() {
            return unlicensed("hand work to an agent");
        }
        let words = self.licence.words.clone();
        let mut existing = Vec::with_capacity(call.items.len());
        for item in &call.items {
            let found = self.exactly(&item.title);
            if found.is_none() && !said_by_user(&item.title, &words) {
                return not_said(&item.title);
            }
            existing.push(found.map(|task| task.id));
        }
        allow(ErrandPlan::Delegate(Box::new(DelegatePlan {
            call,
            existing,
            resumed: None,
        })))
    }

    fn resume(
        &mut self,
        grant: usize,
        call: DelegateCall,
        (about, more): (&About, Option<&str>),
    ) -> Verdict {
        let meant = match run_about(self.runs, about, &self.situation, self.speech) {
            Ok(run) => run,
            Err(error) => return Verdict::Fail(error),
        };
        let asked = match &call.resume {
            Some(ResumeTarget::Run(handle)) => self.runs.handle(*handle),
            Some(ResumeTarget::Agent(agent)) => newest(self.runs, agent),
            None => Some(meant),
        };
        let Some(asked) = asked else {
            let say = |lang| localized!(lang, "agent-none-to-resume");
            return self.fail(ErrorType::NotFound, say);
        };
        if asked.agent != meant.agent {
            let text = format!("The user means {} ({}).", meant.agent, quoted(&meant.title));
            return deny(Refusal::WrongTarget, &text);
        }
        let other = call.items.iter().find_map(|item| match &item.assignee {
            // A new agent of another kind is another wish than going on with this one.
            Some(Assignee::New(agent))
                if call.resume.is_some() && agent.persona != meant.persona =>
            {
                Some(agent.persona.clone())
            }
            Some(Assignee::Existing(handle)) if *handle != meant.agent => Some(handle.to_string()),
            _ => None,
        });
        if let Some(other) = other {
            return Verdict::Fail(is_another(meant, &other, self.speech));
        }
        if call.items.len() > 1 {
            return deny(Refusal::TooMany, "One run is gone on with at a time.");
        }
        if meant.state == RunState::InputRequired && !meant.is_stopping() {
            // The answer is the user's, word by word, whatever a model makes of it.
            let Some(text) = more.map(str::to_owned) else {
                let asks = quoted(meant.question.as_deref().unwrap_or_default());
                let text = format!("{} asks {asks}, and there is no answer.", meant.agent);
                return Verdict::Fail(ToolError::new(ErrorType::Validation, text));
            };
            let run = meant.handle;
            self.cover(grant, 1);
            return allow(ErrandPlan::Answer { run, text });
        }
        if meant.state.is_live() {
            let say = |lang| {
                localized!(
                    lang,
                    "agent-at-work",
                    agent = meant.agent.to_string(),
                    name = quoted(&meant.title)
                )
            };
            return self.fail(ErrorType::Conflict, say);
        }
        let (existing, run) = (vec![meant.task], meant.handle);
        self.cover(grant, 1);
        allow(ErrandPlan::Delegate(Box::new(DelegatePlan {
            call,
            existing,
            resumed: Some(run),
        })))
    }

    /// Judges a call of `task_output`. Reading harms nobody, but the question is the user's.
    pub(in crate::guard) fn output(&mut self, call: &OutputCall) -> Verdict {
        let found = match self.errand(|errand| matches!(errand, Errand::Ask(_))) {
            Some((grant, Errand::Ask(about), ..)) => {
                self.cover(grant, 1);
                run_about(self.runs, &about, &self.situation, self.speech)
            }
            _ => run_named(self.runs, &call.which, self.speech),
        };
        match found {
            Ok(run) => allow(ErrandPlan::Output {
                run: run.handle,
                wait: call.wait,
            }),
            Err(error) => Verdict::Fail(error),
        }
    }

    /// Judges a call of `cancel_delegation`.
    pub(in crate::guard) fn cancel(&mut self, call: CancelCall) -> Verdict {
        let stop = self.errand(|errand| matches!(errand, Errand::Stop(_)));
        let Some((grant, Errand::Stop(about), ..)) = stop else {
            return unlicensed("stop an agent");
        };
        let meant = match run_about(self.runs, &about, &self.situation, self.speech) {
            Ok(run) => run,
            Err(error) => {
                self.cover(grant, 1);
                return Verdict::Fail(error);
            }
        };
        let named = run_named(self.runs, &call.which, self.speech);
        let given = call.which != crate::tools::RunWords::default();
        if given && named.is_ok_and(|run| run.agent != meant.agent) {
            let text = format!("The user means {} ({}).", meant.agent, quoted(&meant.title));
            return deny(Refusal::WrongTarget, &text);
        }
        let run = meant.handle;
        self.cover(grant, 1);
        allow(ErrandPlan::Cancel {
            run,
            reason: call.reason,
        })
    }

    /// Judges a call of `list_delegations`.
    pub(in crate::guard) fn delegations(&mut self, call: DelegationsCall) -> Verdict {
        match self.errand(|errand| matches!(errand, Errand::Overview)) {
            Some((grant, ..)) => {
                self.cover(grant, 1);
                // The question is the user's: they asked for all.
                allow(ErrandPlan::List(DelegationsCall {
                    state: call.state.filter(|state| state.is_live()),
                    persona: None,
                    task: None,
                    limit: call.limit,
                }))
            }
            None => allow(ErrandPlan::List(call)),
        }
    }

    /// Judges taking a task back from its agent.
    pub(in crate::guard) fn take_back(&mut self, reference: &str, values: NewValues) -> Verdict {
        let errand = self.errand(|errand| matches!(errand, Errand::TakeBack(_)));
        let Some((grant, _, parts, _)) = errand else {
            return unlicensed("take a task back");
        };
        let only = NewValues {
            take_back: true,
            ..NewValues::default()
        };
        if values != only {
            let text = "The user only asked to take it back: give no other value.";
            return deny(Refusal::Contradiction, text);
        }
        let part = parts.into_iter().next();
        let Some(Meaning::One(id)) = part.map(|part| part.meaning) else {
            let say = |lang| localized!(lang, "agent-no-task", name = quoted(reference));
            return self.fail(ErrorType::NotFound, say);
        };
        let Some(task) = self.situation.task(id) else {
            return unlicensed("take that task back");
        };
        let plan = Plan::Change(ChangePlan {
            verb: Verb::Update,
            task: id,
            title: task.title.as_str().to_owned(),
            values: PlannedValues::of(values, self.situation.zone),
        });
        self.cover(grant, 1);
        Verdict::Allow(plan)
    }

    /// The first errand of that kind that no call has dealt with: its place, its parts, and how many
    /// of them were handed over.
    fn errand(&self, kind: impl Fn(&Errand) -> bool) -> Option<(usize, Errand, Vec<Part>, usize)> {
        let mut grants = self.licence.grants.iter().enumerate();
        grants.find_map(|(place, grant)| match &grant.kind {
            GrantKind::Errand {
                errand,
                covered,
                parts,
                handed,
            } => {
                let open = !covered || matches!(errand, Errand::Hand(_)) && *handed < parts.len();
                (open && kind(errand)).then(|| (place, errand.clone(), parts.clone(), *handed))
            }
            _ => None,
        })
    }

    fn cover(&mut self, grant: usize, count: usize) {
        if let Some(GrantKind::Errand {
            covered, handed, ..
        }) = self
            .licence
            .grants
            .get_mut(grant)
            .map(|grant| &mut grant.kind)
        {
            *covered = true;
            *handed += count;
        }
    }

    fn wrong_agent(&self, item: &DelegateItem, meant: &str, named: bool) -> Option<Verdict> {
        let persona = match &item.assignee {
            Some(Assignee::New(agent)) => agent.persona.as_str(),
            Some(Assignee::User) => {
                let text = "The user wants an agent to do it, not to do it themselves.";
                return Some(deny(Refusal::Contradiction, text));
            }
            Some(Assignee::Existing(handle)) => {
                let Some(run) = newest(self.runs, handle) else {
                    let agent = handle.to_string();
                    let say = |lang| localized!(lang, "agent-unknown", agent = agent.as_str());
                    return Some(self.fail(ErrorType::NotFound, say));
                };
                run.persona.as_str()
            }
            None => return None,
        };
        if named && persona != meant {
            let text =
                format!("The user named {meant}: assign_to \"new:{meant}\", not '{persona}'.");
            return Some(deny(Refusal::Contradiction, &text));
        }
        None
    }

    /// The todo that one task of a call is: on the list, or new under the user's own words.
    fn todo(
        &self,
        item: &DelegateItem,
        parts: &[Part],
        words: &str,
    ) -> Result<Option<TaskId>, Box<Verdict>> {
        let meant = |id: TaskId| {
            parts.iter().any(|part| match &part.meaning {
                Meaning::One(other) => *other == id,
                Meaning::Set(ids) => ids.contains(&id),
                Meaning::Many(candidates) => candidates.iter().any(|other| other.id == id),
                Meaning::Nothing { .. } | Meaning::Unnamed => false,
            })
        };
        if let Some(task) = self.exactly(&item.title) {
            let said = fold(words).contains(&fold(&item.title));
            if meant(task.id) || said {
                return Ok(Some(task.id));
            }
            let text = format!("The user does not hand over {}.", quoted(&item.title));
            return Err(Box::new(deny(Refusal::WrongTarget, &text)));
        }
        // The words mean a todo of another title: it is proposed, never taken in silence (C-37).
        let near = parts.iter().find_map(|part| match part.meaning {
            Meaning::One(id) => self.situation.task(id),
            _ => None,
        });
        if let Some(task) = near.filter(|_| parts.len() == 1) {
            let title = task.title.as_str();
            if task.status.is_completed() {
                let title = title.to_owned();
                let done = not_delegated(&DelegateFault::Done { title }, &item.title, self.speech);
                return Err(Box::new(Verdict::Fail(done)));
            }
            let name = quoted(title);
            let told = localized!(self.speech, "agent-means-other", name = name.as_str());
            let text = format!("The user means the todo {name}: pass exactly that title.");
            return Err(Box::new(Verdict::Fail(
                two_worded(ErrorType::Ambiguous, text, told).with(Details {
                    parameter: Some("title".to_owned()),
                    value: Some(item.title.as_str().into()),
                    suggestion: Some(title.to_owned()),
                    suggestions: vec![title.to_owned()],
                    ..Details::default()
                }),
            )));
        }
        if item.must_exist {
            let say = |lang| localized!(lang, "agent-no-todo", name = quoted(&item.title));
            return Err(Box::new(self.fail(ErrorType::NotFound, say)));
        }
        if said_by_user(&item.title, words) {
            Ok(None)
        } else {
            Err(Box::new(not_said(&item.title)))
        }
    }

    /// A call that fails: the model is told in English, and the user in the language of the reply.
    fn fail(&self, kind: ErrorType, say: impl Fn(Lang) -> String) -> Verdict {
        Verdict::Fail(ToolError::of_agents(kind, self.speech, say))
    }

    /// The open todo of exactly that title, whatever its case.
    fn exactly(&self, title: &str) -> Option<&Task> {
        let same = self.situation.tasks.titled(title, Among::Pending);
        same.last().copied()
    }
}

fn allow(plan: ErrandPlan) -> Verdict {
    Verdict::Errand(Box::new(plan))
}

fn not_said(title: &str) -> Verdict {
    let text = format!(
        "{} is not what the user said: take the title from their words. What is to be done exactly goes into the prompt.",
        quoted(title)
    );
    deny(Refusal::Contradiction, &text)
}

/// An error that tells the model what to call, and the user what to say.
fn two_worded(kind: ErrorType, text: String, told: String) -> ToolError {
    ToolError::new(kind, text).because([Cause::OfAgents { told }])
}
