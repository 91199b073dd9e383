//! Bodies: nothing is read for a caller without permission, and what is being read is bounded, overall and for each user.

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

use crate::support::{Actor, PASSWORD, Reply, Stage};

const JSON: Option<&str> = Some("application/json");

/// A body that is never sent, and whether anybody waited for it.
fn unsent() -> (Body, Arc<AtomicBool>) {
    let asked = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&asked);
    let body = stream::poll_fn(move |_| {
        flag.store(true, Ordering::SeqCst);
        Poll::<Option<Result<Bytes, std::io::Error>>>::Pending
    });
    (Body::from_stream(body), asked)
}

/// A body that sends `bytes` bytes of a JSON text, and then nothing more.
fn half_sent(bytes: usize) -> Body {
    let begin = stream::once(future::ready(Ok::<_, std::io::Error>(Bytes::from(vec![b' '; bytes]))));
    Body::from_stream(begin.chain(stream::pending()))
}

#[tokio::test]
async fn a_body_is_not_read_before_its_sender_may_write() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    stage.seed_user("nobody");
    let viewer = stage.seed_member("vera", "acme", "org:member");
    stage.seed_member("max", "acme", "org:member");
    stage.grant("w", viewer, "viewer");
    ada.patch("/api/workspaces/w", json!({ "visibility": "private" })).await.ok();
    let (nobody, vera, max) = (stage.sign_in("nobody").await, stage.sign_in("vera").await, stage.sign_in("max").await);
    let org = ada.get("/api/me").await.ok()["activeOrganization"]["id"].as_str().unwrap_or("org_x").to_owned();
    let cases: Vec<(&Actor<'_>, Method, String, u16)> = vec![
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
    for (actor, method, path, status) in cases {
        let (body, asked) = unsent();
        let actor = actor.header("content-length", "1000000");
        let reply = actor.send_raw(method.clone(), &path, JSON, body).now_or_never();
        // A reply that takes another thread is not there at once.
        let reply = match reply {
            Some(reply) => reply,
            None => {
                let (body, _) = unsent();
                actor.send_raw(method.clone(), &path, JSON, body).await
            }
        };
        assert!(reply.status == status || path.contains("/orgs/") && reply.status == 404, "{method} {path}");
        assert!(!asked.load(Ordering::SeqCst), "{method} {path} waited for the body");
    }
}

async fn bulk(actor: Actor<'_>, body: Body) -> Reply {
    actor.send_raw(Method::PUT, "/api/workspaces/w/bulk?dryRun=true", JSON, body).await
}

async fn log_in(actor: Actor<'_>, body: Body) -> Reply {
    actor.send_raw(Method::POST, "/api/auth/login", JSON, body).await
}

#[tokio::test]
async fn a_user_over_their_share_is_told_so_and_others_are_served() {
    let stage = Stage::empty(|config| {
        config.limits.body_bytes = 64 << 10;
        config.limits.bulk_body_bytes = 300 << 10;
        config.limits.in_flight_mib = 1;
    });
    stage.seed_admin("ada", "acme").await;
    let users = ["bob", "cid", "dan"];
    for user in users {
        stage.seed_member(user, "acme", "org:member");
    }
    let ada = stage.sign_in("ada").await;
    let whole = || {
        Body::from(
            r#"{"workspace":{"name":"W"},"components":[],"relationships":[]}"#.to_owned() + &" ".repeat(100 << 10),
        )
    };
    let mut held = Vec::new();
    held.push(Box::pin(bulk(ada.clone(), half_sent(290 << 10))));
    reading(&stage, &mut held, 290 << 10).await;
    let refused = bulk(ada.clone(), whole()).await;
    refused.refused(429, "too many large requests");
    assert_eq!(refused.header("retry-after"), "1");
    let bob = stage.sign_in("bob").await;
    bulk(bob.clone(), whole()).await.ok();
    // Others fill the server up; a small request then waits for its turn, and is told so.
    let others = [stage.sign_in("bob").await, stage.sign_in("cid").await];
    for other in &others {
        held.push(Box::pin(bulk(other.clone(), half_sent(290 << 10))));
    }
    reading(&stage, &mut held, 870 << 10).await;
    let dan = stage.sign_in("dan").await;
    let full = bulk(dan.clone(), Body::from(" ".repeat(250 << 10))).await;
    full.refused(503, "no memory left");
    assert_eq!(full.header("retry-after"), "1");
    drop(held);
    bulk(ada.clone(), whole()).await.ok();
    assert_eq!(stage.app.bodies_in_flight(), 0);
}

/// Waits until so many bytes of the requests are held.
async fn reading<F: Future>(stage: &Stage, requests: &mut [std::pin::Pin<Box<F>>], bytes: usize) {
    while stage.app.bodies_in_flight() < bytes {
        for request in &mut *requests {
            assert!(poll!(request.as_mut()).is_pending(), "a request whose body is not there was answered");
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn before_signing_in_bodies_are_small_and_few() {
    let stage = Stage::empty(|config| config.limits.in_flight_mib = 1);
    stage.seed_admin("ada", "acme").await;
    let stranger = |n: u8| stage.anonymous().from(IpAddr::from(Ipv4Addr::new(192, 0, 2, n)));
    log_in(stranger(1), Body::from(" ".repeat((64 << 10) + 1))).await.refused(413, "65536 bytes");
    let join = stranger(1).send_raw(Method::POST, "/api/waitlist", JSON, " ".repeat((64 << 10) + 1)).await;
    join.refused(413, "65536 bytes");
    let mut half = pin!(log_in(stranger(1), half_sent(60 << 10)));
    while stage.app.bodies_in_flight() < 60 << 10 {
        assert!(poll!(half.as_mut()).is_pending());
        tokio::task::yield_now().await;
    }
    log_in(stranger(1), Body::from(" ".repeat(10 << 10))).await.refused(429, "too many large requests");
    let right = json!({ "login": "ada", "password": PASSWORD }).to_string();
    log_in(stranger(2), Body::from(right)).await.ok();
}
