//! The way from what a workspace is to what it shall be again, as one write.

use std::collections::HashSet;

use super::kept::Kept;
use crate::{
    domain::{
        access::{EditTx, Reads},
        components::Component,
        containment,
        links::Link,
        paging::Window,
        processes::Process,
        relationships::Relationship,
        stakeholders::{self, StakeholderLink},
        store,
        values::AccessLevel,
        workspaces::Workspace,
    },
    error::{ChangedSince, Error, Result},
};

/// One row: as it is, and as it shall be. It is never absent in both.
pub(super) struct Step<R> {
    pub(super) now: Option<R>,
    pub(super) then: Option<R>,
}

/// All rows of a workspace that become others.
#[derive(Default)]
pub(super) struct Steps {
    pub(super) workspace: Option<Workspace>,
    pub(super) components: Vec<Step<Component>>,
    pub(super) relationships: Vec<Step<Relationship>>,
    pub(super) stakeholders: Vec<Step<StakeholderLink>>,
    pub(super) links: Vec<Step<Link>>,
    pub(super) processes: Vec<Step<Process>>,
}

impl Steps {
    /// How many rows become others.
    pub(super) fn count(&self, now: &Workspace) -> usize {
        self.components.len()
            + self.relationships.len()
            + self.stakeholders.len()
            + self.links.len()
            + self.processes.len()
            + usize::from(self.workspace.as_ref().is_some_and(|then| then != now))
    }

    /// Takes all steps, or none: what stands in the way is named, and the transaction must be given up.
    ///
    /// Rows go before what they hang on and come after it, so that no foreign key is ever without its end.
    pub(super) fn take(self, tx: &mut EditTx<'_>) -> Result<()> {
        let mut blocked = Vec::new();
        remove(tx, &self.relationships)?;
        remove(tx, &self.stakeholders)?;
        remove(tx, &self.links)?;
        remove(tx, &self.processes)?;
        write(tx, &self.components)?;
        self.relate(tx, &mut blocked)?;
        self.attach(tx, &mut blocked)?;
        write(tx, &self.processes)?;
        self.clear(tx, &mut blocked)?;
        if !blocked.is_empty() {
            return Err(Error::ChangedSince(blocked));
        }
        self.rename(tx)
    }

    /// Relationships that come back or change: their ends must be there, and containment stay a forest.
    fn relate(&self, tx: &mut EditTx<'_>, blocked: &mut Vec<ChangedSince>) -> Result<()> {
        let mut written = Vec::new();
        for step in &self.relationships {
            let Some(then) = &step.then else { continue };
            let missing = [&then.source_id, &then.target_id].into_iter().find_map(|id| {
                let there = store::components::id_taken(tx.core().conn, tx.pk(), id);
                there.map(|there| (!there).then_some(id)).transpose()
            });
            match missing.transpose()? {
                Some(id) => blocked.push(gone(tx, "component", id)?),
                None => written.push(put(tx, step, then)?),
            }
        }
        // Once for all of them, when all are written: on the way one may stand where another is about to leave.
        for (index, violation) in containment::violations(tx, written.iter().enumerate())? {
            if let Some(relationship) = written.get(index) {
                blocked.push(in_the_way(tx, relationship, Some(violation.text()))?);
            }
        }
        Ok(())
    }

    /// Stakeholders and links that come back or change: who and what they refer to must be there.
    fn attach(&self, tx: &mut EditTx<'_>, blocked: &mut Vec<ChangedSince>) -> Result<()> {
        let aside = self.set_aside(tx)?;
        for step in &self.stakeholders {
            let Some(then) = &step.then else { continue };
            if !store::components::id_taken(tx.core().conn, tx.pk(), &then.component_id)? {
                blocked.push(gone(tx, "component", &then.component_id)?);
            } else if let Some((entity, id)) = stakeholders::missing(tx, then)? {
                blocked.push(gone(tx, entity, &id)?);
            } else if store::stakeholders::has_another(tx.core().conn, tx.pk(), then)? {
                blocked.push(in_the_way(tx, then, Some("has been attached again since".into()))?);
            } else if aside.contains(&then.id) {
                tx.bring_back(then.clone())?;
            } else {
                put(tx, step, then)?;
            }
        }
        for step in &self.links {
            let Some(then) = &step.then else { continue };
            if store::components::id_taken(tx.core().conn, tx.pk(), &then.component_id)? {
                put(tx, step, then)?;
            } else {
                blocked.push(gone(tx, "component", &then.component_id)?);
            }
        }
        Ok(())
    }

