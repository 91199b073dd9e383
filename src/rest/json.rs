//! JSON responses.
//!
//! Only the serialization of a type is generated for the type, and it is the same code that serializes it elsewhere.

use axum::{
    body::Body,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;

/// A JSON response with status 200.
pub struct Json<T>(pub T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        written(StatusCode::OK, serde_json::to_vec(&self.0))
    }
}

/// A created resource: status 201.
pub struct Created<T>(pub T);

impl<T: Serialize> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        written(StatusCode::CREATED, serde_json::to_vec(&self.0))
    }
}

fn written(status: StatusCode, bytes: serde_json::Result<Vec<u8>>) -> Response {
    match bytes {
        Ok(bytes) => (status, json(bytes)).into_response(),
        Err(error) => {
            tracing::error!(%error, "a response cannot be serialized");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

/// A response with serialized JSON.
pub fn json(bytes: impl Into<Body>) -> Response {
    let headers = [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))];
    (headers, bytes.into()).into_response()
}
