//! Lists in pages: every list takes `limit` and `cursor`, and is whole without them.

use serde_json::{Value, json};

use crate::support::{Actor, Stage};

/// All pages of a list, one item a page.
async fn pages(actor: &Actor<'_>, path: &str, field: &str) -> Vec<Value> {
    let (mut items, mut cursor) = (Vec::new(), None::<String>);
    loop {
        let joint = if path.contains('?') { '&' } else { '?' };
        let from = cursor.map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
        let page = actor.get(&format!("{path}{joint}limit=1{from}")).await.ok();
        let found = page[field].as_array().unwrap();
        assert!(found.len() <= 1, "{path}");
        items.extend(found.iter().cloned());
        cursor = page["nextCursor"].as_str().map(str::to_owned);
        if cursor.is_none() {
            return items;
        }
    }
}

#[tokio::test]
async fn every_list_is_read_in_pages() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    stage.seed_member("bob", "acme", "org:member");
    let org = ada.get("/api/me").await.ok()["session"]["orgId"].as_str().unwrap().to_owned();
    stage.hang_on("w", "a");
    for name in ["Ann", "Ben"] {
        ada.post("/api/people", json!({ "id": name.to_lowercase(), "name": name })).await.created();
        ada.post("/api/teams", json!({ "id": name.to_lowercase(), "name": name })).await.created();
        ada.post("/api/me/tokens", json!({ "name": name })).await.created();
        ada.post("/api/workspaces/w/versions", json!({ "name": name })).await.created();
        ada.post(&format!("/api/orgs/{org}/invitations"), json!({ "role": "org:member" })).await.created();
        ada.post("/api/workspaces", json!({ "name": name })).await.created();
        let process = json!({ "name": name, "mermaid": "sequenceDiagram\n  A->>A: x", "participants": { "A": "a" } });
        ada.post("/api/workspaces/w/processes", process).await.created();
        let holder = json!({ "personId": name.to_lowercase(), "linkType": "owner" });
        ada.post("/api/workspaces/w/components/a/stakeholders", holder).await.created();
        let member = json!({ "personId": name.to_lowercase() });
        ada.post("/api/teams/ann/members", member).await.created();
        stage.sign_in("ada").await;
    }
    for (path, field) in [
        ("/api/people", "people"),
        ("/api/teams", "teams"),
        ("/api/teams/ann/members", "members"),
        ("/api/workspaces/w/stakeholders", "stakeholders"),
        ("/api/workspaces/w/components/a/stakeholders", "stakeholders"),
        ("/api/workspaces/w/processes", "processes"),
        ("/api/workspaces/w/versions", "versions"),
        ("/api/workspaces", "workspaces"),
        (&format!("/api/orgs/{org}/members"), "members"),
        (&format!("/api/orgs/{org}/invitations"), "invitations"),
        ("/api/admin/users", "users"),
        ("/api/admin/tokens", "tokens"),
        ("/api/me/tokens", "tokens"),
        ("/api/me/sessions", "sessions"),
    ] {
        let whole = ada.get(path).await.ok();
        assert!(whole["nextCursor"].is_null(), "{path}");
        let whole = whole[field].as_array().unwrap().clone();
        assert!(whole.len() > 1, "{path} has {}", whole.len());
        assert_eq!(pages(&ada, path, field).await, whole, "{path}");
        ada.get(&format!("{path}?limit=0")).await.refused(400, "limit: must be 1 to 1000");
        ada.get(&format!("{path}?cursor=x")).await.refused(400, "limit: is required with `cursor`");
        ada.get(&format!("{path}?limit=1&cursor=x")).await.refused(400, "cursor: must be the `nextCursor`");
    }
}
