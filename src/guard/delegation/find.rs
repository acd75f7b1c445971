//! Search for the run that some words mean.

use crate::domain::text::fold;
use crate::domain::{AgentHandle, Cause, Details, ErrorType, Lang, RunHandle, ToolError};
use crate::guard::licence::{Meaning, Situation, mean};
use crate::guard::phrases::{all_quoted, quoted};
use crate::intent::{About, Target, Verb};
use crate::locales::localized;
use crate::resolver::covers;
use crate::store::{AgentRun, KnownRuns};
use crate::tools::RunWords;

/// The run that the user's words mean: of one task the newest; of several the one that is live.
pub(super) fn run_about<'r>(
    runs: &'r KnownRuns,
    about: &About,
    situation: &Situation<'_>,
    speech: Lang,
) -> Result<&'r AgentRun, ToolError> {
    let of_task: Vec<&AgentRun> = match &about.what {
        None => runs.runs.iter().collect(),
        Some(target) => {
            let meaning = mean(Verb::Update, target, situation).meaning;
            let is = |run: &&AgentRun| match (&meaning, target) {
                (Meaning::One(id), _) => run.task == Some(*id),
                (Meaning::Set(ids), _) => run.task.is_some_and(|task| ids.contains(&task)),
                (_, Target::Named(words)) => is_titled(run, words),
                // "it" with nothing in focus: the newest.
                _ => true,
            };
            runs.runs.iter().filter(is).collect()
        }
    };
    let of_persona = |run: &&AgentRun| about.agent.as_ref().is_none_or(|name| *name == run.persona);
    let meant: Vec<&AgentRun> = of_task.iter().copied().filter(of_persona).collect();
    // Somebody else works on that task, or did.
    if let (Some(other), [], [.., run], Some(_)) = (
        &about.agent,
        meant.as_slice(),
        of_task.as_slice(),
        &about.what,
    ) {
        return Err(is_another(run, other, speech));
    }
    let words = about.what.as_ref().and_then(|target| match target {
        Target::Named(words) => Some(words.as_str()),
        _ => None,
    });
    one_of(&meant, runs, words, speech)
}

/// The run that a call's arguments mean.
pub(super) fn run_named<'r>(
    runs: &'r KnownRuns,
    which: &RunWords,
    speech: Lang,
) -> Result<&'r AgentRun, ToolError> {
    if let Some(text) = &which.run {
        let handle = RunHandle::parse(text).ok();
        let found = handle.and_then(|handle| runs.handle(handle));
        return found.ok_or_else(|| unknown(runs, Some(text), speech));
    }
    if let Some(text) = &which.agent {
        let handle = AgentHandle::parse(text).ok();
        let found = handle.and_then(|handle| newest(runs, &handle));
        return found.ok_or_else(|| unknown(runs, Some(text), speech));
    }
    let Some(words) = &which.task else {
        let all: Vec<&AgentRun> = runs.runs.iter().collect();
        return one_of(&all, runs, None, speech);
    };
    let titled: Vec<&AgentRun> = runs
        .runs
        .iter()
        .filter(|run| is_titled(run, words))
        .collect();
    one_of(&titled, runs, Some(words), speech)
}

/// The newest run of a session.
pub(super) fn newest<'r>(runs: &'r KnownRuns, agent: &AgentHandle) -> Option<&'r AgentRun> {
    let own = runs.runs.iter().filter(|run| run.agent == *agent);
    own.max_by_key(|run| run.handle)
}

fn is_titled(run: &AgentRun, words: &str) -> bool {
    fold(&run.title) == fold(words) || covers(words, &run.title)
}

fn one_of<'r>(
    meant: &[&'r AgentRun],
    runs: &KnownRuns,
    words: Option<&str>,
    speech: Lang,
) -> Result<&'r AgentRun, ToolError> {
    let live: Vec<&AgentRun> = meant
        .iter()
        .copied()
        .filter(|run| run.state.is_live())
        .collect();
    match live.as_slice() {
        [one] => return Ok(one),
        [] => {}
        several => {
            let names = all_quoted(several.iter().map(|run| run.title.as_str()));
            let say = |lang| localized!(lang, "agent-which", names = names.as_str());
            let error = ToolError::of_agents(ErrorType::Ambiguous, speech, say);
            return Err(error.with(Details {
                parameter: Some("task".to_owned()),
                suggestions: several.iter().map(|run| run.title.clone()).collect(),
                ..Details::default()
            }));
        }
    }
    let newest = meant.iter().copied().max_by_key(|run| run.handle);
    newest.ok_or_else(|| unknown(runs, words, speech))
}

/// The failure of words that name an agent of another kind than the one of a run.
pub(super) fn is_another(run: &AgentRun, other: &str, speech: Lang) -> ToolError {
    let (agent, persona) = (run.agent.to_string(), run.persona.as_str());
    let text = format!("{agent} is a {persona}, not '{other}': go on with it by resume alone.");
    let told = localized!(
        speech,
        "agent-is-another",
        agent = agent,
        persona = persona,
        other = other
    );
    ToolError::new(ErrorType::Conflict, text).because([Cause::OfAgents { told }])
}

fn unknown(runs: &KnownRuns, words: Option<&str>, speech: Lang) -> ToolError {
    let mut titles: Vec<String> = Vec::new();
    for run in &runs.runs {
        if !titles.contains(&run.title) {
            titles.push(run.title.clone());
        }
    }
    titles.truncate(10);
    let say = |lang| match words {
        _ if titles.is_empty() => localized!(lang, "agent-none-yet"),
        Some(words) => {
            let words: String = words.chars().take(80).collect();
            localized!(lang, "agent-no-match", name = quoted(&words))
        }
        None => localized!(lang, "agent-none-such"),
    };
    ToolError::of_agents(ErrorType::NotFound, speech, say).with(Details {
        parameter: Some("task".to_owned()),
        value: words.map(Into::into),
        suggestions: titles,
        ..Details::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_is_told_in_english_and_the_user_in_the_language_of_the_reply() {
        let error = unknown(&KnownRuns::default(), None, Lang::De);
        assert_eq!(error.error, localized!(Lang::En, "agent-none-yet"));
        let told = localized!(Lang::De, "agent-none-yet");
        assert_ne!(told, error.error);
        assert_eq!(error.causes, [Cause::OfAgents { told }]);
    }
}
