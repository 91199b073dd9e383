//! The waitlist, from the entry to the invitation.

use serde_json::{Value, json};

use super::{admin_without_organization, kinds, on_disk};
use crate::support::TestServer;

const PATH: &str = "/api/waitlist";
const LIST: &str = "/api/admin/waitlist";

#[tokio::test]
async fn a_visitor_joins_the_waitlist_and_an_administrator_reads_it() {
    let server = TestServer::new().await;
    let eve = json!({ "email": " eve@example.org ", "name": "Eve", "company": "Evil & Co", "note": "Please.\n" });
    assert_eq!(server.anonymous().post(PATH, eve).await.created(), json!({ "ok": true }));
    server.anonymous().post(PATH, json!({ "email": "max@example.org" })).await.created();
    let ada = server.sign_in("ada").await;
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
    ada.delete(&format!("{LIST}/1")).await.expect_error(404, "entry not found");
    ada.delete(&format!("{LIST}/eve")).await.expect_error(400, "path");
    assert_eq!(ada.get(LIST).await.ok()["entries"], json!([entries[1]]));
    let events: Vec<_> = kinds(&server).into_iter().filter(|kind| kind.starts_with("waitlist")).collect();
    assert_eq!(events, ["waitlist.join", "waitlist.join", "waitlist.remove"]);
}

#[tokio::test]
async fn a_known_address_gets_the_same_response_and_changes_nothing() {
    let server = TestServer::new().await;
    let first = server.anonymous().post(PATH, json!({ "email": "eve@example.org", "name": "Eve" })).await;
    let before = server.log_sizes();
    for email in ["eve@example.org", "EVE@example.org"] {
        let again = server.anonymous().post(PATH, json!({ "email": email, "name": "Mallory", "note": "x" })).await;
        assert_eq!(again.created(), first.created());
        let names = |reply: &crate::support::TestResponse| {
            reply.headers.keys().map(|name| name.as_str().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(names(&again), names(&first));
    }
    // Addresses with and without an account are indistinguishable.
    server.sql(|conn| conn.execute("UPDATE user SET email = 'ada@example.org'", []).unwrap());
    let known = server.anonymous().post(PATH, json!({ "email": "ada@example.org" })).await;
    assert_eq!(known.created(), first.created());
    assert_eq!(server.log_sizes(), (before.0, before.1 + 1), "one entry more");
    assert_eq!(server.sign_in("ada").await.get(LIST).await.ok()["entries"][0]["name"], "Eve");
}

#[tokio::test]
async fn an_invalid_entry_is_rejected_by_field() {
    let server = TestServer::new().await;
    let before = server.log_sizes();
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
        let reply = server.anonymous().post(PATH, body).await;
        assert_eq!(reply.expect(400)["field"], field, "{reply}");
        assert!(reply.bytes.len() < 1_000);
    }
    assert_eq!(server.log_sizes(), before);
    assert_eq!(server.count("SELECT count(*) FROM waitlist"), 0);
    server.anonymous().post(PATH, with("email", json!(format!("e@{}", "x".repeat(252))))).await.created();
}

#[tokio::test]
async fn a_closed_waitlist_accepts_no_entries() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    ada.patch("/api/admin/settings", json!({ "waitlist.open": false })).await.ok();
    let before = server.log_sizes();
    let eve = json!({ "email": "eve@example.org" });
    server.anonymous().post(PATH, eve.clone()).await.expect_error(403, "the waitlist of this instance is closed");
    assert_eq!(server.log_sizes(), before);
    ada.patch("/api/admin/settings", json!({ "waitlist.open": true })).await.ok();
    server.anonymous().post(PATH, eve).await.created();
}

