//! The log has one line per request and contains no secrets.

use serde_json::{Value, json};

use super::{WorkDir, server::Answer};
use crate::support::PASSWORD;

/// Uses a server in all ways that involve a secret. Returns its log, the secrets, and the ids of its requests:
/// anonymous, with a session, with a token.
fn logged(format: &str, level: &str) -> (String, Vec<String>, [String; 3]) {
    const WRONG: &str = "wrong-password-of-ada";
    const MADE_UP: &str = "svc_pat_made-up-token";
    const WIKI: &str = "s3cret-of-the-wiki";
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    let variables = [("PLANROOM_LOG_FORMAT", format), ("PLANROOM_LOG_LEVEL", level)];
    let server = dir.serve_with(&["--listen", "127.0.0.1:0"], &variables);
    assert_eq!(server.sign_in("ada", WRONG).status, 401);
    assert_eq!(server.get("/api/me", MADE_UP).status, 401);
    assert_eq!(server.get("/api/workspaces?secret=in-the-query", MADE_UP).status, 401);
    let other = ["admin", "create", "--login", "eve", "--name", "Eve", "--org", "acme", "--password-stdin"];
    dir.run_with(&other, &[], "password-through-the-socket\n").ok();
    let (session, token) = server.credentials();
    // A mistyped link, with an additional slash.
    let link = "q1T0q1T0q1T0q1T0q1T0q1T0q1T0q1T0q1T0q1T0q1T";
    for path in [format!("/api/auth/invitations/{link}"), format!("/api/auth/invitations/{link}/")] {
        assert_eq!(server.ask("GET", &path, None, None).status, 404);
    }
    let cookie = |answer: &Answer| answer.header("set-cookie").split(';').next().unwrap().to_owned();
    let first = cookie(&server.sign_in("ada", PASSWORD));
    let headers = format!("Cookie: {first}\r\nOrigin: http://{}\r\n", server.address);
    let renewed = server.ask_with("POST", "/api/auth/refresh", &headers, Some(json!({})));
    let second = cookie(&renewed);
    let renewed = renewed.json(200)["token"].as_str().unwrap().to_owned();
    let reset = ["admin", "reset-password", "--login", "eve", "--password-stdin"];
    dir.run_with(&reset, &[], "another-through-the-socket\n").ok();
    let second_factor =
        server.ask("POST", "/api/me/second-factor", Some(&session), Some(json!({ "password": PASSWORD })));
    let totp = second_factor.json(201)["secret"].as_str().unwrap().to_owned();
    let of_cookie = |cookie: &str| cookie.split_once('=').unwrap().1.to_owned();
    let settings = json!({ "wiki.client_secret": WIKI });
    server.ask("PATCH", "/api/admin/settings", Some(&token), Some(settings)).json(200);
    let eve = json!({ "login": "max", "displayName": "Max", "password": "password-of-max" });
    server.ask("POST", "/api/admin/users", Some(&session), Some(eve)).json(201);
    let minted = server.ask("POST", "/api/admin/tokens", Some(&session), Some(json!({ "name": "ci" }))).json(201);
    let minted = minted["token"].as_str().unwrap().to_owned();
    let id = |answer: &Answer| answer.header("x-request-id").to_owned();
    let ids = [
        id(&server.ask("GET", "/api/me", None, None)),
        id(&server.get("/api/me", &session)),
        id(&server.get("/api/workspaces/nowhere", &token)),
    ];
    let signature = session.rsplit('.').next().unwrap().to_owned();
    let typed = ["password-through-the-socket", "another-through-the-socket", "password-of-max"];
    let secrets = [PASSWORD, WRONG, MADE_UP, WIKI, link, "in-the-query"].into_iter().chain(typed).map(str::to_owned);
    let secrets = secrets
        .chain([session, signature, token, renewed, totp, minted])
        .chain([of_cookie(&first), of_cookie(&second)])
        .collect();
    let stopped = server.stop();
    assert!(stopped.status.success());
    (stopped.err, secrets, ids)
}

#[test]
fn no_secret_is_logged_at_any_level() {
    for format in ["text", "json"] {
        let (log, secrets, _) = logged(format, "trace");
        assert!(log.lines().count() > 10, "{log}");
        for secret in secrets {
            assert!(!log.contains(&secret), "`{secret}` is in the log:\n{log}");
        }
    }
}

