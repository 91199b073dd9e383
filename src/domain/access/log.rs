//! The change log, written here and nowhere else.
//!
//! Rows of a workspace or a directory are written through a [`Record`], whose SQL demands a [`Logged`]; only this
//! module can make one, and it does so between stamping the row and writing the log. So no domain function can write
//! such a row and forget the log, the revision or the author. Live events, undo and history are read from it.

use std::collections::BTreeMap;

use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::core::{Core, Scope};
use crate::{
    domain::{
        live::{self, Change},
        store,
        workspaces::Workspace,
    },
    error::Result,
};

/// When a row was written, by whom, and in which revision of its workspace, or of its organization's directory.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Written {
    /// The revision of the workspace or directory when this was last written; goes into `If-Match`.
    #[schema(example = 12)]
    pub revision: i64,
    /// Unix milliseconds.
    #[schema(example = 1_790_000_000_000_i64)]
    pub created_at: i64,
    /// User id; absent when the system did it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub created_by: Option<i64>,
    /// Unix milliseconds.
    #[schema(example = 1_790_000_000_000_i64)]
    pub updated_at: i64,
    /// User id; absent when the system did it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub updated_by: Option<i64>,
}

/// What kind of row a change is about; also its name in events, history and undo. In the order in which they name a
/// change that touched several: deleting a component deletes its relationships too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::domain) enum Entity {
    Workspace,
    Member,
    Component,
    Relationship,
    Stakeholder,
    Link,
    Process,
    Person,
    Team,
    TeamMember,
    Role,
}

impl Entity {
    /// All of them, in their order.
    #[cfg(test)]
    pub(in crate::domain) const ALL: [Self; 11] = [
        Self::Workspace,
        Self::Member,
        Self::Component,
        Self::Relationship,
        Self::Stakeholder,
        Self::Link,
        Self::Process,
        Self::Person,
        Self::Team,
        Self::TeamMember,
        Self::Role,
    ];

    /// The word in the log.
    pub(in crate::domain) const fn as_str(self) -> &'static str {
        match self {
            Self::Workspace => "workspace",
            Self::Member => "member",
            Self::Component => "component",
            Self::Relationship => "relationship",
            Self::Stakeholder => "stakeholder",
            Self::Link => "link",
            Self::Process => "process",
            Self::Person => "person",
            Self::Team => "team",
            Self::TeamMember => "team-member",
            Self::Role => "role",
        }
    }
}

/// What was done to a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Op {
    Create,
    Update,
    Delete,
}

impl Op {
    fn as_str(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Delete => "delete",
        }
    }
}

/// The right to write a row of a workspace or directory. Whoever holds it has logged the change.
pub(in crate::domain) struct Logged<'c> {
    pub(in crate::domain) conn: &'c Connection,
    pub(in crate::domain) scope: &'c Scope,
}

