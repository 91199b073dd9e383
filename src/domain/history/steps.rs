//! The writes that return a workspace to an earlier state, applied together.

use std::collections::{BTreeSet, HashSet};

use super::restorable::RestorableRow;
use crate::{
    domain::{
        core::{EditTx, Reads, change_log},
        map::{
            components::{self, Component},
            containment,
            decisions::{self, Decision},
            links::{self, Link},
            notes::{self, Note},
            processes::Process,
            relationships::{self, Relationship},
            stakeholders::{self, StakeholderLink},
            tours::Tour,
            view_lines, view_places,
            views::{self, View, ViewLine, ViewPlace},
            workspaces::Workspace,
        },
        paging::Window,
        values::AccessLevel,
    },
    error::{ChangedSince, Error, Result},
};

/// The current and the wanted state of a row. At least one of them is present.
pub(in crate::domain) struct RowStep<R> {
    pub(in crate::domain) now: Option<R>,
    pub(in crate::domain) then: Option<R>,
}

/// All rows of a workspace to change.
#[derive(Default)]
pub(in crate::domain) struct Steps {
    pub(in crate::domain) workspace: Option<Workspace>,
    pub(in crate::domain) components: Vec<RowStep<Component>>,
    pub(in crate::domain) relationships: Vec<RowStep<Relationship>>,
    pub(in crate::domain) stakeholders: Vec<RowStep<StakeholderLink>>,
    pub(in crate::domain) links: Vec<RowStep<Link>>,
    pub(in crate::domain) processes: Vec<RowStep<Process>>,
    pub(in crate::domain) notes: Vec<RowStep<Note>>,
    pub(in crate::domain) views: Vec<RowStep<View>>,
    pub(in crate::domain) view_places: Vec<RowStep<ViewPlace>>,
    pub(in crate::domain) view_lines: Vec<RowStep<ViewLine>>,
    pub(in crate::domain) tours: Vec<RowStep<Tour>>,
    pub(in crate::domain) decisions: Vec<RowStep<Decision>>,
}

impl Steps {
    /// The number of rows that change.
    pub(in crate::domain) fn count(&self, now: &Workspace) -> usize {
        self.components.len()
            + self.relationships.len()
            + self.stakeholders.len()
            + self.links.len()
            + self.processes.len()
            + self.notes.len()
            + self.views.len()
            + self.view_places.len()
            + self.view_lines.len()
            + self.tours.len()
            + self.decisions.len()
            + usize::from(self.workspace.as_ref().is_some_and(|then| then != now))
    }

    /// Applies all steps, or none: if a step is blocked, the error lists all obstacles, and the caller must abort the
    /// transaction. Returns the change set, if a row was written, and the revision of the workspace.
    ///
    /// Rows are deleted before the rows they depend on and created after them, so that foreign keys are always
    /// satisfied.
    pub(in crate::domain) fn apply(self, tx: &mut EditTx<'_>) -> Result<(Option<String>, i64)> {
        let before = tx.workspace().metadata.revision;
        let mut blocked = Vec::new();
        remove(tx, &self.view_lines)?;
        remove(tx, &self.view_places)?;
        remove(tx, &self.tours)?;
        remove(tx, &self.decisions)?;
        self.disconnect(tx, &mut blocked)?;
        remove(tx, &self.stakeholders)?;
        remove(tx, &self.links)?;
        remove(tx, &self.processes)?;
        remove(tx, &self.notes)?;
        write(tx, &self.components)?;
        self.relate(tx, &mut blocked)?;
        self.attach(tx, &mut blocked)?;
        write(tx, &self.processes)?;
        self.write_notes(tx, &mut blocked)?;
        write(tx, &self.views)?;
        self.write_in_views(tx, &mut blocked)?;
        write(tx, &self.tours)?;
        self.write_decisions(tx)?;
        self.clear(tx, &mut blocked)?;
        self.clear_views(tx, &mut blocked)?;
        if !blocked.is_empty() {
            return Err(Error::ChangedSince(blocked));
        }
        self.rename(tx)?;
        let revision = tx.workspace_now()?.metadata.revision;
        Ok(((revision > before).then(|| tx.core().call.change_set.clone()), revision))
    }

    /// Restores relationships. Their ends must exist, and containment must remain a forest.
    fn relate(&self, tx: &mut EditTx<'_>, blocked: &mut Vec<ChangedSince>) -> Result<()> {
        let mut written = Vec::new();
        for step in &self.relationships {
            let Some(then) = &step.then else { continue };
            let missing = [&then.source_id, &then.target_id].into_iter().find_map(|id| {
                let is_taken = components::id_taken(tx.core().conn, tx.pk(), id);
                is_taken.map(|is_taken| (!is_taken).then_some(id)).transpose()
            });
            match missing.transpose()? {
                Some(id) => blocked.push(missing_row(tx, "component", id)?),
                None => written.push(put(tx, step, then)?),
            }
        }
        // Containment is checked once after all writes, because intermediate states may violate the rule.
        for (index, violation) in containment::violations(tx, written.iter().enumerate())? {
            if let Some(relationship) = written.get(index) {
                blocked.push(conflicting_row(tx, relationship, Some(violation.text()))?);
            }
        }
        Ok(())
    }

