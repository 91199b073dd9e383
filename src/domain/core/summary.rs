//! Summaries of a request's changes, for the audit log.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{
    record::{Entity, Op},
    scope::Scope,
};

/// Maximum number of ids in an audit event.
const NAMED_IDS: usize = 20;

/// A summary of a request's changes.
#[derive(Default)]
pub(super) struct Summary(Vec<(Scope, Tally)>);

/// Number of rows by kind and type of change, with the ids of the first rows.
type Tally = BTreeMap<(Entity, Op), (u32, Vec<String>)>;

impl Summary {
    pub(super) fn add(&mut self, scope: &Scope, entity: Entity, op: Op, key: String) {
        let index = self.0.iter().position(|(known, _)| known == scope).unwrap_or_else(|| {
            self.0.push((scope.clone(), BTreeMap::new()));
            self.0.len() - 1
        });
        let (count, ids) = self.0[index].1.entry((entity, op)).or_default();
        *count += 1;
        if ids.len() < NAMED_IDS {
            ids.push(key);
        }
    }

    /// The workspaces whose members or own fields were written, which determine who can access them.
    pub(super) fn workspaces_with_other_access(&self) -> impl Iterator<Item = i64> {
        let is_about_access = |entity: Entity| matches!(entity, Entity::Workspace | Entity::Member);
        let affected = self.0.iter().filter(move |(_, tally)| tally.keys().any(|(entity, _)| is_about_access(*entity)));
        affected.filter_map(|(scope, _)| scope.workspace_pk())
    }

    /// Returns one event per scope: event type, such as `component.delete`, and details.
    pub(super) fn events(self) -> impl Iterator<Item = (Scope, String, Value)> {
        self.0.into_iter().filter_map(|(scope, changes)| {
            let ((entity, op), _) = changes.first_key_value()?;
            let kind = format!("{}.{}", entity.as_str(), op.as_str());
            let changes: serde_json::Map<String, Value> = changes
                .into_iter()
                .map(|((entity, op), (count, ids))| {
                    (format!("{}.{}", entity.as_str(), op.as_str()), json!({ "count": count, "ids": ids }))
                })
                .collect();
            Some((scope, kind, json!({ "changes": changes })))
        })
    }
}
