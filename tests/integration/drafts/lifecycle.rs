//! A draft from its start to its end.

use serde_json::json;

use super::{changes, compare, merge, names, patch, read, rename, start, submit};
use crate::support::{TestServer, ids};

const DAY: i64 = 86_400_000;

/// A PNG image of this width.
fn picture(width: u32) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::RgbImage::new(width, 2).write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

#[tokio::test]
async fn a_draft_is_a_copy_that_is_edited_merged_and_undone() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    server.attach_everything_to("w", "a");
    let before = ada.bundle("w").await;
    let id = start(&ada, "w", "Rename `a`").await;
    let draft = read(&ada, &id).await;
    assert_eq!((&draft["state"], &draft["number"], &draft["workspaceId"]), (&json!("draft"), &json!(1), &json!("w")));
    let copy = ada.bundle(&id).await;
    assert_eq!(ids(&copy["components"]), ids(&before["components"]));
    assert_eq!((&copy["workspace"]["baseId"], &copy["workspace"]["myRole"]), (&json!("w"), &json!("editor")));
    assert_eq!(copy["stakeholders"].as_array().unwrap().len(), 1);

    rename(&ada, &id, "a", "Alpha").await;
    ada.create_components(&id, &["c"]).await;
    ada.create_relationship(&id, "s", "c", "calls", "a").await;
    ada.delete(&format!("/api/workspaces/{id}/relationships/r")).await.ok();
    let moved = json!({ "x": 900.0, "y": 40.0 });
    ada.patch(&format!("/api/workspaces/{id}/components/b"), moved).await.ok();
    assert_eq!(ada.bundle("w").await["components"], before["components"], "the workspace has not changed");

    let comparison = compare(&ada, &id).await;
    let of = |kind: &str, id: &str, change: &str| (kind.to_owned(), id.to_owned(), change.to_owned());
    let expected = [
        of("component", "a", "changed"),
        of("component", "b", "moved"),
        of("component", "c", "added"),
        of("relationship", "r", "removed"),
        of("relationship", "s", "added"),
    ];
    assert_eq!(changes(&comparison["changes"]), expected);
    let counts = json!({ "added": 2, "changed": 1, "removed": 1, "moved": 1, "conflicting": 0, "base": 0 });
    assert_eq!(comparison["counts"], counts);

    let revision = ada.revision("w").await;
    let merged = merge(&ada, &id).await;
    assert_eq!((&merged["rows"], &merged["draft"]["state"]), (&json!(5), &json!("merged")));
    assert_eq!(merged["revision"], revision + 1, "one change set");
    let history = ada.get("/api/workspaces/w/history?limit=1").await.ok();
    assert_eq!(history["changes"][0]["reason"], "Draft #1: Rename `a`");
    assert_eq!(names(&ada, "w").await[0], ("a".to_owned(), "Alpha".to_owned()));
    let after = ada.bundle("w").await;
    assert_eq!(ids(&after["relationships"]), ["s"]);
    assert_eq!(after["stakeholders"][0]["id"], before["stakeholders"][0]["id"]);

    let undo = json!({ "changeSetId": merged["changeSetId"] });
    ada.post("/api/workspaces/w/undo", undo).await.ok();
    let undone = ada.bundle("w").await;
    assert_eq!(ids(&undone["components"]), ids(&before["components"]));
    assert_eq!(ids(&undone["relationships"]), ["r"]);
    assert_eq!(undone["components"][0]["name"], "a");

    let kept = compare(&ada, &id).await;
    assert_eq!((&kept["isFinal"], &kept["counts"]), (&json!(true), &counts), "the comparison is that of the merge");
    let reopened = patch(&ada, &id, json!({ "state": "draft" })).await;
    assert_eq!((&reopened["state"], &reopened["canEdit"]), (&json!("draft"), &json!(true)));
    assert_eq!(compare(&ada, &id).await["counts"], counts, "the undone merge can be merged again");
    assert_eq!(merge(&ada, &id).await["rows"], 5);
}

