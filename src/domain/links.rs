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
    /// What an external link leads to.
    LinkKind {
        /// Any page.
        Url = "url",
        /// A page of the wiki.
        WikiPage = "wiki-page",
        /// A database of the wiki.
        WikiDatabase = "wiki-database",
    }
}

/// A link from a component to the outside.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Link {
    /// Never used again, not even after deletion.
    pub id: i64,
    /// The workspace.
    pub workspace_id: String,
    /// The component.
    pub component_id: String,
    /// What it leads to.
    pub kind: LinkKind,
    /// The address, as it was given.
    pub url: String,
    /// Id of the wiki's page or database.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub target_id: Option<String>,
    /// Title there.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub title: Option<String>,
    /// Icon there: an emoji, an address, or `upload:` and 32 hexadecimal digits when it was uploaded there. What of these is
    /// a picture is at the link's `icon` route; where an upload is, nobody else is told.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub icon: Option<String>,
    /// When title and icon were last fetched, Unix milliseconds.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub fetched_at: Option<i64>,
    /// Free-form.
    pub properties: Properties,
    /// Revision, times and authors.
    #[serde(flatten)]
    pub written: Written,
}

/// A link to be made. Title, icon and the like are the wiki's to fill; they are read-only, and so are properties.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewLink {
    /// Where it leads.
    pub url: WebAddress,
    /// `url` keeps a page of the wiki as a plain link; without it, the address decides.
    #[schema(nullable = false)]
    pub kind: Option<LinkKind>,
}

objects!(NewLink);
impl Input for NewLink {
    const READ_ONLY: &'static [&'static str] = stamped!(
        "" ["id", "componentId", "targetId", "title", "icon", "fetchedAt", "properties", "workspaceId"],
    );
}

/// The links of a component, in order of creation.
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

/// Links a component to an address that is not the wiki's. One that is must be looked up first: see
/// [`Wiki::link`](super::wiki::Wiki::link).
pub fn create(tx: &mut EditTx<'_>, component_id: &str, new: NewLink) -> Result<Link> {
    create_resolved(tx, component_id, new, None)
}

/// The same, with what the wiki said of the address.
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

/// A plain link, without an id.
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

/// A link with what the wiki says of what it leads to.
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

/// Fills a link with what the wiki says now. Answers with the link and whether title, icon and target are as they were. A
/// plain link always is; nobody was asked, and there is nothing to fill in.
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

/// Fills a link, if it is still there and not as the wiki says. Answers whether that was so.
pub(super) fn keep_fresh(tx: &mut EditTx<'_>, component_id: &str, id: i64, resolved: &Resolved) -> Result<bool> {
    let found = store::links::find(tx.core().conn, &tx.key(), component_id, id)?;
    let Some(before) = found.filter(|link| link.kind != LinkKind::Url) else { return Ok(false) };
    let after = filled(before.clone(), resolved.clone(), tx.core().now);
    if (Link { fetched_at: before.fetched_at, ..after.clone() }) == before {
        return Ok(false);
    }
    tx.update(&before, after).map(|_| true)
}

/// What of the wiki a new link is to lead to, and what that more likely is; none of a plain link. What is the wiki's must
/// name a page or a database, whether the wiki is connected or not.
pub(super) fn target(new: &NewLink) -> Result<Option<(String, Kind)>> {
    match (new.kind, wiki::read(new.url.url())) {
        (Some(LinkKind::Url), _) | (None, Address::Elsewhere) => Ok(None),
        (_, Address::Elsewhere | Address::WithoutId) => Err(Error::BadWikiUrl),
        (kind, Address::Target { id }) => Ok(Some((id, kind.unwrap_or(LinkKind::WikiPage).likely()))),
    }
}

/// What of the wiki a link leads to that there is: what it was found to be, else what its address says. One that came
/// with a file may lead nowhere.
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
    /// What something of the wiki more likely is.
    fn likely(self) -> Kind {
        if self == Self::WikiDatabase { Kind::Database } else { Kind::Page }
    }
}

/// One link of a component.
pub(super) fn find(tx: &ViewTx<'_>, component_id: &str, id: i64) -> Result<Link> {
    components::find(tx, component_id)?;
    store::links::find(tx.core().conn, &tx.key(), component_id, id)?.ok_or(HIDDEN)
}
