//! The state of a plan, and what all kinds of rows share.

use std::collections::{HashMap, HashSet};

use super::report::{Lists, Rows};
use crate::{
    domain::{
        core::{Reads, ViewTx},
        directory::{people::NewPerson, teams::NewTeam},
        map::{
            components::{Component, NewComponent},
            links::Link,
            processes::{NewProcess, Process},
            relationships::{NewRelationship, Relationship},
            stakeholders::{NewStakeholder, StakeholderLink},
            views::View,
        },
        slug,
        sync::{
            check::Checked,
            merge::Merged,
            model::{
                claims::{Claim, Fields, MAX_CLAIMS, MAX_SOURCES, Source},
                reading::{ReadPlace, RowOrigin},
                report::{SyncField, SyncReport, SyncRow, SyncSide},
                request::{SyncKind, SyncRequest, SyncedSource},
            },
            now::{Now, was_deleted_by_hand},
            resolutions::Rules,
        },
    },
    error::{Error, Result},
};

/// People and teams that a sync creates.
#[derive(Debug, Default)]
pub(in crate::domain::sync) struct NewHolders {
    pub(in crate::domain::sync) people: Vec<NewPerson>,
    /// Teams, each with the ids of its members.
    pub(in crate::domain::sync) teams: Vec<(NewTeam, Vec<String>)>,
}

/// A view to create.
pub(in crate::domain::sync) struct NewView {
    pub(in crate::domain::sync) new: crate::domain::map::views::NewView,
    /// Positions, with ids of components of the map.
    pub(in crate::domain::sync) places: Vec<(String, ReadPlace)>,
}

/// The writes of a sync, and its report.
#[derive(Default)]
pub(in crate::domain::sync) struct Plan {
    pub(in crate::domain::sync) report: Option<SyncReport>,
    pub(in crate::domain::sync) source: Option<Source>,
    pub(in crate::domain::sync) holders: NewHolders,
    /// New components, each with its index in the reading.
    pub(in crate::domain::sync) new_components: Vec<(usize, NewComponent)>,
    /// Components that get another parent or none, each with its index in the reading.
    pub(in crate::domain::sync) parents: Vec<(usize, String, Option<String>)>,
    pub(in crate::domain::sync) components: Vec<(Component, Component)>,
    /// New relationships, each with its index in the reading.
    pub(in crate::domain::sync) new_relationships: Vec<(usize, NewRelationship)>,
    pub(in crate::domain::sync) relationships: Vec<(Relationship, Relationship)>,
    /// New stakeholders of components, each with the claim that gets their id.
    pub(in crate::domain::sync) new_stakeholders: Vec<(String, NewStakeholder, Option<Claim>)>,
    /// New links, each with the claim that gets their id.
    pub(in crate::domain::sync) new_links: Vec<(Link, Claim)>,
    pub(in crate::domain::sync) new_processes: Vec<NewProcess>,
    pub(in crate::domain::sync) processes: Vec<(Process, Process)>,
    pub(in crate::domain::sync) new_views: Vec<NewView>,
    pub(in crate::domain::sync) views: Vec<(View, View)>,
    pub(in crate::domain::sync) removed_relationships: Vec<Relationship>,
    pub(in crate::domain::sync) removed_stakeholders: Vec<StakeholderLink>,
    pub(in crate::domain::sync) removed_links: Vec<Link>,
    pub(in crate::domain::sync) removed_processes: Vec<Process>,
    pub(in crate::domain::sync) removed_views: Vec<View>,
    pub(in crate::domain::sync) removed_components: Vec<Component>,
    pub(in crate::domain::sync) claims: Vec<Claim>,
    pub(in crate::domain::sync) deleted_claims: Vec<(SyncKind, String)>,
    /// Whether the source or its claims change, apart from the time and the user of the sync.
    pub(in crate::domain::sync) changes_source: bool,
}

/// Where the row of a key is.
pub(super) enum Standing {
    /// On the map, with this id.
    OnMap(String),
    /// Deleted on the map, to stay deleted.
    Deleted,
    /// Never synced, or to be created again.
    Unknown,
}

/// See the module documentation.
pub(super) struct Planner<'p, 'c> {
    pub(super) tx: &'p ViewTx<'c>,
    pub(super) request: &'p Checked,
    pub(super) now: Now,
    /// Id on the map of each component of the reading. None if it is not on the map.
    pub(super) rows: Vec<Option<String>>,
    /// Names of the components that the sync creates, by id.
    pub(super) created: HashMap<String, String>,
    /// Rows of the map that the reading describes.
    pub(super) used: HashSet<(SyncKind, String)>,
    /// Keys of the reading.
    pub(super) keys: HashSet<(SyncKind, String)>,
    /// Keys that the source no longer has, by the row of the map that they claim.
    pub(super) gone: HashMap<(SyncKind, String), String>,
    /// Claims that have got another key, to write if nothing else writes them.
    pub(super) rekeyed: Vec<Claim>,
    pub(super) lists: Lists,
    pub(super) plan: Plan,
    restore: HashSet<&'p str>,
    taken: HashMap<SyncKind, HashSet<String>>,
}

