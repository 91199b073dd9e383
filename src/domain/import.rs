//! Import: a workspace out of a [`Document`], all of it or nothing.
//!
//! Components and relationships are replaced as by a [bulk](super::bulk), by difference, and so are stakeholders, links
//! and processes when the file has them. All are written through one [`ChangeSet`]. People, teams and roles that the
//! organization does not have are created; those that it has, by id, stay as they are.

mod attached;
mod check;
mod newcomers;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use self::{attached::Attached, check::Checked, newcomers::Newcomers};
use super::{
    access::{Call, Gate, OrgTx, Reads},
    bulk::{self, IdsByKind},
    document::Document,
    operations::ChangeSet,
    slug, store,
    values::Id,
    workspaces::{self, NewWorkspace, Workspace},
};
use crate::error::{Error, Result};

/// How to import.
#[derive(Debug, Clone, Default)]
pub struct How {
    /// Under this id; else under that of the file.
    pub id: Option<Id>,
    /// Whether a workspace that exists may become that of the file.
    pub replace: bool,
    /// Only say what would change.
    pub dry_run: bool,
}

/// What an import did, or would do.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Imported {
    /// Whether nothing was written.
    pub dry_run: bool,
    /// The id of the workspace.
    pub id: String,
    /// Whether it came, or would come, into being.
    pub founded: bool,
    /// Id of the change set: undo it to undo the import into a workspace that existed. Absent after a dry run.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub change_set_id: Option<String>,
    /// The `X-Batch-Id` of the request; without one, the change set's id. Absent after a dry run.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub batch_id: Option<String>,
    /// The workspace now; absent after a dry run.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub workspace: Option<Workspace>,
    /// What came into being.
    pub created: Parts,
    /// What changed.
    pub updated: Parts,
    /// What went.
    pub deleted: Parts,
    /// People, teams and roles that the organization has, by id, and that say something else there: they stay.
    pub kept: Parts,
    /// Parts of the file that say what an import does not change; absent when there are none.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub ignored: Vec<String>,
}

/// Ids, by kind. Stakeholders and links, whose ids are not the file's, are named by their component.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Parts {
    /// The workspace and its model.
    #[serde(flatten)]
    pub model: IdsByKind,
    /// Components whose stakeholders are meant, each as often as it has some.
    pub stakeholders: Vec<String>,
    /// Components whose links are meant, each as often as it has some.
    pub links: Vec<String>,
    /// Processes.
    pub processes: Vec<String>,
    /// People.
    pub people: Vec<String>,
    /// Teams.
    pub teams: Vec<String>,
    /// Roles.
    pub roles: Vec<String>,
}

/// Imports a file. `ignored` names the parts of the body that were passed over.
///
/// As with a bulk, permission is asked for first, the file is checked by itself, and only then the thread that writes is
/// waited for.
pub async fn import(gate: &Gate, call: Call, how: How, document: Document, ignored: Vec<String>) -> Result<Imported> {
    let id = target(&how, &document)?;
    let (at, replace) = (id.clone(), how.replace);
    // That the id is taken is refused where the deed is done: what is sent again has taken it itself.
    let may = move |tx: &OrgTx<'_>| if replace { tx.edit(at.as_str()).map(drop) } else { Ok(()) };
    gate.org_check(call.clone(), may).await?;
    let checked = gate.heavy_work(move || Checked::new(document)).await?;
    if how.dry_run {
        return gate.org_dry_run(call, move |tx| put(tx, &id, checked, &how, ignored)).await;
    }
    gate.org(call.large(), move |tx| put(tx, &id, checked, &how, ignored)).await
}

/// Founds a workspace as the caller describes it, with all else from a file.
pub(super) fn found(tx: &mut OrgTx<'_>, new: NewWorkspace, mut document: Document) -> Result<Workspace> {
    let id = workspaces::chosen_id(tx, new.id.as_ref(), &new.name)?;
    let id = Id::new(&id).map_err(|wrong| Error::invalid("id", wrong))?;
    if let Some(own) = &mut document.workspace {
        own.name = new.name;
        own.description = new.description.or(own.description.take());
        own.properties = new.properties.or(own.properties.take());
        own.visibility = new.visibility.or(own.visibility);
    }
    let imported = put(tx, &id, Checked::new(document)?, &How::default(), Vec::new())?;
    imported.workspace.ok_or_else(|| Error::internal("an import left no workspace"))
}

/// Where the file goes.
fn target(how: &How, document: &Document) -> Result<Id> {
    if let Some(id) = &how.id {
        return Ok(id.clone());
    }
    let own = document.workspace.as_ref();
    let own = own.ok_or_else(|| Error::invalid("workspace", "is required, or give an `id` to import under"))?;
    let id = own.id.clone().unwrap_or_else(|| slug::from_name(own.name.as_str()));
    Id::new(&id).map_err(|wrong| Error::invalid("workspace.id", wrong))
}

/// Refuses who may not write there, and to write over what was not meant.
fn admit(tx: &OrgTx<'_>, id: &Id, replace: bool) -> Result<()> {
    if !replace && store::workspaces::id_taken(tx.core().conn, id.as_str())? {
        let id = id.as_str();
        let text = format!(
            "a workspace with the id `{id}` exists already; import under another with `?id=`, or over it with \
             `?replace=true`"
        );
        return Err(Error::Conflict(text));
    }
    tx.edit(id.as_str()).map(drop)
}

fn put(tx: &mut OrgTx<'_>, id: &Id, checked: Checked, how: &How, mut ignored: Vec<String>) -> Result<Imported> {
    admit(tx, id, how.replace)?;
    let Checked { model, parts } = checked;
    let newcomers = Newcomers::of(tx, parts.people, parts.teams, parts.roles)?;
    let existing = tx.edit(id.as_str())?;
    let plan = bulk::Plan::make(existing.as_ref(), id, model)?;
    let attached = Attached::of(tx, existing.as_ref(), id, &newcomers, parts.attached)?;
    if plan.keeps_another_visibility() {
        ignored.insert(0, "workspace.visibility".into());
    }
    let founding = match &existing {
        Some(edit) => edit.expect_workspace().map(|()| None)?,
        None => Some(plan.founding(tx, id)?),
    };
    let preview = plan.preview(id, existing.is_some(), Vec::new());
    let mut imported = Imported {
        dry_run: how.dry_run,
        id: id.as_str().to_owned(),
        founded: existing.is_none(),
        change_set_id: None,
        batch_id: None,
        workspace: None,
        created: Parts { model: preview.created, ..attached.created() },
        updated: Parts { model: preview.updated, ..attached.updated() },
        deleted: Parts { model: preview.deleted, ..attached.deleted() },
        kept: newcomers.kept(),
        ignored,
    };
    newcomers.name(&mut imported.created);
    if how.dry_run {
        return Ok(imported);
    }
    newcomers.write(tx)?;
    if let Some(new) = founding {
        workspaces::create(tx, new)?;
    }
    let mut edit = match existing {
        Some(edit) => edit,
        None => tx.edit(id.as_str())?.ok_or(Error::NotFound("workspace"))?,
    };
    let mut set = ChangeSet::new(&mut edit);
    attached.remove(&mut set)?;
    plan.apply(&mut set)?;
    attached.write(&mut set)?;
    let call = edit.core().call;
    (imported.change_set_id, imported.batch_id) = (Some(call.change_set.clone()), Some(call.batch().to_owned()));
    imported.workspace = Some(edit.workspace_now()?);
    Ok(imported)
}
