//! Slow, broken or hostile providers, race conditions, and attacks by users.

use serde_json::{Value, json};

use super::{connected, connected_by_token, registered};
use crate::support::{
    TestClient, TestResponse, TestServer,
    wiki::{
        CODE, FakeWiki, Fault,
        content::{address, dashed, plain},
    },
};

const TEST: &str = "/api/admin/wiki/test";
const END: &str = "/api/admin/wiki/disconnect";
const TOKEN: &str = "POST /v1/oauth/token";

/// Two organizations, each with its own connection by OAuth.
async fn two_connected() -> (TestServer, FakeWiki) {
    let (server, wiki) = connected().await;
    server.seed_admin("eve", "other").await;
    assert_eq!(server.sign_in("eve").await.connect(&wiki).await, "/?wiki=connected");
    wiki.take_requests();
    (server, wiki)
}

impl TestClient<'_> {
    /// Tests the connection, whose token has expired; `what` runs after the provider received the refresh and before it
    /// responds.
    async fn test_connection_during(&self, wiki: &FakeWiki, what: impl Future<Output = ()>) -> TestResponse {
        wiki.expire();
        let held = wiki.pause_response(TOKEN);
        let meanwhile = async {
            held.received().await;
            what.await;
            held.release();
        };
        tokio::join!(self.post(TEST, json!({})), meanwhile).0
    }
}

#[tokio::test]
async fn disconnecting_during_a_refresh_disconnects_and_revokes_the_new_tokens() {
    let (server, wiki) = connected().await;
    let ada = server.sign_in("ada").await;
    let reply = ada.test_connection_during(&wiki, async { drop(ada.post(END, json!({})).await.ok()) }).await;
    reply.expect_error(503, "not configured");
    assert_eq!(server.count("SELECT count(*) FROM wiki_connection"), 0);
    assert_eq!(ada.status().await["configured"], false);
    assert_eq!(wiki.state().valid_user_tokens(), 0, "what nobody has any more is good for nobody");
}

#[tokio::test]
async fn reconnecting_during_a_refresh_keeps_the_new_connection() {
    let (server, wiki) = connected().await;
    let ada = server.sign_in("ada").await;
    let reply =
        ada.test_connection_during(&wiki, async { assert_eq!(ada.connect(&wiki).await, "/?wiki=connected") }).await;
    reply.ok();
    wiki.take_requests();
    ada.post(TEST, json!({})).await.ok();
    assert_eq!(wiki.take_requests(), ["GET /v1/users/me 200"], "by the newest token");
}

#[tokio::test]
async fn losing_the_permission_during_the_code_exchange_connects_nothing_and_leaves_no_token() {
    let (server, wiki) = registered().await;
    let bob = server.seed_member("bob", "acme", "org:admin");
    let browser = server.sign_in("bob").await;
    let nonce = browser.start().await;
    wiki.authorize();
    let held = wiki.pause_response(TOKEN);
    let meanwhile = async {
        held.received().await;
        server.sql(|conn| {
            conn.execute("UPDATE organization_member SET role = 'org:member' WHERE user_id = ?", [bob]).unwrap()
        });
        held.release();
    };
    let query = format!("code={CODE}&state={nonce}");
    let (back, ()) = tokio::join!(browser.follow_callback(&nonce, &query), meanwhile);
    assert_eq!(back, "/?wiki=not_admin");
    assert_eq!(server.count("SELECT count(*) FROM wiki_connection"), 0);
    assert_eq!(wiki.state().valid_user_tokens(), 0);
}

#[tokio::test]
async fn a_failed_revocation_at_the_provider_still_disconnects() {
    let (server, wiki) = connected().await;
    let ada = server.sign_in("ada").await;
    wiki.fail_next_oauth(&[Fault::Html(500)]);
    ada.post(END, json!({})).await.ok();
    assert_eq!(wiki.take_requests(), ["POST /v1/oauth/revoke 500"]);
    assert_eq!(ada.status().await["configured"], false);
}

#[tokio::test]
async fn a_running_check_ends_with_the_connection() {
    let (server, wiki) = connected().await;
    let ada = server.seed_map().await;
    for n in 1..=3 {
        wiki.root(n, "Page", Value::Null);
        ada.link_to(&address(n)).await.created();
        wiki.root(n, "Renamed", Value::Null);
    }
    wiki.take_requests();
    let due = server.app.wiki().due().await.unwrap();
    let held = wiki.pause_response(&format!("GET /v1/pages/{}", plain(1)));
    let meanwhile = async {
        held.received().await;
        ada.post(END, json!({})).await.ok();
        held.release();
    };
    tokio::join!(server.app.wiki().refresh(&due[0]), meanwhile);
    let heard = wiki.take_requests();
    assert_eq!(heard, [format!("GET /v1/pages/{} 200", plain(1)), "POST /v1/oauth/revoke 200".into()]);
    let status = ada.status().await;
    assert_eq!((&status["configured"], &status["refresh"]["running"]), (&json!(false), &json!(false)));
}

