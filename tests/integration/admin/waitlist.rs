//! The waitlist, from a stranger's wish to an invitation.

use serde_json::{Value, json};

use super::{iris, kinds, on_disk};
use crate::support::Stage;

const PATH: &str = "/api/waitlist";
const LIST: &str = "/api/admin/waitlist";

#[tokio::test]
async fn a_stranger_asks_and_an_administrator_reads() {
    let stage = Stage::new().await;
    let eve = json!({ "email": " eve@example.org ", "name": "Eve", "company": "Evil & Co", "note": "Please.\n" });
    assert_eq!(stage.anonymous().post(PATH, eve).await.created(), json!({ "ok": true }));
    stage.anonymous().post(PATH, json!({ "email": "max@example.org" })).await.created();
    let ada = stage.sign_in("ada").await;
    let entries = ada.get(LIST).await.ok()["entries"].clone();
    let mut first = entries[0].clone();
    assert!(first.as_object_mut().unwrap().remove("createdAt").unwrap().is_i64());
    let expected = json!({
        "id": 1, "email": "eve@example.org", "name": "Eve", "company": "Evil & Co", "note": "Please.\n",
        "invitedAt": null,
    });
    assert_eq!(first, expected);
    assert_eq!((&entries[1]["email"], &entries[1]["name"]), (&json!("max@example.org"), &Value::Null));
    ada.delete(&format!("{LIST}/1")).await.ok();
    ada.delete(&format!("{LIST}/1")).await.refused(404, "entry not found");
    ada.delete(&format!("{LIST}/eve")).await.refused(400, "path");
    assert_eq!(ada.get(LIST).await.ok()["entries"], json!([entries[1]]));
    let events: Vec<_> = kinds(&stage).into_iter().filter(|kind| kind.starts_with("waitlist")).collect();
    assert_eq!(events, ["waitlist.join", "waitlist.join", "waitlist.remove"]);
}

