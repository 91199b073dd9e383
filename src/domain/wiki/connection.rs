//! The wiki connection of an organization: reading, decrypting, renewing, and marking it.

use std::{
    sync::{Arc, PoisonError},
    time::Instant,
};

use serde_json::json;

pub(in crate::domain) use super::model::Connection;
pub use super::model::ConnectionKind;
use super::{
    REQUEST_TIMEOUT, Wiki,
    store::{self, StoredConnection},
    to_error,
};
use crate::{
    domain::{
        core::{Core, Reads, SystemTx, insert_audit_event},
        settings,
    },
    error::{Error, Result},
    wiki::{OauthClient, Secret, Tokens, WikiError},
};

/// Encryption purpose of access tokens; combined with the organization id.
pub(in crate::domain) const ACCESS_TOKEN: &str = "access";

/// Encryption purpose of a token.
pub(in crate::domain) fn purpose(organization_id: &str, which: &str) -> String {
    format!("wiki {which} {organization_id}")
}

/// Connection of an organization. Fails if there is none, or if it cannot be renewed because no OAuth client is
/// configured.
pub(super) fn of(core: &Core<'_>, organization_id: &str) -> Result<Connection> {
    let stored = store::find(core.conn, organization_id)?.ok_or(Error::WikiMisconfigured)?;
    let client = settings::wiki_client(core)?;
    if stored.kind == ConnectionKind::Oauth && client.is_none() {
        return Err(Error::WikiMisconfigured);
    }
    decrypt(core, stored, client)
}

/// Decrypts a connection. Fails if it was encrypted with other keys.
pub(super) fn decrypt(core: &Core<'_>, stored: StoredConnection, client: Option<OauthClient>) -> Result<Connection> {
    let open = |which: &str, sealed: &[u8]| {
        let opened = core.shared.keys.open(&purpose(&stored.organization_id, which), sealed).ok();
        opened.and_then(|bytes| String::from_utf8(bytes).ok()).map(Secret::new)
    };
    let access = open(ACCESS_TOKEN, &stored.access_token);
    let refresh = stored.refresh_token.as_deref().map(|sealed| open("refresh", sealed));
    let (Some(access), None | Some(Some(_))) = (access, &refresh) else {
        tracing::warn!(
            organization = stored.organization_id,
            "its wiki was connected under other keys; connect it again"
        );
        return Err(Error::WikiMisconfigured);
    };
    Ok(Connection {
        access,
        refresh: refresh.flatten(),
        is_broken: stored.broken_since.is_some(),
        state: stored.access_token,
        organization_id: stored.organization_id,
        client,
    })
}

/// Encrypts the access token and the refresh token.
fn encrypt(core: &Core<'_>, organization_id: &str, tokens: &Tokens) -> Result<(Vec<u8>, Option<Vec<u8>>)> {
    let seal = |which: &str, token: &Secret| {
        core.shared.keys.seal(&purpose(organization_id, which), token.reveal().as_bytes())
    };
    let refresh = tokens.refresh.as_ref().map(|token| seal("refresh", token)).transpose()?;
    Ok((seal(ACCESS_TOKEN, &tokens.access)?, refresh))
}

/// Connects an organization, replacing any existing connection.
pub(super) fn save(
    core: &Core<'_>,
    organization_id: &str,
    kind: ConnectionKind,
    tokens: &Tokens,
    by: Option<i64>,
) -> Result<()> {
    let (access_token, refresh_token) = encrypt(core, organization_id, tokens)?;
    let stored = StoredConnection {
        organization_id: organization_id.to_owned(),
        kind,
        access_token,
        refresh_token,
        bot_id: tokens.bot_id.clone(),
        workspace_id: tokens.workspace_id.clone(),
        workspace_name: tokens.workspace_name.clone(),
        workspace_icon: tokens.workspace_icon.clone(),
        owner_name: tokens.owner_name.clone(),
        broken_since: None,
        connected_by: by,
        connected_at: core.now,
    };
    store::put(core.conn, &stored)?;
    audit(core, organization_id, by, "wiki.connect", &json!({ "kind": kind, "workspace": tokens.workspace_name }))
}

