//! Members of a workspace.

use rusqlite::{Connection, params};

use super::{one, run};
use crate::{
    domain::{
        access::{Entity, Logged, Record, Written},
        members::Member,
        values::AccessLevel,
    },
    error::Result,
};

/// The access level that a user was given in a workspace.
pub(in crate::domain) fn level(conn: &Connection, workspace_pk: i64, user_id: i64) -> Result<Option<AccessLevel>> {
    one(
        conn,
        "SELECT role FROM workspace_member WHERE workspace_pk = ? AND user_id = ?",
        params![workspace_pk, user_id],
        |row| row.get(0),
    )
}

impl Record for Member {
    const ENTITY: Entity = Entity::Member;

    fn key(&self) -> String {
        self.user_id.to_string()
    }

    fn written(&mut self) -> &mut Written {
        &mut self.written
    }

    fn insert(&mut self, to: &Logged<'_>) -> Result<()> {
        let written = &self.written;
        run(
            to.conn,
            "INSERT INTO workspace_member (workspace_pk, user_id, role, revision, added_at, added_by, updated_at,
                                           updated_by)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            params![
                to.scope.workspace_pk(),
                self.user_id,
                self.role,
                written.revision,
                written.created_at,
                written.created_by,
                written.updated_at,
                written.updated_by
            ],
        )?;
        Ok(())
    }

    fn update(&self, to: &Logged<'_>) -> Result<()> {
        run(
            to.conn,
            "UPDATE workspace_member SET role = ?, revision = ?, updated_at = ?, updated_by = ?
             WHERE workspace_pk = ? AND user_id = ?",
            params![
                self.role,
                self.written.revision,
                self.written.updated_at,
                self.written.updated_by,
                to.scope.workspace_pk(),
                self.user_id
            ],
        )?;
        Ok(())
    }

    fn delete(&self, to: &Logged<'_>) -> Result<()> {
        run(
            to.conn,
            "DELETE FROM workspace_member WHERE workspace_pk = ? AND user_id = ?",
            params![to.scope.workspace_pk(), self.user_id],
        )?;
        Ok(())
    }
}
