//! Files uploaded to the fake wiki: served only for URLs with a valid signature.

use axum::{
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};

use super::{FakeWiki, State};

/// Prefix of signatures, which must not occur anywhere else.
pub const SIGNATURE: &str = "signed-in-secret-";

/// The content at an upload URL.
#[derive(Debug, Clone)]
pub enum Uploaded {
    /// An image, or something declared as one.
    Bytes(Vec<u8>),
    /// A redirect to another signed URL.
    Elsewhere,
}

impl FakeWiki {
    /// Path prefix of uploads.
    pub fn uploads(&self) -> String {
        format!("{}/uploads", self.url())
    }

    /// Uploads an image under a name. Returns the icon for pages.
    pub fn upload(&self, name: &str, what: Uploaded) -> Value {
        self.state().uploads.insert(format!("/uploads/{name}"), what);
        json!({ "type": "file", "file": { "url": format!("{}/{name}", self.uploads()), "expiry_time": null } })
    }

    /// Expires all signatures.
    pub fn expire_signatures(&self) {
        let mut state = self.state();
        state.good_from = state.signatures + 1;
    }
}

impl State {
    /// Signs all upload URLs, as the provider does for each response.
    pub(super) fn sign(&mut self) {
        self.signatures += 1;
        let query = format!("X-Amz-Expires=3600&X-Amz-Signature={SIGNATURE}{}", self.signatures);
        let lists = self.rows.values_mut().flatten().chain(&mut self.found);
        for thing in self.things.values_mut().chain(lists) {
            if let Some(Value::String(url)) = thing.pointer_mut("/icon/file/url") {
                let place = url.split('?').next().unwrap();
                *url = format!("{place}?{query}");
            }
        }
    }

    /// The response of the upload host.
    pub(super) fn uploaded(&self, path: &str, query: &str) -> Response {
        let number = query.rsplit_once(SIGNATURE).and_then(|(_, number)| number.parse::<usize>().ok());
        if !number.is_some_and(|number| (self.good_from.max(1)..=self.signatures).contains(&number)) {
            return StatusCode::FORBIDDEN.into_response();
        }
        match self.uploads.get(path) {
            Some(Uploaded::Bytes(bytes)) => bytes.clone().into_response(),
            Some(Uploaded::Elsewhere) => {
                let to = format!("https://example.org/x.png?{query}");
                (StatusCode::FOUND, [("location", to)]).into_response()
            }
            None => StatusCode::NOT_FOUND.into_response(),
        }
    }
}
