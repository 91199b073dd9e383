//! Views with their contents.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use super::{
    View, ViewLayout,
    contents::Contents,
    implied::ImpliedRelationship,
    positions::{self, MemberPosition},
    reading,
    resolve::{Members, ViewStub},
};
use crate::{
    describe::ToSchema,
    domain::{
        core::{Reads, ViewTx},
        map::{
            model::{lines::RelationshipLine, personal_views::PersonalView, views::ViewDefinition},
            placement::Point,
            view_lines, view_places,
        },
    },
    error::Result,
};

/// A view, with its contents for the current state of the workspace if they are requested, each in the order of the rows.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResolvedView {
    /// The view.
    pub view: View,
    /// Ids of the components in the view. Present, like the other fields, with `resolved`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub component_ids: Option<Vec<String>>,
    /// Ids of the relationships between them that the view shows. They include containment, which is shown as nesting.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub relationship_ids: Option<Vec<String>>,
    /// Components outside of the view that are drawn at its edge. Empty unless `outside` is `stubs`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub stubs: Option<Vec<ViewStub>>,
    /// Relationships of components that are not in the view, with the components in it between which they are drawn. Empty
    /// unless `impliedRelationships` is set.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub implied_relationships: Option<Vec<ImpliedRelationship>>,
    /// Positions of the components in the view.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub positions: Option<Vec<MemberPosition>>,
    /// How relationships of the view are drawn. Empty unless the layout is `own`; lines of the shared layout are those of
    /// the relationships.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub lines: Option<Vec<MemberLine>>,
}

impl ResolvedView {
    /// A view without its contents.
    pub fn unresolved(view: View) -> Self {
        Self {
            view,
            component_ids: None,
            relationship_ids: None,
            stubs: None,
            implied_relationships: None,
            positions: None,
            lines: None,
        }
    }
}

/// What a view shows, for the current state of the workspace, each in the order of the rows.
#[derive(Debug)]
pub(in crate::domain) struct Shown {
    pub component_ids: Vec<String>,
    pub relationship_ids: Vec<String>,
    pub implied: Vec<ImpliedRelationship>,
    pub positions: Vec<MemberPosition>,
    pub lines: Vec<MemberLine>,
}

/// How a relationship is drawn in a view.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberLine {
    /// Relationship id.
    #[schema(example = "web-calls-checkout")]
    pub relationship_id: String,
    /// How the relationship is drawn.
    pub line: RelationshipLine,
}

/// Reads a view with its contents.
pub(in crate::domain) fn read(tx: &ViewTx<'_>, id: &str) -> Result<ResolvedView> {
    let view = super::find(tx, id)?;
    let (contents, members) = members(tx, &view.definition, view.layout)?;
    let (positions, lines) = match view.layout {
        ViewLayout::Shared => (positions::shared(&contents, &members), Vec::new()),
        ViewLayout::Own => {
            let places = view_places::of_view(tx.core().conn, &tx.key(), id)?;
            let places = places.into_iter().map(|place| (place.component_id, (place.x, place.y))).collect();
            let lines = view_lines::of_view(tx.core().conn, &tx.key(), id)?.into_iter();
            let lines = lines.map(|line| MemberLine { relationship_id: line.relationship_id, line: line.line });
            (positions::own(&contents, &members, &places), shown(lines, &contents, &members))
        }
    };
    Ok(ResolvedView {
        component_ids: Some(members.component_ids(&contents)),
        relationship_ids: Some(members.relationship_ids(&contents)),
        stubs: Some(members.stubs(&contents)),
        implied_relationships: Some(members.implied(&contents)),
        positions: Some(positions),
        lines: Some(lines),
        view,
    })
}

/// The contents of a view that only its user sees.
pub(in crate::domain) fn personal(tx: &ViewTx<'_>, view: &PersonalView) -> Result<Shown> {
    let (contents, members) = members(tx, &view.definition, view.layout)?;
    let (positions, lines) = match view.layout {
        ViewLayout::Shared => (positions::shared(&contents, &members), Vec::new()),
        ViewLayout::Own => {
            let places = view.places.iter().flatten();
            let places: HashMap<String, Point> =
                places.map(|place| (place.component_id.clone().into(), (place.x.get(), place.y.get()))).collect();
            let lines = view.lines.iter().flatten().map(|line| MemberLine {
                relationship_id: line.relationship_id.clone().into(),
                line: line.line.clone(),
            });
            (positions::own(&contents, &members, &places), shown(lines, &contents, &members))
        }
    };
    Ok(Shown {
        component_ids: members.component_ids(&contents),
        relationship_ids: members.relationship_ids(&contents),
        implied: members.implied(&contents),
        positions,
        lines,
    })
}

/// What a view contains. The texts determine the sizes of cards that are placed.
fn members(tx: &ViewTx<'_>, definition: &ViewDefinition, layout: ViewLayout) -> Result<(Contents, Members)> {
    let contents = reading::contents(tx, [definition], layout == ViewLayout::Own)?;
    let members = Members::of(definition, &contents);
    Ok((contents, members))
}

/// The lines of relationships that the view shows.
fn shown(lines: impl Iterator<Item = MemberLine>, contents: &Contents, members: &Members) -> Vec<MemberLine> {
    let shown: HashSet<&str> =
        members.relationships.iter().map(|&index| contents.relationships[index].id.as_str()).collect();
    lines.filter(|line| shown.contains(line.relationship_id.as_str())).collect()
}
