//! Schemas of what the wire shows of the layers below, which know nothing of OpenAPI: their words
//! come from their own lists.

use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, SchemaFormat, SchemaType, Type};
use utoipa::openapi::{KnownFormat, Object};

use crate::domain::{Action, Lang, Priority, ReminderState, RunState, Verification};
use crate::guard::Kind;

/// One of some words.
pub fn words<'a>(description: &str, words: impl IntoIterator<Item = &'a str>) -> Object {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some(description))
        .enum_values(Some(words))
        .build()
}

fn text(format: Option<KnownFormat>) -> Object {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .format(format.map(SchemaFormat::KnownFormat))
        .build()
}

/// Describes the kind of a reply.
pub fn kind() -> Object {
    let all = [Kind::Question, Kind::Failure, Kind::Receipt, Kind::Chat];
    let says = "The first of these that the reply contains.";
    words(says, all.map(Kind::as_str))
}

/// Describes the action that a receipt attests.
pub fn action() -> Object {
    words("What happened.", Action::ALL.map(Action::as_str))
}

/// Describes the state of a reminder.
pub fn reminder_state() -> Object {
    let says = "What became of it.";
    words(says, ReminderState::ALL.map(ReminderState::as_str))
}

/// Describes the state of a run.
pub fn run_state() -> Object {
    let says = "Where it stood once this was committed.";
    words(says, RunState::ALL.map(RunState::as_str))
}

/// Describes how a report stands against the calls it cites.
pub fn verification() -> Object {
    let says = "How its report stood, when there was one.";
    let words = words(says, Verification::ALL.map(Verification::as_str));
    ObjectBuilder::from(words)
        .schema_type(SchemaType::from_iter([Type::String, Type::Null]))
        .build()
}

/// A task's priority.
pub fn priority() -> Object {
    words("How much it matters.", Priority::ALL.map(Priority::as_str))
}

/// Describes a hint at the language of the reply.
pub fn language_hint() -> Object {
    let codes = Lang::ALL.map(|lang| format!("`{}`", lang.code()));
    let says = format!(
        "Language of the reply: one of {}, also as `pt-BR`; an unknown one is none, and the words tell it.",
        codes.join(", ")
    );
    ObjectBuilder::new()
        .schema_type(SchemaType::from_iter([Type::String, Type::Null]))
        .description(Some(says))
        .examples([Lang::En.code()])
        .build()
}

/// A task's status.
pub fn status() -> Object {
    words("Whether it is done.", ["pending", "completed"])
}

/// Lines of a conversation.
pub fn messages() -> utoipa::openapi::schema::Array {
    let role = words("Who said it.", ["user", "assistant"]);
    let message = ObjectBuilder::new()
        .property("id", text(Some(KnownFormat::Uuid)))
        .property("role", role)
        .property("content", text(None))
        .property("created_at", text(Some(KnownFormat::DateTime)));
    let required = ["id", "role", "content", "created_at"];
    let message = required.into_iter().fold(message, ObjectBuilder::required);
    ArrayBuilder::new()
        .items(message.build())
        .description(Some("Lines of the conversation, the oldest first."))
        .build()
}
