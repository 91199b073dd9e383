//! What members of the organization can do in a workspace: `organizationAccess`.

use serde_json::{Value, json};

use crate::support::{TestClient, TestServer};

const W: &str = "/api/workspaces/w";
const A: &str = "/api/workspaces/w/components/a";

/// The map, which every member of the organization can edit, and bob, who is only a member of the organization.
async fn open_map(server: &TestServer) -> (TestClient<'_>, TestClient<'_>, i64) {
    let bob = server.seed_member("bob", "acme", "org:member");
    let ada = server.seed_map().await;
    open(&ada, "edit").await;
    (ada, server.sign_in("bob").await, bob)
}

async fn open(owner: &TestClient<'_>, access: &str) -> Value {
    owner.patch(W, json!({ "organizationAccess": access })).await.ok()["workspace"].clone()
}

async fn role(client: &TestClient<'_>) -> Value {
    client.bundle("w").await["workspace"]["myRole"].clone()
}

#[tokio::test]
async fn members_of_the_organization_can_only_view_unless_an_owner_decides_otherwise() {
    let server = TestServer::new().await;
    server.seed_member("bob", "acme", "org:member");
    let (ada, bob) = (server.sign_in("ada").await, server.sign_in("bob").await);
    assert_eq!(ada.create_workspace("w").await["organizationAccess"], "view");
    bob.patch(W, json!({ "name": "X" })).await.expect_error(403, "editor");
    let new = json!({ "id": "open", "name": "Open", "organizationAccess": "edit" });
    assert_eq!(ada.post("/api/workspaces", new).await.created()["workspace"]["organizationAccess"], "edit");
    bob.patch("/api/workspaces/open", json!({ "name": "X" })).await.ok();
    let new = json!({ "id": "sample", "name": "Sample", "organizationAccess": "edit", "sample": true });
    assert_eq!(ada.post("/api/workspaces", new).await.created()["workspace"]["organizationAccess"], "edit");
    let list = bob.get("/api/workspaces").await.ok()["workspaces"].clone();
    let roles: Vec<_> = list.as_array().unwrap().iter().map(|w| (&w["id"], &w["myRole"])).collect();
    let expected = [("w", "viewer"), ("open", "editor"), ("sample", "editor")];
    assert_eq!(
        roles,
        expected.map(|(id, role)| (json!(id), json!(role))).iter().map(|(a, b)| (a, b)).collect::<Vec<_>>()
    );
    for wrong in ["owner", "", "EDIT"] {
        ada.patch(W, json!({ "organizationAccess": wrong })).await.expect_error(400, "organizationAccess");
    }
}

#[tokio::test]
async fn only_owners_change_what_the_organization_can_do() {
    let server = TestServer::new().await;
    let (ada, bob, _) = open_map(&server).await;
    let ed = server.seed_member("ed", "acme", "org:member");
    server.grant("w", ed, "editor");
    let ed = server.sign_in("ed").await;
    for editor in [&bob, &ed] {
        let both = json!({ "name": "Renamed", "organizationAccess": "view" });
        editor.patch(W, both).await.expect_error(403, "owner");
        let back = json!({ "name": "w", "visibility": "org", "organizationAccess": "edit" });
        editor.patch(W, back).await.ok();
    }
    let operation = json!({ "op": "update", "kind": "workspace", "fields": { "organizationAccess": "view" } });
    ada.post(&format!("{W}/operations"), json!({ "operations": [operation] })).await.expect_error(400, "no such field");
    let own = ada.bundle("w").await["workspace"].clone();
    assert_eq!((&own["name"], &own["organizationAccess"]), (&json!("w"), &json!("edit")), "all or nothing");
    let both = json!({ "visibility": "members", "organizationAccess": "view" });
    let changed = ada.patch(W, both).await.ok()["workspace"].clone();
    assert_eq!((&changed["visibility"], &changed["organizationAccess"]), (&json!("members"), &json!("view")));
}

#[tokio::test]
async fn the_access_of_the_organization_only_matters_while_the_visibility_is_org() {
    let server = TestServer::new().await;
    let (ada, bob, user) = open_map(&server).await;
    // visibility, explicit level, level of a member of the organization
    let cases = [
        ("org", None, Some("editor")),
        ("org", Some("viewer"), Some("editor")),
        ("org", Some("editor"), Some("editor")),
        ("org", Some("owner"), Some("owner")),
        ("members", None, None),
        ("members", Some("viewer"), Some("viewer")),
        ("private", None, None),
        ("private", Some("viewer"), Some("viewer")),
    ];
    for (visibility, level, expected) in cases {
        server.sql(|conn| conn.execute("DELETE FROM workspace_member WHERE user_id = ?", [user]).unwrap());
        if let Some(level) = level {
            server.grant("w", user, level);
        }
        let own = ada.patch(W, json!({ "visibility": visibility })).await.ok();
        assert_eq!(own["workspace"]["organizationAccess"], "edit", "it is kept");
        let reply = bob.get(W).await;
        match expected {
            Some(role) => assert_eq!(reply.ok()["workspace"]["myRole"], role, "{visibility} {level:?}"),
            None => drop(reply.expect_error(404, "workspace")),
        }
    }
    // Users of other organizations see nothing.
    server.seed_org("other", "olga");
    ada.patch(W, json!({ "visibility": "org" })).await.ok();
    server.sign_in("olga").await.get(W).await.expect_error(404, "workspace");
    server.sign_in("olga").await.patch(W, json!({ "name": "X" })).await.expect_error(404, "workspace");
}

