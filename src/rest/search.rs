//! Search in all workspaces.

use axum::{extract::State, response::Response};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::{Deserialize, Serialize};

use super::{
    access::OrgReader,
    api::Api,
    error::Result,
    extract::{Authenticated, Query},
    responses::{json, large_read},
    route::IN_TABLE,
};
use crate::{
    describe::{IntoParams, ToSchema},
    domain::{
        core::OrgViewTx,
        map::search::{self, Hit, HitKind, MAX_QUERY_CHARS, MAX_QUERY_WORDS, SearchField, SearchQuery, SortKey, Words},
    },
    error::{Error, Problem},
};

/// Maximum number of results per page.
const MAX_LIMIT: usize = 100;
/// Number of results per page if the request does not say.
const DEFAULT_LIMIT: usize = 20;
/// Number of results up to which they are counted.
const MAX_COUNTED: usize = 1_000;

// The attributes of utoipa accept only literals.
const _: () = assert!(
    MAX_QUERY_CHARS == 200 && MAX_QUERY_WORDS == 20 && MAX_LIMIT == 100 && DEFAULT_LIMIT == 20 && MAX_COUNTED == 1_000
);

/// What to search for, and where.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct SearchParameters {
    /// Words, 1 to 20, separated by white space; at most 200 characters. A result has all of them, each anywhere in one of
    /// its texts. Case is ignored.
    #[param(min_length = 1, max_length = 200, pattern = r"[^\s\x00-\x1f\x7f-\x9f]", example = "payment sql")]
    q: String,
    /// Search only in this workspace. Default: all workspaces that the caller may see.
    #[param(min_length = 1, max_length = 128, example = "web-shop")]
    workspace_id: Option<String>,
    /// Do not search in this workspace.
    #[param(min_length = 1, max_length = 128)]
    except_workspace_id: Option<String>,
    /// Kinds of results, separated by commas: `workspace`, `component`, `relationship`, `process`, `note`,
    /// `decision`. Default: all.
    #[param(
        pattern = "^(workspace|component|relationship|process|note|decision)(,(workspace|component|relationship|process|note|decision))*$",
        example = "component,process"
    )]
    kind: Option<String>,
    /// Maximum number of results to return, 1 to 100. Default: 20.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
    /// `nextCursor` of the previous page of the same search.
    #[param(max_length = 100)]
    cursor: Option<String>,
}

/// A search result.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchResult {
    /// Kind of the result.
    kind: HitKind,
    /// Id of the result.
    #[schema(example = "checkout")]
    id: String,
    /// Name of the result; for a relationship, its label; for a note, its first line.
    #[schema(example = "Checkout")]
    name: String,
    /// Id of the workspace that contains the result; for a workspace, its own id.
    #[schema(example = "web-shop")]
    workspace_id: String,
    /// Name of that workspace.
    #[schema(example = "Web shop")]
    workspace_name: String,
    /// Type id of the result, if it has a type.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "service")]
    type_id: Option<String>,
    /// The field in which the words were found: `name` if it has all words, otherwise the first field that has a word that
    /// the name does not.
    field: SearchField,
    /// Line of that field with the word, at most 160 characters; absent for `name`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    matched: Option<String>,
    /// Line of the description, process text or note text that contains a search word; otherwise the first line. At most 160
    /// characters. Absent for relationships and if the text is empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    excerpt: Option<String>,
    /// Path of the page in the web client that shows the result, relative to the public URL.
    #[schema(example = "/o/acme/w/web-shop?c=checkout")]
    path: String,
}

/// The results of a search, best first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchResultList {
    /// A result whose name or id is the query is first, then results whose name begins with it, has words that begin with
    /// the words of the query, or has these words; then results in whose other texts the words are, relationships last.
    /// Equally good results are in the order of creation of their workspaces and in the order of the kinds.
    results: Vec<SearchResult>,
    /// Number of results on all pages, counted up to 1,000.
    total: usize,
    /// Whether `total` is the number of all results; otherwise, there are more.
    is_total_exact: bool,
    /// Cursor of the next page. Absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// Search all workspaces
///
/// Finds workspaces, components, relationships, processes and notes by name, id, type, technology, tag, stakeholder,
/// description, process text and note text, in all workspaces of the active organization that the caller may see. Parts of words are found too:
/// `sql` finds `PostgreSQL`. An instance administrator without an active organization searches all organizations.
#[crate::describe::path(get, path = IN_TABLE, tag = "Search", operation_id = "search", params(SearchParameters),
    responses((status = 200, description = "The results", body = SearchResultList)))]
pub async fn search(
    State(api): State<Api>,
    Authenticated(call): Authenticated<OrgReader>,
    Query(parameters): Query<SearchParameters>,
) -> Result<Response> {
    let SearchParameters { q, workspace_id, except_workspace_id, kind, limit, cursor } = parameters;
    let limit = match limit {
        None => DEFAULT_LIMIT,
        Some(limit @ 1..=MAX_LIMIT) => limit,
        Some(_) => return Err(Error::invalid("limit", Problem::range(1, MAX_LIMIT)).into()),
    };
    let after = cursor.as_deref().map(SortKey::from_cursor).transpose()?;
    let kinds = kind.as_deref().map(kinds).transpose()?.unwrap_or_default();
    let words = Words::of("q", &q)?;
    let query = SearchQuery { words, workspace_id, except_workspace_id, kinds, max_counted: Some(MAX_COUNTED) };
    let find = move |tx: &OrgViewTx<'_>| {
        // One more shows whether another page follows.
        let page = search::find(tx, &query, after, limit + 1)?;
        let mut hits = page.hits;
        let is_last = hits.len() <= limit;
        hits.truncate(limit);
        let next_cursor = hits.last().filter(|_| !is_last).map(|(key, _)| key.cursor());
        Ok(SearchResultList {
            results: hits.into_iter().map(|(_, hit)| result(hit)).collect(),
            total: page.total.min(MAX_COUNTED),
            is_total_exact: page.total <= MAX_COUNTED,
            next_cursor,
        })
    };
    Ok(json(large_read(&api, call, (), find).await?))
}

fn kinds(list: &str) -> Result<Vec<HitKind>> {
    let kind = |name: &str| HitKind::ALL.into_iter().find(|kind| kind.as_str() == name);
    let kinds: Option<Vec<HitKind>> = list.split(',').map(kind).collect();
    Ok(kinds.ok_or_else(|| {
        Error::invalid(
            "kind",
            "must be `workspace`, `component`, `relationship`, `process`, `note` or `decision`, or several, separated by commas",
        )
    })?)
}

fn result(hit: Hit) -> SearchResult {
    let path = path(&hit);
    let Hit { kind, workspace_id, workspace_name, id, name, type_id, excerpt, field, matched, .. } = hit;
    SearchResult { kind, id, name, workspace_id, workspace_name, type_id, field, matched, excerpt, path }
}

/// The characters to encode in a segment or parameter.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// Path of the page of a result.
fn path(hit: &Hit) -> String {
    let encoded = |text: &str| utf8_percent_encode(text, ENCODED).to_string();
    let id = encoded(&hit.id);
    let workspace = format!("/o/{}/w/{}", encoded(&hit.organization_slug), encoded(&hit.workspace_id));
    match hit.kind {
        HitKind::Workspace => workspace,
        HitKind::Component => format!("{workspace}?c={id}"),
        HitKind::Relationship => format!("{workspace}?r={id}"),
        HitKind::Process => format!("{workspace}/processes/{id}"),
        HitKind::Note => format!("{workspace}?n={id}"),
        HitKind::Decision => format!("{workspace}/decisions/{id}"),
    }
}
