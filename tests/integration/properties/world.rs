//! A model of a workspace: what random requests should make of it.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use super::acts::{Act, Ends, SOMEBODY, address, c, fields, named, p, r, role};

/// What a workspace should be.
#[derive(Debug, Clone, Default)]
pub struct World {
    pub name: String,
    pub deleted: bool,
    /// Id, name, x.
    pub components: Vec<(String, String, i16)>,
    /// Id and ends.
    pub relationships: Vec<(String, (String, String, bool))>,
    /// Component and address.
    pub links: Vec<(String, String)>,
    /// Id, and the component that its participant is or was.
    pub processes: Vec<(String, String)>,
    /// Component and role, of the same person each time.
    pub stakeholders: Vec<(String, String)>,
}

/// Parents by child, when containment is a forest.
pub fn forest<'a>(contains: impl Iterator<Item = (&'a str, &'a str)>) -> Option<HashMap<&'a str, &'a str>> {
    let mut parents = HashMap::new();
    for (parent, child) in contains {
        if parents.insert(child, parent).is_some() {
            return None;
        }
    }
    let rooted = |mut at: &'a str| {
        let mut steps = 0;
        while let Some(parent) = parents.get(at) {
            at = parent;
            steps += 1;
            if steps > parents.len() {
                return false;
            }
        }
        true
    };
    parents.keys().all(|child| rooted(child)).then_some(parents)
}

impl World {
    fn component(&mut self, id: &str) -> Option<&mut (String, String, i16)> {
        self.components.iter_mut().find(|row| row.0 == id)
    }

    /// Whether all ends are there, and containment is a forest.
    fn is_sound(&self) -> bool {
        let there = |id: &String| self.components.iter().any(|row| row.0 == *id);
        let contains = self.relationships.iter().filter(|(_, ends)| ends.2);
        self.relationships.iter().all(|(_, ends)| there(&ends.0) && there(&ends.1))
            && forest(contains.map(|(_, ends)| (ends.0.as_str(), ends.1.as_str()))).is_some()
    }

    /// Becomes what `act` makes of it and answers with the status that it should have.
    pub fn perform(&mut self, act: &Act) -> u16 {
        let mut then = self.clone();
        let status = then.change(act);
        if status < 300 {
            if !then.is_sound() {
                return 400;
            }
            *self = then;
        }
        status
    }

    fn change(&mut self, act: &Act) -> u16 {
        match act {
            Act::RestoreWorkspace => self.deleted = false, // its status depends on the list of deleted ones
            _ if self.deleted => return 404,
            Act::DeleteWorkspace => self.deleted = true,
            Act::Rename { name } => self.name = format!("Name {name}"),
            Act::Create { id, .. } if self.component(&c(*id)).is_some() => return 409,
            Act::Create { id, name } => {
                self.components.push((c(*id), format!("Name {name}"), 0));
                return 201;
            }
            Act::Patch { id, name, x } => {
                let Some(row) = self.component(&c(*id)) else { return 404 };
                row.1 = name.map_or_else(|| row.1.clone(), |name| format!("Name {name}"));
                row.2 = x.unwrap_or(row.2);
            }
            Act::Move(moves) => {
                let mut seen = HashSet::new();
                for (id, x) in moves {
                    let Some(row) = self.component(&c(*id)) else { return 400 };
                    row.2 = *x;
                    if !seen.insert(id) {
                        return 400;
                    }
                }
            }
            Act::Delete { id } => {
                let id = c(*id);
                if self.component(&id).is_none() {
                    return 404;
                }
                self.components.retain(|row| row.0 != id);
                self.relationships.retain(|(_, ends)| ends.0 != id && ends.1 != id);
                self.links.retain(|(of, _)| *of != id);
                self.stakeholders.retain(|(of, _)| *of != id);
            }
            Act::Relate { id, .. } if self.relationships.iter().any(|row| row.0 == r(*id)) => return 409,
            Act::Relate { id, ends } => {
                self.relationships.push((r(*id), named(*ends)));
                return 201;
            }
            Act::PatchRelationship { id, ends } => {
                let Some(row) = self.relationships.iter_mut().find(|row| row.0 == r(*id)) else { return 404 };
                row.1 = named(*ends);
            }
            Act::Unrelate { id } => {
                let before = self.relationships.len();
                self.relationships.retain(|row| row.0 != r(*id));
                if self.relationships.len() == before {
                    return 404;
                }
            }
            Act::Link { id, to } => {
                let id = c(*id);
                if self.component(&id).is_none() {
                    return 404;
                }
                self.links.push((id, address(*to)));
                return 201;
            }
            Act::Unlink { id } => {
                let id = c(*id);
                let Some(oldest) = self.links.iter().position(|(of, _)| *of == id) else { return 404 };
                self.links.remove(oldest);
            }
            Act::Tell { id, .. } if self.processes.iter().any(|row| row.0 == p(*id)) => return 409,
            Act::Tell { of, .. } if self.component(&c(*of)).is_none() => return 400,
            Act::Tell { id, of } => {
                self.processes.push((p(*id), c(*of)));
                return 201;
            }
            Act::Retell { id, of } => {
                let there = self.component(&c(*of)).is_some();
                let Some(row) = self.processes.iter_mut().find(|row| row.0 == p(*id)) else { return 404 };
                // What is as it was may be sent back, whatever became of the component.
                if !there && row.1 != c(*of) {
                    return 400;
                }
                row.1 = c(*of);
            }
            Act::Forget { id } => {
                let Some(index) = self.processes.iter().position(|row| row.0 == p(*id)) else { return 404 };
                self.processes.remove(index);
            }
            Act::Attach { id, .. } if self.component(&c(*id)).is_none() => return 404,
            Act::Attach { id, role: as_what } => {
                let link = (c(*id), role(*as_what).to_owned());
                if self.stakeholders.contains(&link) {
                    return 409;
                }
                self.stakeholders.push(link);
                return 201;
            }
            Act::Detach { id } => {
                let id = c(*id);
                let Some(oldest) = self.stakeholders.iter().position(|(of, _)| *of == id) else { return 404 };
                self.stakeholders.remove(oldest);
            }
            Act::Bulk { components, relationships } => return self.replace(components, relationships),
        }
        200
    }

