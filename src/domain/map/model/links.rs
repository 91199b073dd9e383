//! Links of components to other places.

use serde::{Deserialize, Serialize};

use crate::{
    describe::ToSchema,
    domain::{
        core::RowMetadata,
        input::{Input, objects, stamped},
        values::{Properties, WebAddress, words},
    },
    wiki::ObjectKind,
};

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
    pub metadata: RowMetadata,
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

impl From<ObjectKind> for LinkKind {
    fn from(kind: ObjectKind) -> Self {
        match kind {
            ObjectKind::Page => Self::WikiPage,
            ObjectKind::Database => Self::WikiDatabase,
        }
    }
}

impl LinkKind {
    /// The likely kind of the wiki object.
    pub(in crate::domain) fn likely(self) -> ObjectKind {
        if self == Self::WikiDatabase { ObjectKind::Database } else { ObjectKind::Page }
    }
}
