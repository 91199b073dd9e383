//! `GET /metrics`: who can read it, and what it contains.

use std::{
    collections::BTreeSet,
    fs,
    io::{Read, Write},
    net::TcpStream,
};

use serde_json::{Value, json};

use super::{WorkDir, server::Server};
use crate::support::{PASSWORD, waiting::eventually};

const TOKEN: &str = "a-token-for-prometheus";
/// Suffixes of the samples of one metric.
const SUFFIXES: [&str; 4] = ["_bucket", "_count", "_sum", "_total"];

fn serve(dir: &WorkDir, variables: &[(&str, &str)]) -> Server {
    dir.serve_with(&["--listen", "127.0.0.1:0"], variables)
}

/// The address of the separate listener, from the log. A thread writes the log, so the line may appear later.
fn metrics_address(dir: &WorkDir) -> String {
    eventually(|| {
        let log = fs::read_to_string(dir.path("log")).unwrap();
        let line = log.lines().find(|line| line.contains("serving metrics"));
        match line.and_then(|line| line.rsplit_once("address=")) {
            Some((_, address)) if log.ends_with('\n') => Ok(address.trim().to_owned()),
            _ => Err(log),
        }
    })
}

fn get(address: &str, path: &str, headers: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{headers}\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    (answer.split(' ').nth(1).unwrap().parse().unwrap(), answer)
}

/// Names of the samples.
fn samples(text: &str) -> BTreeSet<&str> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split(['{', ' ']).next()).filter(|name| !name.is_empty()).collect()
}

/// The value of the sample that begins with `name`.
fn value(text: &str, name: &str) -> f64 {
    let line = text.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name} is not in {text}"));
    line.rsplit(' ').next().unwrap().parse().unwrap()
}

#[test]
fn nobody_reads_metrics_unless_they_are_configured() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    let server = serve(&dir, &[]);
    let (session, token) = server.credentials();
    for credential in [None, Some(session.as_str()), Some(token.as_str())] {
        assert_eq!(server.ask("GET", "/metrics", credential, None).status, 404);
    }
}

#[test]
fn the_main_address_has_metrics_only_with_the_token() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    let file = dir.write("token", &format!("{TOKEN}\n"));
    let server = serve(&dir, &[("PLANROOM_METRICS_TOKEN_FILE", file.to_str().unwrap())]);
    let (_, pat) = server.credentials();
    for credential in [None, Some(pat.as_str()), Some("a-token-for-prometheuS")] {
        let answer = server.ask("GET", "/metrics", credential, None);
        assert_eq!((answer.status, answer.header("www-authenticate")), (401, "Bearer"));
        assert!(!answer.whole().contains("planroom_"), "{}", answer.whole());
    }
    let answer = server.get("/metrics", TOKEN);
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), "application/openmetrics-text; version=1.0.0; charset=utf-8");
    let shown = dir.run_with(&["config", "show"], &[("PLANROOM_METRICS_TOKEN", TOKEN)], "").ok();
    assert!(!shown.contains(TOKEN) && shown.contains("metrics.token"), "{shown}");
    dir.run_with(&["config", "show"], &[("PLANROOM_METRICS_TOKEN", "short")], "")
        .expect_error("it must be empty, or 16 to 500 visible ASCII characters without spaces");
}

#[test]
fn a_separate_listener_serves_only_metrics() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    let server = serve(&dir, &[("PLANROOM_METRICS_LISTEN", "127.0.0.1:0")]);
    let address = metrics_address(&dir);
    assert_eq!(get(&address, "/metrics", "").0, 200);
    for path in ["/", "/healthz", "/api/me", "/metrics/"] {
        assert_eq!(get(&address, path, "").0, 404, "{path}");
    }
    assert_eq!(server.ask("GET", "/metrics", None, None).status, 404);
    server.stop().ok();

    let variables = [("PLANROOM_METRICS_LISTEN", "127.0.0.1:0"), ("PLANROOM_METRICS_TOKEN", TOKEN)];
    let server = serve(&dir, &variables);
    let address = metrics_address(&dir);
    assert_eq!(get(&address, "/metrics", "").0, 401);
    assert_eq!(get(&address, "/metrics", &format!("Authorization: Bearer {TOKEN}\r\n")).0, 200);
    assert_eq!(server.get("/metrics", TOKEN).status, 404, "not also on the main address");
    let taken = server.address.clone();
    dir.run_with(
        &["serve", "--listen", "127.0.0.1:0", "--data-dir", "other"],
        &[("PLANROOM_METRICS_LISTEN", &taken)],
        "",
    )
    .expect_error("choose another metrics.listen");
}

