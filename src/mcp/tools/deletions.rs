//! Tools that delete components, relationships and processes. Users can undo deletions in the web client.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{change_set::change_set, tool::arguments};
use crate::{
    domain::{
        core::{Call, Gate, access::Editor},
        input::at_most,
        map::change_set::ChangeSet,
    },
    error::{Error, FieldPath, Problem, Result},
};

/// Maximum number of components of a call.
const MAX_COMPONENTS: usize = 50;
/// Maximum number of relationships of a call.
const MAX_RELATIONSHIPS: usize = 100;

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_COMPONENTS == 50 && MAX_RELATIONSHIPS == 100);

/// Which components shall go.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct DeleteComponents {
    /// Id of the workspace.
    workspace_id: String,
    /// Ids of 1 to 50 components, all or nothing.
    #[serde(deserialize_with = "at_most::<MAX_COMPONENTS, _, _>")]
    #[schema(min_items = 1, max_items = 50)]
    component_ids: Vec<String>,
}

/// Which relationships shall go.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct DeleteRelationships {
    /// Id of the workspace.
    workspace_id: String,
    /// Ids of 1 to 100 relationships, all or nothing.
    #[serde(deserialize_with = "at_most::<MAX_RELATIONSHIPS, _, _>")]
    #[schema(min_items = 1, max_items = 100)]
    relationship_ids: Vec<String>,
}

/// Which process shall go.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct DeleteProcess {
    /// Id of the workspace.
    workspace_id: String,
    /// Id of the process.
    process_id: String,
}

arguments!(
    DeleteComponents: "Delete components with their relationships, stakeholders and links; up to 50, all or nothing. Processes keep \
            their text. Ask the user first, and check with trace_dependencies what depends on them. To retire a component and keep \
            it on the map, set its `properties.lifecycle` to retired with upsert_components instead. \
            Example: {\"workspaceId\": \"web-shop\", \"componentIds\": [\"old-cart\"]}",
    DeleteRelationships: "Delete relationships by id; up to 100, all or nothing. The components stay. Get ids from \
                          get_components or get_workspace. Example: {\"workspaceId\": \"web-shop\", \
                          \"relationshipIds\": [\"web-calls-checkout\"]}",
    DeleteProcess: "Delete one process. Ask the user first. \
            Example: {\"workspaceId\": \"web-shop\", \"processId\": \"check-out\"}",
);

/// What is gone.
#[derive(Debug, Serialize, ToSchema)]
pub struct Gone {
    /// Deleted ids.
    deleted: Vec<String>,
}

/// Deletes components.
#[expect(clippy::redundant_closure_for_method_calls, reason = "the method itself is not general over both lifetimes")]
pub async fn delete_components(gate: Gate, call: Call<Editor>, ask: DeleteComponents) -> Result<Gone> {
    all(&gate, call, ask.workspace_id, "componentIds", ask.component_ids, |set, id| set.delete_component(id)).await
}

/// Deletes relationships.
#[expect(clippy::redundant_closure_for_method_calls, reason = "the method itself is not general over both lifetimes")]
pub async fn delete_relationships(gate: Gate, call: Call<Editor>, ask: DeleteRelationships) -> Result<Gone> {
    let DeleteRelationships { workspace_id, relationship_ids } = ask;
    all(&gate, call, workspace_id, "relationshipIds", relationship_ids, |set, id| set.delete_relationship(id)).await
}

/// Deletes a process.
pub async fn delete_process(gate: Gate, call: Call<Editor>, ask: DeleteProcess) -> Result<Gone> {
    let id = ask.process_id.clone();
    change_set(&gate, call, ask.workspace_id, "processId", move |set| set.delete_process(&id)).await?;
    Ok(Gone { deleted: vec![ask.process_id] })
}

/// Deletes all of a list or none, and says which of them is not there.
async fn all(
    gate: &Gate,
    call: Call<Editor>,
    workspace_id: String,
    field: &'static str,
    ids: Vec<String>,
    delete: fn(&mut ChangeSet<'_, '_>, &str) -> Result<()>,
) -> Result<Gone> {
    if ids.is_empty() {
        return Err(Error::invalid(field, Problem::Items { min: 1, max: None }));
    }
    let deleted = change_set(gate, call, workspace_id, field, move |set| {
        for (at, id) in ids.iter().enumerate() {
            delete(set, id).map_err(|error| match error {
                Error::NotFound(what) => {
                    let text = format!("there is no {what} `{id}`; nothing was deleted");
                    Error::invalid(FieldPath::item(field, at), text)
                }
                error => error,
            })?;
        }
        Ok(ids)
    })
    .await?;
    Ok(Gone { deleted })
}
