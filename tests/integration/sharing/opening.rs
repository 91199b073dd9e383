//! Visitors open links.

use axum::http::Method;
use serde_json::json;

use super::{all_of, allow_embeds, comparable, create, path, text, visit};
use crate::support::TestServer;

#[tokio::test]
async fn a_visitor_sees_the_map_without_an_account() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let path = path(&create(&ada, json!({})).await);
    let page = visit(&server, &path).await;
    assert_eq!(page.status, 200, "{page}");
    assert!(text(&page).contains("<h1>w</h1>"), "{}", text(&page));
    assert!(text(&page).contains(&format!("{path}/image.svg")));
    let image = visit(&server, &format!("{path}/image.svg?ids=true")).await;
    assert_eq!((image.status.as_u16(), image.header("content-type")), (200, "image/svg+xml"));
    assert!(text(&image).contains(r#"data-from="c1" data-to="c2""#), "{}", text(&image));
    let png = visit(&server, &format!("{path}/image.png?width=600")).await;
    assert_eq!(image::load_from_memory(&png.bytes).unwrap().width(), 600);
    let model = visit(&server, &format!("{path}/model.json")).await.json();
    assert_eq!(
        model,
        json!({
            "name": "w", "scope": "map",
            "components": [
                { "key": "c1", "name": "a", "type": "Service" },
                { "key": "c2", "name": "b", "type": "Service" },
            ],
            "relationships": [{ "key": "r1", "from": "c1", "to": "c2", "type": "calls" }],
        })
    );
}

#[tokio::test]
async fn a_link_shows_the_current_state() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let path = path(&create(&ada, json!({})).await);
    for file in ["image.svg", "image.png?width=600", "model.json"] {
        let url = format!("{path}/{file}");
        let first = visit(&server, &url).await;
        assert_eq!(first.header("cache-control"), "public, no-cache", "{file}");
        let known = server.anonymous().header("if-none-match", first.header("etag"));
        assert_eq!(known.get(&url).await.status, 304, "{file}");
        ada.patch("/api/workspaces/w/components/a", json!({ "name": format!("New {file}") })).await.ok();
        let changed = known.get(&url).await;
        assert_eq!(changed.status, 200, "{file}");
        assert_ne!(changed.bytes, first.bytes, "{file}");
    }
}

#[tokio::test]
async fn links_show_views_parts_and_processes() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.create_components("w", &["c"]).await;
    let view = json!({ "name": "Only A", "definition": { "include": [{ "ids": ["a"] }] } });
    ada.post("/api/workspaces/w/views", view).await.created();
    let process = json!({ "name": "Order", "mermaid": "sequenceDiagram\n A->>B: order\n B->>X: pay",
                          "participants": { "A": "a", "B": "b" } });
    ada.post("/api/workspaces/w/processes", process).await.created();
    let names = async |fields: serde_json::Value| {
        let path = path(&create(&ada, fields).await);
        let model = visit(&server, &format!("{path}/model.json")).await.ok();
        assert_eq!(visit(&server, &format!("{path}/image.svg")).await.status, 200);
        let mut names: Vec<String> = model["components"]
            .as_array()
            .unwrap()
            .iter()
            .map(|component| component["name"].as_str().unwrap().to_owned())
            .collect();
        names.sort();
        (names, model)
    };
    let (shown, model) = names(json!({ "scope": "view", "viewId": "only-a" })).await;
    assert_eq!((shown, &model["name"]), (vec!["a".to_owned()], &json!("Only A")));
    let (shown, model) = names(json!({ "scope": "part", "componentIds": ["b", "c"] })).await;
    assert_eq!((shown, &model["scope"]), (vec!["b".to_owned(), "c".to_owned()], &json!("part")));
    let (shown, _) = names(json!({ "scope": "part", "componentIds": ["a"], "depth": 1 })).await;
    assert_eq!(shown, ["a", "b"]);
    let (shown, model) = names(json!({ "scope": "process", "processId": "order" })).await;
    assert_eq!((shown, &model["name"]), (vec!["a".to_owned(), "b".to_owned()], &json!("Order")));
    assert_eq!(model["processes"][0]["steps"].as_array().unwrap().len(), 2);
    let step = &model["processes"][0]["steps"][1];
    assert_eq!((&step["to"], &step["toName"], &step["text"]), (&json!(null), &json!("X"), &json!("pay")));
}

