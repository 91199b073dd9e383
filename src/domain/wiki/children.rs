//! Browsing the wiki: what is below a page or database, and what is shared at all.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Wiki, connection};
use crate::{
    domain::{
        access::{Call, OrgTx, Reads},
        values::words,
    },
    error::{Error, Result},
    wiki::{self, Access, Cursor, Kind, Listed, Problem},
};

words! {
    /// Which of the two something in the wiki is.
    WikiKind {
        /// A page.
        Page = "wiki-page",
        /// A database.
        Database = "wiki-database",
    }
}

impl From<Kind> for WikiKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Page => Self::Page,
            Kind::Database => Self::Database,
        }
    }
}

/// A page or database in a list.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WikiChild {
    /// Which of the two.
    pub kind: WikiKind,
    /// Its id.
    #[schema(example = "1429989fe8ac4effbc8f57f56486db54")]
    pub target_id: String,
    /// Its address: what a link is made of.
    #[schema(format = "uri")]
    pub url: String,
    /// Its title; `Untitled` when it has none.
    #[schema(example = "Checkout")]
    pub title: String,
    /// Whether there may be something below it.
    pub has_children: bool,
    /// Its icon, when it has one and it is known: an emoji, an address, or `upload:` and 32 hexadecimal digits when it was
    /// uploaded there. What of these is a picture is at `GET /api/wiki/icon`; where an upload is, nobody else is told.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false, example = "🛒")]
    pub icon: Option<String>,
    /// What it is in, in the provider's words.
    #[schema(example = "page_id")]
    pub parent_type: String,
    /// When it was last changed, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false, format = DateTime, example = "2026-03-11T10:00:00.000Z")]
    pub last_edited_at: Option<String>,
}

impl From<Listed> for WikiChild {
    fn from(listed: Listed) -> Self {
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

/// A part of a list.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WikiChildren {
    /// Pages and databases.
    pub results: Vec<WikiChild>,
    /// Where the list goes on, for `cursor`; null at its end. A part may be empty and yet not be the last.
    #[schema(required)]
    pub next_cursor: Option<String>,
    /// Whether the wiki ends the list before its end: it shows no more than 10,000 rows of a database's source.
    pub truncated: bool,
}

impl Wiki {
    /// A part of what is below a page or database; without an id, of what is shared with the connection. Without a kind
    /// a page is tried first.
    pub async fn children(
        &self,
        call: Call,
        id: Option<String>,
        kind: Option<WikiKind>,
        cursor: Option<String>,
    ) -> Result<WikiChildren> {
        const ODD: &str = "must be the `nextCursor` of this very list; begin without one";
        // Whether the caller may comes first, what they sent next, and last whether there is a wiki at all.
        let read = |tx: &OrgTx<'_>| Ok(connection::of(tx.core(), tx.organization_id()?));
        let connection = self.gate().org_read(call, read).await?;
        let wrong = || Error::invalid("id", "must be 32 hexadecimal digits, with dashes or without");
        let id = id.map(|text| wiki::id(&text).ok_or_else(wrong)).transpose()?;
        let cursor = cursor.map(|text| Cursor::read(&text).ok_or_else(|| Error::invalid("cursor", ODD))).transpose()?;
        let begins = cursor.is_none();
        let question = move |access: &Access<'_>| match (&id, kind) {
            (None, _) => access.roots(cursor.clone()),
            (Some(id), Some(WikiKind::Database)) => access.children(id, Kind::Database, cursor.clone()),
            (Some(id), Some(WikiKind::Page)) => access.children(id, Kind::Page, cursor.clone()),
            (Some(id), None) => match &cursor {
                Some(Cursor::Database(..)) => access.children(id, Kind::Database, cursor.clone()),
                _ => match access.children(id, Kind::Page, cursor.clone()) {
                    Err(Problem::NotFound | Problem::Unfit(_)) if begins => access.children(id, Kind::Database, None),
                    other => other,
                },
            },
        };
        let wanted = move |access: &Access<'_>| match question(access) {
            // What does not fit is the cursor, or an id that is of neither kind.
            Err(Problem::Unfit(_)) if !begins => Ok(None),
            Err(Problem::Unfit(_)) => Err(Problem::NotFound),
            answer => answer,
        };
        let listing = self.ask(connection?, wanted).await?.ok_or_else(|| Error::invalid("cursor", ODD))?;
        Ok(WikiChildren {
            results: listing.entries.into_iter().map(WikiChild::from).collect(),
            next_cursor: listing.next.map(|next| next.write()),
            truncated: listing.truncated,
        })
    }
}
