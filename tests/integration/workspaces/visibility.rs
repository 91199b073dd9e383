//! Visibility of workspaces and access levels.

use serde_json::json;

use crate::support::{TestServer, ids};

#[tokio::test]
async fn the_list_is_in_order_of_creation_and_contains_visible_workspaces() {
    let server = TestServer::new().await;
    let bob = server.seed_member("bob", "acme", "org:member");
    server.seed_org("other", "olga");
    let (ada, client) = (server.sign_in("ada").await, server.sign_in("bob").await);
    for (id, visibility) in [("z-org", "org"), ("y-members", "members"), ("x-private", "private")] {
        ada.post("/api/workspaces", json!({ "id": id, "name": id, "visibility": visibility })).await.created();
    }
    client.post("/api/workspaces", json!({ "id": "a-own", "name": "A", "visibility": "private" })).await.created();
    let list = ada.get("/api/workspaces").await.ok();
    assert_eq!(ids(&list["workspaces"]), ["z-org", "y-members", "x-private"], "bob's is private, even from an admin");
    let list = client.get("/api/workspaces").await.ok();
    assert_eq!(ids(&list["workspaces"]), ["z-org", "a-own"]);
    assert_eq!(list["workspaces"][0]["myRole"], "viewer");
    assert_eq!(list["workspaces"][1]["myRole"], "owner");
    server.grant("x-private", bob, "editor");
    let list = client.get("/api/workspaces").await.ok();
    assert_eq!(ids(&list["workspaces"]), ["z-org", "x-private", "a-own"]);
    assert_eq!(list["workspaces"][1]["myRole"], "editor");
    assert_eq!(server.sign_in("olga").await.get("/api/workspaces").await.ok()["workspaces"], json!([]));
}

#[tokio::test]
async fn the_access_level_is_the_highest_of_membership_visibility_and_administration() {
    let server = TestServer::new().await;
    let bob = server.seed_member("bob", "acme", "org:member");
    let eve = server.seed_member("eve", "acme", "org:admin");
    let ada = server.sign_in("ada").await;
    // visibility, explicit level, level of an organization member, level of an organization admin
    let cases = [
        ("org", None, Some("viewer"), Some("owner")),
        ("org", Some("editor"), Some("editor"), Some("owner")),
        ("members", None, None, Some("owner")),
        ("members", Some("viewer"), Some("viewer"), Some("owner")),
        ("private", None, None, None),
        ("private", Some("viewer"), Some("viewer"), Some("viewer")),
        ("private", Some("owner"), Some("owner"), Some("owner")),
    ];
    for (index, (visibility, given, of_member, of_admin)) in cases.into_iter().enumerate() {
        let id = format!("w{index}");
        let path = format!("/api/workspaces/{id}");
        ada.post("/api/workspaces", json!({ "id": id, "name": id, "visibility": visibility })).await.created();
        for (login, user, expected) in [("bob", bob, of_member), ("eve", eve, of_admin)] {
            if let Some(level) = given {
                server.grant(&id, user, level);
            }
            let reply = server.sign_in(login).await.get(&path).await;
            match expected {
                Some(level) => assert_eq!(reply.ok()["workspace"]["myRole"], level, "{login}, {visibility}, {given:?}"),
                None => drop(reply.expect_error(404, "workspace not found")),
            }
        }
    }
}

#[tokio::test]
async fn a_workspace_of_another_organization_is_not_found() {
    let server = TestServer::new().await;
    server.seed_org("other", "olga");
    let (ada, olga) = (server.sign_in("ada").await, server.sign_in("olga").await);
    ada.create_workspace("w").await;
    ada.create_components("w", &["a"]).await;
    let before = server.log_sizes();
    let bulk = json!({ "workspace": { "name": "mine" }, "components": [], "relationships": [] });
    let new = json!({ "typeId": "api", "name": "N" });
    for reply in [
        olga.get("/api/workspaces/w").await,
        olga.patch("/api/workspaces/w", json!({ "name": "X" })).await,
        olga.delete("/api/workspaces/w").await,
        olga.put("/api/workspaces/w/bulk", bulk).await,
        olga.post("/api/workspaces/w/components", new).await,
        olga.get("/api/workspaces/w/components/a").await,
        olga.delete("/api/workspaces/w/components/a").await,
    ] {
        assert_eq!(reply.expect_error(404, "workspace not found"), json!({ "error": "workspace not found" }));
    }
    assert_eq!(server.log_sizes(), before);
}

#[tokio::test]
async fn an_instance_administrator_without_an_organization_can_read_all_and_write_nothing() {
    let server = TestServer::new().await;
    server.seed_user("root");
    server.sql(|conn| conn.execute("UPDATE user SET is_admin = 1 WHERE login = 'root'", []).unwrap());
    server.seed_org("other", "olga");
    server.sign_in("olga").await.create_workspace("theirs").await;
    let private = json!({ "id": "w", "name": "W", "visibility": "private" });
    server.sign_in("ada").await.post("/api/workspaces", private).await.created();
    let root = server.sign_in("root").await;
    let list = root.get("/api/workspaces").await.ok();
    assert_eq!(ids(&list["workspaces"]), ["theirs", "w"]);
    assert_eq!(list["workspaces"][0]["myRole"], json!(null));
    assert_eq!(root.bundle("w").await["workspace"]["myRole"], json!(null));
    let before = server.log_sizes();
    let bulk = json!({ "workspace": { "name": "B" }, "components": [], "relationships": [] });
    for reply in [
        root.post("/api/workspaces", json!({ "name": "X" })).await,
        root.patch("/api/workspaces/w", json!({ "name": "X" })).await,
        root.delete("/api/workspaces/w").await,
        root.put("/api/workspaces/w/bulk", bulk).await,
        root.post("/api/workspaces/w/components", json!({ "typeId": "api", "name": "N" })).await,
    ] {
        assert_eq!(reply.expect_error(400, "active organization")["code"], "no_active_org");
    }
    assert_eq!(server.log_sizes(), before);
}

#[tokio::test]
async fn an_instance_administrator_in_an_organization_is_an_ordinary_member() {
    let server = TestServer::new().await;
    server.seed_member("root", "acme", "org:member");
    server.sql(|conn| conn.execute("UPDATE user SET is_admin = 1 WHERE login = 'root'", []).unwrap());
    let ada = server.sign_in("ada").await;
    ada.post("/api/workspaces", json!({ "id": "w", "name": "W", "visibility": "members" })).await.created();
    let root = server.sign_in("root").await;
    root.get("/api/workspaces/w").await.expect_error(404, "workspace");
    assert_eq!(root.get("/api/workspaces").await.ok()["workspaces"], json!([]));
}

#[tokio::test]
async fn without_an_organization_there_are_no_workspaces() {
    let server = TestServer::new().await;
    server.seed_user("nomad");
    server.sign_in("ada").await.create_workspace("w").await;
    let nomad = server.sign_in("nomad").await;
    for reply in [
        nomad.get("/api/workspaces").await,
        nomad.get("/api/workspaces/w").await,
        nomad.post("/api/workspaces", json!({ "name": "N" })).await,
        nomad.post("/api/workspaces/restore", json!({ "pk": 1 })).await,
    ] {
        assert_eq!(reply.expect_error(400, "active organization")["code"], "no_active_org");
    }
}
