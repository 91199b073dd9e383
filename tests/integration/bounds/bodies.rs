//! Request bodies: not read without permission, and limited in total and per user.

use std::{
    net::{IpAddr, Ipv4Addr},
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::Poll,
};

use axum::{
    body::{Body, Bytes},
    http::Method,
};
use futures_util::{FutureExt, StreamExt, future, poll, stream};
use serde_json::json;

use crate::support::{PASSWORD, TestClient, TestResponse, TestServer};

const JSON: Option<&str> = Some("application/json");

/// A body that is never sent, and whether the server tried to read it.
fn unread_body() -> (Body, Arc<AtomicBool>) {
    let asked = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&asked);
    let body = stream::poll_fn(move |_| {
        flag.store(true, Ordering::SeqCst);
        Poll::<Option<Result<Bytes, std::io::Error>>>::Pending
    });
    (Body::from_stream(body), asked)
}

/// A body that sends `bytes` bytes of JSON and then stalls.
fn stalled_body(bytes: usize) -> Body {
    let begin = stream::once(future::ready(Ok::<_, std::io::Error>(Bytes::from(vec![b' '; bytes]))));
    Body::from_stream(begin.chain(stream::pending()))
}

#[tokio::test]
async fn a_body_is_not_read_before_the_permission_check() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    server.seed_user("nobody");
    let viewer = server.seed_member("vera", "acme", "org:member");
    server.seed_member("max", "acme", "org:member");
    server.grant("w", viewer, "viewer");
    ada.patch("/api/workspaces/w", json!({ "visibility": "private" })).await.ok();
    let (nobody, vera, max) =
        (server.sign_in("nobody").await, server.sign_in("vera").await, server.sign_in("max").await);
    let org = ada.get("/api/me").await.ok()["activeOrganization"]["id"].as_str().unwrap_or("org_x").to_owned();
    let cases: Vec<(&TestClient<'_>, Method, String, u16)> = vec![
        (&nobody, Method::PUT, "/api/workspaces/x/bulk".into(), 400),
        (&nobody, Method::POST, "/api/import".into(), 400),
        (&nobody, Method::POST, "/api/workspaces".into(), 400),
        (&nobody, Method::POST, "/api/people".into(), 400),
        (&nobody, Method::POST, "/api/admin/users".into(), 403),
        (&vera, Method::PUT, "/api/workspaces/w/bulk".into(), 403),
        (&vera, Method::PATCH, "/api/workspaces/w".into(), 403),
        (&vera, Method::POST, "/api/workspaces/w/components".into(), 403),
        (&vera, Method::POST, "/api/workspaces/w/undo".into(), 403),
        (&vera, Method::POST, "/api/workspaces/w/members".into(), 403),
        (&vera, Method::POST, "/api/stakeholder-link-types".into(), 403),
        (&vera, Method::PATCH, format!("/api/orgs/{org}"), 403),
        (&max, Method::PUT, "/api/workspaces/w/bulk".into(), 404),
        (&max, Method::POST, "/api/workspaces/w/presence".into(), 404),
        (&max, Method::POST, "/api/workspaces/w/relationships".into(), 404),
        (&max, Method::PATCH, "/api/workspaces/nowhere/components/a".into(), 404),
    ];
    for (client, method, path, status) in cases {
        let (body, asked) = unread_body();
        let client = client.header("content-length", "1000000");
        let reply = client.send_raw(method.clone(), &path, JSON, body).now_or_never();
        // A reply that needs another thread is not ready immediately.
        let reply = match reply {
            Some(reply) => reply,
            None => {
                let (body, _) = unread_body();
                client.send_raw(method.clone(), &path, JSON, body).await
            }
        };
        assert!(reply.status == status || path.contains("/orgs/") && reply.status == 404, "{method} {path}");
        assert!(!asked.load(Ordering::SeqCst), "{method} {path} waited for the body");
    }
}

async fn bulk(client: TestClient<'_>, body: Body) -> TestResponse {
    client.send_raw(Method::PUT, "/api/workspaces/w/bulk?dryRun=true", JSON, body).await
}

async fn log_in(client: TestClient<'_>, body: Body) -> TestResponse {
    client.send_raw(Method::POST, "/api/auth/login", JSON, body).await
}

#[tokio::test]
async fn a_user_over_the_memory_share_is_rejected_and_others_are_served() {
    let server = TestServer::empty(|config| {
        config.limits.body_bytes = 64 << 10;
        config.limits.bulk_body_bytes = 300 << 10;
        config.limits.in_flight_mib = 1;
    });
    server.seed_admin("ada", "acme").await;
    let users = ["bob", "cid", "dan"];
    for user in users {
        server.seed_member(user, "acme", "org:member");
    }
    let ada = server.sign_in("ada").await;
    let whole = || {
        Body::from(
            r#"{"workspace":{"name":"W"},"components":[],"relationships":[]}"#.to_owned() + &" ".repeat(100 << 10),
        )
    };
    let mut held = Vec::new();
    held.push(Box::pin(bulk(ada.clone(), stalled_body(290 << 10))));
    wait_until_reading(&server, &mut held, 290 << 10).await;
    let refused = bulk(ada.clone(), whole()).await;
    refused.expect_error(429, "too many large requests");
    assert_eq!(refused.header("retry-after"), "1");
    let bob = server.sign_in("bob").await;
    bulk(bob.clone(), whole()).await.ok();
    // Others fill the memory budget; a small request then waits for its turn and gets an error.
    let others = [server.sign_in("bob").await, server.sign_in("cid").await];
    for other in &others {
        held.push(Box::pin(bulk(other.clone(), stalled_body(290 << 10))));
    }
    wait_until_reading(&server, &mut held, 870 << 10).await;
    let dan = server.sign_in("dan").await;
    let full = bulk(dan.clone(), Body::from(" ".repeat(250 << 10))).await;
    full.expect_error(503, "no memory left");
    assert_eq!(full.header("retry-after"), "1");
    drop(held);
    bulk(ada.clone(), whole()).await.ok();
    assert_eq!(server.app.bodies_in_flight(), 0);
}

/// Waits until the server holds this many bytes of the requests.
async fn wait_until_reading<F: Future>(server: &TestServer, requests: &mut [std::pin::Pin<Box<F>>], bytes: usize) {
    while server.app.bodies_in_flight() < bytes {
        for request in &mut *requests {
            assert!(poll!(request.as_mut()).is_pending(), "a request whose body is not there was answered");
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn bodies_of_anonymous_requests_are_small_and_limited_in_number() {
    let server = TestServer::empty(|config| config.limits.in_flight_mib = 1);
    server.seed_admin("ada", "acme").await;
    let stranger = |n: u8| server.anonymous().from(IpAddr::from(Ipv4Addr::new(192, 0, 2, n)));
    log_in(stranger(1), Body::from(" ".repeat((64 << 10) + 1))).await.expect_error(413, "65536 bytes");
    let join = stranger(1).send_raw(Method::POST, "/api/waitlist", JSON, " ".repeat((64 << 10) + 1)).await;
    join.expect_error(413, "65536 bytes");
    let mut half = pin!(log_in(stranger(1), stalled_body(60 << 10)));
    while server.app.bodies_in_flight() < 60 << 10 {
        assert!(poll!(half.as_mut()).is_pending());
        tokio::task::yield_now().await;
    }
    log_in(stranger(1), Body::from(" ".repeat(10 << 10))).await.expect_error(429, "too many large requests");
    let right = json!({ "login": "ada", "password": PASSWORD }).to_string();
    log_in(stranger(2), Body::from(right)).await.ok();
}
