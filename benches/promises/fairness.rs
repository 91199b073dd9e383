//! Target 9: how much the heaviest load of one user slows down small requests of another user.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use axum::{
    body::Bytes,
    http::{Method, StatusCode},
};
use serde_json::{Value, json};

use super::{Ask, Instance, PASSWORD, ROUNDS, median, model, report};

/// Concurrent requests of the user who causes the load.
const PARALLEL: usize = 8;
/// Timed requests of the other user in each round.
const TIMED: usize = 15;

/// A second user in the same organization.
async fn second_user(ada: &Instance) -> Instance {
    let me = ada.json(Method::GET, "/api/me", &Value::Null).await;
    let org = me["session"]["orgId"].as_str().unwrap_or_default().to_owned();
    let path: &'static str = format!("/api/orgs/{org}/invitations").leak();
    let invited = ada.json(Method::POST, path, &json!({ "role": "org:member" })).await;
    let link = invited["url"].as_str().unwrap_or_default();
    let token = link.rsplit(['/', '#', '=']).next().unwrap_or_default().to_owned();
    let path: &'static str = format!("/api/auth/invitations/{token}").leak();
    let joining = json!({ "login": "eve", "displayName": "Eve", "password": PASSWORD });
    let stranger = Instance { token: String::new(), ..ada.clone() };
    stranger.json(Method::POST, path, &joining).await;
    stranger.signed_in("eve").await
}

/// The median duration of a small request.
async fn time(instance: &Instance, method: Method, path: &'static str, body: fn() -> Option<Value>) -> f64 {
    let here = instance.clone();
    let work = move || {
        let mut times = Vec::new();
        while times.len() < TIMED {
            let ask = Ask { body: body().map(|body| body.to_string().into()), ..Ask::default() };
            let started = Instant::now();
            let status = here.ask(&method, path, &ask).status();
            assert!(status.is_success(), "{status}");
            times.push(started.elapsed().as_secs_f64());
        }
        median(times)
    };
    tokio::task::spawn_blocking(work).await.unwrap()
}

fn component() -> Value {
    json!({ "typeId": "service", "name": uuid::Uuid::now_v7().to_string(), "x": 0, "y": 0 })
}

/// Times small requests of Ada while Eve sends `PARALLEL` concurrent requests, relative to the same requests without
/// Eve. Returns the ratios of reads and writes.
async fn beside(ada: &Instance, eve: &Instance, asks: Vec<(Method, &'static str, Ask)>) -> (f64, f64) {
    const COMPONENTS: &str = "/api/workspaces/own/components";
    let (mut reads, mut writes) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS.min(3) {
        let quiet = (
            time(ada, Method::GET, "/api/me", || None).await,
            time(ada, Method::POST, COMPONENTS, || Some(component())).await,
        );
        let over = Arc::new(AtomicBool::new(false));
        let load: Vec<_> = (0..PARALLEL)
            .map(|n| {
                let (eve, over) = (eve.clone(), Arc::clone(&over));
                let (method, path, ask) = asks[n % asks.len()].clone();
                tokio::task::spawn_blocking(move || {
                    while !over.load(Ordering::Relaxed) {
                        let status = eve.ask(&method, path, &ask).status();
                        let is_refused =
                            [StatusCode::TOO_MANY_REQUESTS, StatusCode::SERVICE_UNAVAILABLE].contains(&status);
                        assert!(status.is_success() || is_refused, "{status}");
                    }
                })
            })
            .collect();
        reads.push(time(ada, Method::GET, "/api/me", || None).await / quiet.0);
        writes.push(time(ada, Method::POST, COMPONENTS, || Some(component())).await / quiet.1);
        over.store(true, Ordering::Relaxed);
        for one in load {
            one.await.unwrap();
        }
    }
    (median(reads), median(writes))
}

/// Reports the slowdown by bulk writes, by dry runs, and by reads of a whole workspace.
pub async fn of_one_user_to_another() {
    let ada = Instance::new(Bytes::new()).await;
    let eve = second_user(&ada).await;
    ada.json(Method::POST, "/api/workspaces", &json!({ "id": "own", "name": "Own" })).await;
    let (mut one, mut other) = (model(10_000), model(10_000));
    one["workspace"]["name"] = "W".into();
    for i in 0..10_000 {
        other["components"][i]["name"] = "Renamed".into();
    }
    eve.json(Method::PUT, "/api/workspaces/w/bulk", &one).await;
    let put = |path: &'static str, model: &Value| {
        (Method::PUT, path, Ask { body: Some(model.to_string().into()), ..Ask::default() })
    };
    let get = |path: &'static str| (Method::GET, path, Ask::default());
    let loads = [
        ("bulks", vec![put("/api/workspaces/w/bulk", &one), put("/api/workspaces/w/bulk", &other)]),
        ("dry runs", vec![put("/api/workspaces/w/bulk?dryRun=true", &other)]),
        (
            "exports and differences",
            vec![get("/api/workspaces/w/export"), get("/api/workspaces/w/history/difference?from=1")],
        ),
    ];
    for (name, asks) in loads {
        let (read, write) = beside(&ada, &eve, asks).await;
        report(&format!("a small read beside {PARALLEL} {name} of another user, time"), "<= 10", read);
        report(&format!("a small write beside {PARALLEL} {name} of another user, time"), "<= 10", write);
    }
}
