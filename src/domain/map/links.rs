//! External links of components: plain addresses, or pages of the wiki.

use rusqlite::Connection;

pub use super::model::links::{Link, LinkKind, NewLink};
pub(in crate::domain) use super::store::links::of_component;
use super::{components, store};
use crate::{
    domain::{
        core::{EditTx, Reads, RowMetadata, ViewTx, WorkspaceKey, list_rows},
        paging::{Page, Paging},
        values::{Properties, WebAddress},
    },
    error::{Error, Problem, Result},
    wiki::{self, Address, ObjectKind, Resolved},
};

const NOT_FOUND: Error = Error::NotFound("link");

/// Lists the links of a component, in creation order.
pub fn list(tx: &ViewTx<'_>, component_id: &str, paging: &Paging) -> Result<Page<Link>> {
    components::find(tx, component_id)?;
    store::links::of_component(tx.core().conn, &tx.key(), component_id, &paging.window("links")?)
}

/// Adds a plain link to a component. A wiki address must be looked up first: see
/// `Wiki::link`.
pub fn create(tx: &mut EditTx<'_>, component_id: &str, new: NewLink) -> Result<Link> {
    create_resolved(tx, component_id, new, None)
}

/// Adds a link with the metadata that the wiki returned for its address.
pub(in crate::domain) fn create_resolved(
    tx: &mut EditTx<'_>,
    component_id: &str,
    new: NewLink,
    resolved: Option<Resolved>,
) -> Result<Link> {
    let component = components::find(tx, component_id)?;
    if target(&new)?.is_some() && resolved.is_none() {
        return Err(Error::WikiMisconfigured);
    }
    let plain = plain(&component.workspace_id, component.id, new.url);
    let now = tx.core().now;
    tx.create(match resolved {
        Some(resolved) => filled(plain, resolved, now),
        None => plain,
    })
}

/// Builds a plain link without an id.
pub(in crate::domain) fn plain(workspace_id: &str, component_id: String, url: WebAddress) -> Link {
    Link {
        id: 0,
        workspace_id: workspace_id.to_owned(),
        component_id,
        kind: LinkKind::Url,
        url: url.into(),
        target_id: None,
        title: None,
        icon: None,
        fetched_at: None,
        properties: Properties::default(),
        metadata: RowMetadata::default(),
    }
}

/// Copies the metadata from the wiki into a link.
fn filled(link: Link, resolved: Resolved, now: i64) -> Link {
    Link {
        kind: resolved.kind.into(),
        target_id: Some(resolved.id),
        title: Some(resolved.title),
        icon: resolved.icon,
        fetched_at: Some(now),
        ..link
    }
}

/// Deletes a link.
pub fn delete(tx: &mut EditTx<'_>, component_id: &str, id: i64) -> Result<()> {
    let link = find(tx, component_id, id)?;
    tx.expect(&link)?;
    tx.delete(&link)
}

/// Updates a link with the current metadata from the wiki.
///
/// Returns the link and whether title, icon and target are unchanged. A plain link is always unchanged, because it has
/// no metadata.
pub(in crate::domain) fn refresh(
    tx: &mut EditTx<'_>,
    component_id: &str,
    id: i64,
    resolved: Option<Resolved>,
) -> Result<(Link, bool)> {
    let before = find(tx, component_id, id)?;
    let Some(resolved) = resolved.filter(|_| before.kind != LinkKind::Url) else { return Ok((before, true)) };
    let after = filled(before.clone(), resolved, tx.core().now);
    let unchanged = Link { fetched_at: before.fetched_at, ..after.clone() } == before;
    Ok((tx.update(&before, after)?, unchanged))
}

/// Updates a link if it still exists and its metadata has changed. Returns whether it was updated.
pub(in crate::domain) fn refresh_in_background(
    tx: &mut EditTx<'_>,
    component_id: &str,
    id: i64,
    resolved: &Resolved,
) -> Result<bool> {
    let found: Option<Link> = tx.find(&id.to_string())?;
    let found = found.filter(|link| link.component_id == component_id && link.kind != LinkKind::Url);
    let Some(before) = found else { return Ok(false) };
    let after = filled(before.clone(), resolved.clone(), tx.core().now);
    if (Link { fetched_at: before.fetched_at, ..after.clone() }) == before {
        return Ok(false);
    }
    tx.update(&before, after).map(|_| true)
}

/// The wiki id that a new link points to, and its likely kind; none for a plain link.
///
/// A wiki address must contain the id of a page or database, whether or not the wiki is connected.
pub(in crate::domain) fn target(new: &NewLink) -> Result<Option<(String, ObjectKind)>> {
    match (new.kind, wiki::read(new.url.url())) {
        (Some(LinkKind::Url), _) | (None, Address::Elsewhere) => Ok(None),
        (_, Address::Elsewhere | Address::WithoutId) => Err(Error::invalid("url", Problem::NotAWikiUrl)),
        (kind, Address::Target { id }) => Ok(Some((id, kind.unwrap_or(LinkKind::WikiPage).likely()))),
    }
}

/// The wiki id that an existing link points to, and its likely kind; none for a plain link.
///
/// The stored target id takes precedence over the id in the address. A link from an imported file may have neither;
/// this is an error.
pub(in crate::domain) fn target_of(
    kind: LinkKind,
    target_id: Option<&str>,
    url: &str,
) -> Result<Option<(String, ObjectKind)>> {
    if kind == LinkKind::Url {
        return Ok(None);
    }
    let of_address = || match wiki::read(WebAddress::new(url).ok()?.url()) {
        Address::Target { id } => Some(id),
        _ => None,
    };
    let id =
        target_id.and_then(wiki::id).or_else(of_address).ok_or_else(|| Error::invalid("url", Problem::NotAWikiUrl))?;
    Ok(Some((id, kind.likely())))
}

/// Returns a link of a component.
pub(in crate::domain) fn find(tx: &ViewTx<'_>, component_id: &str, id: i64) -> Result<Link> {
    components::find(tx, component_id)?;
    let link: Link = tx.existing(&id.to_string())?;
    if link.component_id == component_id { Ok(link) } else { Err(NOT_FOUND) }
}

/// All links of a workspace, in list order.
pub(in crate::domain) fn rows(conn: &Connection, of: &WorkspaceKey<'_>) -> Result<Vec<Link>> {
    list_rows(conn, of)
}
