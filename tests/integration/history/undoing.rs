//! Undo and redo, by gesture.

use serde_json::{Value, json};

use super::{COMPONENTS, full, said, undo};
use crate::support::{Actor, Stage};

const A: &str = "/api/workspaces/w/components/a";
const RELATIONSHIPS: &str = "/api/workspaces/w/relationships";

/// What a component has on it.
async fn details(actor: &Actor<'_>, id: &str) -> Value {
    actor.get(&format!("{COMPONENTS}/{id}")).await.ok()
}

#[tokio::test]
async fn every_kind_of_write_is_undone_and_done_again() {
    let stage = Stage::new().await;
    let ada = full(&stage).await;
    let gesture = ada.header("x-batch-id", "gesture");
    let before = (said(&ada.bundle("w").await), details(&ada, "b").await);
    let new = json!({ "id": "c", "typeId": "queue", "name": "C" });
    gesture.post(COMPONENTS, new).await.created();
    gesture.patch(A, json!({ "name": "Anew", "x": 500, "y": 1 })).await.ok();
    gesture.patch(COMPONENTS, json!([{ "id": "c", "x": 7, "y": 7 }])).await.ok();
    gesture.post(RELATIONSHIPS, json!({ "sourceId": "c", "targetId": "a", "typeId": "uses" })).await.created();
    gesture.patch(&format!("{RELATIONSHIPS}/r"), json!({ "targetId": "c" })).await.ok();
    gesture.patch("/api/workspaces/w", json!({ "name": "Renamed", "visibility": "private" })).await.ok();
    gesture.delete(&format!("{COMPONENTS}/b")).await.ok();
    let after = said(&ada.bundle("w").await);

    let undone = undo(&ada, "gesture", "undo").await.ok();
    assert_eq!((&undone["batchId"], &undone["undoOf"]), (&json!("undo"), &json!("gesture")));
    assert_eq!(
        (said(&ada.bundle("w").await), details_said(&details(&ada, "b").await)),
        (before.0.clone(), details_said(&before.1))
    );
    let redone = undo(&ada, "undo", "redo").await.ok();
    assert_eq!(redone["undoOf"], "undo");
    assert_eq!(said(&ada.bundle("w").await), after);
    undo(&ada, "redo", "undo again").await.ok();
    assert_eq!(said(&ada.bundle("w").await), before.0);
}

/// The same of a component's details.
fn details_said(details: &Value) -> Value {
    let mut said = details.clone();
    let rows = said.as_object_mut().unwrap().values_mut();
    for row in rows.flat_map(|part| match part {
        Value::Array(rows) => rows.iter_mut().collect::<Vec<_>>(),
        row => vec![row],
    }) {
        for stamp in ["revision", "updatedAt", "updatedBy"] {
            row.as_object_mut().unwrap().remove(stamp);
        }
    }
    said
}

#[tokio::test]
async fn a_deleted_component_comes_back_with_all_that_hung_on_it_under_the_same_ids() {
    let stage = Stage::new().await;
    let ada = full(&stage).await;
    let before = (details(&ada, "a").await, ada.bundle("w").await);
    assert!(before.0["links"][0]["id"].is_i64() && before.0["stakeholders"][0]["id"].is_i64());
    let deleted = ada.delete(A).await;
    deleted.ok();
    // Without a name of its own, a request is a gesture by itself.
    undo(&ada, deleted.header("x-request-id"), "back").await.ok();
    assert_eq!(details_said(&details(&ada, "a").await), details_said(&before.0));
    assert_eq!(said(&ada.bundle("w").await), said(&before.1), "the order too");
    // What is made from now on does not take their ids.
    let link = ada.post(&format!("{A}/links"), json!({ "url": "https://example.org/2" })).await.created();
    assert!(link["link"]["id"].as_i64() > before.0["links"][0]["id"].as_i64());
}

