//! Organizations: who is in them, who decides, who comes and who leaves.

mod authority;
mod founding;
mod inviting;
mod leaving;
mod roles;

use serde_json::json;

use crate::support::{Actor, Stage};

/// The path of the organization that an actor is active in.
async fn org_path(actor: &Actor<'_>) -> String {
    let me = actor.get("/api/me").await.ok();
    format!("/api/orgs/{}", me["session"]["orgId"].as_str().unwrap())
}

/// A workspace of somebody's own.
async fn found(actor: &Actor<'_>, id: &str, visibility: &str) {
    actor.post("/api/workspaces", json!({ "id": id, "name": id, "visibility": visibility })).await.created();
}

/// A stage with the organization acme: its admin ada, and the members bob and cy with their ids.
async fn acme() -> (Stage, i64, i64) {
    let stage = Stage::new().await;
    let (bob, cy) = (stage.seed_member("bob", "acme", "org:member"), stage.seed_member("cy", "acme", "org:member"));
    (stage, bob, cy)
}
