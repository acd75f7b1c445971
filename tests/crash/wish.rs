//! One request of a client, and what it must have done once it is answered.

#![cfg(test)]

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// A task as a client knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Its id.
    pub id: String,
    /// True when it is done.
    pub done: bool,
    /// True when its priority was raised.
    pub high: bool,
}

/// A client's own tasks, by title. No two clients use the same title.
pub type List = BTreeMap<String, Row>;

/// Change that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deed {
    /// A new task.
    Add,
    /// To mark it as done.
    Complete,
    /// To give it high priority.
    Raise,
    /// To delete it.
    Delete,
    /// To take the last change of it back, after which it is as it was: so, or not there.
    Undo {
        /// The receipt of that change.
        receipt: String,
        /// How it was.
        before: Option<Row>,
    },
    /// A new task, and the deletion of another one: the model of [`super::model`] needs a second
    /// round for that, and a kill between the two may leave the first alone.
    AddAndDelete {
        /// The title of the one to delete.
        other: String,
    },
}

/// One change, as an answer shows it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Done {
    /// `add_task` and so on.
    pub action: &'static str,
    /// The task's title.
    pub title: String,
    /// The task's id.
    pub task: String,
}

/// Through which door.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// In words.
    Chat,
    /// By REST.
    Rest,
}

/// A request.
#[derive(Debug, Clone)]
pub struct Wish {
    /// Through which door.
    pub way: Way,
    /// Change that is asked for.
    pub deed: Deed,
    /// The task's title.
    pub title: String,
    /// The task's id, where it has one.
    pub id: Option<String>,
}

/// Request that goes over the wire.
#[derive(Debug, Clone)]
pub struct Sent {
    /// HTTP method.
    pub method: &'static str,
    /// The path.
    pub path: String,
    /// The body, if there is one.
    pub body: Option<Value>,
    /// The status of success.
    pub status: u16,
}

impl Wish {
    /// The request that asks for it.
    pub fn sent(&self, user: &str, conversation: Option<&str>) -> Sent {
        let tasks = format!("/api/{user}/tasks");
        let one = format!("{tasks}/{}", self.id.as_deref().unwrap_or_default());
        let title = &self.title;
        let (method, path, body, status) = match (self.way, &self.deed) {
            (_, Deed::Undo { receipt, .. }) => {
                let path = format!("/api/{user}/receipts/{receipt}/undo");
                ("POST", path, None, 200)
            }
            (Way::Chat, _) => {
                let mut body = json!({"message": self.words()});
                if let Some(conversation) = conversation {
                    body["conversation_id"] = conversation.into();
                }
                ("POST", format!("/api/{user}/chat"), Some(body), 200)
            }
            (Way::Rest, Deed::Add) => ("POST", tasks, Some(json!({"title": title})), 201),
            (Way::Rest, Deed::Complete) => ("PATCH", one, Some(json!({"is_completed": true})), 200),
            (Way::Rest, Deed::Raise) => ("PATCH", one, Some(json!({"priority": "high"})), 200),
            (Way::Rest, Deed::Delete) => ("DELETE", one, None, 204),
            (Way::Rest, Deed::AddAndDelete { .. }) => unreachable!("REST does one thing"),
        };
        Sent {
            method,
            path,
            body,
            status,
        }
    }

    /// The request in words.
    pub fn words(&self) -> String {
        let title = &self.title;
        match &self.deed {
            Deed::Add => format!("add \"{title}\""),
            Deed::Complete => format!("mark \"{title}\" as done"),
            Deed::Raise => format!("set the priority of \"{title}\" to high"),
            Deed::Delete => format!("delete \"{title}\""),
            Deed::Undo { .. } => "undo".to_owned(),
            Deed::AddAndDelete { other } => format!("add \"{title}\" and delete \"{other}\""),
        }
    }

    /// Tells whether a reply says that this was done, and nothing else. Of several things it may be
    /// fewer: those that a kill did not prevent.
    pub fn is_told_by(&self, text: &str) -> bool {
        let title = &self.title;
        match &self.deed {
            Deed::Add => text == format!("Added: {title}"),
            Deed::Complete => text == format!("Marked {title} as done"),
            Deed::Raise => text == format!("Updated: {title} (priority: high)"),
            Deed::Delete => text == format!("Deleted: {title}"),
            Deed::Undo { .. } => {
                text.starts_with("Undone: ") && text.contains(title) && !text.contains('\n')
            }
            Deed::AddAndDelete { .. } => self.parts().iter().any(|part| part.is_told_by(text)),
        }
    }

    /// Returns the action that its receipt names.
    pub fn action(&self) -> &'static str {
        match self.deed {
            Deed::Add => "add_task",
            Deed::Complete => "complete_task",
            Deed::Raise => "update_task",
            Deed::Delete => "delete_task",
            Deed::Undo { .. } => "undo",
            Deed::AddAndDelete { .. } => "several",
        }
    }

    /// Returns what it comes to, one by one.
    pub fn parts(&self) -> Vec<Self> {
        let Deed::AddAndDelete { other } = &self.deed else {
            return vec![self.clone()];
        };
        let part = |deed, title: &String| Self {
            deed,
            title: title.clone(),
            ..self.clone()
        };
        vec![part(Deed::Add, &self.title), part(Deed::Delete, other)]
    }

    /// Does it to the client's own list; `id` is the task's.
    pub fn apply(&self, list: &mut List, id: &str) {
        let row = list.get(&self.title).cloned();
        let after = match &self.deed {
            Deed::Add => Some(Row {
                id: id.to_owned(),
                done: false,
                high: false,
            }),
            Deed::Complete => row.map(|row| Row { done: true, ..row }),
            Deed::Raise => row.map(|row| Row { high: true, ..row }),
            Deed::Delete => None,
            Deed::Undo { before, .. } => before.clone(),
            Deed::AddAndDelete { .. } => row,
        };
        match after {
            Some(after) => list.insert(self.title.clone(), after),
            None => list.remove(&self.title),
        };
    }
}