#[tokio::test]
async fn what_a_component_has_is_copied_and_merged_with_the_ids_of_the_workspace() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    server.attach_everything_to("w", "a");
    let png = picture(2);
    let first = ada.upload_image("w", &png).await.created()["id"].clone();
    let note = json!({ "id": "old", "kind": "image", "text": "A", "imageId": first, "x": 1, "y": 1 });
    ada.post("/api/workspaces/w/notes", note).await.created();
    ada.post("/api/people", json!({ "id": "linus", "name": "Linus" })).await.created();
    let id = start(&ada, "w", "More").await;

    let shown = ada.get(&format!("/api/workspaces/{id}/images/{}", first.as_str().unwrap())).await;
    assert_eq!(shown.status, 200);
    let other = picture(3);
    let second = ada.upload_image(&id, &other).await.created()["id"].clone();
    let note = json!({ "id": "new", "kind": "image", "text": "B", "imageId": second, "x": 1, "y": 9 });
    ada.post(&format!("/api/workspaces/{id}/notes"), note).await.created();
    let owner = json!({ "personId": "linus", "linkType": "owner" });
    ada.post(&format!("/api/workspaces/{id}/components/b/stakeholders"), owner.clone()).await.created();
    let link = json!({ "kind": "url", "url": "https://example.org/b" });
    ada.post(&format!("/api/workspaces/{id}/components/b/links"), link).await.created();
    let links = ada.get(&format!("/api/workspaces/{id}/components/a/links")).await.ok();
    let old_link = links["links"][0]["id"].as_i64().unwrap();
    ada.delete(&format!("/api/workspaces/{id}/components/a/links/{old_link}")).await.ok();

    // The same owner is added in the workspace meanwhile: it is the same fact.
    ada.post("/api/workspaces/w/components/b/stakeholders", owner).await.created();
    merge(&ada, &id).await;
    let after = ada.bundle_with_notes("w").await;
    assert_eq!(ids(&after["notes"]), ["old", "new"]);
    assert_eq!(after["stakeholders"].as_array().unwrap().len(), 2);
    let shown = ada.get(&format!("/api/workspaces/w/images/{}", second.as_str().unwrap())).await;
    assert_eq!(shown.status, 200);
    let links_of_a = ada.get("/api/workspaces/w/components/a/links").await.ok();
    assert_eq!(links_of_a["links"], json!([]));
    let links_of_b = ada.get("/api/workspaces/w/components/b/links").await.ok();
    assert_eq!(links_of_b["links"][0]["url"], "https://example.org/b");
    assert_eq!(compare(&ada, &id).await["counts"]["conflicting"], 0);
}

#[tokio::test]
async fn a_draft_is_read_only_after_its_end_and_its_map_is_removed_after_30_days() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let id = start(&ada, "w", "Later").await;
    rename(&ada, &id, "a", "Alpha").await;
    let closed = ada.post(&format!("/api/drafts/{id}/close"), json!({})).await.ok()["draft"].clone();
    assert_eq!(
        (&closed["state"], &closed["canEdit"], &closed["hasMap"]),
        (&json!("closed"), &json!(false), &json!(true))
    );
    let path = format!("/api/workspaces/{id}/components/a");
    ada.patch(&path, json!({ "name": "B" })).await.expect_error(403, "before it is merged or closed");
    ada.post(&format!("/api/drafts/{id}/merge"), json!({})).await.expect_error(409, "merged or closed");
    ada.post(&format!("/api/drafts/{id}/close"), json!({})).await.expect_error(409, "merged or closed");
    assert_eq!(ada.bundle(&id).await["components"][0]["name"], "Alpha");

    server.clock.advance(29 * DAY);
    server.clean_up().await;
    let ada = server.sign_in("ada").await;
    assert_eq!(read(&ada, &id).await["hasMap"], true);
    server.clock.advance(2 * DAY);
    server.clean_up().await;
    let ada = server.sign_in("ada").await;
    assert_eq!(read(&ada, &id).await["hasMap"], false);
    ada.get(&format!("/api/workspaces/{id}")).await.expect(404);
    assert_eq!(compare(&ada, &id).await["counts"]["changed"], 1, "the comparison stays");
    ada.patch(&format!("/api/drafts/{id}"), json!({ "state": "draft" })).await.expect_error(409, "was removed");
    let pks = "SELECT count(*) FROM workspace WHERE base_pk IS NOT NULL";
    assert_eq!((server.count(pks), server.count("SELECT count(*) FROM draft_row")), (0, 0));
    assert_eq!(server.count("SELECT count(*) FROM component"), 2);
}

#[tokio::test]
async fn drafts_go_with_their_workspace_and_come_back_with_it() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let id = start(&ada, "w", "T").await;
    ada.delete("/api/workspaces/w").await.ok();
    ada.get(&format!("/api/drafts/{id}")).await.expect(404);
    ada.get(&format!("/api/workspaces/{id}")).await.expect(404);
    let deleted = ada.get("/api/workspaces?deleted=true").await.ok();
    assert_eq!(deleted["workspaces"].as_array().unwrap().len(), 1);
    let pk = deleted["workspaces"][0]["pk"].clone();
    ada.post("/api/workspaces/restore", json!({ "pk": pk, "id": "again" })).await.ok();
    let draft = read(&ada, &id).await;
    assert_eq!(draft["workspaceId"], "again");
    assert_eq!(ada.bundle(&id).await["workspace"]["baseId"], "again");
    rename(&ada, &id, "a", "Alpha").await;
    merge(&ada, &id).await;
    ada.delete("/api/workspaces/again").await.ok();
    server.clock.advance(31 * DAY);
    server.clean_up().await;
    for table in ["draft", "draft_review", "draft_row", "draft_update", "workspace", "component"] {
        assert_eq!(server.count(&format!("SELECT count(*) FROM {table}")), 0, "{table}");
    }
}

