//! A public URL with a path: the server shares a host with other services.

use serde_json::json;

use crate::{
    pages::{references, text},
    support::TestServer,
};

const PUBLIC_URL: &str = "https://example.org/tools/plans";

fn server() -> TestServer {
    TestServer::at(PUBLIC_URL, tempfile::tempdir().unwrap(), |_| {})
}

#[tokio::test]
async fn requests_are_answered_with_and_without_the_prefix() {
    let server = server();
    let anyone = server.anonymous().header("accept", "text/html");
    for path in ["/", "/healthz", "/sign-in?next=%2Fo%2Facme", "/docs", "/docs/style.css", "/icon.svg", "/nowhere"] {
        let (without, with) = (anyone.get(path).await, anyone.get(&format!("/tools/plans{path}")).await);
        assert_eq!(with.status, without.status, "{path}");
        assert_eq!(with.header("content-type"), without.header("content-type"), "{path}");
        assert!(!with.bytes.is_empty(), "{path}");
    }
    assert_eq!(anyone.get("/tools/plans").await.status, 200, "a proxy may remove the slash at the end");
    for other in ["/tools/plansx/healthz", "/tools/healthz", "/tools/plans/tools/plans/healthz", "/Tools/Plans/healthz"]
    {
        assert_eq!(anyone.get(other).await.status, 404, "{other}");
    }
    let plain = TestServer::new().await;
    assert_eq!(plain.anonymous().get("/tools/plans/healthz").await.status, 404);
}

#[tokio::test]
async fn pages_refer_to_files_below_the_prefix() {
    let server = server();
    let anyone = server.anonymous();
    for page in ["/sign-in", "/o/acme/w/shop", "/docs", "/docs/operations", "/nowhere"] {
        let html = text(&anyone.header("accept", "text/html").get(page).await);
        assert!(!html.contains("{{"), "{page}");
        let own: Vec<_> = references(&html).into_iter().filter(|url| url.starts_with('/')).collect();
        assert!(own.len() > 2, "{page}: {own:?}");
        for url in own {
            assert!(url.starts_with("/tools/plans/"), "{page} names {url}");
            assert_eq!(anyone.get(&url).await.status, 200, "{page} names {url}");
        }
    }
    assert!(text(&anyone.get("/").await).contains("<meta name=\"base-path\" content=\"/tools/plans\">"));
    let style = text(&anyone.get("/docs/style.css").await);
    let font = style.split("src: url(").nth(1).and_then(|rest| rest.split(')').next()).unwrap();
    assert!(font.starts_with("/tools/plans/assets/"), "{font}");
    assert_eq!(anyone.get(font).await.status, 200);
}

#[tokio::test]
async fn the_api_reference_sends_requests_below_the_prefix() {
    let server = server();
    let anyone = server.anonymous();
    let redirect = anyone.get("/tools/plans/docs/reference").await;
    assert_eq!((redirect.status.as_u16(), redirect.header("location")), (303, "/tools/plans/docs/reference/"));
    let initializer = text(&anyone.get("/docs/reference/swagger-initializer.js").await);
    assert!(initializer.contains("\"/tools/plans/openapi.json\""), "{initializer}");
    for encoding in ["identity", "gzip"] {
        let document = anyone.header("accept-encoding", encoding).get("/openapi.json").await.ok();
        assert_eq!(document["servers"], json!([{ "url": "/tools/plans" }]));
    }
    let plain = TestServer::new().await.anonymous().get("/openapi.json").await.ok();
    assert_eq!(plain["servers"], json!([{ "url": "/" }]), "what is replaced");
}

#[tokio::test]
async fn a_session_is_limited_to_the_prefix_and_its_links_contain_it() {
    let server = server();
    server.seed_admin("ada", "acme").await;
    let login = json!({ "login": "ada", "password": crate::support::PASSWORD });
    let reply = server.anonymous().post("/tools/plans/api/auth/login", login).await;
    assert!(reply.header("set-cookie").contains("; Path=/tools/plans/api/auth;"), "{}", reply.header("set-cookie"));
    let ada = server.with(reply.ok()["token"].as_str().unwrap());
    assert_eq!(ada.get("/tools/plans/api/me").await.status, 200);
    let org = ada.get("/api/orgs").await.ok()["organizations"][0]["id"].as_str().unwrap().to_owned();
    let invitation = ada.post(&format!("/api/orgs/{org}/invitations"), json!({})).await.created();
    assert!(invitation["url"].as_str().unwrap().starts_with(&format!("{PUBLIC_URL}/join#")), "{invitation}");
    let back = server.anonymous().get("/tools/plans/api/auth/wiki/callback?state=x&code=y").await;
    assert!(back.header("location").starts_with("/tools/plans/?wiki="), "{}", back.header("location"));
}

#[tokio::test]
async fn assistants_find_the_endpoints_below_the_prefix() {
    let server = server();
    let anyone = server.anonymous();
    // RFC 9728 and RFC 8414: between the host and the path of the identifier. The others are for clients that append.
    for path in [
        "/.well-known/oauth-protected-resource/tools/plans/mcp",
        "/.well-known/oauth-protected-resource/tools/plans",
        "/tools/plans/.well-known/oauth-protected-resource/mcp",
        "/tools/plans/.well-known/oauth-protected-resource",
    ] {
        let resource = anyone.get(path).await.ok();
        assert_eq!(resource["resource"], format!("{PUBLIC_URL}/mcp"), "{path}");
        assert_eq!(resource["authorization_servers"], json!([PUBLIC_URL]), "{path}");
    }
    for path in
        ["/.well-known/oauth-authorization-server/tools/plans", "/tools/plans/.well-known/oauth-authorization-server"]
    {
        let metadata = anyone.get(path).await.ok();
        assert_eq!(metadata["issuer"], PUBLIC_URL, "{path}");
        assert_eq!(metadata["token_endpoint"], format!("{PUBLIC_URL}/oauth/token"), "{path}");
    }
    let challenge = anyone.header("host", "example.org").post("/tools/plans/mcp", json!({})).await;
    assert_eq!(challenge.status, 401);
    let named = format!("resource_metadata=\"{PUBLIC_URL}/.well-known/oauth-protected-resource/mcp\"");
    assert!(challenge.header("www-authenticate").contains(&named), "{}", challenge.header("www-authenticate"));
}
