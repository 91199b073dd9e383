//! Stakeholders of components and their roles.

mod attaching;
mod bundles;
mod deletion;
mod uses;

use serde_json::{Value, json};

use crate::support::{TestClient, TestServer};

/// Path of the stakeholders of the component `a`.
const OF_A: &str = "/api/workspaces/w/components/a/stakeholders";
const ALL: &str = "/api/workspaces/w/stakeholders";

impl TestClient<'_> {
    /// Attaches the person `grace` to a component.
    async fn attach(&self, workspace: &str, component: &str, role: &str) -> Value {
        let path = format!("/api/workspaces/{workspace}/components/{component}/stakeholders");
        let new = json!({ "personId": "grace", "linkType": role });
        self.post(&path, new).await.created()["stakeholder"].clone()
    }
}

/// Ada, her workspace `w` with the components `a` and `b`, the person `grace` and the team `t`.
async fn with_directory(server: &TestServer) -> TestClient<'_> {
    let ada = server.seed_map().await;
    let grace = json!({ "id": "grace", "name": "Grace", "email": "g@x", "title": "Admiral" });
    ada.post("/api/people", grace).await.created();
    ada.post("/api/teams", json!({ "id": "t", "name": "Team T" })).await.created();
    ada
}
