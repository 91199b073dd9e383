//! What contains, uses and owns the components of an impact analysis.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use crate::{
    describe::ToSchema,
    domain::{
        catalogue::CONTAINS,
        core::{Reads, ViewTx},
        map::{relationships::Relationship, store},
        values::Properties,
    },
    error::Result,
};

/// A process with an affected participant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AffectedProcess {
    /// Process id.
    #[schema(example = "check-out")]
    pub process_id: String,
    /// Display name.
    pub name: String,
}

/// An owner of affected components. Exactly one of `personId` and `teamId` is set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AffectedOwner {
    /// Id of the person, if the owner is a person.
    #[schema(required, example = "grace-hopper")]
    pub person_id: Option<String>,
    /// Id of the team, if the owner is a team.
    #[schema(required)]
    pub team_id: Option<String>,
    /// Name of the person or team.
    pub name: String,
    /// Number of affected components that they own.
    pub component_count: usize,
}

/// The components that contain any of `components`, and are none of them, innermost first for each.
pub(super) fn groups(relationships: &[Relationship], components: &HashSet<&str>) -> Vec<String> {
    let contains = relationships.iter().filter(|row| row.type_id == CONTAINS);
    let parents: HashMap<&str, &str> = contains.map(|row| (row.target_id.as_str(), row.source_id.as_str())).collect();
    let mut sorted: Vec<&str> = components.iter().copied().collect();
    sorted.sort_unstable();
    let (mut seen, mut groups) = (HashSet::new(), Vec::new());
    for component in sorted {
        let mut at = component;
        while let Some(&parent) = parents.get(at) {
            if !seen.insert(parent) {
                break;
            }
            if !components.contains(parent) {
                groups.push(parent.to_owned());
            }
            at = parent;
        }
    }
    groups
}

/// The processes with any of `components` as a participant, in list order.
pub(super) fn processes(tx: &ViewTx<'_>, components: &HashSet<&str>) -> Result<Vec<AffectedProcess>> {
    let rows = store::impact::participants(tx.core().conn, tx.pk())?;
    let has_one = |participants: &Properties| {
        participants.entries().values().any(|id| id.as_str().is_some_and(|id| components.contains(id)))
    };
    let affected = rows.into_iter().filter(|(.., participants)| has_one(participants));
    Ok(affected.map(|(process_id, name, _)| AffectedProcess { process_id, name }).collect())
}

/// The owners of `components`, those of most first, then by name.
pub(super) fn owners(tx: &ViewTx<'_>, components: &HashSet<&str>) -> Result<Vec<AffectedOwner>> {
    let mut owners: HashMap<(Option<String>, Option<String>), AffectedOwner> = HashMap::new();
    for (component_id, person_id, team_id, name) in store::impact::owners(tx.core().conn, tx.pk())? {
        if components.contains(component_id.as_str()) {
            let owner = owners.entry((person_id.clone(), team_id.clone()));
            owner.or_insert(AffectedOwner { person_id, team_id, name, component_count: 0 }).component_count += 1;
        }
    }
    let mut owners: Vec<AffectedOwner> = owners.into_values().collect();
    owners.sort_unstable_by(|a, b| {
        let key = |owner: &AffectedOwner| (owner.name.clone(), owner.person_id.clone(), owner.team_id.clone());
        b.component_count.cmp(&a.component_count).then_with(|| key(a).cmp(&key(b)))
    });
    Ok(owners)
}