#[tokio::test]
async fn a_bulk_is_undone_as_one() {
    let stage = Stage::new().await;
    let ada = full(&stage).await;
    let before = said(&ada.bundle("w").await);
    let component = |n: usize| json!({ "id": format!("n{n}"), "typeId": "service", "name": "N" });
    let mut components: Vec<Value> = (0..300).map(component).collect();
    components.push(json!({ "id": "b", "typeId": "queue", "name": "Other" }));
    let model = json!({ "workspace": { "name": "Other" }, "components": components, "relationships": [] });
    let reply = ada.put("/api/workspaces/w/bulk", model).await;
    reply.ok();
    undo(&ada, reply.header("x-request-id"), "back").await.ok();
    assert_eq!(said(&ada.bundle("w").await), before);
}

#[tokio::test]
async fn only_ones_own_changes_are_undone() {
    let stage = Stage::new().await;
    let ada = full(&stage).await;
    let user = stage.seed_member("bob", "acme", "org:member");
    stage.grant("w", user, "editor");
    let bob = stage.sign_in("bob").await;
    ada.header("x-batch-id", "hers").patch(A, json!({ "name": "Anew" })).await.ok();
    undo(&bob, "hers", "back").await.refused(403, "only one's own changes");
    // A name that somebody else has used for theirs is no way round that.
    bob.header("x-batch-id", "hers").patch(A, json!({ "name": "Other" })).await.ok();
    undo(&bob, "hers", "back").await.refused(403, "only one's own changes");
    undo(&ada, "nothing", "back").await.refused(404, "batch not found");
    undo(&ada, "hers", "hers").await.refused(400, "x-batch-id: must not be the batch");
    // The same name in another workspace is another gesture.
    ada.found("v").await;
    ada.header("x-batch-id", "far").patch("/api/workspaces/v", json!({ "name": "V" })).await.ok();
    undo(&ada, "far", "back").await.refused(404, "batch not found");
}

#[tokio::test]
async fn what_was_changed_since_is_named_and_nothing_is_written() {
    let stage = Stage::new().await;
    let ada = full(&stage).await;
    let user = stage.seed_member("bob", "acme", "org:member");
    stage.grant("w", user, "editor");
    let bob = stage.sign_in("bob").await;
    let gesture = ada.header("x-batch-id", "gesture");
    gesture.patch(A, json!({ "name": "Anew" })).await.ok();
    gesture.post(COMPONENTS, json!({ "id": "c", "typeId": "queue", "name": "C" })).await.created();
    bob.patch(A, json!({ "description": "mine" })).await.ok();
    bob.post(RELATIONSHIPS, json!({ "id": "new", "sourceId": "c", "targetId": "b", "typeId": "uses" })).await.created();
    let (before, changes) = (ada.bundle("w").await, stage.changes().len());
    let refused = undo(&ada, "gesture", "back").await.refused(409, "the component `Anew` has changed since by bob");
    assert_eq!(refused["code"], "changed_since");
    let by = json!({ "id": user, "displayName": "bob" });
    let named =
        json!([{ "entity": "component", "id": "a", "name": "Anew", "why": "has changed since", "changedBy": by }]);
    assert_eq!(refused["changed"], named);
    assert_eq!((ada.bundle("w").await, stage.changes().len()), (before, changes));
    // When bob has taken his back, hers can go; but what he has hung on it stands in the way.
    bob.patch(A, json!({ "description": "" })).await.ok();
    undo(&ada, "gesture", "back").await.refused(409, "has changed since");
    bob.header("x-batch-id", "his").patch(A, json!({ "description": "more" })).await.ok();
    undo(&bob, "his", "his back").await.ok();
    ada.header("x-batch-id", "second").patch(A, json!({ "name": "Twice" })).await.ok();
    undo(&ada, "second", "second back").await.ok();
    ada.header("x-batch-id", "third")
        .post(COMPONENTS, json!({ "id": "d", "typeId": "queue", "name": "D" }))
        .await
        .created();
    bob.post(RELATIONSHIPS, json!({ "id": "on-d", "sourceId": "d", "targetId": "b", "typeId": "uses" }))
        .await
        .created();
    let refused = undo(&ada, "third", "back").await.refused(409, "the relationship `d uses b` has come since by bob");
    assert_eq!(refused["changed"][0]["id"], "on-d");
}

