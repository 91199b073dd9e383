//! Status of a wiki connection for administrators.

use serde::{Deserialize, Serialize};

use super::{
    Wiki,
    connection::{self, ConnectionKind},
    refresh::WikiRefresh,
    store,
};
use crate::{
    describe::ToSchema,
    domain::{
        core::{Call, OrgConnectionTx, Reads, SystemTx, access::ConnectionManager},
        settings,
    },
    error::Result,
    wiki::{ConnectionAccess, OauthClient},
};

/// Connection of an organization to a wiki.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WikiStatus {
    /// Whether the organization is connected.
    pub configured: bool,
    /// Whether an OAuth client is configured, so that an administrator can connect the organization in a browser.
    pub oauth_ready: bool,
    /// Redirect URI to register at the provider.
    #[schema(example = "https://plans.example.org/api/auth/wiki/callback")]
    pub redirect_uri: String,
    /// Id of the workspace in the wiki.
    #[schema(required)]
    pub workspace_id: Option<String>,
    /// Name of the workspace in the wiki.
    #[schema(required, example = "Acme")]
    pub workspace_name: Option<String>,
    /// Icon of the workspace in the wiki: an emoji or a URL.
    #[schema(required, example = "🛒")]
    pub workspace_icon: Option<String>,
    /// Id of the integration in the wiki.
    #[schema(required)]
    pub bot_id: Option<String>,
    /// Name of the wiki user who authorized the connection.
    #[schema(required, example = "Ada Lovelace")]
    pub owner_name: Option<String>,
    /// How it was connected.
    #[schema(required)]
    pub kind: Option<ConnectionKind>,
    /// Time when the wiki was connected, in Unix milliseconds.
    #[schema(required)]
    pub connected_at: Option<i64>,
    /// Time since when the wiki rejects the connection, in Unix milliseconds; null while the connection works. Connect
    /// again to fix it.
    #[schema(required)]
    pub broken_since: Option<i64>,
    /// Refresh of all links: the running one, otherwise the last one since the server started.
    #[schema(required)]
    pub refresh: Option<WikiRefresh>,
}

/// Result of a connection test.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WikiTest {
    /// Always true. A failed test returns an error.
    pub ok: bool,
    /// Id of the integration in the wiki.
    pub bot_id: String,
    /// Name of the integration in the wiki.
    #[schema(required, example = "Planroom")]
    pub name: Option<String>,
    /// Name of the workspace in the wiki.
    #[schema(required, example = "Acme")]
    pub workspace_name: Option<String>,
    /// Name of the wiki user who authorized the connection.
    #[schema(required, example = "Ada Lovelace")]
    pub owner: Option<String>,
}

/// A connection in the operator's list.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedConnection {
    org: String,
    kind: ConnectionKind,
    workspace_name: Option<String>,
    owner_name: Option<String>,
    connected_at: i64,
    broken_since: Option<i64>,
}

impl Wiki {
    /// Status of the active organization's connection. Does not call the wiki.
    pub async fn status(&self, call: Call<ConnectionManager>) -> Result<WikiStatus> {
        let read = |tx: &OrgConnectionTx<'_>| {
            let (core, id) = (tx.core(), tx.organization_id()?);
            Ok((id.to_owned(), store::find(core.conn, id)?, settings::wiki_client(core)?.is_some()))
        };
        let (organization_id, stored, oauth_ready) = self.gate().read(call, (), read).await?;
        let stored = stored.as_ref();
        Ok(WikiStatus {
            configured: stored.is_some(),
            oauth_ready,
            redirect_uri: self.redirect_uri().to_owned(),
            workspace_id: stored.and_then(|stored| stored.workspace_id.clone()),
            workspace_name: stored.and_then(|stored| stored.workspace_name.clone()),
            workspace_icon: stored.and_then(|stored| stored.workspace_icon.clone()),
            bot_id: stored.and_then(|stored| stored.bot_id.clone()),
            owner_name: stored.and_then(|stored| stored.owner_name.clone()),
            kind: stored.map(|stored| stored.kind),
            connected_at: stored.map(|stored| stored.connected_at),
            broken_since: stored.and_then(|stored| stored.broken_since),
            refresh: self.progress(&organization_id),
        })
    }

    /// Tests the connection by asking the wiki for the integration's identity.
    pub async fn test(&self, call: Call<ConnectionManager>) -> Result<WikiTest> {
        let read = |tx: &OrgConnectionTx<'_>| connection::of(tx.core(), tx.organization_id()?);
        let connection = self.gate().read(call, (), read).await?;
        let bot = self.request(connection, |access: &ConnectionAccess<'_>| access.me()).await?;
        Ok(WikiTest { ok: true, bot_id: bot.id, name: bot.name, workspace_name: bot.workspace_name, owner: bot.owner })
    }
}

/// Lists all connections, for the operator.
pub fn list(tx: &mut SystemTx<'_>) -> Result<Vec<ListedConnection>> {
    let all = store::by_slug(tx.core().conn)?;
    let listed = |(org, stored): (String, store::StoredConnection)| ListedConnection {
        org,
        kind: stored.kind,
        workspace_name: stored.workspace_name,
        owner_name: stored.owner_name,
        connected_at: stored.connected_at,
        broken_since: stored.broken_since,
    };
    Ok(all.into_iter().map(listed).collect())
}

/// OAuth client of this instance at the wiki provider, for the operator; none if not configured.
pub fn client_status(tx: &mut SystemTx<'_>) -> Result<Option<OauthClient>> {
    settings::wiki_client(tx.core())
}
