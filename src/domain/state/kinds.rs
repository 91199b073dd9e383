//! The table of the kinds of rows of a map, and what they have in common.

use std::convert::Infallible;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{
    domain::{
        core::{EditTx, Entity, Reads, RowMetadata, WorkspaceRow, change_log},
        map::{
            components::Component,
            decisions::Decision,
            links::Link,
            notes::Note,
            processes::Process,
            relationships::Relationship,
            stakeholders::StakeholderLink,
            tours::Tour,
            views::{View, ViewLine, ViewPlace},
        },
    },
    error::{ChangedSince, Error, Result},
};

/// What is stored for each kind of row, such as a list of its rows.
pub(in crate::domain) trait PerKind {
    /// The value for a kind.
    type Value<R: MapRow>: Default;
}

/// A value for each kind of row.
#[derive(Default)]
pub(in crate::domain) struct ByKind<P: PerKind> {
    pub(in crate::domain) components: P::Value<Component>,
    pub(in crate::domain) relationships: P::Value<Relationship>,
    pub(in crate::domain) stakeholders: P::Value<StakeholderLink>,
    pub(in crate::domain) links: P::Value<Link>,
    pub(in crate::domain) processes: P::Value<Process>,
    pub(in crate::domain) notes: P::Value<Note>,
    pub(in crate::domain) views: P::Value<View>,
    pub(in crate::domain) view_places: P::Value<ViewPlace>,
    pub(in crate::domain) view_lines: P::Value<ViewLine>,
    pub(in crate::domain) tours: P::Value<Tour>,
    pub(in crate::domain) decisions: P::Value<Decision>,
}

/// The rows of each kind.
#[derive(Default)]
pub(in crate::domain) struct RowsOf;

impl PerKind for RowsOf {
    type Value<R: MapRow> = Vec<R>;
}

/// Work that is the same for all kinds of rows.
pub(in crate::domain) trait KindVisitor {
    type Error;

    fn visit<R: MapRow>(&mut self) -> std::result::Result<(), Self::Error>;
}

/// Visits all kinds, each after the kinds that its rows refer to.
pub(in crate::domain) fn each_kind<V: KindVisitor>(visitor: &mut V) -> std::result::Result<(), V::Error> {
    Entity::ALL.into_iter().try_for_each(|kind| visit_kind(kind, visitor).map(drop))
}

/// Visits all kinds, each before the kinds that its rows refer to.
pub(in crate::domain) fn each_kind_backward<V: KindVisitor>(visitor: &mut V) -> std::result::Result<(), V::Error> {
    Entity::ALL.into_iter().rev().try_for_each(|kind| visit_kind(kind, visitor).map(drop))
}

/// Visits one kind. Returns whether its rows are rows of a map.
pub(in crate::domain) fn visit_kind<V: KindVisitor>(
    kind: Entity,
    visitor: &mut V,
) -> std::result::Result<bool, V::Error> {
    match kind {
        Entity::Component => visitor.visit::<Component>()?,
        Entity::Relationship => visitor.visit::<Relationship>()?,
        Entity::Stakeholder => visitor.visit::<StakeholderLink>()?,
        Entity::Link => visitor.visit::<Link>()?,
        Entity::Process => visitor.visit::<Process>()?,
        Entity::Note => visitor.visit::<Note>()?,
        Entity::View => visitor.visit::<View>()?,
        Entity::ViewPlace => visitor.visit::<ViewPlace>()?,
        Entity::ViewLine => visitor.visit::<ViewLine>()?,
        Entity::Tour => visitor.visit::<Tour>()?,
        Entity::Decision => visitor.visit::<Decision>()?,
        // The workspace itself, its members, and the directory of the organization.
        Entity::Workspace
        | Entity::Member
        | Entity::Person
        | Entity::Team
        | Entity::TeamMember
        | Entity::Role
        | Entity::Kind => return Ok(false),
    }
    Ok(true)
}

