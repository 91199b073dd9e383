//! Connected apps as the user sees them.

use serde_json::json;

use super::NOT_FOUND;
pub use crate::domain::accounts::model::connectors::Connector;
use crate::{
    domain::{
        accounts::store,
        core::{Reads, SelfTx},
        paging::{Page, Paging},
    },
    error::Result,
};

/// Lists the caller's connected apps, by app and organization, in the order in which they were first authorized.
pub fn list(tx: &SelfTx<'_>, paging: &Paging) -> Result<Page<Connector>> {
    store::connectors::of_user(tx.core().conn, tx.caller().user_id, &paging.window("connectors")?)
}

/// Disconnects an app: revokes all its grants for the caller. Its tokens are invalid from the next request on.
pub fn disconnect(tx: &mut SelfTx<'_>, client_id: &str) -> Result<()> {
    let (core, user_id) = (tx.core(), tx.caller().user_id);
    let ended = store::connectors::revoke_all(core.conn, client_id, user_id, core.now)?;
    if ended == 0 {
        return Err(NOT_FOUND);
    }
    core.audit("connector.disconnect", Some(user_id), &json!({ "clientId": client_id, "grants": ended }))
}