#[tokio::test]
async fn only_the_listed_content_is_shown() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.patch("/api/workspaces/w/components/a", json!({ "description": "Sells things" })).await.ok();
    ada.post("/api/workspaces/w/notes", json!({ "text": "Remember", "x": 600, "y": 600 })).await.created();
    let process = json!({ "name": "Order", "mermaid": "sequenceDiagram\n A->>A: order", "participants": { "A": "a" } });
    ada.post("/api/workspaces/w/processes", process).await.created();
    let shown = async |shows: serde_json::Value| {
        let path = path(&create(&ada, json!({ "shows": shows })).await);
        let image = text(&visit(&server, &format!("{path}/image.svg")).await);
        let model = text(&visit(&server, &format!("{path}/model.json")).await);
        let has = |text: &str| (image.contains(text), model.contains(text));
        (has("Sells"), has("Remember"), has("Order"))
    };
    assert_eq!(shown(json!([])).await, ((false, false), (false, false), (false, false)));
    assert_eq!(shown(json!(["descriptions"])).await, ((true, true), (false, false), (false, false)));
    assert_eq!(shown(json!(["notes"])).await, ((false, false), (true, false), (false, false)));
    assert_eq!(shown(json!(["processes"])).await, ((false, false), (false, false), (false, true)));
}

#[tokio::test]
async fn links_that_do_not_work_are_the_same_for_visitors_as_unknown_ones() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    allow_embeds(&ada).await;
    let revoked = create(&ada, json!({})).await;
    ada.delete(&format!("{}/{}", super::SHARES, revoked["id"].as_str().unwrap())).await.ok();
    let expired = create(&ada, json!({ "expiresAt": server.clock.now() + 1_000 })).await;
    let rotated = create(&ada, json!({})).await;
    ada.send(Method::POST, &format!("{}/{}/rotate", super::SHARES, rotated["id"].as_str().unwrap()), None).await.ok();
    let paused = create(&ada, json!({ "embedOrigins": ["https://wiki.example.org"] })).await;
    server
        .sql(|conn| conn.execute("UPDATE share_link SET paused_at = 1 WHERE id = ?", [paused["id"].as_str()]).unwrap());
    let empty = create(&ada, json!({ "scope": "part", "componentIds": ["b"] })).await;
    ada.delete("/api/workspaces/w/components/b").await.ok();
    server.clock.advance(2_000);
    let unknown = all_of(&server, "/s/AAAAAAAAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA").await;
    assert_eq!(unknown[0].status, 404);
    assert!(text(&unknown[0]).contains("Link not available"));
    // Nothing is left of what the last link shows.
    for share in [&revoked, &expired, &rotated, &paused, &empty] {
        let replies = all_of(&server, &path(share)).await;
        for (reply, unknown) in replies.iter().zip(&unknown) {
            assert_eq!(comparable(reply), comparable(unknown), "{reply}");
        }
    }
}

#[tokio::test]
async fn a_revoked_link_ends_with_the_next_request_even_if_the_visitor_has_the_image() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let share = create(&ada, json!({})).await;
    let url = format!("{}/image.svg", path(&share));
    let known = server.anonymous().header("if-none-match", visit(&server, &url).await.header("etag"));
    assert_eq!(known.get(&url).await.status, 304);
    ada.delete(&format!("{}/{}", super::SHARES, share["id"].as_str().unwrap())).await.ok();
    assert_eq!(known.get(&url).await.status, 404);
}

