//! Plans: dry runs that a later call applies by id, so that the model is sent once. They are stored in memory only; after a
//! restart, clients repeat the dry run.

use std::sync::{Arc, Mutex, PoisonError};

use super::size::Size;
use crate::domain::map::bulk::Bulk;

/// Lifetime of a plan in milliseconds.
const MAX_AGE: i64 = MAX_AGE_MINUTES * 60 * 1_000;
/// Lifetime of a plan in minutes.
pub const MAX_AGE_MINUTES: i64 = 30;
/// Maximum number of plans of a user. A new one replaces the oldest.
pub const MAX_PLANS_PER_USER: usize = 5;
/// Maximum size of the plans of a user, in bytes: one model of the maximum size of a request.
const MAX_BYTES_PER_USER: usize = 16 << 20;
/// Maximum size of all plans, in bytes.
const MAX_BYTES: usize = 64 << 20;

/// The user who can apply a plan, and the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanOwner {
    /// Id of the user.
    pub user: i64,
    /// Id of the organization.
    pub organization: Option<String>,
    /// Id of the workspace.
    pub workspace: String,
}

/// A model that was compared with a workspace.
#[derive(Debug)]
pub struct Plan {
    /// The model.
    pub model: Bulk,
    /// Revision of the workspace; none if it did not exist.
    pub revision: Option<i64>,
}

#[derive(Debug)]
struct StoredPlan {
    id: String,
    owner: PlanOwner,
    plan: Arc<Plan>,
    bytes: usize,
    expires_at: i64,
}

/// The plans of all users, oldest first.
#[derive(Debug, Default)]
pub struct Plans(Mutex<Vec<StoredPlan>>);

impl Plans {
    /// Stores a plan, at the time `now` in milliseconds. Removes older ones to stay within the limits.
    pub fn insert(&self, id: String, owner: PlanOwner, plan: Plan, now: i64) {
        let bytes = bytes(&plan.model);
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|stored| stored.expires_at > now);
        all.push(StoredPlan { id, owner, plan: Arc::new(plan), bytes, expires_at: now + MAX_AGE });
        let user_id = all.last().map_or(0, |stored| stored.owner.user);
        let is_own = |stored: &StoredPlan| stored.owner.user == user_id;
        trim(&mut all, MAX_PLANS_PER_USER, MAX_BYTES_PER_USER, is_own);
        trim(&mut all, usize::MAX, MAX_BYTES, |_| true);
    }

    /// The plan with this id, if it is stored for this owner at the time `now`.
    pub fn find(&self, id: &str, owner: &PlanOwner, now: i64) -> Option<Arc<Plan>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|stored| stored.expires_at > now);
        let found = all.iter().find(|stored| stored.id == id && stored.owner == *owner);
        found.map(|stored| Arc::clone(&stored.plan))
    }
}

/// Removes the oldest plans that match, until the others are within the limits. The newest plan stays.
fn trim(all: &mut Vec<StoredPlan>, max_count: usize, max_bytes: usize, matches: impl Fn(&StoredPlan) -> bool) {
    loop {
        let counted = all.iter().filter(|stored| matches(stored));
        let (count, bytes) = counted.fold((0, 0), |(count, bytes), stored| (count + 1, bytes + stored.bytes));
        if count <= 1 || (count <= max_count && bytes <= max_bytes) {
            return;
        }
        let Some(oldest) = all.iter().position(&matches) else { return };
        all.remove(oldest);
    }
}

/// The approximate memory of a model.
fn bytes(model: &Bulk) -> usize {
    let Bulk { components, relationships, .. } = model;
    let texts = components.iter().map(|item| {
        let description = item.description.as_ref().map_or(0, |text| text.as_str().len());
        item.name.as_str().len() + description + Size::of(&(&item.tags, &item.technology, &item.properties)).plain()
    });
    let labels = relationships.iter().map(|item| {
        let label = item.label.as_ref().map_or(0, |text| text.as_str().len());
        item.source_id.len() + item.target_id.len() + label + Size::of(&(&item.technology, &item.properties)).plain()
    });
    size_of_val(components.as_slice())
        + size_of_val(relationships.as_slice())
        + texts.sum::<usize>()
        + labels.sum::<usize>()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::domain::input::parse;

    fn plan(text: usize) -> Plan {
        let component = json!({ "typeId": "service", "name": "A", "description": "x".repeat(10_000) });
        let components = vec![component; text / 10_000];
        let body = json!({ "components": components, "relationships": [] }).to_string();
        Plan { model: parse::<Bulk>(body.as_bytes()).unwrap().0, revision: Some(1) }
    }

    fn owned_by(user_id: i64) -> PlanOwner {
        PlanOwner { user: user_id, organization: Some("o".into()), workspace: "w".into() }
    }

    #[test]
    fn a_plan_is_stored_for_its_owner_for_a_limited_time() {
        let plans = Plans::default();
        plans.insert("p".into(), owned_by(1), plan(0), 1_000);
        assert!(plans.find("p", &owned_by(1), 1_000 + MAX_AGE - 1).is_some());
        assert!(plans.find("p", &owned_by(2), 1_000).is_none());
        assert!(plans.find("p", &PlanOwner { workspace: "v".into(), ..owned_by(1) }, 1_000).is_none());
        assert!(plans.find("p", &PlanOwner { organization: None, ..owned_by(1) }, 1_000).is_none());
        assert!(plans.find("p", &owned_by(1), 1_000 + MAX_AGE).is_none());
        assert_eq!(plans.0.lock().unwrap().len(), 0, "expired plans are removed");
    }

    #[test]
    fn plans_are_limited_in_number_and_size() {
        let plans = Plans::default();
        let ids =
            |plans: &Plans| -> Vec<String> { plans.0.lock().unwrap().iter().map(|stored| stored.id.clone()).collect() };
        plans.insert("other".into(), owned_by(2), plan(0), 0);
        for n in 0..7 {
            plans.insert(n.to_string(), owned_by(1), plan(0), 0);
        }
        assert_eq!(ids(&plans), ["other", "2", "3", "4", "5", "6"]);
        plans.insert("large".into(), owned_by(1), plan(9 << 20), 0);
        plans.insert("larger".into(), owned_by(1), plan(10 << 20), 0);
        assert_eq!(ids(&plans), ["other", "larger"]);
        for user in 3..10 {
            plans.insert(user.to_string(), owned_by(user), plan(12 << 20), 0);
        }
        assert_eq!(ids(&plans), ["5", "6", "7", "8", "9"]);
    }
}
