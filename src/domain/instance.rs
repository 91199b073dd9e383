//! What the instance says of itself, and what its operator does to it.

use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use super::{
    access::{PublicTx, Reads, SystemTx, insert_audit_event},
    settings, store,
};
use crate::{db::Db, error::Result};

/// What those who have not signed in yet are told of the instance.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignInConfig {
    /// The ways to sign in: `password`, and `oidc` for an identity provider outside.
    #[schema(example = json!(["password", "oidc"]))]
    pub methods: Vec<&'static str>,
    /// What people call the identity provider; null when one cannot sign in at one.
    #[schema(required, example = "Acme's directory")]
    pub provider_name: Option<String>,
    /// Name of the instance.
    #[schema(example = "Planroom")]
    pub instance_name: String,
    /// Whether anybody has an account. If not, the link that the server printed makes the first.
    pub has_users: bool,
    /// Whether strangers may put themselves on the waitlist.
    pub waitlist_open: bool,
}

/// What those who have not signed in yet are told of the instance.
pub fn sign_in_config(tx: &PublicTx<'_>) -> Result<SignInConfig> {
    let core = tx.core();
    let provider = core.shared.sessions.external.as_ref().filter(|external| external.signs_in);
    let passwords = !core.shared.sessions.sso_only();
    Ok(SignInConfig {
        methods: passwords.then_some("password").into_iter().chain(provider.map(|_| "oidc")).collect(),
        provider_name: provider.map(|external| external.name.clone()),
        instance_name: settings::instance_name(core)?,
        has_users: store::users::any(core.conn)?,
        waitlist_open: settings::waitlist_is_open(core)?,
    })
}

/// Notes that session JWTs are signed with another key.
pub fn key_rotated(tx: &mut SystemTx<'_>, kid: &str) -> Result<()> {
    tx.core().audit("key.rotate", None, &json!({ "kid": kid }))
}

/// Credentials that are accepted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct InForce {
    /// Sessions of users.
    pub sessions: i64,
    /// Personal access tokens.
    pub tokens: i64,
    /// Connected apps, one for each user and app.
    pub connected_apps: i64,
}

/// What a backup brought back.
#[derive(Debug, Clone, Copy)]
pub struct Restored {
    /// When the last change in it was written, Unix milliseconds.
    pub last_change_at: Option<i64>,
    /// Credentials that are accepted again.
    pub in_force: InForce,
}

/// Notes in the audit log that a backup was restored, and answers with what it brought back. `now` is in Unix
/// milliseconds.
pub async fn restored(db: &Db, now: i64) -> Result<Restored> {
    db.write(move |conn| {
        let last_change_at = store::instance::last_change_at(conn)?;
        let details = json!({ "lastChangeAt": last_change_at });
        insert_audit_event(conn, now, "instance.restore", None, None, &details)?;
        Ok((Restored { last_change_at, in_force: store::instance::in_force(conn, now)? }, Vec::new()))
    })
    .await
}
