//! The search tool.

use serde::{Deserialize, Serialize};

use super::tool::arguments;
use crate::{
    describe::ToSchema,
    domain::{
        core::{Call, Gate, access::OrgReader},
        map::{
            near,
            search::{self, HitKind, SearchQuery, SortKey, Words},
            workspaces,
        },
    },
    error::{Error, Problem, Result},
    mcp::results::{SpaceLeft, page, position},
};

/// What to look for, and where.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Search {
    /// Words in name, id, type, tags, technology, owners, description, note or decision.
    query: String,
    /// Search only in this workspace. Default: all visible ones.
    #[schema(nullable = false)]
    workspace_id: Option<String>,
    /// Kinds to search for. Default: all.
    #[schema(nullable = false)]
    kinds: Option<Vec<HitKind>>,
    /// Default: 20.
    #[schema(minimum = 1, maximum = 100, nullable = false)]
    limit: Option<u32>,
    /// `nextCursor` of the previous call.
    #[schema(nullable = false)]
    cursor: Option<String>,
}

arguments!(
    Search: "Find workspaces, components, relationships, processes, notes and decisions by words, best matches first. Use it \
            whenever the user names something in their own words. Types match too: \"database\" finds all \
            databases. `matched` some: no hit has all words. Example: {\"query\": \"payment service\", \"kinds\": \
            [\"component\"]}",
);

/// A search result.
#[derive(Debug, Serialize)]
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
    type_id: Option<String>,
    /// Source of a relationship.
    #[serde(skip_serializing_if = "Option::is_none")]
    source_id: Option<String>,
    /// Target of a relationship.
    #[serde(skip_serializing_if = "Option::is_none")]
    target_id: Option<String>,
    /// Line of the description, process text or note that contains a search word; otherwise the first line. At most 160
    /// characters. Absent for relationships and if the text is empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    excerpt: Option<String>,
}

impl From<search::Hit> for Hit {
    fn from(hit: search::Hit) -> Self {
        let search::Hit { kind, workspace_id, id, name, type_id, excerpt, ends, .. } = hit;
        let (source_id, target_id) = ends.unzip();
        Self { kind, workspace_id, id, name, type_id, source_id, target_id, excerpt }
    }
}

/// What was found.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    /// Revision of the workspace, if only one was searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<i64>,
    hits: Vec<Hit>,
    /// `some` if no result has all words: the hits have most of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    matched: Option<&'static str>,
    /// Number of hits on all pages.
    total: usize,
    /// If there are no hits, similar words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    did_you_mean: Vec<String>,
    /// Whether there are more.
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// Maximum number of hits per page.
const MAX_LIMIT: u32 = 100;
/// Default number of hits per page.
const DEFAULT_LIMIT: u32 = 20;
/// Maximum number of results of a word that are considered if no result has all words.
const MAX_OF_A_WORD: usize = 50;
/// Beginning of the cursors of results that do not have all words.
const SOME: &str = "some:";

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_LIMIT == 100 && DEFAULT_LIMIT == 20);

/// Finds by words.
pub async fn search(gate: Gate, call: Call<OrgReader>, ask: Search) -> Result<Found> {
    if ask.limit.is_some_and(|limit| !(1..=MAX_LIMIT).contains(&limit)) {
        return Err(Error::invalid("limit", Problem::range(1, MAX_LIMIT)));
    }
    let most = ask.limit.unwrap_or(DEFAULT_LIMIT) as usize;
    let query = SearchQuery {
        words: Words::of("query", &ask.query)?,
        workspace_id: ask.workspace_id,
        except_workspace_id: None,
        kinds: ask.kinds.unwrap_or_default(),
        max_counted: None,
    };
    let cursor = ask.cursor.filter(|cursor| !cursor.is_empty());
    let some_from = cursor.as_deref().and_then(|cursor| cursor.strip_prefix(SOME)).map(|at| position(Some(at)));
    let some_from = some_from.transpose()?;
    let after = cursor.as_deref().filter(|_| some_from.is_none()).map(SortKey::from_cursor).transpose()?;
    gate.read(call.large(), (), move |tx| {
        let revision = query.workspace_id.as_deref().map(|id| workspaces::revision(tx, id)).transpose()?;
        if let Some(from) = some_from {
            return some(search::find_some(tx, &query, MAX_OF_A_WORD)?, revision, from, most);
        }
        let search::SearchPage { hits, total } = search::find(tx, &query, after, most)?;
        let is_whole = hits.len() < most;
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
        if total == 0 {
            let found = search::find_some(tx, &query, MAX_OF_A_WORD)?;
            if !found.is_empty() {
                return some(found, revision, 0, most);
            }
        }
        let did_you_mean =
            if total == 0 { near::search_words(tx, query.workspace_id.as_deref(), &ask.query)? } else { Vec::new() };
        let truncated = next_cursor.is_some();
        Ok(Found { revision, hits: taken, matched: None, total, did_you_mean, truncated, next_cursor })
    })
    .await
}

/// A page of results that do not have all words, starting at the position `from`.
fn some(found: Vec<search::Hit>, revision: Option<i64>, from: usize, most: usize) -> Result<Found> {
    let total = found.len();
    let first = found.into_iter().skip(from).take(most).map(Hit::from);
    let (hits, _) = page(first, None, &mut SpaceLeft::after(&()))?;
    let next = from.saturating_add(hits.len());
    let next_cursor = (next < total && !hits.is_empty()).then(|| format!("{SOME}{next}"));
    let (truncated, did_you_mean) = (next_cursor.is_some(), Vec::new());
    Ok(Found { revision, hits, matched: Some("some"), total, did_you_mean, truncated, next_cursor })
}
