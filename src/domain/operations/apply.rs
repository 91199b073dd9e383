//! Applies single operations. An operation that conflicts with the current state is recorded in the run and skipped.

use std::{collections::HashSet, fmt::Debug};

use super::{
    OperationKind, Position, RowId, WorkspaceFields,
    model::path,
    rows::{KeyedRow, Planned},
    session::{OperationTarget, OperationsRun},
};
use crate::{
    domain::{
        core::{Entity, Reads, Record},
        map::{
            components::{self, Component},
            links::{self, NewLink},
            relationships::Relationship,
            stakeholders::{self, EntryReference, NewStakeholder, StakeholderPatch},
            view_lines, view_places,
            views::{NewViewLine, View, ViewLine, ViewPlace},
        },
        paging::Window,
        state::{KindVisitor, MapRow, visit_kind},
    },
    error::{Error, Result},
};

/// A parsed operation.
pub(super) trait Operation: Debug + Send {
    /// Applies the operation, the item `index` of the request.
    fn apply(self: Box<Self>, run: &mut OperationsRun<'_, '_>, index: usize) -> Result<()>;

    /// The number of rows that it writes, apart from those that belong to them.
    fn rows(&self) -> usize {
        1
    }

    /// Adds what counts for the placement of new components.
    fn plan<'o>(&'o mut self, _: &mut Planned<'o>) {}

    /// The link that it creates.
    fn new_link(&self) -> Option<&NewLink> {
        None
    }
}

/// Creates a row.
#[derive(Debug)]
pub(super) struct Create<R: KeyedRow> {
    pub(super) new: R::New,
}

impl<R: KeyedRow + Debug> Operation for Create<R> {
    fn plan<'o>(&'o mut self, planned: &mut Planned<'o>) {
        R::plan(&mut self.new, planned);
    }

    fn apply(self: Box<Self>, run: &mut OperationsRun<'_, '_>, index: usize) -> Result<()> {
        let at = target(index, R::ENTITY, R::chosen_id(&self.new));
        if let Some(id) = R::chosen_id(&self.new)
            && let Some(row) = run.now().find::<R>(id)?
        {
            return run.taken(&at, &row);
        }
        if !R::can_create(run, &at, &self.new)? {
            return Ok(());
        }
        let created = R::create_row(&mut run.set, index, self.new);
        if let Some(id) = run.located(index, "row", created)? {
            run.created(R::ENTITY, id);
        }
        Ok(())
    }
}

/// Updates fields of a row.
#[derive(Debug)]
pub(super) struct Update<R: KeyedRow> {
    pub(super) id: String,
    pub(super) patch: R::Patch,
    pub(super) revision: Option<i64>,
}

impl<R: KeyedRow + Debug> Operation for Update<R> {
    fn apply(self: Box<Self>, run: &mut OperationsRun<'_, '_>, index: usize) -> Result<()> {
        let Self { id, patch, revision } = *self;
        let at = target(index, R::ENTITY, Some(&id));
        let Some(row) = run.now().find::<R>(&id)? else { return run.deleted(&at) };
        if !run.is_current(&at, &row, revision)? || !row.can_update(run, &at, &patch)? {
            return Ok(());
        }
        let updated = R::update_row(&mut run.set, index, &id, patch);
        run.located(index, "fields", updated).map(drop)
    }
}

/// Updates the workspace's own fields.
#[derive(Debug)]
pub(super) struct UpdateWorkspace {
    pub(super) fields: WorkspaceFields,
    pub(super) revision: Option<i64>,
}

impl Operation for UpdateWorkspace {
    fn apply(self: Box<Self>, run: &mut OperationsRun<'_, '_>, index: usize) -> Result<()> {
        let at = target(index, Entity::Workspace, Some(&run.now().workspace().id));
        run.update_workspace(&at, self.fields, self.revision)
    }
}

/// Deletes a row with the rows that belong to it.
#[derive(Debug)]
pub(super) struct Delete {
    pub(super) kind: OperationKind,
    pub(super) id: RowId,
    pub(super) revision: Option<i64>,
}

impl Operation for Delete {
    fn apply(self: Box<Self>, run: &mut OperationsRun<'_, '_>, index: usize) -> Result<()> {
        let entity = self.kind.entity();
        let id = match self.id {
            id if entity.has_number() => match run.number(index, entity, &id)? {
                Some(number) => RowId::Number(number),
                None => return Ok(()),
            },
            id => id,
        };
        let at = OperationTarget { index, entity, id: Some(id) };
        if !visit_kind(entity, &mut Deletion { run, at, revision: self.revision })? {
            return Err(Error::invalid(path(index, "kind"), "a workspace is not deleted by operations"));
        }
        Ok(())
    }
}

