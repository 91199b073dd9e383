//! The tool that browses the wiki of the organization.

use serde::{Deserialize, Serialize};

use super::tool::arguments;
use crate::{
    describe::ToSchema,
    domain::{
        core::{Call, access::Member},
        wiki::{Wiki, WikiChild, WikiKind},
    },
    error::Result,
    mcp::results::{SpaceLeft, page, truncate},
};

/// What to list.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ListWikiChildren {
    /// `id` of a page or database, 32 hexadecimal digits. Default: the top level.
    #[schema(nullable = false)]
    id: Option<String>,
    /// Kind of the id, as listed.
    #[schema(inline, nullable = false)]
    kind: Option<WikiKind>,
    /// `nextCursor` of the previous call.
    #[schema(nullable = false)]
    cursor: Option<String>,
}

arguments!(
    ListWikiChildren: "Browse the wiki of the organization: the children of a page or database or, without `id`, \
            the top-level pages shared with Planroom. Use it to find the page that documents a component, then \
            add_component_link. Titles and URLs only. A page of this list may be empty; it ends when `truncated` \
            is false. Example: {\"id\": \"1429989fe8ac4effbc8f57f56486db54\", \"kind\": \"wiki-page\"}",
);

/// A page or database of the wiki.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    kind: WikiKind,
    id: String,
    title: String,
    url: String,
    /// Whether it may have children.
    has_children: bool,
    /// RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_edited_at: Option<String>,
}

impl From<WikiChild> for Entry {
    fn from(child: WikiChild) -> Self {
        Self {
            kind: child.kind,
            id: child.target_id,
            title: truncate(&child.title),
            url: child.url,
            has_children: child.has_children,
            last_edited_at: child.last_edited_at,
        }
    }
}

/// A page of a list.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Listed {
    entries: Vec<Entry>,
    /// Whether there are more.
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// What is below a page or database, or at the top.
pub async fn list_wiki_children(wiki: Wiki, call: Call<Member>, ask: ListWikiChildren) -> Result<Listed> {
    // A part of the wiki's list may be too long for one answer: our cursor is a place in a part, and the wiki's own cursor.
    let cursor = ask.cursor.unwrap_or_default();
    let (place, part) = cursor.split_once('~').unwrap_or((cursor.as_str(), ""));
    let given = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let listed = wiki.children(call, ask.id.as_deref().and_then(given), ask.kind, given(part)).await?;
    let entries = listed.results.into_iter().map(Entry::from);
    let (entries, next) = page(entries, Some(place), &mut SpaceLeft::after(&(part, &listed.next_cursor)))?;
    let next_cursor = match (next, listed.next_cursor) {
        (Some(place), _) => Some(format!("{place}~{part}")),
        (None, next) => next.map(|part| format!("0~{part}")),
    };
    Ok(Listed { entries, truncated: next_cursor.is_some(), next_cursor })
}
