//! The description as JSON and as a page. The page's files are compiled in: no other host is
//! asked, neither by this server nor by the browser.

use std::io::Read;
use std::sync::{Arc, LazyLock};

use actix_web::http::header::{
    AcceptEncoding, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE,
    Encoding, Header, LOCATION, VARY,
};
use actix_web::{HttpRequest, HttpResponse};
use flate2::read::GzDecoder;
use utoipa_swagger_ui::Config;

use super::api::{ApiRequest, ApiResult};
use super::code::Code;
use super::openapi::{self, Served};
use super::problem::Problem;

/// Only this server's own files. Styles may stand in the page, since Swagger UI sets them there.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
                      connect-src 'self'; img-src 'self' data:; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

/// Says where the description is, and that no service elsewhere shall be asked to check it.
static PAGE: LazyLock<Arc<Config<'static>>> = LazyLock::new(|| {
    let config = Config::from("../openapi.json").validator_url("none");
    Arc::new(config.try_it_out_enabled(true))
});

/// This description.
#[utoipa::path(
    get, path = "/openapi.json", tag = "server", responses((status = 200, body = Object))
)]
pub async fn openapi(api: ApiRequest) -> ApiResult {
    let served = Served {
        closed: !api.access.is_open(),
        todo_backend: api.todo_backend,
    };
    let text = openapi::document(served).map_err(Problem::internal)?;
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "application/json"))
        .insert_header((CACHE_CONTROL, "no-cache"))
        .body(text))
}

/// `GET /docs`: the page's files are beside `/docs/`.
pub async fn entrance() -> HttpResponse {
    HttpResponse::PermanentRedirect()
        .insert_header((LOCATION, "docs/"))
        .finish()
}

/// `GET /docs/{file}`. The files are kept packed, and unpacked for whoever does not take them so.
///
/// # Errors
/// 404 for a file there is not.
pub async fn file(api: ApiRequest) -> ApiResult {
    let name = api.part("file");
    let found = utoipa_swagger_ui::serve(name, Arc::clone(&PAGE));
    let found = found.map_err(Problem::internal)?;
    let missing = || Problem::new(Code::NotFound, "The page has no such file.");
    let file = found.ok_or_else(missing)?;
    let mut reply = HttpResponse::Ok();
    reply
        .insert_header((CONTENT_TYPE, file.content_type))
        .insert_header((CONTENT_SECURITY_POLICY, POLICY))
        .insert_header((CACHE_CONTROL, "no-cache"))
        .insert_header((VARY, "accept-encoding"));
    if !file.gzpipped {
        return Ok(reply.body(file.bytes.into_owned()));
    }
    if takes_gzip(&api.sent) {
        reply.insert_header((CONTENT_ENCODING, "gzip"));
        return Ok(reply.body(file.bytes.into_owned()));
    }
    let mut plain = Vec::new();
    let unpacked = GzDecoder::new(&*file.bytes).read_to_end(&mut plain);
    unpacked.map_err(Problem::internal)?;
    Ok(reply.body(plain))
}

fn takes_gzip(request: &HttpRequest) -> bool {
    let offered = [Encoding::gzip(), Encoding::identity()];
    let asked = AcceptEncoding::parse(request).ok();
    asked.and_then(|asked| asked.negotiate(offered.iter())) == Some(Encoding::gzip())
}
