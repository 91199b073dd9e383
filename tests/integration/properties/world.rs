//! A model of a workspace: the expected results of random requests.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use super::actions::{Action, Ends, SOMEBODY, address, c, color, fields, n, named, p, r, role};

/// The expected state of a workspace.
#[derive(Debug, Clone, Default)]
pub struct World {
    pub name: String,
    pub deleted: bool,
    /// Id, name, x.
    pub components: Vec<(String, String, i16)>,
    /// ID and endpoints.
    pub relationships: Vec<(String, (String, String, bool))>,
    /// Component and URL.
    pub links: Vec<(String, String)>,
    /// ID, and the component of its participant, even if deleted.
    pub processes: Vec<(String, String)>,
    /// ID and color.
    pub notes: Vec<(String, String)>,
    /// Component and role, always of the same person.
    pub stakeholders: Vec<(String, String)>,
}

/// Parents by child, if containment is a forest.
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

    /// Whether all endpoints exist and containment is a forest.
    fn is_sound(&self) -> bool {
        let there = |id: &String| self.components.iter().any(|row| row.0 == *id);
        let contains = self.relationships.iter().filter(|(_, ends)| ends.2);
        self.relationships.iter().all(|(_, ends)| there(&ends.0) && there(&ends.1))
            && forest(contains.map(|(_, ends)| (ends.0.as_str(), ends.1.as_str()))).is_some()
    }

    /// Applies the action. Returns the expected status.
    pub fn perform(&mut self, action: &Action) -> u16 {
        let mut then = self.clone();
        let status = then.change(action);
        if status < 300 {
            if !then.is_sound() {
                return 400;
            }
            *self = then;
        }
        status
    }

    fn change(&mut self, action: &Action) -> u16 {
        match action {
            Action::RestoreWorkspace => self.deleted = false, // its status depends on the list of deleted ones
            _ if self.deleted => return 404,
            Action::DeleteWorkspace => self.deleted = true,
            Action::Rename { name } => self.name = format!("Name {name}"),
            Action::Create { id, .. } if self.component(&c(*id)).is_some() => return 409,
            Action::Create { id, name } => {
                self.components.push((c(*id), format!("Name {name}"), 0));
                return 201;
            }
            Action::Patch { id, name, x } => {
                let Some(row) = self.component(&c(*id)) else { return 404 };
                row.1 = name.map_or_else(|| row.1.clone(), |name| format!("Name {name}"));
                row.2 = x.unwrap_or(row.2);
            }
            Action::Move(moves) => {
                let mut seen = HashSet::new();
                for (id, x) in moves {
                    let Some(row) = self.component(&c(*id)) else { return 400 };
                    row.2 = *x;
                    if !seen.insert(id) {
                        return 400;
                    }
                }
            }
            Action::Delete { id } => {
                let id = c(*id);
                if self.component(&id).is_none() {
                    return 404;
                }
                self.components.retain(|row| row.0 != id);
                self.relationships.retain(|(_, ends)| ends.0 != id && ends.1 != id);
                self.links.retain(|(of, _)| *of != id);
                self.stakeholders.retain(|(of, _)| *of != id);
            }
            Action::Relate { id, .. } if self.relationships.iter().any(|row| row.0 == r(*id)) => return 409,
            Action::Relate { id, ends } => {
                self.relationships.push((r(*id), named(*ends)));
                return 201;
            }
            Action::PatchRelationship { id, ends } => {
                let Some(row) = self.relationships.iter_mut().find(|row| row.0 == r(*id)) else { return 404 };
                row.1 = named(*ends);
            }
            Action::Unrelate { id } => {
                let before = self.relationships.len();
                self.relationships.retain(|row| row.0 != r(*id));
                if self.relationships.len() == before {
                    return 404;
                }
            }
            Action::Link { id, to } => {
                let id = c(*id);
                if self.component(&id).is_none() {
                    return 404;
                }
                self.links.push((id, address(*to)));
                return 201;
            }
            Action::Unlink { id } => {
                let id = c(*id);
                let Some(oldest) = self.links.iter().position(|(of, _)| *of == id) else { return 404 };
                self.links.remove(oldest);
            }
            Action::Tell { id, .. } if self.processes.iter().any(|row| row.0 == p(*id)) => return 409,
            Action::Tell { of, .. } if self.component(&c(*of)).is_none() => return 400,
            Action::Tell { id, of } => {
                self.processes.push((p(*id), c(*of)));
                return 201;
            }
            Action::Retell { id, of } => {
                let there = self.component(&c(*of)).is_some();
                let Some(row) = self.processes.iter_mut().find(|row| row.0 == p(*id)) else { return 404 };
                // Unchanged entries can be sent back even if the component is deleted.
                if !there && row.1 != c(*of) {
                    return 400;
                }
                row.1 = c(*of);
            }
            Action::Forget { id } => {
                let Some(index) = self.processes.iter().position(|row| row.0 == p(*id)) else { return 404 };
                self.processes.remove(index);
            }
            Action::Attach { id, .. } if self.component(&c(*id)).is_none() => return 404,
            Action::Attach { id, role: as_what } => {
                let link = (c(*id), role(*as_what).to_owned());
                if self.stakeholders.contains(&link) {
                    return 409;
                }
                self.stakeholders.push(link);
                return 201;
            }
            Action::Detach { id } => {
                let id = c(*id);
                let Some(oldest) = self.stakeholders.iter().position(|(of, _)| *of == id) else { return 404 };
                self.stakeholders.remove(oldest);
            }
            Action::Bulk { components, relationships } => return self.replace(components, relationships),
            _ => return self.change_note(action),
        }
        200
    }

    fn change_note(&mut self, action: &Action) -> u16 {
        match action {
            Action::Annotate { id, .. } if self.notes.iter().any(|row| row.0 == n(*id)) => return 409,
            Action::Annotate { id, color: of } => {
                self.notes.push((n(*id), color(*of).to_owned()));
                return 201;
            }
            Action::PatchNote { id, color: to } => {
                let Some(row) = self.notes.iter_mut().find(|row| row.0 == n(*id)) else { return 404 };
                color(*to).clone_into(&mut row.1);
            }
            Action::Unannotate { id } => {
                let Some(index) = self.notes.iter().position(|row| row.0 == n(*id)) else { return 404 };
                self.notes.remove(index);
            }
            other => panic!("say what {other:?} does"),
        }
        200
    }

    /// A bulk: all or nothing, except for rules that are checked separately.
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

    /// Expects a bundle and its links to match this state.
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
        assert_eq!(json!(read("notes", |row| json!([row["id"], row["color"]]))), json!(self.notes));
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
