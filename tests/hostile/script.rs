//! How a row is written down: tasks, turns, what the model answers, what may come of it.

#![cfg(test)]

use candor::llm::ModelError;
use serde_json::Value;

/// A whole case: one fresh user, some tasks, one conversation.
#[derive(Debug, Clone)]
pub struct Row {
    /// Subject of the row; shown when it fails.
    pub name: String,
    /// Titles, each with values after a bar: `Pay rent | due=2026-02-09 priority=high done`.
    pub tasks: Vec<String>,
    /// The turns, in order.
    pub turns: Vec<Turn>,
    /// The model behaves: whatever is refused here is a defect.
    pub honest: bool,
}

/// One message, what the model says to it, and what is allowed.
#[derive(Debug, Clone)]
pub struct Turn {
    /// The user's words.
    pub message: String,
    /// `language_hint`.
    pub language: Option<&'static str>,
    /// The model's answers; the last one is repeated for ever.
    pub model: Vec<Round>,
    /// Change by another hand before the turn.
    pub hand: Option<Hand>,
    /// Exactly these changes; order does not matter.
    pub effects: Vec<String>,
    /// Further changes that are as good.
    pub or_effects: Vec<Vec<String>>,
    /// Any of these kinds; empty allows all.
    pub kinds: Vec<&'static str>,
    /// The whole reply.
    pub says: Option<String>,
    /// Parts of the reply.
    pub has: Vec<String>,
    /// Texts that must not stand in the reply.
    pub lacks: Vec<String>,
    /// `error.expected_tools` of a `tool_not_triggered`.
    pub missing: Option<Vec<&'static str>>,
    /// There is no reply: the model's server is down, nothing changed.
    pub down: bool,
}

/// One answer of the model.
#[derive(Debug, Clone)]
pub enum Round {
    /// Text, or none, and raw calls.
    Answer(Option<String>, Vec<(String, String)>),
    /// The port's error.
    Fail(ModelError),
    /// The bytes of a 200, read by the real parser.
    Body(String),
    /// Another hand acts while the model thinks.
    While(Hand, Box<Round>),
}

/// Change that another client makes to a task, by its title.
#[derive(Debug, Clone)]
pub enum Hand {
    /// Gives it another title.
    Rename(&'static str, &'static str),
    /// Deletes it.
    Delete(&'static str),
}

/// A case against a hostile model.
pub fn row(name: &str) -> Row {
    Row {
        name: name.to_owned(),
        tasks: Vec::new(),
        turns: Vec::new(),
        honest: false,
    }
}

/// A case with a well-behaved model.
pub fn honest(name: &str) -> Row {
    Row {
        honest: true,
        ..row(name)
    }
}

impl Row {
    /// The tasks at the start.
    pub fn tasks(mut self, tasks: &[&str]) -> Self {
        self.tasks = tasks.iter().map(|task| (*task).to_owned()).collect();
        self
    }

    /// The next turn.
    pub fn turn(mut self, turn: Turn) -> Self {
        self.turns.push(turn);
        self
    }
}

/// A turn in which nothing may change.
pub fn user(message: &str) -> Turn {
    Turn {
        message: message.to_owned(),
        language: None,
        model: Vec::new(),
        hand: None,
        effects: Vec::new(),
        or_effects: Vec::new(),
        kinds: Vec::new(),
        says: None,
        has: Vec::new(),
        lacks: Vec::new(),
        missing: None,
        down: false,
    }
}

impl Turn {
    /// The model's next answer is this text.
    pub fn say(self, text: &str) -> Self {
        self.round(say(text))
    }

    /// The model's next answer is this call.
    pub fn call(self, tool: &str, arguments: Value) -> Self {
        self.round(calls(&[(tool, arguments)]))
    }

    /// The model's next answer is these calls.
    pub fn calls(self, list: &[(&str, Value)]) -> Self {
        self.round(calls(list))
    }

    /// The model's next answer is one call whose arguments are this text.
    pub fn raw(self, tool: &str, arguments: &str) -> Self {
        self.round(Round::Answer(
            None,
            vec![(tool.to_owned(), arguments.to_owned())],
        ))
    }

    /// The model's next answer.
    pub fn round(mut self, round: Round) -> Self {
        self.model.push(round);
        self
    }

    /// Another hand acts before the turn.
    pub fn after(mut self, hand: Hand) -> Self {
        self.hand = Some(hand);
        self
    }

    /// In Roman Urdu.
    pub fn urdu(mut self) -> Self {
        self.language = Some("ur");
        self
    }

    /// Exactly these changes.
    pub fn does(mut self, effects: &[&str]) -> Self {
        self.effects = owned(effects);
        self
    }

    /// These changes are as good.
    pub fn or_does(mut self, effects: &[&str]) -> Self {
        self.or_effects.push(owned(effects));
        self
    }

    /// The reply's kind.
    pub fn kind(mut self, kind: &'static str) -> Self {
        self.kinds.push(kind);
        self
    }

    /// The whole reply.
    pub fn says(mut self, text: &str) -> Self {
        self.says = Some(text.to_owned());
        self
    }

    /// A part of the reply.
    pub fn has(mut self, text: &str) -> Self {
        self.has.push(text.to_owned());
        self
    }

    /// Adds a text that must not stand in the reply.
    pub fn lacks(mut self, text: &str) -> Self {
        self.lacks.push(text.to_owned());
        self
    }

    /// Nothing but "Technical error: Tool not triggered."
    pub fn not_triggered(mut self, tools: &[&'static str]) -> Self {
        self.missing = Some(tools.to_vec());
        self.kind("failure")
            .says("Technical error: Tool not triggered.")
    }

    /// Receipts, and then the error that names what is missing.
    pub fn misses(mut self, tools: &[&'static str]) -> Self {
        self.missing = Some(tools.to_vec());
        let names = tools.join(", ");
        self.has(&format!(
            "Technical error: Tool not triggered. Missing: {names}."
        ))
    }

    /// The model's server is down.
    pub fn down(mut self) -> Self {
        self.down = true;
        self
    }
}

/// An answer of text alone.
pub fn say(text: &str) -> Round {
    Round::Answer(Some(text.to_owned()), Vec::new())
}

/// An answer of calls alone.
pub fn calls(list: &[(&str, Value)]) -> Round {
    Round::Answer(None, raw_calls(list))
}

/// An answer of calls with text beside them.
pub fn both(text: &str, list: &[(&str, Value)]) -> Round {
    Round::Answer(Some(text.to_owned()), raw_calls(list))
}

fn raw_calls(list: &[(&str, Value)]) -> Vec<(String, String)> {
    let one = |(tool, arguments): &(&str, Value)| ((*tool).to_owned(), arguments.to_string());
    list.iter().map(one).collect()
}

fn owned(list: &[&str]) -> Vec<String> {
    list.iter().map(|text| (*text).to_owned()).collect()
}
