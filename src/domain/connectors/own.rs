//! Connected apps as the user sees them.

use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::HIDDEN;
use crate::{
    domain::{
        access::{Reads, SelfTx},
        paging::{Page, Paging},
        store,
    },
    error::Result,
};

/// A connected app: an app that may act for the user in one organization.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Connector {
    /// Client id of the app.
    #[schema(example = "mcp_0190b1f4c0de7c0f8f6e2a51c3a5d7e1")]
    pub client_id: String,
    /// Display name of the app.
    #[schema(example = "Claude")]
    pub name: String,
    /// Id of the organization in which the app may act.
    #[schema(example = "org_2x7Yk")]
    pub org_id: String,
    /// Whether the app has write access.
    pub can_write: bool,
    /// Time of the first authorization in Unix milliseconds.
    pub created_at: i64,
    /// Time of last use in Unix milliseconds, accurate to one minute.
    #[schema(required)]
    pub last_used_at: Option<i64>,
}

/// Lists the caller's connected apps, by app and organization, in the order in which they were first authorized.
pub fn list(tx: &SelfTx<'_>, paging: &Paging) -> Result<Page<Connector>> {
    store::connectors::of_user(tx.core().conn, tx.caller().user_id, &paging.window("connectors")?)
}

/// Disconnects an app: revokes all its grants for the caller. Its tokens are invalid from the next request on.
pub fn disconnect(tx: &mut SelfTx<'_>, client_id: &str) -> Result<()> {
    let (core, user_id) = (tx.core(), tx.caller().user_id);
    let ended = store::connectors::revoke_all(core.conn, client_id, user_id, core.now)?;
    if ended == 0 {
        return Err(HIDDEN);
    }
    core.audit("connector.disconnect", Some(user_id), &json!({ "clientId": client_id, "grants": ended }))
}
