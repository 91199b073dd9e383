//! Ending emails of a kind with the link in an email, without a sign-in.

use serde_json::json;

use super::{layout, store::links};
use crate::{
    auth::TokenHash,
    domain::{
        core::{Core, PublicTx, Reads},
        notifications,
    },
    error::{Error, Result},
};

const NOT_FOUND: Error = Error::NotFound("link");

/// What a link ends. It contains nothing of the account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Subscription {
    /// As in "emails about mentions".
    pub name: &'static str,
    /// Whether the link was used.
    pub is_ended: bool,
}

/// Returns what the link with this secret ends.
pub fn details(tx: &PublicTx<'_>, token: &TokenHash) -> Result<Subscription> {
    let link = expected(tx.core(), token)?;
    Ok(Subscription { name: layout::scope_name(&link.scope), is_ended: link.is_used })
}

/// Ends the emails. The link works once: programs repeat requests, and the user may have changed the setting since.
pub fn end(tx: &mut PublicTx<'_>, token: &TokenHash) -> Result<Subscription> {
    let core = tx.core();
    let link = expected(core, token)?;
    if !link.is_used {
        notifications::unsubscribe(core, link.user_id, &link.scope)?;
        links::mark_used(core.conn, token, core.now)?;
        let details = json!({ "userId": link.user_id, "scope": link.scope });
        core.audit("notifications.unsubscribe", Some(link.user_id), &details)?;
    }
    Ok(Subscription { name: layout::scope_name(&link.scope), is_ended: true })
}

fn expected(core: &Core<'_>, token: &TokenHash) -> Result<links::StoredLink> {
    links::find(core.conn, token, core.now)?.ok_or(NOT_FOUND)
}
