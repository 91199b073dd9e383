//! Icons of what the wiki has: which they are, and where those are that were uploaded. The wiki says so and no caller does.

use std::time::Duration;

use super::{Wiki, connection};
use crate::{
    domain::{
        access::{Call, OrgTx, Reads},
        store,
    },
    error::{Error, Result},
    secret::Secret,
    wiki::{self, Access, Icon, Kind},
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

    /// Where an upload is that an organization's wiki has, when that was read lately. Nobody is asked.
    pub(in crate::domain) fn signed_lately(&self, organization_id: &str, icon: &str) -> Option<Secret> {
        self.0.client.signed(organization_id, icon)
    }

    /// The icon of a page or database as it is now, for a picture that somebody may see. A connection that the wiki refuses
    /// is not tried with it.
    pub(in crate::domain) async fn icon_anew(
        &self,
        organization_id: &str,
        (id, likely): (String, Kind),
    ) -> Result<Option<Icon>> {
        let connection = self.connection(organization_id).await?;
        if connection.is_broken {
            return Err(Error::WikiAccessDenied);
        }
        self.ask(connection, move |access: &Access<'_>| access.icon_anew(&id, likely)).await
    }

    /// How long is left between two questions that nobody waits for.
    pub(in crate::domain) fn leisure(&self) -> Duration {
        self.0.client.leisure()
    }
}
