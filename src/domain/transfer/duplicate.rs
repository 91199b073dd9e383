//! Duplicates a workspace in its organization: everything that an export contains, except comments, which are about the
//! original.
//!
//! The rows are copied as they are, without the checks of an import: they were checked when they were written, and the
//! people, teams and roles that they refer to belong to the same organization.

use serde_json::json;

use crate::{
    domain::{
        core::{EditTx, OrgTx, Reads, RowMetadata, ViewTx, WholeMap, WorkspaceKey, list_rows},
        map::{
            note_images,
            workspaces::{self, NewDuplicate, NewWorkspace, Workspace},
        },
        state::{KindVisitor, MapRow, each_kind},
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
    note_images::copy(&source, &edit)?;
    each_kind(&mut Copier { source: &source, edit: &mut edit })?;
    let core = edit.core();
    core.audit("workspace.duplicate", Some(edit.user_id()?), &json!({ "workspaceId": created.id, "from": own.id }))?;
    edit.workspace_now()
}

/// Writes rows of the original into the copy, one kind at a time, so that only its rows are in memory.
struct Copier<'s, 'v, 't, 'c> {
    source: &'s ViewTx<'v>,
    edit: &'t mut EditTx<'c>,
}

impl KindVisitor for Copier<'_, '_, '_, '_> {
    type Error = Error;

    fn visit<R: MapRow>(&mut self) -> Result<()> {
        let id = self.edit.workspace().id.clone();
        let source = WorkspaceKey { pk: self.source.pk(), id: &id };
        for mut row in list_rows::<R>(self.source.core().conn, &source)? {
            row.set_number(0);
            *row.metadata() = RowMetadata::default();
            self.edit.create(row)?;
        }
        Ok(())
    }
}
