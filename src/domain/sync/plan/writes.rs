//! What a plan writes.

use std::collections::{BTreeMap, btree_map::Entry};

use crate::domain::{
    directory::{people::NewPerson, teams::NewTeam},
    map::{
        components::{Component, NewComponent},
        links::Link,
        processes::{NewProcess, Process},
        relationships::{NewRelationship, Relationship},
        stakeholders::{NewStakeholder, StakeholderLink},
        views::View,
    },
    sync::{
        check::Place,
        model::{
            claims::{Claim, Source},
            reading::ReadPlace,
            report::SyncReport,
            request::SyncKind,
        },
    },
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
    /// The sources of the request, as they are stored.
    pub(in crate::domain::sync) sources: Vec<Source>,
    /// Sources whose rows others have taken over, or that have none anymore.
    pub(in crate::domain::sync) removed_sources: Vec<String>,
    pub(in crate::domain::sync) holders: NewHolders,
    /// New components, each with its place in the request.
    pub(in crate::domain::sync) new_components: Vec<(Place, NewComponent)>,
    /// Components that get another parent or none, each with its place in the request, if it is there.
    pub(in crate::domain::sync) parents: Vec<(Option<Place>, String, Option<String>)>,
    pub(in crate::domain::sync) components: Vec<(Component, Component)>,
    /// New relationships, each with its place in the request.
    pub(in crate::domain::sync) new_relationships: Vec<(Place, NewRelationship)>,
    /// Changed relationships by id, before and after the sync.
    pub(in crate::domain::sync) relationships: BTreeMap<String, (Relationship, Relationship)>,
    /// New stakeholders of components, each with the claims that get their id.
    pub(in crate::domain::sync) new_stakeholders: Vec<(String, NewStakeholder, Vec<Claim>)>,
    /// New links, each with the claims that get their id.
    pub(in crate::domain::sync) new_links: Vec<(Link, Vec<Claim>)>,
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
    /// Claims that end, by source, kind and key.
    pub(in crate::domain::sync) deleted_claims: Vec<(String, SyncKind, String)>,
    /// Whether the sources or their claims change, apart from the time and the user of the sync.
    pub(in crate::domain::sync) changes_source: bool,
}

impl Plan {
    /// Changes a relationship, perhaps once more.
    pub(super) fn change_relationship(&mut self, before: Relationship, after: Relationship) {
        match self.relationships.entry(after.id.clone()) {
            Entry::Vacant(new) => drop(new.insert((before, after))),
            Entry::Occupied(mut known) => known.get_mut().1 = after,
        }
    }

    /// The rows that the plan removes, without stakeholders and links.
    pub(super) fn removed_rows(&self) -> impl Iterator<Item = (SyncKind, &str)> {
        let components = self.removed_components.iter().map(|row| (SyncKind::Component, row.id.as_str()));
        components
            .chain(self.removed_relationships.iter().map(|row| (SyncKind::Relationship, row.id.as_str())))
            .chain(self.removed_processes.iter().map(|row| (SyncKind::Process, row.id.as_str())))
            .chain(self.removed_views.iter().map(|row| (SyncKind::View, row.id.as_str())))
    }
}
