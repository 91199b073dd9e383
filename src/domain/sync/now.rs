//! The map and its claims before a sync.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{
    model::{
        claims::{Claim, MergedRow, Source},
        kinds::RowWas,
        request::SyncKind,
    },
    store,
};
use crate::{
    domain::{
        catalogue,
        core::{Reads, ViewTx, WholeMap, change_log},
        map::{
            components::{self, Component},
            links::{self, Link},
            processes::{self, Process},
            relationships::{self, Relationship},
            stakeholders::{self, StakeholderLink},
            views::{self, View},
        },
        paging::Window,
    },
    error::Result,
};

/// The rows of a map by id, and all claims.
pub(super) struct Now {
    pub(super) components: BTreeMap<String, Component>,
    /// The component that contains each component.
    pub(super) parents: HashMap<String, String>,
    pub(super) relationships: BTreeMap<String, Relationship>,
    pub(super) stakeholders: BTreeMap<i64, StakeholderLink>,
    pub(super) links: BTreeMap<i64, Link>,
    pub(super) processes: BTreeMap<String, Process>,
    pub(super) views: BTreeMap<String, View>,
    pub(super) sources: BTreeMap<String, Source>,
    /// Claims of each source of the request, by kind and key.
    pub(super) own: Vec<Claims>,
    /// Claims of all other sources.
    pub(super) others: Vec<Claim>,
    /// Rows of the map that other sources declare now.
    pub(super) claimed_by_others: HashSet<(SyncKind, String)>,
}

/// Claims of a source, by kind and key.
pub(super) type Claims = BTreeMap<(SyncKind, String), Claim>;

impl Now {
    /// Reads the map for a sync with these sources.
    pub(super) fn read(tx: &ViewTx<'_>, source_ids: &[&str], _: &WholeMap) -> Result<Self> {
        let (conn, key) = (tx.core().conn, tx.key());
        let relationships = relationships::rows(conn, &key)?;
        let contains = relationships.iter().filter(|row| row.type_id == catalogue::CONTAINS);
        let parents = contains.map(|row| (row.target_id.clone(), row.source_id.clone())).collect();
        let mut own = vec![Claims::new(); source_ids.len()];
        let index: HashMap<&str, usize> = source_ids.iter().enumerate().map(|(at, id)| (*id, at)).collect();
        let mut others = Vec::new();
        for claim in store::claims::list(conn, tx.pk())? {
            match index.get(claim.source_id.as_str()) {
                Some(at) => drop(own[*at].insert((claim.kind, claim.key.clone()), claim)),
                None => others.push(claim),
            }
        }
        let stakeholders = stakeholders::rows(conn, &key, &Window::whole())?.items.into_iter().map(|row| row.link);
        let mut now = Self {
            components: components::rows(conn, &key)?.into_iter().map(|row| (row.id.clone(), row)).collect(),
            parents,
            relationships: relationships.into_iter().map(|row| (row.id.clone(), row)).collect(),
            stakeholders: stakeholders.map(|row| (row.id, row)).collect(),
            links: links::rows(conn, &key)?.into_iter().map(|row| (row.id, row)).collect(),
            processes: processes::rows(conn, &key)?.into_iter().map(|row| (row.id.clone(), row)).collect(),
            views: views::rows(conn, &key)?.into_iter().map(|row| (row.id.clone(), row)).collect(),
            sources: store::sources::list(conn, tx.pk())?.into_iter().map(|row| (row.id.clone(), row)).collect(),
            own,
            others,
            claimed_by_others: HashSet::new(),
        };
        let (mut own, mut others) = (std::mem::take(&mut now.own), std::mem::take(&mut now.others));
        let all = own.iter_mut().flat_map(BTreeMap::values_mut).chain(&mut others);
        settle_undone(all, |kind, id| now.created_at(kind, id));
        (now.own, now.others) = (own, others);
        Ok(now)
    }

