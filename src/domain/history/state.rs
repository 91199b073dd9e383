//! Reconstructs the state of a workspace at a revision, from its current rows and the log.

use std::collections::{HashMap, HashSet, hash_map::Entry};

use serde_json::Value;

use super::{changes::oldest_revision, restorable::RestorableRow, store};
use crate::{
    domain::{
        core::{Reads, ViewTx, WholeMap, WorkspaceKey},
        directory::{
            entries,
            people::{Person, PersonCard},
            teams::Team,
        },
        map::{
            bundle::{Bundle, RowOrder},
            components::Component,
            decisions::{Decision, DecisionSummary},
            links::Link,
            notes::Note,
            processes::Process,
            relationships::Relationship,
            stakeholders::{Stakeholder, StakeholderLink, StakeholderTeam},
            tours::Tour,
            views::{View, ViewLine, ViewPlace},
            workspaces::Workspace,
        },
    },
    error::{Error, Result},
};

/// All rows of a workspace except members, each kind in its order.
pub(in crate::domain) struct WorkspaceState {
    pub(in crate::domain) workspace: Workspace,
    pub(in crate::domain) components: Vec<Component>,
    pub(in crate::domain) relationships: Vec<Relationship>,
    pub(in crate::domain) stakeholders: Vec<StakeholderLink>,
    pub(in crate::domain) links: Vec<Link>,
    pub(in crate::domain) processes: Vec<Process>,
    pub(in crate::domain) notes: Vec<Note>,
    pub(in crate::domain) views: Vec<View>,
    pub(in crate::domain) view_places: Vec<ViewPlace>,
    pub(in crate::domain) view_lines: Vec<ViewLine>,
    pub(in crate::domain) tours: Vec<Tour>,
    pub(in crate::domain) decisions: Vec<Decision>,
}

impl Workspace {
    /// The past workspace row with its current id and the caller's current access.
    pub(super) fn seen_from(self, now: &Self) -> Self {
        let (pk, id, org_id) = (now.pk, now.id.clone(), now.org_id.clone());
        Self { pk, id, org_id, deleted_at: None, ..self }.seen_like(now)
    }
}

impl WorkspaceState {
    pub(in crate::domain) fn now(tx: &ViewTx<'_>, whole: &WholeMap) -> Result<Self> {
        Self::read(tx, &tx.workspace().id, whole)
    }

    /// The current rows, with this id of the workspace.
    pub(in crate::domain) fn read(tx: &ViewTx<'_>, id: &str, _: &WholeMap) -> Result<Self> {
        let (conn, key) = (tx.core().conn, WorkspaceKey { pk: tx.pk(), id });
        Ok(Self {
            workspace: tx.workspace().clone(),
            components: RestorableRow::rows(conn, &key)?,
            relationships: RestorableRow::rows(conn, &key)?,
            stakeholders: RestorableRow::rows(conn, &key)?,
            links: RestorableRow::rows(conn, &key)?,
            processes: RestorableRow::rows(conn, &key)?,
            notes: RestorableRow::rows(conn, &key)?,
            views: RestorableRow::rows(conn, &key)?,
            view_places: RestorableRow::rows(conn, &key)?,
            view_lines: RestorableRow::rows(conn, &key)?,
            tours: RestorableRow::rows(conn, &key)?,
            decisions: RestorableRow::rows(conn, &key)?,
        })
    }

    pub(super) fn at(tx: &ViewTx<'_>, revision: i64, whole: &WholeMap) -> Result<Self> {
        let (oldest, newest) = (oldest_revision(tx)?, tx.workspace().metadata.revision);
        if !(oldest..=newest).contains(&revision) {
            return Err(Error::NoSuchRevision { revision, oldest, newest });
        }
        let mut state = Self::now(tx, whole)?;
        if revision < newest {
            state.rewind(tx, revision)?;
        }
        Ok(state)
    }

    fn rewind(&mut self, tx: &ViewTx<'_>, revision: i64) -> Result<()> {
        let (conn, pk, now) = (tx.core().conn, tx.pk(), tx.workspace());
        let mut before: HashMap<String, HashMap<String, Option<String>>> = HashMap::new();
        let mut workspace = None;
        for row in store::history::before(conn, pk, revision)? {
            if row.entity == "workspace" {
                // The workspace id may have changed several times since; the first row is the state at the revision.
                workspace = workspace.or(row.json);
            } else {
                before.entry(row.entity).or_default().insert(row.entity_id, row.json);
            }
        }
        if let Some(json) = workspace {
            self.workspace = serde_json::from_str::<Workspace>(&json)?.seen_from(now);
        }
        let metadata = &mut self.workspace.metadata;
        metadata.revision = revision;
        if let Some((at, by)) = store::history::stamp_at(conn, pk, revision)? {
            (metadata.updated_at, metadata.updated_by) = (at, by);
        }
        rewind(&mut self.components, &mut before, &now.id)?;
        rewind(&mut self.relationships, &mut before, &now.id)?;
        rewind(&mut self.stakeholders, &mut before, &now.id)?;
        rewind(&mut self.links, &mut before, &now.id)?;
        rewind(&mut self.processes, &mut before, &now.id)?;
        rewind(&mut self.notes, &mut before, &now.id)?;
        rewind(&mut self.views, &mut before, &now.id)?;
        rewind(&mut self.view_places, &mut before, &now.id)?;
        rewind(&mut self.view_lines, &mut before, &now.id)?;
        rewind(&mut self.tours, &mut before, &now.id)?;
        rewind(&mut self.decisions, &mut before, &now.id)
    }