/// A row of a map. It can be read from the log.
pub(in crate::domain) trait MapRow: WorkspaceRow + DeserializeOwned + 'static {
    /// Whether the rows are deleted after all writes, because other rows can be moved away from them.
    const IS_DELETED_LAST: bool = false;

    /// The rows without which a row of this kind cannot exist: their kind, and the field with their id.
    const NEEDS: &'static [(Entity, &'static str)] = &[];
    /// Fields that a draft and its base can both change without a conflict, besides the place in a list.
    const YIELDING: &'static [&'static str] = &[];

    /// The value of this kind.
    fn of_mut<P: PerKind>(values: &mut ByKind<P>) -> &mut P::Value<Self>;

    /// Display name.
    fn name(&self) -> String;

    /// Sets the order value, for kinds that have an order.
    fn set_order(&mut self, _seq: i64) {}

    /// The sort key of the row: its order value, or its id, which increases over time.
    fn order(&self) -> i64 {
        self.list_position().unwrap_or_else(|| self.key().parse().unwrap_or_default())
    }

    /// Parses the row from its logged form, which may have an outdated workspace id.
    fn from_logged(mut logged: Value, workspace_id: &str) -> Result<Self> {
        let seq = logged["seq"].as_i64();
        logged["workspaceId"] = workspace_id.into();
        let mut row: Self = serde_json::from_value(logged)?;
        if let Some(seq) = seq {
            row.set_order(seq);
        }
        Ok(row)
    }

    /// Whether two rows have the same contents, regardless of revision, timestamps and authors.
    fn has_same_contents(&self, other: &Self) -> bool {
        let bare = |row: &Self| {
            let mut row = row.clone();
            *row.metadata() = RowMetadata::default();
            row
        };
        bare(self) == bare(other)
    }

    /// What no other row of the kind can have.
    fn claim(&self) -> Option<Claim> {
        None
    }

    /// Adds the rows that this one refers to and that do not exist, and other rows with which it cannot exist.
    fn add_obstacles(&self, _tx: &EditTx<'_>, _obstacles: &mut Obstacles) -> Result<()> {
        Ok(())
    }

    /// Adds the rows without which this one cannot be deleted.
    fn add_dependents(&self, _tx: &EditTx<'_>, _obstacles: &mut Obstacles) -> Result<()> {
        Ok(())
    }

    /// Deletes the row, with the rows of other kinds that belong to it.
    fn delete_with_dependents(&self, tx: &mut EditTx<'_>) -> Result<()> {
        tx.delete(self)
    }

    /// Writes the rows of the kind that are not deleted.
    fn write(tx: &mut EditTx<'_>, steps: &[RowStep<Self>], obstacles: &mut Obstacles) -> Result<()> {
        for step in steps {
            step.write(tx, obstacles)?;
        }
        Ok(())
    }
}

/// What only one row of a kind can have.
pub(in crate::domain) enum Claim {
    /// A component, as a part.
    Part { id: String, of: String },
    /// A person or a team, as a stakeholder of a component with a role.
    Holder,
    /// A number.
    Number(i64),
}

/// What is known of a kind without a row of it.
#[derive(Default)]
pub(in crate::domain) struct KindFacts {
    /// See [`MapRow::NEEDS`].
    pub(in crate::domain) needs: &'static [(Entity, &'static str)],
    /// See [`MapRow::YIELDING`].
    pub(in crate::domain) yielding: &'static [&'static str],
}

impl KindFacts {
    /// What is known of a kind; nothing of those whose rows are not rows of a map.
    pub(in crate::domain) fn of(kind: Entity) -> Self {
        let mut facts = Self::default();
        let Ok(_) = visit_kind(kind, &mut facts);
        facts
    }
}

impl KindVisitor for KindFacts {
    type Error = Infallible;

