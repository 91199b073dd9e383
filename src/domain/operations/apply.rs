//! Applies single operations. An operation that conflicts with the current state is recorded in the session and
//! skipped.

use super::{
    RowId,
    body::{Operation, Position},
    decisions, delete, in_views,
    parts::{at, check_unique, has_component, located},
    session::{OperationTarget, OperationsRun},
};
use crate::{
    domain::{
        core::{Entity, Reads},
        map::{
            components::{self, ComponentPatch, NewComponent},
            links::NewLink,
            notes::{self, NewNote, NotePatch},
            processes::{self, NewProcess, ProcessPatch},
            relationships::{self, NewRelationship, RelationshipPatch},
            stakeholders::{self, EntryReference, NewStakeholder, StakeholderPatch},
        },
        paging::Window,
        values::{Id, KebabId, Properties},
    },
    error::{Error, Result},
};

/// Applies the operation `index`.
pub(super) fn one(session: &mut OperationsRun<'_, '_>, index: usize, operation: Operation) -> Result<()> {
    match operation {
        Operation::CreateComponent(new) => create_component(session, index, new),
        Operation::CreateRelationship(new) => create_relationship(session, index, new),
        Operation::CreateStakeholder { component_id, new, reference } => {
            create_stakeholder(session, index, &component_id, new, reference)
        }
        Operation::CreateLink { component_id, new, reference } => {
            create_link(session, index, &component_id, new, reference)
        }
        Operation::CreateProcess(new) => create_process(session, index, new),
        Operation::CreateNote(new) => create_note(session, index, new),
        Operation::CreateView(new) => in_views::create_view(session, index, new),
        Operation::CreateTour(new) => in_views::create_tour(session, index, new),
        Operation::CreateDecision(new) => decisions::create(session, index, new),
        Operation::UpdateWorkspace { fields, revision } => {
            let id = RowId::Text(session.now().workspace().id.clone());
            session.update_workspace(
                &OperationTarget { index, entity: Entity::Workspace, id: Some(id) },
                fields,
                revision,
            )
        }
        Operation::UpdateComponent { id, patch, revision } => update_component(session, index, &id, patch, revision),
        Operation::UpdateRelationship { id, patch, revision } => {
            update_relationship(session, index, &id, patch, revision)
        }
        Operation::UpdateStakeholder { id, patch, revision } => {
            update_stakeholder(session, index, &id, patch, revision)
        }
        Operation::UpdateProcess { id, patch, revision } => update_process(session, index, &id, patch, revision),
        Operation::UpdateNote { id, patch, revision } => update_note(session, index, &id, patch, revision),
        Operation::UpdateView { id, patch, revision } => in_views::update_view(session, index, &id, patch, revision),
        Operation::UpdateTour { id, patch, revision } => in_views::update_tour(session, index, &id, patch, revision),
        Operation::UpdateDecision { id, patch, revision } => decisions::update(session, index, &id, patch, revision),
        Operation::PutViewLine { new, revision } => in_views::put_line(session, index, new, revision),
        Operation::Delete { kind, id, revision } => delete::one(session, index, kind, &id, revision),
        Operation::Move { view_id: None, positions } => relocate(session, index, positions),
        Operation::Move { view_id: Some(view), positions } => in_views::relocate(session, index, &view, positions),
    }
}

/// Records a conflict for the first of these components that does not exist. Returns whether all exist.
fn need_components<'i>(
    session: &mut OperationsRun<'_, '_>,
    at: &OperationTarget,
    ids: impl IntoIterator<Item = &'i str>,
) -> Result<bool> {
    for id in ids {
        if !has_component(session, id)? {
            session.missing(at, Entity::Component, id)?;
            return Ok(false);
        }
    }
    Ok(true)
}

fn create_component(session: &mut OperationsRun<'_, '_>, index: usize, new: NewComponent) -> Result<()> {
    if let Some(id) = &new.id {
        let tx = session.now();
        if let Some(row) = components::find_row(tx.core().conn, &tx.key(), id.as_str())? {
            return session.taken(&at(index, Entity::Component, Some(id.as_str())), &row);
        }
    }
    let created = session.set.create_component(new);
    if let Some(row) = located(session, index, "row", created)? {
        session.created(Entity::Component, row.id);
    }
    Ok(())
}

