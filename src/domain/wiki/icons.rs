//! Icons of what the wiki lists: their addresses, which the wiki says and no caller does.

use super::{Wiki, connection};
use crate::{
    domain::{
        access::{Call, OrgTx, Reads},
        store,
    },
    error::{Error, Result},
    wiki::{self, Access},
};

impl Wiki {
    /// The active organization, and the icon of a page or database; without an id, that of the connected wiki. What was
    /// listed lately is known; else the wiki is asked.
    pub(in crate::domain) async fn icon(&self, call: Call, id: Option<String>) -> Result<(String, Option<String>)> {
        let read = |tx: &OrgTx<'_>| {
            let (core, organization_id) = (tx.core(), tx.organization_id()?);
            let icon = store::wiki::find(core.conn, organization_id)?.and_then(|kept| kept.workspace_icon);
            Ok((organization_id.to_owned(), icon, connection::of(core, organization_id)))
        };
        let (organization_id, own, connection) = self.gate().org_read(call, read).await?;
        let Some(id) = id else { return connection.map(|_| (organization_id, own)) };
        let wrong = || Error::invalid("id", "must be 32 hexadecimal digits, with dashes or without");
        let id = wiki::id(&id).ok_or_else(wrong)?;
        let icon = self.ask(connection?, move |access: &Access<'_>| access.icon(&id)).await?;
        Ok((organization_id, icon))
    }
}
