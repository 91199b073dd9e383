//! Browsing the wiki: children of a page or database, and the top-level pages shared with the connection.

use serde::{Deserialize, Serialize};

use super::{Wiki, connection};
use crate::{
    describe::ToSchema,
    domain::{
        core::{Call, OrgTx, Reads, access::Member},
        values::words,
    },
    error::{Error, Result},
    wiki::{self, ConnectionAccess, Cursor, ListEntry, ObjectKind, WikiError},
};

words! {
    /// Kind of a wiki object.
    WikiKind {
        /// A page.
        Page = "wiki-page",
        /// A database.
        Database = "wiki-database",
    }
}

impl From<ObjectKind> for WikiKind {
    fn from(kind: ObjectKind) -> Self {
        match kind {
            ObjectKind::Page => Self::Page,
            ObjectKind::Database => Self::Database,
        }
    }
}

/// A page or database in a list.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WikiChild {
    /// Kind of the object.
    pub kind: WikiKind,
    /// Id of the page or database.
    #[schema(example = "1429989fe8ac4effbc8f57f56486db54")]
    pub target_id: String,
    /// URL of the page or database, to create a link from.
    #[schema(format = "uri")]
    pub url: String,
    /// Title; `Untitled` if it has none.
    #[schema(example = "Checkout")]
    pub title: String,
    /// Whether the object may have children.
    pub has_children: bool,
    /// Icon, if there is one and it is known: an emoji, a URL, or `upload:` and 32 hexadecimal digits for an uploaded
    /// icon. `GET /api/wiki/icon` returns the image for a URL or an upload. The URL of an upload is not disclosed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false, example = "🛒")]
    pub icon: Option<String>,
    /// Kind of the parent, as named by the provider.
    #[schema(example = "page_id")]
    pub parent_type: String,
    /// Time of the last edit, in RFC 3339 format.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false, format = DateTime, example = "2026-03-11T10:00:00.000Z")]
    pub last_edited_at: Option<String>,
}

impl From<ListEntry> for WikiChild {
    fn from(listed: ListEntry) -> Self {
        Self {
            kind: listed.kind.into(),
            target_id: listed.id,
            url: listed.url,
            title: listed.title,
            has_children: listed.has_children,
            icon: listed.icon,
            parent_type: listed.parent_type,
            last_edited_at: listed.last_edited_at,
        }
    }
}

/// A page of a list of wiki objects.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WikiChildren {
    /// Pages and databases.
    pub results: Vec<WikiChild>,
    /// Cursor of the next page; null on the last page. A page may be empty without being the last.
    #[schema(required)]
    pub next_cursor: Option<String>,
    /// Whether the wiki cut off the list: it returns no more than 10,000 rows per data source of a database.
    pub truncated: bool,
}

impl Wiki {
    /// Lists a page of the children of a page or database. Without an id, lists what is shared with the connection.
    /// Without a kind, the id is looked up as a page first.
    pub async fn children(
        &self,
        call: Call<Member>,
        id: Option<String>,
        kind: Option<WikiKind>,
        cursor: Option<String>,
    ) -> Result<WikiChildren> {
        const CURSOR_ERROR: &str = "must be the `nextCursor` of this very list; begin without one";
        // Order of the checks: permission first, then the parameters, then whether a wiki is connected.
        let read = |tx: &OrgTx<'_>| Ok(connection::of(tx.core(), tx.organization_id()?));
        let connection = self.gate().read(call, (), read).await?;
        let wrong = || Error::invalid("id", "must be 32 hexadecimal digits, with dashes or without");
        let id = id.map(|text| wiki::id(&text).ok_or_else(wrong)).transpose()?;
        let cursor =
            cursor.map(|text| Cursor::read(&text).ok_or_else(|| Error::invalid("cursor", CURSOR_ERROR))).transpose()?;
        let is_first = cursor.is_none();
        let list = move |access: &ConnectionAccess<'_>| match (&id, kind) {
            (None, _) => access.roots(cursor.clone()),
            (Some(id), Some(WikiKind::Database)) => access.children(id, ObjectKind::Database, cursor.clone()),
            (Some(id), Some(WikiKind::Page)) => access.children(id, ObjectKind::Page, cursor.clone()),
            (Some(id), None) => match &cursor {
                Some(Cursor::Database(..)) => access.children(id, ObjectKind::Database, cursor.clone()),
                _ => match access.children(id, ObjectKind::Page, cursor.clone()) {
                    Err(WikiError::NotFound | WikiError::Unfit(_)) if is_first => {
                        access.children(id, ObjectKind::Database, None)
                    }
                    other => other,
                },
            },
        };
        let request = move |access: &ConnectionAccess<'_>| match list(access) {
            // The cursor does not match, or the id is neither a page nor a database.
            Err(WikiError::Unfit(_)) if !is_first => Ok(None),
            Err(WikiError::Unfit(_)) => Err(WikiError::NotFound),
            answer => answer,
        };
        let listing =
            self.request(connection?, request).await?.ok_or_else(|| Error::invalid("cursor", CURSOR_ERROR))?;
        Ok(WikiChildren {
            results: listing.entries.into_iter().map(WikiChild::from).collect(),
            next_cursor: listing.next.map(|next| next.write()),
            truncated: listing.truncated,
        })
    }
}
