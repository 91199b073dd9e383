//! What every answer carries, other sites' pages, our own pages, and methods and paths that lead nowhere.

use std::{collections::BTreeSet, io::Read};

use axum::http::Method;
use serde_json::{Value, json};

use crate::support::{Reply, Stage};

/// What every answer has, whatever it says.
fn decent(reply: &Reply) {
    let id = reply.header("x-request-id");
    assert!(id.len() == 32 && id.chars().all(|c| c.is_ascii_hexdigit()), "{reply}: request id {id:?}");
    assert_eq!(reply.header("x-content-type-options"), "nosniff", "{reply}");
    assert_eq!(reply.header("referrer-policy"), "no-referrer", "{reply}");
    assert!(!reply.header("cache-control").is_empty(), "{reply}");
    assert!(reply.header("content-security-policy").contains("default-src 'none'"), "{reply}");
    assert!(reply.header("content-security-policy").contains("frame-ancestors 'none'"), "{reply}");
}

#[tokio::test]
async fn every_answer_has_a_request_id_and_is_kept_by_nobody() {
    let stage = Stage::new().await;
    let (ada, anyone) = (stage.sign_in("ada").await, stage.anonymous());
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
        decent(reply);
        assert_eq!(reply.header("cache-control"), "no-store", "{reply}");
        statuses.push(reply.status.as_u16());
        request_ids.insert(reply.header("x-request-id").to_owned());
    }
    assert_eq!(statuses, [201, 409, 400, 404, 200, 200, 415, 405, 401, 404, 200, 200, 200, 204]);
    assert_eq!(request_ids.len(), replies.len(), "each its own");
    let known = ada.get("/api/workspaces").await;
    decent(&known);
    decent(&ada.header("if-none-match", known.header("etag")).get("/api/workspaces").await);
}

#[tokio::test]
async fn options_is_a_method_like_others_unless_a_browser_asks_ahead() {
    let stage = Stage::new().await;
    let anyone = stage.anonymous();
    anyone.send(Method::OPTIONS, "/api/workspaces", None).await.refused(405, "OPTIONS");
    anyone.send(Method::OPTIONS, "/nowhere", None).await.refused(404, "nothing at /nowhere");
    let page = anyone.header("origin", "https://x.example");
    page.send(Method::OPTIONS, "/api/workspaces", None).await.refused(405, "OPTIONS");
}

#[tokio::test]
async fn a_client_does_not_choose_the_request_id() {
    let stage = Stage::new().await;
    let reply = stage.anonymous().header("x-request-id", "mine").get("/healthz").await;
    decent(&reply);
}

#[tokio::test]
async fn the_server_says_that_it_is_alive_and_ready() {
    let stage = Stage::empty(|_| {});
    for path in ["/healthz", "/readyz"] {
        assert_eq!(stage.anonymous().get(path).await.ok(), json!({ "status": "ok" }));
    }
}

#[tokio::test]
async fn head_says_what_get_says_without_the_body() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    ada.found("w").await;
    for path in
        ["/healthz", "/", "/setup", "/join", "/api/schema", "/api/workspaces", "/api/workspaces/w", "/openapi.json"]
    {
        let (get, head) = (ada.get(path).await, ada.send(Method::HEAD, path, None).await);
        assert_eq!((head.status, head.bytes.len()), (get.status, 0), "{path}");
        for name in ["etag", "content-type", "cache-control"] {
            assert_eq!(head.header(name), get.header(name), "{path}");
        }
        decent(&head);
    }
    assert_eq!(ada.send(Method::HEAD, "/api/workspaces/none", None).await.status, 404);
}

#[tokio::test]
async fn a_path_that_leads_nowhere_is_told_so_in_json() {
    let stage = Stage::new().await;
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
        for actor in [stage.anonymous(), stage.sign_in("ada").await] {
            let reply = actor.get(path).await;
            assert_eq!(reply.header("content-type"), "application/json", "{reply}");
            let body = reply.refused(404, path);
            assert_eq!(body.as_object().unwrap().len(), 1, "{body}");
            decent(&reply);
        }
    }
    let long = format!("/{}", "x".repeat(5_000));
    assert!(stage.anonymous().get(&long).await.bytes.len() < 300);
}

