//! Random requests to the directories of two organizations with the same IDs, compared with a model.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Fixture, log::replay_directory};
use crate::support::{TestClient, TestResponse};

/// A directory entry: its kind and number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Who {
    Person(u8),
    Team(u8),
    Role(u8),
}

/// One request. There are three entries of each kind, so that they interact.
#[derive(Debug, Clone)]
enum Action {
    Create(Who),
    Rename(Who, u8),
    Delete(Who, bool),
    Join { team: u8, person: u8 },
    Lead { team: u8, person: u8 },
    Part { team: u8, person: u8 },
    Attach { to: u8, who: Who, role: u8 },
}

fn which() -> impl Strategy<Value = u8> {
    0..3_u8
}

fn anybody() -> impl Strategy<Value = Who> {
    prop_oneof![3 => which().prop_map(Who::Person), 2 => which().prop_map(Who::Team)]
}

fn action() -> impl Strategy<Value = Action> {
    let entry = || prop_oneof![3 => anybody(), 1 => which().prop_map(Who::Role)];
    prop_oneof![
        8 => entry().prop_map(Action::Create),
        3 => (entry(), which()).prop_map(|(who, name)| Action::Rename(who, name)),
        3 => (entry(), any::<bool>()).prop_map(|(who, force)| Action::Delete(who, force)),
        5 => (which(), which()).prop_map(|(team, person)| Action::Join { team, person }),
        2 => (which(), which()).prop_map(|(team, person)| Action::Lead { team, person }),
        1 => (which(), which()).prop_map(|(team, person)| Action::Part { team, person }),
        8 => (0..2_u8, anybody(), which()).prop_map(|(to, who, role)| Action::Attach { to, who, role }),
    ]
}

/// The expected directory, and the links of the one workspace that uses it.
#[derive(Debug, Default, PartialEq)]
struct Model {
    /// Names by entry.
    known: BTreeMap<Who, String>,
    /// Team, person, and whether they lead.
    members: BTreeMap<(u8, u8), bool>,
    /// Component, entry and role.
    links: BTreeSet<(u8, Who, u8)>,
}

impl Model {
    /// Applies the action. Returns the expected status.
    fn perform(&mut self, action: &Action) -> u16 {
        match *action {
            Action::Create(who) if self.known.contains_key(&who) => return 409,
            Action::Create(who) => {
                self.known.insert(who, "New".into());
                return 201;
            }
            Action::Rename(who, name) => match self.known.get_mut(&who) {
                Some(known) => *known = format!("Name {name}"),
                None => return 404,
            },
            Action::Delete(Who::Role(_), true) => return 400, // there is no such parameter
            Action::Delete(who, force) => {
                let uses = |link: &(u8, Who, u8)| link.1 == who || Who::Role(link.2) == who;
                if !self.known.contains_key(&who) {
                    return 404;
                }
                if !force && self.links.iter().any(uses) {
                    return 409;
                }
                self.known.remove(&who);
                self.links.retain(|link| !uses(link));
                self.members.retain(|(team, person), _| Who::Team(*team) != who && Who::Person(*person) != who);
            }
            Action::Join { team, .. } | Action::Lead { team, .. } | Action::Part { team, .. }
                if !self.known.contains_key(&Who::Team(team)) =>
            {
                return 404;
            }
            Action::Join { person, .. } if !self.known.contains_key(&Who::Person(person)) => return 400,
            Action::Join { team, person } if self.members.contains_key(&(team, person)) => return 409,
            Action::Join { team, person } => {
                self.members.insert((team, person), false);
                return 201;
            }
            Action::Lead { team, person } => match self.members.get_mut(&(team, person)) {
                Some(leads) => *leads = true,
                None => return 404,
            },
            Action::Part { team, person } => {
                if self.members.remove(&(team, person)).is_none() {
                    return 404;
                }
            }
            Action::Attach { to, who, role } => {
                if !self.known.contains_key(&who) || !self.known.contains_key(&Who::Role(role)) {
                    return 400;
                }
                return if self.links.insert((to, who, role)) { 201 } else { 409 };
            }
        }
        200
    }
}

/// Each kind in the log, its path, and the field of the list.
const LISTS: [(&str, &str, &str); 3] = [
    ("person", "/api/people", "people"),
    ("team", "/api/teams", "teams"),
    ("role", "/api/stakeholder-link-types", "types"),
];

/// The requests of one case, whose IDs start with its name.
struct Case<'a> {
    name: &'a str,
    client: TestClient<'a>,
    workspace: String,
}

