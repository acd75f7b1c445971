//! Limits of a value, as a schema can say them: lengths, alphabets and words.
//!
//! Describes the rules; `task_body`, `path` and `domain` hold them. `tests/openapi.rs` tries both
//! sides of each.

use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaFormat, SchemaType, Type};
use utoipa::openapi::{KnownFormat, Object, RefOr};
use utoipa::{PartialSchema, ToSchema};

use super::super::task_body::REMIND_MAX;
use crate::audit::EventKind;
use crate::chat::schema::{self, words};
use crate::domain::{DESCRIPTION_MAX, RunState};
use crate::formats::{DayOrder, Format, LAYOUTS};

/// Declares types of parameters by the functions that make their schemas.
macro_rules! parameters {
    ($($name:ident: $schema:expr;)+) => {$(
        pub(in crate::http) enum $name {}

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                RefOr::T($schema.into())
            }
        }

        impl ToSchema for $name {}
    )+};
}

parameters! {
    Agent: agent();
    Cursor: cursor();
    DateOrder: words("The order of a date of numbers.", DayOrder::ALL.map(DayOrder::as_str));
    DryRun: words("Whether nothing shall be written.", ["true", "false"]);
    EventView: words("For editors: what agents do, as the Agent Client Protocol has it.", ["acp"]);
    FileFormat: words("The format of the file.", Format::ALL.map(Format::as_str));
    FileLayout: words("The layout of the file.", LAYOUTS.map(|layout| layout.name));
    Kind: kind();
    OnlyState: words("Only these.", RunState::ALL.map(RunState::as_str));
    Run: run();
    Status: schema::status();
}

/// White space that is trimmed, in an ECMA-262 character class.
const SPACE: &str = r"\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000";
/// Neither that nor a control character, the same.
const SOLID: &str =
    r"[^\u0000-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]";

/// A string of which a regular expression is asked; null too, when it clears the field.
fn text(pattern: impl Into<String>, nullable: bool) -> ObjectBuilder {
    let kind = if nullable {
        words_or_null()
    } else {
        ObjectBuilder::new().schema_type(Type::String)
    };
    kind.pattern(Some(pattern.into()))
}

/// A string, or null where nothing is said.
fn words_or_null() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(SchemaType::from_iter([Type::String, Type::Null]))
}

/// 1 to 255 characters after trimming; those within are not among `forbidden`.
fn line(forbidden: &str) -> String {
    format!("^[{SPACE}]*{SOLID}([^{forbidden}]{{0,253}}{SOLID})?[{SPACE}]*$")
}

pub(in crate::http) fn title() -> Object {
    text(line(r"\u0000-\u001f\u007f-\u009f\u2028\u2029"), false)
        .description(Some("1 to 255 characters after trimming, on one line."))
        .build()
}

pub(in crate::http) fn assignee() -> Object {
    text(line(r"\u0000-\u001f\u007f-\u009f"), true)
        .description(Some(
            "Who works on it: 1 to 255 characters after trimming, on one line; null: nobody.",
        ))
        .build()
}

pub(in crate::http) fn description() -> Object {
    let pattern = r"^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]*$";
    text(pattern, true)
        .max_length(Some(DESCRIPTION_MAX))
        .description(Some("A note; an empty one, or null, is none."))
        .build()
}

pub(in crate::http) fn due_date() -> Object {
    let time = r"[Tt ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?([Zz]|[+-]\d{2}:\d{2})?";
    text(format!(r"^\d{{4}}-\d{{2}}-\d{{2}}({time})?$"), true)
        .examples([serde_json::json!("2026-12-01")])
        .description(Some(
            "A day, or a timestamp (RFC 3339) whose day in the request's zone is meant; within the \
             due-date rule of the server, and never a past one; null: none.",
        ))
        .build()
}

pub(in crate::http) fn due_time() -> Object {
    text("^([01][0-9]|2[0-3]):[0-5][0-9]$", true)
        .examples([serde_json::json!("17:00")])
        .description(Some(
            "A time of the due day in 24 hours, in the request's zone; it needs a due date, stays \
             when that moves and goes with it; null: none.",
        ))
        .build()
}

