//! A tool call of the chat's model, found in the log.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use crate::audit::EventKind;
use crate::domain::UserId;
use crate::store::{Store, StoreError};

/// The newest call of that id: when, and its arguments and its end.
pub(super) async fn call(
    store: &Store,
    user: &UserId,
    id: &str,
) -> Result<Option<(DateTime<Utc>, Value)>, StoreError> {
    let mut newest: Option<(DateTime<Utc>, Value)> = None;
    let kinds = [EventKind::ToolCall, EventKind::Refusal];
    let reading = store.each_event(user, &kinds, |row| {
        let payload: Value = serde_json::from_str(&row.payload).unwrap_or_default();
        let part = |name: &str| payload.get(name).cloned().unwrap_or_default();
        let later = newest.as_ref().is_none_or(|(at, _)| row.created_at >= *at);
        if part("call_id") != id || !later {
            return;
        }
        let outcome = part("outcome");
        let failed = matches!(outcome.as_str(), Some("failed" | "refused"));
        let view = json!({
            "tool_call_id": id,
            "name": part("name"),
            "called_as": part("called_as"),
            "arguments": part("arguments"),
            "ok": !failed,
            "outcome": outcome,
            "result": part("reason"),
            "turn_id": row.turn_id,
            "ended_at": row.created_at,
        });
        newest = Some((row.created_at, view));
    });
    reading.await?;
    Ok(newest)
}
