//! Whole lists over HTTP: `GET /api/{user_id}/export` and `POST /api/{user_id}/import`.
//!
//! A list is bounded by what a user has, which every turn holds in memory anyway; a file that is
//! sent is bounded by [`LIMIT`]. What was imported left receipts, as every write does.

use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use utoipa::IntoParams;

use super::api::{ApiRequest, ApiResult};
use super::blocking::run_blocking;
use super::code::Code;
use super::idempotency::IdempotencyKey;
use super::openapi::{errors, limits};
use super::problem::Problem;
use super::{body, idempotency};
use crate::chat::direct::{ImportOutcome, ImportReport, ImportStopped, TaskImport, WriteError};
use crate::chat::wire::{TaskView, task_file};
use crate::formats::{self, DayOrder, Format, Layout};

/// About what one task takes of a file, in bytes.
const LINE: usize = 64;

/// The largest file, in bytes.
pub(super) const LIMIT: usize = 8 * 1024 * 1024;

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ExportQuery {
    /// Format of the file; json when nothing is said.
    #[param(value_type = Option<limits::FileFormat>, inline)]
    format: Option<String>,
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ImportQuery {
    /// Says only what would happen.
    #[param(value_type = Option<limits::DryRun>, inline)]
    dry_run: Option<String>,
    /// Layout of the file, when its text shall not say which of its media type it has.
    #[param(value_type = Option<limits::FileLayout>, inline)]
    format: Option<String>,
    /// Order of day and month in 10/02/2026, when the file's other dates don't show it.
    #[param(value_type = Option<limits::DateOrder>, inline)]
    dates: Option<String>,
}

/// All tasks as a file, the oldest first.
#[utoipa::path(get, path = "/api/{user_id}/export", tag = "tasks", params(ExportQuery), responses(
        (status = 200, content((Vec<TaskView> = "application/json"), (String = "text/calendar"),
            (String = "text/csv"), (String = "text/plain"))), errors::BadQuery))]
pub async fn export(api: ApiRequest) -> ApiResult {
    let user = api.user()?;
    let asked: ExportQuery = api.query()?;
    let word = asked.format.as_deref().unwrap_or("json");
    let fault = || Problem::new(Code::BadQuery, "format must be ics, csv, todotxt or json.");
    let format = Format::parse(word).ok_or_else(fault)?;
    let tasks = api.direct.all(&user).await?;
    let name = format.file_name();
    let written = run_blocking(tasks.len(), move || task_file(format, &tasks.to_vec()));
    let written = written.await?;
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, format.media_type()))
        .insert_header((
            CONTENT_DISPOSITION,
            format!("attachment; filename=\"{name}\""),
        ))
        .body(written))
}

/// Adds the tasks of a file; what is on the list already stays as it is.
#[utoipa::path(
    post, path = "/api/{user_id}/import", tag = "tasks", params(ImportQuery, IdempotencyKey),
    request_body(content((Vec<serde_json::Value> = "application/json"),
        (String = "text/calendar"), (String = "text/csv"), (String = "text/plain"))),
    responses((status = 200, body = ImportReport), errors::BadQuery, errors::Unreadable)
)]
pub async fn import(mut api: ApiRequest) -> ApiResult {
    let bytes = api.bytes(LIMIT).await;
    let user = api.user()?;
    let asked: ImportQuery = api.query()?;
    let dry_run = match asked.dry_run.as_deref() {
        None | Some("false") => false,
        Some("true") => true,
        Some(_) => {
            let detail = "dry_run must be true or false.";
            return Err(Problem::new(Code::BadQuery, detail));
        }
    };
    let day_order = asked.dates.map(|word| {
        let fault = || Problem::new(Code::BadQuery, "dates must be day-first or month-first.");
        DayOrder::parse(&word).ok_or_else(fault)
    });
    let options = api.direct.read_options(day_order.transpose()?);
    let key = api.key()?;
    let (format, charset) = format(&api.sent)?;
    let bytes = bytes?;
    let read = run_blocking(bytes.len() / LINE, move || {
        let unreadable = |format: &str, fault| {
            let detail = format!("The body can't be read as {format}: {fault}.");
            Problem::new(Code::InvalidBody, detail)
        };
        let word = asked.format.as_deref().unwrap_or(format.as_str());
        let file = formats::decode(&bytes, charset.as_deref());
        let file = file.map_err(|fault| unreadable(word, fault))?;
        let layout = Layout::named(word, &file.text).ok_or_else(|| {
            let detail = format!("format must be {}.", Layout::names());
            Problem::new(Code::BadQuery, detail)
        })?;
        let read = TaskImport::read(layout, &file, &options);
        read.map_err(|fault| unreadable(layout.name, fault))
    });
    let import = read.await??;
    let direct = api.direct.clone();
    if dry_run {
        let report = direct.try_import(&user, &import).await?;
        return Ok(HttpResponse::Ok().json(report));
    }
    let ran = api.run(async move {
        let key = key.as_deref();
        direct.import(&user, &import, key, |_| {}).await
    });
    match ran.await? {
        Ok(ImportOutcome::Done(report)) => Ok(HttpResponse::Ok().json(report)),
        Ok(ImportOutcome::Before(written)) => Ok(idempotency::stored(200, written.body, true)),
        Err(stopped) => Err(stopped.into()),
    }
}

/// The format that the body is sent as, and its charset where that is named.
fn format(request: &HttpRequest) -> Result<(Format, Option<String>), Problem> {
    let given = request.headers().get(CONTENT_TYPE);
    let given = given
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let format = Format::of_media_type(given).ok_or_else(|| {
        Problem::new(
            Code::WrongMediaType,
            "Send the file with the header Content-Type: text/calendar, text/csv, text/plain \
             (todo.txt) or application/json; a charset beside it names the encoding.",
        )
    })?;
    Ok((format, body::charset(given)))
}

impl From<ImportStopped> for Problem {
    fn from(stopped: ImportStopped) -> Self {
        let added = stopped.report.added;
        let unconfirmed = stopped.cause == WriteError::Unconfirmed;
        let mut problem = Self::from(stopped.cause);
        if added > 0 || unconfirmed {
            problem.detail = format!(
                "The import broke off after {added} tasks were added; they stay. Send the same \
                 file again: it goes on from there, and nothing is doubled."
            )
            .into();
        }
        problem
    }
}
