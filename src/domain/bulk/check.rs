//! The rules of a whole model, checked before anything is written.

use std::collections::{HashMap, HashSet};

use super::Bulk;
use crate::{
    domain::{catalogue, components},
    error::{Error, Result},
};

/// Every id once, every type known, every end there, containment a forest. The answer names the index.
pub(super) fn model(body: &Bulk) -> Result<()> {
    let mut ids = HashSet::with_capacity(body.components.len());
    for (index, item) in body.components.iter().enumerate() {
        let id = item.id.as_ref().map_or("", |id| id.as_str());
        let at = format!("components[{index}].");
        if !ids.insert(id) {
            return Err(repeated(&at, id));
        }
        components::check(&item.type_id, item.properties.as_ref(), &at)?;
        if item.x.is_some() != item.y.is_some() {
            return Err(Error::invalid(format!("{at}x"), "give both x and y, or neither"));
        }
    }
    let mut seen = HashSet::with_capacity(body.relationships.len());
    for (index, item) in body.relationships.iter().enumerate() {
        let at = format!("relationships[{index}].");
        let id = item.id.as_ref().map_or("", |id| id.as_str());
        if !seen.insert(id) {
            return Err(repeated(&at, id));
        }
        catalogue::relation_type(&format!("{at}typeId"), &item.type_id)?;
        for (field, end) in [("sourceId", &item.source_id), ("targetId", &item.target_id)] {
            if !ids.contains(end.as_str()) {
                return Err(Error::invalid(format!("{at}{field}"), format!("there is no component `{end}`")));
            }
        }
    }
    containment(body)
}

fn repeated(at: &str, id: &str) -> Error {
    Error::invalid(format!("{at}id"), format!("the id `{id}` is repeated"))
}

fn containment(body: &Bulk) -> Result<()> {
    let mut parents: HashMap<&str, &str> = HashMap::new();
    let contains = || body.relationships.iter().enumerate().filter(|(_, item)| item.type_id == catalogue::CONTAINS);
    for (index, item) in contains() {
        if let Some(other) = parents.insert(&item.target_id, &item.source_id) {
            let text = format!("`{}` is already part of `{other}`; a component has one parent", item.target_id);
            return Err(Error::invalid(format!("relationships[{index}].targetId"), text));
        }
    }
    // Components known to lead up to a root: each is walked over once.
    let mut rooted: HashSet<&str> = HashSet::new();
    for (index, item) in contains() {
        let mut path = HashSet::new();
        let mut above = Some(item.target_id.as_str());
        while let Some(id) = above.filter(|id| !rooted.contains(id)) {
            if !path.insert(id) {
                let text = format!("`{id}` would be part of itself");
                return Err(Error::invalid(format!("relationships[{index}].targetId"), text));
            }
            above = parents.get(id).copied();
        }
        rooted.extend(path);
    }
    Ok(())
}