    /// Notes which rows of the map other sources declare. What is seen in operation does not keep a row that nothing declares
    /// anymore.
    pub(super) fn note_others(&mut self) {
        let declares = |claim: &&Claim| {
            let is_observed = self.sources.get(&claim.source_id).is_some_and(Source::is_observed);
            claim.missing_since.is_none() && !is_observed
        };
        let rows = self.others.iter().filter(declares);
        self.claimed_by_others = rows.filter_map(|claim| Some((claim.kind, claim.row_id.clone()?))).collect();
    }

    /// Whether a row is on the map.
    pub(super) fn has(&self, kind: SyncKind, id: &str) -> bool {
        let number = || id.parse::<i64>().ok();
        match kind {
            SyncKind::Component => self.components.contains_key(id),
            SyncKind::Relationship => self.relationships.contains_key(id),
            SyncKind::Stakeholder => number().is_some_and(|id| self.stakeholders.contains_key(&id)),
            SyncKind::Link => number().is_some_and(|id| self.links.contains_key(&id)),
            SyncKind::Process => self.processes.contains_key(id),
            SyncKind::View => self.views.contains_key(id),
        }
    }

    /// When a row of the map was created.
    fn created_at(&self, kind: SyncKind, id: &str) -> Option<i64> {
        match kind {
            SyncKind::Component => self.components.get(id).map(|row| row.metadata.created_at),
            SyncKind::Relationship => self.relationships.get(id).map(|row| row.metadata.created_at),
            // Their ids are used once.
            _ => self.has(kind, id).then_some(i64::MIN),
        }
    }

    /// The display name of a component.
    pub(super) fn component_name(&self, id: &str) -> String {
        self.components.get(id).map_or_else(|| id.to_owned(), |row| row.name.clone())
    }

    /// The display name of a row of the map.
    pub(super) fn name(&self, kind: SyncKind, id: &str) -> Option<String> {
        let number = || id.parse::<i64>().unwrap_or_default();
        match kind {
            SyncKind::Component => self.components.get(id).map(|row| row.name.clone()),
            SyncKind::Relationship => self.relationships.get(id).map(|row| {
                format!("{} → {}", self.component_name(&row.source_id), self.component_name(&row.target_id))
            }),
            SyncKind::Stakeholder => self.stakeholders.get(&number()).map(|row| {
                let who = row.person_id.as_deref().or(row.team_id.as_deref()).unwrap_or_default();
                format!("{who} ({}) of {}", row.link_type, self.component_name(&row.component_id))
            }),
            SyncKind::Link => self.links.get(&number()).map(|row| row.url.clone()),
            SyncKind::Process => self.processes.get(id).map(|row| row.name.clone()),
            SyncKind::View => self.views.get(id).map(|row| row.name.clone()),
        }
    }
}

/// Gives claims back to the rows that were merged into others, and that an undo or an older version has restored. These rows stay
/// two. `created_at` is the time at which a row of the map was created, which a restored row keeps: another row can have its id.
pub(super) fn settle_undone<'c>(
    claims: impl Iterator<Item = &'c mut Claim>,
    created_at: impl Fn(SyncKind, &str) -> Option<i64>,
) {
    for claim in claims {
        let is_restored = |merged: &mut MergedRow| created_at(claim.kind, &merged.id).is_some_and(|at| at <= merged.at);
        let Some(restored) = claim.merged_from.take_if(is_restored) else { continue };
        let other = claim.row_id.replace(restored.id);
        if claim.kind == SyncKind::Component {
            claim.separate.0.extend(other);
        }
        // Only rows that syncs drew are merged.
        claim.row_was = claim.row_was.and(Some(RowWas::New));
    }
}

/// Whether a person deleted the row of a claim, which is gone, while the source had it. Otherwise, an undo removed it, or a
/// sync or a person deleted it because it was gone from the source.
pub(super) fn was_deleted_by_hand(tx: &ViewTx<'_>, claim: &Claim, id: &str) -> Result<bool> {
    let written = change_log::last_write_time(tx.core().conn, tx.pk(), claim.kind.as_str(), id)?;
    Ok(match (written, claim.missing_since) {
        (Some((_, is_undo)), _) if is_undo => false,
        (Some((deleted_at, _)), Some(missing_since)) => deleted_at < missing_since,
        (None, Some(_)) => false,
        (_, None) => true,
    })
}
