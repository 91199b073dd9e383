//! What threads are about: it can be renamed, deleted, and come back.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{THREADS, about, ask, path};
use crate::support::{TestClient, TestServer};

/// The anchor of a thread, and whether it is deleted.
async fn anchor(client: &TestClient<'_>, thread: &Value) -> (String, bool) {
    let thread = client.get(&path(thread)).await.ok()["thread"].clone();
    (thread["anchor"]["name"].as_str().unwrap().to_owned(), thread["detached"].as_bool().unwrap())
}

#[tokio::test]
async fn a_thread_stays_with_a_renamed_and_a_deleted_component_and_an_undo_brings_it_back() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let thread = ask(&ada, "Why?").await;
    ada.patch("/api/workspaces/w/components/a", json!({ "name": "Renamed" })).await.ok();
    assert_eq!(anchor(&ada, &thread).await, ("Renamed".into(), false));
    ada.header("x-batch-id", "gone").delete("/api/workspaces/w/components/a").await.ok();
    assert_eq!(anchor(&ada, &thread).await, ("a".into(), true), "the last name that the thread knows");
    let overview = ada.get("/api/workspaces/w/comments").await.ok();
    assert_eq!((&overview["detached"], &overview["anchors"][0]["detached"]), (&json!(1), &json!(true)));
    assert_eq!(ada.get(&format!("{THREADS}?detached=true")).await.ok()["threads"].as_array().unwrap().len(), 1);
    // The thread can be answered and resolved meanwhile.
    ada.post(&format!("{}/messages", path(&thread)), json!({ "text": "It is gone" })).await.created();
    ada.post("/api/workspaces/w/undo", json!({ "batchId": "gone" })).await.ok();
    assert_eq!(anchor(&ada, &thread).await, ("Renamed".into(), false));
    assert_eq!(ada.get("/api/workspaces/w/comments").await.ok()["detached"], 0);
}

#[tokio::test]
async fn a_thread_is_about_a_message_of_a_process() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let process = json!({ "id": "pay", "name": "Pay", "mermaid": "sequenceDiagram\n  A->>B: order\n  B->>A: invoice" });
    ada.post("/api/workspaces/w/processes", process).await.created();
    let thread = about(&ada, json!({ "type": "process", "id": "pay", "step": 1 }), "When?").await;
    assert_eq!((&thread["anchor"]["step"], &thread["anchor"]["stepText"]), (&json!(1), &json!("invoice")));
    let wrong = json!({ "anchor": { "type": "process", "id": "pay", "step": 2 }, "text": "When?" });
    ada.post(THREADS, wrong).await.expect_error(400, "anchor.step: is not the index of a message");
}

#[tokio::test]
async fn a_thread_follows_its_message_in_a_process_that_changes() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let set = async |messages: &[&str]| {
        let lines: Vec<String> = messages.iter().map(|text| format!("\n  A->>B: {text}")).collect();
        let text = format!("sequenceDiagram{}", lines.concat());
        ada.patch("/api/workspaces/w/processes/pay", json!({ "mermaid": text })).await.ok();
    };
    let process = json!({ "id": "pay", "name": "Pay", "mermaid": "sequenceDiagram\n  A->>B: one\n  A->>B: two" });
    ada.post("/api/workspaces/w/processes", process).await.created();
    let thread = about(&ada, json!({ "type": "process", "id": "pay", "step": 1 }), "When?").await;
    server.clock.advance(1);
    let whole = about(&ada, json!({ "type": "process", "id": "pay" }), "Why?").await;
    let listed = async |detached: bool| -> Vec<Value> {
        let list = ada.get(&format!("{THREADS}?detached={detached}&limit=1")).await.ok();
        list["threads"].as_array().unwrap().iter().map(|thread| thread["id"].clone()).collect()
    };
    for (messages, step, detached) in [
        (&["zero", "one", "two"][..], 2, false),
        (&["two", "one", "one", "two"], 0, false),
        (&["one", "three"], 1, true),
        (&[], 1, true),
        (&["two"], 0, false),
    ] {
        set(messages).await;
        let read = ada.get(&path(&thread)).await.ok()["thread"].clone();
        assert_eq!((&read["anchor"]["step"], &read["detached"]), (&json!(step), &json!(detached)), "{messages:?}");
        assert_eq!(read["anchor"]["stepText"], "two");
        assert_eq!(ada.get("/api/workspaces/w/comments").await.ok()["detached"], i32::from(detached));
        let expected = if detached { vec![thread["id"].clone()] } else { Vec::new() };
        assert_eq!(listed(true).await, expected, "{messages:?}");
        // The newest thread first; with one thread per page, the other one is on the next page.
        assert_eq!(listed(false).await, [whole["id"].clone()]);
    }
    set(&["one"]).await;
    // Answers and resolutions do not change what the thread is about.
    ada.post(&format!("{}/messages", path(&thread)), json!({ "text": "It is gone" })).await.created();
    ada.post(&format!("{}/resolve", path(&thread)), json!({})).await.ok();
    assert_eq!(ada.get("/api/workspaces/w/comments").await.ok()["detached"], 0, "resolved");
    set(&["one", "two"]).await;
    let read = ada.get(&path(&thread)).await.ok()["thread"].clone();
    assert_eq!((&read["anchor"]["step"], &read["detached"]), (&json!(1), &json!(false)));
    ada.delete("/api/workspaces/w/processes/pay").await.ok();
    assert!(anchor(&ada, &thread).await.1 && anchor(&ada, &whole).await.1);
}

