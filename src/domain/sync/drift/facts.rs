//! What a drift report compares: the rows of a map, and all claims.

use std::collections::{BTreeMap, BTreeSet, HashMap, hash_map::Entry};

use crate::{
    domain::{
        catalogue,
        core::{self, Reads, ViewTx, WholeMap},
        map::{
            components::{self, Component},
            relationships::{self, Relationship},
            stakeholders,
        },
        paging::Window,
        sync::{
            fields,
            model::{
                claims::{Claim, Source},
                drift::DriftFinding,
                request::SyncKind,
            },
            now::settle_undone,
            store,
        },
    },
    error::Result,
};

/// The rows of a map and all claims.
pub(super) struct Facts {
    pub(super) components: BTreeMap<String, Component>,
    pub(super) relationships: BTreeMap<String, Relationship>,
    pub(super) parents: HashMap<String, String>,
    /// Owners by component, as `person:ID` or `team:ID`.
    pub(super) owners: HashMap<String, BTreeSet<String>>,
    pub(super) sources: HashMap<String, Source>,
    pub(super) claims: Vec<Claim>,
    /// Time before which something counts as not seen.
    pub(super) seen_after: i64,
}

impl Facts {
    pub(super) fn read(tx: &ViewTx<'_>, days: u32, _: &WholeMap) -> Result<Self> {
        let (conn, workspace) = (tx.core().conn, tx.key());
        let relationships = relationships::rows(conn, &workspace)?;
        let contains = relationships.iter().filter(|row| row.type_id == catalogue::CONTAINS);
        let parents = contains.map(|row| (row.target_id.clone(), row.source_id.clone())).collect();
        let holders = stakeholders::rows(conn, &workspace, &Window::whole())?.items.into_iter();
        let mut owners: HashMap<String, BTreeSet<String>> = HashMap::new();
        for link in holders.map(|row| row.link).filter(|link| link.link_type == "owner") {
            let owner = fields::owner(link.person_id.as_deref(), link.team_id.as_deref());
            owners.entry(link.component_id).or_default().extend(owner);
        }
        let sources = store::sources::list(conn, tx.pk())?;
        let components: BTreeMap<_, _> =
            components::rows(conn, &workspace)?.into_iter().map(|row| (row.id.clone(), row)).collect();
        let relationships: BTreeMap<_, _> = relationships.into_iter().map(|row| (row.id.clone(), row)).collect();
        let mut claims = store::claims::list(conn, tx.pk())?;
        settle_undone(claims.iter_mut(), |kind, id| match kind {
            SyncKind::Component => components.get(id).map(|row| row.metadata.created_at),
            SyncKind::Relationship => relationships.get(id).map(|row| row.metadata.created_at),
            _ => None,
        });
        Ok(Self {
            components,
            parents,
            relationships,
            owners,
            sources: sources.into_iter().map(|source| (source.id.clone(), source)).collect(),
            claims,
            seen_after: tx.core().now - i64::from(days) * 24 * 60 * 60 * 1_000,
        })
    }

    pub(super) fn is_observed(&self, source_id: &str) -> bool {
        self.sources.get(source_id).is_some_and(Source::is_observed)
    }

    pub(super) fn component_name<'n>(&'n self, id: &'n str) -> &'n str {
        self.components.get(id).map_or(id, |row| &row.name)
    }

    pub(super) fn relationship_name(&self, row: &Relationship) -> String {
        format!("{} → {}", self.component_name(&row.source_id), self.component_name(&row.target_id))
    }

    /// Adds who last changed the rows.
    pub(super) fn add_authors(&self, tx: &ViewTx<'_>, findings: &mut [DriftFinding]) -> Result<()> {
        let mut names: HashMap<i64, Option<String>> = HashMap::new();
        for (at, finding) in findings.iter_mut().enumerate() {
            if at.is_multiple_of(1_000) {
                tx.core().check_alive()?;
            }
            let Some(id) = &finding.id else { continue };
            let metadata = match finding.kind {
                SyncKind::Component => self.components.get(id).map(|row| &row.metadata),
                _ => self.relationships.get(id).map(|row| &row.metadata),
            };
            let Some(metadata) = metadata else { continue };
            finding.last_changed_at = Some(metadata.updated_at);
            let Some(user) = metadata.updated_by else { continue };
            let name = match names.entry(user) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert(core::author(tx.core().conn, user)?.map(|author| author.display_name)),
            };
            finding.last_changed_by.clone_from(name);
        }
        Ok(())
    }
}
