//! Public information about the instance, and operator events such as key rotation and restore.

pub mod audit;
pub mod maintenance;
pub mod model;
pub mod overview;
pub mod sealed;
mod store;

use serde_json::json;

pub use self::model::{CredentialCounts, RestoredDatabase, SignInConfig};
use super::{
    core::{PublicTx, Reads, SystemTx, insert_audit_event},
    settings, users,
};
use crate::{db::Db, error::Result};

/// Returns the public sign-in configuration of the instance.
pub fn sign_in_config(tx: &PublicTx<'_>) -> Result<SignInConfig> {
    let core = tx.core();
    let provider = core.shared.sessions.external.as_ref().filter(|external| external.signs_in);
    let passwords = !core.shared.sessions.sso_only();
    Ok(SignInConfig {
        methods: passwords.then_some("password").into_iter().chain(provider.map(|_| "oidc")).collect(),
        provider_name: provider.map(|external| external.name.clone()),
        instance_name: settings::instance_name(core)?,
        has_users: users::any(core.conn)?,
        waitlist_open: settings::waitlist_is_open(core)?,
    })
}

/// Records in the audit log that session JWTs are signed with a new key.
pub fn key_rotated(tx: &mut SystemTx<'_>, kid: &str) -> Result<()> {
    tx.core().audit("key.rotate", None, &json!({ "kid": kid }))
}

/// Records in the audit log that a backup was restored, and returns the restored state. `now` is in Unix milliseconds.
pub async fn restored(db: &Db, now: i64) -> Result<RestoredDatabase> {
    db.write(move |conn| {
        let last_change_at = store::instance::last_change_at(conn)?;
        let details = json!({ "lastChangeAt": last_change_at });
        insert_audit_event(conn, now, "instance.restore", None, None, &details)?;
        Ok((
            RestoredDatabase { last_change_at, credentials: store::instance::credential_counts(conn, now)? },
            Vec::new(),
        ))
    })
    .await
}