/// Writes an audit event about the connection of an organization, which need not be the caller's.
pub(super) fn audit(
    core: &Core<'_>,
    organization_id: &str,
    by: Option<i64>,
    kind: &str,
    details: &serde_json::Value,
) -> Result<()> {
    insert_audit_event(core.conn, core.origin(), kind, by, Some(organization_id), details)
}

impl Wiki {
    /// Connection with newer tokens than `used`; none if the tokens cannot be renewed. The refresh continues if the
    /// request is canceled, because its response is the only way to get the next tokens.
    pub(super) async fn renewed(&self, used: &Connection, deadline: Instant) -> Result<Option<Connection>> {
        let (wiki, used) = (self.clone(), used.clone());
        let task = tokio::spawn(async move { wiki.renew(used).await });
        match tokio::time::timeout_at(deadline.into(), task).await {
            Ok(Ok(renewed)) => renewed,
            Ok(Err(error)) => Err(Error::internal(error)),
            Err(_) => {
                Err(to_error(&WikiError::Unavailable { cause: "the refresh takes long".into(), retry_after: None }))
            }
        }
    }

    async fn renew(&self, used: Connection) -> Result<Option<Connection>> {
        let lock = {
            let mut locks = self.0.refreshing.lock().unwrap_or_else(PoisonError::into_inner);
            // Organizations without a running refresh need no entry.
            locks.retain(|_, lock| Arc::strong_count(lock) > 1);
            Arc::clone(locks.entry(used.organization_id.clone()).or_default())
        };
        let _guard = lock.lock().await;
        // Another request may have refreshed the tokens already.
        let now = self.connection(&used.organization_id).await?;
        if now.state != used.state {
            return Ok(Some(now));
        }
        let (Some(client), Some(token)) = (now.client.clone(), now.refresh.clone()) else { return Ok(None) };
        let (wiki, deadline, oauth_client) = (self.clone(), Instant::now() + REQUEST_TIMEOUT, client.clone());
        let response = self.on_pool(move || wiki.0.client.refresh(&oauth_client, &token, deadline)).await?;
        let tokens = match response {
            Ok(tokens) => tokens,
            Err(WikiError::Denied(_) | WikiError::Unauthorized) => return Ok(None),
            Err(problem) => return Err(to_error(&problem)),
        };
        let access = tokens.access.clone();
        let renewed = self.gate().aside(move |tx| rotate(tx, &now, tokens)).await;
        if matches!(renewed, Err(Error::WikiMisconfigured)) {
            // The connection was removed and its old token revoked in the meantime. The new token belongs to no
            // connection.
            self.revoke(client, access).await;
        }
        renewed.map(Some)
    }

    /// Reads the connection of an organization.
    pub(super) async fn connection(&self, organization_id: &str) -> Result<Connection> {
        let id = organization_id.to_owned();
        self.gate().aside_view(move |tx| of(tx.core(), &id)).await
    }

    /// Marks a connection as broken or working, unless it has changed since it was read.
    pub(super) async fn mark(&self, connection: &Connection, broken: bool) -> Result<()> {
        let connection = connection.clone();
        self.gate().aside(move |tx| mark(tx, &connection, broken)).await
    }
}

/// Stores new tokens, both in one write. If the organization was connected again in the meantime, the new connection
/// stays unchanged.
fn rotate(tx: &mut SystemTx<'_>, from: &Connection, mut tokens: Tokens) -> Result<Connection> {
    // If the provider sends no refresh token, the old one stays valid.
    tokens.refresh = tokens.refresh.or_else(|| from.refresh.clone());
    let core = tx.core();
    let (access, refresh) = encrypt(core, &from.organization_id, &tokens)?;
    store::rotate(core.conn, &from.organization_id, &from.state, &access, refresh.as_deref())?;
    of(core, &from.organization_id)
}

fn mark(tx: &mut SystemTx<'_>, connection: &Connection, broken: bool) -> Result<()> {
    let core = tx.core();
    let since = broken.then_some(core.now);
    if store::mark(core.conn, &connection.organization_id, &connection.state, since)? {
        let kind = if broken { "wiki.broken" } else { "wiki.mended" };
        audit(core, &connection.organization_id, None, kind, &json!({}))?;
    }
    Ok(())
}
