//! The web page and its files, compiled in: no other host is asked, neither by this server nor by
//! the browser. A debug build reads them from the source folder, so that an edit shows at once.

use std::borrow::Cow;

use actix_web::HttpResponse;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH,
};
use chrono::NaiveDate;
use rust_embed::Embed;
use serde::Serialize;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use super::api::{ApiRequest, ApiResult};
use super::code::Code;
use super::openapi::errors;
use super::problem::Problem;
use crate::domain::{Lang, UserId};
use crate::locales::page_words;
use crate::store::KeyScope;

/// Only this server's own files, and no text that becomes markup or a script: a title can't, whatever
/// it holds, and neither can a slip in a script of ours.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                      img-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

#[derive(Embed)]
#[folder = "src/http/page/"]
struct PageFiles;

/// Description of a server.
#[derive(Serialize, ToSchema)]
#[schema(as = About)]
struct ServerInfo {
    /// `candor`.
    name: &'static str,
    /// The version of the program.
    version: &'static str,
    /// Callers need a credential.
    closed: bool,
    /// A provider is configured: tasks can be handed to agents.
    agents: bool,
    /// The day it is for everybody; null where the clock says it.
    #[schema(required = true)]
    today: Option<NaiveDate>,
    /// Owner of the credential; null where none was sent, none is needed, or it does not hold.
    #[schema(required = true)]
    caller: Option<CallerInfo>,
}

/// Caller, as the credential says.
#[derive(Serialize, ToSchema)]
#[schema(as = Caller)]
struct CallerInfo {
    /// The user; null for a credential that acts for everybody.
    #[schema(value_type = Option<String>, required = true)]
    user: Option<UserId>,
    /// `read`, `write` or `admin`.
    #[schema(value_type = String)]
    scope: KeyScope,
}

/// A web page to talk on.
#[utoipa::path(
    get, path = "/", tag = "server",
    responses((status = 200, body = String, content_type = "text/html; charset=utf-8"))
)]
pub async fn page(api: ApiRequest) -> ApiResult {
    answer(&api, "index.html")
}

/// `GET /page/{file}`: what the page is made of.
///
/// # Errors
/// 404 for a file there is not.
pub async fn file(api: ApiRequest) -> ApiResult {
    answer(&api, api.part("file"))
}

/// Version of the program, whether callers need a credential, whether there are agents, the day
/// that is pinned, and the owner of the credential that was sent, if one was.
#[utoipa::path(get, path = "/about", tag = "server", responses((status = 200, body = ServerInfo)))]
pub async fn about(api: ApiRequest) -> HttpResponse {
    let caller = api.access.known(api.sent.headers(), api.store()).await;
    HttpResponse::Ok().json(ServerInfo {
        name: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        closed: !api.access.is_open(),
        agents: api.desk.is_some(),
        today: api.chat.pinned_day(),
        caller: caller.map(|(user, scope)| CallerInfo { user, scope }),
    })
}

/// Description of a kind of error.
#[utoipa::path(
    get, path = "/problems/{code}", tag = "server",
    responses((status = 200, body = String, content_type = "text/plain; charset=utf-8"),
        errors::NotFound)
)]
pub async fn problem(api: ApiRequest) -> ApiResult {
    let word = api.part("code");
    let code = Code::ALL.into_iter().find(|code| code.as_str() == word);
    let code =
        code.ok_or_else(|| Problem::new(Code::NotFound, "There is no problem of this name."))?;
    let text = format!("{} ({} {})\n", code.title(), code.status(), code.as_str());
    Ok(HttpResponse::Ok()
        .content_type("text/plain; charset=utf-8")
        .body(text))
}

fn answer(api: &ApiRequest, name: &str) -> ApiResult {
    let missing = || Problem::new(Code::NotFound, "The page has no such file.");
    let media_type = media_type(name).ok_or_else(missing)?;
    let (data, hash) = contents(name).ok_or_else(missing)?;
    let tag = format!("\"{}\"", crate::audit::hex(&hash));
    let known = api.sent.headers().get(IF_NONE_MATCH);
    let same = known.is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let mut response = if same {
        HttpResponse::NotModified()
    } else {
        HttpResponse::Ok()
    };
    response
        .insert_header((CONTENT_SECURITY_POLICY, POLICY))
        .insert_header((CACHE_CONTROL, "no-cache"))
        .insert_header((CONTENT_TYPE, media_type))
        .insert_header((ETAG, tag));
    Ok(if same {
        response.finish()
    } else {
        response.body(data.into_owned())
    })
}

/// Returns a file and the hash it is told by: it is asked for anew only when it is another.
fn contents(name: &str) -> Option<(Cow<'static, [u8]>, [u8; 32])> {
    let hashed = |text: Cow<'static, str>| {
        let hash = Sha256::digest(text.as_bytes()).into();
        (text.into_owned().into_bytes().into(), hash)
    };
    if let Some(code) = name.strip_prefix("words/") {
        let code = code.strip_suffix(".json")?;
        let lang = Lang::ALL.into_iter().find(|lang| lang.code() == code)?;
        return Some(hashed(page_words(lang).into()));
    }
    let file = PageFiles::get(name)?;
    if name == "index.html" {
        let page = with_languages(&String::from_utf8_lossy(&file.data));
        return Some(hashed(page.into()));
    }
    Some((file.data, file.metadata.sha256_hash()))
}

/// The page with the languages that it may be read in.
fn with_languages(page: &str) -> String {
    let codes = Lang::ALL.map(Lang::code).join(" ");
    let option = |lang: Lang| {
        let (code, tag, name) = (lang.code(), lang.tag(), lang.own_name());
        format!("<option value=\"{code}\" lang=\"{tag}\">{name}</option>")
    };
    page.replace("{{LANGUAGES}}", &codes)
        .replace("{{OPTIONS}}", &Lang::ALL.map(option).concat())
}

/// Returns the media type of a file; none for what is no part of the page.
fn media_type(name: &str) -> Option<&'static str> {
    match name.rsplit_once('.')?.1 {
        "html" => Some("text/html; charset=utf-8"),
        "js" => Some("text/javascript; charset=utf-8"),
        "css" => Some("text/css; charset=utf-8"),
        "json" => Some("application/json"),
        "svg" => Some("image/svg+xml"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_names_each_language_in_itself() {
        let page = with_languages("{{LANGUAGES}} {{OPTIONS}}");
        assert!(page.starts_with("en ur de "), "{page}");
        let urdu = "<option value=\"ur\" lang=\"ur-Latn\">Roman Urdu</option>";
        assert!(page.contains(urdu), "{page}");
        assert_eq!(page.matches("<option ").count(), Lang::ALL.len());
    }
}
