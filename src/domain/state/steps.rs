//! The writes that lead a workspace to another state, applied together.

use std::collections::{BTreeSet, HashSet};

use super::{
    kinds::{ByKind, KindVisitor, PerKind, each_kind, each_kind_backward},
    rows::MapRow,
};
use crate::{
    domain::{
        core::{EditTx, Reads, change_log},
        map::{
            components, containment,
            decisions::{self, Decision},
            relationships::Relationship,
            stakeholders::{self, StakeholderLink},
            views,
            workspaces::Workspace,
        },
        values::AccessLevel,
    },
    error::{ChangedSince, Error, Result},
};

/// The current and the wanted state of a row. At least one of them is present.
pub(in crate::domain) struct RowStep<R> {
    pub(in crate::domain) now: Option<R>,
    pub(in crate::domain) then: Option<R>,
}

/// The steps of each kind.
#[derive(Default)]
pub(in crate::domain) struct StepsOf;

impl PerKind for StepsOf {
    type Value<R: MapRow> = Vec<RowStep<R>>;
}

/// All rows of a workspace to change.
#[derive(Default)]
pub(in crate::domain) struct Steps {
    pub(in crate::domain) workspace: Option<Workspace>,
    pub(in crate::domain) rows: ByKind<StepsOf>,
}

impl Steps {
    /// The number of rows that change.
    pub(in crate::domain) fn count(&self, now: &Workspace) -> usize {
        let mut count = Count { steps: &self.rows, sum: 0 };
        let Ok(()) = each_kind(&mut count);
        count.sum + usize::from(self.workspace.as_ref().is_some_and(|then| then != now))
    }

    /// Applies all steps, or none: if a step is blocked, the error lists all obstacles, and the caller must abort the
    /// transaction. Returns the change set, if a row was written, and the revision of the workspace.
    ///
    /// Rows are deleted before the rows they depend on and created after them, so that foreign keys are always
    /// satisfied.
    pub(in crate::domain) fn apply(self, tx: &mut EditTx<'_>) -> Result<(Option<String>, i64)> {
        let before = tx.workspace().metadata.revision;
        let mut writer = Writer { tx, steps: &self.rows, phase: Phase::Delete, obstacles: Obstacles::default() };
        each_kind_backward(&mut writer)?;
        writer.phase = Phase::Write;
        each_kind(&mut writer)?;
        writer.phase = Phase::DeleteLast;
        each_kind(&mut writer)?;
        let Obstacles(obstacles) = writer.obstacles;
        if !obstacles.is_empty() {
            return Err(Error::ChangedSince(obstacles));
        }
        self.rename(tx)?;
        let revision = tx.workspace_now()?.metadata.revision;
        Ok(((revision > before).then(|| tx.core().call.change_set.clone()), revision))
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

struct Count<'s> {
    steps: &'s ByKind<StepsOf>,
    sum: usize,
}

impl KindVisitor for Count<'_> {
    type Error = std::convert::Infallible;

    fn visit<R: MapRow>(&mut self) -> std::result::Result<(), Self::Error> {
        self.sum += R::of(self.steps).len();
        Ok(())
    }
}

enum Phase {
    /// Rows on which no others depend.
    Delete,
    Write,
    /// Rows on which others depend, which could have been attached to other rows meanwhile.
    DeleteLast,
}

struct Writer<'t, 'c, 's> {
    tx: &'t mut EditTx<'c>,
    steps: &'s ByKind<StepsOf>,
    phase: Phase,
    obstacles: Obstacles,
}

impl KindVisitor for Writer<'_, '_, '_> {
    type Error = Error;

    fn visit<R: MapRow>(&mut self) -> Result<()> {
        let steps = R::of(self.steps);
        match self.phase {
            Phase::Write => R::write(self.tx, steps, &mut self.obstacles),
            Phase::Delete if R::HAS_DEPENDENTS => Ok(()),
            Phase::DeleteLast if !R::HAS_DEPENDENTS => Ok(()),
            Phase::Delete | Phase::DeleteLast => {
                steps.iter().try_for_each(|step| step.delete(self.tx, &mut self.obstacles))
            }
        }
    }
}

