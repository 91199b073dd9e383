//! Links to the wiki: looked up before they are created, and when they are refreshed.

use std::collections::HashMap;

use serde_json::Value;

use super::{
    Wiki,
    connection::{self, Connection},
};
use crate::{
    domain::{
        core::{Call, EditTx, Prepared, Reads, access::Editor},
        images,
        map::{
            components,
            links::{self, Link, NewLink},
        },
    },
    error::{Error, Result},
    wiki::{ConnectionAccess, ObjectKind, Resolved},
};

/// Maximum number of wiki pages looked up per request.
const MAX_LOOK_UPS: usize = 20;

impl Wiki {
    /// Creates a link of a component. Looks up a link to the wiki first; if that fails, no link is created.
    pub async fn link(&self, call: Call<Editor>, workspace: String, component: String, new: NewLink) -> Result<Link> {
        // An invalid URL is reported by the transaction below, after the permission check.
        let resolved = match links::target(&new) {
            Ok(Some((id, likely))) => {
                let at = component.clone();
                let ahead = move |tx: &EditTx<'_>| {
                    components::find(tx, &at)?;
                    of_workspace(tx)
                };
                match self.gate().prepare(call.clone(), workspace.clone(), ahead).await? {
                    Prepared::Answered(link) => return Ok(link),
                    Prepared::Ready(connection) => Some(self.resolve(connection, id, likely).await?),
                }
            }
            _ => None,
        };
        self.gate().write(call, workspace, move |tx| links::create_resolved(tx, &component, new, resolved)).await
    }

    /// Looks up the wiki pages of a request's new links, by index of the operation. Skips links that need no lookup and
    /// links with an invalid URL, which is reported when the link is created.
    pub(in crate::domain) async fn resolve_new_links(
        &self,
        call: &Call<Editor>,
        workspace: &str,
        new: Vec<(usize, NewLink)>,
    ) -> Result<HashMap<usize, Resolved>> {
        let target = |(index, new): (usize, NewLink)| Some((index, links::target(&new).ok()??));
        let targets: Vec<(usize, (String, ObjectKind))> = new.into_iter().filter_map(target).collect();
        if targets.is_empty() {
            return Ok(HashMap::new());
        }
        if targets.len() > MAX_LOOK_UPS {
            let text =
                format!("must create at most {MAX_LOOK_UPS} links to pages of the wiki; `kind` `url` needs no look-up");
            return Err(Error::invalid("operations", text));
        }
        let ahead = |tx: &EditTx<'_>| of_workspace(tx);
        let connection = match self.gate().prepare::<_, Value, _, _>(call.clone(), workspace.to_owned(), ahead).await? {
            // A repeated request writes nothing.
            Prepared::Answered(_) => return Ok(HashMap::new()),
            Prepared::Ready(connection) => connection,
        };
        let mut resolved = HashMap::new();
        for (index, (id, likely)) in targets {
            resolved.insert(index, self.resolve(connection.clone(), id, likely).await?);
        }
        Ok(resolved)
    }

    /// Looks up the target of a link again. Returns the link and whether it is unchanged. A link to another site is
    /// always unchanged and needs no call. If the lookup fails, the link stays unchanged.
    pub async fn refresh_link(
        &self,
        call: Call<Editor>,
        workspace: String,
        component: String,
        id: i64,
    ) -> Result<(Link, bool)> {
        let at = component.clone();
        let ahead = move |tx: &EditTx<'_>| {
            let link = links::find(tx, &at, id)?;
            let target = links::target_of(link.kind, link.target_id.as_deref(), &link.url)?;
            target.map(|target| Ok((of_workspace(tx)?, target))).transpose()
        };
        let resolved = match self.gate().prepare(call.clone(), workspace.clone(), ahead).await? {
            Prepared::Answered(answer) => return Ok(answer),
            Prepared::Ready(None) => None,
            Prepared::Ready(Some((connection, (id, likely)))) => Some(self.resolve(connection, id, likely).await?),
        };
        let refresh = move |tx: &mut EditTx<'_>| {
            let (link, unchanged) = links::refresh(tx, &component, id, resolved)?;
            images::reset_failures(tx.core(), tx.workspace().org_id.as_deref(), link.icon.as_deref())?;
            Ok((link, unchanged))
        };
        self.gate().write(call, workspace, refresh).await
    }

    /// Looks up a page or database.
    pub(super) async fn resolve(&self, connection: Connection, id: String, likely: ObjectKind) -> Result<Resolved> {
        self.request(connection, move |access: &ConnectionAccess<'_>| access.resolve(&id, likely)).await
    }
}

/// The connection of the organization that a workspace is in.
fn of_workspace(tx: &EditTx<'_>) -> Result<Connection> {
    connection::of(tx.core(), tx.workspace().org_id.as_deref().unwrap_or_default())
}