/// A row of a workspace or directory that can be written; `store` holds the SQL.
pub(in crate::domain) trait Record: Clone + PartialEq + Serialize {
    /// What it is.
    const ENTITY: Entity;
    /// Its id among its kind, as text.
    fn key(&self) -> String;
    /// Its place in the order of its kind, when it has one.
    fn seq(&self) -> Option<i64> {
        None
    }
    /// Whether it is only marked as deleted: marking it is a deletion in the log, and taking the mark off a creation.
    fn is_marked_deleted(&self) -> bool {
        false
    }
    /// Who wrote it when.
    fn written(&mut self) -> &mut Written;
    /// Writes a new row. Rows whose id SQLite chooses learn it here.
    fn insert(&mut self, to: &Logged<'_>) -> Result<()>;
    /// Writes over the row of the same key.
    fn update(&self, to: &Logged<'_>) -> Result<()>;
    /// Removes the row of the same key.
    fn delete(&self, to: &Logged<'_>) -> Result<()>;
}

/// A row as the log keeps it: as the API shows it, and its place in the order.
#[derive(Serialize)]
pub(in crate::domain) struct Image<'r, R> {
    #[serde(skip_serializing_if = "Option::is_none")]
    seq: Option<i64>,
    #[serde(flatten)]
    row: &'r R,
}

impl<'r, R: Record> Image<'r, R> {
    /// The image of a row.
    pub(in crate::domain) fn of(row: &'r R) -> Self {
        Self { seq: row.seq(), row }
    }
}

impl Core<'_> {
    /// Writes a new row of `scope`, stamped, and the log.
    pub(super) fn create<R: Record>(&self, scope: &Scope, mut row: R) -> Result<R> {
        let (revision, now, by) = (self.revision(scope)?, self.now, self.actor());
        *row.written() = Written { revision, created_at: now, created_by: by, updated_at: now, updated_by: by };
        row.insert(&Logged { conn: self.conn, scope })?;
        self.log(scope, Op::Create, None, Some(&row))?;
        Ok(row)
    }

    /// Writes a row that was there before, as it was: made by whom and when it was made then.
    pub(super) fn bring_back<R: Record>(&self, scope: &Scope, mut row: R) -> Result<R> {
        let (revision, now, by) = (self.revision(scope)?, self.now, self.actor());
        let written = row.written();
        (written.revision, written.updated_at, written.updated_by) = (revision, now, by);
        row.insert(&Logged { conn: self.conn, scope })?;
        self.log(scope, Op::Create, None, Some(&row))?;
        Ok(row)
    }

    /// Writes `after` over `before` and the log; when they are equal, nothing.
    pub(super) fn update<R: Record>(&self, scope: &Scope, before: &R, mut after: R) -> Result<R> {
        if *before == after {
            return Ok(after);
        }
        let revision = self.revision(scope)?;
        let written = after.written();
        (written.revision, written.updated_at, written.updated_by) = (revision, self.now, self.actor());
        after.update(&Logged { conn: self.conn, scope })?;
        match (before.is_marked_deleted(), after.is_marked_deleted()) {
            (false, true) => self.log(scope, Op::Delete, Some(before), None)?,
            (true, false) => self.log(scope, Op::Create, None, Some(&after))?,
            _ => self.log(scope, Op::Update, Some(before), Some(&after))?,
        }
        Ok(after)
    }

    /// Removes a row, and writes the log.
    pub(super) fn delete<R: Record>(&self, scope: &Scope, row: &R) -> Result<()> {
        self.revision(scope)?;
        row.delete(&Logged { conn: self.conn, scope })?;
        self.log(scope, Op::Delete, Some(row), None)
    }

    /// Founds a workspace: its row comes before its scope. Answers with the scope.
    pub(super) fn found(&self, mut workspace: Workspace) -> Result<Scope> {
        const FIRST: i64 = 1;
        let (now, by) = (self.now, self.actor());
        workspace.written =
            Written { revision: FIRST, created_at: now, created_by: by, updated_at: now, updated_by: by };
        let organization_id = workspace.org_id.clone().unwrap_or_default();
        let nowhere = Scope::Workspace { pk: 0, organization_id: organization_id.clone() };
        workspace.insert(&Logged { conn: self.conn, scope: &nowhere })?;
        let scope = Scope::Workspace { pk: workspace.pk, organization_id };
        self.founded(scope.clone(), FIRST);
        self.log(&scope, Op::Create, None, Some(&workspace))?;
        Ok(scope)
    }

    fn log<R: Record>(&self, scope: &Scope, op: Op, before: Option<&R>, after: Option<&R>) -> Result<()> {
        self.check_alive()?;
        let image = |row: Option<&R>| {
            row.map(|row| serde_json::to_string(&Image::of(row))).transpose().map_err(crate::Error::from)
        };
        let key = after.or(before).map(R::key).unwrap_or_default();
        let credential = self.caller().map_or("system", |caller| &caller.credential);
        let (revision, before, after) = (self.revision(scope)?, image(before)?, image(after)?);
        let size = |image: &Option<String>| image.as_ref().map(String::len);
        self.usage.borrow_mut().add(scope, R::ENTITY, size(&before), size(&after));
        let id = store::changes::insert(
            self.conn,
            &store::changes::Change {
                organization_id: scope.organization_id(),
                workspace_pk: scope.workspace_pk(),
                revision,
                batch: &self.call.change_set,
                label: self.call.label.as_deref(),
                undo_of: self.undo_of.borrow().as_deref(),
                actor: self.actor(),
                via: self.call.via.as_str(),
                credential,
                entity: R::ENTITY.as_str(),
                entity_id: &key,
                op: op.as_str(),
                before: before.as_deref(),
                after: after.as_deref(),
                ts: self.now,
            },
        )?;
        if self.shared.live.is_followed(scope) {
            let change = Change {
                id,
                revision,
                change_set_id: self.call.change_set.clone(),
                batch: self.call.batch().to_owned(),
                undo_of: self.undo_of.borrow().clone(),
                actor: None,
                via: self.call.via.as_str().to_owned(),
                entity: R::ENTITY.as_str().to_owned(),
                entity_id: key.clone(),
                op: op.as_str().to_owned(),
                seq: None,
                row: None,
                ts: self.now,
            };
            self.told.borrow_mut().push((scope.clone(), live::Logged { change, after }));
        }
        self.summary.borrow_mut().add(scope, R::ENTITY, op, key);
        Ok(())
    }
}

/// How many ids an audit event names at the most.
const NAMED_IDS: usize = 20;

/// What a request changed, in few words, for the audit.
#[derive(Default)]
pub(super) struct Summary(Vec<(Scope, Tally)>);

/// How many rows of a kind met with what, and the ids of the first of them.
type Tally = BTreeMap<(Entity, Op), (u32, Vec<String>)>;

impl Summary {
    fn add(&mut self, scope: &Scope, entity: Entity, op: Op, key: String) {
        let index = self.0.iter().position(|(known, _)| known == scope).unwrap_or_else(|| {
            self.0.push((scope.clone(), BTreeMap::new()));
            self.0.len() - 1
        });
        let (count, ids) = self.0[index].1.entry((entity, op)).or_default();
        *count += 1;
        if ids.len() < NAMED_IDS {
            ids.push(key);
        }
    }

    /// One event per scope: kind, as in `component.delete`, and details.
    pub(super) fn events(self) -> impl Iterator<Item = (Scope, String, Value)> {
        self.0.into_iter().filter_map(|(scope, changes)| {
            let ((entity, op), _) = changes.first_key_value()?;
            let kind = format!("{}.{}", entity.as_str(), op.as_str());
            let changes: serde_json::Map<String, Value> = changes
                .into_iter()
                .map(|((entity, op), (count, ids))| {
                    (format!("{}.{}", entity.as_str(), op.as_str()), json!({ "count": count, "ids": ids }))
                })
                .collect();
            Some((scope, kind, json!({ "changes": changes })))
        })
    }
}
