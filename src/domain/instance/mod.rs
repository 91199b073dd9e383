//! Public information about the instance, and operator events such as key rotation and restore.

pub mod audit;
pub mod integrity;
pub mod maintenance;
pub mod model;
pub mod overview;
pub mod sealed;
mod store;

use rusqlite::Connection;
use serde_json::{Value, json};

pub use self::model::{AccessList, CredentialCounts, RestorePolicy, RestoredDatabase, SignInConfig};
use super::{
    accounts::{credentials, password_reset},
    core::{PublicTx, Reads, SystemTx, insert_audit_event},
    mail, notifications, settings, users,
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
        emails: mail::is_on(core),
        password_reset: password_reset::is_on(core),
    })
}

/// Records in the audit log that session JWTs are signed with a new key.
pub fn key_rotated(tx: &mut SystemTx<'_>, kid: &str) -> Result<()> {
    tx.core().audit("key.rotate", None, &json!({ "kid": kid }))
}

/// Records a backup or its failure in the audit log.
pub fn backup_event(tx: &mut SystemTx<'_>, kind: &str, details: &Value) -> Result<()> {
    tx.core().audit(kind, None, details)
}

/// Time and reason of the last failed backup, unless a scheduled backup succeeded since. Unix milliseconds.
pub fn last_backup_failure(conn: &Connection) -> Result<Option<(i64, String)>> {
    store::instance::last_backup_failure(conn)
}

/// Time of the last logged change, if any, in Unix milliseconds.
pub fn last_change_at(conn: &Connection) -> Result<Option<i64>> {
    store::instance::last_change_at(conn)
}

/// Finishes restoring a backup: ends credentials and records the restore in the audit log. `now` is in Unix
/// milliseconds.
pub async fn restored(db: &Db, policy: RestorePolicy, now: i64) -> Result<RestoredDatabase> {
    db.write(move |conn| {
        let last_change_at = store::instance::last_change_at(conn)?;
        let before = store::instance::credential_counts(conn, now)?;
        if !policy.keep_sessions {
            credentials::end_all_sessions(conn, now)?;
            credentials::disconnect_all_apps(conn, now)?;
        }
        if policy.revoke_tokens {
            credentials::revoke_all_tokens(conn, now)?;
        }
        notifications::drop_mails(conn)?;
        let valid = store::instance::credential_counts(conn, now)?;
        let ended = CredentialCounts {
            sessions: before.sessions - valid.sessions,
            tokens: before.tokens - valid.tokens,
            connected_apps: before.connected_apps - valid.connected_apps,
        };
        let details = json!({
            "lastChangeAt": last_change_at, "endedSessions": ended.sessions, "revokedTokens": ended.tokens,
            "disconnectedApps": ended.connected_apps,
        });
        insert_audit_event(conn, now, "instance.restore", None, None, &details)?;
        Ok((RestoredDatabase { last_change_at, ended, valid }, Vec::new()))
    })
    .await
}

/// Lists who has access. Fails for a database of another schema version.
pub fn access_list(conn: &Connection) -> Result<AccessList> {
    store::instance::access_list(conn)
}
