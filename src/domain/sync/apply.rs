//! Writes a planned sync, as one change set.

use std::collections::HashMap;

use super::{
    check::{Checked, Place},
    model::{
        claims::Claim,
        report::{MassRemoval, SyncReport},
    },
    plan::{NewHolders, NewView, Plan},
    sources, store,
};
use crate::{
    domain::{
        core::{EditTx, OrgTx, Reads},
        directory::{people, team_members, teams},
        map::{
            change_set::ChangeSet,
            components::{self, NewComponent},
            containment,
            places::Ends,
            processes,
            relationships::{self, NewRelationship},
            stakeholders, view_lines, view_places, views,
        },
        values::Text,
    },
    error::{Error, Result},
};

/// Number of rows between two checks whether the client has disconnected.
const ALIVE_STEP: usize = 100;

/// Rejects a sync that would mark or remove too many rows.
pub(super) fn check_mass_removal(plan: &Plan) -> Result<()> {
    let Some(report) = &plan.report else { return Ok(()) };
    match &report.mass_removal {
        Some(MassRemoval { vanishing, claimed, is_allowed: false, source }) => {
            let all = if report.sources.len() > 1 { "these sources" } else { "this source" };
            let of = source.as_ref().map_or_else(|| all.to_owned(), |source| format!("`{source}`"));
            Err(Error::Conflict(format!(
                "{vanishing} of {claimed} rows of {of} are gone, and nothing was written; check that the files are \
                 complete, then send `allowMassRemoval`"
            )))
        }
        _ => Ok(()),
    }
}

/// Writes a plan.
pub(super) fn apply(org: &mut OrgTx<'_>, edit: &mut EditTx<'_>, run: &Checked, mut plan: Plan) -> Result<SyncReport> {
    if plan.changes_source {
        edit.change_source()?;
    }
    create_holders(org, std::mem::take(&mut plan.holders))?;
    let mut report = plan.report.take().ok_or_else(|| Error::internal("a plan has no report"))?;
    let mut set = ChangeSet::new(edit);
    let places: Vec<Option<Place>> = plan.parents.iter().map(|(place, ..)| *place).collect();
    write_components(&mut set, run, &mut plan)?;
    write_relationships(&mut set, run, &mut plan)?;
    let mut claims = std::mem::take(&mut plan.claims);
    write_attached(&mut set, &mut plan, &mut claims)?;
    write_diagrams(&mut set, &mut plan)?;
    remove(&mut set, &plan)?;
    set.settle_groups()?;
    if let Some((index, error)) = set.check_as("components")? {
        let place = places.get(index).copied().flatten();
        return Err(match place {
            Some(place) => error.within(run.path("components", place)),
            None => error,
        });
    }
    let outcome = set.outcome()?;
    (report.change_set_id, report.revision) = (outcome.change_set_id, outcome.revision);
    write_claims(edit, &plan, &claims)?;
    Ok(report)
}

fn alive(set: &ChangeSet<'_, '_>, at: usize) -> Result<()> {
    if at.is_multiple_of(ALIVE_STEP) { set.now().core().check_alive() } else { Ok(()) }
}

fn create_holders(org: &mut OrgTx<'_>, holders: NewHolders) -> Result<()> {
    for person in holders.people {
        people::create(org, person)?;
    }
    for (team, members) in holders.teams {
        let id = team.id.as_ref().map(|id| id.as_str().to_owned()).unwrap_or_default();
        teams::create(org, team)?;
        let mut directory = org.directory()?;
        for person in members {
            team_members::enter(&mut directory, &id, person, None)?;
        }
    }
    Ok(())
}

/// Creates components, beside their neighbors in their group, and updates others. No component moves.
fn write_components(set: &mut ChangeSet<'_, '_>, run: &Checked, plan: &mut Plan) -> Result<()> {
    let mut new = std::mem::take(&mut plan.new_components);
    let parents: HashMap<String, Option<String>> =
        plan.parents.iter().map(|(_, id, parent)| (id.clone(), parent.clone())).collect();
    {
        let contained = new.iter().filter_map(|(_, row)| {
            let id = row.id.as_ref()?.as_str();
            Some((parents.get(id)?.as_deref()?, id))
        });
        let planned: Vec<(String, String)> = contained.map(|(parent, id)| (parent.to_owned(), id.to_owned())).collect();
        let contains = planned.iter().map(|(parent, id)| (parent.as_str(), id.as_str(), "contains", None));
        let lines = plan.new_relationships.iter().map(|(_, row)| ends(row));
        let ends: Vec<Ends<'_>> = contains.chain(lines).collect();
        let mut rows: Vec<&mut NewComponent> = new.iter_mut().map(|(_, row)| row).collect();
        set.place_new(&mut rows, &ends)?;
    }
    for (at, (place, row)) in new.into_iter().enumerate() {
        alive(set, at)?;
        components::create(set.tx(), row).map_err(|error| error.within(run.path("components", place)))?;
    }
    for (at, (before, after)) in std::mem::take(&mut plan.components).into_iter().enumerate() {
        alive(set, at)?;
        set.put(Some(&before), after)?;
    }
    let all = std::mem::take(&mut plan.parents);
    // First out of all groups, so that two components can change places.
    for (_, id, _) in &all {
        for parent in containment::parents(set.now(), id)? {
            let row = relationships::find_row(set.now().core().conn, &set.now().key(), &parent.relationship_id)?;
            row.iter().try_for_each(|row| relationships::remove(set.tx(), row))?;
        }
    }
    for (at, (_, id, parent)) in all.into_iter().enumerate() {
        alive(set, at)?;
        if let Some(parent) = parent {
            set.create_relationship(at, NewRelationship::contains(&parent, &id))?;
        }
    }
    Ok(())
}

