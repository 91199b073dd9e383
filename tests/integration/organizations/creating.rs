//! Creating and renaming an organization.

use serde_json::json;

use super::org_path;
use crate::support::TestServer;

#[tokio::test]
async fn an_instance_administrator_creates_an_organization_and_becomes_its_admin() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let founded = ada.post("/api/orgs", json!({ "name": "Blue Sky & Sons" })).await.created();
    assert_eq!(founded["organization"]["slug"], "blue-sky-sons");
    assert_eq!(founded["organization"]["role"], "org:admin");
    let mine = ada.get("/api/orgs").await.ok();
    let slugs: Vec<_> = mine["organizations"].as_array().unwrap().iter().map(|o| o["slug"].clone()).collect();
    assert_eq!(slugs, ["acme", "blue-sky-sons"]);
    // Names can repeat, slugs cannot.
    let twin = ada.post("/api/orgs", json!({ "name": "Blue Sky & Sons" })).await.created();
    assert_eq!(twin["organization"]["slug"], "blue-sky-sons-2");
    let taken = json!({ "name": "Other", "slug": "acme" });
    ada.post("/api/orgs", taken).await.expect_error(409, "an organization with the slug `acme` exists already");
}

#[tokio::test]
async fn an_invalid_name_or_slug_is_rejected() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let before = server.count("SELECT count(*) FROM organization");
    for (body, text) in [
        (json!({}), "name: is required"),
        (json!({ "name": "  " }), "name: must have 1 to 200 characters"),
        (json!({ "name": "x".repeat(201) }), "name: must have 1 to 200 characters"),
        (json!({ "name": "A", "slug": "A B" }), "slug: must consist of"),
        (json!({ "name": "A", "slug": 7 }), "slug: "),
        (json!({ "name": "A", "color": "red" }), "color: this resource has no such field"),
    ] {
        ada.post("/api/orgs", body).await.expect_error(400, text);
    }
    assert_eq!(server.count("SELECT count(*) FROM organization"), before);
}

#[tokio::test]
async fn an_admin_can_rename_the_organization_but_not_change_its_identity() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let path = org_path(&ada).await;
    let renamed = ada.patch(&path, json!({ "name": "Acme Ltd" })).await.ok();
    assert_eq!(renamed["organization"]["name"], "Acme Ltd");
    // The organization can be sent back unchanged.
    ada.patch(&path, renamed["organization"].clone()).await.ok();
    ada.patch(&path, json!({ "slug": "other" })).await.expect_error(400, "slug: cannot change; it is `acme`");
    let events = server.count("SELECT count(*) FROM audit WHERE kind = 'organization.rename'");
    assert_eq!(events, 1, "sending back the same writes nothing");
}

#[tokio::test]
async fn a_token_lists_only_its_own_organization() {
    let server = TestServer::new().await;
    let (person, script) = (server.sign_in("ada").await, server.script_client("ada").await);
    person.post("/api/orgs", json!({ "name": "Other" })).await.created();
    let seen = script.get("/api/orgs").await.ok();
    assert_eq!(seen["organizations"].as_array().unwrap().len(), 1);
    assert_eq!(seen["organizations"][0]["slug"], "acme");
    script.post("/api/orgs", json!({ "name": "More" })).await.expect_error(403, "needs a session");
}
