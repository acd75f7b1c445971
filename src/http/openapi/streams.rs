//! The addresses that answer with server-sent events.

use utoipa::openapi::{Object, Type};

use super::limits::number;
use super::operation::{Good, Operation, Reach};
use super::paths::{get, operation, post, with};
use crate::chat::schema::words;
use crate::http::code::Code;

/// What their bodies are.
const EVENTS: Good = Good::Media(200, "text/event-stream");

pub(super) fn all() -> Vec<Operation> {
    vec![
        operation(
            post("/api/{user_id}/chat/stream"),
            (
                "chat_stream",
                "One turn as a UI message stream (npm ai, version 6): progress, receipts, the reply.",
            ),
            Reach::Said("StreamRequest"),
            EVENTS,
            &[
                Code::InvalidMessage,
                Code::InvalidTimezone,
                Code::UnknownConversation,
                Code::UnknownQuestion,
                Code::UnknownAnswer,
            ],
        ),
        operation(
            get("/api/{user_id}/chat/{chat}/stream"),
            (
                "chat_resume",
                "The turn that runs, from its beginning, as a UI message stream.",
            ),
            Reach::Read,
            Good::MediaOrNothing(200, "text/event-stream"),
            &[Code::BadId],
        ),
        operation(
            post("/api/{user_id}/chat/{chat}/stop"),
            (
                "chat_stop",
                "The turn that runs waits for no model any more; what it did is still told.",
            ),
            Reach::Change(None),
            Good::Json(200, "Stopping"),
            &[Code::BadId],
        ),
        changes(),
    ]
}

fn changes() -> Operation {
    let id = || number(i64::MIN, Some(i64::MAX));
    with(
        operation(
            get("/api/{user_id}/events"),
            (
                "events",
                "What changes, and what agents do, as server-sent events; Last-Event-ID goes on.",
            ),
            Reach::Read,
            EVENTS,
            &[Code::BadQuery, Code::BadHeader, Code::NotFound],
        ),
        vec![
            (
                "last_event_id",
                false,
                id(),
                "As the header Last-Event-ID, for those that can send none.",
            ),
            ("after", false, id(), "Only those after this number."),
            (
                "view",
                false,
                words(
                    "For editors: what agents do, as the Agent Client Protocol has it.",
                    ["acp"],
                ),
                "How events are written.",
            ),
            (
                "follow",
                false,
                Object::with_type(Type::Boolean),
                "false: from the first, and it ends with the last there is.",
            ),
        ],
    )
}