    /// Restores stakeholders and links. The rows that they refer to must exist.
    fn attach(&self, tx: &mut EditTx<'_>, blocked: &mut Vec<ChangedSince>) -> Result<()> {
        let exchanged = self.delete_exchanged(tx)?;
        for step in &self.stakeholders {
            let Some(then) = &step.then else { continue };
            if !components::id_taken(tx.core().conn, tx.pk(), &then.component_id)? {
                blocked.push(missing_row(tx, "component", &then.component_id)?);
            } else if let Some((entity, id)) = stakeholders::missing(tx, then)? {
                blocked.push(missing_row(tx, entity, &id)?);
            } else if stakeholders::has_another(tx.core().conn, tx.pk(), then)? {
                blocked.push(conflicting_row(tx, then, Some("has been attached again since".into()))?);
            } else if exchanged.contains(&then.id) {
                tx.restore(then.clone())?;
            } else {
                put(tx, step, then)?;
            }
        }
        for step in &self.links {
            let Some(then) = &step.then else { continue };
            if components::id_taken(tx.core().conn, tx.pk(), &then.component_id)? {
                put(tx, step, then)?;
            } else {
                blocked.push(missing_row(tx, "component", &then.component_id)?);
            }
        }
        Ok(())
    }

    /// Restores notes. The images that they show must exist: they do as long as the history refers to them.
    fn write_notes(&self, tx: &mut EditTx<'_>, blocked: &mut Vec<ChangedSince>) -> Result<()> {
        for step in &self.notes {
            let Some(then) = &step.then else { continue };
            if notes::has_image(tx, then)? {
                put(tx, step, then)?;
            } else {
                blocked.push(conflicting_row(tx, then, Some("shows an image that is not stored any more".into()))?);
            }
        }
        Ok(())
    }

    /// Restores decisions. Existing ones are written first, so that the numbers of new ones are free. A decision whose number
    /// is used by another one gets the next free number.
    fn write_decisions(&self, tx: &mut EditTx<'_>) -> Result<()> {
        if self.decisions.is_empty() {
            return Ok(());
        }
        let (existing, new): (Vec<_>, Vec<_>) =
            self.decisions.iter().filter(|step| step.then.is_some()).partition(|step| step.now.is_some());
        let written: HashSet<&str> = existing.iter().filter_map(|step| Some(step.now.as_ref()?.id.as_str())).collect();
        let others = decisions::numbers(tx)?.into_iter().filter(|(id, _)| !written.contains(id.as_str()));
        let mut taken: BTreeSet<i64> = others.map(|(_, number)| number).collect();
        let mut renumbered = Vec::new();
        for step in existing {
            let Some(then) = &step.then else { continue };
            if taken.insert(then.number) {
                put(tx, step, then)?;
            } else {
                renumbered.push((step, then));
            }
        }
        for (step, then) in renumbered {
            let number = taken.last().map_or(1, |last| last + 1);
            taken.insert(number);
            put(tx, step, &Decision { number, ..then.clone() })?;
        }
        for step in new {
            if let Some(then) = &step.then {
                put(tx, step, then)?;
            }
        }
        Ok(())
    }

    /// Deletes relationships. Lines in views that other writes added block the deletion.
    fn disconnect(&self, tx: &mut EditTx<'_>, blocked: &mut Vec<ChangedSince>) -> Result<()> {
        for step in &self.relationships {
            let (Some(now), None) = (&step.now, &step.then) else { continue };
            match view_lines::of_relationship(tx.core().conn, &tx.key(), &now.id)?.as_slice() {
                [] => tx.delete(now)?,
                lines => add_all(tx, lines, blocked)?,
            }
        }
        Ok(())
    }

    /// Restores positions and lines in views. The rows that they refer to must exist.
    fn write_in_views(&self, tx: &mut EditTx<'_>, blocked: &mut Vec<ChangedSince>) -> Result<()> {
        for step in &self.view_places {
            let Some(then) = &step.then else { continue };
            if !views::id_taken(tx.core().conn, tx.pk(), &then.view_id)? {
                blocked.push(missing_row(tx, "view", &then.view_id)?);
            } else if !components::id_taken(tx.core().conn, tx.pk(), &then.component_id)? {
                blocked.push(missing_row(tx, "component", &then.component_id)?);
            } else {
                put(tx, step, then)?;
            }
        }
        for step in &self.view_lines {
            let Some(then) = &step.then else { continue };
            if !views::id_taken(tx.core().conn, tx.pk(), &then.view_id)? {
                blocked.push(missing_row(tx, "view", &then.view_id)?);
            } else if relationships::find_row(tx.core().conn, &tx.key(), &then.relationship_id)?.is_none() {
                blocked.push(missing_row(tx, "relationship", &then.relationship_id)?);
            } else {
                put(tx, step, then)?;
            }
        }
        Ok(())
    }

