//! A model's prose about agents: how work stands is for the server to say (G-07).

use super::words::{Kind, says};
use crate::domain::text::{Kind as TokenKind, Text};

/// Tells whether a text tells how delegated work stands. `personas` are the ids of the agents.
pub fn claims_delegation<'a>(text: &str, personas: impl Iterator<Item = &'a str>) -> bool {
    let names: Vec<String> = personas.map(|name| name.replace(['-', '_'], " ")).collect();
    sentences(text).iter().any(|(words, asks)| {
        let has = |kind| words.iter().any(|word| says(kind, word));
        let padded = format!(" {} ", words.join(" "));
        let agent = has(Kind::Agent)
            || names
                .iter()
                .any(|name| padded.contains(&format!(" {name} ")));
        !asks && (has(Kind::Delegated) || agent && has(Kind::Works))
    })
}

/// The words of each sentence, and whether it asks.
fn sentences(text: &str) -> Vec<(Vec<String>, bool)> {
    let text = Text::new(text);
    let mut all = Vec::new();
    let mut words = Vec::new();
    for (index, token) in text.tokens.iter().enumerate() {
        let word = text.word(index);
        match token.kind {
            TokenKind::Word => words.push(word.to_owned()),
            TokenKind::Break => all.push((std::mem::take(&mut words), false)),
            TokenKind::Punct if matches!(word, "." | "!" | "?" | ";") => {
                all.push((std::mem::take(&mut words), word == "?"));
            }
            TokenKind::Punct | TokenKind::Quote => {}
        }
    }
    all.push((words, false));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_work_stands_is_not_for_a_model_to_say() {
        let claims =
            |text: &str| claims_delegation(text, ["researcher", "code-reviewer"].into_iter());
        for text in [
            "I have delegated it!",
            "The researcher is working on it.",
            "Great news: the agent finished the hotels.",
            "Done! The code reviewer found three faults.",
            "I've passed it on to the researcher.",
            "The sub-agent has started. Want anything else?",
        ] {
            assert!(claims(text), "{text}");
        }
        for text in [
            "Hello! How can I help?",
            "Should the researcher look into it?",
            "A good estate agent helps a lot.",
            "You're done for today, well deserved!",
            "Agents can be handy for that.",
        ] {
            assert!(!claims(text), "{text}");
        }
    }
}
