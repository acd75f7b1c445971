//! Personas: what an agent is told it is, which tools it has, what it is good for.
//!
//! `prompts/agents/<id>.md`: front matter (YAML) between two lines of `---`, then the system
//! prompt of the agent. They are part of the program: one that can't be read is a fault of the
//! build, which a test names.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::domain::{Lang, ModelSpec, Routing, is_persona};

/// The files of `prompts/agents`.
const FILES: [&str; 5] = [
    include_str!("../../prompts/agents/lace.md"),
    include_str!("../../prompts/agents/researcher.md"),
    include_str!("../../prompts/agents/code-investigator.md"),
    include_str!("../../prompts/agents/code-reviewer.md"),
    include_str!("../../prompts/agents/testing-specialist.md"),
];

/// One kind of agent.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Persona {
    /// Its id: `researcher`.
    pub name: String,
    /// One sentence for models and users.
    pub description: String,
    /// The same sentence for users of other languages, by code: `de`.
    #[serde(default)]
    pub descriptions: BTreeMap<String, String>,
    /// The tools it has besides `report_result` and `add_note`.
    #[serde(default)]
    pub tools: Vec<String>,
    /// The model it thinks with unless the call says otherwise.
    #[serde(default)]
    pub model: Option<ModelSpec>,
    /// The provider it runs on unless the call says otherwise.
    #[serde(default)]
    pub provider: Option<Routing>,
    /// Answers of its model in one run, at most.
    #[serde(default = "turns")]
    pub max_turns: u32,
    /// Milliseconds of one run, at most.
    #[serde(default = "timeout")]
    pub timeout_ms: u64,
    /// Calls that hand it work, as examples for the model that delegates.
    #[serde(default)]
    pub examples: Vec<PersonaExample>,
    /// Kinds of work that it is not for.
    #[serde(default)]
    pub not_for: Vec<String>,
    /// Its system prompt.
    #[serde(skip)]
    pub prompt: String,
}

/// Words of a user, and the call they should lead to.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PersonaExample {
    /// Words of the user.
    pub user: String,
    /// The arguments of `delegate`.
    pub call: Value,
}

const fn turns() -> u32 {
    25
}

const fn timeout() -> u64 {
    600_000
}

impl Persona {
    /// Reads one file.
    ///
    /// # Errors
    /// Says what is wrong with it.
    ///
    /// ```
    /// use candor::delegation::Persona;
    /// let file = "---\nname: scribe\ndescription: Writes.\n---\nYou write.\n";
    /// assert_eq!(Persona::parse(file).unwrap().prompt, "You write.");
    /// ```
    pub fn parse(file: &str) -> Result<Self, String> {
        let rest = file.strip_prefix("---\n");
        let (front, prompt) = rest
            .and_then(|rest| rest.split_once("\n---\n"))
            .ok_or("a persona begins with front matter between two lines of ---")?;
        let mut persona: Self = serde_saphyr::from_str(front)
            .map_err(|error| format!("the front matter can't be read: {error}"))?;
        if !is_persona(&persona.name) {
            return Err(format!("'{}' is no name of a persona", persona.name));
        }
        let unknown = |code: &&String| Lang::ALL.iter().all(|lang| lang.code() != *code);
        if let Some(code) = persona.descriptions.keys().find(unknown) {
            return Err(format!(
                "descriptions: '{code}' is no language that replies are written in"
            ));
        }
        prompt.trim().clone_into(&mut persona.prompt);
        if persona.prompt.is_empty() {
            return Err("the prompt is empty".to_owned());
        }
        Ok(persona)
    }

    /// The personas that come with the program, the general one first.
    pub fn shipped() -> Vec<Self> {
        let parsed = FILES.iter().map(|file| Self::parse(file));
        parsed.filter_map(Result::ok).collect()
    }

    /// Its description for a user of that language, in English where the file has no other.
    pub fn description_in(&self, lang: Lang) -> &str {
        let own = self.descriptions.get(lang.code());
        own.map_or(self.description.as_str(), String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_personas_have_no_faults() {
        for file in FILES {
            let persona = Persona::parse(file).unwrap_or_else(|error| panic!("{error}: {file}"));
            assert!(!persona.examples.is_empty(), "{}", persona.name);
            assert!(!persona.not_for.is_empty(), "{}", persona.name);
            for lang in Lang::ALL.into_iter().filter(|lang| *lang != Lang::En) {
                let own = persona.description_in(lang);
                assert_ne!(own, persona.description, "{} {lang:?}", persona.name);
            }
            assert!(persona.prompt.contains("report_result"), "{}", persona.name);
            for tool in &persona.tools {
                let known = ["list_files", "read_file", "ask_user"];
                assert!(known.contains(&tool.as_str()), "{}: {tool}", persona.name);
            }
        }
        assert_eq!(Persona::shipped().len(), FILES.len());
    }

    #[test]
    fn faults_are_named() {
        let check = |file: &str, expect: &str| {
            let error = Persona::parse(file).unwrap_err();
            assert!(error.contains(expect), "{file:?}: {error}");
        };
        check("You write.", "begins with front matter");
        check("---\nname: A B\ndescription: x\n---\ny", "'A B' is no name");
        check(
            "---\nname: a\ndescription: x\ndescriptions: {xx: y}\n---\ny",
            "'xx' is no language",
        );
        check("---\nname: a\ndescription: x\nwish: 1\n---\ny", "wish");
        check("---\nname: a\ndescription: x\n---\n  \n", "prompt is empty");
        check(
            "---\nname: a\ndescription: x\nmodel: junk\n---\ny",
            "not fast, smart or",
        );
    }
}
