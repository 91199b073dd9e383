//! Searches after random requests return what a naive scan of everything readable finds.

use std::sync::atomic::{AtomicUsize, Ordering};

use axum::http::StatusCode;
use proptest::prelude::*;
use rusqlite::Connection;
use serde_json::{Value, json};

use super::{
    found,
    naive::{NaiveHit, naive},
    search,
};
use crate::support::{TestClient, TestServer, segment};

const TEXTS: [&str; 14] = [
    "Payment API",
    "payment-gateway",
    "PostgreSQL",
    "Ödeme Sağlama",
    "Mail",
    "a",
    "支付 网关",
    "sql sql",
    "C++ core",
    "say \"hi\"",
    "ΟΔΟΣ",
    "AI",
    "x_y.z",
    "# Heading\nand text",
];
const QUERIES: [&str; 23] = [
    "pay",
    "sql",
    "ö",
    "支付",
    "付",
    "c++",
    "\"",
    "api pay",
    "a",
    "ai",
    "ma",
    "οδο",
    "-",
    "payment-gateway",
    "c1",
    "service",
    "name 2",
    "heading text",
    "y.z",
    "calls",
    "live name",
    "80",
    "1.5 core",
];

/// One request. There are few rows of each kind, so that they interact.
#[derive(Debug, Clone)]
enum Action {
    Component { workspace: u8, id: u8, text: usize },
    Describe { workspace: u8, id: u8, text: usize },
    Label { workspace: u8, id: u8, text: usize },
    Delete { workspace: u8, id: u8 },
    Connect { workspace: u8, text: usize },
    Process { workspace: u8, text: usize },
    Note { workspace: u8, text: usize },
    Decide { workspace: u8, id: u8, text: usize },
    Rewrite { workspace: u8, id: u8, text: usize },
    Reverse { workspace: u8, id: u8 },
    Own { workspace: u8, id: u8, is_team: bool },
    Disown { workspace: u8 },
    RenamePerson { text: usize },
    RenameTeam { text: usize },
    RenameWorkspace { workspace: u8, text: usize },
    Visibility { workspace: u8, visibility: u8 },
    Invite { workspace: u8 },
    Remove { workspace: u8 },
    DeleteWorkspace { workspace: u8 },
    RestoreWorkspace,
    Bulk { workspace: u8, text: usize },
    Undo { workspace: u8, step: u8 },
}

fn action() -> impl Strategy<Value = Action> {
    let (workspace, id, text) = (|| 0..2_u8, || 0..4_u8, || 0..TEXTS.len());
    prop_oneof![
        8 => (workspace(), id(), text()).prop_map(|(workspace, id, text)| Action::Component { workspace, id, text }),
        4 => (workspace(), id(), text()).prop_map(|(workspace, id, text)| Action::Describe { workspace, id, text }),
        3 => (workspace(), id(), text()).prop_map(|(workspace, id, text)| Action::Label { workspace, id, text }),
        2 => (workspace(), id()).prop_map(|(workspace, id)| Action::Delete { workspace, id }),
        3 => (workspace(), text()).prop_map(|(workspace, text)| Action::Connect { workspace, text }),
        2 => (workspace(), text()).prop_map(|(workspace, text)| Action::Process { workspace, text }),
        2 => (workspace(), text()).prop_map(|(workspace, text)| Action::Note { workspace, text }),
        2 => (workspace(), id(), text()).prop_map(|(workspace, id, text)| Action::Decide { workspace, id, text }),
        2 => (workspace(), id(), text()).prop_map(|(workspace, id, text)| Action::Rewrite { workspace, id, text }),
        1 => (workspace(), id()).prop_map(|(workspace, id)| Action::Reverse { workspace, id }),
        5 => (workspace(), id(), any::<bool>())
            .prop_map(|(workspace, id, is_team)| Action::Own { workspace, id, is_team }),
        1 => workspace().prop_map(|workspace| Action::Disown { workspace }),
        3 => text().prop_map(|text| Action::RenamePerson { text }),
        2 => text().prop_map(|text| Action::RenameTeam { text }),
        1 => (workspace(), text()).prop_map(|(workspace, text)| Action::RenameWorkspace { workspace, text }),
        2 => (workspace(), 0..3_u8).prop_map(|(workspace, visibility)| Action::Visibility { workspace, visibility }),
        1 => workspace().prop_map(|workspace| Action::Invite { workspace }),
        1 => workspace().prop_map(|workspace| Action::Remove { workspace }),
        1 => workspace().prop_map(|workspace| Action::DeleteWorkspace { workspace }),
        2 => Just(Action::RestoreWorkspace),
        1 => (workspace(), text()).prop_map(|(workspace, text)| Action::Bulk { workspace, text }),
        4 => (workspace(), 0..8_u8).prop_map(|(workspace, step)| Action::Undo { workspace, step }),
    ]
}

/// Properties of a component, by the number of a text.
fn properties(text: usize) -> Value {
    let note = |after: usize| TEXTS[(text + after) % TEXTS.len()];
    match text % 3 {
        0 => json!({ "lifecycle": "live", "note": note(5), "ports": [8080 + text, 1.5] }),
        1 => json!({ "deep": { "note": note(7), "is": true, "no": null } }),
        _ => json!({}),
    }
}