#[test]
fn metrics_count_what_happens() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    let server = serve(&dir, &[("PLANROOM_METRICS_TOKEN", TOKEN)]);
    let (_, token) = server.credentials();
    let read = || server.get("/metrics", TOKEN).whole();
    let before = read();
    assert_eq!(server.sign_in("ada", "wrong-password-of-ada").status, 401);
    let post = |path: &str, body: Value| server.ask("POST", path, Some(&token), Some(body));
    post("/api/workspaces", json!({ "id": "shop", "name": "Shop" })).json(201);
    for _ in 0..2 {
        server.get("/api/workspaces/shop", &token).json(200);
    }
    assert_eq!(server.get("/api/workspaces/nowhere", &token).status, 404);
    assert_eq!(server.ask("BREW", "/pot/of/coffee", None, None).status, 404);
    let after = read();
    let grown = |name: &str| value(&after, name) - if before.contains(name) { value(&before, name) } else { 0.0 };
    let same = |name: &str, by: f64| assert!((grown(name) - by).abs() < 1e-9, "{name} grew by {}", grown(name));
    same("planroom_http_requests_total{method=\"POST\",route=\"/api/workspaces\",status=\"2xx\"}", 1.0);
    same("planroom_http_requests_total{method=\"GET\",route=\"/api/workspaces/{id}\",status=\"2xx\"}", 2.0);
    same("planroom_http_requests_total{method=\"GET\",route=\"/api/workspaces/{id}\",status=\"4xx\"}", 1.0);
    same("planroom_http_requests_total{method=\"other\",route=\"other\",status=\"4xx\"}", 1.0);
    same("planroom_http_request_duration_seconds_count{method=\"GET\",route=\"/api/workspaces/{id}\"}", 3.0);
    same("planroom_sign_in_failures_total{kind=\"sign_in\"}", 1.0);
    same("planroom_bundle_cache_hits_total", 1.0);
    same("planroom_bundle_cache_misses_total", 1.0);
    assert!(grown("planroom_writes_total") >= 2.0, "the refused sign-in and the workspace");
    assert!(grown("planroom_commit_duration_seconds_count") >= 2.0);
    assert!(value(&after, "planroom_connections ") >= 1.0);
    // Until a checkpoint, most of the data is in the write-ahead log.
    let size = value(&after, "planroom_database_bytes ") + value(&after, "planroom_database_wal_bytes ");
    assert!(size > 100_000.0, "{size}");
    assert!(value(&after, "process_resident_memory_bytes ") > 1_000_000.0);
    for secret in ["shop", "coffee", "nowhere", "ada", PASSWORD, &token] {
        assert!(!after.contains(secret), "{secret}");
    }
}

#[test]
fn the_dashboard_and_the_documentation_name_existing_metrics() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    let server = serve(&dir, &[("PLANROOM_METRICS_TOKEN", TOKEN)]);
    server.credentials();
    let text = server.get("/metrics", TOKEN).whole();
    let text = &text[text.find("# HELP").unwrap()..];
    let samples = samples(text);
    assert!(samples.len() > 30, "{samples:?}");

    let dashboard = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/grafana-dashboard.json")).unwrap();
    let parsed: Value = serde_json::from_str(&dashboard).unwrap();
    assert!(parsed["panels"].as_array().unwrap().len() > 15);
    let named = |text: &str| -> BTreeSet<String> {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        words.filter(|word| word.starts_with("planroom_") || word.starts_with("process_")).map(str::to_owned).collect()
    };
    let shown = named(&dashboard);
    assert!(shown.len() > 30, "{shown:?}");
    // Only with a certificate, or on a standby; `command_line::tls` and `command_line::standby` read them.
    let elsewhere = ["planroom_tls_certificate_expiry_seconds", "planroom_standby_database_time_seconds"];
    for name in shown.iter().filter(|name| !elsewhere.contains(&name.as_str())) {
        assert!(samples.contains(name.as_str()), "the dashboard shows {name}, which does not exist");
    }

    let documented = named(include_str!("../../../docs/monitoring.md"));
    for name in documented.iter().filter(|name| !elsewhere.contains(&name.as_str())) {
        let exists = samples.contains(name.as_str()) || samples.contains(format!("{name}_count").as_str());
        assert!(exists, "the documentation names {name}, which does not exist");
    }
    for sample in samples {
        let metric = SUFFIXES.iter().find_map(|suffix| sample.strip_suffix(suffix)).unwrap_or(sample);
        let is_documented = documented.contains(sample) || documented.contains(metric);
        assert!(is_documented, "{sample} is not in docs/monitoring.md");
    }
}