struct Deletion<'r, 't, 'c> {
    run: &'r mut OperationsRun<'t, 'c>,
    at: OperationTarget,
    revision: Option<i64>,
}

impl KindVisitor for Deletion<'_, '_, '_> {
    type Error = Error;

    fn visit<R: MapRow>(&mut self) -> Result<()> {
        match self.run.now().find::<R>(&self.at.key())? {
            None => self.run.deleted(&self.at),
            Some(row) if self.run.is_current(&self.at, &row, self.revision)? => {
                row.delete_with_dependents(self.run.set.tx())
            }
            Some(_) => Ok(()),
        }
    }
}

/// Adds a stakeholder to a component.
#[derive(Debug)]
pub(super) struct CreateStakeholder {
    pub(super) component_id: String,
    pub(super) new: NewStakeholder,
    pub(super) reference: Option<String>,
}

impl Operation for CreateStakeholder {
    fn apply(self: Box<Self>, run: &mut OperationsRun<'_, '_>, index: usize) -> Result<()> {
        let Self { component_id, new, reference } = *self;
        let at = target(index, Entity::Stakeholder, None);
        if !run.has_components(&at, [component_id.as_str()])? || !has_entries(run, &at, &new)? {
            return Ok(());
        }
        let tx = run.now();
        let of_component =
            stakeholders::rows_of_component(tx.core().conn, &tx.key(), &component_id, &Window::whole())?.items;
        let same = of_component.into_iter().find(|row| {
            let link = &row.link;
            link.link_type == new.link_type && link.person_id == new.person_id && link.team_id == new.team_id
        });
        if let Some(row) = same {
            let message = format!("this stakeholder of `{component_id}` exists already");
            let key = row.link.id.to_string();
            return run.conflict(&at, "taken", message, Some(&row), (Entity::Stakeholder, &key));
        }
        let created = stakeholders::create(run.set.tx(), &component_id, new);
        if let Some(row) = run.located(index, "row", created)? {
            run.refer(index, reference, Entity::Stakeholder, row.link.id)?;
        }
        Ok(())
    }
}

/// Updates a stakeholder.
#[derive(Debug)]
pub(super) struct UpdateStakeholder {
    pub(super) id: RowId,
    pub(super) patch: StakeholderPatch,
    pub(super) revision: Option<i64>,
}

impl Operation for UpdateStakeholder {
    fn apply(self: Box<Self>, run: &mut OperationsRun<'_, '_>, index: usize) -> Result<()> {
        let Self { id, patch, revision } = *self;
        let Some(number) = run.number(index, Entity::Stakeholder, &id)? else { return Ok(()) };
        let at = OperationTarget { index, entity: Entity::Stakeholder, id: Some(RowId::Number(number)) };
        let tx = run.now();
        let Some(row) = stakeholders::row_by_id(tx.core().conn, &tx.key(), number)? else {
            return run.deleted(&at);
        };
        if !run.is_current_as(&at, &row.link, &row, revision)? {
            return Ok(());
        }
        if let Some(role) = &patch.link_type
            && !stakeholders::is_there(run.now(), Entity::Role, role)?
        {
            return run.missing(&at, Entity::Role, role);
        }
        match stakeholders::update(run.set.tx(), &row.link.component_id, number, patch) {
            Err(Error::Conflict(message)) => {
                let key = number.to_string();
                run.conflict(&at, "taken", message, Some(&row), (Entity::Stakeholder, &key))
            }
            updated => run.located(index, "fields", updated).map(drop),
        }
    }
}

/// Adds a link to a component.
#[derive(Debug)]
pub(super) struct CreateLink {
    pub(super) component_id: String,
    pub(super) new: NewLink,
    pub(super) reference: Option<String>,
}

impl Operation for CreateLink {
    fn new_link(&self) -> Option<&NewLink> {
        Some(&self.new)
    }

    fn apply(self: Box<Self>, run: &mut OperationsRun<'_, '_>, index: usize) -> Result<()> {
        let Self { component_id, new, reference } = *self;
        let at = target(index, Entity::Link, None);
        if !run.has_components(&at, [component_id.as_str()])? {
            return Ok(());
        }
        let page = run.pages.remove(&index);
        let created = links::create_resolved(run.set.tx(), &component_id, new, page);
        if let Some(row) = run.located(index, "row", created)? {
            run.refer(index, reference, Entity::Link, row.id)?;
        }
        Ok(())
    }
}

/// Sets how a relationship is drawn in a view.
#[derive(Debug)]
pub(super) struct PutViewLine {
    pub(super) new: NewViewLine,
    pub(super) revision: Option<i64>,
}

