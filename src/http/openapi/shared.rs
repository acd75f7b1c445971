//! Parts that operations share, added to what each handler declares: parameters of the path,
//! headers of answers, and the errors of everything that a request passes on its way.

use std::collections::BTreeMap;

use utoipa::openapi::path::{Operation, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::request_body::RequestBody;
use utoipa::openapi::{
    KnownFormat, OpenApi, Ref, RefOr, Required, Response, Schema, SchemaFormat,
    SecurityRequirement, Type,
};

use super::{errors, limits};
use crate::http::code::Code;
use crate::http::{body, stream, transfer, v1};

/// Headers of answers, and what each tells.
const HEADERS: [(&str, &str); 5] = [
    ("Idempotency-Replayed", "true: the answer was given before."),
    ("Location", "Where the new one is."),
    (
        "RateLimit",
        "What is left of the limit, where there is one.",
    ),
    ("RateLimit-Policy", "The limit, where there is one."),
    ("X-Request-Id", "Finds the request in the log."),
];

/// Completes every operation, on a server that is `closed` or open to everybody.
pub(super) fn complete(api: &mut OpenApi, closed: bool) {
    let mut answers = BTreeMap::new();
    for (path, item) in &mut api.paths.paths {
        let reading = [&mut item.get].map(|operation| (operation, true));
        let writing = [&mut item.post, &mut item.patch, &mut item.delete];
        let writing = writing.map(|operation| (operation, false));
        for (operation, reads) in reading.into_iter().chain(writing) {
            if let Some(operation) = operation {
                let route = Route::of(path, reads, closed, operation);
                route.complete(operation, &mut answers);
            }
        }
    }
    let components = api.components.get_or_insert_default();
    components.responses.extend(answers);
    let headers = HEADERS.map(|(name, says)| {
        let header = errors::header(limits::anything(), says);
        (name.to_owned(), header.into())
    });
    components.headers.extend(headers);
}

/// Traits of an operation that its errors follow from.
struct Route<'a> {
    path: &'a str,
    /// Changes nothing.
    reads: bool,
    /// Callers need a credential.
    closed: bool,
    /// Touches nobody's data and is for everybody.
    open: bool,
    /// Takes an idempotency key.
    keyed: bool,
    /// Takes a body of JSON.
    takes_json: bool,
    /// Codes that the handler declares.
    declared: Vec<Code>,
}

impl<'a> Route<'a> {
    fn of(path: &'a str, reads: bool, closed: bool, operation: &Operation) -> Self {
        let declares = |code: &Code| operation.responses.responses.contains_key(code.as_str());
        let parameters = operation.parameters.iter().flatten();
        let body = operation.request_body.as_ref();
        Self {
            path,
            reads,
            closed,
            open: operation.tags.iter().flatten().any(|tag| tag == "server"),
            keyed: parameters.filter_map(inline).any(|one| one.name == KEY),
            takes_json: body.and_then(inline).is_some_and(|body| {
                let mut medias = body.content.keys();
                medias.all(|media| media == "application/json")
            }),
            declared: Code::ALL.into_iter().filter(declares).collect(),
        }
    }

    fn complete(&self, operation: &mut Operation, answers: &mut BTreeMap<String, RefOr<Response>>) {
        // Lines of a comment are one sentence.
        operation.summary = operation.summary.take().map(|says| says.replace('\n', " "));
        let parameters = operation.parameters.get_or_insert_default();
        parameters.iter_mut().for_each(bound);
        parameters.splice(0..0, names(self.path).map(in_path).map(RefOr::T));
        if parameters.is_empty() {
            operation.parameters = None;
        }
        if let Some(RefOr::T(body)) = &mut operation.request_body {
            self.describe(body);
        }
        let responses = &mut operation.responses.responses;
        responses.retain(|status, _| status.parse::<u16>().is_ok());
        for (status, answer) in responses.iter_mut() {
            if let RefOr::T(answer) = answer
                && answer.description.is_empty()
            {
                self.describe_answer(answer, matches!(status.as_str(), "201" | "202"));
            }
        }
        let is_v1 = self.is_v1();
        for (status, codes) in self.errors() {
            let words: Vec<&str> = codes.iter().map(|code| code.as_str()).collect();
            let form = if is_v1 { "v1." } else { "" };
            let name = format!("{form}{status}.{}", words.join("."));
            let reference = Ref::from_response_name(&name);
            let answer = || errors::answer(&codes, is_v1).into();
            answers.entry(name).or_insert_with(answer);
            responses.insert(status.to_string(), reference.into());
        }
        if self.open && self.closed {
            operation.security = Some(vec![SecurityRequirement::default()]);
        }
    }

