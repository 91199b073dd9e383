//! What a plan writes.

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
    /// Sources whose rows others have taken over.
    pub(in crate::domain::sync) replaced_sources: Vec<String>,
    pub(in crate::domain::sync) holders: NewHolders,
    /// New components, each with its place in the request.
    pub(in crate::domain::sync) new_components: Vec<(Place, NewComponent)>,
    /// Components that get another parent or none, each with its place in the request, if it is there.
    pub(in crate::domain::sync) parents: Vec<(Option<Place>, String, Option<String>)>,
    pub(in crate::domain::sync) components: Vec<(Component, Component)>,
    /// New relationships, each with its place in the request.
    pub(in crate::domain::sync) new_relationships: Vec<(Place, NewRelationship)>,
    pub(in crate::domain::sync) relationships: Vec<(Relationship, Relationship)>,
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
