//! The search tool.

use serde::Deserialize;

use super::{
    results::map::{SearchHit, SearchResults},
    tool::arguments,
};
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

/// What to search for, and where.
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

/// Maximum number of hits per page.
const MAX_LIMIT: u32 = 100;
/// Default number of hits per page.
const DEFAULT_LIMIT: u32 = 20;
/// Maximum number of results of a word that are considered if no result has all words.
const MAX_HITS_PER_WORD: usize = 50;
/// Beginning of the cursors of results that do not have all words.
const PARTIAL_PREFIX: &str = "some:";

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_LIMIT == 100 && DEFAULT_LIMIT == 20);

/// Searches by words.
pub async fn search(gate: Gate, call: Call<OrgReader>, request: Search) -> Result<SearchResults> {
    if request.limit.is_some_and(|limit| !(1..=MAX_LIMIT).contains(&limit)) {
        return Err(Error::invalid("limit", Problem::range(1, MAX_LIMIT)));
    }
    let limit = request.limit.unwrap_or(DEFAULT_LIMIT) as usize;
    let query = SearchQuery {
        words: Words::of("query", &request.query)?,
        workspace_id: request.workspace_id,
        except_workspace_id: None,
        kinds: request.kinds.unwrap_or_default(),
        max_counted: None,
    };
    let cursor = request.cursor.filter(|cursor| !cursor.is_empty());
    let partial_from =
        cursor.as_deref().and_then(|cursor| cursor.strip_prefix(PARTIAL_PREFIX)).map(|text| position(Some(text)));
    let partial_from = partial_from.transpose()?;
    let after = cursor.as_deref().filter(|_| partial_from.is_none()).map(SortKey::from_cursor).transpose()?;
    gate.read(call.large(), (), move |tx| {
        let revision = query.workspace_id.as_deref().map(|id| workspaces::revision(tx, id)).transpose()?;
        if let Some(from) = partial_from {
            return partial_matches(search::find_some(tx, &query, MAX_HITS_PER_WORD)?, revision, from, limit);
        }
        let search::SearchPage { hits: found, total } = search::find(tx, &query, after, limit)?;
        let is_last = found.len() < limit;
        let mut space = SpaceLeft::after(&());
        let (mut hits, mut last, mut next_cursor) = (Vec::new(), None, None);
        for (key, hit) in found {
            let hit = SearchHit::from(hit);
            if !space.take(&hit) && !hits.is_empty() {
                next_cursor = last;
                last = None;
                break;
            }
            hits.push(hit);
            last = Some(key.cursor());
        }
        let next_cursor = next_cursor.or(last.filter(|_| !is_last));
        if total == 0 {
            let found = search::find_some(tx, &query, MAX_HITS_PER_WORD)?;
            if !found.is_empty() {
                return partial_matches(found, revision, 0, limit);
            }
        }
        let did_you_mean = if total == 0 {
            near::search_words(tx, query.workspace_id.as_deref(), &request.query)?
        } else {
            Vec::new()
        };
        Ok(SearchResults { revision, hits, matched: None, total, did_you_mean, next: next_cursor.into() })
    })
    .await
}

/// A page of results that do not have all words, starting at the position `from`.
fn partial_matches(found: Vec<search::Hit>, revision: Option<i64>, from: usize, limit: usize) -> Result<SearchResults> {
    let total = found.len();
    let first = found.into_iter().skip(from).take(limit).map(SearchHit::from);
    let (hits, _) = page(first, None, &mut SpaceLeft::after(&()))?;
    let next = from.saturating_add(hits.len());
    let next_cursor = (next < total && !hits.is_empty()).then(|| format!("{PARTIAL_PREFIX}{next}"));
    let next = next_cursor.into();
    Ok(SearchResults { revision, hits, matched: Some("some"), total, did_you_mean: Vec::new(), next })
}
