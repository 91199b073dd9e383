//! Icons of wiki objects, and the URLs of uploaded icons. These URLs always come from the wiki, never from a client.

use std::time::Duration;

use super::{Wiki, connection, store};
use crate::{
    domain::core::{Call, OrgTx, Reads, access::Member},
    error::{Error, Result},
    secret::Secret,
    wiki::{self, ConnectionAccess, Icon, ObjectKind},
};

impl Wiki {
    /// The active organization, and the icon of a page or database; without an id, the icon of the connected wiki. Uses
    /// recently listed icons, otherwise calls the wiki.
    pub(in crate::domain) async fn icon(
        &self,
        call: Call<Member>,
        id: Option<String>,
    ) -> Result<(String, Option<String>)> {
        let read = |tx: &OrgTx<'_>| {
            let (core, organization_id) = (tx.core(), tx.organization_id()?);
            let icon = store::find(core.conn, organization_id)?.and_then(|connection| connection.workspace_icon);
            Ok((organization_id.to_owned(), icon, connection::of(core, organization_id)))
        };
        let (organization_id, own, connection) = self.gate().read(call, (), read).await?;
        let Some(id) = id else { return connection.map(|_| (organization_id, own)) };
        let wrong = || Error::invalid("id", "must be 32 hexadecimal digits, with dashes or without");
        let id = wiki::id(&id).ok_or_else(wrong)?;
        let icon = self.request(connection?, move |access: &ConnectionAccess<'_>| access.icon(&id)).await?;
        Ok((organization_id, icon))
    }

    /// URL of an upload in an organization's wiki, if it was read recently. Does not call the wiki.
    pub(in crate::domain) fn recent_upload_url(&self, organization_id: &str, icon: &str) -> Option<Secret> {
        self.0.client.signed(organization_id, icon)
    }

    /// Reads the current icon of a page or database from the wiki. The caller must have checked that the user can see
    /// it. Fails without a call if the connection is marked as broken.
    pub(in crate::domain) async fn current_icon(
        &self,
        organization_id: &str,
        (id, likely): (String, ObjectKind),
    ) -> Result<Option<Icon>> {
        let connection = self.connection(organization_id).await?;
        if connection.is_broken {
            return Err(Error::WikiAccessDenied);
        }
        self.request(connection, move |access: &ConnectionAccess<'_>| access.current_icon(&id, likely)).await
    }

    /// Delay between two background requests.
    pub(in crate::domain) fn background_delay(&self) -> Duration {
        self.0.client.background_delay()
    }
}
