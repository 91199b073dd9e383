//! Images of maps and views, drawn by the server.

use std::io::Read;

use axum::http::StatusCode;
use futures_util::future::join_all;
use serde_json::json;

use crate::support::{TestClient, TestResponse, TestServer};

const IMAGE: &str = "/api/workspaces/w/image";

/// The text of an SVG, which must be well-formed.
fn svg(reply: &TestResponse) -> String {
    assert_eq!((reply.status, reply.header("content-type")), (StatusCode::OK, "image/svg+xml"));
    let text = String::from_utf8(reply.bytes.clone()).unwrap();
    roxmltree::Document::parse(&text).unwrap();
    text
}

/// The ids of the cards in an image, in alphabetical order.
async fn cards(client: &TestClient<'_>, path: &str) -> Vec<String> {
    let text = svg(&client.get(path).await);
    let document = roxmltree::Document::parse(&text).unwrap();
    let with_id = document.descendants().filter(|element| !element.has_attribute("data-from"));
    let mut ids: Vec<String> = with_id.filter_map(|element| element.attribute("data-id").map(str::to_owned)).collect();
    ids.sort();
    // A group consists of its area under the lines and its title above them.
    ids.dedup();
    ids
}

#[tokio::test]
async fn an_image_shows_the_cards_and_lines_of_the_map_and_runs_no_script() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let hostile = "</text><script>alert(1)</script>\" onload=\"alert(2)";
    ada.patch("/api/workspaces/w/components/b", json!({ "name": hostile, "description": hostile })).await.ok();
    ada.patch("/api/workspaces/w/relationships/r", json!({ "label": hostile })).await.ok();
    let reply = ada.get(&format!("{IMAGE}.svg?ids=true&legend=true&title=true&date=true&theme=dark")).await;
    let text = svg(&reply);
    assert!(text.contains(r#"data-id="r" data-from="a" data-to="b""#));
    let document = roxmltree::Document::parse(&text).unwrap();
    assert!(document.descendants().all(|element| !element.has_tag_name("script") && !element.has_attribute("onload")));
    assert!(reply.header("content-security-policy").contains("sandbox"));
    assert_eq!(reply.header("x-content-type-options"), "nosniff");
}

#[tokio::test]
async fn an_unchanged_image_is_not_sent_again_and_a_change_is_visible_at_once() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    for path in [format!("{IMAGE}.svg"), format!("{IMAGE}.png?width=600"), format!("{IMAGE}.pdf")] {
        let first = ada.get(&path).await;
        assert_eq!(first.status, StatusCode::OK, "{path}");
        assert_eq!(first.header("cache-control"), "private, no-cache");
        let known = ada.header("if-none-match", first.header("etag"));
        assert_eq!(known.get(&path).await.status, StatusCode::NOT_MODIFIED);
        let drawn_again = ada.get(&path).await;
        assert_eq!((drawn_again.header("etag"), &drawn_again.bytes), (first.header("etag"), &first.bytes));
        ada.patch("/api/workspaces/w/components/a", json!({ "name": path })).await.ok();
        let changed = known.get(&path).await;
        assert_eq!(changed.status, StatusCode::OK, "{path}");
        assert_ne!(changed.bytes, first.bytes);
    }
}

#[tokio::test]
async fn a_png_has_the_requested_width_and_a_pdf_is_a_pdf() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let png = ada.get(&format!("{IMAGE}.png?width=1200&theme=dark")).await;
    assert_eq!(png.header("content-type"), "image/png");
    assert_eq!(image::load_from_memory(&png.bytes).unwrap().width(), 1_200);
    let pdf = ada.get(&format!("{IMAGE}.pdf")).await;
    assert_eq!(pdf.header("content-type"), "application/pdf");
    assert!(pdf.bytes.starts_with(b"%PDF-"));
}

