//! Relationships as a view draws them, like the web client: components whose group is not in the view are in the next group
//! around it, and implied relationships between the same two components are one line, as those of collapsed groups.

use std::collections::{HashMap, HashSet};

use crate::domain::{
    catalogue::{CATALOGUE, CONTAINS},
    map::{relationships::Relationship, views::implied::ImpliedRelationship},
};

/// Moves components whose group is not in the view to the next group around it, if there is one. Takes linear time, because
/// groups on the way are looked up once.
pub(super) fn regroup(rows: &mut [Relationship], members: &HashSet<String>) {
    let mut parents: HashMap<String, String> = HashMap::new();
    for row in rows.iter().filter(|row| row.type_id == CONTAINS) {
        parents.entry(row.target_id.clone()).or_insert_with(|| row.source_id.clone());
    }
    let mut nearest: HashMap<&str, Option<&str>> = HashMap::new();
    for row in rows.iter_mut().filter(|row| row.type_id == CONTAINS && members.contains(&row.target_id)) {
        let Some(parent) = parents.get(&row.target_id) else { continue };
        let (mut at, mut path, mut seen) = (Some(parent.as_str()), Vec::new(), HashSet::new());
        let found = loop {
            match at {
                Some(id) if members.contains(id) => break Some(id),
                // Containment has no cycles, unless the database is damaged.
                Some(id) if seen.insert(id) => match nearest.get(id) {
                    Some(known) => break *known,
                    None => {
                        path.push(id);
                        at = parents.get(id).map(String::as_str);
                    }
                },
                _ => break None,
            }
        };
        nearest.extend(path.into_iter().map(|id| (id, found)));
        if let Some(group) = found {
            group.clone_into(&mut row.source_id);
        }
    }
}

/// The lines of implied relationships, each as the first of its relationships, with the ends of the line. The label of
/// several counts their types, and the most frequent type is that of the line.
pub(super) fn lines(rows: &[Relationship], implied: Vec<ImpliedRelationship>) -> Vec<Relationship> {
    let by_id: HashMap<&str, &Relationship> = rows.iter().map(|row| (row.id.as_str(), row)).collect();
    let mut lines: Vec<(Relationship, Vec<(String, usize)>)> = Vec::new();
    let mut known: HashMap<(String, String), usize> = HashMap::new();
    for ImpliedRelationship { relationship_id, source_id, target_id } in implied {
        let Some(&row) = by_id.get(relationship_id.as_str()) else { continue };
        let at = *known.entry((source_id.clone(), target_id.clone())).or_insert(lines.len());
        if at == lines.len() {
            // Waypoints belong to the places of the hidden ends.
            lines.push((Relationship { source_id, target_id, line: None, ..row.clone() }, Vec::new()));
        }
        let types = &mut lines[at].1;
        match types.iter_mut().find(|(type_id, _)| type_id == &row.type_id) {
            Some((_, count)) => *count += 1,
            None => types.push((row.type_id.clone(), 1)),
        }
    }
    lines.into_iter().map(|(line, types)| labeled(line, types)).collect()
}

/// A line with the type and label of its relationships.
fn labeled(mut line: Relationship, mut types: Vec<(String, usize)>) -> Relationship {
    if types.iter().map(|(_, count)| count).sum::<usize>() < 2 {
        return line;
    }
    // The sort is stable: among equally frequent types, the first one stays first.
    types.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let text = |(type_id, count): &(String, usize)| {
        let kind = CATALOGUE.relation_types.iter().find(|kind| kind.id == type_id);
        format!("{count} {}", kind.map_or(type_id.as_str(), |kind| kind.name))
    };
    line.label = Some(types.iter().map(text).collect::<Vec<_>>().join(", "));
    line.type_id.clone_from(&types[0].0);
    line
}
