//! Founding and renaming.

use serde_json::json;

use super::org_path;
use crate::support::Stage;

#[tokio::test]
async fn an_instance_administrator_founds_an_organization_and_is_its_admin() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let founded = ada.post("/api/orgs", json!({ "name": "Blue Sky & Sons" })).await.created();
    assert_eq!(founded["organization"]["slug"], "blue-sky-sons");
    assert_eq!(founded["organization"]["role"], "org:admin");
    let mine = ada.get("/api/orgs").await.ok();
    let slugs: Vec<_> = mine["organizations"].as_array().unwrap().iter().map(|o| o["slug"].clone()).collect();
    assert_eq!(slugs, ["acme", "blue-sky-sons"]);
    // Names may repeat, slugs may not.
    let twin = ada.post("/api/orgs", json!({ "name": "Blue Sky & Sons" })).await.created();
    assert_eq!(twin["organization"]["slug"], "blue-sky-sons-2");
    let taken = json!({ "name": "Other", "slug": "acme" });
    ada.post("/api/orgs", taken).await.refused(409, "an organization with the slug `acme` exists already");
}

#[tokio::test]
async fn a_name_or_slug_that_cannot_be_is_refused() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let before = stage.count("SELECT count(*) FROM organization");
    for (body, text) in [
        (json!({}), "name: is required"),
        (json!({ "name": "  " }), "name: must have 1 to 200 characters"),
        (json!({ "name": "x".repeat(201) }), "name: must have 1 to 200 characters"),
        (json!({ "name": "A", "slug": "A B" }), "slug: must consist of"),
        (json!({ "name": "A", "slug": 7 }), "slug: "),
        (json!({ "name": "A", "color": "red" }), "color: this resource has no such field"),
    ] {
        ada.post("/api/orgs", body).await.refused(400, text);
    }
    assert_eq!(stage.count("SELECT count(*) FROM organization"), before);
}

#[tokio::test]
async fn an_admin_renames_the_organization_but_its_identity_stays() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let path = org_path(&ada).await;
    let renamed = ada.patch(&path, json!({ "name": "Acme Ltd" })).await.ok();
    assert_eq!(renamed["organization"]["name"], "Acme Ltd");
    // What was read can be sent back.
    ada.patch(&path, renamed["organization"].clone()).await.ok();
    ada.patch(&path, json!({ "slug": "other" })).await.refused(400, "slug: cannot change; it is `acme`");
    let events = stage.count("SELECT count(*) FROM audit WHERE kind = 'organization.rename'");
    assert_eq!(events, 1, "sending back the same writes nothing");
}

#[tokio::test]
async fn a_token_shows_the_one_organization_that_it_is_bound_to() {
    let stage = Stage::new().await;
    let (person, script) = (stage.sign_in("ada").await, stage.script_of("ada").await);
    person.post("/api/orgs", json!({ "name": "Other" })).await.created();
    let seen = script.get("/api/orgs").await.ok();
    assert_eq!(seen["organizations"].as_array().unwrap().len(), 1);
    assert_eq!(seen["organizations"][0]["slug"], "acme");
    script.post("/api/orgs", json!({ "name": "More" })).await.refused(403, "needs a session");
}
