//! A bulk is read back as it was sent and has the effect that its dry run predicted.

use serde_json::{Value, json};

use super::{
    Fixture,
    models::{Model, model},
};

/// Compares the fields of `read` that were `sent`, as text, so that the order of keys and the format of numbers count.
/// `read` has no other fields that a caller can send.
fn same_fields(sent: &Value, read: &Value) {
    let fields = ["id", "typeId", "name", "description", "label", "x", "y", "sourceId", "targetId", "properties"];
    for field in fields.into_iter().chain(["width", "height", "tags", "technology", "line"]) {
        if let (None, "id") = (sent.get(field), field) {
            continue; // a workspace's own, from the path
        }
        assert_eq!(sent.get(field).map(Value::to_string), read.get(field).map(Value::to_string), "{field}");
    }
}

fn assert_contains(bundle: &Value, model: &Model) {
    same_fields(&model.workspace, &bundle["workspace"]);
    for (sent, read) in [(&model.components, &bundle["components"]), (&model.relationships, &bundle["relationships"])] {
        let read = read.as_array().unwrap();
        assert_eq!(sent.len(), read.len());
        sent.iter().zip(read).for_each(|(sent, read)| same_fields(sent, read));
    }
}

fn ids(rows: &Value) -> Vec<String> {
    rows.as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}

fn sorted(mut ids: Vec<String>) -> Vec<String> {
    ids.sort();
    ids
}

/// The expected dry run of one kind: created, updated and deleted IDs.
fn difference(before: &Value, after: &Value, kind: &str, revision: &Value) -> [Vec<String>; 3] {
    let (old, new) = (ids(&before[kind]), ids(&after[kind]));
    let written: Vec<String> = after[kind]
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["revision"] == *revision)
        .map(|row| row["id"].as_str().unwrap().to_owned())
        .collect();
    let without = |ids: &[String], others: &[String]| {
        sorted(ids.iter().filter(|id| !others.contains(id)).cloned().collect::<Vec<_>>())
    };
    let created = without(&new, &old);
    [created.clone(), without(&written, &created), without(&old, &new)]
}

#[test]
fn a_bulk_is_read_back_as_sent_and_predicted_by_its_dry_run() {
    let fixture = Fixture::new();
    fixture.check(60, (model(), model()), async |id, (first, second)| {
        let ada = fixture.client(0);
        let path = format!("/api/workspaces/{id}");
        let (bulk, dry) = (format!("{path}/bulk"), format!("{path}/bulk?dryRun=true"));

        ada.put(&dry, first.body()).await.ok();
        ada.get(&path).await.expect_error(404, "workspace");
        let done = ada.put(&bulk, first.body()).await.ok();
        assert_contains(&done, &first);
        let before = ada.get(&path).await.ok();
        assert_contains(&before, &first);

        ada.put(&bulk, first.body()).await.ok();
        assert_eq!(ada.get(&path).await.ok(), before, "the same again changes nothing, not even a revision");
        ada.put(&bulk, before.clone()).await.ok();
        assert_eq!(ada.get(&path).await.ok(), before, "what was read can be sent back");

        let foretold = ada.put(&dry, second.body()).await.ok();
        assert_eq!(ada.get(&path).await.ok(), before, "a dry run writes nothing");
        ada.put(&bulk, second.body()).await.ok();
        let after = ada.get(&path).await.ok();
        assert_contains(&after, &second);
        let moved = before["workspace"]["revision"] != after["workspace"]["revision"];
        for kind in ["components", "relationships"] {
            let revision = if moved { &after["workspace"]["revision"] } else { &Value::Null };
            let expected = difference(&before, &after, kind, revision);
            for (what, expected) in ["created", "updated", "deleted"].into_iter().zip(expected) {
                let said: Vec<String> = serde_json::from_value(foretold[what][kind].clone()).unwrap();
                assert_eq!(sorted(said), expected, "{what} {kind}");
            }
        }
        assert_eq!(foretold["created"]["workspaces"], json!([]));
        let own =
            |bundle: &Value| ["name", "description", "properties"].map(|key| bundle["workspace"][key].to_string());
        let expected = if own(&before) == own(&after) { json!([]) } else { json!([id]) };
        assert_eq!(foretold["updated"]["workspaces"], expected);
    });
}
