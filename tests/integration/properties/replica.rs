//! A follower's copy of a workspace: the bundle it read, and the events since.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::support::{Event, TestClient};

/// Kinds of ordered rows: their list in the bundle, and their name in a change.
const ORDERED: [(&str, &str); 4] =
    [("components", "component"), ("relationships", "relationship"), ("processes", "process"), ("notes", "note")];

/// The state of a follower.
pub struct Replica {
    user_id: i64,
    workspace: Value,
    /// Rows by kind and ID, with their positions.
    rows: BTreeMap<(String, String), (i64, Value)>,
    /// Stakeholder links by ID, without their people and teams.
    stakeholders: BTreeMap<i64, Value>,
    people: BTreeMap<String, Value>,
    teams: BTreeMap<String, Value>,
}

impl Replica {
    /// Reads the workspace and its tag. None if it does not exist.
    pub async fn read(client: &TestClient<'_>, id: &str) -> Option<(Self, String)> {
        let reply = client.get(&format!("/api/workspaces/{id}?include=notes")).await;
        if reply.status.as_u16() == 404 {
            return None;
        }
        let (mut bundle, tag) = (reply.ok(), reply.header("etag").trim_matches('"').to_owned());
        let mut replica = Self {
            user_id: client.get("/api/me").await.ok()["id"].as_i64().unwrap(),
            workspace: bundle["workspace"].take(),
            rows: BTreeMap::new(),
            stakeholders: BTreeMap::new(),
            people: by_id(&client.get("/api/people").await.ok()["people"]),
            teams: by_id(&client.get("/api/teams").await.ok()["teams"]),
        };
        for (list, kind) in ORDERED {
            let (rows, places) = (bundle[list].take(), &bundle["places"][list]);
            assert_eq!(rows.as_array().unwrap().len(), places.as_array().unwrap().len());
            for (row, place) in rows.as_array().unwrap().iter().zip(places.as_array().unwrap()) {
                let key = (kind.to_owned(), row["id"].as_str().unwrap().to_owned());
                replica.rows.insert(key, (place.as_i64().unwrap(), row.clone()));
            }
        }
        for mut link in bundle["stakeholders"].as_array().unwrap().clone() {
            link.as_object_mut().unwrap().retain(|field, _| field != "person" && field != "team");
            replica.stakeholders.insert(link["id"].as_i64().unwrap(), link);
        }
        Some((replica, tag))
    }

    /// Applies an event. Returns false if the workspace must be read again.
    pub fn apply(&mut self, event: &Event) -> bool {
        let change = &event.data;
        let text = |name: &str| change[name].as_str().unwrap().to_owned();
        let (entity, id, row) = (text("entity"), text("entityId"), change["row"].clone());
        assert_eq!(row.is_null(), change["op"] == "delete", "{event:?}");
        match entity.as_str() {
            "person" => set(&mut self.people, id, row),
            "team" => set(&mut self.teams, id, row),
            "team-member" | "role" => {}
            _ => {
                match entity.as_str() {
                    "component" | "relationship" | "process" | "note" => {
                        let place = change["seq"].as_i64();
                        assert_eq!(place.is_some(), !row.is_null(), "{event:?}");
                        set(&mut self.rows, (entity, id), (place.unwrap_or_default(), row));
                    }
                    "stakeholder" => set(&mut self.stakeholders, id.parse().unwrap(), row),
                    "link" => {} // is in no bundle
                    "workspace" if row.is_null() => {}
                    "workspace" => {
                        let before = std::mem::replace(&mut self.workspace, row);
                        // Fields that depend on the reader are not part of the row.
                        for field in ["myRole", "accessRequests", "accessRequestedAt"] {
                            if let Some(value) = before.get(field) {
                                self.workspace[field] = value.clone();
                            }
                        }
                    }
                    "member" if id != self.user_id.to_string() => {}
                    // Only the bundle contains what the new role can see.
                    "member" => return false,
                    _ => panic!("{event:?}"),
                }
                // Every write in the workspace changes its revision and author.
                self.workspace["revision"] = change["revision"].clone();
                self.workspace["updatedAt"] = change["ts"].clone();
                self.workspace["updatedBy"] = change["actor"]["id"].clone();
            }
        }
        true
    }

    /// The bundle that a reader of the workspace would see.
    pub fn bundle(&self) -> Value {
        let mut bundle = json!({ "workspace": self.workspace });
        for (list, kind) in ORDERED {
            let mut rows: Vec<_> = self.rows.iter().filter(|(key, _)| key.0 == kind).collect();
            rows.sort_by_key(|(key, (place, _))| (*place, &key.1));
            bundle[list] = rows.iter().map(|(_, (_, row))| row.clone()).collect();
            bundle["places"][list] = rows.iter().map(|(_, (place, _))| *place).collect();
        }
        let shown = |link: &Value| {
            let mut shown = link.clone();
            let of = |known: &BTreeMap<String, Value>, id: &Value, fields: &[&str]| {
                id.as_str().map_or(Value::Null, |id| card(&known[id], fields))
            };
            shown["person"] = of(&self.people, &link["personId"], &["id", "name", "email", "photoUrl", "title"]);
            shown["team"] = of(&self.teams, &link["teamId"], &["id", "name"]);
            shown
        };
        bundle["stakeholders"] = self.stakeholders.values().map(shown).collect();
        bundle
    }
}

trait Row {
    fn is_there(&self) -> bool;
}

impl Row for Value {
    fn is_there(&self) -> bool {
        !self.is_null()
    }
}

impl Row for (i64, Value) {
    fn is_there(&self) -> bool {
        !self.1.is_null()
    }
}

fn set<K: Ord, R: Row>(rows: &mut BTreeMap<K, R>, key: K, row: R) {
    if row.is_there() {
        rows.insert(key, row);
    } else {
        rows.remove(&key);
    }
}

fn by_id(rows: &Value) -> BTreeMap<String, Value> {
    rows.as_array().unwrap().iter().map(|row| (row["id"].as_str().unwrap().to_owned(), row.clone())).collect()
}

/// Some fields of a row; null if it has none.
fn card(row: &Value, fields: &[&str]) -> Value {
    fields.iter().map(|name| ((*name).to_owned(), row[*name].clone())).collect::<Map<_, _>>().into()
}

/// The first differences between two values.
pub fn differences(a: &Value, b: &Value) -> Vec<String> {
    fn look(at: &str, a: &Value, b: &Value, found: &mut Vec<String>) {
        match (a, b) {
            _ if a == b || found.len() == 10 => {}
            (Value::Object(one), Value::Object(other)) => {
                let more = other.keys().filter(|key| !one.contains_key(*key));
                one.keys().chain(more).for_each(|key| look(&format!("{at}/{key}"), &a[key], &b[key], found));
            }
            (Value::Array(one), Value::Array(other)) => {
                for n in 0..one.len().max(other.len()) {
                    let item = |list: &[Value]| list.get(n).cloned().unwrap_or_default();
                    look(&format!("{at}/{n}"), &item(one), &item(other), found);
                }
            }
            _ => found.push(format!("{at}: {a}, {b}")),
        }
    }
    let mut found = Vec::new();
    look("", a, b, &mut found);
    if found.is_empty() && a != b {
        found.push("a field is null in one and absent in the other".into());
    }
    found
}
