//! Following a workspace: what is told, to whom, and until when.

mod ending;
mod following;
mod presence;
mod resuming;

use crate::support::{Actor, Stage};

/// A member of acme who has this access level in `w`.
async fn colleague<'s>(stage: &'s Stage, login: &str, level: &str) -> Actor<'s> {
    let user = stage.seed_member(login, "acme", "org:member");
    stage.grant("w", user, level);
    stage.sign_in(login).await
}

/// The user id of an actor.
async fn id(actor: &Actor<'_>) -> i64 {
    actor.get("/api/me").await.ok()["id"].as_i64().unwrap()
}
