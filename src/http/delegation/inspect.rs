//! A tool call of the chat's model, found in the log.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use crate::audit::EventKind;
use crate::domain::UserId;
use crate::http::problem::Problem;
use crate::store::{AuditFilter, Store};

/// Events that are read at once.
const PAGE: u32 = 500;

/// The newest call of that id: when, and its arguments and its end.
pub(super) async fn call(
    store: &Store,
    user: &UserId,
    id: &str,
) -> Result<Option<(DateTime<Utc>, Value)>, Problem> {
    let mut newest: Option<(DateTime<Utc>, Value)> = None;
    for kind in [EventKind::ToolCall, EventKind::Refusal] {
        let mut after = None;
        loop {
            let filter = AuditFilter {
                user: Some(user.clone()),
                kind: Some(kind),
                after,
                limit: Some(PAGE),
                ..AuditFilter::default()
            };
            let rows = store.audit_events(&filter).await?;
            let Some(last) = rows.last() else { break };
            after = Some(last.seq);
            for row in &rows {
                let payload: Value = serde_json::from_str(&row.payload).unwrap_or_default();
                let part = |name: &str| payload.get(name).cloned().unwrap_or_default();
                let later = newest.as_ref().is_none_or(|(at, _)| row.created_at >= *at);
                if part("call_id") != id || !later {
                    continue;
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
            }
        }
    }
    Ok(newest)
}
