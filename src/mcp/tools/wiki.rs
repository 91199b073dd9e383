//! The tool that browses the wiki of the organization.

use serde::Deserialize;

use super::{
    results::directory::{WikiChildren, WikiEntry},
    tool::arguments,
};
use crate::{
    describe::ToSchema,
    domain::{
        core::{Call, access::Member},
        wiki::{Wiki, WikiKind},
    },
    error::Result,
    mcp::results::{SpaceLeft, page},
};

/// The page or database to list.
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

/// Lists the children of a page or database, or the top-level pages.
pub async fn list_wiki_children(wiki: Wiki, call: Call<Member>, request: ListWikiChildren) -> Result<WikiChildren> {
    // A page of the wiki can be too long for a result: the cursor is a position in a page, and the cursor of the wiki.
    let cursor = request.cursor.unwrap_or_default();
    let (position, wiki_cursor) = cursor.split_once('~').unwrap_or((cursor.as_str(), ""));
    let non_empty = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let listed =
        wiki.children(call, request.id.as_deref().and_then(non_empty), request.kind, non_empty(wiki_cursor)).await?;
    let entries = listed.results.into_iter().map(WikiEntry::from);
    let (entries, next) = page(entries, Some(position), &mut SpaceLeft::after(&(wiki_cursor, &listed.next_cursor)))?;
    let next_cursor = match (next, listed.next_cursor) {
        (Some(position), _) => Some(format!("{position}~{wiki_cursor}")),
        (None, next) => next.map(|wiki_cursor| format!("0~{wiki_cursor}")),
    };
    Ok(WikiChildren { entries, next: next_cursor.into() })
}
