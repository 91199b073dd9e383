//! oEmbed: how other sites show a link that is pasted into them (<https://oembed.com>).

use axum::{
    Json,
    extract::{Request, State},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};

use super::{
    html::escaped,
    pages::Pages,
    request::{self, Options},
};
use crate::{
    domain::{
        map::drawing::{Format, PNG_WIDTHS},
        sharing::{
            opening::SharePage,
            service::{ShareRequest, SharedImage},
        },
    },
    error::{Error, Result},
    images::ImageResponse,
};

/// Size of an embedded page in pixels, unless the site asks for a smaller one.
const EMBED_SIZE: (u32, u32) = (960, 600);
/// How long sites may keep a description, in seconds.
const CACHE_AGE: u32 = 3_600;

/// A request for a description. Unknown parameters are ignored.
#[derive(Debug)]
pub(super) struct Wanted {
    url: String,
    /// The largest size that the site accepts.
    limits: (u32, u32),
}

impl Wanted {
    fn of(options: &Options) -> Self {
        let limit = |name| {
            let limit = options.get(name).and_then(|text| text.parse().ok());
            limit.filter(|limit| *limit > 0).unwrap_or(u32::MAX)
        };
        Self { url: options.get("url").unwrap_or_default().to_owned(), limits: (limit("maxwidth"), limit("maxheight")) }
    }

    /// The part of the address that names and proves the link.
    fn token(&self, public_url: &str) -> Option<String> {
        let rest = self.url.strip_prefix(public_url)?.strip_prefix("/s/")?;
        let token = rest.split(['/', '?', '#']).next().unwrap_or_default();
        Some(token.to_owned())
    }
}

pub(super) async fn describe(State(pages): State<Pages>, options: Options, request: Request) -> Response {
    if options.get("format").is_some_and(|format| format != "json") {
        return refused(StatusCode::NOT_IMPLEMENTED, "only the format json is supported");
    }
    let wanted = Wanted::of(&options);
    let Some(token) = wanted.token(&pages.public_url) else { return unknown() };
    let (parts, _) = request.into_parts();
    // A description is no use of the link, and no cookie opens it.
    let request = ShareRequest {
        is_use: false,
        proof: None,
        known: Vec::new(),
        accepts_gzip: false,
        ..request::request(&parts, token.clone())
    };
    let described = match pages.shares.page(request.clone()).await {
        Ok(page) if !page.shows_title() => {
            return refused(StatusCode::UNAUTHORIZED, "this link has no preview");
        }
        Ok(page) => description(&pages, request, &page, &wanted).await,
        Err(error) => Err(error),
    };
    match described {
        Ok(description) => Json(description).into_response(),
        Err(Error::RateLimited { .. } | Error::Busy | Error::TooManyRequests | Error::Cancelled) => {
            refused(StatusCode::SERVICE_UNAVAILABLE, "too many requests; try again in a moment")
        }
        Err(Error::Internal(error)) => {
            tracing::error!(%error, "cannot describe a share link");
            refused(StatusCode::INTERNAL_SERVER_ERROR, "something went wrong; try again later")
        }
        Err(_) => unknown(),
    }
}

fn refused(status: StatusCode, error: &str) -> Response {
    (status, Json(json!({ "error": error }))).into_response()
}

fn unknown() -> Response {
    refused(StatusCode::NOT_FOUND, "there is no such share link")
}

async fn description(pages: &Pages, request: ShareRequest, page: &SharePage, wanted: &Wanted) -> Result<Value> {
    let title = page.title.as_deref().unwrap_or_default();
    let mut description = json!({
        "version": "1.0", "title": title, "provider_name": "Planroom", "provider_url": &*pages.public_url,
        "cache_age": CACHE_AGE,
    });
    let url = pages.url(&request.token);
    let (max_width, max_height) = wanted.limits;
    let more = if !page.embed_origins.is_empty() {
        let (width, height) = (EMBED_SIZE.0.min(max_width), EMBED_SIZE.1.min(max_height));
        let html = format!(
            "<iframe src=\"{}/embed\" width=\"{width}\" height=\"{height}\" title=\"{}\" loading=\"lazy\" \
             referrerpolicy=\"no-referrer\"></iframe>",
            escaped(&url),
            escaped(title)
        );
        json!({ "type": "rich", "html": html, "width": width, "height": height })
    } else if page.shows_picture() {
        let [smallest, .., largest] = PNG_WIDTHS;
        let drawn = PNG_WIDTHS.into_iter().rev().find(|width| *width <= max_width.min(largest)).unwrap_or(smallest);
        let image = SharedImage {
            theme: None,
            step: None,
            ids: false,
            legend: false,
            is_card: false,
            format: Format::Png(Some(drawn)),
        };
        match pages.shares.image(request, image).await.map(|content| content.response) {
            Ok(ImageResponse::Image { bytes, .. }) => {
                let (width, height) = fitted(png_size(&bytes), (max_width, max_height));
                let url = format!("{url}/image.png?width={drawn}");
                json!({ "type": "photo", "url": url, "width": width, "height": height })
            }
            // Too large to be drawn.
            Err(Error::Invalid { .. }) => json!({ "type": "link" }),
            Ok(ImageResponse::Unchanged(_)) => {
                return Err(Error::internal("an image without a condition was answered as unchanged"));
            }
            Err(error) => return Err(error),
        }
    } else {
        json!({ "type": "link" })
    };
    if let (Some(description), Value::Object(more)) = (description.as_object_mut(), more) {
        description.extend(more);
    }
    Ok(description)
}

/// Width and height from the header of a PNG.
fn png_size(bytes: &[u8]) -> (u32, u32) {
    let number = |at: usize| bytes.get(at..at + 4).and_then(|four| four.try_into().ok()).map_or(0, u32::from_be_bytes);
    (number(16), number(20))
}

/// The size in which an image fits.
fn fitted((width, height): (u32, u32), (max_width, max_height): (u32, u32)) -> (u32, u32) {
    let scaled = |side: u32, limit: u32, whole: u32| {
        u32::try_from(u64::from(side) * u64::from(limit) / u64::from(whole.max(1))).unwrap_or(u32::MAX)
    };
    let (width, height) =
        if width > max_width { (max_width, scaled(height, max_width, width)) } else { (width, height) };
    if height > max_height { (scaled(width, max_height, height), max_height) } else { (width, height) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_keep_their_proportions_when_they_are_fitted() {
        assert_eq!(fitted((1200, 600), (u32::MAX, u32::MAX)), (1200, 600));
        assert_eq!(fitted((1200, 600), (400, u32::MAX)), (400, 200));
        assert_eq!(fitted((1200, 600), (1200, 300)), (600, 300));
        assert_eq!(fitted((1200, 600), (400, 100)), (200, 100));
    }

    #[test]
    fn the_link_is_found_in_its_address_only() {
        let token = |url: &str| Wanted { url: url.into(), limits: (1, 1) }.token("https://example.org/plans");
        assert_eq!(token("https://example.org/plans/s/a.b").as_deref(), Some("a.b"));
        assert_eq!(token("https://example.org/plans/s/a.b/image.png?x=1").as_deref(), Some("a.b"));
        assert_eq!(token("https://example.org/s/a.b"), None);
        assert_eq!(token("https://evil.example/plans/s/a.b"), None);
    }
}
