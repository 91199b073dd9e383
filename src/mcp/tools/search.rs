//! The search tool.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::tool::arguments;
use crate::{
    domain::{
        access::{Call, Gate},
        search::{self, Hit, Kind, Place, Question},
    },
    error::Result,
    mcp::answers::Room,
};

/// What to look for, and where.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Search {
    /// Words that are all in name, id, type or description; case does not matter. 1 to 200 characters.
    query: String,
    /// Look in this workspace alone; in all that you may see when absent.
    #[schema(nullable = false)]
    workspace_id: Option<String>,
    /// Kinds of things to look for; all when absent.
    #[schema(nullable = false)]
    kinds: Option<Vec<Kind>>,
    /// `nextCursor` of the call before, for its next page.
    #[schema(nullable = false)]
    cursor: Option<String>,
}

arguments!(
    Search: "Find workspaces, components, relationships and processes by words, the best first, and with them the ids that \
            other tools take. Use it whenever the user names something in their own words. A type is a word too: \"database\" \
            finds all databases. For people and teams: list_people_and_teams. \
            Example: {\"query\": \"payment service\", \"kinds\": [\"component\"]}",
);

/// What was found.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    hits: Vec<Hit>,
    /// How many there are on all pages.
    total: usize,
    /// Whether there are more.
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// Hits that are looked for at a time: more do not fit on a page.
const MOST: usize = 500;

/// Finds by words.
pub async fn search(gate: Gate, call: Call, ask: Search) -> Result<Found> {
    let question = Question { words: ask.query, workspace_id: ask.workspace_id, kinds: ask.kinds.unwrap_or_default() };
    let after = ask.cursor.as_deref().filter(|cursor| !cursor.is_empty()).map(Place::from_cursor).transpose()?;
    gate.org_view_all(call, move |tx| {
        let search::Page { hits, total } = search::find(tx, &question, after, MOST)?;
        let is_whole = hits.len() < MOST;
        let mut room = Room::beside(&());
        let (mut taken, mut last, mut next_cursor) = (Vec::new(), None, None);
        for (place, hit) in hits {
            if !room.take(&hit) && !taken.is_empty() {
                next_cursor = last;
                last = None;
                break;
            }
            taken.push(hit);
            last = Some(place.cursor());
        }
        let next_cursor = next_cursor.or(last.filter(|_| !is_whole));
        Ok(Found { hits: taken, total, truncated: next_cursor.is_some(), next_cursor })
    })
    .await
}