#[tokio::test]
async fn an_editor_through_the_organization_edits_the_map_and_nothing_that_belongs_to_owners() {
    let server = TestServer::new().await;
    let (ada, bob, user) = open_map(&server).await;
    assert_eq!(role(&bob).await, "editor");
    assert_eq!(bob.get(&format!("{W}/members")).await.ok()["myRole"], "editor");
    bob.create_components("w", &["c"]).await;
    bob.create_relationship("w", "ca", "c", "calls", "a").await;
    bob.patch(A, json!({ "name": "Anew" })).await.ok();
    let row = json!({ "typeId": "service", "name": "D" });
    let operations = json!({ "operations": [{ "op": "create", "kind": "component", "row": row }] });
    bob.post(&format!("{W}/operations"), operations).await.ok();
    bob.post(&format!("{W}/versions"), json!({ "name": "V" })).await.created();
    bob.post(&format!("{W}/presence"), json!({ "client": "tab" })).await.ok();
    for refused in [
        bob.delete(W).await,
        bob.patch(W, json!({ "visibility": "private" })).await,
        bob.patch(W, json!({ "organizationAccess": "view" })).await,
        bob.post(&format!("{W}/members"), json!({ "userId": user, "role": "owner" })).await,
        bob.get(&format!("{W}/members/candidates")).await,
        bob.delete(&format!("{W}/members/1")).await,
    ] {
        refused.expect_error(403, "owner");
    }
    assert_eq!(ada.get(&format!("{W}/members")).await.ok()["members"].as_array().unwrap().len(), 1, "bob is no member");
}

#[tokio::test]
async fn access_ends_with_the_next_request_for_every_credential() {
    let server = TestServer::new().await;
    let (ada, bob, _) = open_map(&server).await;
    let script = server.script_client("bob").await;
    let mut follower = bob.follow("w", "").await;
    for (client, name) in [(&bob, "By bob"), (&script, "By a script")] {
        client.patch(A, json!({ "name": name })).await.ok();
        assert_eq!(follower.next_event().await.what(), "update component a");
    }
    open(&ada, "view").await;
    let event = follower.next_event().await;
    assert_eq!(
        (event.what().as_str(), &event.data["row"]["organizationAccess"]),
        ("update workspace w", &json!("view"))
    );
    for client in [&bob, &script] {
        client.patch(A, json!({ "name": "X" })).await.expect_error(403, "editor");
        assert_eq!(role(client).await, "viewer");
    }
    // A viewer may still follow.
    ada.patch(A, json!({ "name": "By ada" })).await.ok();
    assert_eq!(follower.next_event().await.data["row"]["name"], "By ada");
    ada.patch(W, json!({ "visibility": "members", "organizationAccess": "edit" })).await.ok();
    follower.expect_end().await;
    for client in [&bob, &script] {
        client.patch(A, json!({ "name": "X" })).await.expect_error(404, "workspace");
    }
    // A key of a request that succeeded does not return its response to a viewer.
    ada.patch(W, json!({ "visibility": "org" })).await.ok();
    let keyed = bob.header("idempotency-key", "k");
    let new = json!({ "id": "c", "typeId": "service", "name": "C" });
    keyed.post(&format!("{W}/components"), new.clone()).await.created();
    open(&ada, "view").await;
    keyed.post(&format!("{W}/components"), new).await.expect_error(403, "editor");
}

