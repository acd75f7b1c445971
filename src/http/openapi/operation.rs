//! One operation: what it takes, what it answers, and every error that it can answer. Errors that
//! many answer alike are described once, in the components.

use std::collections::BTreeMap;

use utoipa::openapi::path::{
    HttpMethod, OperationBuilder, ParameterBuilder, ParameterIn, PathItem, Paths, PathsBuilder,
};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{AllOfBuilder, ArrayBuilder, ObjectBuilder};
use utoipa::openapi::{
    Content, Header, Object, Ref, RefOr, Required, Response, ResponseBuilder, Schema,
    SecurityRequirement,
};

use super::{limits, v1};
use crate::http::code::Code;
use crate::http::problem::MEDIA_TYPE;
use crate::http::{body, stream, transfer};

/// What an operation does with a user's data, which decides what it asks of its caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// Touches nobody's.
    Open,
    /// Looks.
    Read,
    /// Changes; a body of this schema says what, if there is one.
    Write(Option<&'static str>),
    /// Changes, under no idempotency key.
    Change(Option<&'static str>),
    /// Takes a turn, which is counted.
    Turn(Option<&'static str>),
    /// The same, where the body says under which key.
    Said(&'static str),
    /// Touches nobody's, and is not for everybody.
    Known,
    /// Takes a turn of the caller, whom no path names.
    Own(&'static str),
}

/// An answer that is no error.
#[derive(Debug, Clone, Copy)]
pub(super) enum Good {
    /// JSON of a named schema.
    Json(u16, &'static str),
    /// An array of a named schema, or another one.
    ArrayOr(u16, &'static str, &'static str),
    /// Another media type.
    Media(u16, &'static str),
    /// Another media type, or 204 when there is nothing.
    MediaOrNothing(u16, &'static str),
    /// Tasks, as a file of one of these media types.
    Tasks(u16, &'static [&'static str]),
    /// No body.
    Empty(u16),
    /// JSON of a named schema, or the same in pieces.
    Pieces(u16, &'static str),
}

/// One operation.
pub(super) struct Operation {
    pub(super) method: HttpMethod,
    pub(super) path: &'static str,
    pub(super) id: &'static str,
    pub(super) summary: &'static str,
    pub(super) reach: Reach,
    /// Parameters of the query: name, whether it must be there, values, words.
    pub(super) query: Vec<(&'static str, bool, Object, &'static str)>,
    pub(super) good: Good,
    /// Media types of a file that is sent as the body.
    pub(super) file: &'static [&'static str],
    /// Whether the body may be left out.
    pub(super) body_optional: bool,
    /// Errors of its own, beside those of its reach.
    pub(super) codes: &'static [Code],
}

/// Error answers by their names.
pub(super) type Errors = BTreeMap<String, Response>;

/// All of them, and the errors that they answer; `closed` where callers need a credential.
pub(super) fn paths(operations: Vec<Operation>, closed: bool) -> (Paths, Errors) {
    let mut errors = Errors::new();
    let paths = operations
        .into_iter()
        .fold(PathsBuilder::new(), |paths, one| {
            let (method, path) = (one.method.clone(), one.path);
            paths.path(path, PathItem::new(method, one.build(closed, &mut errors)))
        });
    (paths.build(), errors)
}

impl Operation {
    fn build(self, closed: bool, errors: &mut Errors) -> utoipa::openapi::path::Operation {
        let mut built = OperationBuilder::new()
            .operation_id(Some(self.id))
            .summary(Some(self.summary))
            .tag(self.tag());
        for name in names(self.path) {
            let schema = match name {
                "user_id" => limits::user(),
                "code" | "file" | "tool_call_id" | "model" => limits::anything(),
                "handle" => limits::handle(),
                "agent" => limits::agent(),
                "chat" => limits::chat(),
                _ => limits::uuid(),
            };
            built = built.parameter(parameter(name, ParameterIn::Path, true, schema, ""));
        }
        for (name, needed, schema, says) in &self.query {
            let schema = schema.clone();
            built = built.parameter(parameter(name, ParameterIn::Query, *needed, schema, says));
        }
        if self.keyed() {
            let says = "Makes it safe to send the request again: the same answer, one effect.";
            let schema = limits::idempotency_key();
            let key = parameter("Idempotency-Key", ParameterIn::Header, false, schema, says);
            built = built.parameter(key);
        }
        if let Some(schema) = self.body() {
            let body = RequestBodyBuilder::new()
                .content("application/json", named(schema))
                .required(Some(if self.body_optional {
                    Required::False
                } else {
                    Required::True
                }))
                .description(Some(format!(
                    "At most {} bytes, within 10 s.",
                    self.limit()
                )));
            built = built.request_body(Some(body.build()));
        }
        if !self.file.is_empty() {
            let says = format!("At most {} bytes, within 10 s.", transfer::LIMIT);
            let body = RequestBodyBuilder::new()
                .required(Some(Required::True))
                .description(Some(says));
            let body = self.file.iter().fold(body, |body, media| {
                let schema = match *media {
                    "application/json" => {
                        Schema::Array(ArrayBuilder::new().items(limits::pieces()).build())
                    }
                    _ => Schema::Object(limits::anything()),
                };
                body.content(*media, Content::new(Some(schema)))
            });
            built = built.request_body(Some(body.build()));
        }
        built = built.response(self.good.status().to_string(), self.answer());
        if matches!(self.good, Good::MediaOrNothing(..)) {
            let nothing = ResponseBuilder::new().description("Nothing.");
            built = built.response("204", nothing.build());
        }
        for (status, codes) in self.errors(closed) {
            let (answer, form): (fn(&[Code]) -> Response, &str) = if self.is_v1() {
                (v1::error, "v1.")
            } else {
                (error, "")
            };
            let words: Vec<&str> = codes.iter().map(|code| code.as_str()).collect();
            let name = format!("{form}{status}.{}", words.join("."));
            let reference = Ref::from_response_name(name.as_str());
            errors.entry(name).or_insert_with(|| answer(&codes));
            built = built.response(status.to_string(), reference);
        }
        if self.reach == Reach::Open && closed {
            built = built.security(SecurityRequirement::default());
        }
        built.build()
    }

    fn tag(&self) -> &'static str {
        if self.path.starts_with("/todo-backend/") {
            return "todo-backend";
        }
        if self.is_v1() {
            return "v1";
        }
        match self.path.split('/').nth(3) {
            Some("chat" | "receipts") => "chat",
            Some("tasks" | "export" | "import" | "events") => "tasks",
            Some("audit") => "audit",
            Some("delegations" | "sessions" | "agents" | "tool-calls" | "metrics" | "admin") => {
                "delegation"
            }
            _ => "server",
        }
    }

    const fn body(&self) -> Option<&'static str> {
        match self.reach {
            Reach::Write(body) | Reach::Change(body) | Reach::Turn(body) => body,
            Reach::Said(body) | Reach::Own(body) => Some(body),
            Reach::Open | Reach::Read | Reach::Known => None,
        }
    }

    /// Whether it has the form of OpenAI's API.
    fn is_v1(&self) -> bool {
        self.path.starts_with("/v1/")
    }

    /// How large a body of JSON may be.
    const fn limit(&self) -> usize {
        match self.reach {
            Reach::Said(_) => stream::LIMIT,
            Reach::Own(_) => crate::http::v1::LIMIT,
            _ => body::LIMIT,
        }
    }

    const fn changes(&self) -> bool {
        matches!(self.reach, Reach::Change(_) | Reach::Said(_)) || self.keyed()
    }

    const fn keyed(&self) -> bool {
        matches!(self.reach, Reach::Write(_) | Reach::Turn(_) | Reach::Own(_))
    }

    /// Every error, by its status.
    fn errors(&self, closed: bool) -> BTreeMap<u16, Vec<Code>> {
        let mut codes = self.codes.to_vec();
        // What is refused before anything else is looked at.
        match (closed, self.reach) {
            (false, _) => codes.push(Code::ForeignHost),
            (true, Reach::Open) => codes.push(Code::BadRequest),
            (true, _) => {}
        }
        let nobodys = matches!(self.reach, Reach::Open | Reach::Known);
        if !nobodys {
            codes.extend([Code::Internal, Code::StorageUnavailable]);
            // Only who acts for everybody can leave it out where no path names the user.
            if closed || !self.is_v1() {
                codes.push(Code::BadUserId);
            }
        }
        if closed && self.reach != Reach::Open {
            codes.extend([Code::Unauthorized, Code::LoginUnavailable]);
            if !nobodys && !self.is_v1() {
                codes.push(Code::OtherUser);
            }
        }
        if self.changes() {
            codes.extend([Code::ForeignOrigin, Code::BodyTimeout, Code::BadRequest]);
            codes.extend([Code::TooLarge, Code::Conflict]);
            codes.extend([Code::Unconfirmed, Code::ShuttingDown]);
            if self.keyed() {
                codes.extend([Code::BadHeader, Code::KeyReused, Code::StillRunning]);
            }
            if closed {
                codes.push(Code::MissingScope);
            }
        }
        if self.keyed() {
            codes.extend([Code::BadHeader, Code::KeyReused, Code::StillRunning]);
        }
        if self.body().is_some() {
            codes.extend([Code::BadJson, Code::WrongMediaType, Code::InvalidBody]);
        }
        if matches!(self.reach, Reach::Said(_)) {
            codes.extend([Code::KeyReused, Code::StillRunning]);
        }
        if matches!(self.reach, Reach::Turn(_) | Reach::Said(_) | Reach::Own(_)) {
            codes.extend([Code::QuotaExceeded, Code::ModelUnavailable]);
        }
        let mut by_status: BTreeMap<u16, Vec<Code>> = BTreeMap::new();
        for code in Code::ALL.into_iter().filter(|code| codes.contains(code)) {
            let status = if self.is_v1() {
                crate::http::v1::status(code)
            } else {
                code.status()
            };
            by_status.entry(status).or_default().push(code);
        }
        by_status
    }

    fn answer(&self) -> Response {
        let text = |says: &'static str| (says, Object::with_type(utoipa::openapi::Type::String));
        let mut answer = ResponseBuilder::new().description("Done.");
        let mut headers = vec![("X-Request-Id", text("Finds the request in the log."))];
        match self.reach {
            Reach::Turn(_) | Reach::Own(_) | Reach::Said(_) => headers.extend([
                (
                    "RateLimit",
                    text("What is left of the limit, where there is one."),
                ),
                ("RateLimit-Policy", text("The limit, where there is one.")),
                (
                    "Idempotency-Replayed",
                    text("true: the answer was given before."),
                ),
            ]),
            Reach::Write(_) => {
                headers.push((
                    "Idempotency-Replayed",
                    text("true: the answer was given before."),
                ));
            }
            Reach::Open | Reach::Read | Reach::Known | Reach::Change(_) => {}
        }
        if matches!(self.reach, Reach::Turn(_)) {
            headers.push((
                "Server-Timing",
                text("Milliseconds: in all, and of them for the model."),
            ));
        }
        if matches!(self.good.status(), 201 | 202) {
            headers.push(("Location", text("Where the new one is.")));
        }
        for (name, (says, schema)) in headers {
            let mut header = Header::new(schema);
            header.description = Some(says.to_owned());
            answer = answer.header(name, header);
        }
        match self.good {
            Good::Json(_, schema) => answer.content("application/json", named(schema)),
            Good::ArrayOr(_, item, other) => {
                let array = ArrayBuilder::new().items(Ref::from_schema_name(item));
                let either = utoipa::openapi::schema::OneOfBuilder::new()
                    .item(Schema::Array(array.build()))
                    .item(Ref::from_schema_name(other));
                answer.content(
                    "application/json",
                    Content::new(Some(Schema::OneOf(either.build()))),
                )
            }
            Good::Tasks(_, medias) => medias.iter().fold(answer, |answer, media| {
                let tasks = ArrayBuilder::new().items(Ref::from_schema_name("TaskView"));
                let schema = match *media {
                    "application/json" => Schema::Array(tasks.build()),
                    _ => Schema::Object(limits::anything()),
                };
                answer.content(*media, Content::new(Some(schema)))
            }),
            Good::Media(_, media @ "application/json") => {
                answer.content(media, Content::new(Some(Object::new())))
            }
            Good::Media(_, media @ "text/event-stream") | Good::MediaOrNothing(_, media) => {
                answer.content(media, Content::new(Some(limits::pieces())))
            }
            Good::Media(_, media) => answer.content(media, Content::new(Some(limits::anything()))),
            Good::Pieces(_, schema) => answer
                .content("application/json", named(schema))
                .content("text/event-stream", Content::new(Some(limits::pieces()))),
            Good::Empty(_) => answer,
        }
        .build()
    }
}

impl Good {
    const fn status(self) -> u16 {
        match self {
            Self::Json(status, _)
            | Self::ArrayOr(status, _, _)
            | Self::Media(status, _)
            | Self::MediaOrNothing(status, _)
            | Self::Tasks(status, _)
            | Self::Pieces(status, _)
            | Self::Empty(status) => status,
        }
    }
}

/// The names between braces.
fn names(path: &'static str) -> impl Iterator<Item = &'static str> {
    let parts = path.split('{').skip(1);
    parts.filter_map(|part| part.split(['}', ':']).next())
}

fn parameter(
    name: &str,
    place: ParameterIn,
    needed: bool,
    schema: Object,
    says: &str,
) -> utoipa::openapi::path::Parameter {
    let required = if needed {
        Required::True
    } else {
        Required::False
    };
    ParameterBuilder::new()
        .name(name)
        .parameter_in(place)
        .required(required)
        .schema(Some(schema))
        .description((!says.is_empty()).then_some(says))
        .build()
}

fn named(schema: &str) -> Content {
    Content::new(Some(Ref::from_schema_name(schema)))
}

/// Errors of one status: the words of each, and a schema that lists their codes.
fn error(codes: &[Code]) -> Response {
    let words = codes.iter().map(|code| {
        let title = code.title();
        format!("`{}`: {title}.", code.as_str())
    });
    let words: Vec<String> = words.collect();
    let listed =
        crate::chat::schema::words("The kind of error.", codes.iter().map(|code| code.as_str()));
    let ours = ObjectBuilder::new().property("code", listed).build();
    let schema = AllOfBuilder::new()
        .item(Ref::from_schema_name("Problem"))
        .item(ours)
        .build();
    let schema: RefOr<Schema> = Schema::AllOf(schema).into();
    let answer = ResponseBuilder::new()
        .description(words.join(" "))
        .content(MEDIA_TYPE, Content::new(Some(schema)));
    told(answer, codes).build()
}

/// The headers of an error.
pub(super) fn told(mut answer: ResponseBuilder, codes: &[Code]) -> ResponseBuilder {
    let text = |says: &str| {
        let mut header = Header::new(limits::anything());
        header.description = Some(says.to_owned());
        header
    };
    let scoped = codes.contains(&Code::MissingScope);
    if scoped || codes.contains(&Code::Unauthorized) {
        answer = answer.header(
            "WWW-Authenticate",
            text("What a credential must be (RFC 6750)."),
        );
    }
    if codes.iter().any(|code| matches!(code.status(), 429 | 503)) {
        let mut header = Header::new(limits::number(0, None));
        header.description = Some("Seconds until it is worth another try.".to_owned());
        answer = answer.header("Retry-After", header);
    }
    answer
}
