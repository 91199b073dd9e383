//! The only module that writes the change log.
//!
//! Rows of a workspace or a directory are written through a [`Record`], whose SQL requires a [`WriteToken`]. Only this
//! module creates one, between stamping the row and writing the log, so no domain function can write such a row without
//! the log, the revision and the author. Live events, undo and history read the log.

use super::{
    change::{Change, LoggedChange},
    record::{Entity, LoggedRow, Op, Record, RowMetadata, WriteToken},
    scope::Scope,
    state::Core,
    store::{self, changes::NewChange},
    workspace::Workspace,
};
use crate::error::Result;

impl Core<'_> {
    /// Writes a new row of `scope`, with revision, timestamps and author, and logs it.
    pub(super) fn create<R: Record>(&self, scope: &Scope, mut row: R) -> Result<R> {
        let (revision, now, by) = (self.revision(scope)?, self.now, self.actor());
        *row.metadata() = RowMetadata { revision, created_at: now, created_by: by, updated_at: now, updated_by: by };
        self.insert(scope, row)
    }

    /// Restores a deleted row with its original creation time and author, and logs it.
    pub(super) fn restore<R: Record>(&self, scope: &Scope, mut row: R) -> Result<R> {
        let (revision, now, by) = (self.revision(scope)?, self.now, self.actor());
        let metadata = row.metadata();
        (metadata.revision, metadata.updated_at, metadata.updated_by) = (revision, now, by);
        self.insert(scope, row)
    }

    fn insert<R: Record>(&self, scope: &Scope, mut row: R) -> Result<R> {
        store::rows::put(&mut row, &WriteToken { conn: self.conn, scope, is_new: true })?;
        self.log(scope, Op::Create, None, Some(&row))?;
        Ok(row)
    }

    /// Updates `before` to `after` and logs the change; writes nothing if both are equal.
    pub(super) fn update<R: Record>(&self, scope: &Scope, before: &R, mut after: R) -> Result<R> {
        if *before == after {
            return Ok(after);
        }
        let revision = self.revision(scope)?;
        let metadata = after.metadata();
        (metadata.revision, metadata.updated_at, metadata.updated_by) = (revision, self.now, self.actor());
        store::rows::put(&mut after, &WriteToken { conn: self.conn, scope, is_new: false })?;
        match (before.is_marked_deleted(), after.is_marked_deleted()) {
            (false, true) => self.log(scope, Op::Delete, Some(before), None)?,
            (true, false) => self.log(scope, Op::Create, None, Some(&after))?,
            _ => self.log(scope, Op::Update, Some(before), Some(&after))?,
        }
        Ok(after)
    }

    /// Deletes a row and logs it.
    pub(super) fn delete<R: Record>(&self, scope: &Scope, row: &R) -> Result<()> {
        self.revision(scope)?;
        store::rows::delete(row, &WriteToken { conn: self.conn, scope, is_new: false })?;
        self.log(scope, Op::Delete, Some(row), None)
    }

    /// Creates a workspace with this first revision and returns its scope. The row is created before the scope exists.
    pub(super) fn create_workspace(&self, mut workspace: Workspace, revision: i64) -> Result<Scope> {
        let (now, by) = (self.now, self.actor());
        workspace.metadata = RowMetadata { revision, created_at: now, created_by: by, updated_at: now, updated_by: by };
        let organization_id = workspace.org_id.clone().unwrap_or_default();
        let nowhere = Scope::Workspace { pk: 0, organization_id: organization_id.clone() };
        store::rows::put(&mut workspace, &WriteToken { conn: self.conn, scope: &nowhere, is_new: true })?;
        let scope = Scope::Workspace { pk: workspace.pk, organization_id };
        self.set_first_revision(scope.clone(), revision);
        self.log(&scope, Op::Create, None, Some(&workspace))?;
        Ok(scope)
    }

    fn log<R: Record>(&self, scope: &Scope, op: Op, before: Option<&R>, after: Option<&R>) -> Result<()> {
        self.check_alive()?;
        let image = |row: Option<&R>| row.map(|row| serde_json::to_string(&LoggedRow::of(row))).transpose();
        let key = after.or(before).map(R::key).unwrap_or_default();
        self.note_documents(scope, before, after);
        self.usage.borrow_mut().show(scope, before.and_then(R::image), after.and_then(R::image));
        self.log_images(scope, op, R::ENTITY, key, (image(before)?, image(after)?))
    }

    /// Notes the search documents that a write affects.
    fn note_documents<R: Record>(&self, scope: &Scope, before: Option<&R>, after: Option<&R>) {
        if let (Some(before), Some(after)) = (before, after)
            && before.is_found_like(after)
        {
            return;
        }
        let mut dirty = self.dirty_documents.borrow_mut();
        for affected in before.into_iter().chain(after).filter_map(R::searched_in) {
            dirty.add(scope, affected);
        }
    }

    /// Logs a write of a row, with its stored forms before and after.
    fn log_images(
        &self,
        scope: &Scope,
        op: Op,
        entity: Entity,
        key: String,
        (before, after): (Option<String>, Option<String>),
    ) -> Result<()> {
        let credential = self.caller().map_or("system", |caller| &caller.credential);
        let revision = self.revision(scope)?;
        let size = |image: &Option<String>| image.as_ref().map(String::len);
        self.usage.borrow_mut().add(scope, entity, size(&before), size(&after));
        let id = store::changes::insert(
            self.conn,
            &NewChange {
                organization_id: scope.organization_id(),
                workspace_pk: scope.workspace_pk(),
                revision,
                batch: &self.call.change_set,
                label: self.call.label.as_deref(),
                undo_of: self.undo_of.borrow().as_deref(),
                actor: self.actor(),
                via: self.call.via.as_str(),
                credential,
                entity: entity.as_str(),
                entity_id: &key,
                op: op.as_str(),
                before: before.as_deref(),
                after: after.as_deref(),
                ts: self.now,
            },
        )?;
        if let Some(reason) = &self.call.reason
            && !self.has_stored_reason.replace(true)
        {
            store::changes::insert_reason(self.conn, &self.call.change_set, reason.as_str())?;
            self.usage.borrow_mut().add_text(scope, entity, reason.as_str());
        }
        if self.shared.observers.iter().any(|observer| observer.is_followed(scope)) {
            let change = Change {
                id,
                revision,
                change_set_id: self.call.change_set.clone(),
                batch: self.call.batch().to_owned(),
                undo_of: self.undo_of.borrow().clone(),
                reason: self.call.reason.clone().map(String::from),
                actor: None,
                via: self.call.via.as_str().to_owned(),
                entity,
                entity_id: key.clone(),
                op: op.as_str().to_owned(),
                seq: None,
                row: None,
                ts: self.now,
            };
            self.logged_changes.borrow_mut().push((scope.clone(), LoggedChange { change, after }));
        } else {
            let mut unfollowed = self.unfollowed_changes.borrow_mut();
            match unfollowed.iter_mut().find(|(known, _)| known == scope) {
                Some((_, last)) => *last = id,
                None => unfollowed.push((scope.clone(), id)),
            }
        }
        self.summary.borrow_mut().add(scope, entity, op, key);
        Ok(())
    }
}
