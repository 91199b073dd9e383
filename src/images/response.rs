//! Responses to requests for images.

use axum::{
    body::Body,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

/// Content security policy that prevents scripts if an image is opened directly. Styles are allowed because SVGs use
/// them.
pub const IMAGE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

/// The response to an image request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImageResponse {
    /// The caller already has the image; contains its entity tag, without quotes.
    Unchanged(String),
    /// The image.
    Image {
        /// Entity tag, without quotes: a hash of the bytes.
        tag: String,
        /// Media type.
        media_type: String,
        /// The bytes.
        bytes: Vec<u8>,
        /// Whether the bytes are compressed with gzip. The tag says so, too.
        is_gzip: bool,
    },
}

impl ImageResponse {
    /// An image that is not compressed.
    pub fn image(tag: String, media_type: &str, bytes: Vec<u8>) -> Self {
        Self::Image { tag, media_type: media_type.to_owned(), bytes, is_gzip: false }
    }
}

impl IntoResponse for ImageResponse {
    fn into_response(self) -> Response {
        let (mut response, tag) = match self {
            Self::Unchanged(tag) => (StatusCode::NOT_MODIFIED.into_response(), tag),
            Self::Image { tag, media_type, bytes, is_gzip } => {
                let mut response = Response::new(Body::from(bytes));
                if is_gzip {
                    response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
                }
                if let Ok(media_type) = HeaderValue::try_from(media_type) {
                    response.headers_mut().insert(header::CONTENT_TYPE, media_type);
                }
                (response, tag)
            }
        };
        if let Ok(tag) = HeaderValue::try_from(format!("\"{tag}\"")) {
            response.headers_mut().insert(header::ETAG, tag);
        }
        response
    }
}
