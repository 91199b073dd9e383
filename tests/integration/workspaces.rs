//! Workspaces: who sees which, who founds, changes, deletes and restores them.

use planroom::clock::{DAY, MINUTE};
use serde_json::json;

use crate::support::{Stage, ids, segment};

#[tokio::test]
async fn whoever_founds_a_workspace_owns_it() {
    let stage = Stage::new().await;
    let bob = stage.seed_member("bob", "acme", "org:member");
    let actor = stage.sign_in("bob").await;
    let new = json!({ "id": "shop", "name": " Web shop ", "description": "", "properties": { "tags": ["b", "a"] },
                      "visibility": "members" });
    let workspace = actor.post("/api/workspaces", new).await.created()["workspace"].clone();
    assert_eq!(workspace["id"], "shop");
    assert_eq!(workspace["name"], "Web shop", "names are trimmed");
    assert_eq!(workspace["description"], "", "an empty text is a value");
    assert_eq!(workspace["properties"], json!({ "tags": ["b", "a"] }));
    assert_eq!(workspace["visibility"], "members");
    assert_eq!((&workspace["ownerUserId"], &workspace["createdBy"]), (&json!(bob), &json!(bob)));
    assert_eq!(workspace["myRole"], "owner");
    assert_eq!(workspace["revision"], 1);
    assert_eq!(workspace["createdAt"], workspace["updatedAt"]);
    assert!(stage.clock.now() - workspace["createdAt"].as_i64().unwrap() < MINUTE, "times are Unix milliseconds");
    assert_eq!(actor.bundle("shop").await["workspace"], workspace);
}

#[tokio::test]
async fn a_name_is_all_that_a_new_workspace_needs() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let name = json!({ "name": "Web shop", "id": null, "description": null, "visibility": null, "properties": null });
    let first = ada.post("/api/workspaces", name.clone()).await.created()["workspace"].clone();
    assert_eq!((&first["id"], &first["visibility"]), (&json!("web-shop"), &json!("org")));
    assert_eq!(first["properties"], json!({}));
    assert!(first.get("description").is_none(), "what was never set is left out");
    let second = ada.post("/api/workspaces", name).await.created()["workspace"].clone();
    assert_eq!(second["id"], "web-shop-2");
    let named = ada.post("/api/workspaces", json!({ "name": "???" })).await.created()["workspace"].clone();
    assert!(!named["id"].as_str().unwrap().is_empty());
}

#[tokio::test]
async fn a_workspace_is_bound_to_the_organization_of_its_founder() {
    let stage = Stage::new().await;
    stage.seed_org("other", "olga");
    let ada = stage.sign_in("ada").await;
    let org = ada.found("w").await["orgId"].as_str().unwrap().to_owned();
    assert_eq!(org, ada.get("/api/me").await.ok()["session"]["orgId"]);
    let own = json!({ "id": "v", "name": "V", "orgId": org });
    ada.post("/api/workspaces", own).await.created();
    let theirs = json!({ "id": "u", "name": "U", "orgId": "org_other" });
    assert_eq!(ada.post("/api/workspaces", theirs).await.refused(400, "orgId")["field"], "orgId");
    ada.patch("/api/workspaces/w", json!({ "orgId": "org_other" })).await.refused(400, "cannot change");
    ada.patch("/api/workspaces/w", json!({ "orgId": org })).await.ok();
}

#[tokio::test]
async fn an_id_is_taken_once_in_the_whole_instance() {
    let stage = Stage::new().await;
    stage.seed_org("other", "olga");
    let (ada, olga) = (stage.sign_in("ada").await, stage.sign_in("olga").await);
    ada.found("w").await;
    ada.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.refused(409, "`w` exists already");
    olga.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.refused(409, "`w` exists already");
    olga.found("W").await; // ids are compared as they are written
}

#[tokio::test]
async fn an_id_can_be_any_line_and_is_percent_encoded_in_a_path() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    for id in ["team/api", "libstdc++6", "100%", "a b", "заказ", "...", "?x=1", "#", "a%2Fb", &"x".repeat(128)] {
        ada.found(id).await;
        let path = format!("/api/workspaces/{}", segment(id));
        assert_eq!(ada.get(&path).await.ok()["workspace"]["id"], id);
        ada.patch(&path, json!({ "name": "Renamed" })).await.ok();
        ada.delete(&path).await.ok();
    }
}

