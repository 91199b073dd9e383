//! What is in a view: evaluates its definition for the current rows.

use std::collections::HashSet;

use serde::Serialize;

use super::{
    contents::Contents,
    implied::{ImpliedRelationship, Nesting},
    selectors::Evaluation,
};
use crate::{
    describe::ToSchema,
    domain::{
        catalogue::CONTAINS,
        map::model::view_definition::{OutsideComponents, ViewDefinition},
    },
};

/// A component outside of a view that has relationships to components in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ViewStub {
    /// Component id.
    #[schema(example = "ledger")]
    pub component_id: String,
    /// Ids of its relationships to components in the view.
    pub relationship_ids: Vec<String>,
}

/// The contents of a view, in the order of the rows.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::domain) struct Members {
    /// Whether each component is in the view.
    pub(super) components: Vec<bool>,
    /// Indexes of the relationships between components in the view.
    pub(super) relationships: Vec<usize>,
    /// Components outside that are drawn, with the indexes of their relationships.
    pub(super) stubs: Vec<(usize, Vec<usize>)>,
    /// Indexes of implied relationships, with those of the components between which they are drawn.
    pub(super) implied: Vec<(usize, [usize; 2])>,
}

impl Members {
    /// Evaluates a definition.
    ///
    /// Containment between components in the view always belongs to it, because it is drawn as nesting; it never leads to a
    /// stub. Components that the view excludes are not drawn as stubs. A relationship that is drawn on groups of its ends
    /// leads to no stub.
    pub(in crate::domain) fn of(definition: &ViewDefinition, contents: &Contents) -> Self {
        let mut evaluation = Evaluation::new(contents);
        let excluded = evaluation.any(&definition.exclude);
        let mut components = if definition.include.is_empty() {
            vec![true; contents.components.len()]
        } else {
            evaluation.any(&definition.include)
        };
        for (is_in, is_excluded) in components.iter_mut().zip(&excluded) {
            *is_in &= !is_excluded;
        }
        let types: Option<HashSet<&str>> =
            definition.relation_types.as_ref().map(|types| types.iter().map(String::as_str).collect());
        let mut relationships = Vec::new();
        let mut outside: Vec<Vec<usize>> = vec![Vec::new(); components.len()];
        let nesting = definition.implied_relationships.then(|| Nesting::new(contents.parents(), &components));
        let (mut implied, mut drawn) = (Vec::new(), HashSet::new());
        for (index, relation) in contents.relationships.iter().enumerate() {
            let is_nesting = relation.type_id == CONTAINS;
            if !is_nesting && types.as_ref().is_some_and(|types| !types.contains(relation.type_id.as_str())) {
                continue;
            }
            let ends = (contents.indexes.get(&relation.source_id), contents.indexes.get(&relation.target_id));
            let (Some(&source), Some(&target)) = ends else { continue };
            if components[source] && components[target] {
                relationships.push(index);
                drawn.insert([source, target]);
                continue;
            }
            if is_nesting {
                continue;
            }
            let ends = nesting.as_ref().and_then(|nesting| nesting.member_ends([source, target]));
            match (ends, components[source], components[target]) {
                (Some(ends), ..) => implied.push((index, ends)),
                (None, true, false) => outside[target].push(index),
                (None, false, true) => outside[source].push(index),
                _ => {}
            }
        }
        // Not if a relationship between the same components is already drawn.
        implied.retain(|(_, ends)| !drawn.contains(ends));
        let is_stub = |(at, related): &(usize, Vec<usize>)| !related.is_empty() && !excluded[*at];
        let stubs = match definition.outside {
            OutsideComponents::Hidden => Vec::new(),
            OutsideComponents::Stubs => outside.into_iter().enumerate().filter(is_stub).collect(),
        };
        Self { components, relationships, stubs, implied }
    }

    /// The indexes of the components in the view.
    pub(super) fn indexes(&self) -> impl Iterator<Item = usize> {
        self.components.iter().enumerate().filter(|(_, is_in)| **is_in).map(|(at, _)| at)
    }

    /// Numbers of components and of relationships in the view.
    pub(super) fn counts(&self) -> (usize, usize) {
        (self.indexes().count(), self.relationships.len())
    }

    /// Ids of the components in the view.
    pub(in crate::domain) fn component_ids(&self, contents: &Contents) -> Vec<String> {
        self.indexes().map(|at| contents.components[at].id.clone()).collect()
    }

    /// Ids of the relationships in the view.
    pub(in crate::domain) fn relationship_ids(&self, contents: &Contents) -> Vec<String> {
        ids_of(contents, &self.relationships)
    }

    /// Relationships that are drawn between components that contain their ends.
    pub(in crate::domain) fn implied(&self, contents: &Contents) -> Vec<ImpliedRelationship> {
        let id = |at: usize| contents.components[at].id.clone();
        let implied = self.implied.iter().map(|&(index, [source, target])| ImpliedRelationship {
            relationship_id: contents.relationships[index].id.clone(),
            source_id: id(source),
            target_id: id(target),
        });
        implied.collect()
    }

    /// Components outside of the view that are drawn.
    pub(in crate::domain) fn stubs(&self, contents: &Contents) -> Vec<ViewStub> {
        let stub = |(at, related): &(usize, Vec<usize>)| ViewStub {
            component_id: contents.components[*at].id.clone(),
            relationship_ids: ids_of(contents, related),
        };
        self.stubs.iter().map(stub).collect()
    }
}

fn ids_of(contents: &Contents, relationships: &[usize]) -> Vec<String> {
    relationships.iter().map(|&index| contents.relationships[index].id.clone()).collect()
}
