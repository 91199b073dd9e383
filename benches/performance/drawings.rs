//! How much the largest images of one user slow down the small images of another user.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use axum::{
    body::Bytes,
    http::{Method, StatusCode},
};
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use super::{Instance, TestRequest, median, report};

/// Concurrent requests of the user who draws large images. One image is drawn while the other requests wait.
const PARALLEL: usize = 5;
/// Number of small images per measurement.
const SAMPLES: usize = 20;

/// The largest map whose image shows all details by default, with labels on all lines.
fn large_map() -> Value {
    const COMPONENTS: usize = 400;
    let component = |n: usize| {
        json!({
            "id": format!("c{n}"), "typeId": "service", "name": format!("Component {n}"), "x": n % 20 * 240, "y": n / 20 * 160,
            "description": "Takes orders, charges cards, and sends notifications to subscribers.",
        })
    };
    let relationship = |n: usize| {
        let (from, to) = (n % COMPONENTS, (n * 7 + 1 + n / COMPONENTS) % COMPONENTS);
        json!({
            "id": format!("r{n}"), "sourceId": format!("c{from}"), "targetId": format!("c{to}"), "typeId": "calls",
            "label": "HTTPS",
        })
    };
    json!({
        "workspace": { "id": "large", "name": "Large" },
        "components": (0..COMPONENTS).map(component).collect::<Vec<_>>(),
        "relationships": (0..1_500).map(relationship).collect::<Vec<_>>(),
    })
}

/// Renames a component, so that the next image is not in the cache.
async fn rename_component(user: &Instance, number: usize) {
    let name = json!({ "name": format!("Name {number}") });
    let reply = user.json(Method::PATCH, "/api/workspaces/own/components/a", &name).await;
    assert!(reply["error"].is_null(), "{reply}");
}

/// Measures the median duration of uncached small images, in seconds.
async fn seconds_of_small_images(user: &Instance) -> f64 {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let mut seconds = Vec::new();
    for _ in 0..SAMPLES {
        rename_component(user, NUMBER.fetch_add(1, Ordering::Relaxed)).await;
        let user = user.clone();
        let draw = move || {
            let started = Instant::now();
            let path = "/api/workspaces/own/image.png?width=600";
            let status = user.send(&Method::GET, path, &TestRequest::default()).status();
            assert_eq!(status, StatusCode::OK);
            started.elapsed().as_secs_f64()
        };
        seconds.push(spawn_blocking(draw).await.unwrap());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    median(seconds)
}

/// Draws large images until `stopping`, and returns their number. All images differ, so that the cache contains none of them.
fn draw_large_images(user: &Instance, next: &AtomicUsize, stopping: &AtomicBool) -> usize {
    let mut drawn = 0;
    while !stopping.load(Ordering::Relaxed) {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let hidden = format!("c{}", number % 400);
        let path =
            format!("/api/workspaces/large/image.png?width=2400&detail=full&components={}", ids_without(&hidden));
        let status = user.send(&Method::GET, &path, &TestRequest::default()).status();
        let is_refused = [StatusCode::TOO_MANY_REQUESTS, StatusCode::SERVICE_UNAVAILABLE].contains(&status);
        assert!(status == StatusCode::OK || is_refused, "{status}");
        drawn += usize::from(status == StatusCode::OK);
    }
    drawn
}

/// The IDs of all components except `hidden`.
fn ids_without(hidden: &str) -> String {
    let ids = (0..400).map(|n| format!("c{n}")).filter(|id| id != hidden);
    ids.collect::<Vec<_>>().join(",")
}

/// Reports how much the largest images of one user slow down the small images of another user.
pub async fn slowdown_by_large_images() {
    let ada = Instance::new(Bytes::new()).await;
    let eve = ada.invited("eve").await;
    ada.json(Method::POST, "/api/workspaces", &json!({ "id": "own", "name": "Own" })).await;
    for n in 0..12 {
        let id = if n == 0 { "a".to_owned() } else { format!("a{n}") };
        let new = json!({ "id": id, "typeId": "service", "name": id, "x": n % 4 * 240, "y": n / 4 * 160 });
        ada.json(Method::POST, "/api/workspaces/own/components", &new).await;
    }
    eve.json(Method::PUT, "/api/workspaces/large/bulk", &large_map()).await;
    let alone = seconds_of_small_images(&ada).await;
    let (stopping, next) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let load: Vec<_> = (0..PARALLEL)
        .map(|_| {
            let (eve, next, stopping) = (eve.clone(), Arc::clone(&next), Arc::clone(&stopping));
            spawn_blocking(move || draw_large_images(&eve, &next, &stopping))
        })
        .collect();
    let during = seconds_of_small_images(&ada).await;
    stopping.store(true, Ordering::Relaxed);
    let mut drawn = 0;
    for thread in load {
        drawn += thread.await.unwrap();
    }
    assert!(drawn > 0, "no large image was drawn while the small ones were measured");
    report("large images of another user, drawn during the samples", "", f64::from(u32::try_from(drawn).unwrap()));
    report("small image during large images of another user / alone", "<= 10", during / alone);
}
