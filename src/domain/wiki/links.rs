//! Links to the wiki: looked up before they are made, and again when somebody wants to know.

use std::collections::HashMap;

use serde_json::Value;

use super::{
    Wiki,
    connection::{self, Connection},
};
use crate::{
    domain::{
        access::{Ahead, Call, EditTx, Reads},
        components, images,
        links::{self, Link, NewLink},
        operations::ChangeSet,
    },
    error::{Error, Result},
    wiki::{Access, Kind, Resolved},
};

/// Most pages of the wiki that are looked up for one request.
const MAX_LOOK_UPS: usize = 20;

impl Wiki {
    /// Links a component to an address. What is the wiki's is looked up there first; when that fails nothing is made.
    pub async fn link(&self, call: Call, workspace: String, component: String, new: NewLink) -> Result<Link> {
        // What is wrong with the address is told to those who may make links: in the transaction below.
        let resolved = match links::target(&new) {
            Ok(Some((id, likely))) => {
                let at = component.clone();
                let ahead = move |tx: &EditTx<'_>| {
                    components::find(tx, &at)?;
                    of_workspace(tx)
                };
                match self.gate().edit_ahead(call.clone(), workspace.clone(), ahead).await? {
                    Ahead::Answered(link) => return Ok(link),
                    Ahead::Go(connection) => Some(self.resolve(connection, id, likely).await?),
                }
            }
            _ => None,
        };
        self.gate().edit(call, workspace, move |tx| ChangeSet::new(tx).create_link(&component, new, resolved)).await
    }

    /// Looks up the pages of the wiki that new links of a request lead to, by the index of the operation. Links that need no
    /// look-up are left out; so are those whose address is wrong, which is reported when they are created.
    pub(in crate::domain) async fn resolve_new_links(
        &self,
        call: &Call,
        workspace: &str,
        new: Vec<(usize, NewLink)>,
    ) -> Result<HashMap<usize, Resolved>> {
        let target = |(index, new): (usize, NewLink)| Some((index, links::target(&new).ok()??));
        let targets: Vec<(usize, (String, Kind))> = new.into_iter().filter_map(target).collect();
        if targets.is_empty() {
            return Ok(HashMap::new());
        }
        if targets.len() > MAX_LOOK_UPS {
            let text =
                format!("must create at most {MAX_LOOK_UPS} links to pages of the wiki; `kind` `url` needs no look-up");
            return Err(Error::invalid("operations", text));
        }
        let ahead = |tx: &EditTx<'_>| of_workspace(tx);
        let connection = match self.gate().edit_ahead::<Value, _, _>(call.clone(), workspace.to_owned(), ahead).await? {
            // A repeated request writes nothing.
            Ahead::Answered(_) => return Ok(HashMap::new()),
            Ahead::Go(connection) => connection,
        };
        let mut resolved = HashMap::new();
        for (index, (id, likely)) in targets {
            resolved.insert(index, self.resolve(connection.clone(), id, likely).await?);
        }
        Ok(resolved)
    }

    /// Looks up again what a link leads to. Answers with the link and whether it is as it was; a plain one always is, and
    /// nobody is asked. When it fails the link stays as it is.
    pub async fn refresh_link(
        &self,
        call: Call,
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
        let resolved = match self.gate().edit_ahead(call.clone(), workspace.clone(), ahead).await? {
            Ahead::Answered(answer) => return Ok(answer),
            Ahead::Go(None) => None,
            Ahead::Go(Some((connection, (id, likely)))) => Some(self.resolve(connection, id, likely).await?),
        };
        let refresh = move |tx: &mut EditTx<'_>| {
            let (link, unchanged) = links::refresh(tx, &component, id, resolved)?;
            images::another_chance(tx.core(), tx.workspace().org_id.as_deref(), link.icon.as_deref())?;
            Ok((link, unchanged))
        };
        self.gate().edit(call, workspace, refresh).await
    }

    /// Looks up a page or database.
    pub(super) async fn resolve(&self, connection: Connection, id: String, likely: Kind) -> Result<Resolved> {
        self.ask(connection, move |access: &Access<'_>| access.resolve(&id, likely)).await
    }
}

/// The connection of the organization that a workspace is in.
fn of_workspace(tx: &EditTx<'_>) -> Result<Connection> {
    connection::of(tx.core(), tx.workspace().org_id.as_deref().unwrap_or_default())
}
