//! External links of components: plain addresses, or pages of the wiki.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    access::{EditTx, Reads, ViewTx, Written},
    components,
    input::{Input, objects, stamped},
    paging::{Page, Paging},
    store,
    values::{Properties, WebAddress, words},
};
use crate::{
    error::{Error, Result},
    wiki::{self, Address, Kind, Resolved},
};

const HIDDEN: Error = Error::NotFound("link");

words! {
    /// The kind of target of an external link.
    LinkKind {
        /// Any web page.
        Url = "url",
        /// A wiki page.
        WikiPage = "wiki-page",
        /// A wiki database.
        WikiDatabase = "wiki-database",
    }
}

/// An external link of a component.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Link {
    /// Link id. Ids are never reused, not even after deletion.
    pub id: i64,
    /// Workspace id.
    pub workspace_id: String,
    /// Component id.
    pub component_id: String,
    /// Kind of link target.
    pub kind: LinkKind,
    /// Address, as entered.
    pub url: String,
    /// Id of the wiki page or database.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub target_id: Option<String>,
    /// Title in the wiki.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub title: Option<String>,
    /// Icon in the wiki: an emoji, an address, or `upload:` followed by 32 hexadecimal digits for an uploaded image.
    /// Images are served by the link's `icon` endpoint; the location of an upload is never disclosed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub icon: Option<String>,
    /// Time of the last fetch of title and icon in Unix milliseconds.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub fetched_at: Option<i64>,
    /// Free-form properties.
    pub properties: Properties,
    /// Revision, timestamps and authors.
    #[serde(flatten)]
    pub written: Written,
}

/// A link to create. Title, icon and the other wiki metadata are read-only, and so are properties.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewLink {
    /// Address of the link.
    pub url: WebAddress,
    /// Kind of link target. `url` stores the address of a wiki page as a plain link. By default, the kind is derived
    /// from the address.
    #[schema(nullable = false)]
    pub kind: Option<LinkKind>,
}

objects!(NewLink);
impl Input for NewLink {
    const READ_ONLY: &'static [&'static str] = stamped!(
        "" ["id", "componentId", "targetId", "title", "icon", "fetchedAt", "properties", "workspaceId"],
    );
}

/// Lists the links of a component, in creation order.
pub fn list(tx: &ViewTx<'_>, component_id: &str, paging: &Paging) -> Result<Page<Link>> {
    components::find(tx, component_id)?;
    store::links::of_component(tx.core().conn, &tx.key(), component_id, &paging.window("links")?)
}

impl From<Kind> for LinkKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Page => Self::WikiPage,
            Kind::Database => Self::WikiDatabase,
        }
    }
}

/// Adds a plain link to a component. A wiki address must be looked up first: see
/// [`Wiki::link`](super::wiki::Wiki::link).
pub fn create(tx: &mut EditTx<'_>, component_id: &str, new: NewLink) -> Result<Link> {
    create_resolved(tx, component_id, new, None)
}

/// Adds a link with the metadata that the wiki returned for its address.
pub(super) fn create_resolved(
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
pub(super) fn plain(workspace_id: &str, component_id: String, url: WebAddress) -> Link {
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
        written: Written::default(),
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
pub(super) fn refresh(
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
pub(super) fn keep_fresh(tx: &mut EditTx<'_>, component_id: &str, id: i64, resolved: &Resolved) -> Result<bool> {
    let found = store::links::find(tx.core().conn, &tx.key(), component_id, id)?;
    let Some(before) = found.filter(|link| link.kind != LinkKind::Url) else { return Ok(false) };
    let after = filled(before.clone(), resolved.clone(), tx.core().now);
    if (Link { fetched_at: before.fetched_at, ..after.clone() }) == before {
        return Ok(false);
    }
    tx.update(&before, after).map(|_| true)
}

/// The wiki id that a new link points to, and its likely kind; none for a plain link.
///
/// A wiki address must contain the id of a page or database, whether or not the wiki is connected.
pub(super) fn target(new: &NewLink) -> Result<Option<(String, Kind)>> {
    match (new.kind, wiki::read(new.url.url())) {
        (Some(LinkKind::Url), _) | (None, Address::Elsewhere) => Ok(None),
        (_, Address::Elsewhere | Address::WithoutId) => Err(Error::BadWikiUrl),
        (kind, Address::Target { id }) => Ok(Some((id, kind.unwrap_or(LinkKind::WikiPage).likely()))),
    }
}

/// The wiki id that an existing link points to, and its likely kind; none for a plain link.
///
/// The stored target id takes precedence over the id in the address. A link from an imported file may have neither;
/// this is an error.
pub(super) fn target_of(kind: LinkKind, target_id: Option<&str>, url: &str) -> Result<Option<(String, Kind)>> {
    if kind == LinkKind::Url {
        return Ok(None);
    }
    let of_address = || match wiki::read(WebAddress::new(url).ok()?.url()) {
        Address::Target { id } => Some(id),
        _ => None,
    };
    let id = target_id.and_then(wiki::id).or_else(of_address).ok_or(Error::BadWikiUrl)?;
    Ok(Some((id, kind.likely())))
}

impl LinkKind {
    /// The likely kind of the wiki object.
    fn likely(self) -> Kind {
        if self == Self::WikiDatabase { Kind::Database } else { Kind::Page }
    }
}

/// Returns a link of a component.
pub(super) fn find(tx: &ViewTx<'_>, component_id: &str, id: i64) -> Result<Link> {
    components::find(tx, component_id)?;
    store::links::find(tx.core().conn, &tx.key(), component_id, id)?.ok_or(HIDDEN)
}
