//! Invitations: made by admins, given by hand, good once and for a week.

use planroom::clock::DAY;
use serde_json::json;

use super::{acme, org_path};

#[tokio::test]
async fn the_link_is_shown_once_and_kept_as_a_hash() {
    let (stage, ..) = acme().await;
    let ada = stage.sign_in("ada").await;
    let invitations = format!("{}/invitations", org_path(&ada).await);
    let made = ada.post(&invitations, json!({ "email": "dee@example.org", "role": "org:admin" })).await.created();
    let token = made["token"].as_str().unwrap();
    assert_eq!(made["url"], format!("http://planroom.test/join#{token}"));
    let list = ada.get(&invitations).await;
    assert_eq!(list.ok()["invitations"], json!([made["invitation"]]));
    assert!(!String::from_utf8_lossy(&list.bytes).contains(token));
    for file in ["planroom.db", "planroom.db-wal"] {
        let bytes = std::fs::read(stage.dir.path().join(file)).unwrap();
        assert!(!bytes.windows(token.len()).any(|w| w == token.as_bytes()), "the secret is in {file}");
    }
}

#[tokio::test]
async fn who_holds_the_link_is_told_what_it_opens_until_it_is_withdrawn_or_old() {
    let (stage, ..) = acme().await;
    let ada = stage.sign_in("ada").await;
    let invitations = format!("{}/invitations", org_path(&ada).await);
    let made = ada.post(&invitations, json!({})).await.created();
    let path = format!("/api/auth/invitations/{}", made["token"].as_str().unwrap());
    let seen = stage.anonymous().get(&path).await.ok();
    assert_eq!((&seen["organization"], &seen["role"]), (&json!("acme"), &json!("org:member")));
    stage.anonymous().get("/api/auth/invitations/made-up").await.refused(404, "invitation");
    let id = &made["invitation"]["id"];
    ada.delete(&format!("{invitations}/{id}")).await.ok();
    stage.anonymous().get(&path).await.refused(404, "invitation");
    ada.delete(&format!("{invitations}/{id}")).await.refused(404, "invitation");

    let old = ada.post(&invitations, json!({})).await.created();
    stage.clock.advance(7 * DAY);
    let ada = stage.sign_in("ada").await;
    let path = format!("/api/auth/invitations/{}", old["token"].as_str().unwrap());
    stage.anonymous().get(&path).await.refused(404, "invitation");
    assert_eq!(ada.get(&invitations).await.ok()["invitations"], json!([]));
}

#[tokio::test]
async fn what_cannot_be_is_refused() {
    let (stage, ..) = acme().await;
    let ada = stage.sign_in("ada").await;
    let invitations = format!("{}/invitations", org_path(&ada).await);
    for (body, text) in [
        (json!({ "email": "dee" }), "email: must be an e-mail address"),
        (json!({ "email": "dee@a@b" }), "email: must be an e-mail address"),
        (json!({ "email": format!("{}@b", "x".repeat(254)) }), "email: must have 3 to 254"),
        (json!({ "role": "owner" }), "role: "),
        (json!({ "name": "Dee" }), "name: this resource has no such field"),
    ] {
        ada.post(&invitations, body).await.refused(400, text);
    }
    assert_eq!(stage.count("SELECT count(*) FROM invitation"), 0);
}