#[tokio::test]
async fn a_thread_is_at_a_point_of_a_view_or_of_the_map() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.post("/api/workspaces/w/views", json!({ "name": "Payments" })).await.created();
    let point = about(&ada, json!({ "type": "view", "id": "payments", "x": 10, "y": 20 }), "Here").await;
    about(&ada, json!({ "type": "workspace", "x": 1, "y": 2 }), "And here").await;
    let moved = ada.patch(&path(&point), json!({ "x": 30, "y": 40 })).await.ok()["thread"]["anchor"].clone();
    assert_eq!((&moved["x"], &moved["y"]), (&json!(30.0), &json!(40.0)));
    let points = ada.get("/api/workspaces/w/comments").await.ok()["points"].clone();
    let of =
        |view: Option<&str>| points.as_array().unwrap().iter().filter(|point| point["viewId"].as_str() == view).count();
    assert_eq!((of(Some("payments")), of(None)), (1, 1));
}

#[tokio::test]
async fn anchors_must_exist_and_fit_their_type() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    for (anchor, text) in [
        (json!({ "type": "component", "id": "none" }), "anchor.id: does not exist in this workspace"),
        (json!({ "type": "component" }), "anchor.id: is required"),
        (json!({ "type": "workspace", "id": "w" }), "anchor.id: must not be given for a workspace"),
        (json!({ "type": "component", "id": "a", "step": 0 }), "anchor.step: must not be given"),
        (json!({ "type": "component", "id": "a", "x": 1, "y": 1 }), "anchor.x: must not be given"),
        (json!({ "type": "workspace", "x": 1 }), "anchor.y: is required"),
        (json!({ "type": "person", "id": "a" }), "anchor.type"),
        (json!({ "id": "a" }), "anchor.type: is required"),
    ] {
        ada.post(THREADS, json!({ "anchor": anchor, "text": "Why?" })).await.expect_error(400, text);
    }
    let thread = ask(&ada, "Why?").await;
    ada.patch(&path(&thread), json!({ "x": 1, "y": 1 })).await.expect_error(400, "x: must not be given");
    for text in ["  ", "\u{0}", "a\u{7}", "a\u{85}b", "\u{202e}", " \u{200b}\n\u{feff}"] {
        let body = json!({ "anchor": { "type": "workspace" }, "text": text });
        ada.post(THREADS, body).await.expect_error(400, "text: ");
    }
    about(&ada, json!({ "type": "workspace" }), "Tabs\tand\r\nlines, \u{202e}bidi").await;
}

/// Something that an editor does to the map.
#[derive(Debug, Clone)]
enum Action {
    Delete(usize),
    Undo,
    Rename(usize),
}

fn actions() -> impl Strategy<Value = Vec<Action>> {
    let action =
        prop_oneof![(0..3_usize).prop_map(Action::Delete), Just(Action::Undo), (0..3_usize).prop_map(Action::Rename),];
    proptest::collection::vec(action, 1..12)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    /// Whatever is deleted, renamed and undone, a thread is detached exactly while its component does not exist, and
    /// no thread is lost.
    #[test]
    fn threads_follow_their_components_through_deletions_and_undo(actions in actions()) {
        tokio::runtime::Runtime::new().unwrap().block_on(async {
            let server = TestServer::new().await;
            let ada = server.sign_in("ada").await;
            ada.create_workspace("w").await;
            let ids = ["a", "b", "c"];
            ada.create_components("w", &ids).await;
            let mut threads = Vec::new();
            for id in ids {
                threads.push(about(&ada, json!({ "type": "component", "id": id }), id).await);
            }
            let mut sets: Vec<String> = Vec::new();
            for action in actions {
                let component = |at: usize| format!("/api/workspaces/w/components/{}", ids[at]);
                match action {
                    Action::Delete(at) => {
                        let reply = ada.delete(&component(at)).await;
                        if reply.status.is_success() {
                            sets.push(reply.header("x-request-id").to_owned());
                        }
                    }
                    Action::Rename(at) => {
                        ada.patch(&component(at), json!({ "name": "Renamed" })).await;
                    }
                    Action::Undo => {
                        if let Some(set) = sets.pop() {
                            ada.post("/api/workspaces/w/undo", json!({ "changeSetId": set })).await;
                        }
                    }
                }
                let components = ada.bundle("w").await["components"].as_array().unwrap().clone();
                for (id, thread) in ids.iter().zip(&threads) {
                    let exists = components.iter().any(|component| component["id"] == *id);
                    assert_eq!(anchor(&ada, thread).await.1, !exists, "{id}");
                }
            }
        });
    }
}