#[test]
fn each_request_is_logged_as_one_line() {
    let expected =
        [("anonymous", 401, "/api/me"), ("session", 200, "/api/me"), ("token", 404, "/api/workspaces/nowhere")];
    let one = |log: &str, id: &str| {
        assert_eq!(id.len(), 32);
        let lines: Vec<_> = log.lines().filter(|line| line.contains(id)).collect();
        assert_eq!(lines.len(), 1, "{id} in {log}");
        lines[0].to_owned()
    };

    let (log, _, ids) = logged("text", "info");
    for (id, (caller, status, path)) in ids.iter().zip(expected) {
        let line = one(&log, id);
        let user = if caller == "anonymous" { "ms=" } else { "user=1" };
        for part in [
            format!("status={status}"),
            format!("caller=\"{caller}\""),
            format!("path={path:?}"),
            "ms=".into(),
            user.into(),
            "client=127.0.0.1".into(),
            "agent=\"none\"".into(),
        ] {
            assert!(line.contains(&part), "{part} in {line}");
        }
        assert_eq!(line.contains("user="), caller != "anonymous", "{line}");
        assert!(!line.contains('\u{1b}'), "no colors without a terminal: {line}");
    }

    let (log, _, ids) = logged("json", "info");
    for line in log.lines() {
        let event: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert!(event["timestamp"].is_string() && event["level"].is_string(), "{line}");
    }
    for (id, (caller, status, path)) in ids.iter().zip(expected) {
        let event: Value = serde_json::from_str(&one(&log, id)).unwrap();
        assert_eq!((&event["status"], &event["caller"]), (&json!(status), &json!(caller)));
        assert_eq!((&event["path"], &event["method"]), (&json!(path), &json!("GET")));
        assert!(event["ms"].is_u64() && event["request_id"] == **id, "{event}");
        assert_eq!((&event["client"], &event["agent"]), (&json!("127.0.0.1"), &json!("none")));
    }
}

#[test]
fn frequent_requests_are_logged_only_for_debugging_unless_they_fail() {
    let logged = |level: &str| {
        let dir = WorkDir::new();
        dir.admin("ada").ok();
        let server = dir.serve_with(&["--listen", "127.0.0.1:0"], &[("PLANROOM_LOG_LEVEL", level)]);
        let (_, token) = server.credentials();
        for path in ["/healthz", "/readyz"] {
            server.ask("GET", path, None, None).json(200);
        }
        let body = json!({ "id": "shop", "name": "Shop" });
        server.ask("POST", "/api/workspaces", Some(&token), Some(body)).json(201);
        for workspace in ["shop", "nowhere"] {
            let body = json!({ "client": "tab-1", "state": "active" });
            server.ask("POST", &format!("/api/workspaces/{workspace}/presence"), Some(&token), Some(body));
        }
        let agent = "User-Agent: Mozilla/5.0 (X11; Linux x86_64) Firefox/130.0\r\n";
        server.ask_with("GET", "/api/me", agent, None);
        server.stop().err
    };
    let log = logged("info");
    assert!(!log.contains("path=\"/healthz\"") && !log.contains("path=\"/readyz\""), "{log}");
    assert!(log.contains("path=\"/api/workspaces/nowhere/presence\" status=404"), "{log}");
    assert!(log.contains("agent=\"browser\""), "{log}");
    let log = logged("debug");
    for path in ["/healthz", "/readyz"] {
        let line = log.lines().find(|line| line.contains(&format!("path={path:?}")));
        assert!(line.is_some_and(|line| line.contains("DEBUG") && line.contains("status=200")), "{log}");
    }
}

#[test]
fn texts_without_a_font_are_one_line_of_the_log_however_often_they_are_drawn() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    let server = dir.serve();
    let (session, _) = server.credentials();
    let create = |path: &str, body| server.ask("POST", path, Some(&session), Some(body)).json(201);
    create("/api/workspaces", json!({ "id": "w", "name": "W" }));
    for (id, name) in [("ru", "Платежи"), ("el", "Πληρωμές"), ("cuneiform", "\u{12000}\u{12001}\u{12002}")]
    {
        create("/api/workspaces/w/components", json!({ "id": id, "typeId": "service", "name": name }));
    }
    let share = create("/api/workspaces/w/shares", json!({ "name": "Wiki" }))["share"].clone();
    let url = share["url"].as_str().unwrap();
    let path = &url[url.find("/s/").unwrap()..];
    for options in ["width=600", "width=1200", "theme=dark&width=600"] {
        assert_eq!(server.ask("HEAD", &format!("{path}/image.png?{options}"), None, None).status, 200);
    }
    assert_eq!(server.ask("HEAD", "/api/workspaces/w/image.pdf", Some(&session), None).status, 200);
    let log = server.stop().err;
    let warnings: Vec<&str> = log.lines().filter(|line| line.contains("WARN")).collect();
    assert!(matches!(warnings[..], [only] if only.contains("no font for a character in an image")), "{warnings:#?}");
}