#[tokio::test]
async fn a_part_of_the_map_is_drawn() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.create_components("w", &["c", "d"]).await;
    ada.create_relationship("w", "s", "b", "calls", "c").await;
    ada.create_relationship("w", "t", "d", "contains", "a").await;
    let part = async |query: &str| cards(&ada, &format!("{IMAGE}.svg?ids=true&{query}")).await.join(" ");
    assert_eq!(part("legend=true").await, "a b c d");
    assert_eq!(part("components=b,d").await, "a b d", "with the contents of d");
    assert_eq!(part("around=a").await, "a b");
    assert_eq!(part("around=b&direction=incoming").await, "a b");
    assert_eq!(part("around=a&depth=2&direction=outgoing").await, "a b c");
    let ends = json!({ "A": "a", "B": "b" });
    let process =
        json!({ "id": "asking", "name": "Asking", "mermaid": "sequenceDiagram\nA->>B: asks", "participants": ends });
    ada.post("/api/workspaces/w/processes", process).await.created();
    assert_eq!(part("process=asking").await, "a b");
    let text = svg(&ada.get(&format!("{IMAGE}.svg?process=asking&step=1")).await);
    assert!(text.contains("1. asks"));
}

#[tokio::test]
async fn a_view_is_drawn_with_its_contents() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let view = json!({ "id": "one", "name": "Only one", "definition": { "include": [{ "ids": ["a"] }] } });
    ada.post("/api/workspaces/w/views", view).await.created();
    let path = "/api/workspaces/w/views/one/image";
    assert_eq!(cards(&ada, &format!("{path}.svg?ids=true")).await, ["a"]);
    let text = svg(&ada.get(&format!("{path}.svg?title=true")).await);
    assert!(text.contains("Only one"));
    for path in [format!("{path}.png"), format!("{path}.pdf")] {
        assert_eq!(ada.get(&path).await.status, StatusCode::OK);
    }
    ada.get("/api/workspaces/w/views/missing/image.svg").await.expect_error(404, "");
}

#[tokio::test]
async fn a_personal_view_is_drawn_for_its_user_as_it_is_now() {
    let server = TestServer::new().await;
    let grace = server.seed_member("grace", "acme", "org:member");
    let ada = server.seed_map().await;
    server.grant("w", grace, "viewer");
    let view = json!({ "id": "mine", "name": "My part", "definition": { "include": [{ "ids": ["a"] }] } });
    ada.post("/api/workspaces/w/views/personal", view).await.created();
    let path = "/api/workspaces/w/views/personal/mine/image";
    assert_eq!(cards(&ada, &format!("{path}.svg?ids=true")).await, ["a"]);
    assert!(svg(&ada.get(&format!("{path}.svg?title=true")).await).contains("My part"));

    // The view is not part of the workspace's state, and an image of its old contents is not sent.
    let more = json!({ "definition": { "include": [{ "ids": ["a", "b"] }] }, "layout": "own",
                       "places": [{ "componentId": "b", "x": 4000.0, "y": 0.0 }] });
    ada.patch("/api/workspaces/w/views/personal/mine", more).await.ok();
    assert_eq!(cards(&ada, &format!("{path}.svg?ids=true")).await, ["a", "b"]);
    for path in [format!("{path}.png"), format!("{path}.pdf")] {
        assert_eq!(ada.get(&path).await.status, StatusCode::OK);
    }

    let grace = server.sign_in("grace").await;
    grace.get(&format!("{path}.svg")).await.expect_error(404, "view");
}

#[tokio::test]
async fn wrong_parameters_are_named() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    for (query, field, message) in [
        ("components=", "components", "must be 1 to 500 ids"),
        ("components=x", "components", "x"),
        ("around=x", "around", "x"),
        ("components=a&around=a", "components", "together"),
        ("depth=2", "around", "is required"),
        ("around=a&depth=11", "depth", "from 0 to 10"),
        ("step=1", "step", "without `process`"),
        ("at=1", "at", "images show the current state"),
    ] {
        let refusal = ada.get(&format!("{IMAGE}.svg?{query}")).await.expect_error(400, message);
        assert!(refusal.to_string().contains(field), "{query}: {refusal}");
    }
    ada.get(&format!("{IMAGE}.png?width=601")).await.expect_error(400, "must be 600, 1200, 1568 or 2400");
}

#[tokio::test]
async fn images_of_every_kind_refuse_an_earlier_state_and_ignore_unknown_parameters() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let view = json!({ "id": "one", "name": "One", "definition": { "include": [{ "ids": ["a"] }] } });
    ada.post("/api/workspaces/w/views", view.clone()).await.created();
    ada.post("/api/workspaces/w/views/personal", view).await.created();
    for of in ["", "/views/one", "/views/personal/one"] {
        for format in ["svg", "png", "pdf"] {
            let path = format!("/api/workspaces/w{of}/image.{format}");
            ada.get(&format!("{path}?at=1")).await.expect_error(400, "at: must not be given");
            assert_eq!(ada.get(&format!("{path}?version=1")).await.status, StatusCode::OK, "{path}");
        }
    }
}

