//! Compact tables of a workspace: a page of rows and the row count, read without the other columns.

use std::collections::{HashMap, HashSet};

pub use super::model::tables::{Part, Row};
use super::{components::Component, store};
use crate::{
    domain::{
        catalogue::CONTAINS,
        core::{Reads, ViewTx},
    },
    error::{Error, Result},
};

/// Number of rows of a kind, including the relationships of containment.
pub fn count(tx: &ViewTx<'_>, part: Part) -> Result<usize> {
    store::tables::count(tx.core().conn, tx.pk(), part)
}

/// At most `limit` rows of a table from position `offset`, in map order.
pub fn rows(tx: &ViewTx<'_>, part: Part, limit: usize, offset: usize) -> Result<Vec<Row>> {
    store::tables::rows(tx.core().conn, tx.pk(), part, limit, offset)
}

/// Number of rows of a table.
pub fn listed(tx: &ViewTx<'_>, part: Part) -> Result<usize> {
    let contained = if part == Part::Relationships { store::tables::contained(tx.core().conn, tx.pk())? } else { 0 };
    Ok(count(tx, part)?.saturating_sub(contained))
}

/// The ids of the components that are at most `depth` relationships away from a component, in any direction, and of all
/// components that contain it.
pub fn around(tx: &ViewTx<'_>, component_id: &str, depth: usize) -> Result<HashSet<String>> {
    let (conn, pk) = (tx.core().conn, tx.pk());
    if !tx.has::<Component>(component_id)? {
        return Err(Error::NotFound("component"));
    }
    let mut adjacent: HashMap<String, Vec<String>> = HashMap::new();
    let mut parents = HashMap::new();
    for (source, target, type_id) in store::query::relationships(conn, pk)? {
        if type_id == CONTAINS {
            parents.insert(target.clone(), source.clone());
        }
        adjacent.entry(source.clone()).or_default().push(target.clone());
        adjacent.entry(target).or_default().push(source);
    }
    let mut found = HashSet::from([component_id.to_owned()]);
    let mut edge = vec![component_id.to_owned()];
    for _ in 0..depth {
        let next: Vec<String> = edge.iter().filter_map(|id| adjacent.get(id)).flatten().cloned().collect();
        edge = next.into_iter().filter(|id| found.insert(id.clone())).collect();
    }
    let mut at = component_id;
    while let Some(parent) = parents.get(at) {
        found.insert(parent.clone());
        at = parent;
    }
    Ok(found)
}