    fn visit<R: MapRow>(&mut self) -> std::result::Result<(), Infallible> {
        *self = Self { needs: R::NEEDS, yielding: R::YIELDING };
        Ok(())
    }
}

/// The current and the wanted state of a row. At least one of them is present.
pub(in crate::domain) struct RowStep<R> {
    pub(in crate::domain) now: Option<R>,
    pub(in crate::domain) then: Option<R>,
}

impl<R: MapRow> RowStep<R> {
    /// Deletes the row if it is to be deleted and no other row depends on it.
    pub(super) fn delete(&self, tx: &mut EditTx<'_>, obstacles: &mut Obstacles) -> Result<()> {
        let (Some(now), None) = (&self.now, &self.then) else { return Ok(()) };
        let known = obstacles.0.len();
        now.add_dependents(tx, obstacles)?;
        if obstacles.0.len() == known { tx.delete(now) } else { Ok(()) }
    }

    /// Writes the row, unless it is to be deleted or cannot exist. Returns the written row.
    pub(super) fn write(&self, tx: &mut EditTx<'_>, obstacles: &mut Obstacles) -> Result<Option<R>> {
        let Some(then) = &self.then else { return Ok(None) };
        let known = obstacles.0.len();
        then.add_obstacles(tx, obstacles)?;
        if obstacles.0.len() == known { self.put(tx, then).map(Some) } else { Ok(None) }
    }

    pub(super) fn put(&self, tx: &mut EditTx<'_>, then: &R) -> Result<R> {
        let mut then = then.clone();
        match &self.now {
            Some(now) => {
                // Undo changes the contents of a row, not its creation time and author.
                *then.metadata() = now.clone().metadata().clone();
                tx.update(now, then)
            }
            None => tx.restore(then),
        }
    }
}

/// Rows that prevent writes.
#[derive(Default)]
pub(in crate::domain) struct Obstacles(Vec<ChangedSince>);

impl Obstacles {
    /// Adds rows that exist and must not exist.
    pub(super) fn add_all<R: MapRow>(&mut self, tx: &EditTx<'_>, rows: &[R]) -> Result<()> {
        rows.iter().try_for_each(|row| self.add(tx, row, None))
    }

    /// Adds a row that exists and must not exist, or must not exist in this way.
    pub(super) fn add<R: MapRow>(&mut self, tx: &EditTx<'_>, row: &R, why: Option<String>) -> Result<()> {
        let why = why.unwrap_or_else(|| "was added since".into());
        self.push(tx, R::ENTITY.as_str(), row.key(), row.name(), why)
    }

    /// Adds a row that does not exist and must exist.
    pub(super) fn add_missing(&mut self, tx: &EditTx<'_>, entity: &'static str, id: &str) -> Result<()> {
        self.push(tx, entity, id.to_owned(), id.to_owned(), "no longer exists".into())
    }

    /// Adds a component if it does not exist.
    pub(super) fn need_component(&mut self, tx: &EditTx<'_>, id: &str) -> Result<()> {
        if tx.has::<Component>(id)? { Ok(()) } else { self.add_missing(tx, "component", id) }
    }

    /// Adds a view if it does not exist.
    pub(super) fn need_view(&mut self, tx: &EditTx<'_>, id: &str) -> Result<()> {
        if tx.has::<View>(id)? { Ok(()) } else { self.add_missing(tx, "view", id) }
    }

    /// Fails if there is an obstacle.
    pub(super) fn into_result(self) -> Result<()> {
        if self.0.is_empty() { Ok(()) } else { Err(Error::ChangedSince(self.0)) }
    }

    fn push(&mut self, tx: &EditTx<'_>, entity: &'static str, id: String, name: String, why: String) -> Result<()> {
        let last = change_log::last_write(tx.core().conn, tx.pk(), entity, &id)?;
        let (changed_by, change_set_id) = (last.author, last.change_set);
        self.0.push(ChangedSince { entity, id, name, why, changed_by, change_set_id });
        Ok(())
    }
}