#[tokio::test]
async fn demotion_and_removal_leave_what_the_organization_gives() {
    let server = TestServer::new().await;
    let (ada, bob, user) = open_map(&server).await;
    let members = format!("{W}/members");
    ada.post(&members, json!({ "userId": user, "role": "owner" })).await.ok();
    assert_eq!(role(&bob).await, "owner");
    ada.patch(&format!("{members}/{user}"), json!({ "role": "viewer" })).await.ok();
    assert_eq!(role(&bob).await, "editor");
    ada.delete(&format!("{members}/{user}")).await.ok();
    assert_eq!(role(&bob).await, "editor");
    let acme = ada.get("/api/me").await.ok()["session"]["orgId"].as_str().unwrap().to_owned();
    let in_organization = format!("/api/orgs/{acme}/members/{user}");
    ada.patch(&in_organization, json!({ "role": "org:admin" })).await.ok();
    assert_eq!(role(&bob).await, "owner");
    ada.patch(&in_organization, json!({ "role": "org:member" })).await.ok();
    assert_eq!(role(&bob).await, "editor");
    let mut follower = bob.follow("w", "").await;
    ada.delete(&in_organization).await.ok();
    follower.expect_end().await;
    bob.patch(A, json!({ "name": "X" })).await.expect_error(401, "member");
}

#[tokio::test]
async fn the_history_shows_what_the_organization_could_do_and_owners_undo_it() {
    let server = TestServer::new().await;
    let (ada, bob, user) = open_map(&server).await;
    let opened = ada.revision("w").await;
    let changes = ada.get(&format!("{W}/history?entity=workspace")).await.ok()["changes"].clone();
    assert_eq!(changes[0]["fields"], json!(["organizationAccess"]));
    let now = ada.header("x-batch-id", "close").patch(W, json!({ "organizationAccess": "view" })).await.ok();
    assert_eq!(now["workspace"]["organizationAccess"], "view");
    let closed = now["changeSetId"].clone();
    let again = ada.patch(W, json!({ "organizationAccess": "view" })).await.ok();
    assert_eq!(again["changeSetId"], Value::Null, "nothing changed");
    for (at, access) in [(opened - 1, "view"), (opened, "edit"), (opened + 1, "view")] {
        let then = bob.get(&format!("{W}?at={at}")).await.ok()["workspace"].clone();
        assert_eq!((&then["organizationAccess"], &then["myRole"]), (&json!(access), &json!("viewer")), "at {at}");
    }
    let difference = ada.get(&format!("{W}/history/difference?from={}&to={opened}", opened - 1)).await.ok();
    assert_eq!(difference["workspace"], json!({ "organizationAccess": { "from": "view", "to": "edit" } }));

    // A restore changes the map, and not who can edit it.
    let restored = ada.post(&format!("{W}/history/restore"), json!({ "revision": opened })).await.ok();
    assert_eq!(restored["rows"], 0);
    assert_eq!(ada.bundle("w").await["workspace"]["organizationAccess"], "view");

    let undo = |batch: &str| json!({ "batchId": batch });
    server.grant("w", user, "owner");
    bob.post(&format!("{W}/undo"), undo("close")).await.expect_error(403, "only your own changes");
    let undone = ada.post(&format!("{W}/undo"), json!({ "changeSetId": closed })).await.ok();
    assert_eq!(undone["undoOf"], closed);
    assert_eq!(ada.bundle("w").await["workspace"]["organizationAccess"], "edit");
    bob.header("x-batch-id", "his").patch(W, json!({ "organizationAccess": "view" })).await.ok();
    server.grant("w", user, "editor");
    bob.post(&format!("{W}/undo"), undo("his")).await.expect_error(403, "owner");
    assert_eq!(ada.bundle("w").await["workspace"]["organizationAccess"], "view");
}

#[tokio::test]
async fn changes_of_others_can_not_be_undone_with_edit_access() {
    let server = TestServer::new().await;
    let (ada, bob, _) = open_map(&server).await;
    ada.header("x-batch-id", "hers").patch(A, json!({ "name": "Hers" })).await.ok();
    bob.header("x-batch-id", "his").patch(A, json!({ "description": "His" })).await.ok();
    let path = format!("{W}/undo");
    bob.post(&path, json!({ "batchId": "hers" })).await.expect_error(403, "only your own changes");
    open(&ada, "view").await;
    bob.post(&path, json!({ "batchId": "his" })).await.expect_error(403, "editor");
    open(&ada, "edit").await;
    bob.post(&path, json!({ "batchId": "his" })).await.ok();
    assert_eq!(ada.get(A).await.ok()["component"]["name"], "Hers");
}

#[tokio::test]
async fn a_deleted_workspace_is_restored_by_owners_with_its_access() {
    let server = TestServer::new().await;
    let (ada, bob, _) = open_map(&server).await;
    ada.delete(W).await.ok();
    assert_eq!(bob.get("/api/workspaces?deleted=true").await.ok()["workspaces"], json!([]));
    bob.post("/api/workspaces/restore", json!({ "pk": 1 })).await.expect_error(403, "owner");
    let restored = ada.post("/api/workspaces/restore", json!({ "pk": 1 })).await.ok();
    assert_eq!(restored["workspace"]["organizationAccess"], "edit");
    bob.patch(A, json!({ "name": "X" })).await.ok();
}
