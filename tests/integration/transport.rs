//! Headers of all responses, CORS, and unknown methods and paths.

use std::collections::BTreeSet;

use axum::http::Method;
use serde_json::{Value, json};

use crate::support::{TestResponse, TestServer};

/// Expects the headers that every response has.
pub(crate) fn assert_common_headers(reply: &TestResponse) {
    let id = reply.header("x-request-id");
    assert!(id.len() == 32 && id.chars().all(|c| c.is_ascii_hexdigit()), "{reply}: request id {id:?}");
    assert_eq!(reply.header("x-content-type-options"), "nosniff", "{reply}");
    assert_eq!(reply.header("referrer-policy"), "no-referrer", "{reply}");
    assert!(!reply.header("cache-control").is_empty(), "{reply}");
    assert!(reply.header("content-security-policy").contains("default-src 'none'"), "{reply}");
    assert!(reply.header("content-security-policy").contains("frame-ancestors 'none'"), "{reply}");
}

#[tokio::test]
async fn every_response_has_a_request_id_and_is_not_cached() {
    let server = TestServer::new().await;
    let (ada, anyone) = (server.sign_in("ada").await, server.anonymous());
    let options = anyone.header("origin", "https://x.example").header("access-control-request-method", "PUT");
    let replies = [
        ada.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await,
        ada.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await,
        ada.patch("/api/workspaces/w", json!({ "nme": "W" })).await,
        ada.get("/api/workspaces/none").await,
        ada.get("/api/schema").await,
        ada.get("/api/me").await,
        ada.send_raw(Method::POST, "/api/workspaces", Some("text/plain"), "x").await,
        ada.delete("/api/workspaces").await,
        anyone.get("/api/me").await,
        anyone.get("/nowhere").await,
        anyone.get("/healthz").await,
        anyone.get("/openapi.json").await,
        anyone.get("/.well-known/jwks.json").await,
        options.send(Method::OPTIONS, "/api/workspaces", None).await,
    ];
    let mut statuses = Vec::new();
    let mut request_ids = BTreeSet::new();
    for reply in &replies {
        assert_common_headers(reply);
        assert_eq!(reply.header("cache-control"), "no-store", "{reply}");
        statuses.push(reply.status.as_u16());
        request_ids.insert(reply.header("x-request-id").to_owned());
    }
    assert_eq!(statuses, [201, 409, 400, 404, 200, 200, 415, 405, 401, 404, 200, 200, 200, 204]);
    assert_eq!(request_ids.len(), replies.len(), "each its own");
    let known = ada.get("/api/workspaces").await;
    assert_common_headers(&known);
    assert_common_headers(&ada.header("if-none-match", known.header("etag")).get("/api/workspaces").await);
}

#[tokio::test]
async fn options_is_an_ordinary_method_except_for_preflights() {
    let server = TestServer::new().await;
    let anyone = server.anonymous();
    anyone.send(Method::OPTIONS, "/api/workspaces", None).await.expect_error(405, "OPTIONS");
    anyone.send(Method::OPTIONS, "/nowhere", None).await.expect_error(404, "no endpoint at /nowhere");
    let page = anyone.header("origin", "https://x.example");
    page.send(Method::OPTIONS, "/api/workspaces", None).await.expect_error(405, "OPTIONS");
}

#[tokio::test]
async fn a_client_cannot_set_the_request_id() {
    let server = TestServer::new().await;
    let reply = server.anonymous().header("x-request-id", "mine").get("/healthz").await;
    assert_common_headers(&reply);
}

#[tokio::test]
async fn the_server_reports_liveness_and_readiness() {
    let server = TestServer::empty(|_| {});
    for path in ["/healthz", "/readyz"] {
        assert_eq!(server.anonymous().get(path).await.ok(), json!({ "status": "ok" }));
    }
}

