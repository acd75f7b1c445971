//! A pending question: what is asked, and what each answer would do.
//!
//! Composed by the server alone and stored with the conversation, so that a plain "yes" runs
//! it without a model, and nothing else can.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::domain::TaskId;
use crate::store::{ConversationState, PendingQuestion};
use crate::tools::Plan;

/// Way in which an answer chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChoiceMode {
    /// "yes" runs every item; naming some runs only those.
    All,
    /// One item is to be chosen; "both" and "all" run every one.
    OneOf,
    /// Nothing is prepared: the answer is read as a message of its own, with the verb in mind.
    Open,
}

/// One thing that may be chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChoiceItem {
    /// Text that is shown: a title, told apart from its twins.
    pub label: String,
    /// The title alone, for an answer to be matched with.
    pub title: String,
    /// The task, when it exists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<TaskId>,
    /// Its due date, for "the one on thursday".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<chrono::NaiveDate>,
    /// Plans that choosing it carries out, in order.
    pub plans: Vec<Plan>,
}

/// A question of the server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ServerQuestion {
    /// As it was shown.
    pub text: String,
    /// Way in which an answer chooses.
    pub mode: ChoiceMode,
    /// Things that may be chosen.
    pub items: Vec<ChoiceItem>,
    /// Sentence that is said when the answer is no: "Nothing was deleted."
    pub declined: String,
}

/// Choice that an answer made.
#[derive(Debug, Clone, PartialEq)]
pub enum QuestionAnswer {
    /// Run these items, by index; `rest` says that others were left out.
    Run {
        /// Indices of the items.
        items: Vec<usize>,
        /// Others were left out on purpose.
        rest: bool,
    },
    /// Only these are still meant, and that is asked again: what is left out of a deletion says
    /// nothing certain about the rest.
    Narrow(Vec<usize>),
    /// Nothing is to happen.
    Declined,
    /// The answer fits several items, or none: ask again.
    Unclear,
}

impl ServerQuestion {
    /// The question that waits in a conversation. One that can't be read any more is as if it had
    /// expired: nothing runs from it.
    pub fn pending(
        conversation: &ConversationState,
        now: DateTime<Utc>,
    ) -> Option<(PendingQuestion, Self)> {
        let stored = conversation.question.as_ref()?;
        let stored = Some(stored).filter(|stored| stored.expires_at > now)?;
        let asked = serde_json::from_str(&stored.body).ok()?;
        Some((stored.clone(), asked))
    }

    /// Plans that a yes to all of it carries out, in order.
    pub fn plans(&self) -> impl Iterator<Item = &Plan> {
        self.items.iter().flat_map(|item| &item.plans)
    }

    /// The choice of a button: `yes`, `no`, `all`, or an item's number from 1.
    pub fn choose(&self, value: &str) -> Option<QuestionAnswer> {
        let every = || QuestionAnswer::Run {
            items: (0..self.items.len()).collect(),
            rest: false,
        };
        match (value, self.mode) {
            ("no", _) => Some(QuestionAnswer::Declined),
            ("yes", ChoiceMode::All) | ("all", ChoiceMode::OneOf) => Some(every()),
            (number, _) => {
                let index = number.parse::<usize>().ok()?.checked_sub(1)?;
                (index < self.items.len()).then(|| QuestionAnswer::Run {
                    items: vec![index],
                    rest: self.mode == ChoiceMode::All && self.items.len() > 1,
                })
            }
        }
    }

    /// The options as they are offered: `(id, label)`.
    pub fn options(&self, yes: &str, no: &str) -> Vec<(String, String)> {
        let numbered = self
            .items
            .iter()
            .enumerate()
            .map(|(index, item)| ((index + 1).to_string(), item.label.clone()));
        let no_option = ("no".to_owned(), no.to_owned());
        match self.mode {
            ChoiceMode::All => {
                let each = numbered.filter(|_| self.items.len() > 1);
                let yes = ("yes".to_owned(), yes.to_owned());
                std::iter::once(yes)
                    .chain(each)
                    .chain([no_option])
                    .collect()
            }
            ChoiceMode::OneOf => numbered.chain([no_option]).collect(),
            ChoiceMode::Open => numbered.collect(),
        }
    }
}