#[tokio::test]
async fn reconnecting_during_a_check_schedules_another() {
    let (server, wiki) = connected().await;
    let ada = server.seed_map().await;
    wiki.root(1, "Page", Value::Null);
    ada.link_to(&address(1)).await.created();
    let checks = server.app.wiki();
    let due = checks.due().await.unwrap();
    let held = wiki.pause_response(&format!("GET /v1/pages/{}", plain(1)));
    let meanwhile = async {
        held.received().await;
        assert_eq!(ada.connect(&wiki).await, "/?wiki=connected");
        // The timer runs, as it does after every new connection.
        assert_eq!(checks.due().await.unwrap(), [""; 0], "one at a time");
        held.release();
    };
    tokio::join!(checks.refresh(&due[0]), meanwhile);
    assert_eq!(checks.due().await.unwrap(), due);
}

#[tokio::test]
async fn two_organizations_refresh_independently_and_continue_after_a_restart() {
    let (server, wiki) = two_connected().await;
    let url = wiki.url();
    wiki.expire();
    let (ada, eve) = (server.sign_in("ada").await, server.sign_in("eve").await);
    let ask = async |client: &crate::support::TestClient<'_>| client.post(TEST, json!({})).await;
    let (one, two, three, four) = tokio::join!(ask(&ada), ask(&eve), ask(&ada), ask(&eve));
    for reply in [one, two, three, four] {
        reply.ok();
    }
    let refreshed = wiki.take_requests().iter().filter(|heard| heard.starts_with(TOKEN)).count();
    assert_eq!(refreshed, 2);
    let server = TestServer::on(server.stop(), |config| {
        (config.outbound.wiki_url, config.outbound.allow_private) = (url, true);
    });
    wiki.expire();
    for login in ["ada", "eve"] {
        server.sign_in(login).await.post(TEST, json!({})).await.ok();
    }
    let refreshed: Vec<Value> =
        wiki.take_full_requests().into_iter().filter(|heard| heard.what == TOKEN).map(|heard| heard.body).collect();
    assert_eq!(refreshed.len(), 2);
    assert_ne!(refreshed[0]["refresh_token"], refreshed[1]["refresh_token"]);
}

#[tokio::test]
async fn a_token_moved_to_another_organization_cannot_be_decrypted() {
    let (server, wiki) = two_connected().await;
    // A user with write access to the database but without the keys copies the connection of acme.
    server.sql(|conn| {
        conn.execute(
            "UPDATE wiki_connection SET (access_token, refresh_token) =
                 (SELECT access_token, refresh_token FROM wiki_connection c JOIN organization o
                  ON o.id = c.organization_id WHERE o.slug = 'acme')
             WHERE organization_id = (SELECT id FROM organization WHERE slug = 'other')",
            [],
        )
        .unwrap()
    });
    server.sign_in("eve").await.post(TEST, json!({})).await.expect_error(503, "not configured");
    // Access and refresh tokens are not interchangeable.
    server.sql(|conn| conn.execute("UPDATE wiki_connection SET access_token = refresh_token", []).unwrap());
    server.sign_in("ada").await.post(TEST, json!({})).await.expect_error(503, "not configured");
    assert_eq!(wiki.take_requests(), [""; 0]);
}

#[tokio::test]
async fn any_retry_after_value_leads_to_a_bounded_wait() {
    for (said, most) in [
        ("Wed, 21 Oct 2026 07:28:00 GMT", 60),
        ("soon", 60),
        ("-1", 60),
        ("1.5", 60),
        ("", 60),
        ("86400", 3_600),
        ("18446744073709551615", 3_600),
        ("99999999999999999999999", 60),
    ] {
        let (server, wiki) = connected().await;
        let ada = server.sign_in("ada").await;
        wiki.fail_next(&[Fault::BusyUntil(said); 20]);
        let reply = ada.post(TEST, json!({})).await;
        reply.expect_error(502, "unexpected response from the wiki");
        let seconds: u64 = reply.header("retry-after").parse().unwrap();
        assert!((1..=most).contains(&seconds), "{said}: {seconds}");
        assert!(wiki.take_requests().len() <= 5, "{said}");
    }
}

#[tokio::test]
async fn a_busy_provider_with_an_immediate_retry_is_not_asked_endlessly() {
    let (server, wiki) = connected().await;
    let ada = server.sign_in("ada").await;
    wiki.expire();
    wiki.fail_next_oauth(&vec![Fault::BusyUntil("0"); 5_000]);
    let reply = ada.post(TEST, json!({})).await;
    reply.expect_error(502, "unexpected response from the wiki");
    let asked = wiki.take_requests().len();
    assert!(asked <= 10, "{asked} requests");
}

#[tokio::test]
async fn uppercase_ids_are_accepted_and_sent_in_lowercase() {
    let (server, wiki) = connected_by_token().await;
    let ada = server.seed_map().await;
    wiki.root(0xabc, "Checkout", Value::Null);
    for url in [address(0xabc).to_uppercase().replacen("HTTPS", "https", 1), format!("{}?v=1", address(0xabc))] {
        let link = ada.link_to(&url).await.created()["link"].clone();
        assert_eq!((&link["title"], &link["targetId"]), (&json!("Checkout"), &json!(plain(0xabc))), "{url}");
    }
    for id in [plain(0xabc).to_uppercase(), dashed(0xabc).to_uppercase()] {
        ada.get(&format!("/api/wiki/children?id={id}")).await.ok();
        ada.get(&format!("/api/wiki/icon?id={id}")).await.expect_error(404, "icon that is a picture");
    }
}
