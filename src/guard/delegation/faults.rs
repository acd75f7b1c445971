//! Reasons why an agent can't be given work, as the model and the user are told them.

use crate::domain::{Cause, ErrorType, Lang, ToolError};
use crate::guard::phrases::quoted;
use crate::locales::localized;
use crate::store::DelegateFault;

/// An error of a choice of agent, provider or model: the model is told in English, and the user in the language of
/// the reply.
pub fn agent_fault(kind: ErrorType, cause: Cause) -> ToolError {
    let text = told_of_agents(&cause, Lang::En).unwrap_or_default();
    ToolError::new(kind, text).because([cause])
}

/// The sentence for a cause that is about agents.
pub(in crate::guard) fn told_of_agents(cause: &Cause, speech: Lang) -> Option<String> {
    Some(match cause {
        Cause::OfAgents { told } => told.clone(),
        Cause::NoSuchAgent { agent, agents } => {
            let (agent, names) = (agent.as_str(), agents.join(", "));
            localized!(speech, "agent-not-found", agent = agent, names = names)
        }
        Cause::AgentDisabled { agent } => {
            localized!(speech, "agent-disabled", agent = agent.as_str())
        }
        Cause::NoModel { model } => localized!(speech, "agent-no-model", model = model.as_str()),
        Cause::NoProvider => localized!(speech, "agent-no-provider"),
        Cause::NoneAvailable { providers } => {
            let passed = providers.iter();
            let passed = passed.map(|(id, why)| format!("{id} ({})", reason(why, speech)));
            let names = passed.collect::<Vec<_>>().join(", ");
            localized!(speech, "agent-none-available", names = names)
        }
        Cause::ProviderUnavailable {
            provider,
            why,
            available,
            meant,
        } => {
            let names = match available.is_empty() {
                true => localized!(speech, "agent-names-none"),
                false => available.join(", "),
            };
            let text = localized!(
                speech,
                "agent-provider-unavailable",
                provider = provider.as_str(),
                why = reason(why, speech),
                names = names
            );
            let Some(meant) = meant else {
                return Some(text);
            };
            let meant = localized!(speech, "agent-provider-meant", meant = meant.as_str());
            format!("{text} {meant}")
        }
        Cause::ProviderLacks {
            provider,
            model,
            models,
        } => localized!(
            speech,
            "agent-provider-lacks",
            provider = provider.as_str(),
            model = model.as_str(),
            names = models.join(", ")
        ),
        _ => return None,
    })
}

/// Reason why a provider takes no work, in a word or two.
fn reason(why: &str, speech: Lang) -> String {
    localized!(speech, "agent-provider-why", why = why)
}

/// `Could not delegate "X": it is already done.`
pub fn not_delegated(fault: &DelegateFault, said: &str, speech: Lang) -> ToolError {
    let say = |lang| {
        let cause = match fault {
            DelegateFault::NoTask => localized!(lang, "cause-no-such-task"),
            DelegateFault::Done { .. } => localized!(lang, "cause-already-done"),
            DelegateFault::Busy { title, agent, .. } => {
                let (agent, name) = (agent.to_string(), quoted(title));
                localized!(lang, "cause-agent-busy", agent = agent, name = name)
            }
            DelegateFault::AtWork { agent, run } => {
                let (agent, run) = (agent.to_string(), run.to_string());
                localized!(lang, "cause-agent-at-work", agent = agent, run = run)
            }
        };
        let what = match fault {
            DelegateFault::Done { title } | DelegateFault::Busy { title, .. } => quoted(title),
            DelegateFault::NoTask | DelegateFault::AtWork { .. } => quoted(said),
        };
        localized!(
            lang,
            "could-not",
            verb = "delegate",
            what = what,
            cause = cause
        )
    };
    ToolError::of_agents(fault.error_type(), speech, say)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_agent_cant_be_given_is_told_in_the_language_of_the_reply() {
        let names = || vec!["lace".to_owned(), "researcher".to_owned()];
        let unknown = agent_fault(
            ErrorType::NotFound,
            Cause::NoSuchAgent {
                agent: "chef".to_owned(),
                agents: names(),
            },
        );
        assert_eq!(
            unknown.error,
            "Agent \"chef\" not found in registry. Available agents: lace, researcher"
        );
        let busy = ("codex".to_owned(), "busy".to_owned());
        let lacks = Cause::ProviderLacks {
            provider: "codex".to_owned(),
            model: "gpt-9".to_owned(),
            models: names(),
        };
        let gone = |available, meant| Cause::ProviderUnavailable {
            provider: "custom".to_owned(),
            why: "missing".to_owned(),
            available,
            meant,
        };
        let disabled = Cause::AgentDisabled {
            agent: "chef".to_owned(),
        };
        let tier = Cause::NoModel {
            model: "smart".to_owned(),
        };
        let providers = vec![busy];
        for cause in [
            unknown.causes[0].clone(),
            disabled,
            tier,
            Cause::NoProvider,
            Cause::NoneAvailable { providers },
            gone(names(), None),
            gone(Vec::new(), Some("custom:x".to_owned())),
            lacks,
        ] {
            let english = told_of_agents(&cause, Lang::En).unwrap();
            for lang in Lang::ALL.into_iter().filter(|lang| *lang != Lang::En) {
                assert_ne!(told_of_agents(&cause, lang).unwrap(), english, "{cause:?}");
            }
        }
        assert_eq!(told_of_agents(&Cause::ReminderPast, Lang::De), None);
    }

    #[test]
    fn a_task_that_is_done_is_not_delegated_and_that_is_said() {
        let title = "Hotels suchen".to_owned();
        let error = not_delegated(&DelegateFault::Done { title }, "Hotels suchen", Lang::De);
        assert_eq!(
            error.error,
            "Could not delegate \"Hotels suchen\": it is already done."
        );
        let told = "Konnte \"Hotels suchen\" nicht delegieren: Die Aufgabe ist schon erledigt.";
        let told = told.to_owned();
        assert_eq!(error.causes, [Cause::OfAgents { told }]);
    }
}
