//! Metadata of this server as a protected resource (RFC 9728), so that a client which was refused
//! finds out whose tokens are taken: `/.well-known/oauth-protected-resource`, and the same with
//! `/mcp` behind it for the tools. Only where signed tokens are taken.

use actix_web::http::header::HeaderValue;
use actix_web::{HttpRequest, HttpResponse};
use serde_json::json;

use super::jwt::{READ, WRITE};
use crate::domain::put_member;
use crate::http::api::{Api, ApiRequest, ApiResult};
use crate::http::code::Code;
use crate::http::openapi::errors;
use crate::http::problem::Problem;

/// Address of the metadata of the whole server.
pub(in crate::http) const ROOT: &str = "/.well-known/oauth-protected-resource";
/// Address of the metadata of the tools, which clients know as a resource of their own.
pub(in crate::http) const TOOLS: &str = "/.well-known/oauth-protected-resource/mcp";
/// Path of that resource.
const MCP: &str = "/mcp";

/// Metadata for OAuth clients (RFC 9728), where signed tokens are taken.
#[utoipa::path(
    get, path = ROOT, tag = "server",
    responses((status = 200, body = Object), errors::NotFound, errors::BadHeader)
)]
pub(in crate::http) async fn protected_resource(api: ApiRequest) -> ApiResult {
    metadata(&api, "")
}

/// Metadata for OAuth clients (RFC 9728), where signed tokens are taken.
#[utoipa::path(
    get, path = TOOLS, tag = "server",
    responses((status = 200, body = Object), errors::NotFound, errors::BadHeader)
)]
pub(in crate::http) async fn protected_resource_tools(api: ApiRequest) -> ApiResult {
    metadata(&api, MCP)
}

fn metadata(api: &ApiRequest, path: &str) -> ApiResult {
    let Some(jwt) = &api.access.jwt else {
        let detail = "No signed tokens are taken here, so there is no issuer to name.";
        return Err(Problem::new(Code::NotFound, detail));
    };
    let base = base(&api.sent).ok_or_else(|| {
        let detail = "The header Host names no host, so this server can't say where it is.";
        Problem::new(Code::BadHeader, detail)
    })?;
    let mut told = json!({
        "resource": format!("{base}{path}"),
        "resource_name": "candor",
        "bearer_methods_supported": ["header"],
        "scopes_supported": [READ, WRITE],
    });
    // An issuer is an address only where it comes from an authorization server.
    let issuer = jwt
        .issuer()
        .filter(|issuer| issuer.starts_with("https://") || issuer.starts_with("http://"));
    if let Some(issuer) = issuer {
        put_member(&mut told, "authorization_servers", json!([issuer]));
    }
    Ok(HttpResponse::Ok().json(told))
}

/// A challenge with the address of the metadata, where signed tokens are taken.
pub(in crate::http) fn advertised(
    challenge: &HeaderValue,
    request: &HttpRequest,
    api: &Api,
) -> Option<HeaderValue> {
    api.access.jwt.as_ref()?;
    let (challenge, base) = (challenge.to_str().ok()?, base(request)?);
    let path = if request.path() == MCP { TOOLS } else { ROOT };
    HeaderValue::from_str(&format!("{challenge}, resource_metadata=\"{base}{path}\"")).ok()
}

/// Scheme and host that the request was sent to, as its proxy tells; none where the host can't
/// stand in a quoted text.
fn base(request: &HttpRequest) -> Option<String> {
    let connection = request.connection_info();
    let (scheme, host) = (connection.scheme(), connection.host());
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:[]".contains(&byte);
    let plain = !host.is_empty() && host.bytes().all(letter) && matches!(scheme, "http" | "https");
    plain.then(|| format!("{scheme}://{host}"))
}
