//! The rule that a component is part of at most one other component and not of itself, for the result of a merge.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{
    merged::MergedRow,
    rows::{RowId, Side, Unchanged, text},
};
use crate::domain::{catalogue, core::Entity};

/// The side that a relationship in the result comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Contribution {
    /// The draft has added or changed it.
    Draft,
    /// Only the base has added or changed it.
    Base,
}

/// Groups of relationships that together violate the rule, as far as a side has changed them. Groups in which the draft's part
/// is known to need a decision are left out.
///
/// Each map follows the rule, so each group has a part of each side, or a relationship that both have changed.
pub(super) fn violations(rows: &BTreeMap<RowId, MergedRow>, unchanged: &Unchanged) -> Vec<Vec<(RowId, Contribution)>> {
    let mut parents: HashMap<&str, Vec<(&str, &str)>> = HashMap::new();
    for (child, known) in &unchanged.parents {
        parents.entry(child).or_default().extend(known.iter().map(|(id, parent)| (id.as_str(), parent.as_str())));
    }
    let mut changed = Vec::new();
    for ((_, id), row) in rows.iter().filter(|((kind, _), _)| *kind == Entity::Relationship) {
        let Some(fields) = row.result.as_ref().filter(|fields| text(fields, "typeId") == catalogue::CONTAINS) else {
            continue;
        };
        let child = text(fields, "targetId");
        parents.entry(child).or_default().push((id, text(fields, "sourceId")));
        changed.push(child);
    }
    let named = |ids: Vec<&str>| {
        let of = |id: &str| {
            let id = (Entity::Relationship, id.to_owned());
            let row = rows.get(&id)?;
            // A row that the base has deleted and a decision restored is one that the draft adds.
            let is_restored = row.followed == Some(Side::Draft) && row.result.is_some();
            let is_of_draft = row.result != row.states.base && (row.states.is_changed_by_draft() || is_restored);
            Some((id, if is_of_draft { Contribution::Draft } else { Contribution::Base }))
        };
        let found: Vec<(RowId, Contribution)> = ids.into_iter().filter_map(of).collect();
        let is_new = |(id, from): &(RowId, Contribution)| {
            *from == Contribution::Draft && rows.get(id).is_some_and(|row| !row.is_open)
        };
        found.iter().any(is_new).then_some(found)
    };
    let mut found = Vec::new();
    // Components whose chain of parents is known.
    let mut rooted: HashSet<&str> = HashSet::new();
    for child in changed {
        let of = |id: &str| parents.get(id).map_or(&[][..], Vec::as_slice);
        if of(child).len() > 1 {
            found.extend(named(of(child).iter().map(|(id, _)| *id).collect()));
        }
        let (mut path, mut chain) = (HashSet::new(), Vec::new());
        let mut next = Some(child);
        while let Some(id) = next.filter(|id| !rooted.contains(id)) {
            if !path.insert(id) {
                // The chain can lead into the cycle; only its part from `id` on is the cycle.
                let start = chain.iter().position(|(component, _)| *component == id).unwrap_or_default();
                found.extend(named(chain.iter().skip(start).map(|(_, relationship)| *relationship).collect()));
                break;
            }
            let parent = of(id).first().copied();
            chain.extend(parent.map(|(relationship, _)| (id, relationship)));
            next = parent.map(|(_, parent)| parent);
        }
        rooted.extend(path);
    }
    found
}
