//! Stakeholders: who answers for which component, and as what.

mod attaching;
mod bundles;
mod surviving;
mod uses;

use serde_json::{Value, json};

use crate::support::{Actor, Stage};

/// Where the stakeholders of the component `a` are.
const OF_A: &str = "/api/workspaces/w/components/a/stakeholders";
const ALL: &str = "/api/workspaces/w/stakeholders";

impl Actor<'_> {
    /// Attaches the person `grace` to a component.
    async fn attach(&self, workspace: &str, component: &str, role: &str) -> Value {
        let path = format!("/api/workspaces/{workspace}/components/{component}/stakeholders");
        let new = json!({ "personId": "grace", "linkType": role });
        self.post(&path, new).await.created()["stakeholder"].clone()
    }
}

/// Ada, her workspace `w` with the components `a` and `b`, the person `grace` and the team `t`.
async fn known(stage: &Stage) -> Actor<'_> {
    let ada = stage.map().await;
    let grace = json!({ "id": "grace", "name": "Grace", "email": "g@x", "title": "Admiral" });
    ada.post("/api/people", grace).await.created();
    ada.post("/api/teams", json!({ "id": "t", "name": "Team T" })).await.created();
    ada
}
