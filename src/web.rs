//! Serves the embedded web client, the documentation and the API reference. Pages load nothing from other hosts.

mod client;
mod docs;
pub mod metrics;
pub mod shares;
pub mod unsubscribe;
pub mod viewer;

use axum::{
    Router,
    extract::{Path, State},
    http::{HeaderMap, HeaderValue, StatusCode, Uri, header},
    middleware::map_response,
    response::{IntoResponse, Response},
    routing::get,
};
use base64::{Engine, prelude::BASE64_STANDARD};
use tower_http::set_header::SetResponseHeaderLayer;
use utoipa_swagger_ui::{Config, SwaggerUi};

use self::client::{File, content_type};
use crate::{auth::keys, base_path::BasePath, encoding::AcceptsGzip};

/// Paths of screens, which the web client routes.
const SCREENS: &[&str] = &[
    "/",
    "/setup",
    "/join",
    "/sign-in",
    "/confirm-email",
    "/forgot-password",
    "/reset-password",
    "/consent",
    "/link-account",
    "/account",
    "/account/{*rest}",
    "/admin",
    "/admin/{*rest}",
    "/o/{*rest}",
];
/// Placeholder for the nonce in the page.
const NONCE: &str = "{{nonce}}";
/// Placeholder for the path of the public URL in the page.
const BASE: &str = "{{base}}";
/// Prefixes of paths without pages.
const NON_PAGE_PREFIXES: &[&str] =
    &["/api", "/assets", "/docs", "/.well-known", "/oauth", "/oembed", "/mcp", "/s/", "/unsubscribe/"];
/// Directory of files whose names contain a hash of their contents.
const HASHED: &str = "assets/";
/// The page of a binary that was built without the web client.
const NOT_BUILT: &str = "This binary was built without the web client. Run `make build` to build both. The \
                         documentation is at /docs.\n";
/// Content security policy of the API reference: Swagger UI uses inline styles and icons in data URLs.
const REFERENCE: &str = "default-src 'none'; style-src 'self' 'unsafe-inline'; script-src 'self'; connect-src 'self'; \
                    img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'";

/// The routes of all pages. Their links have the prefix `base`.
pub fn router(base: &BasePath) -> Router {
    let client = SCREENS.iter().fold(Router::new(), |router, path| router.route(path, get(screen)));
    client
        .route("/icon.svg", get(|gzip: AcceptsGzip| async { file("icon.svg", gzip) }))
        .route(
            "/assets/{*path}",
            get(|Path(path): Path<String>, gzip: AcceptsGzip| async move { file(&format!("{HASHED}{path}"), gzip) }),
        )
        .fallback(not_found)
        .with_state(base.clone())
        .merge(reference(base))
        .merge(docs::router(base.clone()))
}

/// The API reference.
fn reference(base: &BasePath) -> Router {
    const PATH: &str = "/docs/reference";
    // Without the validator badge and the field for other documents, which would contact other hosts.
    let config =
        Config::from(base.join("/openapi.json")).validator_url("none").use_base_layout().try_it_out_enabled(true);
    let policy = HeaderValue::from_static(REFERENCE);
    let policy = SetResponseHeaderLayer::overriding(header::CONTENT_SECURITY_POLICY, policy);
    let page = base.join(&format!("{PATH}/"));
    let redirect = map_response(move |mut response: Response| {
        let page = HeaderValue::try_from(&page).ok();
        async move {
            // It redirects to its own page only, and does not know the prefix.
            if let Some((location, page)) = response.headers_mut().get_mut(header::LOCATION).zip(page) {
                *location = page;
            }
            response
        }
    });
    Router::from(SwaggerUi::new(PATH).config(config)).layer(redirect).layer(policy)
}

/// Responds to unknown paths: browsers receive the web client, which shows the error; API clients receive an API error.
async fn not_found(State(base): State<BasePath>, uri: Uri, headers: HeaderMap) -> Response {
    let accepted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_page = !NON_PAGE_PREFIXES.iter().any(|path| uri.path().starts_with(path));
    if !is_page || !accepted.contains("text/html") {
        return StatusCode::NOT_FOUND.into_response();
    }
    (StatusCode::NOT_FOUND, screen(State(base)).await).into_response()
}

/// The page for all screens, with a nonce for this response.
async fn screen(State(base): State<BasePath>) -> Response {
    let nonce = BASE64_STANDARD.encode(keys::random::<16>());
    let policy = policy(&nonce);
    let Some(page) = client::read("index.html") else {
        return (StatusCode::NOT_IMPLEMENTED, policy, NOT_BUILT).into_response();
    };
    let html = String::from_utf8_lossy(&page).replace(NONCE, &nonce).replace(BASE, base.as_str());
    let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-cache")];
    (policy, headers, html).into_response()
}

/// Content security policy of the web client: only its own files, and styles with the nonce.
fn policy(nonce: &str) -> [(header::HeaderName, String); 1] {
    let text = format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data: blob:; \
         connect-src 'self'; font-src 'self'; worker-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    );
    [(header::CONTENT_SECURITY_POLICY, text)]
}

/// A file of the web client, compressed if the caller accepts gzip.
fn file(path: &str, AcceptsGzip(gzip): AcceptsGzip) -> Response {
    let kept = if path.starts_with(HASHED) { "public, max-age=31536000, immutable" } else { "no-cache" };
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type(path)));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(kept));
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'"),
    );
    // Debug builds read from the disk, where such a path would lead out of the directory.
    if path.contains("..") {
        return StatusCode::NOT_FOUND.into_response();
    }
    let data = match client::find(path) {
        None => return StatusCode::NOT_FOUND.into_response(),
        Some(File::Plain(data)) => return (headers, data.into_owned()).into_response(),
        Some(File::Compressed(data)) => data,
    };
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if gzip {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        return (headers, data.into_owned()).into_response();
    }
    match client::unpack(&data) {
        Ok(plain) => (headers, plain).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