    /// Converts the state to a bundle, with the current data of people and teams.
    pub(super) fn bundle(self, tx: &ViewTx<'_>) -> Result<Bundle> {
        let mut known = DirectoryCache::default();
        let stakeholders = self.stakeholders.into_iter().map(|link| known.expand(tx, link));
        let decisions = past_decisions(self.decisions, &self.components);
        Ok(Bundle {
            incarnation: tx.core().incarnation().as_str().to_owned(),
            stakeholders: stakeholders.collect::<Result<_>>()?,
            workspace: self.workspace,
            places: RowOrder::of(&self.components, &self.relationships, &self.processes, Some(&self.notes)),
            components: self.components,
            relationships: self.relationships,
            links: Some(self.links),
            processes: self.processes,
            notes: Some(self.notes),
            views: Some(self.views),
            view_places: Some(self.view_places),
            view_lines: Some(self.view_lines),
            tours: Some(self.tours),
            decisions: Some(decisions),
        })
    }
}

/// The decisions of a past state, without references to rows that did not exist then.
fn past_decisions(rows: Vec<Decision>, components: &[Component]) -> Vec<DecisionSummary> {
    let components: HashSet<&str> = components.iter().map(|row| row.id.as_str()).collect();
    let decisions: HashSet<String> = rows.iter().map(|row| row.id.clone()).collect();
    let past = rows.into_iter().map(|row| {
        let mut row = DecisionSummary::from(row);
        row.component_ids.0.retain(|id| components.contains(id.as_str()));
        row.supersedes.0.retain(|id| decisions.contains(id));
        row
    });
    past.collect()
}

/// Estimated memory of the state at a revision, in bytes.
pub(super) fn weigh_at(tx: &ViewTx<'_>, revision: i64) -> Result<usize> {
    Ok(tx.weight()?.saturating_add(tx.weight_since(revision)?))
}

/// Estimated memory of [`bundle_at`] in bytes: the state and its serialized form.
pub fn weigh_bundle_at(tx: &ViewTx<'_>, revision: i64) -> Result<usize> {
    Ok(weigh_at(tx, revision)?.saturating_mul(2))
}

/// Returns a workspace as it was at a revision.
pub fn bundle_at(tx: &ViewTx<'_>, revision: i64, whole: &WholeMap) -> Result<Bundle> {
    if revision < 1 {
        return Err(Error::invalid("at", "must be a revision, 1 or more"));
    }
    WorkspaceState::at(tx, revision, whole)?.bundle(tx)
}

/// Replaces rows that were written since the revision by their earlier contents.
fn rewind<R: RestorableRow>(
    rows: &mut Vec<R>,
    before: &mut HashMap<String, HashMap<String, Option<String>>>,
    workspace_id: &str,
) -> Result<()> {
    let Some(before) = before.remove(R::ENTITY.as_str()) else { return Ok(()) };
    rows.retain(|row| !before.contains_key(&row.key()));
    for json in before.into_values().flatten() {
        rows.push(R::from_logged(serde_json::from_str::<Value>(&json)?, workspace_id)?);
    }
    rows.sort_by_cached_key(|row| (row.order(), row.key()));
    Ok(())
}

/// A cache of people and teams; none for entries that no longer exist.
#[derive(Default)]
struct DirectoryCache {
    people: HashMap<String, Option<PersonCard>>,
    teams: HashMap<String, Option<StakeholderTeam>>,
}

impl DirectoryCache {
    fn expand(&mut self, tx: &ViewTx<'_>, link: StakeholderLink) -> Result<Stakeholder> {
        let person = link.person_id.as_ref().map(|id| {
            cached(&mut self.people, id, || {
                Ok(found::<Person>(tx, id)?.map(|Person { id, name, email, photo_url, title, .. }| PersonCard {
                    id,
                    name,
                    email,
                    photo_url,
                    title,
                }))
            })
        });
        let team = link.team_id.as_ref().map(|id| {
            cached(&mut self.teams, id, || {
                Ok(found::<Team>(tx, id)?.map(|Team { id, name, .. }| StakeholderTeam { id, name }))
            })
        });
        Ok(Stakeholder { person: person.transpose()?.flatten(), team: team.transpose()?.flatten(), link })
    }
}

fn found<E: entries::Entry>(tx: &ViewTx<'_>, id: &str) -> Result<Option<E>> {
    entries::find_row(tx.core().conn, tx.workspace().org_id.as_deref().unwrap_or_default(), id)
}

fn cached<T: Clone>(
    known: &mut HashMap<String, Option<T>>,
    id: &str,
    find: impl FnOnce() -> Result<Option<T>>,
) -> Result<Option<T>> {
    Ok(match known.entry(id.to_owned()) {
        Entry::Occupied(found) => found.get().clone(),
        Entry::Vacant(place) => place.insert(find()?).clone(),
    })
}
