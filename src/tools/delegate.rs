//! `delegate{tasks, assign_to, provider?, run_in_background?, resume?, …}` (delegation design 2.3)

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{ArgumentFaults, CallContext, Proposal, ToolArguments};
use crate::domain::{AgentHandle, Assignee, Priority, Routing, RunHandle, Tool, Work};

/// Arguments of `delegate`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DelegateArgs {
    /// The work to do, one entry per task.
    #[schemars(length(min = 1, max = 10))]
    tasks: Vec<DelegateItemArgs>,
    /// The agent for it: "new:persona", "new:persona;fast", "new:persona;smart", "new:persona;provider:model", or an agent that worked before ("agent-abc123"). Null only with resume.
    #[serde(default)]
    #[schemars(length(max = 200))]
    assign_to: Option<String>,
    /// "auto" (default), "codex", "gptoss", "local_fm" or "custom:<id>", only if the user named one; else null.
    #[serde(default)]
    #[schemars(length(max = 80))]
    provider: Option<String>,
    /// True: don't wait for the result; else null.
    #[serde(default)]
    run_in_background: Option<bool>,
    /// "agent-abc123" or "run-7": go on in that agent's conversation with a new prompt; else null.
    #[serde(default)]
    #[schemars(length(max = 40))]
    resume: Option<String>,
    /// True: one agent does the tasks one after another; else null.
    #[serde(default)]
    share_session: Option<bool>,
    /// True: the agent is also told this conversation, as a quotation; else null.
    #[serde(default)]
    share_context: Option<bool>,
    /// The kind of work; else null.
    #[serde(default)]
    intent: Option<Work>,
    /// The directory to work in, only if the user named one; else null.
    #[serde(default)]
    #[schemars(length(max = 1000))]
    workspace_root: Option<String>,
    /// The files of it that are meant; else null.
    #[serde(default)]
    #[schemars(length(max = 50))]
    files_include_glob: Option<Vec<String>>,
    /// The largest number of files that may be read; else null.
    #[serde(default)]
    #[schemars(range(min = 1, max = 10_000))]
    max_files: Option<u32>,
    /// The longest time it may take, in ms; else null.
    #[serde(default)]
    #[schemars(range(min = 1, max = 86_400_000))]
    time_budget_ms: Option<u64>,
    /// True: a short summary is wanted as well; else null.
    #[serde(default)]
    summarize: Option<bool>,
    /// True: only say what would be started; else null.
    #[serde(default)]
    dry_run: Option<bool>,
}

/// One task.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DelegateItemArgs {
    /// The todo's title in the user's words; one that is on the list by exactly that title is taken, else it is added.
    #[schemars(length(min = 1, max = 200))]
    title: String,
    /// Everything the agent needs to know: it sees nothing else.
    #[schemars(length(min = 1, max = 20_000))]
    prompt: String,
    /// The form the answer should have; else null.
    #[serde(default)]
    #[schemars(length(min = 1, max = 20_000))]
    expected_response: Option<String>,
    /// Its place in the queue; else null.
    #[serde(default)]
    priority: Option<Priority>,
    /// 5 to 10 words for a list; else null.
    #[serde(default)]
    #[schemars(length(max = 200))]
    description: Option<String>,
    /// True: only a todo that is on the list already; else null.
    #[serde(default)]
    must_exist: Option<bool>,
    /// Another agent for this task; else null.
    #[serde(default)]
    #[schemars(length(max = 200))]
    assigned_to: Option<String>,
}

/// A well-formed call of `delegate`.
#[derive(Debug, Clone, PartialEq)]
pub struct DelegateCall {
    /// The tasks, 1 to 10.
    pub items: Vec<DelegateItem>,
    /// The provider; none when it wasn't given.
    pub routing: Option<Routing>,
    /// Nobody waits.
    pub background: bool,
    /// The session or run that it goes on with.
    pub resume: Option<ResumeTarget>,
    /// One session for all of them.
    pub share_session: bool,
    /// The agent is told the conversation.
    pub share_context: bool,
    /// The kind of work.
    pub work: Option<Work>,
    /// The directory.
    pub workspace_root: Option<String>,
    /// Patterns of the files of it that are meant.
    pub files_include_glob: Vec<String>,
    /// Largest number of them that may be read.
    pub max_files: Option<u32>,
    /// Soft limit in ms.
    pub time_budget_ms: Option<u64>,
    /// A summary is wanted.
    pub summarize: bool,
    /// Only a preview.
    pub dry_run: bool,
}

/// One task of it.
#[derive(Debug, Clone, PartialEq)]
pub struct DelegateItem {
    /// The todo's title.
    pub title: String,
    /// The words that the agent is told.
    pub prompt: String,
    /// The form of the answer.
    pub expected_response: Option<String>,
    /// Its place in the queue.
    pub priority: Option<Priority>,
    /// A few words for a list.
    pub description: Option<String>,
    /// Only a todo that is there.
    pub must_exist: bool,
    /// The agent for it; none only where something is resumed.
    pub assignee: Option<Assignee>,
}

/// The session or run that a delegation goes on with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResumeTarget {
    /// A session.
    Agent(AgentHandle),
    /// The session of a run.
    Run(RunHandle),
}

impl ResumeTarget {
    fn parse(text: &str) -> Option<Self> {
        let agent = AgentHandle::parse(text).ok().map(Self::Agent);
        agent.or_else(|| RunHandle::parse(text).ok().map(Self::Run))
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
    if let Some(given) = resume.filter(|given| ResumeTarget::parse(given).is_none()) {
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

impl ToolArguments for DelegateArgs {
    const TOOL: Tool = Tool::Delegate;
    const DESCRIPTION: &'static str = "Hand work to an agent.";

    fn propose(self, _: &CallContext<'_>, _: &mut ArgumentFaults) -> Option<Proposal> {
        let whole = |text: Option<String>| text.and_then(|text| text.parse::<Assignee>().ok());
        let assign_to = whole(self.assign_to);
        let items = self.tasks.into_iter().map(|item| DelegateItem {
            title: item.title.trim().to_owned(),
            prompt: item.prompt,
            expected_response: item
                .expected_response
                .filter(|text| !text.trim().is_empty()),
            priority: item.priority,
            description: item.description,
            must_exist: item.must_exist.unwrap_or_default(),
            assignee: whole(item.assigned_to).or_else(|| assign_to.clone()),
        });
        Some(Proposal::Delegate(Box::new(DelegateCall {
            items: items.collect(),
            routing: self.provider.and_then(|text| text.parse().ok()),
            background: self.run_in_background.unwrap_or_default(),
            resume: self
                .resume
                .and_then(|text| ResumeTarget::parse(text.trim())),
            share_session: self.share_session.unwrap_or_default(),
            share_context: self.share_context.unwrap_or_default(),
            work: self.intent,
            workspace_root: self.workspace_root.filter(|text| !text.trim().is_empty()),
            files_include_glob: self.files_include_glob.unwrap_or_default(),
            max_files: self.max_files,
            time_budget_ms: self.time_budget_ms,
            summarize: self.summarize.unwrap_or_default(),
            dry_run: self.dry_run.unwrap_or_default(),
        })))
    }
}