pub(in crate::http) fn repeat() -> Object {
    text("^(RRULE:)?[A-Za-z0-9=;,-]+$", true)
        .examples([serde_json::json!("FREQ=WEEKLY;BYDAY=MO")])
        .description(Some(
            "RRULE of RFC 5545 without DTSTART: FREQ from DAILY to YEARLY, INTERVAL up to 366, BYMONTH, \
             BYMONTHDAY, BYDAY, COUNT or UNTIL. Completing the task moves it to the next occurrence. \
             It goes with the due date; null: none.",
        ))
        .build()
}

pub(in crate::http) fn remind() -> Object {
    words_or_null()
        .max_length(Some(REMIND_MAX))
        .examples([serde_json::json!("2026-12-01T17:00")])
        .description(Some(
            "A time to be reminded at, not past and within three years: a day with a time in the \
             request's zone, a timestamp (RFC 3339), or words such as \"in 90 seconds\" and \"friday \
             at 5pm\"; null: none.",
        ))
        .build()
}

pub(in crate::http) fn timezone() -> Object {
    words_or_null()
        .examples([serde_json::json!("Asia/Karachi")])
        .description(Some(
            "The IANA zone of \"today\", of due_time and remind, and in which a timestamp's day is read; the \
             server's when nothing is said.",
        ))
        .build()
}

fn word(words: &[&str], nullable: bool, says: &str) -> Object {
    let pattern = format!("^({})$", words.join("|"));
    text(pattern, nullable).description(Some(says)).build()
}

/// A task's priority; null too where it may be left to the server.
pub(in crate::http) fn priority<const NULLABLE: bool>() -> Object {
    let says = match NULLABLE {
        true => "How much it matters; medium when nothing is said.",
        false => "How much it matters.",
    };
    word(&["low", "medium", "high"], NULLABLE, says)
}

/// A task's status; null too where it may be left to the server.
pub(in crate::http) fn status<const NULLABLE: bool>() -> Object {
    let says = "Whether it is done; must agree with is_completed.";
    word(&["pending", "completed"], NULLABLE, says)
}

/// The kind of an event of the log.
pub(super) fn kind() -> Object {
    let all = EventKind::ALL.iter().map(|kind| kind.as_str());
    words("What kind of event it is.", all)
}

/// A user, as `domain::UserId` has it.
pub(super) fn user() -> Object {
    text(r"^[A-Za-z0-9._@:|+\-]{1,128}$", false).build()
}

/// A structured string, or the same without its quotes.
pub(in crate::http) fn idempotency_key() -> Object {
    let bare = r"[!#-+\--\[\]-~]{1,255}";
    let quoted = r#""([ !#-\[\]-~]|\\["\\]){1,255}""#;
    text(format!("^({bare}|{quoted})$"), false).build()
}

/// Describes the place at which a page of tasks ended.
pub(super) fn cursor() -> Object {
    let uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
    text(format!(r"^-?\d{{1,16}}\.{uuid}$"), false).build()
}

/// A whole number.
pub(super) fn number(least: i64, most: Option<i64>) -> Object {
    ObjectBuilder::new()
        .schema_type(Type::Integer)
        .minimum(Some(least))
        .maximum(most)
        .build()
}

/// A time, in milliseconds.
pub(in crate::http) fn milliseconds() -> Object {
    number(0, None)
}

/// An id.
pub(super) fn uuid() -> Object {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Uuid)))
        .build()
}

/// The handle of an agent's session.
pub(super) fn agent() -> Object {
    text("^agent-[a-z0-9]{6,12}$", false).build()
}

/// The handle of either.
pub(super) fn handle() -> Object {
    let pattern = "^(run-[1-9][0-9]{0,8}|agent-[a-z0-9]{6,12})$";
    text(pattern, false).build()
}

/// A run.
pub(super) fn run() -> Object {
    text("^run-[1-9][0-9]{0,8}$", false).build()
}

/// Describes a client's own name of its chat.
pub(super) fn chat() -> Object {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .min_length(Some(1))
        .max_length(Some(255))
        .build()
}

/// Any text at all.
pub(super) fn anything() -> Object {
    Object::with_type(Type::String)
}