    /// A bulk: all or nothing but for what is checked beside.
    fn replace(&mut self, components: &[(u8, u8)], relationships: &[(u8, Ends)]) -> u16 {
        self.components = components.iter().map(|(id, name)| (c(*id), format!("Name {name}"), 7)).collect();
        self.relationships = relationships.iter().map(|(id, ends)| (r(*id), named(*ends))).collect();
        let repeated = |ids: Vec<&String>| ids.iter().collect::<HashSet<_>>().len() != ids.len();
        if repeated(self.components.iter().map(|row| &row.0).collect())
            || repeated(self.relationships.iter().map(|row| &row.0).collect())
        {
            return 400;
        }
        let components = &self.components;
        self.links.retain(|(of, _)| components.iter().any(|row| row.0 == *of));
        self.stakeholders.retain(|(of, _)| components.iter().any(|row| row.0 == *of));
        200
    }

    /// Whether a bundle and its links are what this is.
    pub fn is(&self, bundle: &Value, links: &[Value]) {
        assert_eq!(bundle["workspace"]["name"], self.name);
        let components: Vec<_> = self.components.iter().map(|(id, name, x)| json!([id, name, f64::from(*x)])).collect();
        let read = |kind: &str, row: fn(&Value) -> Value| -> Vec<Value> {
            bundle[kind].as_array().unwrap().iter().map(row).collect()
        };
        assert_eq!(read("components", |row| json!([row["id"], row["name"], row["x"]])), components);
        let relationships: Vec<_> = self.relationships.iter().map(|(id, ends)| json!([id, fields(ends)])).collect();
        let links: Vec<_> = links.iter().map(|link| (text(&link["componentId"]), text(&link["url"]))).collect();
        assert_eq!(links, self.links);
        let processes = read("processes", |row| json!([row["id"], row["participants"]["A"]]));
        assert_eq!(json!(processes), json!(self.processes));
        let stakeholders: Vec<_> =
            self.stakeholders.iter().map(|(of, role)| json!([of, SOMEBODY, role, "Somebody"])).collect();
        let row = |row: &Value| json!([row["componentId"], row["personId"], row["linkType"], row["person"]["name"]]);
        assert_eq!(read("stakeholders", row), stakeholders);
        let row = |row: &Value| json!([row["id"], { "sourceId": row["sourceId"], "targetId": row["targetId"], "typeId": row["typeId"] }]);
        assert_eq!(read("relationships", row), relationships);
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}
