//! Random requests to one workspace.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::support::{TestClient, TestResponse};

/// One request. IDs come from small pools so that they collide.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    Create { id: u8, name: u8 },
    Patch { id: u8, name: Option<u8>, x: Option<i16> },
    Move(Vec<(u8, i16)>),
    Delete { id: u8 },
    Relate { id: u8, ends: Ends },
    PatchRelationship { id: u8, ends: Ends },
    Unrelate { id: u8 },
    Link { id: u8, to: u8 },
    Unlink { id: u8 },
    Tell { id: u8, of: u8 },
    Retell { id: u8, of: u8 },
    Forget { id: u8 },
    Annotate { id: u8, color: u8 },
    PatchNote { id: u8, color: u8 },
    Unannotate { id: u8 },
    Attach { id: u8, role: u8 },
    Detach { id: u8 },
    Bulk { components: Vec<(u8, u8)>, relationships: Vec<(u8, Ends)> },
    Rename { name: u8 },
    DeleteWorkspace,
    RestoreWorkspace,
}

/// Source, target, and whether the type is containment.
pub type Ends = (u8, u8, bool);

pub fn action() -> impl Strategy<Value = Action> {
    let (c, r, name) = (|| 0..6_u8, || 0..5_u8, || 0..3_u8);
    let ends = || (0..6_u8, 0..6_u8, prop::bool::weighted(0.6));
    prop_oneof![
        8 => (c(), name()).prop_map(|(id, name)| Action::Create { id, name }),
        4 => (c(), prop::option::of(name()), prop::option::of(-99..99_i16))
            .prop_map(|(id, name, x)| Action::Patch { id, name, x }),
        2 => prop::collection::vec((c(), -99..99_i16), 0..3).prop_map(Action::Move),
        3 => c().prop_map(|id| Action::Delete { id }),
        8 => (r(), ends()).prop_map(|(id, ends)| Action::Relate { id, ends }),
        4 => (r(), ends()).prop_map(|(id, ends)| Action::PatchRelationship { id, ends }),
        2 => r().prop_map(|id| Action::Unrelate { id }),
        4 => (c(), name()).prop_map(|(id, to)| Action::Link { id, to }),
        2 => c().prop_map(|id| Action::Unlink { id }),
        4 => (name(), c()).prop_map(|(id, of)| Action::Tell { id, of }),
        3 => (name(), c()).prop_map(|(id, of)| Action::Retell { id, of }),
        1 => name().prop_map(|id| Action::Forget { id }),
        4 => (name(), name()).prop_map(|(id, color)| Action::Annotate { id, color }),
        3 => (name(), name()).prop_map(|(id, color)| Action::PatchNote { id, color }),
        1 => name().prop_map(|id| Action::Unannotate { id }),
        4 => (c(), name()).prop_map(|(id, role)| Action::Attach { id, role }),
        2 => c().prop_map(|id| Action::Detach { id }),
        3 => (prop::collection::vec((c(), name()), 0..6), prop::collection::vec((r(), ends()), 0..4))
            .prop_map(|(components, relationships)| Action::Bulk { components, relationships }),
        1 => name().prop_map(|name| Action::Rename { name }),
        1 => Just(Action::DeleteWorkspace),
        2 => Just(Action::RestoreWorkspace),
    ]
}

pub fn c(id: u8) -> String {
    format!("c{id}")
}

pub fn r(id: u8) -> String {
    format!("r{id}")
}

/// Processes.
pub fn p(id: u8) -> String {
    format!("p{id}")
}

/// Notes.
pub fn n(id: u8) -> String {
    format!("n{id}")
}

/// The color of a note.
pub fn color(color: u8) -> &'static str {
    ["yellow", "blue", "gray"][usize::from(color)]
}

/// URLs to link to.
pub fn address(to: u8) -> String {
    format!("https://example.org/{to}")
}

/// A person in both organizations.
pub const SOMEBODY: &str = "somebody";

/// The role of a stakeholder.
pub fn role(role: u8) -> &'static str {
    ["owner", "support", "business-owner"][usize::from(role)]
}

pub fn named((source, target, contains): Ends) -> (String, String, bool) {
    (c(source), c(target), contains)
}

pub fn fields((source, target, contains): &(String, String, bool)) -> Value {
    json!({ "sourceId": source, "targetId": target, "typeId": if *contains { "contains" } else { "uses" } })
}

