//! `/mcp`: who may speak to the tools over HTTP. What is spoken is the SDK's.
//!
//! Host names, the methods of pages, credentials and the headers of every answer are the edge's of
//! the whole server. Added here: a page of another origin may not even look, since looking opens a
//! stream; a session is its opener's; a body is bounded in size and time.

use std::sync::Arc;

use actix_web::body::MessageBody;
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use actix_web::middleware::{Next, from_fn};
use actix_web::{Error, HttpMessage, HttpRequest, HttpResponse, web};
use rmcp::model::Extensions;
use rmcp_actix_web::transport::StreamableHttpService;
use serde::Deserialize;

use super::server::{McpServer, McpTools};
use super::sessions::McpSessions;
use crate::domain::UserId;
use crate::http::{self, Api, Beside, Client, Code, Problem};

/// Path of the endpoint.
const PATH: &str = "/mcp";

/// The header that names a session.
const SESSION: &str = "mcp-session-id";

/// The largest body, in bytes; a larger one is refused before it gets here.
const BODY: usize = 64 * 1024;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct McpQuery {
    user: Option<String>,
}

/// The tools, as an edge beside the server's own routes.
pub fn beside(tools: McpTools) -> Beside {
    let sessions = McpSessions::new();
    Arc::new(move |config: &mut web::ServiceConfig| {
        let tools = tools.clone();
        let service = StreamableHttpService::builder()
            .service_factory(Arc::new(move || Ok(McpServer::remote(tools.clone()))))
            .session_manager(sessions.manager())
            // Names of hosts are checked for the whole server: where there are credentials a name
            // proves nothing, and where there are none only this machine's do.
            .allowed_hosts(Vec::new())
            .max_request_body_bytes(BODY)
            .json_response(true)
            .on_request_fn(introduce)
            .build();
        let sessions = sessions.clone();
        let gate = from_fn(move |request, next| gate(sessions.clone(), request, next));
        config.service(service.scope_with_path(PATH).wrap(gate));
    })
}

/// Tells the tools who calls.
fn introduce(request: &HttpRequest, known: &mut Extensions) {
    if let Some(client) = request.extensions().get::<Client>() {
        known.insert(client.clone());
    }
}

async fn gate(
    sessions: McpSessions,
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let client = match admitted(request.request()) {
        Ok(client) => client,
        Err(problem) => return Ok(request.error_response(problem).map_into_right_body()),
    };
    let session = request.headers().get(SESSION);
    let session = session.and_then(|id| id.to_str().ok());
    if session.is_some_and(|id| !sessions.may_use(id, &client)) {
        let response = HttpResponse::build(StatusCode::NOT_FOUND)
            .content_type("text/plain; charset=utf-8")
            .body("Not Found: Session not found");
        return Ok(request.into_response(response).map_into_right_body());
    }
    let payload = request.extract::<web::Payload>().await?;
    match http::whole(payload).await {
        Ok(body) => request.set_payload(Payload::from(body)),
        Err(problem) => return Ok(request.error_response(problem).map_into_right_body()),
    }
    request.extensions_mut().insert(client.clone());
    let mut response = next.call(request).await?;
    if response.status().is_client_error() || response.status().is_server_error() {
        say_that_it_is_text(response.headers_mut());
    }
    let opened = response.headers().get(SESSION).cloned();
    if let Some(id) = opened.as_ref().and_then(|id| id.to_str().ok()) {
        sessions.opened(id, &client).await;
    }
    Ok(response.map_into_left_body())
}

/// The SDK's refusals are lines of text that do not say so.
fn say_that_it_is_text(headers: &mut HeaderMap) {
    if headers
        .get(CONTENT_TYPE)
        .is_some_and(|media| media == "application/octet-stream")
    {
        let text = HeaderValue::from_static("text/plain; charset=utf-8");
        headers.insert(CONTENT_TYPE, text);
    }
}

fn admitted(request: &HttpRequest) -> Result<Client, Problem> {
    http::from_own_page(request.headers(), Api::of(request)?)?;
    let query: McpQuery = http::query(request)?;
    let named = query.user.as_deref().map(UserId::parse).transpose();
    let named = named.map_err(|fault| {
        let detail = format!("user in the query can't be one: {fault}.");
        Problem::new(Code::BadQuery, detail)
    })?;
    Client::of(request, named)
}
