//! The web page and its files, compiled in: no file is read and no other host is asked.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use actix_web::{HttpRequest, HttpResponse};

use super::code::Code;
use super::problem::Problem;

/// Only this server's own files: a title can't become a script, whatever it holds.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                      img-src 'self' data:; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// `GET /`.
pub async fn index() -> HttpResponse {
    file("text/html; charset=utf-8", include_str!("page/index.html"))
}

/// `GET /page/chat.js`.
pub async fn script() -> HttpResponse {
    file(
        "text/javascript; charset=utf-8",
        include_str!("page/chat.js"),
    )
}

/// `GET /page/chat.css`.
pub async fn style() -> HttpResponse {
    file("text/css; charset=utf-8", include_str!("page/chat.css"))
}

/// `GET /problems/{code}`: what the `type` of a problem points to.
///
/// # Errors
/// 404 for a code there is not.
pub async fn problem(request: HttpRequest) -> Result<HttpResponse, Problem> {
    let word = request.match_info().get("code").unwrap_or_default();
    let code = Code::ALL.into_iter().find(|code| code.as_str() == word);
    let code =
        code.ok_or_else(|| Problem::new(Code::NotFound, "There is no problem of this name."))?;
    let text = format!("{} ({} {})\n", code.title(), code.status(), code.as_str());
    Ok(HttpResponse::Ok()
        .content_type("text/plain; charset=utf-8")
        .body(text))
}

fn file(media_type: &'static str, text: &'static str) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, media_type))
        .insert_header((CONTENT_SECURITY_POLICY, POLICY))
        .insert_header((CACHE_CONTROL, "no-cache"))
        .body(text)
}