#[tokio::test]
async fn an_address_that_leads_nowhere_is_told_so_by_a_page_to_whoever_looks() {
    let stage = Stage::new().await;
    let browser = stage.anonymous().header("accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    for path in ["/nowhere", "/account/", "/o", "/index.html"] {
        let reply = browser.get(path).await;
        assert_eq!((reply.status.as_u16(), reply.header("content-type")), (404, "text/html; charset=utf-8"), "{path}");
        decent(&reply);
    }
    for path in ["/api/nowhere", "/assets/none.js", "/docs/none.js", "/.well-known/none"] {
        browser.get(path).await.refused(404, path);
    }
}

#[tokio::test]
async fn a_method_that_a_path_does_not_have_is_told_which_it_has() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
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
        reply.refused(405, "is not possible at");
        let allow: BTreeSet<&str> = reply.header("allow").split(',').map(str::trim).collect();
        assert_eq!(allow.into_iter().collect::<Vec<_>>().join(","), allowed, "{reply}");
        decent(&reply);
    }
}

#[tokio::test]
async fn pages_of_other_sites_may_not_call_unless_the_operator_says_so() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await.header("origin", "https://maps.example.org");
    let reply = ada.get("/api/workspaces").await;
    reply.ok();
    assert_eq!(reply.header("access-control-allow-origin"), "");
    let preflight = stage
        .anonymous()
        .header("origin", "https://maps.example.org")
        .header("access-control-request-method", "PATCH")
        .send(Method::OPTIONS, "/api/workspaces/w", None)
        .await;
    assert_eq!(preflight.header("access-control-allow-origin"), "");
}

#[tokio::test]
async fn pages_of_a_configured_site_may_call() {
    let origin = "https://maps.example.org";
    let stage = Stage::empty(|config| config.cors.origins = vec![origin.into(), "http://localhost:5173".into()]);
    stage.seed_admin("ada", "acme").await;
    let ada = stage.sign_in("ada").await;
    ada.found("w").await;
    for allowed in [origin, "http://localhost:5173"] {
        let here = ada.header("origin", allowed);
        for reply in [
            here.get("/api/workspaces/w").await,
            here.get("/api/workspaces/none").await,
            here.header("if-match", "\"x\"").patch("/api/workspaces/w", json!({ "name": "N" })).await,
            stage.with("nonsense").header("origin", allowed).get("/api/me").await,
        ] {
            assert_eq!(reply.header("access-control-allow-origin"), allowed, "{reply}");
            assert!(reply.header("access-control-expose-headers").contains("etag"), "{reply}");
            assert_eq!(reply.header("access-control-allow-credentials"), "", "cookies stay at home");
            assert!(reply.headers.get_all("vary").iter().any(|v| v.to_str().unwrap().contains("origin")), "{reply}");
        }
        let bundle = here.get("/api/workspaces/w").await;
        let varies = bundle.headers.get_all("vary").iter().any(|v| v.to_str().unwrap().contains("authorization"));
        assert!(varies, "and still with what the bundle itself varies with");
        let preflight = stage
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
        decent(&preflight);
    }
    for foreign in ["https://evil.example", "http://maps.example.org", "https://maps.example.org.evil.example", "null"]
    {
        let reply = ada.header("origin", foreign).get("/api/workspaces/w").await;
        assert_eq!(reply.header("access-control-allow-origin"), "", "{foreign}");
    }
}

/// The text of a page. The documentation's files are kept compressed, and sent so.
fn text(reply: &Reply) -> String {
    let mut text = String::new();
    match reply.header("content-encoding") {
        "gzip" => flate2::read::GzDecoder::new(&reply.bytes[..]).read_to_string(&mut text).unwrap(),
        _ => reply.bytes.as_slice().read_to_string(&mut text).unwrap(),
    };
    text
}

/// What a page names in `href` and `src`.
fn references(html: &str) -> Vec<String> {
    ["href=\"", "src=\""]
        .iter()
        .flat_map(|name| html.split(name).skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()))
        .collect()
}

