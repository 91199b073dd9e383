//! The search tool.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::tool::arguments;
use crate::{
    domain::{
        core::{Call, Gate, access::OrgReader},
        map::search::{self, HitKind, SearchQuery, SortKey, Words},
    },
    error::Result,
    mcp::results::SpaceLeft,
};

/// What to look for, and where.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Search {
    /// Words that must all occur in name, id, type, tags, technology, owners, description or note. 1 to 200 characters.
    query: String,
    /// Search only in this workspace. Default: all visible ones.
    #[schema(nullable = false)]
    workspace_id: Option<String>,
    /// Kinds to search for. Default: all.
    #[schema(nullable = false)]
    kinds: Option<Vec<HitKind>>,
    /// `nextCursor` of the previous call, for the next page.
    #[schema(nullable = false)]
    cursor: Option<String>,
}

arguments!(
    Search: "Find workspaces, components, relationships, processes and notes by words, best matches first, with the ids for \
            other tools. Use it whenever the user names something in their own words. Types match too: \"database\" \
            finds all databases. For people and teams: list_people_and_teams. Example: {\"query\": \"payment \
            service\", \"kinds\": [\"component\"]}",
);

/// A search result.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Hit {
    /// Kind of the result.
    kind: HitKind,
    /// Id of the workspace that contains the result; for a workspace, its own id.
    workspace_id: String,
    /// Id of the result.
    id: String,
    /// Name of the result; for a relationship, its label.
    name: String,
    /// Type id of the result, if it has a type.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    type_id: Option<String>,
    /// Line of the description, process text or note that contains a search word; otherwise the first line. At most 160
    /// characters. Absent for relationships and if the text is empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    excerpt: Option<String>,
}

impl From<search::Hit> for Hit {
    fn from(hit: search::Hit) -> Self {
        let search::Hit { kind, workspace_id, id, name, type_id, excerpt, .. } = hit;
        Self { kind, workspace_id, id, name, type_id, excerpt }
    }
}

/// What was found.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    hits: Vec<Hit>,
    /// Number of hits on all pages.
    total: usize,
    /// Whether there are more.
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// Maximum number of hits per search: more do not fit on a page.
const MAX_HITS: usize = 500;

/// Finds by words.
pub async fn search(gate: Gate, call: Call<OrgReader>, ask: Search) -> Result<Found> {
    let query = SearchQuery {
        words: Words::of("query", &ask.query)?,
        workspace_id: ask.workspace_id,
        except_workspace_id: None,
        kinds: ask.kinds.unwrap_or_default(),
        max_counted: None,
    };
    let after = ask.cursor.as_deref().filter(|cursor| !cursor.is_empty()).map(SortKey::from_cursor).transpose()?;
    gate.read(call.large(), (), move |tx| {
        let search::SearchPage { hits, total } = search::find(tx, &query, after, MAX_HITS)?;
        let is_whole = hits.len() < MAX_HITS;
        let mut room = SpaceLeft::after(&());
        let (mut taken, mut last, mut next_cursor) = (Vec::new(), None, None);
        for (place, hit) in hits {
            let hit = Hit::from(hit);
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