fn create_relationship(session: &mut OperationsRun<'_, '_>, index: usize, new: NewRelationship) -> Result<()> {
    let at = at(index, Entity::Relationship, new.id.as_ref().map(Id::as_str));
    if let Some(id) = &new.id {
        let tx = session.now();
        if let Some(row) = relationships::find_row(tx.core().conn, &tx.key(), id.as_str())? {
            return session.taken(&at, &row);
        }
    }
    if !need_components(session, &at, [new.source_id.as_str(), &new.target_id])? {
        return Ok(());
    }
    let created = session.set.create_relationship(index, new);
    if let Some(row) = located(session, index, "row", created)? {
        session.created(Entity::Relationship, row.id);
    }
    Ok(())
}

fn create_stakeholder(
    session: &mut OperationsRun<'_, '_>,
    index: usize,
    component_id: &str,
    new: NewStakeholder,
    reference: Option<String>,
) -> Result<()> {
    let at = at(index, Entity::Stakeholder, None);
    if !need_components(session, &at, [component_id])? || !need_directory(session, &at, &new)? {
        return Ok(());
    }
    let tx = session.now();
    let of_component =
        stakeholders::rows_of_component(tx.core().conn, &tx.key(), component_id, &Window::whole())?.items;
    let same = of_component.into_iter().find(|row| {
        let link = &row.link;
        link.link_type == new.link_type && link.person_id == new.person_id && link.team_id == new.team_id
    });
    if let Some(row) = same {
        let message = format!("this stakeholder of `{component_id}` exists already");
        let key = row.link.id.to_string();
        return session.conflict(&at, "taken", message, Some(&row), (Entity::Stakeholder, &key));
    }
    let created = session.set.create_stakeholder(component_id, new);
    if let Some(row) = located(session, index, "row", created)? {
        session.refer(index, reference, Entity::Stakeholder, row.link.id)?;
    }
    Ok(())
}

/// Records a conflict for the person, team or role that does not exist in the organization. Returns whether all exist.
fn need_directory(session: &mut OperationsRun<'_, '_>, at: &OperationTarget, new: &NewStakeholder) -> Result<bool> {
    for EntryReference { entity, id, .. } in new.named() {
        if !stakeholders::is_there(session.now(), entity, id)? {
            session.missing(at, entity, id)?;
            return Ok(false);
        }
    }
    Ok(true)
}

fn create_link(
    session: &mut OperationsRun<'_, '_>,
    index: usize,
    component_id: &str,
    new: NewLink,
    reference: Option<String>,
) -> Result<()> {
    let at = at(index, Entity::Link, None);
    if !need_components(session, &at, [component_id])? {
        return Ok(());
    }
    let page = session.pages.remove(&index);
    let created = session.set.create_link(component_id, new, page);
    if let Some(row) = located(session, index, "row", created)? {
        session.refer(index, reference, Entity::Link, row.id)?;
    }
    Ok(())
}

fn create_process(session: &mut OperationsRun<'_, '_>, index: usize, new: NewProcess) -> Result<()> {
    let at = at(index, Entity::Process, new.id.as_ref().map(KebabId::as_str));
    if let Some(id) = &new.id {
        let tx = session.now();
        if let Some(row) = processes::find_row(tx.core().conn, &tx.key(), id.as_str())? {
            return session.taken(&at, &row);
        }
    }
    if !need_participants(session, &at, None, new.participants.as_ref())? {
        return Ok(());
    }
    let created = session.set.create_process(new);
    if let Some(row) = located(session, index, "row", created)? {
        session.created(Entity::Process, row.process.id);
    }
    Ok(())
}

fn create_note(session: &mut OperationsRun<'_, '_>, index: usize, new: NewNote) -> Result<()> {
    if let Some(id) = &new.id {
        let tx = session.now();
        if let Some(row) = notes::find_row(tx.core().conn, &tx.key(), id.as_str())? {
            return session.taken(&at(index, Entity::Note, Some(id.as_str())), &row);
        }
    }
    let created = session.set.create_note(new);
    if let Some(row) = located(session, index, "row", created)? {
        session.created(Entity::Note, row.id);
    }
    Ok(())
}

/// Records a conflict for the first component that a new mapping entry refers to and that does not exist. Returns
/// whether all exist.
fn need_participants(
    session: &mut OperationsRun<'_, '_>,
    at: &OperationTarget,
    before: Option<&Properties>,
    after: Option<&Properties>,
) -> Result<bool> {
    let before = before.map(Properties::entries).unwrap_or_default();
    let after = after.map(Properties::entries).unwrap_or_default();
    let new = after.iter().filter(|(alias, component)| before.get(*alias) != Some(component));
    need_components(session, at, new.filter_map(|(_, component)| component.as_str()))
}

