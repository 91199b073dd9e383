//! The public pages of share links. They read no cookie but that of a link with a password, and set no other.
//!
//! A link that does not exist, has ended or is not allowed is always the same page with the status 404, so that readers do not
//! learn whether it has existed.

pub(super) mod headers;
mod html;
mod oembed;
pub(super) mod page;
mod pages;
mod request;

use axum::{
    Router,
    body::Body,
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    middleware::map_response,
    response::{IntoResponse, Response},
    routing::{any, get, post},
};
use drawing::{CARD_SIZE, Theme};
use url::form_urlencoded;

use self::{
    headers::Framing,
    pages::Pages,
    request::{Incoming, Options},
};
use crate::{
    bodies::{Bodies, BodyError},
    budget::Holder,
    domain::{
        map::drawing::{Format, PNG_WIDTHS},
        sharing::{
            Shares,
            opening::{RECOGNIZED_FOR, UNLOCKED_FOR},
            service::{ShareRequest, SharedImage},
        },
    },
    error::Error,
};

/// Maximum size of the form with a password, in bytes.
const MAX_FORM_BYTES: usize = 4_096;

/// The routes of share links. `{token}` in a path keeps the address of a link out of the log.
pub fn router(shares: Shares, bodies: Bodies, public_url: &str) -> Router {
    Router::new()
        .route("/s/{token}", get(show))
        .route("/s/{token}/embed", get(embed))
        .route("/s/{token}/image.svg", get(svg))
        .route("/s/{token}/image.png", get(png))
        .route("/s/{token}/model.json", get(model))
        .route("/s/{token}/unlock", post(unlock))
        .route("/s/{token}/", any(unknown))
        .route("/s/{token}/{*path}", any(unknown))
        .route("/oembed", get(oembed::describe))
        // The general errors would repeat the address of the link, too.
        .method_not_allowed_fallback(wrong_method)
        .with_state(Pages::new(shares, bodies, public_url))
        .layer(map_response(headers::add_common))
}

async fn show(State(pages): State<Pages>, Incoming(request): Incoming) -> Response {
    let token = request.token.clone();
    match pages.shares.page(request).await {
        Ok(page) => match &page.title {
            Some(title) => page::shown(&pages, &token, &page, title, Framing::Nowhere),
            None => page::locked(&pages, &token, StatusCode::OK, false),
        },
        Err(error) => failed(error),
    }
}

async fn embed(State(pages): State<Pages>, Incoming(request): Incoming) -> Response {
    let token = request.token.clone();
    match pages.shares.page(request).await {
        Ok(page) => match &page.title {
            Some(title) if !page.embed_origins.is_empty() => {
                page::shown(&pages, &token, &page, title, Framing::Origins(&page.embed_origins))
            }
            _ => page::not_found(),
        },
        Err(error) => failed(error),
    }
}

/// Another path below a link. The general error for unknown paths would repeat the address of the link.
async fn unknown() -> Response {
    page::not_found()
}

async fn wrong_method() -> Response {
    page::failed(StatusCode::METHOD_NOT_ALLOWED, "This method is not supported.")
}

/// The image that options ask for. Unknown ones and unknown values are ignored.
fn image_of(options: &Options, format: Format) -> SharedImage {
    let is_on = |name| options.get(name) == Some("true");
    SharedImage {
        theme: match options.get("theme") {
            Some("light") => Some(Theme::Light),
            Some("dark") => Some(Theme::Dark),
            _ => None,
        },
        step: options.get("step").and_then(|step| step.parse().ok()),
        ids: is_on("ids"),
        legend: is_on("legend"),
        is_card: is_on("card"),
        format,
    }
}

async fn svg(State(pages): State<Pages>, Incoming(request): Incoming, options: Options) -> Response {
    image(&pages, request, image_of(&options, Format::Svg)).await
}

async fn png(State(pages): State<Pages>, Incoming(request): Incoming, options: Options) -> Response {
    let width = options.get("width").and_then(|width| width.parse().ok());
    let width = width.filter(|width| PNG_WIDTHS.contains(width));
    let width = if options.get("card") == Some("true") { Some(CARD_SIZE.0) } else { width };
    image(&pages, request, image_of(&options, Format::Png(width))).await
}

async fn image(pages: &Pages, request: ShareRequest, image: SharedImage) -> Response {
    match pages.shares.image(request, image).await {
        Ok(content) => headers::image(content),
        Err(error) => failed(error),
    }
}

async fn model(State(pages): State<Pages>, Incoming(request): Incoming) -> Response {
    match pages.shares.model(ShareRequest { is_use: false, ..request }).await {
        Ok(content) => headers::data(content),
        Err(error) => failed(error),
    }
}

/// Verifies the password, which a form sends, and remembers it for this browser.
async fn unlock(State(pages): State<Pages>, Incoming(request): Incoming, headers: HeaderMap, body: Body) -> Response {
    let token = request.token.clone();
    let form = pages.bodies.read(&headers, body, MAX_FORM_BYTES, Holder::anonymous(request.address)).await;
    let form = match form {
        Ok(form) => form,
        Err(error) => return unread(&error),
    };
    let password = form_urlencoded::parse(&form.bytes).find(|(name, _)| name == "password").map(|(_, value)| value);
    let password = password.unwrap_or_default().into_owned();
    match pages.shares.unlock(request, password).await {
        Ok(Some(proof)) => {
            let path = pages.path(&token);
            let cookie =
                request::cookie(pages.public_url.starts_with("https:"), &path, proof, UNLOCKED_FOR + RECOGNIZED_FOR);
            let headers = [(header::LOCATION, path), (header::SET_COOKIE, cookie)];
            (StatusCode::SEE_OTHER, headers).into_response()
        }
        Ok(None) => page::locked(&pages, &token, StatusCode::FORBIDDEN, true),
        Err(error) => failed(error),
    }
}

/// The page for a form that was not read.
fn unread(error: &BodyError) -> Response {
    match (error, error.describe().0) {
        (BodyError::Full(_), status) => busy(status, 1),
        (BodyError::TooLarge(_), status) => page::failed(status, "The form is too large."),
        (_, status) => page::failed(status, "The form did not arrive completely. Try again."),
    }
}

fn busy(status: StatusCode, seconds: u64) -> Response {
    let mut response = page::failed(status, "Too many requests. Try again in a moment.");
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    response
}

/// The page for an error. It contains nothing about the link.
fn failed(error: Error) -> Response {
    match error {
        Error::NotFound(_) => page::not_found(),
        Error::Invalid { .. } => page::failed(StatusCode::UNPROCESSABLE_ENTITY, page::TOO_LARGE),
        Error::Unauthenticated(_) => page::failed(StatusCode::UNAUTHORIZED, "This link needs a password."),
        Error::RateLimited { retry_after } => busy(StatusCode::TOO_MANY_REQUESTS, retry_after.as_secs().max(1)),
        Error::Busy | Error::TooManyRequests | Error::Cancelled => busy(StatusCode::SERVICE_UNAVAILABLE, 5),
        error => {
            tracing::error!(%error, "cannot answer a request for a share link");
            page::failed(StatusCode::INTERNAL_SERVER_ERROR, "Something went wrong. Try again later.")
        }
    }
}
