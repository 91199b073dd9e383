//! Decisions in workspace files and copies of workspaces.

use serde_json::{Value, json};

use crate::support::{TestClient, TestServer};

async fn export(client: &TestClient<'_>, id: &str) -> Value {
    client.get(&format!("/api/workspaces/{id}/export")).await.ok()
}

async fn with_decisions(server: &TestServer) -> TestClient<'_> {
    let ada = server.seed_map().await;
    ada.decide(json!({ "title": "Old", "date": "2020-01-01", "body": "Text", "authors": ["Ada"] })).await;
    ada.decide(json!({ "title": "New", "date": "2021-01-01", "componentIds": ["a"], "supersedes": ["old"] })).await;
    ada
}

#[tokio::test]
async fn a_workspace_file_contains_decisions_and_imports_them_elsewhere() {
    let server = TestServer::new().await;
    let ada = with_decisions(&server).await;
    let file = export(&ada, "w").await;
    let expected = json!([
        { "id": "old", "number": 1, "title": "Old", "status": "superseded", "date": "2020-01-01", "authors": ["Ada"],
          "componentIds": [], "supersedes": [], "body": "Text" },
        { "id": "new", "number": 2, "title": "New", "status": "proposed", "date": "2021-01-01", "authors": [],
          "componentIds": ["a"], "supersedes": ["old"], "body": "" },
    ]);
    assert_eq!(file["decisions"], expected);
    let imported = ada.post("/api/import?id=copy", file.clone()).await.created();
    assert_eq!(imported["created"]["decisions"], json!(["old", "new"]));
    assert_eq!(export(&ada, "copy").await["decisions"], expected);
    // Again: nothing changes.
    let again = ada.post("/api/import?id=copy&replace=true", file.clone()).await.ok();
    for part in ["created", "updated", "deleted"] {
        assert_eq!(again[part]["decisions"], json!([]), "{part}");
    }
    // Without decisions in the file, they stay; with an empty list, they are deleted.
    let mut without = file.clone();
    without.as_object_mut().unwrap().shift_remove("decisions");
    ada.post("/api/import?id=copy&replace=true", without.clone()).await.ok();
    assert_eq!(export(&ada, "copy").await["decisions"], expected);
    without["decisions"] = json!([]);
    let emptied = ada.post("/api/import?id=copy&replace=true", without).await.ok();
    assert_eq!(emptied["deleted"]["decisions"], json!(["new", "old"]));
    assert_eq!(export(&ada, "copy").await["decisions"], Value::Null, "as in files of earlier versions");
}

#[tokio::test]
async fn numbers_of_decisions_can_be_exchanged_by_an_import() {
    let server = TestServer::new().await;
    let ada = with_decisions(&server).await;
    let mut file = export(&ada, "w").await;
    file["decisions"][0]["number"] = json!(2);
    file["decisions"][1]["number"] = json!(3);
    let mut third = file["decisions"][0].clone();
    (third["id"], third["number"]) = (json!("third"), json!(1));
    file["decisions"].as_array_mut().unwrap().insert(0, third);
    ada.post("/api/import?id=w&replace=true", file).await.ok();
    assert_eq!(ada.decisions("").await, ["1 third superseded", "2 old superseded", "3 new proposed"]);
}

#[tokio::test]
async fn wrong_decisions_in_a_file_are_named() {
    let server = TestServer::new().await;
    let ada = with_decisions(&server).await;
    let file = export(&ada, "w").await;
    for (field, value, path, text) in [
        ("number", json!(0), "decisions[1].number", "must be 1 to 999999"),
        ("number", json!(1), "decisions[1].number", "the number 1 is repeated"),
        ("id", json!("old"), "decisions[1].id", "old"),
        ("date", json!("soon"), "decisions[1].date", "must be a date"),
    ] {
        let mut wrong = file.clone();
        wrong["decisions"][1][field] = value;
        let refused = ada.post("/api/import?id=x", wrong).await.expect_error(400, text);
        assert_eq!(refused["field"], path);
    }
    // References to what is not in the file are left out.
    let mut other = file.clone();
    other["decisions"][1]["componentIds"] = json!(["gone", "a"]);
    other["decisions"][1]["supersedes"] = json!(["gone"]);
    ada.post("/api/import?id=x", other).await.created();
    let row = ada.get("/api/workspaces/x/decisions/new").await.ok()["decision"].clone();
    assert_eq!((&row["componentIds"], &row["supersedes"]), (&json!(["a"]), &json!([])));
}

#[tokio::test]
async fn a_copy_of_a_workspace_has_its_decisions() {
    let server = TestServer::new().await;
    let ada = with_decisions(&server).await;
    ada.post("/api/workspaces/w/duplicate", json!({ "id": "copy" })).await.created();
    assert_eq!(export(&ada, "copy").await["decisions"], export(&ada, "w").await["decisions"]);
}
