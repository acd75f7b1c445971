//! `delegate{tasks, assign_to, provider?, run_in_background?, resume?, …}` (delegation design 2.3)

use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::{ArgumentFaults, CallContext, Proposal, ToolArguments};
use crate::domain::{
    AgentHandle, Assignee, InvalidHandle, Priority, Routing, RunHandle, Tool, Work,
};

/// A call of `delegate`, as a model writes it.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DelegateCall {
    /// The work to do, one entry per task.
    #[serde(rename = "tasks")]
    #[schemars(length(min = 1, max = 10))]
    pub items: Vec<DelegateItem>,
    /// The agent for it: "new:persona", "new:persona;fast", "new:persona;smart", "new:persona;provider:model", or an agent that worked before ("agent-abc123"). Null only with resume.
    #[serde(default, deserialize_with = "said")]
    #[schemars(with = "Option<String>", length(max = 200))]
    pub assign_to: Option<Assignee>,
    /// Provider that the user named, if any.
    #[serde(default, rename = "provider", deserialize_with = "said")]
    #[schemars(with = "Option<String>", length(max = 80))]
    #[schemars(
        description = "\"auto\" (default), \"codex\", \"gptoss\", \"local_fm\" or \"custom:<id>\", only if the user named one; else null."
    )]
    pub routing: Option<Routing>,
    /// True: don't wait for the result; else null.
    #[serde(default, rename = "run_in_background", deserialize_with = "given")]
    #[schemars(with = "Option<bool>", extend("default" = null))]
    pub background: bool,
    /// "agent-abc123" or "run-7": go on in that agent's conversation with a new prompt; else null.
    #[serde(default, deserialize_with = "said")]
    #[schemars(with = "Option<String>", length(max = 40))]
    pub resume: Option<ResumeTarget>,
    /// True: one agent does the tasks one after another; else null.
    #[serde(default, deserialize_with = "given")]
    #[schemars(with = "Option<bool>", extend("default" = null))]
    pub share_session: bool,
    /// True: the agent is also told this conversation, as a quotation; else null.
    #[serde(default, deserialize_with = "given")]
    #[schemars(with = "Option<bool>", extend("default" = null))]
    pub share_context: bool,
    /// The kind of work; else null.
    #[serde(default, rename = "intent")]
    pub work: Option<Work>,
    /// The directory to work in, only if the user named one; else null.
    #[serde(default)]
    #[schemars(length(max = 1000))]
    pub workspace_root: Option<String>,
    /// The files of it that are meant; else null.
    #[serde(default, deserialize_with = "given")]
    #[schemars(with = "Option<Vec<String>>", length(max = 50), extend("default" = null))]
    pub files_include_glob: Vec<String>,
    /// The largest number of files that may be read; else null.
    #[serde(default)]
    #[schemars(range(min = 1, max = 10_000))]
    pub max_files: Option<u32>,
    /// The longest time it may take, in ms; else null.
    #[serde(default)]
    #[schemars(range(min = 1, max = 86_400_000))]
    pub time_budget_ms: Option<u64>,
    /// True: a short summary is wanted as well; else null.
    #[serde(default, deserialize_with = "given")]
    #[schemars(with = "Option<bool>", extend("default" = null))]
    pub summarize: bool,
    /// True: only say what would be started; else null.
    #[serde(default, deserialize_with = "given")]
    #[schemars(with = "Option<bool>", extend("default" = null))]
    pub dry_run: bool,
}

