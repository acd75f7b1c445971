//! Errors of operations: the sets that handlers declare, and how an answer describes one.

use std::collections::BTreeMap;

use utoipa::IntoResponses;
use utoipa::openapi::schema::{AllOfBuilder, ObjectBuilder};
use utoipa::openapi::{Content, Header, Object, Ref, RefOr, Response, ResponseBuilder, Schema};

use super::limits;
use crate::chat::schema::words;
use crate::http::code::Code;
use crate::http::problem::MEDIA_TYPE;
use crate::http::v1;

/// Declares sets of codes as types that `responses(…)` of a handler can name. A code stands under
/// its own word: statuses are given to them where all codes of an operation are known.
macro_rules! sets {
    ($($name:ident: $($code:ident),+;)+) => {$(
        pub(in crate::http) enum $name {}

        impl IntoResponses for $name {
            fn responses() -> BTreeMap<String, RefOr<Response>> {
                let words = [$(Code::$code),+].map(|code| code.as_str().to_owned());
                words.map(|word| (word, Response::default().into())).into()
            }
        }
    )+};
}

sets! {
    Answer: UnknownAnswer, KeyReused, StillRunning;
    AuditTurn: BadId, UnknownTurn;
    BadHeader: BadHeader;
    BadId: BadId;
    BadQuery: BadQuery;
    Conversation: UnknownConversation;
    Delegation: NotFound, UnknownDelegation;
    InvalidMessage: InvalidMessage;
    InvalidTask: InvalidTask;
    Message: InvalidMessage, UnknownConversation;
    Model: UnknownModel;
    NotFound: NotFound;
    NotReady: StorageUnavailable, ShuttingDown, Internal;
    Question: UnknownQuestion;
    Receipt: BadId, UnknownReceipt;
    Run: InvalidDelegation, NotPermitted, ProviderUnavailable, Conflict;
    Task: BadId, UnknownTask;
    Timezone: InvalidTimezone;
    Turn: QuotaExceeded, ModelUnavailable;
    Unreadable: WrongMediaType, InvalidBody;
}

/// Word of a code on the wire.
fn word(code: Code, is_v1: bool) -> &'static str {
    if is_v1 { v1::word(code) } else { code.as_str() }
}

/// Answer to errors of one status: the words of each, and a schema that lists their codes.
pub(super) fn answer(codes: &[Code], is_v1: bool) -> Response {
    let says = codes.iter().map(|code| {
        let title = code.title();
        format!("`{}`: {title}.", word(*code, is_v1))
    });
    let says: Vec<String> = says.collect();
    let listed = codes.iter().map(|code| word(*code, is_v1));
    let code = ObjectBuilder::new().property("code", words("The kind of error.", listed));
    let (media_type, whole, part) = if is_v1 {
        let error = ObjectBuilder::new().property("error", code.build());
        ("application/json", "CompletionError", error)
    } else {
        (MEDIA_TYPE, "Problem", code)
    };
    let schema = AllOfBuilder::new()
        .item(Ref::from_schema_name(whole))
        .item(part.build());
    let mut answer = ResponseBuilder::new().description(says.join(" ")).content(
        media_type,
        Content::new(Some(Schema::AllOf(schema.build()))),
    );
    if codes.contains(&Code::MissingScope) || codes.contains(&Code::Unauthorized) {
        let says = "What a credential must be (RFC 6750).";
        answer = answer.header("WWW-Authenticate", header(limits::anything(), says));
    }
    if codes.iter().any(|code| matches!(code.status(), 429 | 503)) {
        let says = "Seconds until it is worth another try.";
        answer = answer.header("Retry-After", header(limits::number(0, None), says));
    }
    answer.build()
}

/// Header of an answer.
pub(super) fn header(schema: Object, says: &str) -> Header {
    let mut header = Header::new(schema);
    header.description = Some(says.to_owned());
    header
}
