//! Kinds of rows that are written together, because rules concern several of them.

use std::collections::{BTreeSet, HashSet};

use super::kinds::{ByKind, Claim, MapRow, Obstacles, PerKind, RowStep};
use crate::{
    domain::{
        catalogue,
        core::{EditTx, Entity, Reads},
        map::{
            containment,
            decisions::{self, Decision},
            relationships::{self, Relationship},
            stakeholders::{self, StakeholderLink},
            view_lines,
        },
    },
    error::Result,
};

impl MapRow for Relationship {
    const NEEDS: &'static [(Entity, &'static str)] =
        &[(Entity::Component, "sourceId"), (Entity::Component, "targetId")];

    fn of_mut<P: PerKind>(values: &mut ByKind<P>) -> &mut P::Value<Self> {
        &mut values.relationships
    }

    fn name(&self) -> String {
        let label = self.label.as_deref().filter(|label| !label.is_empty());
        format!("{} {} {}", self.source_id, label.unwrap_or(&self.type_id), self.target_id)
    }

    fn set_order(&mut self, seq: i64) {
        self.seq = seq;
    }

    fn claim(&self) -> Option<Claim> {
        let is_part = self.type_id == catalogue::CONTAINS;
        is_part.then(|| Claim::Part { id: self.target_id.clone(), of: self.source_id.clone() })
    }

    fn add_obstacles(&self, tx: &EditTx<'_>, obstacles: &mut Obstacles) -> Result<()> {
        obstacles.need_component(tx, &self.source_id)?;
        if self.target_id == self.source_id { Ok(()) } else { obstacles.need_component(tx, &self.target_id) }
    }

    fn delete_with_dependents(&self, tx: &mut EditTx<'_>) -> Result<()> {
        relationships::remove(tx, self)
    }

    fn add_dependents(&self, tx: &EditTx<'_>, obstacles: &mut Obstacles) -> Result<()> {
        obstacles.add_all(tx, &view_lines::of_relationship(tx.core().conn, &tx.key(), &self.id)?)
    }

    fn write(tx: &mut EditTx<'_>, steps: &[RowStep<Self>], obstacles: &mut Obstacles) -> Result<()> {
        write_relationships(tx, steps, obstacles)
    }
}

impl MapRow for StakeholderLink {
    const NEEDS: &'static [(Entity, &'static str)] = &[(Entity::Component, "componentId")];

    fn of_mut<P: PerKind>(values: &mut ByKind<P>) -> &mut P::Value<Self> {
        &mut values.stakeholders
    }

    fn name(&self) -> String {
        let who = self.person_id.as_deref().or(self.team_id.as_deref()).unwrap_or_default();
        format!("{who} of {}", self.component_id)
    }

    fn claim(&self) -> Option<Claim> {
        Some(Claim::Holder)
    }

    fn add_obstacles(&self, tx: &EditTx<'_>, obstacles: &mut Obstacles) -> Result<()> {
        obstacles.need_component(tx, &self.component_id)?;
        if let Some((entity, id)) = stakeholders::missing(tx, self)? {
            obstacles.add_missing(tx, entity, &id)?;
        }
        if stakeholders::has_another(tx.core().conn, tx.pk(), self)? {
            obstacles.add(tx, self, Some("was added again since".into()))?;
        }
        Ok(())
    }

    fn write(tx: &mut EditTx<'_>, steps: &[RowStep<Self>], obstacles: &mut Obstacles) -> Result<()> {
        write_stakeholders(tx, steps, obstacles)
    }
}

// The rows that a decision refers to need not exist.
impl MapRow for Decision {
    const YIELDING: &'static [&'static str] = &["number"];

    fn of_mut<P: PerKind>(values: &mut ByKind<P>) -> &mut P::Value<Self> {
        &mut values.decisions
    }

    fn name(&self) -> String {
        self.title.clone()
    }

    fn claim(&self) -> Option<Claim> {
        Some(Claim::Number(self.number))
    }

    fn write(tx: &mut EditTx<'_>, steps: &[RowStep<Self>], obstacles: &mut Obstacles) -> Result<()> {
        write_decisions(tx, steps, obstacles)
    }
}

/// Writes relationships. Containment must remain a forest; it is checked once after all writes, because intermediate states
/// may violate the rule.
fn write_relationships(tx: &mut EditTx<'_>, steps: &[RowStep<Relationship>], obstacles: &mut Obstacles) -> Result<()> {
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
fn write_stakeholders(
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
fn write_decisions(tx: &mut EditTx<'_>, steps: &[RowStep<Decision>], obstacles: &mut Obstacles) -> Result<()> {
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