/// A server with ada, who owns the workspaces, and bob, another member of her organization.
struct Case<'a> {
    ada: TestClient<'a>,
    bob: TestClient<'a>,
    bob_id: i64,
}

impl Case<'_> {
    /// Sends a request. Many are rejected, because what they change does not exist.
    async fn send(&self, action: &Action) {
        let ada = &self.ada;
        let text = |at: usize| TEXTS[at];
        let line = |at: usize| TEXTS[at].lines().last().unwrap();
        let path = |workspace: u8, rest: &str| format!("/api/workspaces/w{workspace}{rest}");
        let status = match *action {
            Action::Component { workspace, id, text } => {
                let tags = if text % 2 == 0 { json!([line((text + 1) % TEXTS.len())]) } else { json!([]) };
                let new = json!({ "id": format!("c{id}"), "typeId": "service", "name": line(text), "tags": tags });
                ada.post(&path(workspace, "/components"), new).await.status
            }
            Action::Describe { workspace, id, text: at } => {
                let change = json!({ "description": text(at), "x": 7 });
                ada.patch(&path(workspace, &format!("/components/c{id}")), change).await.status
            }
            Action::Label { workspace, id, text } => {
                let change =
                    json!({ "name": format!("Name {id}"), "technology": [line(text)], "properties": properties(text) });
                ada.patch(&path(workspace, &format!("/components/c{id}")), change).await.status
            }
            Action::Delete { workspace, id } => {
                ada.delete(&path(workspace, &format!("/components/c{id}"))).await.status
            }
            Action::Connect { workspace, text } => {
                let new = json!({ "sourceId": "c0", "targetId": "c1", "typeId": "calls", "label": line(text) });
                ada.post(&path(workspace, "/relationships"), new).await.status
            }
            Action::Process { workspace, text } => {
                let mermaid = format!("sequenceDiagram\n  A->>B: {}", line(text).replace(['#', ';'], ""));
                let new = json!({ "name": line((text + 3) % TEXTS.len()), "mermaid": mermaid });
                ada.post(&path(workspace, "/processes"), new).await.status
            }
            Action::Note { workspace, text: at } => {
                ada.post(&path(workspace, "/notes"), json!({ "text": text(at), "x": 1, "y": 2 })).await.status
            }
            Action::Decide { .. } | Action::Rewrite { .. } | Action::Reverse { .. } => self.decide(action).await,
            Action::Own { workspace, id, is_team } => {
                let who = if is_team { json!({ "teamId": "team" }) } else { json!({ "personId": "person" }) };
                let mut new = who;
                new["linkType"] = "owner".into();
                ada.post(&path(workspace, &format!("/components/c{id}/stakeholders")), new).await.status
            }
            Action::Disown { workspace } => {
                let found = ada.get(&path(workspace, "/stakeholders")).await;
                if found.status.as_u16() != 200 {
                    return;
                }
                let found = found.json()["stakeholders"][0].clone();
                let (component, id) = (found["componentId"].as_str().unwrap_or("-").to_owned(), found["id"].clone());
                ada.delete(&path(workspace, &format!("/components/{component}/stakeholders/{id}"))).await.status
            }
            Action::RenamePerson { text } => {
                ada.patch("/api/people/person", json!({ "name": line(text) })).await.status
            }
            Action::RenameTeam { text } => ada.patch("/api/teams/team", json!({ "name": line(text) })).await.status,
            Action::RenameWorkspace { workspace, text: at } => {
                ada.patch(&path(workspace, ""), json!({ "name": line(at), "description": text(at) })).await.status
            }
            Action::Visibility { workspace, visibility } => {
                let visibility = ["org", "members", "private"][usize::from(visibility)];
                ada.patch(&path(workspace, ""), json!({ "visibility": visibility })).await.status
            }
            Action::Invite { workspace } => {
                let member = json!({ "userId": self.bob_id, "role": "viewer" });
                ada.post(&path(workspace, "/members"), member).await.status
            }
            Action::Remove { workspace } => {
                ada.delete(&path(workspace, &format!("/members/{}", self.bob_id))).await.status
            }
            Action::DeleteWorkspace { workspace } => ada.delete(&path(workspace, "")).await.status,
            Action::RestoreWorkspace => {
                let deleted = ada.get("/api/workspaces?deleted=true").await.ok()["workspaces"][0]["pk"].clone();
                if deleted.is_null() {
                    return;
                }
                ada.post("/api/workspaces/restore", json!({ "pk": deleted })).await.status
            }
            Action::Bulk { workspace, text } => {
                let components: Vec<Value> = (1..4)
                    .map(|id| json!({ "id": format!("c{id}"), "typeId": "service", "name": line((text + id) % TEXTS.len()) }))
                    .collect();
                let body = json!({ "components": components, "relationships": [] });
                ada.put(&path(workspace, "/bulk"), body).await.status
            }
            Action::Undo { workspace, step } => {
                let history = ada.get(&path(workspace, "/history?limit=8")).await;
                if history.status.as_u16() != 200 {
                    return;
                }
                let sets = history.json()["changeSets"].as_array().cloned().unwrap_or_default();
                let Some(set) = sets.get(usize::from(step)) else { return };
                ada.post(&path(workspace, "/undo"), json!({ "changeSetId": set["changeSetId"] })).await.status
            }
        };
        assert!(status.as_u16() < 500, "{action:?}: {status}");
    }

    /// Sends a request about decisions.
    async fn decide(&self, action: &Action) -> StatusCode {
        let path = |workspace: u8, id: u8| format!("/api/workspaces/w{workspace}/decisions/d{id}");
        let line = |at: usize| TEXTS[at].lines().last().unwrap();
        let text = |at: usize| TEXTS[at % TEXTS.len()];
        match *action {
            Action::Decide { workspace, id, text: at } => {
                let new = json!({ "id": format!("d{id}"), "title": line(at), "body": text(at + 1) });
                self.ada.post(&format!("/api/workspaces/w{workspace}/decisions"), new).await.status
            }
            Action::Rewrite { workspace, id, text: at } => {
                let change = json!({ "title": line(at), "body": text(at + 2), "status": "accepted" });
                self.ada.patch(&path(workspace, id), change).await.status
            }
            Action::Reverse { workspace, id } => self.ada.delete(&path(workspace, id)).await.status,
            _ => panic!("{action:?} is not about decisions"),
        }
    }

    async fn expect_naive(&self) {
        for (client, who) in [(&self.ada, "ada"), (&self.bob, "bob")] {
            for query in QUERIES {
                let mut expected = naive(client, query).await;
                let (mut results, mut cursor) = (Vec::new(), String::new());
                loop {
                    let answer = search(client, query, &format!("&limit=3{cursor}")).await;
                    assert_eq!(answer["total"], expected.len(), "{who}: {query}");
                    results.extend(found(&answer));
                    match answer["nextCursor"].as_str() {
                        Some(next) => cursor = format!("&cursor={}", segment(next)),
                        None => break,
                    }
                }
                // Rows of equal rank are in the order of their documents, which an undo puts at the end.
                let rank = |text: &String| expected.iter().find(|hit| hit.to_string() == *text).map(NaiveHit::rank);
                let ranks: Vec<_> = results.iter().map(rank).collect();
                assert!(ranks.is_sorted(), "{who}: {query}: {results:?} {expected:?}");
                results.sort();
                expected.sort_by_key(ToString::to_string);
                let expected: Vec<String> = expected.iter().map(ToString::to_string).collect();
                assert_eq!(results, expected, "{who}: {query}");
            }
        }
    }
}