impl<'p, 'c> Planner<'p, 'c> {
    pub(super) fn new(tx: &'p ViewTx<'c>, request: &'p Checked, now: Now) -> Self {
        let rows = vec![None; request.request.reading.components.len()];
        Self {
            tx,
            request,
            now,
            rows,
            created: HashMap::new(),
            used: HashSet::new(),
            keys: HashSet::new(),
            gone: HashMap::new(),
            rekeyed: Vec::new(),
            lists: Lists::default(),
            plan: Plan::default(),
            restore: request.request.restore.iter().map(String::as_str).collect(),
            taken: HashMap::new(),
        }
    }

    /// Whether the rows are recorded and not drawn.
    pub(super) fn is_evidence(&self) -> bool {
        self.request.is_observed && !self.request.request.draw
    }

    /// The rows of the reading: their kind and origin.
    pub(super) fn origins(&self) -> impl Iterator<Item = (SyncKind, &'p RowOrigin)> + use<'p> {
        let reading = &self.request.request.reading;
        let components = reading.components.iter().map(|row| (SyncKind::Component, &row.origin));
        components
            .chain(reading.relationships.iter().map(|row| (SyncKind::Relationship, &row.origin)))
            .chain(reading.stakeholders.iter().map(|row| (SyncKind::Stakeholder, &row.origin)))
            .chain(reading.links.iter().map(|row| (SyncKind::Link, &row.origin)))
            .chain(reading.processes.iter().map(|row| (SyncKind::Process, &row.origin)))
            .chain(reading.views.iter().map(|row| (SyncKind::View, &row.origin)))
    }

    /// Remembers all keys of the reading.
    pub(super) fn note_keys(&mut self) {
        self.keys = self.origins().map(|(kind, origin)| (kind, origin.key.as_str().to_owned())).collect();
    }

    /// Remembers which rows of the map belong to keys that are gone. Renamed keys are not.
    pub(super) fn note_gone(&mut self) {
        let gone = self.now.own.values().filter(|claim| !self.keys.contains(&(claim.kind, claim.key.clone())));
        let rows = gone.filter_map(|claim| Some(((claim.kind, claim.row_id.clone()?), claim.key.clone())));
        self.gone = rows.collect();
    }

    /// The rules for fields of a row that both sides have changed.
    pub(super) fn rules(&self, kind: SyncKind, key: &str) -> Rules<'p> {
        let SyncRequest { policy, otherwise, .. } = &self.request.request;
        Rules::new(&self.request.resolutions, policy.as_ref(), *otherwise, (kind, key))
    }

    /// The claim of the source with this key.
    pub(super) fn claim(&self, kind: SyncKind, key: &str) -> Option<&Claim> {
        self.now.own.get(&(kind, key.to_owned()))
    }

    /// Where the row of a key is.
    pub(super) fn standing(&self, kind: SyncKind, key: &str) -> Result<Standing> {
        let claim = self.claim(kind, key);
        let Some((claim, id)) = claim.and_then(|claim| Some((claim, claim.row_id.as_deref()?))) else {
            return Ok(Standing::Unknown);
        };
        if self.now.has(kind, id) {
            return Ok(Standing::OnMap(id.to_owned()));
        }
        if self.restore.contains(key) || !was_deleted_by_hand(self.tx, claim, id)? {
            return Ok(Standing::Unknown);
        }
        Ok(Standing::Deleted)
    }

    /// A free id for a new row, derived from its id in the reading.
    pub(super) fn free_id(&mut self, kind: SyncKind, base: &str) -> Result<String> {
        let (now, taken) = (&self.now, self.taken.entry(kind).or_default());
        let id = slug::free(base, |id| Ok(taken.contains(id) || now.has(kind, id)))?;
        taken.insert(id.clone());
        Ok(id)
    }

    /// A claim that was seen in this sync.
    pub(super) fn seen(&self, kind: SyncKind, origin: &RowOrigin, row_id: Option<String>, base: Fields) -> Claim {
        Claim {
            source_id: self.request.request.source.id.as_str().to_owned(),
            kind,
            key: origin.key.as_str().to_owned(),
            row_id,
            base,
            file: origin.file.as_str().to_owned(),
            line: origin.line,
            seen_at: self.tx.core().now,
            missing_since: None,
        }
    }

    /// A row of the reading for the report.
    pub(super) fn row(kind: SyncKind, origin: &RowOrigin, id: Option<&str>, name: impl Into<String>) -> SyncRow {
        SyncRow {
            kind,
            key: origin.key.as_str().to_owned(),
            id: id.map(str::to_owned),
            name: name.into(),
            file: origin.file.as_str().to_owned(),
            line: origin.line,
            missing_since: None,
            fields: Vec::new(),
        }
    }

