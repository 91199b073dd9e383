//! Import: creates or replaces a workspace from a [`Document`], atomically.
//!
//! Components and relationships are replaced as in a [bulk replacement](crate::domain::map::bulk), by comparing ids. Stakeholders,
//! links, processes, notes, views, tours and decisions are replaced in the same way if the file contains them. All are written through one
//! [`ChangeSet`]. Threads of comments are added if the workspace does not have them. People, teams, roles and kinds that do not exist in the organization are created; existing ones, by id
//! (kinds also by name), are unchanged.

mod attached_rows;
mod check;
mod decision_rows;
mod images;
mod new_entries;
mod parts;
mod unique_ids;
mod view_rows;

use serde::{Deserialize, Serialize};

pub use self::parts::ImportedRows;
use self::{attached_rows::AttachedRows, check::Checked, new_entries::NewEntries};
use super::document::Document;
use crate::{
    describe::ToSchema,
    domain::{
        comments::file as comment_file,
        core::{Call, Gate, OrgTx, Reads, WholeMap, access::Member},
        map::change_set::ChangeSet,
        map::{
            bulk::{self, RowWrite},
            workspaces::{self, NewWorkspace, Workspace},
        },
        slug, sync,
        values::{Id, OrganizationAccess},
    },
    error::{Error, Problem, Result},
};

/// Import options.
#[derive(Debug, Clone, Default)]
pub struct ImportOptions {
    /// Id of the workspace to import into; defaults to the id in the file.
    pub id: Option<Id>,
    /// Whether an existing workspace may be replaced.
    pub replace: bool,
    /// Whether to only report what would change.
    pub dry_run: bool,
}

/// The result of an import, or of its dry run.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportResult {
    /// Whether this was a dry run; if true, nothing was written.
    pub dry_run: bool,
    /// Workspace id.
    pub id: String,
    /// Whether the import created the workspace, or would create it in a dry run.
    #[serde(default)]
    #[schema(required)]
    pub is_new: bool,
    /// Deprecated: the same as `isNew`.
    #[schema(deprecated)]
    pub founded: bool,
    /// Change set id. Undo this change set to undo an import into an existing workspace. Absent after a dry run.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub change_set_id: Option<String>,
    /// `X-Batch-Id` of the request; defaults to the change set id. Absent after a dry run.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub batch_id: Option<String>,
    /// The workspace after the import; absent after a dry run.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub workspace: Option<Workspace>,
    /// Rows that were created, or would be created in a dry run.
    pub created: ImportedRows,
    /// Rows that were updated, or would be updated in a dry run.
    pub updated: ImportedRows,
    /// Rows that were deleted, or would be deleted in a dry run.
    pub deleted: ImportedRows,
    /// People, teams, roles and kinds that already exist in the organization, by id (kinds also by name), with
    /// different contents. They are unchanged.
    pub kept: ImportedRows,
    /// Parts of the file that an import does not write; absent when empty.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub ignored: Vec<String>,
}

/// Imports a file. `ignored` lists the parts of the body that were ignored.
///
/// As in a bulk replacement, permission is checked first, then the file is validated, and only then does the call wait
/// for the writer thread.
pub async fn import(
    gate: &Gate,
    call: Call<Member>,
    options: ImportOptions,
    mut document: Document,
    ignored: Vec<String>,
) -> Result<ImportResult> {
    let id = target(&options, &document)?;
    // Like members, the access of the organization is not part of a file. A bundle contains it.
    let access = document.workspace.as_mut().and_then(|own| own.organization_access.take());
    let (at, replace) = (id.clone(), options.replace);
    // A taken id is rejected in the write transaction, not here: a repeated request finds the id taken by its first
    // attempt.
    let may = move |tx: &OrgTx<'_>| if replace { tx.edit(at.as_str()).map(drop) } else { Ok(()) };
    gate.read(call.clone(), (), may).await?;
    let (mut checked, images) = gate.heavy_work(move || Checked::new(document)).await?;
    checked.parts.attached_rows.images = images.encode(gate).await?;
    let weighed = id.clone();
    let weigh = move |tx: &OrgTx<'_>| if replace { bulk::BulkPlan::weigh(tx, weighed.as_str()) } else { Ok(0) };
    let whole = gate.whole_map(&call, (), weigh).await?;
    let dry_run = options.dry_run;
    let work = move |tx: &mut OrgTx<'_>| write(tx, &id, checked, &options, (access, ignored), &whole);
    if dry_run { gate.dry_run(call, (), work).await } else { gate.write(call.large(), (), work).await }
}

