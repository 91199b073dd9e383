//! Random requests that change the decisions of a workspace.

use proptest::prelude::*;
use serde_json::json;

use super::actions::c;
use crate::support::{TestClient, TestResponse};

/// One request. IDs come from small pools so that they collide.
#[derive(Debug, Clone)]
pub enum DecisionAction {
    Create { id: u8, about: u8, replaces: u8 },
    Patch { id: u8, about: u8, replaces: u8 },
    Accept { id: u8 },
    Delete { id: u8 },
}

pub fn decision_action() -> impl Strategy<Value = DecisionAction> {
    let (d, component) = (|| 0..4_u8, || 0..6_u8);
    prop_oneof![
        4 => (d(), component(), d()).prop_map(|(id, about, replaces)| DecisionAction::Create { id, about, replaces }),
        3 => (d(), component(), d()).prop_map(|(id, about, replaces)| DecisionAction::Patch { id, about, replaces }),
        2 => d().prop_map(|id| DecisionAction::Accept { id }),
        2 => d().prop_map(|id| DecisionAction::Delete { id }),
    ]
}

fn decision(id: u8) -> String {
    format!("decision-{id}")
}

/// Sends the action. Many are rejected, because what they refer to does not exist.
pub async fn send_to_decisions(client: &TestClient<'_>, id: &str, action: &DecisionAction) -> TestResponse {
    let path = format!("/api/workspaces/{id}/decisions");
    let one = |id: u8| format!("{path}/{}", decision(id));
    // The first decision of the pool replaces none.
    let replaced = |id: u8, replaces: u8| if id == 0 { json!([]) } else { json!([decision(replaces)]) };
    match *action {
        DecisionAction::Create { id, about, replaces } => {
            let new = json!({ "id": decision(id), "title": format!("Decision {about}"), "componentIds": [c(about)],
                              "supersedes": replaced(id, replaces), "authors": ["Ada"] });
            client.post(&path, new).await
        }
        DecisionAction::Patch { id, about, replaces } => {
            let change = json!({ "title": format!("Decision {about}"), "componentIds": [c(about), c(0)],
                                 "supersedes": replaced(id, replaces), "body": format!("About #{}", c(about)) });
            client.patch(&one(id), change).await
        }
        DecisionAction::Accept { id } => client.patch(&one(id), json!({ "status": "accepted" })).await,
        DecisionAction::Delete { id } => client.delete(&one(id)).await,
    }
}
