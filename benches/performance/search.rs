//! Searches in many workspaces.

use std::{sync::Arc, time::Instant};

use axum::{body::Bytes, http::Method};
use serde_json::{Value, json};

use super::{Instance, TestRequest, median, report};

const WORKSPACES: usize = 200;
const COMPONENTS: usize = 1_000;
/// Rare and frequent words, beginnings, several words, a word of two characters, and one that nothing has.
const QUERIES: [&str; 12] = [
    "kafka",
    "pay",
    "payment+service",
    "service",
    "invoice+gateway",
    "postgres",
    "sql",
    "team-17",
    "ord",
    "17",
    "zz",
    "customer+billing+worker",
];

/// Components with names of three of 60 words, and descriptions of ten of 400.
fn model(workspace: usize) -> Value {
    const WORDS: [&str; 20] = [
        "payment", "invoice", "order", "customer", "billing", "shipping", "catalog", "search", "identity", "audit",
        "report", "ledger", "stock", "price", "cart", "gateway", "service", "worker", "store", "kafka",
    ];
    let mut seed = u64::try_from(workspace).unwrap() + 1;
    let mut next = move |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    let mut word = move || {
        let at = next(60);
        WORDS.get(usize::try_from(at).unwrap()).map_or_else(|| format!("module{at}"), ToString::to_string)
    };
    let components: Vec<Value> = (0..COMPONENTS)
        .map(|n| {
            let text = (0..10).map(|_| word()).collect::<Vec<_>>().join(" ");
            json!({ "id": format!("c{n}"), "typeId": "service", "name": format!("{} {} {}", word(), word(), word()),
                    "description": text, "tags": [format!("team-{}", n % 40)],
                    "technology": if n % 50 == 0 { json!(["PostgreSQL"]) } else { json!([]) } })
        })
        .collect();
    json!({ "workspace": { "name": format!("Workspace {workspace}") }, "components": components, "relationships": [] })
}

/// Searches in 200 workspaces of 1,000 components, compared with a read of one bundle.
pub async fn many_workspaces() {
    let instance = Instance::new(Bytes::new()).await;
    for workspace in 0..WORKSPACES {
        let body: Arc<str> = model(workspace).to_string().into();
        let here = instance.clone();
        let put = move || {
            let request = TestRequest { body: Some(body), ..TestRequest::default() };
            here.send(&Method::PUT, &format!("/api/workspaces/w{workspace}/bulk"), &request).status()
        };
        assert_eq!(tokio::task::spawn_blocking(put).await.unwrap(), 200);
    }
    let here = instance.clone();
    let (bundle, mut all) = tokio::task::spawn_blocking(move || {
        let time = |path: &str| {
            let times = (0..7).map(|_| {
                let started = Instant::now();
                assert_eq!(here.send(&Method::GET, path, &TestRequest::default()).status(), 200);
                started.elapsed().as_secs_f64() * 1_000.0
            });
            median(times.collect())
        };
        let bundle = time("/api/workspaces/w0");
        let all: Vec<(f64, &str)> =
            QUERIES.iter().map(|query| (time(&format!("/api/search?q={query}")), *query)).collect();
        (bundle, all)
    })
    .await
    .unwrap();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (milliseconds, query) in &all {
        println!("    {query:40} {milliseconds:>9.2} ms");
    }
    let middle = median(all.iter().map(|(milliseconds, _)| *milliseconds).collect());
    report("search in 200 workspaces of 1,000, p50 in ms", "<= 20", middle);
    report("search in 200 workspaces / bundle of one of them", "<= 10", middle / bundle);
}
