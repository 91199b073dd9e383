//! Reconstructs the state of a workspace at a revision, from its current rows and the log.

use std::collections::{HashMap, HashSet, hash_map::Entry};

use serde_json::Value;

use super::{changes::oldest_revision, store};
use crate::{
    domain::{
        core::{Entity, Reads, ViewTx, WholeMap},
        directory::{
            entries,
            people::{Person, PersonCard},
            teams::Team,
        },
        map::{
            bundle::{Bundle, RowOrder},
            components::Component,
            decisions::{Decision, DecisionSummary},
            stakeholders::{Stakeholder, StakeholderLink, StakeholderTeam},
            workspaces::Workspace,
        },
        state::{ByKind, KindVisitor, MapRow, RowsOf, WorkspaceState, each_kind},
    },
    error::{Error, Result},
};

impl Workspace {
    /// The past workspace row with its current id and the caller's current access.
    pub(super) fn seen_from(self, now: &Self) -> Self {
        let (pk, id, org_id) = (now.pk, now.id.clone(), now.org_id.clone());
        Self { pk, id, org_id, deleted_at: None, ..self }.seen_like(now)
    }
}

impl WorkspaceState {
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
        let mut before: LoggedRows = HashMap::new();
        let mut workspace = None;
        for row in store::history::before(conn, pk, revision)? {
            if row.entity == Entity::Workspace {
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
        each_kind(&mut Rewind { rows: &mut self.rows, before, workspace_id: &now.id })
    }

    /// Converts the state to a bundle, with the current data of people and teams.
    pub(super) fn bundle(self, tx: &ViewTx<'_>) -> Result<Bundle> {
        let mut known = DirectoryCache::default();
        let Self { workspace, rows } = self;
        // Without `..`: a new kind must be part of the bundle.
        let ByKind {
            components,
            relationships,
            stakeholders,
            links,
            processes,
            notes,
            views,
            view_places,
            view_lines,
            tours,
            decisions,
        } = rows;
        let stakeholders = stakeholders.into_iter().map(|link| known.expand(tx, link));
        let decisions = past_decisions(decisions, &components);
        Ok(Bundle {
            incarnation: tx.core().incarnation().as_str().to_owned(),
            stakeholders: stakeholders.collect::<Result<_>>()?,
            workspace,
            places: RowOrder::of(&components, &relationships, &processes, Some(&notes)),
            components,
            relationships,
            links: Some(links),
            processes,
            notes: Some(notes),
            views: Some(views),
            view_places: Some(view_places),
            view_lines: Some(view_lines),
            tours: Some(tours),
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

/// Logged rows by kind and key; none for rows that do not exist.
pub(super) type LoggedRows = HashMap<Entity, HashMap<String, Option<String>>>;

/// Replaces rows that were written since the revision by their earlier contents.
struct Rewind<'s> {
    rows: &'s mut ByKind<RowsOf>,
    before: LoggedRows,
    workspace_id: &'s str,
}

impl KindVisitor for Rewind<'_> {
    type Error = Error;

    fn visit<R: MapRow>(&mut self) -> Result<()> {
        let Some(before) = self.before.remove(&R::ENTITY) else { return Ok(()) };
        let rows = R::of_mut(self.rows);
        rows.retain(|row| !before.contains_key(&row.key()));
        for json in before.into_values().flatten() {
            rows.push(R::from_logged(serde_json::from_str::<Value>(&json)?, self.workspace_id)?);
        }
        rows.sort_by_cached_key(|row| (row.order(), row.key()));
        Ok(())
    }
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
