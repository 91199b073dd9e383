//! Tools that delete components, relationships and processes. The tool `undo` and users in the web client can undo deletions.

use serde::Deserialize;

use super::{
    change_set::change_set,
    results::writes::{Deleted, DeletedComponents, WriteResult},
    tool::{arguments, found},
    upserts::write_all,
};
use crate::{
    describe::ToSchema,
    domain::{
        core::{Call, ViewTx, access::Editor},
        history,
        input::at_most,
        map::{
            change_set::ChangeSet,
            components,
            consequences::{self, AffectedRow, Loss},
            near, processes, relationships,
        },
    },
    error::{Error, FieldPath, Problem, Result},
    mcp::services::Site,
};

/// Maximum number of components of a call.
const MAX_COMPONENTS: usize = 50;
/// Maximum number of relationships of a call.
const MAX_RELATIONSHIPS: usize = 100;

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_COMPONENTS == 50 && MAX_RELATIONSHIPS == 100);

/// The components to delete.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct DeleteComponents {
    /// Id of the workspace.
    workspace_id: String,
    /// Ids of 1 to 50 components, all or nothing.
    #[serde(deserialize_with = "at_most::<MAX_COMPONENTS, _, _>")]
    #[schema(min_items = 1, max_items = 50)]
    component_ids: Vec<String>,
    /// Only return what would be deleted.
    #[schema(nullable = false)]
    dry_run: Option<bool>,
    /// `revision` of the workspace in what you read; a dry run has it too. Refused if something that is deleted has changed
    /// since. Required without `dryRun`.
    #[schema(nullable = false)]
    expected_revision: Option<i64>,
}

/// The relationships to delete.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct DeleteRelationships {
    /// Id of the workspace.
    workspace_id: String,
    /// Ids of 1 to 100 relationships, all or nothing.
    #[serde(deserialize_with = "at_most::<MAX_RELATIONSHIPS, _, _>")]
    #[schema(min_items = 1, max_items = 100)]
    relationship_ids: Vec<String>,
    /// See `delete_components`.
    #[schema(nullable = false, required = true)]
    expected_revision: Option<i64>,
}

/// The process to delete.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct DeleteProcess {
    /// Id of the workspace.
    workspace_id: String,
    /// Id of the process.
    process_id: String,
    /// See `delete_components`.
    #[schema(nullable = false, required = true)]
    expected_revision: Option<i64>,
}

arguments!(
    DeleteComponents: "Delete components with their relationships, stakeholders and links; all or nothing. \
            Processes keep their text. Call it with `dryRun` first, and ask the user about what is lost. To retire \
            a component and keep it on the map, set its `lifecycle` to retired instead. Example: {\"workspaceId\": \
            \"web-shop\", \"componentIds\": [\"old-cart\"], \"dryRun\": true}",
    DeleteRelationships: "Delete relationships by id; all or nothing. The components stay. Ask the user first. \
            Example: {\"workspaceId\": \"web-shop\", \"relationshipIds\": [\"web-calls-checkout\"], \
            \"expectedRevision\": 14}",
    DeleteProcess: "Delete one process. Ask the user first. Example: {\"workspaceId\": \"web-shop\", \
            \"processId\": \"check-out\", \"expectedRevision\": 14}",
);

