//! The containment rule, checked once for all relationships that a change set wrote: a component has at most one parent
//! and does not contain itself, directly or indirectly.
//!
//! Each component is looked up at most once, regardless of the nesting depth and the number of written relationships.

use std::collections::{HashMap, HashSet};

pub(in crate::domain) use super::model::relationships::Parent;
use super::{relationships::Relationship, store};
use crate::{
    domain::{
        catalogue,
        core::{Reads, ViewTx},
    },
    error::{Error, FieldPath, Result},
};

/// A containment relationship to check.
pub(in crate::domain) struct Containment<'r> {
    /// Index in the caller's input.
    pub(in crate::domain) index: usize,
    /// Id of the relationship.
    pub(in crate::domain) relationship_id: &'r str,
    /// Id of the contained component.
    pub(in crate::domain) target_id: &'r str,
}

impl<'r> Containment<'r> {
    /// Creates a row to check; none if the relationship is not a containment.
    pub(in crate::domain) fn of(index: usize, row: &'r Relationship) -> Option<Self> {
        let contains = row.type_id == catalogue::CONTAINS;
        contains.then_some(Self { index, relationship_id: &row.id, target_id: &row.target_id })
    }
}

/// A violation of the containment rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::domain) enum Violation {
    /// The component already has a parent.
    HasParent {
        /// Id of the component.
        component_id: String,
        /// The existing parent.
        parent: Parent,
    },
    /// The component would contain itself.
    Cycle {
        /// Id of the component.
        component_id: String,
    },
}

impl Violation {
    /// Describes the violation.
    pub(in crate::domain) fn text(&self) -> String {
        match self {
            Self::HasParent { component_id, parent } => {
                format!("`{component_id}` is already part of `{}`; a component has one parent", parent.component_id)
            }
            Self::Cycle { component_id } => format!("`{component_id}` would be part of itself"),
        }
    }

    /// Converts the violation to a validation error at a field.
    pub(in crate::domain) fn at(&self, field: impl Into<FieldPath>) -> Error {
        Error::invalid(field, self.text())
    }
}

/// The parents of a component: at most one, except in a change set before its containment check.
pub(in crate::domain) fn parents(tx: &ViewTx<'_>, id: &str) -> Result<Vec<Parent>> {
    store::relationships::parents(tx.core().conn, tx.pk(), id)
}

/// Checks written relationships against the current state of the workspace.
pub(in crate::domain) fn violations<'r>(
    tx: &ViewTx<'_>,
    written: impl IntoIterator<Item = (usize, &'r Relationship)>,
) -> Result<Vec<(usize, Violation)>> {
    let placed: Vec<Containment<'r>> =
        written.into_iter().filter_map(|(index, row)| Containment::of(index, row)).collect();
    check(&placed, |id| store::relationships::parents(tx.core().conn, tx.pk(), id))
}

/// Checks `placed`, in order, and returns the index of each relationship that violates the rule.
///
/// `parents` looks up the parents of a component. Of two parents, the one that comes later in `placed` is the
/// violation.
pub(in crate::domain) fn check(
    placed: &[Containment<'_>],
    mut parents: impl FnMut(&str) -> Result<Vec<Parent>>,
) -> Result<Vec<(usize, Violation)>> {
    let mut known: HashMap<String, Vec<Parent>> = HashMap::new();
    let mut later: HashSet<&str> = placed.iter().map(|one| one.relationship_id).collect();
    // Components whose chain of parents is known to end at a root.
    let mut rooted: HashSet<String> = HashSet::new();
    let mut found = Vec::new();
    for one in placed {
        later.remove(one.relationship_id);
        let above = look_up(&mut known, &mut parents, one.target_id)?;
        if !above.iter().any(|parent| parent.relationship_id == one.relationship_id) {
            // The relationship was changed again, or deleted, after it was written.
            continue;
        }
        let other = above.iter().find(|parent| {
            parent.relationship_id != one.relationship_id && !later.contains(parent.relationship_id.as_str())
        });
        if let Some(parent) = other {
            let violation = Violation::HasParent { component_id: one.target_id.to_owned(), parent: parent.clone() };
            found.push((one.index, violation));
            continue;
        }
        let mut path: HashSet<String> = HashSet::new();
        let mut next = Some(one.target_id.to_owned());
        while let Some(id) = next.filter(|id| !rooted.contains(id)) {
            next = look_up(&mut known, &mut parents, &id)?.first().map(|parent| parent.component_id.clone());
            if path.contains(&id) {
                found.push((one.index, Violation::Cycle { component_id: id }));
                break;
            }
            path.insert(id);
        }
        rooted.extend(path);
    }
    Ok(found)
}

fn look_up<'k>(
    known: &'k mut HashMap<String, Vec<Parent>>,
    parents: &mut impl FnMut(&str) -> Result<Vec<Parent>>,
    id: &str,
) -> Result<&'k [Parent]> {
    if !known.contains_key(id) {
        known.insert(id.to_owned(), parents(id)?);
    }
    Ok(known.get(id).map_or(&[], Vec::as_slice))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks a forest given as pairs of child and parent. Returns the violations and the number of lookups.
    fn run(pairs: &[(&str, &str)]) -> (Vec<(usize, Violation)>, usize) {
        let ids: Vec<String> = (0..pairs.len()).map(|index| format!("r{index}")).collect();
        let placed: Vec<Containment<'_>> = pairs
            .iter()
            .zip(&ids)
            .enumerate()
            .map(|(index, ((child, _), id))| Containment { index, relationship_id: id, target_id: child })
            .collect();
        let mut count = 0;
        let found = check(&placed, |id| {
            count += 1;
            let of = pairs.iter().zip(&ids).filter(|((child, _), _)| *child == id);
            Ok(of
                .map(|((_, parent), id)| Parent { relationship_id: id.clone(), component_id: (*parent).to_owned() })
                .collect())
        });
        (found.unwrap(), count)
    }

    #[test]
    fn each_component_of_a_deep_chain_is_looked_up_once() {
        let names: Vec<String> = (0..=4_000).map(|n| format!("c{n}")).collect();
        let mut pairs: Vec<(&str, &str)> = names.windows(2).map(|pair| (pair[1].as_str(), pair[0].as_str())).collect();
        assert_eq!(run(&pairs), (vec![], 4_001));
        pairs.reverse();
        assert_eq!(run(&pairs), (vec![], 4_001));
    }

    #[test]
    fn second_parents_and_cycles_are_reported_where_they_occur() {
        let (found, _) = run(&[("b", "a"), ("c", "b"), ("b", "x")]);
        assert_eq!(found.len(), 1);
        assert_eq!(
            (found[0].0, found[0].1.text()),
            (2, "`b` is already part of `a`; a component has one parent".into())
        );
        let (found, _) = run(&[("b", "a"), ("c", "b"), ("a", "c")]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].1.text().ends_with("would be part of itself"));
        let (found, _) = run(&[("a", "a")]);
        assert_eq!(found, [(0, Violation::Cycle { component_id: "a".into() })]);
    }
}
