//! Reminders over HTTP: what waits, and what became of the others.

use actix_web::HttpResponse;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::api::{ApiRequest, ApiResult};
use super::openapi::errors;
use super::path;
use crate::chat::schema;
use crate::domain::{ReminderId, ReminderState, TaskId};
use crate::store::ListedReminder;

/// Reminders that are shown at once, unless fewer are asked for.
const SHOWN: u32 = 200;

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct RemindersQuery {
    /// Number of reminders at most.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    limit: Option<String>,
}

/// Reminders of a user.
#[derive(Serialize, ToSchema)]
struct UserReminders {
    /// Reminders, those of the latest time first.
    reminders: Vec<ReminderOfTask>,
}

/// A reminder with its task.
#[derive(Serialize, ToSchema)]
struct ReminderOfTask {
    /// The reminder's id.
    #[schema(value_type = String, format = Uuid)]
    id: ReminderId,
    /// The task.
    #[schema(value_type = String, format = Uuid)]
    task_id: TaskId,
    /// Its title now.
    task_title: String,
    /// Its time, exact to the second.
    at: DateTime<Utc>,
    /// `waiting`, `delivered`, `missed` or `cancelled`.
    #[schema(schema_with = schema::reminder_state)]
    state: ReminderState,
}

impl From<ListedReminder> for ReminderOfTask {
    fn from(listed: ListedReminder) -> Self {
        let ListedReminder {
            task,
            title,
            reminder,
        } = listed;
        Self {
            id: reminder.id,
            task_id: task,
            task_title: title,
            at: reminder.when.at,
            state: reminder.state,
        }
    }
}

/// Reminders of all tasks, those of the latest time first.
#[utoipa::path(
    get, path = "/api/{user_id}/reminders", tag = "tasks", params(RemindersQuery),
    responses((status = 200, body = UserReminders), errors::BadQuery)
)]
pub async fn reminders(api: ApiRequest) -> ApiResult {
    let user = api.user()?;
    let asked: RemindersQuery = api.query()?;
    let limit = path::limit(asked.limit.as_deref(), (SHOWN, SHOWN))?;
    let found = api.store().reminders(&user, limit).await?;
    let reminders = found.into_iter().map(ReminderOfTask::from).collect();
    Ok(HttpResponse::Ok().json(UserReminders { reminders }))
}