#[tokio::test]
async fn a_repeated_start_creates_one_draft_and_limits_are_named() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let keyed = ada.header("idempotency-key", "k");
    let first = start(&keyed, "w", "T").await;
    assert_eq!(start(&keyed, "w", "T").await, first);
    let path = "/api/workspaces/w/drafts";
    for _ in 1..50 {
        start(&ada, "w", "T").await;
    }
    let refused = ada.post(path, json!({ "title": "T" })).await.expect_error(409, "50 unfinished drafts");
    assert_eq!((&refused["code"], &refused["limit"]), (&json!("limit_reached"), &json!(50)));
    ada.post(&format!("/api/drafts/{first}/close"), json!({})).await.ok();
    let next = start(&ada, "w", "T").await;
    let reopen = json!({ "state": "draft" });
    let refused = ada.patch(&format!("/api/drafts/{first}"), reopen).await.expect_error(409, "you have 50 unfinished");
    assert_eq!((&refused["code"], &refused["limit"]), (&json!("limit_reached"), &json!(50)));
    assert_eq!(read(&ada, &first).await["state"], "closed", "the refused reopening changed nothing");
    ada.post(&format!("/api/workspaces/{next}/drafts"), json!({ "title": "T" }))
        .await
        .expect_error(409, "cannot have drafts");
    ada.post(path, json!({ "title": " " })).await.expect(400);
    ada.post(path, json!({ "title": "T", "reviewers": [999] })).await.expect_error(409, "unfinished");
    let listed = ada.get(&format!("{path}?state=closed")).await.ok();
    assert_eq!(listed["drafts"].as_array().unwrap().len(), 1);
    ada.get(&format!("{path}?state=lost")).await.expect_error(400, "must be states");
    submit(&ada, &next).await;
    let page = ada.get(&format!("{path}?state=open,draft&limit=2&author=me")).await.ok();
    assert_eq!((&page["drafts"][0]["id"], &page["drafts"][0]["state"]), (&json!(next), &json!("open")));
    assert_eq!(page["drafts"].as_array().unwrap().len(), 2);
    let cursor = page["nextCursor"].as_str().unwrap();
    let more = ada.get(&format!("{path}?state=open,draft&limit=2&cursor={cursor}")).await.ok();
    assert_eq!(more["drafts"][0]["number"], json!(page["drafts"][1]["number"].as_i64().unwrap() - 1));
}

#[tokio::test]
async fn followers_of_the_workspace_and_of_the_draft_are_told() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let mut of_base = ada.follow("w", "").await;
    let id = start(&ada, "w", "T").await;
    let mut of_draft = ada.follow(&id, "").await;
    let event = of_base.next_event().await;
    assert_eq!((event.kind.as_str(), event.data), ("drafts", json!({ "op": "create", "draftId": id })));
    submit(&ada, &id).await;
    for follower in [&mut of_base, &mut of_draft] {
        let event = follower.next_event().await;
        assert_eq!((event.kind.as_str(), event.data), ("drafts", json!({ "op": "update", "draftId": id })));
    }
    rename(&ada, &id, "a", "Alpha").await;
    assert_eq!(of_draft.next_event().await.what(), "update component a");
    // The comparison changes with the map of the draft, and with that of the workspace.
    let map = ("drafts", json!({ "op": "map", "draftId": id }));
    let event = of_base.next_event().await;
    assert_eq!((event.kind.as_str(), event.data), map);
    rename(&ada, "w", "b", "Beta").await;
    assert_eq!(of_base.next_event().await.what(), "update component b");
    let event = of_draft.next_event().await;
    assert_eq!((event.kind.as_str(), event.data), map);
    ada.post(&format!("/api/drafts/{id}/merge"), json!({})).await.ok();
    let mut seen = Vec::new();
    for _ in 0..2 {
        let event = of_base.next_event().await;
        seen.push(if event.kind == "drafts" { event.data["op"].as_str().unwrap().to_owned() } else { event.what() });
    }
    seen.sort();
    assert_eq!(seen, ["merge", "update component a"]);
}
