//! The description of `delegate`, rendered from the registry (D-060 … D-068, D-220 … D-222).
//!
//! Nothing in it is kept by hand that the registry knows: agents, their tools, their examples.

use super::persona::Persona;
use super::registry::PersonaRegistry;

/// So many of an agent's tools are named.
const TOOLS_SHOWN: usize = 8;

const HEAD: &str = "\
Hand work to an agent: it does the task in a conversation of its own and reports a result.

USE WHEN the user asks in so many words to delegate, hand over or assign work, and it is
- focused work with a clear result: research, analysis, writing, a review;
- independent of the rest of this conversation; several tasks run at the same time;
- better done by a certain model, for its cost or its reasoning.

WORKFLOW: the todo is created if there is none of that title → an agent is started → it reports → the result is returned. \
What takes long goes on in the background; ask for it with task_output.
The agent starts fresh with only your instructions, no conversation history: the prompt must say everything it needs.

assign_to: \"new:persona\" (its usual model) · \"new:persona;fast\" (cost-effective) · \"new:persona;smart\" (higher reasoning) · \
\"new:persona;provider:model\" · \"agent-abc123\" (an agent that worked before).

Agents:";

const NOT_FOR: &str = "\
When NOT to use:
- the user asks what you can do or whom you can delegate to: the server answers that;
- anything one todo tool does: add, list, rename, complete, delete;
- simple single-step tasks;
- a wish for depth or research alone: without words that hand the work over it stays with the user.";

const NOT_FOR_FILES: &str = "\
- reading one file whose path is known;
- looking for the definition of one class;
- searching in two or three files.";

/// Returns what a model is told `delegate` is for.
pub fn description(registry: &PersonaRegistry) -> String {
    let mut lines = vec![HEAD.to_owned()];
    lines.extend(registry.enabled().map(agent_line));
    lines.push(String::new());
    lines.extend(registry.enabled().filter_map(example));
    lines.push(String::new());
    lines.push(NOT_FOR.to_owned());
    let reads = |persona: &Persona| persona.tools.iter().any(|tool| tool == "read_file");
    if registry.enabled().any(reads) {
        lines.push(NOT_FOR_FILES.to_owned());
    }
    let not_for = registry.enabled().flat_map(|persona| {
        let name = &persona.name;
        let lines = persona.not_for.iter();
        lines.map(move |line| format!("- {name}: {line}"))
    });
    lines.extend(not_for);
    lines.join("\n")
}

/// `- researcher: Finds out … (Tools: list_files, read_file)`
fn agent_line(persona: &Persona) -> String {
    let shown: Vec<&str> = persona
        .tools
        .iter()
        .take(TOOLS_SHOWN)
        .map(String::as_str)
        .collect();
    let mut tools = shown.join(", ");
    if persona.tools.len() > TOOLS_SHOWN {
        tools.push_str(", ...");
    }
    if tools.is_empty() {
        tools.push_str("none");
    }
    format!(
        "- {}: {} (Tools: {tools})",
        persona.name, persona.description
    )
}

fn example(persona: &Persona) -> Option<String> {
    let example = persona.examples.first()?;
    Some(format!(
        "<example>\nuser: {}\ndelegate {}\n</example>",
        example.user, example.call
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_enabled_agents_are_described_with_tools_and_examples() {
        let registry = PersonaRegistry::default().without(["code-reviewer".to_owned()]);
        let text = description(&registry);
        for persona in registry.enabled() {
            assert!(text.contains(&agent_line(persona)), "{text}");
            assert!(text.contains(&persona.examples[0].user), "{text}");
        }
        assert!(!text.contains("code-reviewer"), "{text}");
        for part in [
            "USE WHEN",
            "WORKFLOW",
            "When NOT to use",
            "(cost-effective)",
        ] {
            assert!(text.contains(part), "{part}");
        }
        assert_eq!(
            text.matches("<example>").count(),
            registry.enabled().count()
        );
    }

    #[test]
    fn many_tools_are_cut_and_file_advice_needs_file_tools() {
        let tools = (0..10).map(|n| format!("tool{n}")).collect();
        let mut persona = Persona::shipped().remove(0);
        persona.tools = tools;
        let text = description(&PersonaRegistry::new(vec![persona]));
        assert!(
            text.contains("tool7, ...)") && !text.contains("tool8"),
            "{text}"
        );
        assert!(!text.contains("definition of one class"), "{text}");
    }
}