/// The path of restoration must not hide a workspace.
#[tokio::test]
async fn no_workspace_can_have_an_id_that_its_path_cannot_name() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    ada.post("/api/workspaces", json!({ "id": "restore", "name": "R" })).await.refused(400, "id: ");
    let bulk = json!({ "workspace": { "name": "R" }, "components": [], "relationships": [] });
    ada.put("/api/workspaces/restore/bulk", bulk).await.refused(400, "id: ");
    let named = ada.post("/api/workspaces", json!({ "name": "Restore" })).await.created()["workspace"].clone();
    ada.bundle(named["id"].as_str().unwrap()).await;
    ada.found("w").await;
    ada.delete("/api/workspaces/w").await.ok();
    ada.post("/api/workspaces/restore", json!({ "pk": 2, "id": "restore" })).await.refused(400, "id: ");
}

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
async fn a_patch_changes_what_it_names_and_replaces_properties_whole() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let new = json!({ "id": "w", "name": "W", "description": "D", "properties": { "a": 1, "b": { "c": 2 } } });
    let before = ada.post("/api/workspaces", new).await.created()["workspace"].clone();
    stage.clock.advance(MINUTE);
    let patched = ada.patch("/api/workspaces/w", json!({ "properties": { "b": {} }, "name": null })).await.ok();
    let after = &patched["workspace"];
    assert_eq!(after["properties"], json!({ "b": {} }));
    assert_eq!((&after["name"], &after["description"]), (&json!("W"), &json!("D")));
    assert_eq!(after["revision"], 2);
    assert_eq!(after["createdAt"], before["createdAt"]);
    assert!(after["updatedAt"].as_i64() >= before["updatedAt"].as_i64().map(|at| at + MINUTE));
    let emptied = ada.patch("/api/workspaces/w", json!({ "description": "" })).await.ok();
    assert_eq!(emptied["workspace"]["description"], "");
    assert_eq!(ada.bundle("w").await["workspace"], emptied["workspace"]);
}

#[tokio::test]
async fn what_was_read_can_be_sent_back_and_changes_nothing() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    ada.found("w").await;
    let read = ada.bundle("w").await["workspace"].clone();
    let before = stage.written();
    assert_eq!(ada.patch("/api/workspaces/w", read.clone()).await.ok()["workspace"], read);
    let listed = ada.get("/api/workspaces").await.ok()["workspaces"][0].clone();
    assert_eq!(ada.patch("/api/workspaces/w", listed).await.ok()["workspace"], read);
    assert_eq!(ada.patch("/api/workspaces/w", json!({})).await.ok()["workspace"], read);
    assert_eq!(stage.written(), before, "and nothing was written down");
    ada.patch("/api/workspaces/w", json!({ "id": "v" })).await.refused(400, "id: cannot change; it is `w`");
}

#[tokio::test]
async fn read_only_fields_are_ignored_not_obeyed() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let forged = json!({ "id": "w", "name": "W", "ownerUserId": 99, "revision": 99, "createdAt": 1, "createdBy": 99,
                         "updatedAt": 1, "updatedBy": 99, "myRole": "viewer", "pk": 99, "deletedAt": 1 });
    let workspace = ada.post("/api/workspaces", forged.clone()).await.created()["workspace"].clone();
    assert_eq!((&workspace["ownerUserId"], &workspace["revision"]), (&json!(1), &json!(1)));
    assert!(workspace["createdAt"].as_i64().unwrap() > 1);
    let patched = ada.patch("/api/workspaces/w", forged).await.ok();
    assert_eq!(patched["workspace"], workspace);
}