#[tokio::test]
async fn a_changed_address_opens_nothing() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let [one, two] = [create(&ada, json!({})).await, create(&ada, json!({})).await].map(|share| path(&share));
    let (id, code) = one.split_once('.').unwrap();
    let other_code = two.split_once('.').unwrap().1;
    let mut flipped = code.to_owned();
    let last = if code.ends_with('A') { "B" } else { "A" };
    flipped.replace_range(code.len() - 1.., last);
    for wrong in [
        format!("{id}.{other_code}"),
        format!("{id}.{flipped}"),
        format!("{id}."),
        id.to_owned(),
        format!("{one}A"),
        format!("{id}.{}", &code[..31]),
    ] {
        assert_eq!(visit(&server, &wrong).await.status, 404, "{wrong}");
    }
    assert_eq!(visit(&server, &one).await.status, 200);
}

#[tokio::test]
async fn pages_set_no_cookie_and_may_be_framed_only_where_the_link_says() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    allow_embeds(&ada).await;
    let share = create(&ada, json!({ "embedOrigins": ["https://wiki.example.org", "https://*.corp.example"] })).await;
    for reply in all_of(&server, &path(&share)).await {
        assert!(reply.headers.get("set-cookie").is_none(), "{reply}");
        assert_eq!(reply.header("referrer-policy"), "no-referrer", "{reply}");
        assert_eq!(reply.header("x-robots-tag"), "noindex, nofollow", "{reply}");
        assert_eq!(reply.header("x-content-type-options"), "nosniff", "{reply}");
        assert_eq!(reply.header("cross-origin-opener-policy"), "same-origin", "{reply}");
    }
    let page = visit(&server, &path(&share)).await;
    assert!(page.header("content-security-policy").ends_with("frame-ancestors 'none'"));
    assert_eq!(page.header("x-frame-options"), "DENY");
    let embed = visit(&server, &format!("{}/embed", path(&share))).await;
    let policy = embed.header("content-security-policy");
    assert!(policy.ends_with("; frame-ancestors https://wiki.example.org https://*.corp.example"), "{policy}");
    assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self' 'nonce-"), "{policy}");
    assert!(embed.headers.get("x-frame-options").is_none());
    let image = visit(&server, &format!("{}/image.svg", path(&share))).await;
    assert!(image.header("content-security-policy").contains("sandbox"));
    assert_eq!(image.header("cross-origin-resource-policy"), "cross-origin");
    let plain = create(&ada, json!({})).await;
    assert_eq!(visit(&server, &format!("{}/embed", path(&plain))).await.status, 404);
}

#[tokio::test]
async fn links_work_below_the_path_of_the_public_url() {
    let server = TestServer::at("https://example.org/plans", tempfile::tempdir().unwrap(), |_| {});
    server.seed_admin("ada", "acme").await;
    let ada = server.seed_map().await;
    let share = create(&ada, json!({ "preview": "picture" })).await;
    let url = share["url"].as_str().unwrap();
    let path = url.strip_prefix("https://example.org").unwrap();
    assert!(path.starts_with("/plans/s/"));
    let page = text(&visit(&server, path).await);
    assert!(page.contains(&format!("src=\"{path}/image.svg")), "{page}");
    assert!(page.contains(&format!("content=\"{url}/image.png?card=true\"")), "{page}");
    assert!(page.contains(&format!("data-base=\"{path}/\"")), "{page}");
    assert_eq!(visit(&server, &format!("{path}/image.svg")).await.status, 200);
}

