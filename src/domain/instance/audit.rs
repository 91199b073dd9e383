//! The audit log of the instance: writes, sign-ins, tokens and permission changes.

use std::collections::HashMap;

use rusqlite::Connection;
use serde_json::Value;

pub use super::model::{Actor, AuditEvent, AuditEventObject, AuditQuery, MAX_EVENTS_PER_PAGE, MAX_KIND_BYTES};
use super::store::{self, audit_objects as objects};
use crate::{
    domain::core::{AdminTx, OrgViewTx, Reach, Reads},
    error::Result,
};

/// Maximum number of rows of one kind and type of change whose names are looked up for an event.
const NAMED_ROWS: usize = 3;

/// Lists events, newest first, with the names of the objects that they concern and that the caller can read.
pub fn read(tx: &AdminTx<'_>, page: &AuditQuery) -> Result<Vec<AuditEvent>> {
    let conn = tx.core().conn;
    let mut events = store::audit::page(conn, page)?;
    let mut finder = ObjectFinder { conn, organizations: tx.organizations(), workspaces: HashMap::new() };
    for event in &mut events {
        event.objects = finder.find(event)?;
    }
    Ok(events)
}

/// Finds the objects of events.
struct ObjectFinder<'c> {
    conn: &'c Connection,
    /// What the caller can read of organizations.
    organizations: Option<OrgViewTx<'c>>,
    /// Workspaces by their key; none if they are deleted or the caller cannot read them.
    workspaces: HashMap<i64, Option<AuditEventObject>>,
}

impl ObjectFinder<'_> {
    /// The objects that an event concerns and that still exist.
    fn find(&mut self, event: &AuditEvent) -> Result<Vec<AuditEventObject>> {
        let (conn, details) = (self.conn, &event.details);
        let number = |field: &str| details[field].as_i64();
        let text = |field: &str| details[field].as_str();
        let workspace_pk = match (number("workspacePk"), text("workspaceId")) {
            (None, Some(id)) => objects::workspace_key(conn, id)?,
            (pk, _) => pk,
        };
        let mut found = vec![
            self.organization(event.org_id.as_deref())?,
            self.organization(text("organizationId"))?,
            workspace_pk.map(|pk| self.workspace(pk)).transpose()?.flatten(),
            number("userId").map(|id| objects::user(conn, id)).transpose()?.flatten(),
            number("tokenId").map(|id| objects::token(conn, id)).transpose()?.flatten(),
            text("clientId").map(|id| objects::app(conn, id)).transpose()?.flatten(),
        ];
        if let (Some(id), true) = (number("invitationId"), self.reads(event.org_id.as_deref())) {
            found.push(objects::invitation(conn, id)?);
        }
        for (change, rows) in details["changes"].as_object().into_iter().flatten() {
            let entity = change.split('.').next().unwrap_or_default();
            let ids = rows["ids"].as_array().into_iter().flatten().filter_map(Value::as_str);
            for id in ids.take(NAMED_ROWS) {
                found.push(self.row(entity, id, workspace_pk, event.org_id.as_deref())?);
            }
        }
        let mut all: Vec<AuditEventObject> = Vec::new();
        for object in found.into_iter().flatten() {
            if !all.contains(&object) {
                all.push(object);
            }
        }
        Ok(all)
    }

    /// A row that was written in a workspace or in the directory of an organization.
    fn row(
        &mut self,
        entity: &str,
        id: &str,
        workspace_pk: Option<i64>,
        organization_id: Option<&str>,
    ) -> Result<Option<AuditEventObject>> {
        match (entity, workspace_pk, organization_id) {
            ("member", ..) => id.parse().ok().map_or(Ok(None), |id| objects::user(self.conn, id)),
            ("component" | "process", Some(pk), _) if self.workspace(pk)?.is_some() => {
                objects::workspace_row(self.conn, entity, pk, id)
            }
            ("person" | "team" | "role", _, Some(organization)) if self.reads(organization_id) => {
                objects::entry(self.conn, entity, organization, id)
            }
            _ => Ok(None),
        }
    }

    /// Whether the caller can read an organization.
    fn reads(&self, id: Option<&str>) -> bool {
        match (self.organizations.as_ref().map(OrgViewTx::reach), id) {
            (Some(Reach::Everything), Some(_)) => true,
            (Some(Reach::Organization(own)), Some(id)) => own == id,
            _ => false,
        }
    }

    fn organization(&self, id: Option<&str>) -> Result<Option<AuditEventObject>> {
        id.filter(|_| self.reads(id)).map_or(Ok(None), |id| objects::organization(self.conn, id))
    }

    fn workspace(&mut self, pk: i64) -> Result<Option<AuditEventObject>> {
        if let Some(known) = self.workspaces.get(&pk) {
            return Ok(known.clone());
        }
        let found = objects::workspace(self.conn, pk)?;
        let is_readable = |found: &AuditEventObject| {
            self.organizations.as_ref().is_some_and(|organizations| organizations.view(&found.id).is_ok())
        };
        let found = found.filter(is_readable);
        self.workspaces.insert(pk, found.clone());
        Ok(found)
    }
}