#[tokio::test]
async fn editors_change_all_but_visibility_and_viewers_nothing() {
    let stage = Stage::new().await;
    let bob = stage.seed_member("bob", "acme", "org:member");
    stage.seed_member("vic", "acme", "org:member");
    let ada = stage.sign_in("ada").await;
    ada.found("w").await;
    stage.grant("w", bob, "editor");
    let (editor, viewer) = (stage.sign_in("bob").await, stage.sign_in("vic").await);
    let change = json!({ "name": "N", "description": "D", "properties": { "p": 1 } });
    viewer.patch("/api/workspaces/w", change.clone()).await.refused(403, "editor");
    editor.patch("/api/workspaces/w", change).await.ok();
    editor.patch("/api/workspaces/w", json!({ "visibility": "private" })).await.refused(403, "owner");
    editor.patch("/api/workspaces/w", json!({ "visibility": "org" })).await.ok(); // as it is
    let both = json!({ "name": "Both", "visibility": "members" });
    editor.patch("/api/workspaces/w", both.clone()).await.refused(403, "owner");
    assert_eq!(ada.bundle("w").await["workspace"]["name"], "N", "all or nothing");
    ada.patch("/api/workspaces/w", both).await.ok();
    viewer.get("/api/workspaces/w").await.refused(404, "workspace");
    editor.get("/api/workspaces/w").await.ok();
}

#[tokio::test]
async fn only_owners_delete_and_the_id_is_free_at_once() {
    let stage = Stage::new().await;
    let bob = stage.seed_member("bob", "acme", "org:member");
    let ada = stage.sign_in("ada").await;
    ada.found("w").await;
    ada.draw("w", &["a"]).await;
    stage.grant("w", bob, "editor");
    let editor = stage.sign_in("bob").await;
    editor.delete("/api/workspaces/w").await.refused(403, "owner");
    assert_eq!(ada.delete("/api/workspaces/w").await.ok(), json!({ "ok": true }));
    for actor in [&ada, &editor] {
        actor.get("/api/workspaces/w").await.refused(404, "workspace");
        assert_eq!(actor.get("/api/workspaces").await.ok()["workspaces"], json!([]));
    }
    ada.delete("/api/workspaces/w").await.refused(404, "workspace");
    editor.found("w").await;
    let again = editor.bundle("w").await;
    assert_eq!(again["components"], json!([]), "another workspace, though of the same id");
    assert_eq!(again["workspace"]["revision"], 1);
}

#[tokio::test]
async fn an_owner_brings_a_deleted_workspace_back_with_all_that_was_in_it() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    ada.found("w").await;
    ada.draw("w", &["a", "b"]).await;
    ada.relate("w", "r", "a", "calls", "b").await;
    stage.hang_on("w", "a");
    let before = ada.bundle("w").await;
    ada.delete("/api/workspaces/w").await.ok();
    let listed = ada.get("/api/workspaces?deleted=true").await.ok()["workspaces"].clone();
    assert_eq!(ids(&listed), ["w"]);
    assert!(listed[0]["deletedAt"].as_i64().unwrap() <= stage.clock.now());
    let pk = listed[0]["pk"].clone();
    let restored = ada.post("/api/workspaces/restore", json!({ "pk": pk })).await.ok()["workspace"].clone();
    assert_eq!((&restored["id"], &restored["myRole"]), (&json!("w"), &json!("owner")));
    let after = ada.bundle("w").await;
    for part in ["components", "relationships", "stakeholders", "processes"] {
        assert_eq!(after[part], before[part]);
    }
    assert_eq!(ada.get("/api/workspaces?deleted=true").await.ok()["workspaces"], json!([]));
    assert_eq!(ids(&ada.get("/api/workspaces?deleted=false").await.ok()["workspaces"]), ["w"]);
    ada.post("/api/workspaces/restore", json!({ "pk": pk })).await.refused(404, "workspace");
}

#[tokio::test]
async fn a_workspace_whose_id_was_taken_meanwhile_comes_back_under_another() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    ada.found("w").await;
    ada.draw("w", &["old"]).await;
    ada.delete("/api/workspaces/w").await.ok();
    ada.found("w").await;
    ada.post("/api/workspaces/restore", json!({ "pk": 1 })).await.refused(409, "another `id`");
    ada.post("/api/workspaces/restore", json!({ "pk": 1, "id": "w" })).await.refused(409, "another `id`");
    ada.post("/api/workspaces/restore", json!({ "pk": 1, "id": "w-old" })).await.ok();
    let old = ada.bundle("w-old").await;
    assert_eq!(ids(&old["components"]), ["old"]);
    assert_eq!(old["components"][0]["workspaceId"], "w-old");
    assert_eq!(ada.bundle("w").await["components"], json!([]));
}

