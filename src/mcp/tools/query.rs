//! The tool that queries components.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    results::{Table, map::QueryResults},
    tool::arguments,
};
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
    error::{Error, FieldPath, Problem, Result},
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

/// Finds components.
pub async fn query_components(gate: Gate, call: Call<OrgReader>, request: QueryComponents) -> Result<QueryResults> {
    let limit = request.limit.unwrap_or(DEFAULT_ROWS);
    if !(1..=MAX_ROWS).contains(&limit) {
        return Err(Error::invalid("limit", Problem::range(1, MAX_ROWS)));
    }
    for (index, id) in request.type_ids.iter().flatten().enumerate() {
        catalogue::component_type(FieldPath::item("typeIds", index), id)?;
    }
    if let Some(id) = &request.lifecycle {
        catalogue::lifecycle_state("lifecycle", id)?;
    }
    if request.view_id.is_some() && request.workspace_id.is_none() {
        return Err(Error::invalid("workspaceId", Problem::required(" with `viewId`")));
    }
    let (sort_by, from) = (request.sort_by.unwrap_or_default(), position(request.cursor.as_deref())?);
    let query = ComponentQuery {
        workspace_id: request.workspace_id,
        view_id: request.view_id,
        type_ids: request.type_ids,
        lifecycle: request.lifecycle,
        owner_id: request.owner_id,
        without_owner: request.without_owner,
        parent_id: request.parent_id,
        tag: request.tag,
        technology: request.technology,
        unrelated: request.unrelated,
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
        let mut space = SpaceLeft::after(&columns);
        let mut rows: Vec<Value> = Vec::new();
        for found in all.iter().skip(from).take(limit as usize) {
            let owners = query::owners(tx, found)?;
            let value = |column: &&str| match *column {
                "workspaceId" => json!(found.workspace_id),
                "id" => json!(found.id),
                "typeId" => json!(found.type_id),
                "name" => json!(found.name),
                "parent" => json!(found.parent.as_deref().unwrap_or_default()),
                "lifecycle" => json!(found.lifecycle.as_deref().unwrap_or_default()),
                "owners" => json!(owners),
                "dependents" => json!(found.dependents),
                "dependencies" => json!(found.dependencies),
                _ => json!(found.updated_at),
            };
            let row: Value = columns.iter().map(value).collect();
            if !space.take(&row) && !rows.is_empty() {
                break;
            }
            rows.push(row);
        }
        let next = from.saturating_add(rows.len());
        let next_cursor = (next < all.len() && !rows.is_empty()).then(|| next.to_string());
        let table = Table { revision, columns: columns.into(), rows, next: next_cursor.into() };
        Ok(QueryResults { total: all.len(), table })
    })
    .await
}