#[tokio::test]
async fn a_known_address_is_told_the_same_and_changes_nothing() {
    let stage = Stage::new().await;
    let first = stage.anonymous().post(PATH, json!({ "email": "eve@example.org", "name": "Eve" })).await;
    let before = stage.written();
    for email in ["eve@example.org", "EVE@example.org"] {
        let again = stage.anonymous().post(PATH, json!({ "email": email, "name": "Mallory", "note": "x" })).await;
        assert_eq!(again.created(), first.created());
        let names = |reply: &crate::support::Reply| {
            reply.headers.keys().map(|name| name.as_str().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(names(&again), names(&first));
    }
    // Nor can one with an account be told from one without.
    stage.sql(|conn| conn.execute("UPDATE user SET email = 'ada@example.org'", []).unwrap());
    let known = stage.anonymous().post(PATH, json!({ "email": "ada@example.org" })).await;
    assert_eq!(known.created(), first.created());
    assert_eq!(stage.written(), (before.0, before.1 + 1), "one entry more");
    assert_eq!(stage.sign_in("ada").await.get(LIST).await.ok()["entries"][0]["name"], "Eve");
}

#[tokio::test]
async fn what_cannot_be_an_entry_is_refused_by_field() {
    let stage = Stage::new().await;
    let before = stage.written();
    let with = |field: &str, value: Value| {
        let mut body = json!({ "email": "eve@example.org" });
        body[field] = value;
        body
    };
    let cases = [
        (json!({}), "email"),
        (with("email", json!(null)), "email"),
        (with("email", json!("")), "email"),
        (with("email", json!("eve")), "email"),
        (with("email", json!("eve@")), "email"),
        (with("email", json!("@example.org")), "email"),
        (with("email", json!("eve@example@org")), "email"),
        (with("email", json!("e ve@example.org")), "email"),
        (with("email", json!("eve@example.org\nbcc: all@example.org")), "email"),
        (with("email", json!(format!("e@{}", "x".repeat(253)))), "email"),
        (with("email", json!(["eve@example.org"])), "email"),
        (with("name", json!(" ")), "name"),
        (with("name", json!("x".repeat(201))), "name"),
        (with("company", json!("x".repeat(201))), "company"),
        (with("company", json!({})), "company"),
        (with("note", json!("x".repeat(10_001))), "note"),
        (with("invitedAt", json!(1)), "invitedAt"),
        (with("id", json!(1)), "id"),
    ];
    for (body, field) in cases {
        let reply = stage.anonymous().post(PATH, body).await;
        assert_eq!(reply.expect(400)["field"], field, "{reply}");
        assert!(reply.bytes.len() < 1_000);
    }
    assert_eq!(stage.written(), before);
    assert_eq!(stage.count("SELECT count(*) FROM waitlist"), 0);
    stage.anonymous().post(PATH, with("email", json!(format!("e@{}", "x".repeat(252))))).await.created();
}

#[tokio::test]
async fn a_closed_waitlist_takes_nobody() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    ada.patch("/api/admin/settings", json!({ "waitlist.open": false })).await.ok();
    let before = stage.written();
    let eve = json!({ "email": "eve@example.org" });
    stage.anonymous().post(PATH, eve.clone()).await.refused(403, "the waitlist of this instance is closed");
    assert_eq!(stage.written(), before);
    ada.patch("/api/admin/settings", json!({ "waitlist.open": true })).await.ok();
    stage.anonymous().post(PATH, eve).await.created();
}

#[tokio::test]
async fn an_administrator_invites_into_the_organization_they_act_in() {
    let stage = Stage::new().await;
    stage.anonymous().post(PATH, json!({ "email": "eve@example.org" })).await.created();
    let (ada, path) = (stage.sign_in("ada").await, format!("{LIST}/1/invite"));
    let acme = ada.get("/api/me").await.ok()["session"]["orgId"].clone();
    let reply = ada.post(&path, json!({ "orgId": acme, "role": "org:admin" })).await.created();
    let (invitation, token) = (&reply["invitation"], reply["token"].as_str().unwrap());
    assert_eq!((&invitation["email"], &invitation["role"]), (&json!("eve@example.org"), &json!("org:admin")));
    assert!(reply["url"].as_str().unwrap().ends_with(token) && !on_disk(&stage, token));
    let open = ada.get(&format!("/api/orgs/{}/invitations", acme.as_str().unwrap())).await.ok();
    assert_eq!(open["invitations"][0]["id"], invitation["id"]);
    assert!(ada.get(LIST).await.ok()["entries"][0]["invitedAt"].is_i64());
    // The link may have been lost: there can be another.
    let again = ada.post(&path, json!({})).await.created();
    assert_eq!(again["invitation"]["role"], "org:member");
    assert_ne!(again["token"], token);

    let before = stage.written();
    ada.post(&path, json!({ "orgId": "org_other" })).await.refused(404, "organization");
    ada.post(&path, json!({ "role": "admin" })).await.refused(400, "role");
    ada.post(&path, json!({ "email": "max@example.org" })).await.refused(400, "email");
    ada.post(&format!("{LIST}/2/invite"), json!({})).await.refused(404, "entry not found");
    let refusal = iris(&stage).await.post(&path, json!({})).await.refused(400, "active organization");
    assert_eq!(refusal["code"], "no_active_org");
    assert_eq!(stage.written(), (before.0, before.1 + 1), "iris signed in, and that was all");
}

#[tokio::test]
async fn who_is_no_admin_of_the_organization_makes_none() {
    let stage = Stage::new().await;
    let ian = stage.seed_member("ian", "acme", "org:member");
    stage.sql(|conn| conn.execute("UPDATE user SET is_admin = 1 WHERE id = ?", [ian]).unwrap());
    stage.anonymous().post(PATH, json!({ "email": "eve@example.org" })).await.created();
    let (ian, path) = (stage.sign_in("ian").await, format!("{LIST}/1/invite"));
    ian.post(&path, json!({ "role": "org:admin" })).await.refused(403, "an admin of the organization");
    ian.post(&path, json!({ "role": "org:member" })).await.created();
}

#[tokio::test]
async fn whoever_asks_again_and_again_waits_and_nobody_else_does() {
    let stage = Stage::new().await;
    let eve = |n: usize| json!({ "email": format!("eve-{n}@example.org") });
    let asks = |address: [u8; 4], n: usize| {
        let actor = stage.anonymous().from(address);
        async move { actor.post(PATH, json!({ "email": format!("eve-{n}@example.org") })).await }
    };
    for n in 0..5 {
        asks([192, 0, 2, 1], n).await.created();
    }
    let before = stage.written();
    // Known and unknown alike.
    for n in [0, 6] {
        let reply = asks([192, 0, 2, 1], n).await;
        assert_eq!(reply.refused(429, "too many attempts")["code"], "rate_limited");
        assert!(reply.header("retry-after").parse::<u64>().unwrap() >= 1);
    }
    assert_eq!(stage.written(), before);
    asks([192, 0, 2, 2], 6).await.created();
    stage.clock.advance(planroom::clock::MINUTE);
    stage.anonymous().from([192, 0, 2, 1]).post(PATH, eve(7)).await.created();
}

#[tokio::test]
async fn an_invitation_from_the_waitlist_is_over_when_its_author_administers_no_more() {
    let stage = Stage::new().await;
    let ian = stage.seed_member("ian", "acme", "org:member");
    stage.sql(|conn| conn.execute("UPDATE user SET is_admin = 1 WHERE id = ?", [ian]).unwrap());
    stage.anonymous().post(PATH, json!({ "email": "eve@example.org" })).await.created();
    let created = stage.sign_in("ian").await.post(&format!("{LIST}/1/invite"), json!({})).await.created();
    let path = format!("/api/auth/invitations/{}", created["token"].as_str().unwrap());
    stage.anonymous().get(&path).await.ok();
    let ada = stage.sign_in("ada").await;
    ada.patch(&format!("/api/admin/users/{ian}"), json!({ "isAdmin": false })).await.ok();
    stage.anonymous().get(&path).await.refused(404, "invitation");
}