    /// Records a row that the source has and that stays deleted.
    pub(super) fn keep_deleted(&mut self, kind: SyncKind, origin: &RowOrigin, name: impl Into<String>) {
        let Some(claim) = self.claim(kind, origin.key.as_str()).cloned() else { return };
        self.lists.deleted_on_map.push(Self::row(kind, origin, None, name));
        let claim = self.seen(kind, origin, claim.row_id, claim.base);
        self.plan.claims.push(claim);
    }

    /// Reports what a merge decided about a row of the map, and records the claim.
    pub(super) fn report(
        &mut self,
        kind: SyncKind,
        origin: &RowOrigin,
        id: &str,
        name: &str,
        merged: Merged,
        is_adopted: bool,
    ) {
        let row = |fields: Vec<SyncField>| SyncRow { fields, ..Self::row(kind, origin, Some(id), name) };
        let previous = self.claim(kind, origin.key.as_str());
        let missing_since = previous.and_then(|claim| claim.missing_since);
        if is_adopted {
            let fields = merged.taken.iter().chain(&merged.conflicts).cloned().collect();
            self.lists.adopted.push(row(fields));
        } else {
            if missing_since.is_some() {
                self.lists.returned.push(SyncRow { missing_since, ..row(Vec::new()) });
            }
            let from_source = merged.conflicts.iter().filter(|field| field.taken == SyncSide::Source);
            let taken: Vec<SyncField> = merged.taken.iter().chain(from_source).cloned().collect();
            if taken.is_empty() && merged.conflicts.is_empty() {
                self.lists.unchanged += 1;
            }
            if !taken.is_empty() {
                self.lists.changed.push(row(taken));
            }
            if !merged.conflicts.is_empty() {
                self.lists.conflicts.push(row(merged.conflicts.clone()));
            }
        }
        let claim = self.seen(kind, origin, Some(id.to_owned()), merged.base);
        self.plan.claims.push(claim);
        self.used.insert((kind, id.to_owned()));
    }

    /// Whether the plan changes the source or its claims, apart from the time and the user of the sync.
    fn changes_source(&self, source: &Source) -> bool {
        let known = self.now.sources.iter().find(|known| known.id == source.id);
        let is_known = known.is_some_and(|known| {
            let Source { synced_at, synced_by, .. } = *source;
            Source { synced_at, synced_by, ..known.clone() } == *source
        });
        let is_known_claim = |claim: &Claim| {
            let known = self.claim(claim.kind, &claim.key);
            known.is_some_and(|known| Claim { seen_at: claim.seen_at, ..known.clone() } == *claim)
        };
        !is_known || !self.plan.deleted_claims.is_empty() || !self.plan.claims.iter().all(is_known_claim)
    }

    /// Ends the plan.
    pub(super) fn finish(mut self) -> Result<Plan> {
        self.keep_rekeyed();
        let request = &self.request.request;
        let is_new = !self.now.sources.iter().any(|known| known.id == request.source.id.as_str());
        if is_new && self.now.sources.len() >= MAX_SOURCES {
            let text = format!("this workspace has {MAX_SOURCES} sources already, the maximum; delete one first");
            return Err(Error::Conflict(text));
        }
        let claims = self.now.other_claims + self.now.own.len().max(self.plan.claims.len());
        if claims > MAX_CLAIMS {
            let text = format!(
                "the sources of this workspace would have {claims} rows, and the limit is {MAX_CLAIMS}; delete a source \
                 or synchronize less"
            );
            return Err(Error::Conflict(text));
        }
        let (counts, is_in_step) = (self.lists.counts(), self.lists.is_in_step());
        let listed = |rows: Rows| rows.listed;
        let source = SyncedSource::from(&request.source);
        let synced = Source {
            id: source.id.clone(),
            kind: source.kind.clone(),
            name: source.name.clone(),
            revision: source.revision.clone(),
            url: source.url.clone(),
            synced_at: self.tx.core().now,
            synced_by: self.tx.core().actor(),
        };
        self.plan.changes_source = self.changes_source(&synced);
        self.plan.source = Some(synced);
        let lists = self.lists;
        self.plan.report = Some(SyncReport {
            source,
            change_set_id: None,
            revision: self.tx.workspace().metadata.revision,
            is_in_step,
            added: listed(lists.added),
            changed: listed(lists.changed),
            conflicts: listed(lists.conflicts),
            vanished: listed(lists.vanished),
            returned: listed(lists.returned),
            removed: listed(lists.removed),
            adopted: listed(lists.adopted),
            deleted_on_map: listed(lists.deleted_on_map),
            rename_candidates: lists.rename_candidates,
            unchanged: lists.unchanged,
            diagnostics: lists.diagnostics,
            mass_removal: lists.mass_removal,
            counts,
        });
        Ok(self.plan)
    }
}
