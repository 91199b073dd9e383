//! Who sees which workspace, and as what.

use serde_json::json;

use crate::support::{Stage, ids};

#[tokio::test]
async fn the_list_is_in_order_of_creation_and_holds_what_the_caller_may_see() {
    let stage = Stage::new().await;
    let bob = stage.seed_member("bob", "acme", "org:member");
    stage.seed_org("other", "olga");
    let (ada, actor) = (stage.sign_in("ada").await, stage.sign_in("bob").await);
    for (id, visibility) in [("z-org", "org"), ("y-members", "members"), ("x-private", "private")] {
        ada.post("/api/workspaces", json!({ "id": id, "name": id, "visibility": visibility })).await.created();
    }
    actor.post("/api/workspaces", json!({ "id": "a-own", "name": "A", "visibility": "private" })).await.created();
    let list = ada.get("/api/workspaces").await.ok();
    assert_eq!(ids(&list["workspaces"]), ["z-org", "y-members", "x-private"], "bob's is private, even from an admin");
    let list = actor.get("/api/workspaces").await.ok();
    assert_eq!(ids(&list["workspaces"]), ["z-org", "a-own"]);
    assert_eq!(list["workspaces"][0]["myRole"], "viewer");
    assert_eq!(list["workspaces"][1]["myRole"], "owner");
    stage.grant("x-private", bob, "editor");
    let list = actor.get("/api/workspaces").await.ok();
    assert_eq!(ids(&list["workspaces"]), ["z-org", "x-private", "a-own"]);
    assert_eq!(list["workspaces"][1]["myRole"], "editor");
    assert_eq!(stage.sign_in("olga").await.get("/api/workspaces").await.ok()["workspaces"], json!([]));
}

#[tokio::test]
async fn ones_level_is_the_strongest_of_membership_visibility_and_administration() {
    let stage = Stage::new().await;
    let bob = stage.seed_member("bob", "acme", "org:member");
    let eve = stage.seed_member("eve", "acme", "org:admin");
    let ada = stage.sign_in("ada").await;
    // visibility, given level, then what a member and an admin of the organization have.
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
                stage.grant(&id, user, level);
            }
            let reply = stage.sign_in(login).await.get(&path).await;
            match expected {
                Some(level) => assert_eq!(reply.ok()["workspace"]["myRole"], level, "{login}, {visibility}, {given:?}"),
                None => drop(reply.refused(404, "workspace not found")),
            }
        }
    }
}

#[tokio::test]
async fn a_workspace_of_another_organization_does_not_exist() {
    let stage = Stage::new().await;
    stage.seed_org("other", "olga");
    let (ada, olga) = (stage.sign_in("ada").await, stage.sign_in("olga").await);
    ada.found("w").await;
    ada.draw("w", &["a"]).await;
    let before = stage.written();
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
        assert_eq!(reply.refused(404, "workspace not found"), json!({ "error": "workspace not found" }));
    }
    assert_eq!(stage.written(), before);
}

#[tokio::test]
async fn an_instance_administrator_without_an_organization_reads_all_and_writes_nothing() {
    let stage = Stage::new().await;
    stage.seed_user("root");
    stage.sql(|conn| conn.execute("UPDATE user SET is_admin = 1 WHERE login = 'root'", []).unwrap());
    stage.seed_org("other", "olga");
    stage.sign_in("olga").await.found("theirs").await;
    let private = json!({ "id": "w", "name": "W", "visibility": "private" });
    stage.sign_in("ada").await.post("/api/workspaces", private).await.created();
    let root = stage.sign_in("root").await;
    let list = root.get("/api/workspaces").await.ok();
    assert_eq!(ids(&list["workspaces"]), ["theirs", "w"]);
    assert_eq!(list["workspaces"][0]["myRole"], json!(null));
    assert_eq!(root.bundle("w").await["workspace"]["myRole"], json!(null));
    let before = stage.written();
    let bulk = json!({ "workspace": { "name": "B" }, "components": [], "relationships": [] });
    for reply in [
        root.post("/api/workspaces", json!({ "name": "X" })).await,
        root.patch("/api/workspaces/w", json!({ "name": "X" })).await,
        root.delete("/api/workspaces/w").await,
        root.put("/api/workspaces/w/bulk", bulk).await,
        root.post("/api/workspaces/w/components", json!({ "typeId": "api", "name": "N" })).await,
    ] {
        assert_eq!(reply.refused(400, "active organization")["code"], "no_active_org");
    }
    assert_eq!(stage.written(), before);
}

#[tokio::test]
async fn an_instance_administrator_in_an_organization_is_no_more_than_a_member_there() {
    let stage = Stage::new().await;
    stage.seed_member("root", "acme", "org:member");
    stage.sql(|conn| conn.execute("UPDATE user SET is_admin = 1 WHERE login = 'root'", []).unwrap());
    let ada = stage.sign_in("ada").await;
    ada.post("/api/workspaces", json!({ "id": "w", "name": "W", "visibility": "members" })).await.created();
    let root = stage.sign_in("root").await;
    root.get("/api/workspaces/w").await.refused(404, "workspace");
    assert_eq!(root.get("/api/workspaces").await.ok()["workspaces"], json!([]));
}

#[tokio::test]
async fn without_an_organization_there_are_no_workspaces() {
    let stage = Stage::new().await;
    stage.seed_user("nomad");
    stage.sign_in("ada").await.found("w").await;
    let nomad = stage.sign_in("nomad").await;
    for reply in [
        nomad.get("/api/workspaces").await,
        nomad.get("/api/workspaces/w").await,
        nomad.post("/api/workspaces", json!({ "name": "N" })).await,
        nomad.post("/api/workspaces/restore", json!({ "pk": 1 })).await,
    ] {
        assert_eq!(reply.refused(400, "active organization")["code"], "no_active_org");
    }
}