/// One task.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DelegateItem {
    /// The todo's title in the user's words; one that is on the list by exactly that title is taken, else it is added.
    #[schemars(length(min = 1, max = 200))]
    pub title: String,
    /// Everything the agent needs to know: it sees nothing else.
    #[schemars(length(min = 1, max = 20_000))]
    pub prompt: String,
    /// The form the answer should have; else null.
    #[serde(default)]
    #[schemars(length(min = 1, max = 20_000))]
    pub expected_response: Option<String>,
    /// Its place in the queue; else null.
    #[serde(default)]
    pub priority: Option<Priority>,
    /// 5 to 10 words for a list; else null.
    #[serde(default)]
    #[schemars(length(max = 200))]
    pub description: Option<String>,
    /// True: only a todo that is on the list already; else null.
    #[serde(default, deserialize_with = "given")]
    #[schemars(with = "Option<bool>", extend("default" = null))]
    pub must_exist: bool,
    /// Another agent for this task; else null.
    #[serde(default, rename = "assigned_to", deserialize_with = "said")]
    #[schemars(with = "Option<String>", length(max = 200))]
    pub assignee: Option<Assignee>,
}

/// Reads a value for which null stands as well.
pub(super) fn given<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: Deserialize<'de> + Default,
    D: Deserializer<'de>,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// Reads words of a grammar that were checked before: a blank says nothing.
fn said<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: FromStr,
    D: Deserializer<'de>,
{
    let text = Option::<String>::deserialize(deserializer)?;
    Ok(text.and_then(|text| text.trim().parse().ok()))
}

/// The session or run that a delegation goes on with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum ResumeTarget {
    /// A session.
    Agent(AgentHandle),
    /// The session of a run.
    Run(RunHandle),
}

impl FromStr for ResumeTarget {
    type Err = InvalidHandle;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let agent = AgentHandle::parse(text).map(Self::Agent);
        agent.or_else(|_| RunHandle::parse(text).map(Self::Run))
    }
}

/// Checks what no schema can: the grammars of agents and providers, and that somebody is named.
pub(super) fn check(arguments: &Map<String, Value>, faults: &mut ArgumentFaults) {
    let text = |name: &str| {
        let given = arguments.get(name).and_then(Value::as_str);
        given.filter(|text| !text.trim().is_empty())
    };
    let items = arguments.get("tasks").and_then(Value::as_array);
    let items = items.into_iter().flatten().filter_map(Value::as_object);
    let items: Vec<&Map<String, Value>> = items.collect();
    let each = items.iter().enumerate().map(|(index, item)| {
        let at = format!("tasks/{index}/assigned_to");
        (at, item.get("assigned_to"))
    });
    let all = ("assign_to".to_owned(), arguments.get("assign_to"));
    for (at, given) in std::iter::once(all).chain(each) {
        // A blank one is wrong too, and says so.
        let given = given.and_then(Value::as_str);
        if let Some(Err(fault)) = given.map(str::parse::<Assignee>) {
            faults.push(&at, fault);
        }
    }
    if let Some(Err(fault)) = text("provider").map(str::parse::<Routing>) {
        faults.push("provider", fault);
    }
    let resume = text("resume");
    if let Some(given) = resume.filter(|given| given.parse::<ResumeTarget>().is_err()) {
        let shown: String = given.chars().take(60).collect();
        faults.push(
            "resume",
            format!("'{shown}' is not an agent (agent-abc123) or a run (run-7)"),
        );
    }
    let each = !items.is_empty()
        && items
            .iter()
            .all(|item| item.get("assigned_to").is_some_and(Value::is_string));
    let named = arguments.get("assign_to").is_some_and(Value::is_string);
    if !named && !each && resume.is_none() {
        faults.missing("assign_to");
    }
}

impl ToolArguments for DelegateCall {
    const TOOL: Tool = Tool::Delegate;
    const DESCRIPTION: &'static str = "Hand work to an agent.";

    fn propose(mut self, _: &CallContext<'_>, _: &mut ArgumentFaults) -> Option<Proposal> {
        let blank = |text: &mut String| text.trim().is_empty();
        for item in &mut self.items {
            item.title = item.title.trim().to_owned();
            item.expected_response.take_if(blank);
            if item.assignee.is_none() {
                item.assignee.clone_from(&self.assign_to);
            }
        }
        self.workspace_root.take_if(blank);
        Some(Proposal::Delegate(Box::new(self)))
    }
}
