//! The table of the kinds of rows of a map.

use super::rows::MapRow;
use crate::domain::{
    core::Entity,
    map::{
        components::Component,
        decisions::Decision,
        links::Link,
        notes::Note,
        processes::Process,
        relationships::Relationship,
        stakeholders::StakeholderLink,
        tours::Tour,
        views::{View, ViewLine, ViewPlace},
    },
};

/// What is stored for each kind of row, such as a list of its rows.
pub(in crate::domain) trait PerKind {
    /// The value for a kind.
    type Value<R: MapRow>: Default;
}

/// A value for each kind of row.
#[derive(Default)]
pub(in crate::domain) struct ByKind<P: PerKind> {
    pub(in crate::domain) components: P::Value<Component>,
    pub(in crate::domain) relationships: P::Value<Relationship>,
    pub(in crate::domain) stakeholders: P::Value<StakeholderLink>,
    pub(in crate::domain) links: P::Value<Link>,
    pub(in crate::domain) processes: P::Value<Process>,
    pub(in crate::domain) notes: P::Value<Note>,
    pub(in crate::domain) views: P::Value<View>,
    pub(in crate::domain) view_places: P::Value<ViewPlace>,
    pub(in crate::domain) view_lines: P::Value<ViewLine>,
    pub(in crate::domain) tours: P::Value<Tour>,
    pub(in crate::domain) decisions: P::Value<Decision>,
}

/// The rows of each kind.
#[derive(Default)]
pub(in crate::domain) struct RowsOf;

impl PerKind for RowsOf {
    type Value<R: MapRow> = Vec<R>;
}

/// Work that is the same for all kinds of rows.
pub(in crate::domain) trait KindVisitor {
    type Error;

    fn visit<R: MapRow>(&mut self) -> Result<(), Self::Error>;
}

/// Visits all kinds, each after the kinds that its rows refer to.
pub(in crate::domain) fn each_kind<V: KindVisitor>(visitor: &mut V) -> Result<(), V::Error> {
    Entity::ALL.into_iter().try_for_each(|kind| visit_kind(kind, visitor).map(drop))
}

/// Visits all kinds, each before the kinds that its rows refer to.
pub(in crate::domain) fn each_kind_backward<V: KindVisitor>(visitor: &mut V) -> Result<(), V::Error> {
    Entity::ALL.into_iter().rev().try_for_each(|kind| visit_kind(kind, visitor).map(drop))
}

/// Visits one kind. Returns whether its rows are rows of a map.
pub(in crate::domain) fn visit_kind<V: KindVisitor>(kind: Entity, visitor: &mut V) -> Result<bool, V::Error> {
    match kind {
        Entity::Component => visitor.visit::<Component>()?,
        Entity::Relationship => visitor.visit::<Relationship>()?,
        Entity::Stakeholder => visitor.visit::<StakeholderLink>()?,
        Entity::Link => visitor.visit::<Link>()?,
        Entity::Process => visitor.visit::<Process>()?,
        Entity::Note => visitor.visit::<Note>()?,
        Entity::View => visitor.visit::<View>()?,
        Entity::ViewPlace => visitor.visit::<ViewPlace>()?,
        Entity::ViewLine => visitor.visit::<ViewLine>()?,
        Entity::Tour => visitor.visit::<Tour>()?,
        Entity::Decision => visitor.visit::<Decision>()?,
        // The workspace itself, its members, and the directory of the organization.
        Entity::Workspace
        | Entity::Member
        | Entity::Person
        | Entity::Team
        | Entity::TeamMember
        | Entity::Role
        | Entity::Kind => return Ok(false),
    }
    Ok(true)
}