#[tokio::test]
async fn head_returns_the_headers_of_get_without_the_body() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    ada.create_workspace("w").await;
    for path in
        ["/healthz", "/", "/setup", "/join", "/api/schema", "/api/workspaces", "/api/workspaces/w", "/openapi.json"]
    {
        let (get, head) = (ada.get(path).await, ada.send(Method::HEAD, path, None).await);
        assert_eq!((head.status, head.bytes.len()), (get.status, 0), "{path}");
        for name in ["etag", "content-type", "cache-control"] {
            assert_eq!(head.header(name), get.header(name), "{path}");
        }
        assert_common_headers(&head);
    }
    assert_eq!(ada.send(Method::HEAD, "/api/workspaces/none", None).await.status, 404);
}

#[tokio::test]
async fn an_unknown_api_path_returns_a_json_error() {
    let server = TestServer::new().await;
    for path in [
        "/nowhere",
        "/api",
        "/api/",
        "/api/workspaces/",
        "/api/workspace",
        "//",
        "/docs/none.js",
        "/assets/none.js",
        "/assets/../index.html",
        "/assets/%2e%2e/index.html",
        "/pages/x",
        "/.env",
        "/index.html",
        "/api/workspaces/w/components/",
    ] {
        for client in [server.anonymous(), server.sign_in("ada").await] {
            let reply = client.get(path).await;
            assert_eq!(reply.header("content-type"), "application/json", "{reply}");
            let body = reply.expect_error(404, path);
            assert_eq!(body.as_object().unwrap().len(), 1, "{body}");
            assert_common_headers(&reply);
        }
    }
    let long = format!("/{}", "x".repeat(5_000));
    assert!(server.anonymous().get(&long).await.bytes.len() < 300);
}

#[tokio::test]
async fn an_unknown_page_returns_an_html_error_to_browsers() {
    let server = TestServer::new().await;
    let browser = server.anonymous().header("accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    for path in ["/nowhere", "/account/", "/o", "/index.html"] {
        let reply = browser.get(path).await;
        assert_eq!((reply.status.as_u16(), reply.header("content-type")), (404, "text/html; charset=utf-8"), "{path}");
        assert_common_headers(&reply);
    }
    for path in ["/api/nowhere", "/assets/none.js", "/docs/none.js", "/.well-known/none"] {
        browser.get(path).await.expect_error(404, path);
    }
}

#[tokio::test]
async fn an_unsupported_method_lists_the_allowed_ones() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let cases = [
        (Method::PUT, "/api/workspaces", "GET,HEAD,POST"),
        (Method::POST, "/api/workspaces/w", "DELETE,GET,HEAD,PATCH"),
        (Method::GET, "/api/workspaces/w/bulk", "PUT"),
        (Method::GET, "/api/workspaces/w/components", "PATCH,POST"),
        (Method::PUT, "/api/workspaces/w/components/a", "DELETE,GET,HEAD,PATCH"),
        (Method::GET, "/api/workspaces/w/relationships/r", "DELETE,PATCH"),
        (Method::DELETE, "/api/schema", "GET,HEAD"),
        (Method::POST, "/healthz", "GET,HEAD"),
        (Method::POST, "/", "GET,HEAD"),
        (Method::TRACE, "/api/workspaces", "GET,HEAD,POST"),
        (Method::from_bytes(b"BREW").unwrap(), "/api/workspaces", "GET,HEAD,POST"),
    ];
    for (method, path, allowed) in cases {
        let reply = ada.send(method, path, None).await;
        reply.expect_error(405, "is not supported at");
        let allow: BTreeSet<&str> = reply.header("allow").split(',').map(str::trim).collect();
        assert_eq!(allow.into_iter().collect::<Vec<_>>().join(","), allowed, "{reply}");
        assert_common_headers(&reply);
    }
}

#[tokio::test]
async fn other_origins_are_rejected_by_default() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await.header("origin", "https://maps.example.org");
    let reply = ada.get("/api/workspaces").await;
    reply.ok();
    assert_eq!(reply.header("access-control-allow-origin"), "");
    let preflight = server
        .anonymous()
        .header("origin", "https://maps.example.org")
        .header("access-control-request-method", "PATCH")
        .send(Method::OPTIONS, "/api/workspaces/w", None)
        .await;
    assert_eq!(preflight.header("access-control-allow-origin"), "");
}

