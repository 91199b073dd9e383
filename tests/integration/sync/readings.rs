//! Converting files.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::json;

use super::{COMPOSE, read, request, shop, sync};
use crate::support::TestServer;

#[tokio::test]
async fn files_are_converted_to_rows_with_keys_and_lines_and_nothing_is_stored() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let before = server.log_sizes();
    let found = read(&ada, "deploy/compose.yaml", COMPOSE).await;
    assert_eq!((&found["format"], &found["formatName"]), (&json!("compose"), &json!("Docker Compose")));
    assert_eq!((&found["files"], &found["isObserved"]), (&json!(["deploy/compose.yaml"]), &json!(false)));
    let rows = found["reading"]["components"].as_array().unwrap();
    assert_eq!(found["counts"]["components"], rows.len());
    let web = rows.iter().find(|row| row["name"] == "web").unwrap();
    assert_eq!(web["origin"], json!({ "key": "web", "scope": "deploy/", "file": "deploy/compose.yaml", "line": 3 }));
    assert_eq!(found["reading"]["relationships"].as_array().unwrap().len(), found["counts"]["relationships"]);
    assert_eq!(server.log_sizes(), before);
}

#[tokio::test]
async fn files_in_base64_and_a_given_format_give_the_same_rows() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let file = json!({ "name": "compose.yaml", "contentBase64": STANDARD.encode(COMPOSE) });
    let found = ada.post("/api/readings", json!({ "files": [file], "format": "compose" })).await.ok();
    assert_eq!(found["reading"], read(&ada, "compose.yaml", COMPOSE).await["reading"]);
}

#[tokio::test]
async fn a_field_that_is_null_has_its_default() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let nulls = json!({ "name": null, "motivation": null, "columns": null });
    let files = json!([{ "name": "compose.yaml", "content": COMPOSE }]);
    ada.post("/api/readings", json!({ "files": files, "options": nulls, "format": null })).await.ok();
    let mut wanted = request(&ada, COMPOSE).await;
    for part in ["people", "teams", "stakeholders", "links", "processes", "views"] {
        wanted["reading"][part] = json!(null);
    }
    for field in ["tags", "technology", "isBox", "hasOwnId"] {
        wanted["reading"]["components"][0][field] = json!(null);
    }
    for field in ["adopt", "prune", "allowMassRemoval", "draw", "renames", "only", "restore", "owners", "directory"] {
        wanted[field] = json!(null);
    }
    sync(&ada, &wanted).await;
}

#[tokio::test]
async fn a_file_that_cannot_be_read_is_named_with_its_line_and_what_to_do() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let send = async |file: serde_json::Value| ada.post("/api/readings", json!({ "files": [file] })).await;
    let bad = json!({ "name": "compose.yaml", "content": "services:\n  web: [\n" });
    send(bad).await.expect_error(400, "files: compose.yaml:");
    let unknown = json!({ "name": "notes.txt", "content": "hello" });
    send(unknown)
        .await
        .expect_error(400, "files: notes.txt: the format was not recognized; supported formats: structurizr-json");
    let cut = json!({ "name": "traces.json", "content": "[\n  {\"parent\": \"web\",\n" });
    send(cut).await.expect_error(400, "files: traces.json:3: the file is not valid JSON: ");
    send(json!({ "name": "a.yaml" })).await.expect_error(400, "files[0].content: is required, or `contentBase64`");
    send(json!({ "name": "a.yaml", "contentBase64": "%" }))
        .await
        .expect_error(400, "files[0].contentBase64: must be base64");
    let wrong = json!({ "files": [{ "name": "compose.yaml", "content": COMPOSE }], "format": "visio" });
    ada.post("/api/readings", wrong).await.expect_error(400, "format: `visio` is not a format; use one of: ");
    ada.post("/api/readings", json!({ "files": [] })).await.expect_error(400, "files: no file was given");
}

#[tokio::test]
async fn files_of_another_format_are_named_and_not_listed_as_read() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let pod = "apiVersion: v1\nkind: Pod\nmetadata: { name: web }\n";
    let files = json!([
        { "name": "compose.yaml", "content": COMPOSE },
        { "name": "pod.yaml", "content": pod },
        { "name": ".env", "content": "A=b" },
    ]);
    let found = ada.post("/api/readings", json!({ "files": files })).await.ok();
    assert_eq!((&found["format"], &found["files"]), (&json!("kubernetes"), &json!(["pod.yaml"])));
    let text = "the file was not read, because it is a file of another format (Docker Compose); import it as a source of its own";
    let other = json!({ "file": "compose.yaml", "line": 1, "severity": "warning", "text": text });
    assert_eq!(found["diagnostics"][0], other);
    let chosen = ada.post("/api/readings", json!({ "files": files, "format": "compose" })).await.ok();
    assert_eq!(chosen["files"], json!(["compose.yaml", ".env"]));
    assert_eq!(chosen["diagnostics"][0]["file"], "pod.yaml");
}

#[tokio::test]
async fn what_was_not_read_is_counted_by_reason_and_listed_with_the_source() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let secret = |name: &str| format!("---\napiVersion: v1\nkind: Secret\nmetadata: {{ name: {name} }}\n");
    let app = "apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec:\n  template:\n    spec:\n      \
               containers: [{ name: web, image: acme/web }]\n";
    let found = read(&ada, "app.yaml", &[app.to_owned(), secret("a"), secret("b")].concat()).await;
    assert_eq!(found["notRead"], json!([{ "reason": "Secret", "count": 2 }]));
    let source = json!({ "id": "shop:app.yaml", "kind": "kubernetes", "notRead": found["notRead"] });
    sync(&ada, &json!({ "source": source, "reading": found["reading"] })).await;
    let listed = async |workspace: &str| {
        ada.get(&format!("/api/workspaces/{workspace}/sources")).await.ok()["sources"][0]["notRead"].clone()
    };
    assert_eq!(listed("shop").await, found["notRead"]);
    let file = ada.get("/api/workspaces/shop/export").await.ok();
    ada.post("/api/import?id=copy", file).await.created();
    assert_eq!(listed("copy").await, found["notRead"]);
    let less = read(&ada, "app.yaml", app).await;
    let source = json!({ "id": "shop:app.yaml", "kind": "kubernetes", "notRead": less["notRead"] });
    sync(&ada, &json!({ "source": source, "reading": less["reading"] })).await;
    assert_eq!(listed("shop").await, json!([]));
}
