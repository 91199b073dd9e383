//! Duplicates a workspace in its organization: everything that an export contains, except comments, which are about the
//! original.
//!
//! The rows are copied as they are, without the checks of an import: they were checked when they were written, and the
//! people, teams and roles that they refer to belong to the same organization.

use serde_json::json;

use crate::{
    domain::{
        core::{OrgTx, Reads, Record, RowMetadata, WholeMap},
        map::{
            change_set::ChangeSet,
            components, decisions, links, note_images, notes, processes, relationships, stakeholders, tours,
            view_lines, view_places, views,
            workspaces::{self, NewDuplicate, NewWorkspace, Workspace},
        },
        paging::Window,
        values::{Name, Text},
    },
    error::{Error, Result},
};

/// Estimated memory of [`create`] in bytes: the rows of one kind, and the bookkeeping for each written row.
pub fn weigh(tx: &OrgTx<'_>, source: &str) -> Result<usize> {
    tx.view(source)?.weight()
}

/// Copies a workspace that the caller can view. The caller becomes the owner of the copy. Members, access requests,
/// versions and the history are not copied.
pub fn create(tx: &mut OrgTx<'_>, source: &str, new: NewDuplicate, _: &WholeMap) -> Result<Workspace> {
    let source = tx.view(source)?;
    let own = source.workspace().clone();
    let copy = NewWorkspace {
        id: new.id,
        name: new.name.map_or_else(|| Name::copy_of(&own.name), Ok).map_err(Error::internal)?,
        description: own.description.as_deref().map(Text::new).transpose().map_err(Error::internal)?,
        visibility: Some(new.visibility.unwrap_or(own.visibility)),
        organization_access: Some(new.organization_access.unwrap_or(own.organization_access)),
        properties: Some(own.properties),
        org_id: None,
        sample: None,
        template: None,
    };
    let created = workspaces::create(tx, copy)?;
    let mut edit = tx.edit(&created.id)?.ok_or(Error::NotFound("workspace"))?;
    let mut copier = Copier { set: ChangeSet::new(&mut edit), id: &created.id };
    let (conn, key) = (source.core().conn, source.key());
    // One kind of row at a time, so that only its rows are in memory.
    copier.copy(components::rows(conn, &key)?, |row| &mut row.workspace_id, |_| {})?;
    copier.copy(relationships::rows(conn, &key)?, |row| &mut row.workspace_id, |_| {})?;
    let stakeholders = stakeholders::rows(conn, &key, &Window::whole())?.items.into_iter().map(|row| row.link);
    copier.copy(stakeholders.collect(), |row| &mut row.workspace_id, |row| row.id = 0)?;
    copier.copy(links::rows(conn, &key)?, |row| &mut row.workspace_id, |row| row.id = 0)?;
    copier.copy(processes::rows(conn, &key)?, |row| &mut row.workspace_id, |_| {})?;
    note_images::copy(&source, copier.set.now())?;
    copier.copy(notes::rows(conn, &key)?, |row| &mut row.workspace_id, |_| {})?;
    copier.copy(views::rows(conn, &key)?, |row| &mut row.workspace_id, |_| {})?;
    copier.copy(view_places::rows(conn, &key)?, |row| &mut row.workspace_id, |_| {})?;
    copier.copy(view_lines::rows(conn, &key)?, |row| &mut row.workspace_id, |_| {})?;
    copier.copy(tours::rows(conn, &key)?, |row| &mut row.workspace_id, |_| {})?;
    copier.copy(decisions::rows(conn, &key)?, |row| &mut row.workspace_id, |_| {})?;
    let core = edit.core();
    core.audit("workspace.duplicate", Some(edit.user_id()?), &json!({ "workspaceId": created.id, "from": own.id }))?;
    edit.workspace_now()
}

/// Writes rows of the original into the copy.
struct Copier<'s, 't, 'c> {
    set: ChangeSet<'t, 'c>,
    id: &'s str,
}

impl Copier<'_, '_, '_> {
    /// Copies rows in their order. `reset` removes the ids that the server assigns.
    fn copy<R: Record>(&mut self, rows: Vec<R>, workspace: fn(&mut R) -> &mut String, reset: fn(&mut R)) -> Result<()> {
        for mut row in rows {
            workspace(&mut row).replace_range(.., self.id);
            reset(&mut row);
            *row.metadata() = RowMetadata::default();
            self.set.put(None, row)?;
        }
        Ok(())
    }
}