#[tokio::test]
async fn configured_origins_are_allowed() {
    let origin = "https://maps.example.org";
    let server = TestServer::empty(|config| config.cors.origins = vec![origin.into(), "http://localhost:5173".into()]);
    server.seed_admin("ada", "acme").await;
    let ada = server.sign_in("ada").await;
    ada.create_workspace("w").await;
    for allowed in [origin, "http://localhost:5173"] {
        let here = ada.header("origin", allowed);
        for reply in [
            here.get("/api/workspaces/w").await,
            here.get("/api/workspaces/none").await,
            here.header("if-match", "\"x\"").patch("/api/workspaces/w", json!({ "name": "N" })).await,
            server.with("nonsense").header("origin", allowed).get("/api/me").await,
        ] {
            assert_eq!(reply.header("access-control-allow-origin"), allowed, "{reply}");
            assert!(reply.header("access-control-expose-headers").contains("etag"), "{reply}");
            assert_eq!(reply.header("access-control-allow-credentials"), "", "cookies stay at home");
            assert!(reply.headers.get_all("vary").iter().any(|v| v.to_str().unwrap().contains("origin")), "{reply}");
        }
        let bundle = here.get("/api/workspaces/w").await;
        let varies = bundle.headers.get_all("vary").iter().any(|v| v.to_str().unwrap().contains("authorization"));
        assert!(varies, "and still with what the bundle itself varies with");
        let preflight = server
            .anonymous()
            .header("origin", allowed)
            .header("access-control-request-method", "PATCH")
            .header("access-control-request-headers", "authorization,content-type,if-match,x-batch-id")
            .send(Method::OPTIONS, "/api/workspaces/w", None)
            .await;
        assert_eq!((preflight.status.as_u16(), preflight.bytes.len()), (204, 0));
        assert_eq!(preflight.header("access-control-allow-origin"), allowed);
        let methods = preflight.header("access-control-allow-methods");
        assert!(["GET", "POST", "PUT", "PATCH", "DELETE"].iter().all(|method| methods.contains(method)), "{methods}");
        let headers = preflight.header("access-control-allow-headers");
        for name in ["authorization", "content-type", "if-match", "if-none-match", "x-batch-id", "idempotency-key"] {
            assert!(headers.contains(name), "{headers}");
        }
        assert_common_headers(&preflight);
    }
    for foreign in ["https://evil.example", "http://maps.example.org", "https://maps.example.org.evil.example", "null"]
    {
        let reply = ada.header("origin", foreign).get("/api/workspaces/w").await;
        assert_eq!(reply.header("access-control-allow-origin"), "", "{foreign}");
    }
}

#[tokio::test]
async fn api_responses_cannot_be_framed_or_executed() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let name = "<script>alert(1)</script>";
    let reply = ada.post("/api/workspaces", json!({ "id": "w", "name": name })).await;
    assert_eq!(reply.created()["workspace"]["name"], name, "kept as it is; escaping is for those who show it");
    assert_eq!(reply.header("content-type"), "application/json");
    assert_eq!(reply.header("content-security-policy"), "default-src 'none'; frame-ancestors 'none'");
    let echoed: Value = ada.get("/api/%3Cscript%3E").await.expect_error(404, "no endpoint at");
    assert!(echoed["error"].as_str().is_some());
}

#[tokio::test]
async fn hsts_is_sent_if_the_public_url_is_https() {
    let https = TestServer::at("https://plans.example.org", tempfile::tempdir().unwrap(), |_| {});
    let plain = TestServer::new().await;
    for path in ["/healthz", "/api/me", "/", "/nowhere", "/api/openapi.json"] {
        let hsts = https.anonymous().get(path).await.header("strict-transport-security").to_owned();
        assert_eq!(hsts, "max-age=31536000", "{path}");
        assert_eq!(plain.anonymous().get(path).await.header("strict-transport-security"), "", "{path}");
    }
}
