//! The tool that queries components.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::tool::arguments;
use crate::{
    describe::ToSchema,
    domain::{
        catalogue,
        core::{Call, Gate, access::OrgReader},
        map::{
            query::{self, ComponentQuery, SortBy},
            workspaces,
        },
    },
    error::{Error, Problem, Result},
    mcp::results::{SpaceLeft, position},
};

/// Maximum number of rows of a page.
const MAX_ROWS: u32 = 200;
/// Default number of rows of a page.
const DEFAULT_ROWS: u32 = 20;

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_ROWS == 200 && DEFAULT_ROWS == 20);

/// Conditions and order. All conditions must hold.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct QueryComponents {
    /// Default: all that the user can read.
    #[schema(nullable = false)]
    workspace_id: Option<String>,
    #[schema(nullable = false)]
    view_id: Option<String>,
    #[schema(nullable = false)]
    type_ids: Option<Vec<String>>,
    #[schema(nullable = false)]
    lifecycle: Option<String>,
    #[schema(nullable = false)]
    owner_id: Option<String>,
    #[schema(nullable = false)]
    without_owner: Option<bool>,
    /// The group.
    #[schema(nullable = false)]
    parent_id: Option<String>,
    #[schema(nullable = false)]
    tag: Option<String>,
    #[schema(nullable = false)]
    technology: Option<String>,
    /// No relationships except contains.
    #[schema(nullable = false)]
    unrelated: Option<bool>,
    /// Default: name.
    #[schema(inline, nullable = false)]
    sort_by: Option<SortBy>,
    /// Default: 20.
    #[schema(minimum = 1, maximum = 200, nullable = false)]
    limit: Option<u32>,
    /// `nextCursor` of the previous call.
    #[schema(nullable = false)]
    cursor: Option<String>,
}

arguments!(
    QueryComponents: "Filter and rank components in one workspace or in all: the most depended-on, without an \
            owner, owned by a team, deprecated and still used. `total` counts all matches, `dependents` and \
            `dependencies` direct ones. Example: {\"workspaceId\": \"web-shop\", \"sortBy\": \"dependents\", \
            \"limit\": 10}",
);

/// A page of the components that were found.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    /// Revision of the workspace, if only one was searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<i64>,
    /// Number of components on all pages.
    total: usize,
    columns: Vec<&'static str>,
    rows: Vec<Vec<Value>>,
    /// Whether there are more.
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// Finds components.
pub async fn query_components(gate: Gate, call: Call<OrgReader>, ask: QueryComponents) -> Result<Found> {
    let limit = ask.limit.unwrap_or(DEFAULT_ROWS);
    if !(1..=MAX_ROWS).contains(&limit) {
        return Err(Error::invalid("limit", Problem::range(1, MAX_ROWS)));
    }
    for (at, id) in ask.type_ids.iter().flatten().enumerate() {
        catalogue::component_type(crate::error::FieldPath::item("typeIds", at), id)?;
    }
    if let Some(id) = &ask.lifecycle {
        catalogue::lifecycle_state("lifecycle", id)?;
    }
    if ask.view_id.is_some() && ask.workspace_id.is_none() {
        return Err(Error::invalid("workspaceId", Problem::required(" with `viewId`")));
    }
    let (sort_by, from) = (ask.sort_by.unwrap_or_default(), position(ask.cursor.as_deref())?);
    let query = ComponentQuery {
        workspace_id: ask.workspace_id,
        view_id: ask.view_id,
        type_ids: ask.type_ids,
        lifecycle: ask.lifecycle,
        owner_id: ask.owner_id,
        without_owner: ask.without_owner,
        parent_id: ask.parent_id,
        tag: ask.tag,
        technology: ask.technology,
        unrelated: ask.unrelated,
    };
    gate.read(call.large(), (), move |tx| {
        let all = query::find(tx, &query, sort_by)?;
        let revision = query.workspace_id.as_deref().map(|id| workspaces::revision(tx, id)).transpose()?;
        let mut columns = vec!["id", "typeId", "name", "parent", "lifecycle", "owners", "dependents", "dependencies"];
        if query.workspace_id.is_none() {
            columns.insert(0, "workspaceId");
        }
        if sort_by == SortBy::UpdatedAt {
            columns.push("updatedAt");
        }
        let mut room = SpaceLeft::after(&columns);
        let mut rows: Vec<Vec<Value>> = Vec::new();
        for one in all.iter().skip(from).take(limit as usize) {
            let owners = query::owners(tx, one)?;
            let value = |column: &&str| match *column {
                "workspaceId" => json!(one.workspace_id),
                "id" => json!(one.id),
                "typeId" => json!(one.type_id),
                "name" => json!(one.name),
                "parent" => json!(one.parent.as_deref().unwrap_or_default()),
                "lifecycle" => json!(one.lifecycle.as_deref().unwrap_or_default()),
                "owners" => json!(owners),
                "dependents" => json!(one.dependents),
                "dependencies" => json!(one.dependencies),
                _ => json!(one.updated_at),
            };
            let row = columns.iter().map(value).collect();
            if !room.take(&row) && !rows.is_empty() {
                break;
            }
            rows.push(row);
        }
        let next = from.saturating_add(rows.len());
        let next_cursor = (next < all.len() && !rows.is_empty()).then(|| next.to_string());
        Ok(Found { revision, total: all.len(), columns, rows, truncated: next_cursor.is_some(), next_cursor })
    })
    .await
}
