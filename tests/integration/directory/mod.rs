//! The directory of an organization: its people, teams and roles, and how they came there.

mod common;
mod joining;
mod log;
mod people;
mod roles;
mod teams;

use serde_json::{Value, json};

use crate::support::Actor;

const PEOPLE: &str = "/api/people";
const TEAMS: &str = "/api/teams";
const ROLES: &str = "/api/stakeholder-link-types";

/// The three kinds: their path, their key in a list, in an answer, and a body to create one with.
fn kinds() -> [(&'static str, &'static str, &'static str, Value); 3] {
    [
        (PEOPLE, "people", "person", json!({ "name": "Grace Hopper" })),
        (TEAMS, "teams", "team", json!({ "name": "Grace Hopper" })),
        (ROLES, "types", "type", json!({ "name": "Grace Hopper", "color": "#112233" })),
    ]
}

impl Actor<'_> {
    /// Makes people, each named as their id.
    async fn know(&self, ids: &[&str]) {
        for id in ids {
            self.post(PEOPLE, json!({ "id": id, "name": id })).await.created();
        }
    }

    /// The list at `path`, of which `field` is the one field.
    async fn all(&self, path: &str, field: &str) -> Vec<Value> {
        let list = self.get(path).await.ok();
        assert_eq!(list.as_object().unwrap().len(), 1);
        list[field].as_array().unwrap().clone()
    }
}