impl<R: MapRow> RowStep<R> {
    /// Deletes the row if it is to be deleted and no other row depends on it.
    fn delete(&self, tx: &mut EditTx<'_>, obstacles: &mut Obstacles) -> Result<()> {
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

    fn put(&self, tx: &mut EditTx<'_>, then: &R) -> Result<R> {
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

/// Writes relationships. Containment must remain a forest; it is checked once after all writes, because intermediate states
/// may violate the rule.
pub(super) fn write_relationships(
    tx: &mut EditTx<'_>,
    steps: &[RowStep<Relationship>],
    obstacles: &mut Obstacles,
) -> Result<()> {
    let mut written = Vec::new();
    for step in steps {
        written.extend(step.write(tx, obstacles)?);
    }
    for (index, violation) in containment::violations(tx, written.iter().enumerate())? {
        if let Some(relationship) = written.get(index) {
            obstacles.add(tx, relationship, Some(violation.text()))?;
        }
    }
    Ok(())
}

/// Writes stakeholders. Those whose wanted state equals the current state of another one are deleted first and created again,
/// so that two stakeholders can exchange their roles.
pub(super) fn write_stakeholders(
    tx: &mut EditTx<'_>,
    steps: &[RowStep<StakeholderLink>],
    obstacles: &mut Obstacles,
) -> Result<()> {
    let mut exchanged = Vec::new();
    for step in steps {
        if let (Some(now), Some(then)) = (&step.now, &step.then)
            && stakeholders::has_another(tx.core().conn, tx.pk(), then)?
        {
            exchanged.push(now);
        }
    }
    exchanged.iter().try_for_each(|link| tx.delete(*link))?;
    let exchanged: HashSet<i64> = exchanged.into_iter().map(|link| link.id).collect();
    for step in steps {
        match &step.then {
            Some(then) if exchanged.contains(&then.id) => {
                RowStep { now: None, then: Some(then.clone()) }.write(tx, obstacles)?;
            }
            _ => drop(step.write(tx, obstacles)?),
        }
    }
    Ok(())
}

/// Writes decisions. Existing ones are written first, so that the numbers of new ones are free. A decision whose number
/// is used by another one gets the next free number.
pub(super) fn write_decisions(
    tx: &mut EditTx<'_>,
    steps: &[RowStep<Decision>],
    obstacles: &mut Obstacles,
) -> Result<()> {
    if steps.is_empty() {
        return Ok(());
    }
    let (existing, new): (Vec<_>, Vec<_>) =
        steps.iter().filter(|step| step.then.is_some()).partition(|step| step.now.is_some());
    let written: HashSet<&str> = existing.iter().filter_map(|step| Some(step.now.as_ref()?.id.as_str())).collect();
    let others = decisions::numbers(tx)?.into_iter().filter(|(id, _)| !written.contains(id.as_str()));
    let mut taken: BTreeSet<i64> = others.map(|(_, number)| number).collect();
    let mut renumbered = Vec::new();
    for step in existing {
        let Some(then) = &step.then else { continue };
        if taken.insert(then.number) {
            step.put(tx, then)?;
        } else {
            renumbered.push((step, then));
        }
    }
    for (step, then) in renumbered {
        let number = taken.last().map_or(1, |last| last + 1);
        taken.insert(number);
        step.put(tx, &Decision { number, ..then.clone() })?;
    }
    new.into_iter().try_for_each(|step| step.write(tx, obstacles).map(drop))
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
        if components::id_taken(tx.core().conn, tx.pk(), id)? { Ok(()) } else { self.add_missing(tx, "component", id) }
    }

    /// Adds a view if it does not exist.
    pub(super) fn need_view(&mut self, tx: &EditTx<'_>, id: &str) -> Result<()> {
        if views::id_taken(tx.core().conn, tx.pk(), id)? { Ok(()) } else { self.add_missing(tx, "view", id) }
    }

    fn push(&mut self, tx: &EditTx<'_>, entity: &'static str, id: String, name: String, why: String) -> Result<()> {
        let last = change_log::last_write(tx.core().conn, tx.pk(), entity, &id)?;
        let (changed_by, change_set_id) = (last.author, last.change_set);
        self.0.push(ChangedSince { entity, id, name, why, changed_by, change_set_id });
        Ok(())
    }
}