#[tokio::test]
async fn what_can_no_longer_come_back_says_what_it_lacks() {
    let stage = Stage::new().await;
    let ada = full(&stage).await;
    ada.header("x-batch-id", "edge").delete(&format!("{RELATIONSHIPS}/r")).await.ok();
    ada.delete(&format!("{COMPONENTS}/b")).await.ok();
    undo(&ada, "edge", "back").await.refused(409, "the component `b` is not there any more by ada");
    ada.draw("w", &["x", "y"]).await;
    ada.relate("w", "xa", "x", "contains", "a").await;
    ada.header("x-batch-id", "out").delete(&format!("{RELATIONSHIPS}/xa")).await.ok();
    ada.relate("w", "ya", "y", "contains", "a").await;
    undo(&ada, "out", "back").await.refused(409, "already part of `y`");
    // An id that was taken again is another's.
    ada.header("x-batch-id", "gone").delete(A).await.ok();
    ada.draw("w", &["a"]).await;
    undo(&ada, "gone", "back").await.refused(409, "the component `a` has come since");
}

#[tokio::test]
async fn undo_asks_for_what_the_writes_asked_for() {
    let stage = Stage::new().await;
    let ada = full(&stage).await;
    ada.header("x-batch-id", "open").patch("/api/workspaces/w", json!({ "visibility": "members" })).await.ok();
    ada.header("x-batch-id", "people")
        .post("/api/workspaces/w/members", json!({ "userId": 1, "role": "owner" }))
        .await
        .ok();
    let user = stage.seed_member("bob", "acme", "org:member");
    stage.grant("w", user, "owner");
    let bob = stage.sign_in("bob").await;
    bob.header("x-batch-id", "his").patch("/api/workspaces/w", json!({ "visibility": "private" })).await.ok();
    ada.patch(&format!("/api/workspaces/w/members/{user}"), json!({ "role": "editor" })).await.ok();
    undo(&bob, "his", "back").await.refused(403, "needs the access level owner");
    ada.patch(&format!("/api/workspaces/w/members/{user}"), json!({ "role": "viewer" })).await.ok();
    undo(&bob, "his", "back").await.refused(403, "needs the access level editor");
    let founded = ada.post("/api/workspaces", json!({ "id": "v", "name": "V" })).await;
    founded.created();
    let batch = founded.header("x-request-id").to_owned();
    ada.post("/api/workspaces/v/undo", json!({ "batchId": batch })).await.refused(409, "not undone");
}

#[tokio::test]
async fn the_repeated_moves_of_one_gesture_are_one_row() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let before = details(&ada, "a").await;
    let count = stage.changes().len();
    let gesture = ada.header("x-batch-id", "drag");
    for x in 0..20 {
        gesture.patch(COMPONENTS, json!([{ "id": "a", "x": x, "y": 5 }])).await.ok();
    }
    let changes = stage.changes();
    assert_eq!(changes.len(), count + 1);
    let last = changes.last().unwrap();
    assert_eq!((&last.before["x"], &last.after["x"]), (&before["component"]["x"], &json!(19.0)));
    // Somebody else's move in between is not swallowed.
    ada.patch(COMPONENTS, json!([{ "id": "a", "x": 100, "y": 5 }])).await.ok();
    gesture.patch(COMPONENTS, json!([{ "id": "a", "x": 200, "y": 5 }])).await.ok();
    assert_eq!(stage.changes().len(), count + 3);
}

#[tokio::test]
async fn followers_see_an_undo_as_what_it_is() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    ada.header("x-batch-id", "gesture").delete(A).await.ok();
    let mut follower = ada.follow("w", "").await;
    undo(&ada, "gesture", "back").await.ok();
    let [component, relationship] = [follower.hear().await, follower.hear().await];
    assert_eq!([component.what(), relationship.what()], ["create component a", "create relationship r"]);
    assert_eq!((&component.data["undoOf"], &component.data["batch"]), (&json!("gesture"), &json!("back")));
}