#[tokio::test]
async fn uses_are_counted_with_the_last_day_and_nothing_else() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let share = create(&ada, json!({})).await;
    let path = path(&share);
    visit(&server, &path).await;
    visit(&server, &format!("{path}/image.png?width=600")).await;
    let own = server.anonymous().header("sec-fetch-site", "same-origin");
    own.get(&format!("{path}/image.svg")).await;
    visit(&server, "/s/unknown.code").await;
    let listed = ada.get(super::SHARES).await.ok()["shares"][0].clone();
    assert_eq!(listed["uses"], 2, "{listed}");
    assert_eq!(listed["lastUsedDay"].as_str().unwrap().len(), 10);
    assert_eq!(server.count("SELECT uses FROM share_link"), 0);
    planroom::jobs::save_uses(&server.app.gate, server.app.shares()).await.unwrap();
    assert_eq!(server.count("SELECT uses FROM share_link"), 2);
    assert_eq!(ada.get(super::SHARES).await.ok()["shares"][0]["uses"], 2);
    assert_eq!(server.count("SELECT count(*) FROM audit WHERE kind LIKE 'share.%'"), 1, "share.create");
}

#[tokio::test]
async fn an_image_of_a_step_stays_when_the_step_is_removed() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let process = json!({ "name": "Order", "mermaid": "sequenceDiagram\n A->>B: order",
                          "participants": { "A": "a", "B": "b" } });
    ada.post("/api/workspaces/w/processes", process).await.created();
    let path = path(&create(&ada, json!({ "scope": "process", "processId": "order" })).await);
    let first = text(&visit(&server, &format!("{path}/image.svg?step=1")).await);
    assert!(first.contains("1. A → B: order"), "{first}");
    let whole = text(&visit(&server, &format!("{path}/image.svg")).await);
    for step in ["0", "2", "13", "x"] {
        let reply = visit(&server, &format!("{path}/image.svg?step={step}")).await;
        assert_eq!((reply.status.as_u16(), text(&reply)), (200, whole.clone()), "{step}");
    }
}

#[tokio::test]
async fn repeated_options_and_unknown_paths_are_answered_like_others() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let share = create(&ada, json!({})).await;
    let path = path(&share);
    let dark = visit(&server, &format!("{path}/image.svg?theme=dark")).await;
    let twice = visit(&server, &format!("{path}/image.svg?theme=dark&theme=light&width=x&width=600")).await;
    assert_eq!((twice.status.as_u16(), &twice.bytes), (200, &dark.bytes));
    assert_eq!(visit(&server, &format!("{path}/image.png?width=600&width=1200")).await.status, 200);
    let url = share["url"].as_str().unwrap();
    assert_eq!(visit(&server, &format!("/oembed?url={url}&url=x&maxwidth=1&maxwidth=2")).await.ok()["type"], "link");
    let unknown = visit(&server, "/s/AAAAAAAAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA").await;
    let code = path.split_once('.').unwrap().1;
    for part in ["/", "/image.pdf", "/image.svg/", "/a/b"] {
        let reply = visit(&server, &format!("{path}{part}")).await;
        assert_eq!(comparable(&reply), comparable(&unknown), "{part}");
        assert!(!text(&reply).contains(code), "{part}");
    }
    let wrong = server.anonymous().send_raw(Method::POST, &path, None, "").await;
    assert_eq!((wrong.status.as_u16(), wrong.header("allow")), (405, "GET,HEAD"));
    assert!(!text(&wrong).contains(code), "{wrong}");
}

#[tokio::test]
async fn the_image_and_the_model_of_one_state_say_that_they_belong_together() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let path = path(&create(&ada, json!({})).await);
    let state = async |part: &str| visit(&server, &format!("{path}/{part}")).await.header("x-share-state").to_owned();
    let first = state("model.json").await;
    assert!(!first.is_empty());
    assert_eq!(
        [state("image.svg?ids=true").await, state("image.svg?theme=dark").await],
        [first.clone(), first.clone()]
    );
    let known = visit(&server, &format!("{path}/model.json")).await.header("etag").to_owned();
    let known = server.anonymous().header("if-none-match", &known).get(&format!("{path}/model.json")).await;
    assert_eq!((known.status.as_u16(), known.header("x-share-state")), (304, &*first));
    ada.create_components("w", &["c"]).await;
    let second = state("image.svg?ids=true").await;
    assert_eq!(state("model.json").await, second);
    assert_ne!(first, second);
}