#[tokio::test]
async fn an_svg_is_compressed_for_clients_that_accept_it() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let plain = ada.get(&format!("{IMAGE}.svg")).await;
    assert_eq!((plain.header("content-encoding"), plain.header("vary")), ("", "authorization, accept-encoding"));
    let modern = ada.header("accept-encoding", "gzip");
    let packed = modern.get(&format!("{IMAGE}.svg")).await;
    assert_eq!((packed.header("content-encoding"), packed.header("content-type")), ("gzip", "image/svg+xml"));
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(&packed.bytes[..]).read_to_end(&mut bytes).unwrap();
    assert_eq!(bytes, plain.bytes);
    assert!(packed.header("etag").ends_with("-gzip\""), "{}", packed.header("etag"));
    let known = modern.header("if-none-match", packed.header("etag")).get(&format!("{IMAGE}.svg")).await;
    assert_eq!((known.status, known.header("etag")), (StatusCode::NOT_MODIFIED, packed.header("etag")));
    for format in ["png", "pdf"] {
        let image = modern.get(&format!("{IMAGE}.{format}")).await;
        assert_eq!((image.status, image.header("content-encoding")), (StatusCode::OK, ""), "{format}");
    }
}

#[tokio::test]
async fn a_step_of_a_process_is_legible_as_a_whole_even_if_its_ends_are_not_on_the_map() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let long = "Address of the nearest data center in the region of the customer";
    let mermaid = format!("sequenceDiagram\nparticipant B as Bank\nA->>C: {long}\nA->>B: pays\nB->>B: counts");
    let process = json!({ "id": "pp", "name": "P", "mermaid": mermaid, "participants": { "A": "a", "C": "b" } });
    ada.post("/api/workspaces/w/processes", process).await.created();
    let texts = async |step: &str| {
        let text = svg(&ada.get(&format!("{IMAGE}.svg?process=pp{step}")).await);
        let document = roxmltree::Document::parse(&text).unwrap();
        let rows = document.descendants().filter(|one| one.has_tag_name("text"));
        rows.flat_map(|row| row.descendants().filter_map(|one| one.text())).collect::<Vec<_>>().join(" ")
    };
    assert!(texts("&step=1").await.contains(&format!("1. A → C: {long}")), "{}", texts("&step=1").await);
    assert!(texts("&step=2").await.contains("2. A → Bank: pays"), "one end has no component");
    assert!(texts("&step=3").await.contains("3. Bank → Bank: counts"), "no end has a component");
    assert!(!texts("").await.contains("→"), "no step is emphasized");
    ada.get(&format!("{IMAGE}.svg?process=pp&step=4")).await.expect_error(400, "step: must be a step of the process");
}

#[tokio::test]
async fn many_images_at_once_are_all_drawn_when_the_rejected_ones_are_repeated() {
    let server = TestServer::new().await;
    let ada = &server.seed_map().await;
    let mut open: Vec<String> = ["light", "dark"]
        .iter()
        .flat_map(|theme| ["full", "overview", "thumbnail"].map(|detail| format!("theme={theme}&detail={detail}")))
        .flat_map(|query| [false, true].map(|legend| format!("{query}&legend={legend}")))
        .flat_map(|query| [false, true].map(|title| format!("{IMAGE}.png?width=600&{query}&title={title}")))
        .collect();
    for _ in 0..10 {
        let replies = join_all(open.iter().map(|path| ada.get(path))).await;
        let rejected = replies.iter().zip(&open).filter(|(reply, _)| reply.status != StatusCode::OK);
        let repeated = rejected.map(|(reply, path)| {
            assert!([429, 503].contains(&reply.status.as_u16()), "{reply}");
            assert!(!reply.header("retry-after").is_empty());
            path.clone()
        });
        open = repeated.collect();
        if open.is_empty() {
            return;
        }
    }
    panic!("still rejected: {open:?}");
}