/// Creates a workspace as described by `new`, with all other contents from a file.
pub(in crate::domain) fn create(tx: &mut OrgTx<'_>, new: NewWorkspace, mut document: Document) -> Result<Workspace> {
    let id = workspaces::chosen_id(tx, new.id.as_ref(), &new.name)?;
    let id = Id::new(&id).map_err(|wrong| Error::invalid("id", wrong))?;
    if let Some(own) = &mut document.workspace {
        own.name = new.name;
        own.description = new.description.or(own.description.take());
        own.properties = new.properties.or(own.properties.take());
        own.visibility = new.visibility.or(own.visibility);
        own.organization_access = new.organization_access;
    }
    // The files that workspaces are created from have no images.
    let (checked, _) = Checked::new(document)?;
    let imported =
        write(tx, &id, checked, &ImportOptions::default(), (None, Vec::new()), &WholeMap::of_new_workspace())?;
    imported.workspace.ok_or_else(|| Error::internal("an import left no workspace"))
}

/// The id of the workspace to import into.
fn target(options: &ImportOptions, document: &Document) -> Result<Id> {
    if let Some(id) = &options.id {
        return Ok(id.clone());
    }
    let own = document.workspace.as_ref();
    let own = own.ok_or_else(|| Error::invalid("workspace", Problem::required(", or give an `id` to import under")))?;
    let id = own.id.clone().unwrap_or_else(|| slug::from_name(own.name.as_str()));
    Id::new(&id).map_err(|wrong| Error::invalid(["workspace", "id"], wrong))
}

/// Checks that the caller may write to the workspace and that an existing workspace may be replaced.
fn check_target(tx: &OrgTx<'_>, id: &Id, replace: bool) -> Result<()> {
    if !replace && workspaces::id_taken(tx.core().conn, id.as_str())? {
        return Err(Error::WorkspaceExists(id.as_str().to_owned()));
    }
    tx.edit(id.as_str()).map(drop)
}

/// Writes a file. `access` is the access of the organization in the body, which is not imported.
fn write(
    tx: &mut OrgTx<'_>,
    id: &Id,
    checked: Checked,
    options: &ImportOptions,
    (access, mut ignored): (Option<OrganizationAccess>, Vec<String>),
    whole: &WholeMap,
) -> Result<ImportResult> {
    check_target(tx, id, options.replace)?;
    let Checked { mut model, parts } = checked;
    let new_entries = NewEntries::of(tx, parts.people, parts.teams, parts.roles, parts.kinds)?;
    new_entries.rename_kinds(model.properties());
    let existing = tx.edit(id.as_str())?;
    let new_threads = comment_file::new_ids(existing.as_ref(), &parts.threads)?;
    let plan = bulk::BulkPlan::make(existing.as_ref(), id, model, whole)?;
    let attached_rows = AttachedRows::of(tx, existing.as_ref(), id, &new_entries, parts.attached_rows)?;
    let now = existing.as_ref().map_or_else(OrganizationAccess::default, |tx| tx.workspace().organization_access);
    let is_kept = access.is_some_and(|access| access != now);
    ignored.extend(new_entries.ignored());
    ignored.splice(0..0, plan.kept_fields().chain(is_kept.then(|| bulk::ORGANIZATION_ACCESS.to_owned())));
    let new_workspace = match &existing {
        Some(edit) => edit.expect_workspace().map(|()| None)?,
        None => Some(plan.new_workspace(tx, id)?),
    };
    let preview = plan.preview(id, existing.is_some(), Vec::new());
    let mut imported = ImportResult {
        dry_run: options.dry_run,
        id: id.as_str().to_owned(),
        is_new: existing.is_none(),
        founded: existing.is_none(),
        change_set_id: None,
        batch_id: None,
        workspace: None,
        created: ImportedRows { model: preview.created, threads: new_threads, ..attached_rows.ids(RowWrite::Create) },
        updated: ImportedRows { model: preview.updated, ..attached_rows.ids(RowWrite::Update) },
        deleted: ImportedRows { model: preview.deleted, ..attached_rows.ids(RowWrite::Delete) },
        kept: new_entries.different(),
        ignored,
    };
    new_entries.add_ids(&mut imported.created);
    if options.dry_run {
        return Ok(imported);
    }
    new_entries.write(tx)?;
    if let Some(new) = new_workspace {
        workspaces::create(tx, new)?;
    }
    let mut edit = match existing {
        Some(edit) => edit,
        None => tx.edit(id.as_str())?.ok_or(Error::NotFound("workspace"))?,
    };
    let mut set = ChangeSet::new(&mut edit);
    attached_rows.remove(&mut set)?;
    plan.apply(&mut set)?;
    attached_rows.write(&mut set)?;
    if let Some(sources) = parts.sources {
        sync::transfer::replace(&mut edit, sources)?;
    }
    comment_file::import(&edit, &parts.threads)?;
    let call = edit.core().call;
    (imported.change_set_id, imported.batch_id) = (Some(call.change_set.clone()), Some(call.batch().to_owned()));
    imported.workspace = Some(edit.workspace_now()?);
    Ok(imported)
}