impl Operation for PutViewLine {
    fn apply(self: Box<Self>, run: &mut OperationsRun<'_, '_>, index: usize) -> Result<()> {
        let Self { new, revision } = *self;
        let relationship_id = new.relationship_id.as_str();
        let key = ViewLine::key_of(&new.view_id, relationship_id);
        let at = target(index, Entity::ViewLine, Some(&key));
        if !has_view(run, &at, &new.view_id)? {
            return Ok(());
        }
        let tx = run.now();
        if !tx.has::<Relationship>(relationship_id)? {
            return run.missing(&at, Entity::Relationship, relationship_id);
        }
        let row = tx.find::<ViewLine>(&key)?;
        if can_put(run, &at, row.as_ref(), revision)? {
            view_lines::put(run.set.tx(), new)?;
            if row.is_none() {
                run.created(Entity::ViewLine, key);
            }
        }
        Ok(())
    }
}

/// Moves components on the map or in a view.
#[derive(Debug)]
pub(super) struct Move {
    pub(super) view_id: Option<String>,
    pub(super) positions: Vec<Position>,
}

impl Operation for Move {
    fn rows(&self) -> usize {
        self.positions.len()
    }

    fn apply(self: Box<Self>, run: &mut OperationsRun<'_, '_>, index: usize) -> Result<()> {
        check_unique(index, &self.positions)?;
        match &self.view_id {
            None => move_on_map(run, index, &self.positions),
            Some(view_id) => move_in_view(run, index, view_id, &self.positions),
        }
    }
}

fn move_on_map(run: &mut OperationsRun<'_, '_>, index: usize, positions: &[Position]) -> Result<()> {
    for to in positions {
        let at = target(index, Entity::Component, Some(&to.id));
        let tx = run.now();
        match tx.find::<Component>(&to.id)? {
            None => run.deleted(&at)?,
            Some(row) if run.is_current(&at, &row, to.revision)? => {
                components::move_to(run.set.tx(), &row, (to.x, to.y))?;
            }
            Some(_) => {}
        }
    }
    Ok(())
}

fn move_in_view(run: &mut OperationsRun<'_, '_>, index: usize, view_id: &str, positions: &[Position]) -> Result<()> {
    if !has_view(run, &target(index, Entity::View, Some(view_id)), view_id)? {
        return Ok(());
    }
    for to in positions {
        let key = ViewPlace::key_of(view_id, &to.id);
        let at = target(index, Entity::ViewPlace, Some(&key));
        if !run.has_components(&at, [to.id.as_str()])? {
            continue;
        }
        let tx = run.now();
        let row = tx.find::<ViewPlace>(&key)?;
        if can_put(run, &at, row.as_ref(), to.revision)? {
            view_places::put(run.set.tx(), view_id, &to.id, (to.x, to.y))?;
            if row.is_none() {
                run.created(Entity::ViewPlace, key);
            }
        }
    }
    Ok(())
}

fn target(index: usize, entity: Entity, id: Option<&str>) -> OperationTarget {
    OperationTarget { index, entity, id: id.map(|id| RowId::Text(id.to_owned())) }
}

/// Checks that no component is moved twice by the operation.
fn check_unique(index: usize, positions: &[Position]) -> Result<()> {
    let mut seen = HashSet::new();
    match positions.iter().position(|to| !seen.insert(to.id.as_str())) {
        None => Ok(()),
        Some(place) => {
            let field = path(index, "positions").index(place).field("id");
            Err(Error::invalid(field, format!("the component `{}` is named twice", positions[place].id)))
        }
    }
}

/// Whether the person, team and role of a new stakeholder exist; otherwise records a conflict.
fn has_entries(run: &mut OperationsRun<'_, '_>, at: &OperationTarget, new: &NewStakeholder) -> Result<bool> {
    for EntryReference { entity, id, .. } in new.named() {
        if !stakeholders::is_there(run.now(), entity, id)? {
            run.missing(at, entity, id)?;
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether the view exists; otherwise records a conflict.
fn has_view(run: &mut OperationsRun<'_, '_>, at: &OperationTarget, id: &str) -> Result<bool> {
    let tx = run.now();
    let exists = tx.has::<View>(id)?;
    if !exists {
        run.missing(at, Entity::View, id)?;
    }
    Ok(exists)
}

/// Whether a row that need not exist can be written; otherwise records a conflict. With a revision, it must exist.
fn can_put<R: Record>(
    run: &mut OperationsRun<'_, '_>,
    at: &OperationTarget,
    row: Option<&R>,
    revision: Option<i64>,
) -> Result<bool> {
    match (row, revision) {
        (Some(row), _) => run.is_current(at, row, revision),
        (None, Some(_)) => run.deleted(at).map(|()| false),
        (None, None) => Ok(true),
    }
}