fn ends(row: &NewRelationship) -> Ends<'_> {
    (&row.source_id, &row.target_id, &row.type_id, row.label.as_ref().map(Text::as_str))
}

fn write_relationships(set: &mut ChangeSet<'_, '_>, run: &Checked, plan: &mut Plan) -> Result<()> {
    for (at, (place, row)) in std::mem::take(&mut plan.new_relationships).into_iter().enumerate() {
        alive(set, at)?;
        set.create_relationship(at, row).map_err(|error| error.within(run.path("relationships", place)))?;
    }
    for (at, (before, after)) in std::mem::take(&mut plan.relationships).into_values().enumerate() {
        alive(set, at)?;
        set.put(Some(&before), after)?;
    }
    Ok(())
}

/// Writes stakeholders and links. Their ids are those that the server assigns, and complete their claims.
fn write_attached(set: &mut ChangeSet<'_, '_>, plan: &mut Plan, claims: &mut Vec<Claim>) -> Result<()> {
    for row in &plan.removed_stakeholders {
        set.remove(row)?;
    }
    for row in &plan.removed_links {
        set.remove(row)?;
    }
    for (at, (component, new, own)) in std::mem::take(&mut plan.new_stakeholders).into_iter().enumerate() {
        alive(set, at)?;
        let row = stakeholders::create(set.tx(), &component, new)?;
        claims.extend(own.into_iter().map(|claim| Claim { row_id: Some(row.link.id.to_string()), ..claim }));
    }
    for (at, (link, own)) in std::mem::take(&mut plan.new_links).into_iter().enumerate() {
        alive(set, at)?;
        let row = set.put(None, link)?;
        claims.extend(own.into_iter().map(|claim| Claim { row_id: Some(row.id.to_string()), ..claim }));
    }
    Ok(())
}

fn write_diagrams(set: &mut ChangeSet<'_, '_>, plan: &mut Plan) -> Result<()> {
    for (at, row) in std::mem::take(&mut plan.new_processes).into_iter().enumerate() {
        alive(set, at)?;
        processes::create(set.tx(), row)?;
    }
    for (before, after) in std::mem::take(&mut plan.processes) {
        set.put(Some(&before), after)?;
    }
    for (at, NewView { new, places }) in std::mem::take(&mut plan.new_views).into_iter().enumerate() {
        alive(set, at)?;
        let view = views::create(set.tx(), new)?;
        for (component, place) in places {
            view_places::put(set.tx(), &view.id, &component, (place.x, place.y))?;
        }
    }
    for (before, after) in std::mem::take(&mut plan.views) {
        set.put(Some(&before), after)?;
    }
    Ok(())
}

fn remove(set: &mut ChangeSet<'_, '_>, plan: &Plan) -> Result<()> {
    for (at, row) in plan.removed_relationships.iter().enumerate() {
        alive(set, at)?;
        relationships::remove(set.tx(), row)?;
    }
    for row in &plan.removed_processes {
        set.remove(row)?;
    }
    for row in &plan.removed_views {
        let (places, lines) = {
            let (conn, key) = (set.now().core().conn, set.now().key());
            (view_places::of_view(conn, &key, &row.id)?, view_lines::of_view(conn, &key, &row.id)?)
        };
        lines.iter().try_for_each(|line| set.remove(line))?;
        places.iter().try_for_each(|place| set.remove(place))?;
        set.remove(row)?;
    }
    for (at, row) in plan.removed_components.iter().enumerate() {
        alive(set, at)?;
        components::remove(set.tx(), row)?;
    }
    Ok(())
}

/// Records what the source has, beside the change log.
fn write_claims(edit: &EditTx<'_>, plan: &Plan, claims: &[Claim]) -> Result<()> {
    let (conn, pk) = (edit.core().conn, edit.pk());
    for source in &plan.sources {
        store::sources::put(conn, pk, source)?;
    }
    for id in &plan.removed_sources {
        store::claims::delete_of_source(conn, pk, id)?;
        store::sources::delete(conn, pk, id, edit.core().now)?;
        sources::notify_followers(edit, "delete", id);
    }
    for (source, kind, key) in &plan.deleted_claims {
        store::claims::delete(conn, pk, source, (*kind, key))?;
    }
    for (at, claim) in claims.iter().enumerate() {
        if at.is_multiple_of(ALIVE_STEP) {
            edit.core().check_alive()?;
        }
        store::claims::put(conn, pk, claim)?;
    }
    plan.sources.iter().for_each(|source| sources::notify_followers(edit, "sync", &source.id));
    Ok(())
}
