//! Pages for people: a first page, the first set-up, invitations, and the API's documentation. Nothing is loaded from elsewhere.

use axum::{
    Router,
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
    routing::get,
};
use tower_http::set_header::SetResponseHeaderLayer;
use utoipa_swagger_ui::{Config, SwaggerUi};

/// What our own pages may load: their own files, and nothing inline.
const OURS: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; \
                    form-action 'none'; base-uri 'none'; frame-ancestors 'none'";
/// Swagger UI sets styles inline and draws icons from data URLs.
const DOCS: &str = "default-src 'none'; style-src 'self' 'unsafe-inline'; script-src 'self'; connect-src 'self'; \
                    img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'";

/// The pages.
pub fn router() -> Router {
    // Without the validator's badge and the field for other documents, which are other hosts' affairs.
    let config = Config::from("/openapi.json").validator_url("none").use_base_layout().try_it_out_enabled(true);
    let docs = SwaggerUi::new("/docs").config(config);
    let ours = Router::new()
        .route("/", get(page("text/html; charset=utf-8", include_str!("../assets/pages/index.html"))))
        .route("/setup", get(page("text/html; charset=utf-8", include_str!("../assets/pages/setup.html"))))
        .route("/join", get(page("text/html; charset=utf-8", include_str!("../assets/pages/join.html"))))
        .route("/pages/form.js", get(page("text/javascript", include_str!("../assets/pages/form.js"))))
        .route("/pages/join.js", get(page("text/javascript", include_str!("../assets/pages/join.js"))))
        .route("/pages/setup.js", get(page("text/javascript", include_str!("../assets/pages/setup.js"))))
        .route("/pages/style.css", get(page("text/css", include_str!("../assets/pages/style.css"))))
        .route("/pages/icon.svg", get(page("image/svg+xml", include_str!("../assets/pages/icon.svg"))))
        .layer(policy(OURS));
    Router::new().merge(Router::from(docs).layer(policy(DOCS))).merge(ours)
}

fn page(kind: &'static str, text: &'static str) -> impl Fn() -> std::future::Ready<Response> + Clone {
    move || {
        let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")];
        std::future::ready((headers, text).into_response())
    }
}

fn policy(text: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::overriding(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(text))
}
