//! Public information about the instance, and operator events such as key rotation and restore.

use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use super::{
    access::{PublicTx, Reads, SystemTx, insert_audit_event},
    settings, store,
};
use crate::{db::Db, error::Result};

/// Public sign-in configuration of the instance.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignInConfig {
    /// Available sign-in methods: `password`, and `oidc` for an external identity provider.
    #[schema(example = json!(["password", "oidc"]))]
    pub methods: Vec<&'static str>,
    /// Display name of the identity provider; null if sign-in with a provider is not available.
    #[schema(required, example = "Acme's directory")]
    pub provider_name: Option<String>,
    /// Name of the instance.
    #[schema(example = "Planroom")]
    pub instance_name: String,
    /// Whether any account exists. If false, the link that the server printed creates the first account.
    pub has_users: bool,
    /// Whether visitors can sign up for the waitlist.
    pub waitlist_open: bool,
}

/// Returns the public sign-in configuration of the instance.
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

/// Records in the audit log that session JWTs are signed with a new key.
pub fn key_rotated(tx: &mut SystemTx<'_>, kid: &str) -> Result<()> {
    tx.core().audit("key.rotate", None, &json!({ "kid": kid }))
}

/// Numbers of valid credentials.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct InForce {
    /// Sessions.
    pub sessions: i64,
    /// Personal access tokens.
    pub tokens: i64,
    /// Connected apps, counted once per user and app.
    pub connected_apps: i64,
}

/// The state of the database after restoring a backup.
#[derive(Debug, Clone, Copy)]
pub struct Restored {
    /// Time of the last change in the backup in Unix milliseconds.
    pub last_change_at: Option<i64>,
    /// Credentials that are valid again.
    pub in_force: InForce,
}

/// Records in the audit log that a backup was restored, and returns the restored state. `now` is in Unix milliseconds.
pub async fn restored(db: &Db, now: i64) -> Result<Restored> {
    db.write(move |conn| {
        let last_change_at = store::instance::last_change_at(conn)?;
        let details = json!({ "lastChangeAt": last_change_at });
        insert_audit_event(conn, now, "instance.restore", None, None, &details)?;
        Ok((Restored { last_change_at, in_force: store::instance::in_force(conn, now)? }, Vec::new()))
    })
    .await
}