    fn is_v1(&self) -> bool {
        self.path.starts_with("/v1/")
    }

    /// Takes a turn, which is counted.
    fn takes_turn(&self) -> bool {
        self.declared.contains(&Code::QuotaExceeded)
    }

    fn describe(&self, body: &mut RequestBody) {
        let limit = match self.path {
            "/api/{user_id}/chat/stream" => stream::LIMIT,
            "/api/{user_id}/import" => transfer::LIMIT,
            _ if self.is_v1() => v1::LIMIT,
            _ => body::LIMIT,
        };
        body.description = Some(format!("At most {limit} bytes, within 10 s."));
        if self.path.ends_with("/cancel") {
            body.required = Some(Required::False);
        }
    }

    fn describe_answer(&self, answer: &mut Response, creates: bool) {
        "Done.".clone_into(&mut answer.description);
        let turns = self.takes_turn();
        for (name, _) in HEADERS {
            let there = match name {
                "X-Request-Id" => true,
                "Location" => creates,
                "Idempotency-Replayed" => turns || self.keyed,
                _ => turns,
            };
            if there {
                let header = Ref::new(format!("#/components/headers/{name}"));
                answer.headers.insert(name.to_owned(), RefOr::Ref(header));
            }
        }
    }

    /// Every error, by its status.
    fn errors(&self) -> BTreeMap<u16, Vec<Code>> {
        let (closed, is_v1) = (self.closed, self.is_v1());
        let nobodys = self.open || (is_v1 && self.reads);
        let writes = !self.reads;
        let mut codes = self.declared.clone();
        let mut when = |there: bool, more: &[Code]| {
            if there {
                codes.extend(more);
            }
        };
        // Refused before anything else is looked at.
        when(!closed, &[Code::ForeignHost]);
        when(closed && self.open, &[Code::BadRequest]);
        when(!nobodys, &[Code::Internal, Code::StorageUnavailable]);
        // Only who acts for everybody can leave it out where no path names the user.
        when(!nobodys && (closed || !is_v1), &[Code::BadUserId]);
        when(
            closed && !self.open,
            &[Code::Unauthorized, Code::LoginUnavailable],
        );
        when(closed && !nobodys && !is_v1, &[Code::OtherUser]);
        when(
            writes,
            &[
                Code::ForeignOrigin,
                Code::BodyTimeout,
                Code::BadRequest,
                Code::TooLarge,
                Code::Conflict,
                Code::Unconfirmed,
                Code::ShuttingDown,
            ],
        );
        when(writes && closed, &[Code::MissingScope]);
        when(
            self.keyed,
            &[Code::BadHeader, Code::KeyReused, Code::StillRunning],
        );
        when(
            self.takes_json,
            &[Code::BadJson, Code::WrongMediaType, Code::InvalidBody],
        );
        let mut by_status: BTreeMap<u16, Vec<Code>> = BTreeMap::new();
        for code in Code::ALL.into_iter().filter(|code| codes.contains(code)) {
            let status = if is_v1 {
                v1::status(code)
            } else {
                code.status()
            };
            by_status.entry(status).or_default().push(code);
        }
        by_status
    }
}

/// Header that carries an idempotency key.
const KEY: &str = "Idempotency-Key";

/// Names between the braces of a path.
fn names(path: &str) -> impl Iterator<Item = &str> {
    let parts = path.split('{').skip(1);
    parts.filter_map(|part| part.split('}').next())
}

fn in_path(name: &str) -> Parameter {
    let schema = match name {
        "user_id" => limits::user(),
        "code" | "file" | "tool_call_id" | "model" => limits::anything(),
        "handle" => limits::handle(),
        "agent" => limits::agent(),
        "chat" => limits::chat(),
        _ => limits::uuid(),
    };
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Path)
        .required(Required::True)
        .schema(Some(schema))
        .build()
}

/// Says of a number what its bounds are, and not how wide it is kept.
fn bound(parameter: &mut RefOr<Parameter>) {
    if let RefOr::T(parameter) = parameter
        && let Some(RefOr::T(Schema::Object(schema))) = &mut parameter.schema
        && schema.schema_type == Type::Integer.into()
    {
        let narrow = schema.format == Some(SchemaFormat::KnownFormat(KnownFormat::Int32));
        let most = if narrow { u32::MAX.into() } else { i64::MAX };
        let widest = limits::number(i64::MIN, Some(most));
        schema.minimum = schema.minimum.take().or(widest.minimum);
        schema.maximum = schema.maximum.take().or(widest.maximum);
        schema.format = None;
    }
}

fn inline<T>(one: &RefOr<T>) -> Option<&T> {
    match one {
        RefOr::T(one) => Some(one),
        RefOr::Ref(_) => None,
    }
}
