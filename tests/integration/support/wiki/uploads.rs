//! What was uploaded to the double: it is shown to whoever has an address that was signed lately, and to nobody else.

use axum::{
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};

use super::{State, WikiDouble};

/// What signs an address begins with this. It is to be found nowhere else.
pub const SIGNATURE: &str = "signed-in-secret-";

/// What is at the place of an upload.
#[derive(Debug, Clone)]
pub enum Uploaded {
    /// A picture, or what is said to be one.
    Bytes(Vec<u8>),
    /// Another address, signed as well.
    Elsewhere,
}

impl WikiDouble {
    /// Below this is what was uploaded.
    pub fn uploads(&self) -> String {
        format!("{}/uploads", self.url())
    }

    /// Has a picture uploaded under a name. Answers with the icon that it is.
    pub fn upload(&self, name: &str, what: Uploaded) -> Value {
        self.state().uploads.insert(format!("/uploads/{name}"), what);
        json!({ "type": "file", "file": { "url": format!("{}/{name}", self.uploads()), "expiry_time": null } })
    }

    /// An hour goes by: no address is good any more that was signed before.
    pub fn ends_signatures(&self) {
        let mut state = self.state();
        state.good_from = state.signatures + 1;
    }
}

impl State {
    /// Signs all addresses of uploads anew, as the provider does for each answer.
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

    /// What the host of the uploads says.
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