#[tokio::test]
async fn pages_load_nothing_from_elsewhere_and_all_that_they_load_is_there() {
    let stage = Stage::empty(|_| {});
    let anyone = stage.anonymous();
    let mut files = BTreeSet::new();
    for page in ["/", "/setup", "/join", "/o/acme/w/shop/table", "/docs/"] {
        let reply = anyone.get(page).await;
        assert_eq!(reply.status, 200, "{reply}: is the web client built? `make web` does");
        assert!(reply.header("content-type").starts_with("text/html"), "{reply}");
        decent(&reply);
        let html = text(&reply);
        for reference in references(&html) {
            assert!(!reference.contains("//") && !reference.contains(':'), "{page} names {reference}");
            let reference = reference.trim_start_matches("./");
            files.insert(if reference.starts_with('/') { reference.to_owned() } else { format!("{page}{reference}") });
        }
    }
    assert!(files.iter().any(|file| file.starts_with("/assets/")), "{files:?}");
    for file in files {
        let reply = anyone.get(&file).await;
        if file == "/docs" {
            assert_eq!((reply.status.as_u16(), reply.header("location")), (303, "/docs/"));
            continue;
        }
        assert_eq!(reply.status, 200, "{reply}");
        decent(&reply);
        let expected = match file.rsplit('.').next().unwrap() {
            "css" => "text/css",
            "js" => "javascript",
            "svg" => "image/svg+xml",
            "png" => "image/png",
            "json" => "application/json",
            "woff2" => "font/woff2",
            _ => "text/html",
        };
        assert!(reply.header("content-type").contains(expected), "{file} is {}", reply.header("content-type"));
        if expected == "text/css" {
            let text = text(&reply);
            assert!(!text.contains("@import") && !text.contains("url(http") && !text.contains("url(//"), "{file}");
        }
    }
}

#[tokio::test]
async fn a_page_of_ours_has_a_nonce_that_is_good_once() {
    let stage = Stage::empty(|_| {});
    let mut seen = BTreeSet::new();
    for _ in 0..3 {
        let reply = stage.anonymous().get("/sign-in").await;
        let policy = reply.header("content-security-policy").to_owned();
        let nonce = policy.split("'nonce-").nth(1).unwrap().split('\'').next().unwrap().to_owned();
        assert!(text(&reply).contains(&format!("nonce=\"{nonce}\"")), "{policy}");
        assert!(!policy.contains("unsafe") && !text(&reply).contains("{{"), "{policy}");
        assert_eq!(reply.header("cache-control"), "no-cache");
        assert!(nonce.len() >= 22 && seen.insert(nonce), "{policy}");
    }
}

#[tokio::test]
async fn files_of_the_client_are_kept_for_good_and_sent_packed_to_those_who_take_it() {
    let stage = Stage::empty(|_| {});
    let page = text(&stage.anonymous().get("/").await);
    let scripts = references(&page).into_iter().filter(|file| file.rsplit('.').next() == Some("js"));
    for file in scripts {
        let plain = stage.anonymous().get(&file).await;
        let packed = stage.anonymous().header("accept-encoding", "gzip").get(&file).await;
        assert_eq!((plain.header("content-encoding"), packed.header("content-encoding")), ("", "gzip"), "{file}");
        assert_eq!(text(&plain), text(&packed), "{file}");
        for reply in [plain, packed] {
            assert_eq!(reply.header("cache-control"), "public, max-age=31536000, immutable");
            assert_eq!(reply.header("vary"), "accept-encoding");
        }
    }
}

#[tokio::test]
async fn the_documentation_shows_the_document_of_this_server() {
    let stage = Stage::empty(|_| {});
    let initializer = stage.anonymous().get("/docs/swagger-initializer.js").await;
    let text = text(&initializer);
    assert!(text.contains("/openapi.json") && !text.contains("://"), "{text}");
    let document = stage.anonymous().get("/openapi.json").await.ok();
    assert_eq!(document["openapi"].as_str().map(|version| &version[..3]), Some("3.1"));
    assert!(!document.to_string().contains("petstore"));
}

#[tokio::test]
async fn no_answer_of_the_api_may_be_framed_or_run() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let name = "<script>alert(1)</script>";
    let reply = ada.post("/api/workspaces", json!({ "id": "w", "name": name })).await;
    assert_eq!(reply.created()["workspace"]["name"], name, "kept as it is; escaping is for those who show it");
    assert_eq!(reply.header("content-type"), "application/json");
    assert_eq!(reply.header("content-security-policy"), "default-src 'none'; frame-ancestors 'none'");
    let echoed: Value = ada.get("/api/%3Cscript%3E").await.refused(404, "nothing at");
    assert!(echoed["error"].as_str().is_some());
}

#[tokio::test]
async fn browsers_are_told_to_stay_on_https_where_the_public_url_is_https() {
    let https = Stage::at("https://plans.example.org", tempfile::tempdir().unwrap(), |_| {});
    let plain = Stage::new().await;
    for path in ["/healthz", "/api/me", "/", "/nowhere", "/api/openapi.json"] {
        let hsts = https.anonymous().get(path).await.header("strict-transport-security").to_owned();
        assert_eq!(hsts, "max-age=31536000", "{path}");
        assert_eq!(plain.anonymous().get(path).await.header("strict-transport-security"), "", "{path}");
    }
}
