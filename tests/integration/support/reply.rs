//! Responses to test clients.

use axum::{
    body::to_bytes,
    http::{HeaderMap, Method, StatusCode},
    response::Response,
};
use serde_json::Value;

/// A complete response.
#[derive(Debug, Clone)]
pub struct TestResponse {
    pub method: Method,
    pub path: String,
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub bytes: Vec<u8>,
}

impl TestResponse {
    pub async fn read(method: &Method, path: &str, response: Response) -> Self {
        let (parts, body) = response.into_parts();
        // Event streams are endless; `TestClient::follow` reads them.
        let endless = parts.headers.get("content-type").is_some_and(|kind| kind == "text/event-stream");
        let bytes = if endless { Vec::new() } else { to_bytes(body, usize::MAX).await.unwrap().to_vec() };
        Self { method: method.clone(), path: path.to_owned(), status: parts.status, headers: parts.headers, bytes }
    }

    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|error| panic!("{self}: no JSON: {error}"))
    }

    /// The value of a header.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map(|value| value.to_str().unwrap()).unwrap_or_default()
    }

    /// Panics if the headers are not those of a stored PNG image with this entity tag, whose address never changes.
    #[track_caller]
    pub fn expect_stored_image(&self, tag: &str) {
        for (name, value) in [
            ("content-type", "image/png"),
            ("cache-control", "private, max-age=31536000, immutable"),
            ("vary", "authorization"),
            (
                "content-security-policy",
                "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
            ),
            ("cross-origin-resource-policy", "same-origin"),
            ("x-content-type-options", "nosniff"),
            ("etag", &format!("\"{tag}\"")),
        ] {
            assert_eq!(self.header(name), value, "{name}");
        }
    }

    /// Expects this status. Returns the JSON body.
    #[track_caller]
    pub fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{self}");
        self.json()
    }

    #[track_caller]
    pub fn ok(&self) -> Value {
        self.expect(200)
    }

    #[track_caller]
    pub fn created(&self) -> Value {
        self.expect(201)
    }

    /// Expects an error with this status whose message contains `text`.
    #[track_caller]
    pub fn expect_error(&self, status: u16, text: &str) -> Value {
        let body = self.expect(status);
        let error = body["error"].as_str().unwrap_or_default();
        assert!(error.contains(text), "{self}: expected an error with `{text}`");
        body
    }
}

impl std::fmt::Display for TestResponse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let body: String = String::from_utf8_lossy(&self.bytes).chars().take(500).collect();
        write!(f, "{} {} answered {} {body}", self.method, self.path, self.status)
    }
}
