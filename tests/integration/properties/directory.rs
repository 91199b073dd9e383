//! Random requests to the directories of two organizations that use the same ids, beside a model of what they do.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Theatre, log::replay_directory};
use crate::support::{Actor, Reply};

/// Somebody or something of the directory that links can use: which kind, and which of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Who {
    Person(u8),
    Team(u8),
    Role(u8),
}

/// One request. There are three of each kind, so that they meet.
#[derive(Debug, Clone)]
enum Act {
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

fn act() -> impl Strategy<Value = Act> {
    let entry = || prop_oneof![3 => anybody(), 1 => which().prop_map(Who::Role)];
    prop_oneof![
        8 => entry().prop_map(Act::Create),
        3 => (entry(), which()).prop_map(|(who, name)| Act::Rename(who, name)),
        3 => (entry(), any::<bool>()).prop_map(|(who, force)| Act::Delete(who, force)),
        5 => (which(), which()).prop_map(|(team, person)| Act::Join { team, person }),
        2 => (which(), which()).prop_map(|(team, person)| Act::Lead { team, person }),
        1 => (which(), which()).prop_map(|(team, person)| Act::Part { team, person }),
        8 => (0..2_u8, anybody(), which()).prop_map(|(to, who, role)| Act::Attach { to, who, role }),
    ]
}

/// What a directory should be, and the links of the one workspace that uses it.
#[derive(Debug, Default, PartialEq)]
struct Model {
    /// By their names.
    known: BTreeMap<Who, String>,
    /// Team, person, and whether they lead.
    members: BTreeMap<(u8, u8), bool>,
    /// Component, who, and as what.
    links: BTreeSet<(u8, Who, u8)>,
}

impl Model {
    /// Becomes what `act` makes of it and answers with the status that it should have.
    fn perform(&mut self, act: &Act) -> u16 {
        match *act {
            Act::Create(who) if self.known.contains_key(&who) => return 409,
            Act::Create(who) => {
                self.known.insert(who, "New".into());
                return 201;
            }
            Act::Rename(who, name) => match self.known.get_mut(&who) {
                Some(known) => *known = format!("Name {name}"),
                None => return 404,
            },
            Act::Delete(Who::Role(_), true) => return 400, // there is no such parameter
            Act::Delete(who, force) => {
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
            Act::Join { team, .. } | Act::Lead { team, .. } | Act::Part { team, .. }
                if !self.known.contains_key(&Who::Team(team)) =>
            {
                return 404;
            }
            Act::Join { person, .. } if !self.known.contains_key(&Who::Person(person)) => return 400,
            Act::Join { team, person } if self.members.contains_key(&(team, person)) => return 409,
            Act::Join { team, person } => {
                self.members.insert((team, person), false);
                return 201;
            }
            Act::Lead { team, person } => match self.members.get_mut(&(team, person)) {
                Some(leads) => *leads = true,
                None => return 404,
            },
            Act::Part { team, person } => {
                if self.members.remove(&(team, person)).is_none() {
                    return 404;
                }
            }
            Act::Attach { to, who, role } => {
                if !self.known.contains_key(&who) || !self.known.contains_key(&Who::Role(role)) {
                    return 400;
                }
                return if self.links.insert((to, who, role)) { 201 } else { 409 };
            }
        }
        200
    }
}

/// Each kind in the log, where it is listed, and the list's field.
const LISTS: [(&str, &str, &str); 3] = [
    ("person", "/api/people", "people"),
    ("team", "/api/teams", "teams"),
    ("role", "/api/stakeholder-link-types", "types"),
];

/// The requests of one case, whose ids begin with its name.
struct Case<'a> {
    name: &'a str,
    actor: Actor<'a>,
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

    async fn send(&self, act: &Act) -> Reply {
        let actor = &self.actor;
        let members = |team| format!("{}/members", self.path(Who::Team(team)));
        match *act {
            Act::Create(who) => {
                let path = self.path(who);
                let (list, id) = path.rsplit_once('/').unwrap();
                let mut new = json!({ "id": id, "name": "New" });
                if let Who::Role(_) = who {
                    new["color"] = "#112233".into();
                }
                actor.post(list, new).await
            }
            Act::Rename(who, name) => actor.patch(&self.path(who), json!({ "name": format!("Name {name}") })).await,
            Act::Delete(who, false) => actor.delete(&self.path(who)).await,
            Act::Delete(who, true) => actor.delete(&format!("{}?force=true", self.path(who))).await,
            Act::Join { team, person } => actor.post(&members(team), json!({ "personId": self.id(person) })).await,
            Act::Lead { team, person } => {
                actor.patch(&format!("{}/{}", members(team), self.id(person)), json!({ "role": "lead" })).await
            }
            Act::Part { team, person } => actor.delete(&format!("{}/{}", members(team), self.id(person))).await,
            Act::Attach { to, who, role } => {
                let (key, id) = match who {
                    Who::Person(id) => ("personId", id),
                    Who::Team(id) | Who::Role(id) => ("teamId", id),
                };
                let path = format!("/api/workspaces/{}/components/c{to}/stakeholders", self.workspace);
                actor.post(&path, json!({ key: self.id(id), "linkType": self.id(role) })).await
            }
        }
    }

    /// The number behind the name of the case; none for what is another case's.
    fn number(&self, id: &Value) -> Option<u8> {
        id.as_str()?.strip_prefix(self.name)?.strip_prefix('-')?.parse().ok()
    }

    /// What is there, as a model.
    async fn read(&self) -> Model {
        let mut model = Model::default();
        for (_, path, list) in LISTS {
            for row in self.actor.get(path).await.ok()[list].as_array().unwrap() {
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
            let members = self.actor.get(&format!("{}/members", self.path(Who::Team(team)))).await.ok();
            for member in members["members"].as_array().unwrap() {
                let person = self.number(&member["personId"]).unwrap();
                assert_eq!(member["person"]["name"], *model.known[&Who::Person(person)]);
                model.members.insert((team, person), member["role"] == "lead");
            }
        }
        let bundle = self.actor.bundle(&self.workspace).await;
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
fn random_requests_to_two_directories_do_what_they_should_and_no_more_and_are_logged() {
    let theatre = Theatre::new();
    let acts = prop::collection::vec((0..2_usize, act()), 1..60);
    theatre.try_on(30, acts, async |name, acts| {
        let mut cases = Vec::new();
        for index in 0..2 {
            let actor = theatre.actor(index);
            let workspace = format!("{name}-{index}");
            actor.found(&workspace).await;
            actor.draw(&workspace, &["c0", "c1"]).await;
            cases.push((Case { name: &name, actor, workspace }, Model::default()));
        }
        for (index, act) in &acts {
            let (case, model) = &mut cases[*index];
            case.send(act).await.expect(model.perform(act));
        }
        for ((case, model), org) in cases.iter().zip(["acme", "other"]) {
            assert_eq!(case.read().await, *model);
            let replayed = replay_directory(&theatre.stage, org);
            for (kind, path, list) in LISTS {
                let read = case.actor.get(path).await.ok()[list].as_array().unwrap().clone();
                assert_eq!(replayed.get(kind).cloned().unwrap_or_default(), read, "{kind}");
            }
        }
    });
}
