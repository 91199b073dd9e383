//! Addresses of share links in the log.

use serde_json::json;

use super::WorkDir;

#[test]
fn addresses_of_share_links_are_not_logged_even_in_the_most_detailed_log() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    for format in ["text", "json"] {
        let variables = [("PLANROOM_LOG_LEVEL", "trace"), ("PLANROOM_LOG_FORMAT", format)];
        let server = dir.serve_with(&["--listen", "127.0.0.1:0"], &variables);
        let (session, _) = server.credentials();
        let id = format!("shop-{format}");
        let create = |path: &str, body| server.ask("POST", path, Some(&session), Some(body)).json(201);
        create("/api/workspaces", json!({ "id": id, "name": "Shop" }));
        let share = create(&format!("/api/workspaces/{id}/shares"), json!({ "name": "Wiki" }))["share"].clone();
        let url = share["url"].as_str().unwrap();
        let path = &url[url.find("/s/").unwrap()..];
        let secret = path.rsplit(['/', '.']).next().unwrap();
        assert!(secret.len() >= 32, "{path}");

        for (part, status) in [("", 200), ("/model.json", 200), ("/image.svg", 200)] {
            let answer = server.ask("GET", &format!("{path}{part}"), None, None);
            assert_eq!(answer.status, status, "{part}: {}", answer.whole());
        }
        let encoded = url.replace(':', "%3A").replace('/', "%2F");
        assert_eq!(server.ask("GET", &format!("/oembed?url={encoded}"), None, None).status, 200);
        server.ask("POST", &format!("{path}/unlock"), None, None);
        server.ask("GET", &format!("{path}/unknown"), None, None);
        let rotated = format!("/api/workspaces/{id}/shares/{}/rotate", share["id"].as_str().unwrap());
        assert_eq!(server.ask("POST", &rotated, Some(&session), None).status, 200);
        assert_eq!(server.ask("GET", path, None, None).status, 404, "the old address");

        let stopped = server.stop();
        assert!(stopped.err.contains("/s/"), "requests are logged: {}", stopped.err);
        assert!(!stopped.err.contains(secret) && !stopped.out.contains(secret), "{}", stopped.err);
    }
}
