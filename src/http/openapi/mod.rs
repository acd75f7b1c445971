//! The API's description of itself (OpenAPI 3.1): `GET /openapi.json` and `candor openapi`.
//!
//! Schemas come from the types that are read and written, limits from `limits`, errors from
//! `Code`, so that what one table says is said everywhere. Which routes there are is written in
//! `paths` once more, and a test walks the router and finds any difference.

mod delegation;
pub(super) mod limits;
mod operation;
mod paths;
mod responses;
mod shapes;
mod streams;
#[cfg(test)]
mod tests;
mod v1;

use utoipa::OpenApi as _;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{
    Info, License, Object, OpenApi, OpenApiBuilder, RefOr, SecurityRequirement, Server, Tag,
};

use crate::audit::EventKind;

/// What kind of event it is.
pub(super) fn kind() -> Object {
    let all = EventKind::ALL.iter().map(|kind| kind.as_str());
    crate::chat::schema::words("What kind of event it is.", all)
}

/// What a server serves, as far as its description depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Served {
    /// Callers need a credential.
    pub closed: bool,
    /// The Todo-Backend contract is there.
    pub todo_backend: bool,
}

/// The description, as JSON.
///
/// # Errors
/// None in practice: it always serialises.
pub fn document(served: Served) -> serde_json::Result<String> {
    serde_json::to_string(&describe(served))
}

fn describe(served: Served) -> OpenApi {
    let mut info = Info::new("candor", env!("CARGO_PKG_VERSION"));
    info.description = Some(env!("CARGO_PKG_DESCRIPTION").to_owned());
    let mut license = License::new(env!("CARGO_PKG_LICENSE"));
    license.identifier = Some(license.name.clone());
    info.license = Some(license);
    let tags = [
        (
            "chat",
            "Turns of conversations: what is said comes from committed receipts.",
        ),
        (
            "tasks",
            "Tasks without words; these writes leave receipts too.",
        ),
        ("audit", "The log, and proofs from it."),
        (
            "delegation",
            "Tasks worked on by agents; there only where a provider is configured.",
        ),
        (
            "todo-backend",
            "Tasks as the Todo-Backend contract has them, where it is served.",
        ),
        (
            "v1",
            "The same chat as a model of OpenAI's API, for clients that know no other.",
        ),
        ("server", "The process itself; open to everybody."),
    ];
    let tags = tags.map(|(name, says)| {
        let mut tag = Tag::new(name);
        tag.description = Some(says.to_owned());
        tag
    });
    let mut api = shapes::Schemas::openapi();
    api.merge(delegation::Schemas::openapi());
    api.merge(v1::Schemas::openapi());
    api.merge(responses::Schemas::openapi());
    if served.todo_backend {
        api.merge(shapes::TodoSchemas::openapi());
    }
    let mut components = api.components.take().unwrap_or_default();
    let needed = if served.closed {
        let mut bearer = Http::new(HttpAuthScheme::Bearer);
        let says = "An API key made by `candor token create`, or a token. It opens the paths of \
                    its own user; the scope read looks, write also changes.";
        bearer.description = Some(says.to_owned());
        components.add_security_scheme("bearer", SecurityScheme::Http(bearer));
        SecurityRequirement::new("bearer", Vec::<String>::new())
    } else {
        // Nothing is asked for, and that is said.
        SecurityRequirement::default()
    };
    let (paths, errors) = paths::all(served);
    let errors = errors.into_iter().map(|(name, one)| (name, RefOr::T(one)));
    components.responses.extend(errors);
    OpenApiBuilder::new()
        .info(info)
        .servers(Some([Server::new("/")]))
        .tags(Some(tags))
        .components(Some(components))
        .paths(paths)
        .security(Some([needed]))
        .build()
}
