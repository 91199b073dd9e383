//! Logged and saved rows from before their kind had all of its fields, which the upgrade from schema 32 completes.

use serde_json::{Value, json};

use super::{OLDEST, data_dir_of, expected};
use crate::support::{TestClient, TestServer};

const W: &str = "/api/workspaces/w";

/// The oldest database, upgraded. It began as a database of schema 11, without the fields.
fn upgraded() -> (TestServer, Value) {
    (TestServer::on(data_dir_of(OLDEST), |_| {}), expected(OLDEST))
}

fn row<'b>(bundle: &'b Value, list: &str, id: &str) -> &'b Value {
    bundle[list].as_array().unwrap().iter().find(|row| row["id"] == id).unwrap()
}

/// The changes of a row, oldest first.
async fn history(script: &TestClient<'_>, kind: &str, id: &str) -> Vec<Value> {
    let found = script.get(&format!("{W}/history?entity={kind}&entityId={id}")).await.ok();
    found["changes"].as_array().unwrap().iter().rev().cloned().collect()
}

#[tokio::test]
async fn logged_rows_have_all_fields() {
    let (server, known) = upgraded();
    let script = server.with(known["token"].as_str().unwrap());
    let [created, updated] = &history(&script, "component", "search").await[..] else { panic!("two changes") };
    assert_eq!(created["row"]["tags"], json!(["core", "a \"quoted\" tag"]), "trimmed, and once");
    assert_eq!(updated["before"], created["row"]);
    assert_eq!(updated["row"]["technology"], json!(["Solr", "Java"]));
    assert_eq!(updated["fields"], json!(["properties", "tags", "technology"]));
    let ledger = &history(&script, "component", "ledger").await[0]["row"];
    assert_eq!((&ledger["tags"], &ledger["technology"], &ledger["width"]), (&json!([]), &json!([]), &Value::Null));
    let relationship = &history(&script, "relationship", "r4").await[0]["row"];
    assert_eq!((&relationship["technology"], &relationship["line"]), (&json!(["HTTP", "JSON"]), &Value::Null));

    // The same in the event stream, in past states and in differences.
    let mut follower = script.resume("w", Some(11)).await;
    let event = follower.next_event().await;
    assert_eq!((&event.data["row"]["tags"], event.data.get("seq").is_some()), (&json!([]), true), "{event:?}");
    let past = script.get(&format!("{W}?at=7")).await.ok();
    assert_eq!(row(&past, "components", "search")["technology"], json!(["OpenSearch"]));
    let difference = script.get(&format!("{W}/history/difference?from=7&to=8")).await.ok();
    let fields = &difference["components"]["changed"][0]["fields"];
    assert_eq!(fields["technology"], json!({ "from": ["OpenSearch"], "to": ["Solr", "Java"] }));
}

#[tokio::test]
async fn changes_from_before_the_upgrade_can_be_undone_and_versions_restored() {
    let (server, known) = upgraded();
    let script = server.with(known["token"].as_str().unwrap());
    let undo = async |change: &Value| {
        let change_set = json!({ "changeSetId": change["changeSetId"] });
        script.post(&format!("{W}/undo"), change_set).await.ok()["changeSetId"].clone()
    };
    let updated = history(&script, "component", "search").await[1].clone();
    undo(&updated).await;
    let bundle = script.bundle("w").await;
    assert_eq!(row(&bundle, "components", "search")["tags"], json!(["core", "a \"quoted\" tag"]));

    // A change of a new field is a change since: the older change cannot be undone any more.
    let created = history(&script, "component", "ledger").await[0].clone();
    let ledger = format!("{W}/components/ledger");
    script.header("x-batch-id", "tags").patch(&ledger, json!({ "tags": ["new"] })).await.ok();
    let refused = script.post(&format!("{W}/undo"), json!({ "changeSetId": created["changeSetId"] })).await.expect(409);
    assert_eq!(refused["code"], "changed_since");
    script.post(&format!("{W}/undo"), json!({ "batchId": "tags" })).await.ok();
    undo(&created).await;
    script.get(&ledger).await.expect(404);

    let version = script.get(&format!("{W}/versions")).await.ok()["versions"][0]["id"].clone();
    let saved = script.get(&format!("{W}/versions/{version}")).await.ok();
    assert_eq!(row(&saved, "components", "search")["technology"], json!(["Solr", "Java"]));
    script.post(&format!("{W}/versions/{version}/restore"), json!({})).await.ok();
    let bundle = script.bundle("w").await;
    assert_eq!(row(&bundle, "components", "search")["tags"], json!(["index"]));
    assert_eq!(row(&bundle, "relationships", "r4")["technology"], json!(["HTTP", "JSON"]));
}
