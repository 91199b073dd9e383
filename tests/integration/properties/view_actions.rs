//! Random requests that change the views and tours of a workspace.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::actions::{c, r};
use crate::support::{TestClient, TestResponse};

/// One request. IDs come from small pools so that they collide.
#[derive(Debug, Clone)]
pub enum ViewAction {
    Create { id: u8, of: u8, own: bool },
    Patch { id: u8, of: u8, own: bool },
    Delete { id: u8 },
    Place { id: u8, component: u8, x: i16 },
    Bend { id: u8, relationship: u8, bend: i16 },
    Tour { id: u8, view: u8 },
    PatchTour { id: u8, view: u8 },
    DeleteTour { id: u8 },
}

pub fn view_action() -> impl Strategy<Value = ViewAction> {
    let (v, c, x, own) = (|| 0..3_u8, || 0..6_u8, || -99..99_i16, || prop::bool::weighted(0.7));
    prop_oneof![
        6 => (v(), c(), own()).prop_map(|(id, of, own)| ViewAction::Create { id, of, own }),
        3 => (v(), c(), own()).prop_map(|(id, of, own)| ViewAction::Patch { id, of, own }),
        1 => v().prop_map(|id| ViewAction::Delete { id }),
        6 => (v(), c(), x()).prop_map(|(id, component, x)| ViewAction::Place { id, component, x }),
        6 => (v(), 0..5_u8, x()).prop_map(|(id, relationship, bend)| ViewAction::Bend { id, relationship, bend }),
        2 => (v(), v()).prop_map(|(id, view)| ViewAction::Tour { id, view }),
        1 => (v(), v()).prop_map(|(id, view)| ViewAction::PatchTour { id, view }),
        1 => v().prop_map(|id| ViewAction::DeleteTour { id }),
    ]
}

fn view(id: u8) -> String {
    format!("view-{id}")
}

fn tour(id: u8) -> String {
    format!("tour-{id}")
}

fn layout(own: bool) -> &'static str {
    if own { "own" } else { "shared" }
}

fn definition(of: u8) -> Value {
    match of {
        0 => json!({}),
        of => json!({ "include": [{ "ids": [c(of), c(0)] }], "outside": "stubs" }),
    }
}

fn stops(of: u8) -> Value {
    json!([{ "target": { "viewId": view(of) } }])
}

/// Sends the action. Many are rejected, because what they change does not exist.
pub async fn send_to_views(client: &TestClient<'_>, id: &str, action: &ViewAction) -> TestResponse {
    let path = |rest: &str| format!("/api/workspaces/{id}/{rest}");
    let operate = async |operation: Value| client.post(&path("operations"), json!({ "operations": [operation] })).await;
    match *action {
        ViewAction::Create { id, of, own } => {
            let new = json!({ "id": view(id), "name": "View", "definition": definition(of), "layout": layout(own) });
            client.post(&path("views"), new).await
        }
        ViewAction::Patch { id, of, own } => {
            let change = json!({ "name": format!("View {of}"), "definition": definition(of), "layout": layout(own) });
            client.patch(&path(&format!("views/{}", view(id))), change).await
        }
        ViewAction::Delete { id } => client.delete(&path(&format!("views/{}", view(id)))).await,
        ViewAction::Place { id, component, x } => {
            let positions = json!([{ "id": c(component), "x": x, "y": 0 }]);
            operate(json!({ "op": "move", "viewId": view(id), "positions": positions })).await
        }
        ViewAction::Bend { id, relationship, bend } => {
            let row = json!({ "viewId": view(id), "relationshipId": r(relationship), "line": { "via": [[bend, 0]] } });
            operate(json!({ "op": "put", "kind": "view-line", "row": row })).await
        }
        ViewAction::Tour { id, view: of } => {
            client.post(&path("tours"), json!({ "id": tour(id), "name": "Tour", "stops": stops(of) })).await
        }
        ViewAction::PatchTour { id, view: of } => {
            client.patch(&path(&format!("tours/{}", tour(id))), json!({ "stops": stops(of) })).await
        }
        ViewAction::DeleteTour { id } => client.delete(&path(&format!("tours/{}", tour(id)))).await,
    }
}
