//! What cannot be right is refused, named, and leaves no trace.

mod bodies;
mod directory;
mod fields;
mod headers;
mod json;
mod limits;
mod urls;

use axum::http::Method;
use serde_json::Value;

use crate::support::{Actor, Reply, Stage, ids};

const NEW: &str = "/api/workspaces/w/components";

const LINKS: &str = "/api/workspaces/w/components/a/links";

const BULK: &str = "/api/workspaces/w/bulk";

impl Actor<'_> {
    async fn say(&self, method: Method, path: &str, body: impl Into<axum::body::Body>) -> Reply {
        self.send_raw(method, path, Some("application/json"), body).await
    }
}

/// The refusal has this status, the usual body, and says something of this text, briefly.
#[track_caller]
fn refused(reply: &Reply, status: u16, text: &str) -> Value {
    assert_eq!(reply.header("content-type"), "application/json", "{reply}");
    assert!(reply.bytes.len() < 3_000, "an error is for reading: {} bytes", reply.bytes.len());
    let body = reply.refused(status, text);
    let known = ["error", "code", "field", "current", "changedBy"];
    assert!(body.as_object().unwrap().keys().all(|key| known.contains(&key.as_str())), "{reply}");
    body
}

/// Nothing was written since `before`, and the server is well.
async fn unharmed(stage: &Stage, ada: &Actor<'_>, before: (i64, i64)) {
    assert_eq!(stage.written(), before);
    let bundle = ada.bundle("w").await;
    assert_eq!((ids(&bundle["components"]), ids(&bundle["relationships"])), (vec!["a", "b"], vec!["r"]));
    ada.draw("w", &["later"]).await;
}
