//! External links of components: plain addresses, or pages of the wiki.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    access::{EditTx, Reads, ViewTx, Written},
    components,
    input::{Input, objects, stamped},
    store,
    values::{Properties, WebAddress, words},
};
use crate::{
    error::{Error, Result},
    wiki::{self, Address},
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
    /// Icon there: an emoji or an address.
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

/// The links of a component.
pub fn list(tx: &ViewTx<'_>, component_id: &str) -> Result<Vec<Link>> {
    components::find(tx, component_id)?;
    store::links::of_component(tx.core().conn, &tx.key(), component_id)
}

/// Links a component to an address.
pub fn create(tx: &mut EditTx<'_>, component_id: &str, new: NewLink) -> Result<Link> {
    let component = components::find(tx, component_id)?;
    check(&new)?;
    tx.create(Link {
        id: 0,
        workspace_id: component.workspace_id,
        component_id: component.id,
        kind: LinkKind::Url,
        url: new.url.into(),
        target_id: None,
        title: None,
        icon: None,
        fetched_at: None,
        properties: Properties::default(),
        written: Written::default(),
    })
}

/// Deletes a link.
pub fn delete(tx: &mut EditTx<'_>, component_id: &str, id: i64) -> Result<()> {
    let link = find(tx, component_id, id)?;
    tx.expect(&link)?;
    tx.delete(&link)
}

/// Asks the wiki anew for the title and icon of what a link leads to. Answers with the link and whether it is as it was;
/// a plain one always is, and nobody is asked.
pub fn refresh(tx: &mut EditTx<'_>, component_id: &str, id: i64) -> Result<(Link, bool)> {
    let link = find(tx, component_id, id)?;
    match link.kind {
        LinkKind::Url => Ok((link, true)),
        LinkKind::WikiPage | LinkKind::WikiDatabase => Err(Error::WikiMisconfigured),
    }
}

/// Whether it is a plain link. What is the wiki's must name a page or a database, whether the wiki is connected or not;
/// and no organization has connected it, for nothing here can.
fn check(new: &NewLink) -> Result<()> {
    match (new.kind, wiki::read(new.url.url())) {
        (Some(LinkKind::Url), _) | (None, Address::Elsewhere) => Ok(()),
        (_, Address::Elsewhere | Address::WithoutId) => Err(Error::BadWikiUrl),
        (_, Address::Target { .. }) => Err(Error::WikiMisconfigured),
    }
}

fn find(tx: &ViewTx<'_>, component_id: &str, id: i64) -> Result<Link> {
    components::find(tx, component_id)?;
    store::links::find(tx.core().conn, &tx.key(), component_id, id)?.ok_or(HIDDEN)
}
