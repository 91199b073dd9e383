//! Invalid input is rejected by name and has no effect.

mod bodies;
mod directory;
mod fields;
mod headers;
mod json;
mod limits;
mod names;
mod problems;
mod urls;

use axum::http::Method;
use serde_json::Value;

use crate::support::{TestClient, TestResponse, TestServer, ids};

const NEW: &str = "/api/workspaces/w/components";

const LINKS: &str = "/api/workspaces/w/components/a/links";

const BULK: &str = "/api/workspaces/w/bulk";

impl TestClient<'_> {
    async fn send_body(&self, method: Method, path: &str, body: impl Into<axum::body::Body>) -> TestResponse {
        self.send_raw(method, path, Some("application/json"), body).await
    }
}

/// Expects this status, the standard error body, and a short message that contains `text`.
#[track_caller]
fn assert_bad_input(reply: &TestResponse, status: u16, text: &str) -> Value {
    assert_eq!(reply.header("content-type"), "application/json", "{reply}");
    assert!(reply.bytes.len() < 3_000, "an error is for reading: {} bytes", reply.bytes.len());
    let body = reply.expect_error(status, text);
    let known = ["error", "reason", "remedy", "code", "field", "path", "problem", "current", "changedBy"];
    assert!(body.as_object().unwrap().keys().all(|key| known.contains(&key.as_str())), "{reply}");
    body
}

/// Expects that nothing was written since `before`, and that the server works.
async fn assert_unchanged(server: &TestServer, ada: &TestClient<'_>, before: (i64, i64)) {
    assert_eq!(server.log_sizes(), before);
    let bundle = ada.bundle("w").await;
    assert_eq!((ids(&bundle["components"]), ids(&bundle["relationships"])), (vec!["a", "b"], vec!["r"]));
    ada.create_components("w", &["later"]).await;
}
