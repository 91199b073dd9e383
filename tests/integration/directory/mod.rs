//! The directory of an organization: people, teams, roles and kinds.

mod common;
mod component_kinds;
mod joining;
mod log;
mod people;
mod roles;
mod teams;

use serde_json::{Value, json};

use crate::support::TestClient;

const PEOPLE: &str = "/api/people";
const TEAMS: &str = "/api/teams";
const KINDS: &str = "/api/kinds";
const ROLES: &str = "/api/stakeholder-link-types";

/// The three kinds: their path, their key in a list and in a response, and a body to create one with.
fn kinds() -> [(&'static str, &'static str, &'static str, Value); 3] {
    [
        (PEOPLE, "people", "person", json!({ "name": "Grace Hopper" })),
        (TEAMS, "teams", "team", json!({ "name": "Grace Hopper" })),
        (ROLES, "types", "type", json!({ "name": "Grace Hopper", "color": "#112233" })),
    ]
}

impl TestClient<'_> {
    /// Creates people named like their IDs.
    async fn create_people(&self, ids: &[&str]) {
        for id in ids {
            self.post(PEOPLE, json!({ "id": id, "name": id })).await.created();
        }
    }

    /// The list at `path`, which has the field `field`.
    async fn all(&self, path: &str, field: &str) -> Vec<Value> {
        let list = self.get(path).await.ok();
        assert_eq!(list.as_object().unwrap().len(), 1);
        list[field].as_array().unwrap().clone()
    }
}
