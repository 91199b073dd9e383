//! Tools that delete components, relationships and processes. The tool `undo` and users in the web client can undo deletions.

use serde::{Deserialize, Serialize};

use super::{
    change_set::{Done, change_set},
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
    /// Only tell what would be deleted.
    #[schema(nullable = false)]
    dry_run: Option<bool>,
    /// `revision` of the workspace in what you read; a dry run has it too. Refused if something that is deleted has changed
    /// since. Required without `dryRun`.
    #[schema(nullable = false)]
    expected_revision: Option<i64>,
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
    /// See `delete_components`.
    #[schema(nullable = false, required = true)]
    expected_revision: Option<i64>,
}

/// Which process shall go.
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

/// What is gone.
#[derive(Debug, Serialize, Deserialize)]
pub struct Gone {
    /// Deleted ids.
    deleted: Vec<String>,
}

/// What the deletion of components means.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Consequences {
    /// Deleted ids.
    deleted: Vec<String>,
    /// Whether this was a dry run, which deleted nothing.
    dry_run: bool,
    #[serde(flatten)]
    loss: Loss,
    /// How to get the others, if a list is incomplete.
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

impl Consequences {
    fn new(deleted: Vec<String>, dry_run: bool, loss: Loss) -> Self {
        let is_cut =
            loss.orphan_count > loss.orphans.len() || loss.processes_broken_count > loss.processes_broken.len();
        let hint = "lists contain at most 50 ids; for the others, use a dry run with fewer components, or \
                    query_components with parentId";
        Self { deleted, dry_run, loss, hint: is_cut.then(|| hint.to_owned()) }
    }
}

/// Deletes components, or tells what that would mean.
pub async fn delete_components(site: Site, call: Call<Editor>, ask: DeleteComponents) -> Result<Done<Consequences>> {
    const LIST: &str = "componentIds";
    let DeleteComponents { workspace_id, component_ids: ids, dry_run, expected_revision } = ask;
    if ids.is_empty() {
        return Err(Error::invalid(LIST, Problem::Items { min: 1, max: None }));
    }
    if dry_run == Some(true) {
        let links = site.links(&call).await?;
        let url = Some(links.workspace(&workspace_id));
        let (answer, revision) = site
            .gate
            .dry_run(call, workspace_id, move |tx| {
                let (loss, rows) = losses(tx, &ids)?;
                expected_revision.map_or(Ok(()), |read| history::expect_seen(tx, &rows, read))?;
                Ok((Consequences::new(ids, true, loss), tx.workspace().metadata.revision))
            })
            .await?;
        return Ok(Done { answer, change_set_id: None, revision: Some(revision), url, links });
    }
    let write = move |set: &mut ChangeSet<'_, '_>| {
        let (loss, rows) = losses(set.now(), &ids)?;
        expect_read(set.now(), &rows, expected_revision)?;
        for id in &ids {
            components::delete(set.tx(), id)?;
        }
        Ok(Consequences::new(ids, false, loss))
    };
    change_set(&site, call, workspace_id, LIST, write).await
}

/// The error of a tool that destroys without a revision.
pub(super) fn revision_required() -> Error {
    let text = "is required: the `revision` of the workspace in the result of a tool that reads it, or of a dry run";
    Error::invalid("expectedRevision", text)
}

/// Refuses to destroy rows without the revision of a read, and rows that were written after it.
fn expect_read(tx: &ViewTx<'_>, rows: &[AffectedRow], read: Option<i64>) -> Result<()> {
    history::expect_seen(tx, rows, read.ok_or_else(revision_required)?)
}

/// What the deletion of components takes with it, and all rows that it deletes. Fails if one of them does not exist, or is
/// named twice.
fn losses(tx: &ViewTx<'_>, ids: &[String]) -> Result<(Loss, Vec<AffectedRow>)> {
    let rows = write_all("componentIds", ids.iter().enumerate().collect(), |_, (at, id)| {
        if ids.iter().take(at).any(|other| other == id) {
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
pub async fn delete_relationships(site: Site, call: Call<Editor>, ask: DeleteRelationships) -> Result<Done<Gone>> {
    const LIST: &str = "relationshipIds";
    let DeleteRelationships { workspace_id, relationship_ids: ids, expected_revision } = ask;
    if ids.is_empty() {
        return Err(Error::invalid(LIST, Problem::Items { min: 1, max: None }));
    }
    let write = move |set: &mut ChangeSet<'_, '_>| {
        let rows = write_all(LIST, ids.iter().enumerate().collect(), |_, (at, id)| {
            if ids.iter().take(at).any(|other| other == id) {
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
        Ok(Gone { deleted: ids })
    };
    change_set(&site, call, workspace_id, LIST, write).await
}

/// Deletes a process.
pub async fn delete_process(site: Site, call: Call<Editor>, ask: DeleteProcess) -> Result<Done<Gone>> {
    let DeleteProcess { workspace_id, process_id: id, expected_revision } = ask;
    let write = move |set: &mut ChangeSet<'_, '_>| {
        let row = processes::find(set.now(), &id)?;
        expect_read(set.now(), &[AffectedRow::from(&row)], expected_revision)?;
        processes::delete(set.tx(), &id)?;
        Ok(Gone { deleted: vec![id] })
    };
    change_set(&site, call, workspace_id, "processId", write).await
}
