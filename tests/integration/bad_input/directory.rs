//! Invalid bodies for people, teams, roles, kinds and stakeholders.

use axum::http::Method;
use serde_json::{Map, Value, json};

use super::{assert_bad_input, assert_unchanged};
use crate::support::{TestClient, TestServer};

/// A route that takes a body, and a valid body.
type Body = (Method, &'static str, Value);

const STAKEHOLDERS: &str = "/api/workspaces/w/components/a/stakeholders";

/// A row of each kind, and all routes that take a body about them.
async fn seed_directory(server: &TestServer) -> (TestClient<'_>, Vec<Body>) {
    let ada = server.seed_map().await;
    for (path, new) in [
        ("/api/people", json!({ "id": "p", "name": "P" })),
        ("/api/people", json!({ "id": "q", "name": "Q" })),
        ("/api/teams", json!({ "id": "t", "name": "T" })),
        ("/api/teams/t/members", json!({ "personId": "p" })),
        ("/api/stakeholder-link-types", json!({ "id": "rr", "name": "R", "color": "#112233" })),
        ("/api/kinds", json!({ "id": "kk", "name": "K", "baseType": "service" })),
        (STAKEHOLDERS, json!({ "personId": "p", "linkType": "rr" })),
    ] {
        ada.post(path, new).await.created();
    }
    let person = json!({ "name": "N", "email": "a@b", "photoUrl": "https://x", "title": "T", "bio": "B", "contact": {},
                         "properties": {} });
    let team = json!({ "name": "N", "description": "D", "properties": {} });
    let role = json!({ "name": "N", "color": "#112233", "sortOrder": 1, "icon": "I", "iconName": "i" });
    let kind = |name: &str| {
        json!({ "name": name, "baseType": "job", "color": "#112233", "icon": "clock", "logo": "redis",
                "description": "D" })
    };
    let bodies = vec![
        (Method::POST, "/api/people", person.clone()),
        (Method::PATCH, "/api/people/p", person),
        (Method::POST, "/api/teams", team.clone()),
        (Method::PATCH, "/api/teams/t", team),
        (Method::POST, "/api/teams/t/members", json!({ "personId": "q", "role": "lead" })),
        (Method::PATCH, "/api/teams/t/members/p", json!({ "role": "lead" })),
        (Method::POST, "/api/stakeholder-link-types", role.clone()),
        (Method::PATCH, "/api/stakeholder-link-types/rr", role),
        (Method::POST, "/api/kinds", kind("N")),
        (Method::PATCH, "/api/kinds/kk", kind("K")),
        (Method::POST, STAKEHOLDERS, json!({ "teamId": "t", "linkType": "rr", "properties": {} })),
        (Method::PATCH, "/api/workspaces/w/components/a/stakeholders/1", json!({ "linkType": "rr", "properties": {} })),
    ];
    (ada, bodies)
}

/// The body with one field replaced.
fn with(body: &Value, field: &str, value: Value) -> Value {
    let mut body = body.clone();
    body[field] = value;
    body
}

fn fields(body: &Value) -> &Map<String, Value> {
    body.as_object().unwrap()
}

#[tokio::test]
async fn a_field_of_the_wrong_type_is_named() {
    let server = TestServer::new().await;
    let (ada, bodies) = seed_directory(&server).await;
    let before = server.log_sizes();
    for (method, path, body) in &bodies {
        let identity: &[&str] = match *path {
            path if path.contains("members") => &["teamId", "personId"],
            path if path.contains("workspaces") => &["componentId", "personId"],
            _ => &["id", "orgId"],
        };
        for field in fields(body).keys().map(String::as_str).chain(identity.iter().copied()) {
            let text = body.get(field).is_none_or(Value::is_string);
            let wrong = [json!(true), json!([]), json!(["x"]), if text { json!(1) } else { json!("x") }, json!(1.5)];
            for value in wrong {
                let reply = ada.send(method.clone(), path, Some(with(body, field, value))).await;
                assert_eq!(assert_bad_input(&reply, 400, field)["field"], field, "{reply}");
            }
        }
        for whole in [json!([]), json!([body]), json!("x"), json!(3), json!(null), json!(true)] {
            assert_bad_input(&ada.send(method.clone(), path, Some(whole)).await, 400, "");
        }
    }
    assert_unchanged(&server, &ada, before).await;
}

#[tokio::test]
async fn a_missing_unknown_or_repeated_field_is_named() {
    let server = TestServer::new().await;
    let (ada, bodies) = seed_directory(&server).await;
    let before = server.log_sizes();
    let required = |path: &str, field: &str| match path {
        "/api/stakeholder-link-types" => ["name", "color"].contains(&field),
        "/api/kinds" => ["name", "baseType"].contains(&field),
        "/api/teams/t/members" => field == "personId",
        "/api/teams/t/members/p" => field == "role",
        STAKEHOLDERS => field == "linkType",
        _ => field == "name",
    };
    for (method, path, body) in &bodies {
        for field in fields(body).keys() {
            let mut rest = fields(body).clone();
            rest.shift_remove(field);
            if (*method == Method::POST || path.contains("members")) && required(path, field) {
                for body in [Value::from(rest.clone()), with(body, field, Value::Null)] {
                    let reply = ada.send(method.clone(), path, Some(body)).await;
                    assert_eq!(assert_bad_input(&reply, 400, field)["field"], **field, "{reply}");
                }
            }
            let text = body.to_string();
            let again = format!("{},\"{field}\":{}}}", &text[..text.len() - 1], body[field]);
            let reply = ada.send_body(method.clone(), path, again).await;
            assert_eq!(assert_bad_input(&reply, 400, "is repeated")["field"], **field, "{reply}");
        }
        for unknown in ["nmae", "Name", "name ", "user_id", "members", "seq", "externalSubject", "organizationId", ""] {
            let reply = ada.send(method.clone(), path, Some(with(body, unknown, json!(1)))).await;
            assert_eq!(assert_bad_input(&reply, 400, "no such field")["field"], unknown, "{reply}");
        }
    }
    assert_unchanged(&server, &ada, before).await;
}

#[tokio::test]
async fn length_limits_are_exact() {
    let server = TestServer::new().await;
    let (ada, _) = seed_directory(&server).await;
    let text = |length: usize| Value::from("ü".repeat(length));
    let weight = |bytes: usize| json!({ "a": "x".repeat(bytes - 8) });
    let deep = |levels: usize| (1..levels).fold(json!({}), |inner, _| json!({ "a": inner }));
    let address = |length: usize| json!(format!("https://x/{}", "a".repeat(length - 10)));
    let email = |length: usize| json!(format!("{}@x", "a".repeat(length - 2)));
    let (person, team, role) = ("/api/people/p", "/api/teams/t", "/api/stakeholder-link-types/rr");
    let link = "/api/workspaces/w/components/a/stakeholders/1";
    let cases = [
        (person, "name", text(200), text(201), "1 to 200 characters, has 201"),
        (person, "name", json!(" x "), json!(" "), "1 to 200 characters, has 0"),
        (person, "name", json!("a b"), json!("a\nb"), "control"),
        (person, "email", email(254), email(255), "at most 254 characters, has 255"),
        (person, "email", json!(""), json!("nobody"), "must be an email address"),
        (person, "email", json!("a@b"), json!("a@b@c"), "must be an email address"),
        (person, "email", json!(" a@b "), json!("a b@c"), "white space"),
        (person, "photoUrl", address(2_048), address(2_049), "2048 characters, has 2049"),
        (person, "photoUrl", json!(""), json!("javascript:alert(1)"), "`https://`"),
        (person, "photoUrl", json!("http://x/?a=b#c"), json!("//x/y"), "`https://`"),
        (person, "title", text(200), text(201), "at most 200 characters, has 201"),
        (person, "title", json!(""), json!("a\tb"), "control"),
        (person, "bio", text(10_000), text(10_001), "10000 characters, has 10001"),
        (person, "contact", weight(65_536), weight(65_537), "65536 bytes"),
        (person, "contact", deep(32), deep(33), "32 levels"),
        (person, "properties", weight(65_536), weight(65_537), "65536 bytes"),
        (person, "properties", deep(32), deep(33), "32 levels"),
        (team, "name", text(200), text(201), "1 to 200 characters, has 201"),
        (team, "description", text(10_000), text(10_001), "10000 characters, has 10001"),
        (team, "properties", weight(65_536), weight(65_537), "65536 bytes"),
        (team, "properties", deep(32), deep(33), "32 levels"),
        (role, "name", text(200), text(201), "1 to 200 characters, has 201"),
        (role, "color", json!("#abcDEF"), json!("#abcDE"), "six hexadecimal digits"),
        (role, "color", json!("#000000"), json!("red"), "six hexadecimal digits"),
        (role, "icon", text(200), text(201), "at most 200 characters, has 201"),
        (role, "iconName", json!(""), text(201), "at most 200 characters, has 201"),
        (role, "sortOrder", json!(2_147_483_647), json!(2_147_483_648_i64), "invalid value"),
        (role, "sortOrder", json!(-2_147_483_648), json!(-2_147_483_649_i64), "invalid value"),
        (link, "properties", weight(65_536), weight(65_537), "65536 bytes"),
        (link, "properties", deep(32), deep(33), "32 levels"),
    ];
    for (path, field, good, bad, message) in cases {
        ada.patch(path, json!({ field: good })).await.ok();
        let before = server.log_sizes();
        let named = assert_bad_input(&ada.patch(path, json!({ field: bad })).await, 400, message)["field"].clone();
        assert!(named.as_str().unwrap().starts_with(field), "{named} is not {field}");
        assert_eq!(server.log_sizes(), before);
    }
    let members = "/api/teams/t/members/p";
    for role in ["", "Lead", "owner", " lead"] {
        assert_bad_input(&ada.patch(members, json!({ "role": role })).await, 400, "role: must be");
    }
}

#[tokio::test]
async fn a_path_or_query_parameter_of_the_wrong_type_is_rejected() {
    let server = TestServer::new().await;
    let (ada, bodies) = seed_directory(&server).await;
    let before = server.log_sizes();
    for (method, path, body) in &bodies {
        let reply = ada.send(method.clone(), &format!("{path}?force=true"), Some(body.clone())).await;
        assert_bad_input(&reply, 400, "invalid query");
        for kind in [None, Some("text/plain")] {
            let reply = ada.send_raw(method.clone(), path, kind, body.to_string()).await;
            assert_bad_input(&reply, 415, "Content-Type: application/json");
        }
    }
    for list in ["/api/people", "/api/teams", "/api/teams/t/members", "/api/stakeholder-link-types", "/api/kinds"] {
        for bad in ["%", "%ZZ", "%FF", "%ED%A0%80"] {
            assert_bad_input(&ada.delete(&format!("{list}/{bad}")).await, 400, "path");
            assert_bad_input(&ada.patch(&format!("{list}/{bad}"), json!({ "role": "lead" })).await, 400, "");
        }
        for none in ["%00", "%0A", "%2E%2E", "%2F", "%20", "p%00", &"x".repeat(5_000)] {
            assert_bad_input(&ada.delete(&format!("{list}/{none}")).await, 404, "not found");
        }
    }
    assert_unchanged(&server, &ada, before).await;
}