#[test]
fn searches_after_random_requests_are_naive_scans_of_what_is_readable() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let cases = AtomicUsize::new(0);
    proptest!(ProptestConfig::with_cases(12), |(actions in prop::collection::vec(action(), 1..70))| {
        cases.fetch_add(1, Ordering::Relaxed);
        let server = runtime.block_on(async {
            let server = TestServer::new().await;
            let bob_id = server.seed_member("bob", "acme", "org:member");
            let case = Case {
                ada: server.script_client("ada").await,
                bob: server.script_client("bob").await,
                bob_id,
            };
            for workspace in ["w0", "w1"] {
                case.ada.create_workspace(workspace).await;
                case.ada.create_components(workspace, &["c0", "c1"]).await;
            }
            case.ada.post("/api/people", json!({ "id": "person", "name": "Ada" })).await.created();
            case.ada.post("/api/teams", json!({ "id": "team", "name": "Team" })).await.created();
            for (at, action) in actions.iter().enumerate() {
                case.send(action).await;
                if at % 25 == 24 {
                    case.expect_naive().await;
                }
            }
            case.expect_naive().await;
            server
        });
        expect_same_index_as_filled(server);
    });
}

/// All entries of the index, by row.
fn entries(conn: &Connection) -> Vec<(i64, i64, String, String, String, i64)> {
    conn.execute_batch(
        "CREATE VIRTUAL TABLE temp.entry USING fts5vocab (main, search_index, instance);
         INSERT INTO search_index (search_index) VALUES ('integrity-check')",
    )
    .unwrap();
    let sql = "SELECT d.workspace_pk, d.kind, d.row_id, e.term, e.col, e.offset
               FROM temp.entry e LEFT JOIN search_document d ON d.document = e.doc ORDER BY 1, 2, 3, 4, 5, 6";
    let read =
        |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?));
    let mut statement = conn.prepare(sql).unwrap();
    statement.query_map([], read).unwrap().map(Result::unwrap).collect()
}

/// Asserts that the index has the same entries as one that is filled from the rows.
pub fn expect_same_index_as_filled(server: TestServer) {
    let kept = server.sql(entries);
    assert!(!kept.is_empty());
    server.sql(|conn| conn.execute("UPDATE search_state SET version = 0", []).unwrap());
    let filled = server.restart();
    assert!(filled.sql(entries) == kept, "the index differs from one that is filled from the rows");
}
