//! What a request changed, summarized for the audit log.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{
    record::{Entity, Op},
    scope::Scope,
};

/// How many ids an audit event names at the most.
const NAMED_IDS: usize = 20;

/// What a request changed, in few words, for the audit.
#[derive(Default)]
pub(super) struct Summary(Vec<(Scope, Tally)>);

/// How many rows of a kind met with what, and the ids of the first of them.
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

    /// One event per scope: kind, as in `component.delete`, and details.
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