/// Deletes components, or returns the consequences in a dry run.
pub async fn delete_components(
    site: Site,
    call: Call<Editor>,
    request: DeleteComponents,
) -> Result<WriteResult<DeletedComponents>> {
    const LIST: &str = "componentIds";
    let DeleteComponents { workspace_id, component_ids: ids, dry_run, expected_revision } = request;
    if ids.is_empty() {
        return Err(Error::invalid(LIST, Problem::Items { min: 1, max: None }));
    }
    if dry_run == Some(true) {
        let links = site.links(&call).await?;
        let url = Some(links.workspace(&workspace_id));
        let (result, revision) = site
            .gate
            .dry_run(call, workspace_id, move |tx| {
                let (loss, rows) = losses(tx, &ids)?;
                expected_revision.map_or(Ok(()), |read| history::expect_seen(tx, &rows, read))?;
                Ok((DeletedComponents::new(ids, true, loss), tx.workspace().metadata.revision))
            })
            .await?;
        return Ok(WriteResult { result, change_set_id: None, revision: Some(revision), url, links });
    }
    let write = move |set: &mut ChangeSet<'_, '_>| {
        let (loss, rows) = losses(set.now(), &ids)?;
        expect_read(set.now(), &rows, expected_revision)?;
        for id in &ids {
            components::delete(set.tx(), id)?;
        }
        Ok(DeletedComponents::new(ids, false, loss))
    };
    change_set(&site, call, workspace_id, LIST, write).await
}

/// The error for a missing revision.
pub(super) fn revision_required() -> Error {
    let text = "is required: the `revision` of the workspace in the result of a tool that reads it, or of a dry run";
    Error::invalid("expectedRevision", text)
}

/// Fails without a revision that was read, and if one of these rows was written later.
fn expect_read(tx: &ViewTx<'_>, rows: &[AffectedRow], read: Option<i64>) -> Result<()> {
    history::expect_seen(tx, rows, read.ok_or_else(revision_required)?)
}

/// The consequences of the deletion of components, and all rows that it deletes. Fails for unknown and repeated ids.
fn losses(tx: &ViewTx<'_>, ids: &[String]) -> Result<(Loss, Vec<AffectedRow>)> {
    let rows = write_all("componentIds", ids.iter().enumerate().collect(), |_, (index, id)| {
        if ids.iter().take(index).any(|other| other == id) {
            return Err(Error::invalid(FieldPath::default(), format!("the component `{id}` is named twice")));
        }
        if let Some(row) = found(components::find(tx, id))? {
            return Ok(row);
        }
        let text = format!("{}; nothing was deleted", near::no_component(tx, id)?);
        Err(Error::invalid(FieldPath::default(), text))
    })?;
    consequences::of_deletion(tx, &rows)
}

/// Deletes relationships.
pub async fn delete_relationships(
    site: Site,
    call: Call<Editor>,
    request: DeleteRelationships,
) -> Result<WriteResult<Deleted>> {
    const LIST: &str = "relationshipIds";
    let DeleteRelationships { workspace_id, relationship_ids: ids, expected_revision } = request;
    if ids.is_empty() {
        return Err(Error::invalid(LIST, Problem::Items { min: 1, max: None }));
    }
    let write = move |set: &mut ChangeSet<'_, '_>| {
        let rows = write_all(LIST, ids.iter().enumerate().collect(), |_, (index, id)| {
            if ids.iter().take(index).any(|other| other == id) {
                return Err(Error::invalid(FieldPath::default(), format!("the relationship `{id}` is named twice")));
            }
            if let Some(row) = found(relationships::find(set.now(), id))? {
                return Ok(AffectedRow::from(&row));
            }
            let text = format!("{}; nothing was deleted", near::no_relationship(set.now(), id)?);
            Err(Error::invalid(FieldPath::default(), text))
        })?;
        expect_read(set.now(), &rows, expected_revision)?;
        for id in &ids {
            relationships::delete(set.tx(), id)?;
        }
        Ok(Deleted { deleted: ids })
    };
    change_set(&site, call, workspace_id, LIST, write).await
}

/// Deletes a process.
pub async fn delete_process(site: Site, call: Call<Editor>, request: DeleteProcess) -> Result<WriteResult<Deleted>> {
    let DeleteProcess { workspace_id, process_id: id, expected_revision } = request;
    let write = move |set: &mut ChangeSet<'_, '_>| {
        let row = processes::find(set.now(), &id)?;
        expect_read(set.now(), &[AffectedRow::from(&row)], expected_revision)?;
        processes::delete(set.tx(), &id)?;
        Ok(Deleted { deleted: vec![id] })
    };
    change_set(&site, call, workspace_id, "processId", write).await
}