fn update_component(
    session: &mut OperationsRun<'_, '_>,
    index: usize,
    id: &str,
    patch: ComponentPatch,
    revision: Option<i64>,
) -> Result<()> {
    let at = at(index, Entity::Component, Some(id));
    let tx = session.now();
    match components::find_row(tx.core().conn, &tx.key(), id)? {
        None => session.deleted(&at),
        Some(row) if session.is_current(&at, &row, revision)? => {
            let updated = session.set.update_component(id, patch);
            located(session, index, "fields", updated).map(drop)
        }
        Some(_) => Ok(()),
    }
}

fn update_relationship(
    session: &mut OperationsRun<'_, '_>,
    index: usize,
    id: &str,
    patch: RelationshipPatch,
    revision: Option<i64>,
) -> Result<()> {
    let at = at(index, Entity::Relationship, Some(id));
    let tx = session.now();
    match relationships::find_row(tx.core().conn, &tx.key(), id)? {
        None => session.deleted(&at),
        Some(row) if session.is_current(&at, &row, revision)? => {
            let ends = [patch.source_id.as_deref(), patch.target_id.as_deref()];
            if !need_components(session, &at, ends.into_iter().flatten())? {
                return Ok(());
            }
            let updated = session.set.update_relationship(index, id, patch);
            located(session, index, "fields", updated).map(drop)
        }
        Some(_) => Ok(()),
    }
}

fn update_stakeholder(
    session: &mut OperationsRun<'_, '_>,
    index: usize,
    id: &RowId,
    patch: StakeholderPatch,
    revision: Option<i64>,
) -> Result<()> {
    let Some(number) = session.number(index, Entity::Stakeholder, id)? else { return Ok(()) };
    let at = OperationTarget { index, entity: Entity::Stakeholder, id: Some(RowId::Number(number)) };
    let tx = session.now();
    let Some(row) = stakeholders::row_by_id(tx.core().conn, &tx.key(), number)? else {
        return session.deleted(&at);
    };
    if !session.is_current_as(&at, &row.link, &row, revision)? {
        return Ok(());
    }
    if let Some(role) = &patch.link_type
        && !stakeholders::is_there(session.now(), Entity::Role, role)?
    {
        return session.missing(&at, Entity::Role, role);
    }
    match session.set.update_stakeholder(&row.link.component_id, number, patch) {
        Err(Error::Conflict(message)) => {
            let key = number.to_string();
            session.conflict(&at, "taken", message, Some(&row), (Entity::Stakeholder, &key))
        }
        updated => located(session, index, "fields", updated).map(drop),
    }
}

fn update_process(
    session: &mut OperationsRun<'_, '_>,
    index: usize,
    id: &str,
    patch: ProcessPatch,
    revision: Option<i64>,
) -> Result<()> {
    let at = at(index, Entity::Process, Some(id));
    let tx = session.now();
    match processes::find_row(tx.core().conn, &tx.key(), id)? {
        None => session.deleted(&at),
        Some(row) if session.is_current(&at, &row, revision)? => {
            if !need_participants(session, &at, Some(&row.participants), patch.participants.as_ref())? {
                return Ok(());
            }
            let updated = session.set.update_process(id, patch);
            located(session, index, "fields", updated).map(drop)
        }
        Some(_) => Ok(()),
    }
}

fn update_note(
    session: &mut OperationsRun<'_, '_>,
    index: usize,
    id: &str,
    patch: NotePatch,
    revision: Option<i64>,
) -> Result<()> {
    let at = at(index, Entity::Note, Some(id));
    let tx = session.now();
    match notes::find_row(tx.core().conn, &tx.key(), id)? {
        None => session.deleted(&at),
        Some(row) if session.is_current(&at, &row, revision)? => {
            let updated = session.set.update_note(id, patch);
            located(session, index, "fields", updated).map(drop)
        }
        Some(_) => Ok(()),
    }
}

fn relocate(session: &mut OperationsRun<'_, '_>, index: usize, positions: Vec<Position>) -> Result<()> {
    check_unique(index, &positions)?;
    for to in &positions {
        let at = at(index, Entity::Component, Some(&to.id));
        let tx = session.now();
        match components::find_row(tx.core().conn, &tx.key(), &to.id)? {
            None => session.deleted(&at)?,
            Some(row) if session.is_current(&at, &row, to.revision)? => {
                session.set.move_component(&row, (to.x, to.y))?;
            }
            Some(_) => {}
        }
    }
    Ok(())
}