#[tokio::test]
async fn an_administrator_invites_to_the_active_organization() {
    let server = TestServer::new().await;
    server.anonymous().post(PATH, json!({ "email": "eve@example.org" })).await.created();
    let (ada, path) = (server.sign_in("ada").await, format!("{LIST}/1/invite"));
    let acme = ada.get("/api/me").await.ok()["session"]["orgId"].clone();
    let reply = ada.post(&path, json!({ "orgId": acme, "role": "org:admin" })).await.created();
    let (invitation, token) = (&reply["invitation"], reply["token"].as_str().unwrap());
    assert_eq!((&invitation["email"], &invitation["role"]), (&json!("eve@example.org"), &json!("org:admin")));
    assert!(reply["url"].as_str().unwrap().ends_with(token) && !on_disk(&server, token));
    let open = ada.get(&format!("/api/orgs/{}/invitations", acme.as_str().unwrap())).await.ok();
    assert_eq!(open["invitations"][0]["id"], invitation["id"]);
    assert!(ada.get(LIST).await.ok()["entries"][0]["invitedAt"].is_i64());
    // The link can be lost: another one can be created.
    let again = ada.post(&path, json!({})).await.created();
    assert_eq!(again["invitation"]["role"], "org:member");
    assert_ne!(again["token"], token);

    let before = server.log_sizes();
    ada.post(&path, json!({ "orgId": "org_other" })).await.expect_error(404, "organization");
    ada.post(&path, json!({ "role": "admin" })).await.expect_error(400, "role");
    ada.post(&path, json!({ "email": "max@example.org" })).await.expect_error(400, "email");
    ada.post(&format!("{LIST}/2/invite"), json!({})).await.expect_error(404, "entry not found");
    let refusal =
        admin_without_organization(&server).await.post(&path, json!({})).await.expect_error(400, "active organization");
    assert_eq!(refusal["code"], "no_active_org");
    assert_eq!(server.log_sizes(), (before.0, before.1 + 1), "iris signed in, and that was all");
}

#[tokio::test]
async fn only_an_admin_of_the_organization_can_invite() {
    let server = TestServer::new().await;
    let ian = server.seed_member("ian", "acme", "org:member");
    server.sql(|conn| conn.execute("UPDATE user SET is_admin = 1 WHERE id = ?", [ian]).unwrap());
    server.anonymous().post(PATH, json!({ "email": "eve@example.org" })).await.created();
    let (ian, path) = (server.sign_in("ian").await, format!("{LIST}/1/invite"));
    ian.post(&path, json!({ "role": "org:admin" })).await.expect_error(403, "an admin of the organization");
    ian.post(&path, json!({ "role": "org:member" })).await.created();
}

#[tokio::test]
async fn repeated_requests_of_one_visitor_are_rate_limited_and_others_are_not() {
    let server = TestServer::new().await;
    let eve = |n: usize| json!({ "email": format!("eve-{n}@example.org") });
    let asks = |address: [u8; 4], n: usize| {
        let client = server.anonymous().from(address);
        async move { client.post(PATH, json!({ "email": format!("eve-{n}@example.org") })).await }
    };
    for n in 0..5 {
        asks([192, 0, 2, 1], n).await.created();
    }
    let before = server.log_sizes();
    // For known and unknown addresses alike.
    for n in [0, 6] {
        let reply = asks([192, 0, 2, 1], n).await;
        assert_eq!(reply.expect_error(429, "too many attempts")["code"], "rate_limited");
        assert!(reply.header("retry-after").parse::<u64>().unwrap() >= 1);
    }
    assert_eq!(server.log_sizes(), before);
    asks([192, 0, 2, 2], 6).await.created();
    server.clock.advance(planroom::clock::MINUTE);
    server.anonymous().from([192, 0, 2, 1]).post(PATH, eve(7)).await.created();
}

#[tokio::test]
async fn a_waitlist_invitation_expires_when_its_author_is_no_longer_an_administrator() {
    let server = TestServer::new().await;
    let ian = server.seed_member("ian", "acme", "org:member");
    server.sql(|conn| conn.execute("UPDATE user SET is_admin = 1 WHERE id = ?", [ian]).unwrap());
    server.anonymous().post(PATH, json!({ "email": "eve@example.org" })).await.created();
    let created = server.sign_in("ian").await.post(&format!("{LIST}/1/invite"), json!({})).await.created();
    let path = format!("/api/auth/invitations/{}", created["token"].as_str().unwrap());
    server.anonymous().get(&path).await.ok();
    let ada = server.sign_in("ada").await;
    ada.patch(&format!("/api/admin/users/{ian}"), json!({ "isAdmin": false })).await.ok();
    server.anonymous().get(&path).await.expect_error(404, "invitation");
}
