//! Urgency of a task.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

words! {
    /// Low, medium (the default) or high.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
        JsonSchema,
    )]
    #[serde(rename_all = "lowercase")]
    pub enum Priority {
        /// Can wait.
        Low = "low",
        /// The priority of a task when nobody said otherwise.
        #[default]
        Medium = "medium",
        /// Comes first.
        High = "high",
    }
}