impl Case<'_> {
    fn id(&self, number: u8) -> String {
        format!("{}-{number}", self.name)
    }

    fn path(&self, who: Who) -> String {
        match who {
            Who::Person(id) => format!("/api/people/{}", self.id(id)),
            Who::Team(id) => format!("/api/teams/{}", self.id(id)),
            Who::Role(id) => format!("/api/stakeholder-link-types/{}", self.id(id)),
        }
    }

    async fn send(&self, action: &Action) -> TestResponse {
        let client = &self.client;
        let members = |team| format!("{}/members", self.path(Who::Team(team)));
        match *action {
            Action::Create(who) => {
                let path = self.path(who);
                let (list, id) = path.rsplit_once('/').unwrap();
                let mut new = json!({ "id": id, "name": "New" });
                if let Who::Role(_) = who {
                    new["color"] = "#112233".into();
                }
                client.post(list, new).await
            }
            Action::Rename(who, name) => client.patch(&self.path(who), json!({ "name": format!("Name {name}") })).await,
            Action::Delete(who, false) => client.delete(&self.path(who)).await,
            Action::Delete(who, true) => client.delete(&format!("{}?force=true", self.path(who))).await,
            Action::Join { team, person } => client.post(&members(team), json!({ "personId": self.id(person) })).await,
            Action::Lead { team, person } => {
                client.patch(&format!("{}/{}", members(team), self.id(person)), json!({ "role": "lead" })).await
            }
            Action::Part { team, person } => client.delete(&format!("{}/{}", members(team), self.id(person))).await,
            Action::Attach { to, who, role } => {
                let (key, id) = match who {
                    Who::Person(id) => ("personId", id),
                    Who::Team(id) | Who::Role(id) => ("teamId", id),
                };
                let path = format!("/api/workspaces/{}/components/c{to}/stakeholders", self.workspace);
                client.post(&path, json!({ key: self.id(id), "linkType": self.id(role) })).await
            }
        }
    }

    /// The number after the name of the case; none for IDs of other cases.
    fn number(&self, id: &Value) -> Option<u8> {
        id.as_str()?.strip_prefix(self.name)?.strip_prefix('-')?.parse().ok()
    }

    /// The current state as a model.
    async fn read(&self) -> Model {
        let mut model = Model::default();
        for (_, path, list) in LISTS {
            for row in self.client.get(path).await.ok()[list].as_array().unwrap() {
                let who = self.number(&row["id"]).map(|number| match list {
                    "people" => Who::Person(number),
                    "teams" => Who::Team(number),
                    _ => Who::Role(number),
                });
                model.known.extend(who.map(|who| (who, row["name"].as_str().unwrap().to_owned())));
            }
        }
        let teams: Vec<u8> = (0..3).filter(|team| model.known.contains_key(&Who::Team(*team))).collect();
        for team in teams {
            let members = self.client.get(&format!("{}/members", self.path(Who::Team(team)))).await.ok();
            for member in members["members"].as_array().unwrap() {
                let person = self.number(&member["personId"]).unwrap();
                assert_eq!(member["person"]["name"], *model.known[&Who::Person(person)]);
                model.members.insert((team, person), member["role"] == "lead");
            }
        }
        let bundle = self.client.bundle(&self.workspace).await;
        for link in bundle["stakeholders"].as_array().unwrap() {
            let (who, shown) = match self.number(&link["personId"]) {
                Some(person) => (Who::Person(person), &link["person"]),
                None => (Who::Team(self.number(&link["teamId"]).unwrap()), &link["team"]),
            };
            assert_eq!(shown["name"], *model.known[&who], "the bundle shows who they are now");
            let to = link["componentId"].as_str().unwrap().strip_prefix('c').unwrap().parse().unwrap();
            model.links.insert((to, who, self.number(&link["linkType"]).unwrap()));
        }
        model
    }
}

#[test]
fn random_requests_to_two_directories_match_the_model_and_the_log() {
    let fixture = Fixture::new();
    let actions = prop::collection::vec((0..2_usize, action()), 1..60);
    fixture.check(30, actions, async |name, actions| {
        let mut cases = Vec::new();
        for index in 0..2 {
            let client = fixture.client(index);
            let workspace = format!("{name}-{index}");
            client.create_workspace(&workspace).await;
            client.create_components(&workspace, &["c0", "c1"]).await;
            cases.push((Case { name: &name, client, workspace }, Model::default()));
        }
        for (index, action) in &actions {
            let (case, model) = &mut cases[*index];
            case.send(action).await.expect(model.perform(action));
        }
        for ((case, model), org) in cases.iter().zip(["acme", "other"]) {
            assert_eq!(case.read().await, *model);
            let replayed = replay_directory(&fixture.server, org);
            for (kind, path, list) in LISTS {
                let read = case.client.get(path).await.ok()[list].as_array().unwrap().clone();
                assert_eq!(replayed.get(kind).cloned().unwrap_or_default(), read, "{kind}");
            }
        }
    });
}