    /// Stakeholders that change into what another one is still: they go first, and come back when all have gone. So two
    /// can change their roles for one another's.
    fn set_aside(&self, tx: &mut EditTx<'_>) -> Result<HashSet<i64>> {
        let mut aside = Vec::new();
        for step in &self.stakeholders {
            if let (Some(now), Some(then)) = (&step.now, &step.then)
                && store::stakeholders::has_another(tx.core().conn, tx.pk(), then)?
            {
                aside.push(now);
            }
        }
        aside.iter().try_for_each(|link| tx.delete(*link))?;
        Ok(aside.into_iter().map(|link| link.id).collect())
    }

    /// Components that go: nothing may hang on them that somebody else has hung there.
    fn clear(&self, tx: &mut EditTx<'_>, blocked: &mut Vec<ChangedSince>) -> Result<()> {
        for step in &self.components {
            let (Some(now), None) = (&step.now, &step.then) else { continue };
            let before = blocked.len();
            for row in store::relationships::touching(tx.core().conn, &tx.key(), &now.id)? {
                blocked.push(in_the_way(tx, &row, None)?);
            }
            for row in store::stakeholders::of_component(tx.core().conn, &tx.key(), &now.id, &Window::whole())?.items {
                blocked.push(in_the_way(tx, &row.link, None)?);
            }
            for row in store::links::of_component(tx.core().conn, &tx.key(), &now.id, &Window::whole())?.items {
                blocked.push(in_the_way(tx, &row, None)?);
            }
            if blocked.len() == before {
                tx.delete(now)?;
            }
        }
        Ok(())
    }

    fn rename(self, tx: &mut EditTx<'_>) -> Result<()> {
        let Some(then) = self.workspace else { return Ok(()) };
        let now = tx.workspace();
        if then.visibility != now.visibility && now.my_role != Some(AccessLevel::Owner) {
            return Err(Error::Forbidden("changing the visibility back needs the access level owner"));
        }
        tx.update_workspace(then).map(drop)
    }
}

fn remove<R: Kept>(tx: &mut EditTx<'_>, steps: &[Step<R>]) -> Result<()> {
    for step in steps {
        if let (Some(now), None) = (&step.now, &step.then) {
            tx.delete(now)?;
        }
    }
    Ok(())
}

fn write<R: Kept>(tx: &mut EditTx<'_>, steps: &[Step<R>]) -> Result<()> {
    steps.iter().filter_map(|step| Some((step, step.then.as_ref()?))).try_for_each(|(step, then)| {
        put(tx, step, then)?;
        Ok(())
    })
}

fn put<R: Kept>(tx: &mut EditTx<'_>, step: &Step<R>, then: &R) -> Result<R> {
    let mut then = then.clone();
    match &step.now {
        Some(now) => {
            // Who made it when is no matter of what is taken back.
            *then.written() = now.clone().written().clone();
            tx.update(now, then)
        }
        None => tx.bring_back(then),
    }
}

/// Something that is needed and not there any more.
fn gone(tx: &EditTx<'_>, entity: &'static str, id: &str) -> Result<ChangedSince> {
    let last = store::changes::last_write(tx.core().conn, tx.pk(), entity, id)?;
    Ok(ChangedSince {
        entity,
        id: id.to_owned(),
        name: id.to_owned(),
        why: "is not there any more".into(),
        changed_by: last.author,
        change_set_id: last.change_set,
    })
}

/// A row that is there and must not be.
pub(super) fn in_the_way<R: Kept>(tx: &EditTx<'_>, row: &R, why: Option<String>) -> Result<ChangedSince> {
    let last = store::changes::last_write(tx.core().conn, tx.pk(), R::ENTITY.as_str(), &row.key())?;
    Ok(ChangedSince {
        entity: R::ENTITY.as_str(),
        id: row.key(),
        name: row.name(),
        why: why.unwrap_or_else(|| "has come since".into()),
        changed_by: last.author,
        change_set_id: last.change_set,
    })
}