/// Sends the action. A restoration needs the key of the workspace, which is in the list of deleted ones.
pub async fn send(client: &TestClient<'_>, id: &str, action: &Action) -> Option<TestResponse> {
    let path = format!("/api/workspaces/{id}");
    let (components, relationships) = (format!("{path}/components"), format!("{path}/relationships"));
    Some(match action {
        Action::Create { id, name } => {
            let new = json!({ "id": c(*id), "typeId": "service", "name": format!("Name {name}"), "x": 0, "y": 0 });
            client.post(&components, new).await
        }
        Action::Patch { id, name, x } => {
            let mut change = Map::new();
            name.map(|name| change.insert("name".into(), format!("Name {name}").into()));
            x.map(|x| change.insert("x".into(), x.into()));
            client.patch(&format!("{components}/{}", c(*id)), change.into()).await
        }
        Action::Move(moves) => {
            let moves = moves.iter().map(|(id, x)| json!({ "id": c(*id), "x": x, "y": 0 })).collect();
            client.patch(&components, moves).await
        }
        Action::Delete { id } => client.delete(&format!("{components}/{}", c(*id))).await,
        Action::Relate { id, ends } => {
            let mut new = fields(&named(*ends));
            new["id"] = r(*id).into();
            client.post(&relationships, new).await
        }
        Action::PatchRelationship { id, ends } => {
            client.patch(&format!("{relationships}/{}", r(*id)), fields(&named(*ends))).await
        }
        Action::Unrelate { id } => client.delete(&format!("{relationships}/{}", r(*id))).await,
        Action::Link { id, to } => {
            client.post(&format!("{components}/{}/links", c(*id)), json!({ "url": address(*to) })).await
        }
        Action::Unlink { id } => delete_oldest(client, &format!("{components}/{}/links", c(*id)), "links").await,
        Action::Attach { id, role: as_what } => {
            let new = json!({ "personId": SOMEBODY, "linkType": role(*as_what) });
            client.post(&format!("{components}/{}/stakeholders", c(*id)), new).await
        }
        Action::Detach { id } => {
            delete_oldest(client, &format!("{components}/{}/stakeholders", c(*id)), "stakeholders").await
        }
        // With one participant, which is a component.
        Action::Tell { id, of } => {
            let (text, participants) = ("sequenceDiagram\n  A->>A: think", json!({ "A": c(*of) }));
            let new = json!({ "id": p(*id), "name": "Think", "mermaid": text, "participants": participants });
            client.post(&format!("{path}/processes"), new).await
        }
        Action::Retell { id, of } => {
            let change = json!({ "participants": { "A": c(*of) } });
            client.patch(&format!("{path}/processes/{}", p(*id)), change).await
        }
        Action::Forget { id } => client.delete(&format!("{path}/processes/{}", p(*id))).await,
        Action::Annotate { id, color: of } => {
            let new = json!({ "id": n(*id), "text": "Think", "color": color(*of), "x": 0, "y": 0 });
            client.post(&format!("{path}/notes"), new).await
        }
        Action::PatchNote { id, color: to } => {
            client.patch(&format!("{path}/notes/{}", n(*id)), json!({ "color": color(*to) })).await
        }
        Action::Unannotate { id } => client.delete(&format!("{path}/notes/{}", n(*id))).await,
        Action::Bulk { components, relationships } => {
            let components: Vec<_> = components
                .iter()
                .map(|(id, name)| {
                    json!({ "id": c(*id), "typeId": "service", "name": format!("Name {name}"), "x": 7, "y": 0 })
                })
                .collect();
            let relationships: Vec<_> = relationships
                .iter()
                .map(|(id, ends)| {
                    let mut row = fields(&named(*ends));
                    row["id"] = r(*id).into();
                    row
                })
                .collect();
            let body = json!({ "components": components, "relationships": relationships });
            client.put(&format!("{path}/bulk"), body).await
        }
        Action::Rename { name } => client.patch(&path, json!({ "name": format!("Name {name}") })).await,
        Action::DeleteWorkspace => client.delete(&path).await,
        Action::RestoreWorkspace => {
            let deleted = client.get("/api/workspaces?deleted=true").await.ok();
            let pk = deleted["workspaces"].as_array().unwrap().iter().find(|row| row["id"] == id)?["pk"].clone();
            client.post("/api/workspaces/restore", json!({ "pk": pk })).await
        }
    })
}

/// Deletes the first item of the list at `path`, or a missing one.
async fn delete_oldest(client: &TestClient<'_>, path: &str, list: &str) -> TestResponse {
    let reply = client.get(path).await;
    let oldest = if reply.status.is_success() { reply.json()[list][0]["id"].as_i64() } else { None };
    client.delete(&format!("{path}/{}", oldest.unwrap_or_default())).await
}