    /// Deletes views. Positions and lines in them that other writes added block the deletion.
    fn clear_views(&self, tx: &mut EditTx<'_>, blocked: &mut Vec<ChangedSince>) -> Result<()> {
        for step in &self.views {
            let (Some(now), None) = (&step.now, &step.then) else { continue };
            let before = blocked.len();
            add_all(tx, &view_places::of_view(tx.core().conn, &tx.key(), &now.id)?, blocked)?;
            add_all(tx, &view_lines::of_view(tx.core().conn, &tx.key(), &now.id)?, blocked)?;
            if blocked.len() == before {
                tx.delete(now)?;
            }
        }
        Ok(())
    }

    /// Deletes stakeholders whose wanted state equals the current state of another stakeholder, so that they can be
    /// created again once all have been deleted. This allows two stakeholders to exchange their roles.
    fn delete_exchanged(&self, tx: &mut EditTx<'_>) -> Result<HashSet<i64>> {
        let mut exchanged = Vec::new();
        for step in &self.stakeholders {
            if let (Some(now), Some(then)) = (&step.now, &step.then)
                && stakeholders::has_another(tx.core().conn, tx.pk(), then)?
            {
                exchanged.push(now);
            }
        }
        exchanged.iter().try_for_each(|link| tx.delete(*link))?;
        Ok(exchanged.into_iter().map(|link| link.id).collect())
    }

    /// Deletes components. Rows that were attached to them by other writes block the deletion.
    fn clear(&self, tx: &mut EditTx<'_>, blocked: &mut Vec<ChangedSince>) -> Result<()> {
        for step in &self.components {
            let (Some(now), None) = (&step.now, &step.then) else { continue };
            let before = blocked.len();
            add_all(tx, &relationships::touching(tx.core().conn, &tx.key(), &now.id)?, blocked)?;
            for row in stakeholders::rows_of_component(tx.core().conn, &tx.key(), &now.id, &Window::whole())?.items {
                blocked.push(conflicting_row(tx, &row.link, None)?);
            }
            add_all(tx, &links::of_component(tx.core().conn, &tx.key(), &now.id, &Window::whole())?.items, blocked)?;
            add_all(tx, &view_places::of_component(tx.core().conn, &tx.key(), &now.id)?, blocked)?;
            if blocked.len() == before {
                tx.delete(now)?;
            }
        }
        Ok(())
    }

    fn rename(self, tx: &mut EditTx<'_>) -> Result<()> {
        let Some(then) = self.workspace else { return Ok(()) };
        let now = tx.workspace();
        if then.sharing() != now.sharing() && now.my_role != Some(AccessLevel::Owner) {
            let text = "changing the visibility or the access of the organization back needs the access level owner";
            return Err(Error::Forbidden(text));
        }
        tx.update_workspace(then).map(drop)
    }
}

fn remove<R: RestorableRow>(tx: &mut EditTx<'_>, steps: &[RowStep<R>]) -> Result<()> {
    for step in steps {
        if let (Some(now), None) = (&step.now, &step.then) {
            tx.delete(now)?;
        }
    }
    Ok(())
}

fn write<R: RestorableRow>(tx: &mut EditTx<'_>, steps: &[RowStep<R>]) -> Result<()> {
    steps.iter().filter_map(|step| Some((step, step.then.as_ref()?))).try_for_each(|(step, then)| {
        put(tx, step, then)?;
        Ok(())
    })
}

fn put<R: RestorableRow>(tx: &mut EditTx<'_>, step: &RowStep<R>, then: &R) -> Result<R> {
    let mut then = then.clone();
    match &step.now {
        Some(now) => {
            // Undo changes the contents of a row, not its creation time and author.
            *then.metadata() = now.clone().metadata().clone();
            tx.update(now, then)
        }
        None => tx.restore(then),
    }
}

/// Adds obstacles: these rows exist and must not exist.
fn add_all<R: RestorableRow>(tx: &EditTx<'_>, rows: &[R], blocked: &mut Vec<ChangedSince>) -> Result<()> {
    for row in rows {
        blocked.push(conflicting_row(tx, row, None)?);
    }
    Ok(())
}

/// An obstacle: a required row no longer exists.
fn missing_row(tx: &EditTx<'_>, entity: &'static str, id: &str) -> Result<ChangedSince> {
    let last = change_log::last_write(tx.core().conn, tx.pk(), entity, id)?;
    Ok(ChangedSince {
        entity,
        id: id.to_owned(),
        name: id.to_owned(),
        why: "is not there any more".into(),
        changed_by: last.author,
        change_set_id: last.change_set,
    })
}

/// An obstacle: a row exists that must not exist.
pub(super) fn conflicting_row<R: RestorableRow>(tx: &EditTx<'_>, row: &R, why: Option<String>) -> Result<ChangedSince> {
    let last = change_log::last_write(tx.core().conn, tx.pk(), R::ENTITY.as_str(), &row.key())?;
    Ok(ChangedSince {
        entity: R::ENTITY.as_str(),
        id: row.key(),
        name: row.name(),
        why: why.unwrap_or_else(|| "has come since".into()),
        changed_by: last.author,
        change_set_id: last.change_set,
    })
}