#[tokio::test]
async fn only_those_who_owned_a_deleted_workspace_see_and_restore_it() {
    let stage = Stage::new().await;
    let bob = stage.seed_member("bob", "acme", "org:member");
    stage.seed_member("eve", "acme", "org:admin");
    stage.seed_org("other", "olga");
    let ada = stage.sign_in("ada").await;
    ada.found("w").await;
    ada.post("/api/workspaces", json!({ "id": "p", "name": "P", "visibility": "private" })).await.created();
    stage.grant("w", bob, "editor");
    ada.delete("/api/workspaces/w").await.ok();
    ada.delete("/api/workspaces/p").await.ok();
    let (bob, eve, olga) = (stage.sign_in("bob").await, stage.sign_in("eve").await, stage.sign_in("olga").await);
    let path = "/api/workspaces?deleted=true";
    assert_eq!(ids(&ada.get(path).await.ok()["workspaces"]), ["w", "p"]);
    assert_eq!(ids(&eve.get(path).await.ok()["workspaces"]), ["w"], "an admin owns what is not private");
    assert_eq!(bob.get(path).await.ok()["workspaces"], json!([]));
    assert_eq!(olga.get(path).await.ok()["workspaces"], json!([]));
    bob.post("/api/workspaces/restore", json!({ "pk": 1 })).await.refused(403, "owner");
    eve.post("/api/workspaces/restore", json!({ "pk": 2 })).await.refused(404, "workspace");
    olga.post("/api/workspaces/restore", json!({ "pk": 1 })).await.refused(404, "workspace");
    eve.post("/api/workspaces/restore", json!({ "pk": 1 })).await.ok();
    for pk in [0, -1, 99, i64::MAX] {
        ada.post("/api/workspaces/restore", json!({ "pk": pk })).await.refused(404, "workspace");
    }
}

#[tokio::test]
async fn a_deleted_workspace_is_restorable_for_thirty_days() {
    let stage = Stage::new().await;
    let ada = stage.script_of("ada").await;
    for id in ["soon", "late"] {
        ada.found(id).await;
        ada.draw(id, &["a"]).await;
        stage.hang_on(id, "a");
        ada.delete(&format!("/api/workspaces/{id}")).await.ok();
    }
    stage.clock.advance(30 * DAY - MINUTE);
    planroom::jobs::sweep(&stage.app.gate).await.unwrap();
    ada.post("/api/workspaces/restore", json!({ "pk": 1 })).await.ok();
    stage.clock.advance(2 * MINUTE);
    assert_eq!(ada.get("/api/workspaces?deleted=true").await.ok()["workspaces"], json!([]));
    ada.post("/api/workspaces/restore", json!({ "pk": 2 })).await.refused(404, "workspace");
    let changes = stage.changes();
    assert_eq!(planroom::jobs::sweep(&stage.app.gate).await.unwrap().workspaces, 1);
    assert_eq!(stage.count("SELECT count(*) FROM workspace"), 1);
    assert_eq!(stage.count("SELECT count(*) FROM component"), 1);
    assert_eq!(stage.changes(), changes, "the log outlives what it tells of");
    assert_eq!(ids(&ada.bundle("soon").await["components"]), ["a"]);
}

#[tokio::test]
async fn founding_deleting_and_restoring_are_in_the_log() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    ada.header("x-batch-id", "found").found("w").await;
    ada.header("x-batch-id", "delete").delete("/api/workspaces/w").await.ok();
    ada.header("x-batch-id", "restore").post("/api/workspaces/restore", json!({ "pk": 1 })).await.ok();
    assert_eq!(stage.gesture("found"), ["create workspace w", "create member 1"]);
    assert_eq!(stage.gesture("delete"), ["delete workspace w"]);
    assert_eq!(stage.gesture("restore"), ["create workspace w"]);
    let changes = stage.changes();
    assert_eq!(changes.iter().map(|change| change.revision).collect::<Vec<_>>(), [1, 1, 2, 3]);
    assert_eq!((&changes[2].before["name"], &changes[2].after), (&json!("w"), &json!(null)));
    assert_eq!((&changes[3].before, &changes[3].after["name"]), (&json!(null), &json!("w")));
    let kinds: i64 = stage.count("SELECT count(*) FROM audit WHERE kind IN ('workspace.create', 'workspace.delete')");
    assert_eq!(kinds, 3);
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
