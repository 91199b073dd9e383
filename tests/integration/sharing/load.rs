//! Many readers at the same time.

use std::io::Read;

use futures_util::future::join_all;
use serde_json::json;

use super::{all_of, create, path, text, visit};
use crate::{bounds::whole_maps::reserve_memory, support::TestServer};

#[tokio::test]
async fn sixteen_readers_of_one_link_are_all_answered() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let path = &path(&create(&ada, json!({})).await);
    let server = &server;
    let reader = |_| async move {
        let mut statuses = Vec::new();
        for part in ["", "/image.svg?theme=light&ids=true", "/model.json", "/image.svg?theme=dark"] {
            statuses.push(visit(server, &format!("{path}{part}")).await.status.as_u16());
        }
        statuses
    };
    for statuses in join_all((0..16).map(reader)).await {
        assert_eq!(statuses, [200; 4]);
    }
}

#[tokio::test]
async fn readers_of_different_images_wait_for_their_turn() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let path = path(&create(&ada, json!({})).await);
    let options = ["theme=light", "theme=dark"]
        .map(|theme| ["legend=true", "legend=false"].map(|legend| ["600", "1200"].map(|width| (theme, legend, width))));
    let urls: Vec<String> = options
        .iter()
        .flatten()
        .flatten()
        .map(|(theme, legend, width)| format!("{path}/image.png?{theme}&{legend}&width={width}"))
        .collect();
    for reply in join_all(urls.iter().map(|url| visit(&server, url))).await {
        assert_eq!(reply.status, 200, "{reply}");
    }
}

#[tokio::test]
async fn unchanged_content_is_never_limited() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let path = path(&create(&ada, json!({})).await);
    for file in ["model.json", "image.svg"] {
        let url = format!("{path}/{file}");
        let first = visit(&server, &url).await;
        for _ in 0..300 {
            let again = visit(&server, &url).await;
            assert_eq!((again.status.as_u16(), &again.bytes), (200, &first.bytes), "{file}");
        }
    }
}

#[tokio::test]
async fn one_address_does_not_use_up_the_limit_of_a_link() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let path = path(&create(&ada, json!({})).await);
    let url = format!("{path}/model.json");
    let mut limited = None;
    for number in 0..100 {
        ada.patch("/api/workspaces/w/components/a", json!({ "name": format!("Name {number}") })).await.ok();
        let reply = visit(&server, &url).await;
        if reply.status != 200 {
            limited = Some(reply);
            break;
        }
    }
    let limited = limited.expect("the requests were limited");
    assert_eq!(limited.status, 429, "{limited}");
    assert!(limited.header("retry-after").parse::<u64>().unwrap() >= 1);
    let other = server.anonymous().from([198, 51, 100, 1]);
    let first = other.get(&url).await;
    assert_eq!(first.status, 200, "{first}");
    assert_eq!(visit(&server, &url).await.status, 200, "from the cache");
    let known = server.anonymous().header("if-none-match", first.header("etag"));
    assert_eq!(known.get(&url).await.status, 304);
}

#[tokio::test]
async fn strangers_who_ask_for_steps_do_not_use_up_the_images_of_a_link() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let mermaid = "sequenceDiagram\nBuyer->>Seller: Ask";
    let process = json!({ "name": "Pay", "mermaid": mermaid, "participants": { "Buyer": "a" } });
    ada.post("/api/workspaces/w/processes", process).await.created();
    let path = path(&create(&ada, json!({ "scope": "process", "processId": "pay" })).await);
    let mut statuses = Vec::new();
    for step in 0..130 {
        let stranger = server.anonymous().from([20, step / 40, 113, 7]);
        statuses.push(stranger.get(&format!("{path}/image.svg?step={step}")).await.status.as_u16());
    }
    assert_eq!((statuses[0], statuses[129]), (200, 429), "{statuses:?}");
    for number in 0..3 {
        ada.patch("/api/workspaces/w/components/a", json!({ "name": format!("Name {number}") })).await.ok();
        let reader = server.anonymous().from([77, number, 113, 7]);
        for file in ["image.svg?legend=true&theme=light", "model.json", "image.svg?legend=true&theme=dark"] {
            assert_eq!(reader.get(&format!("{path}/{file}")).await.status, 200, "{file}");
        }
        assert_eq!(reader.get(&format!("{path}/image.svg?step=1")).await.status, 429, "steps have a limit");
    }
}

#[tokio::test]
async fn drawings_and_data_are_compressed_for_clients_that_accept_it() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let path = path(&create(&ada, json!({})).await);
    let modern = server.anonymous().header("accept-encoding", "br, gzip");
    for file in ["image.svg", "model.json"] {
        let url = format!("{path}/{file}");
        let plain = visit(&server, &url).await;
        assert_eq!((plain.header("content-encoding"), plain.header("vary")), ("", "accept-encoding"), "{file}");
        let packed = modern.get(&url).await;
        assert_eq!((packed.header("content-encoding"), packed.header("vary")), ("gzip", "accept-encoding"), "{file}");
        let mut bytes = Vec::new();
        flate2::read::GzDecoder::new(&packed.bytes[..]).read_to_end(&mut bytes).unwrap();
        assert_eq!(bytes, plain.bytes, "{file}");
        let tag = packed.header("etag");
        assert_eq!(tag, format!("{}-gzip\"", plain.header("etag").trim_end_matches('"')));
        let known = modern.header("if-none-match", tag).get(&url).await;
        assert_eq!((known.status.as_u16(), known.header("etag")), (304, tag));
    }
    let png = modern.get(&format!("{path}/image.png?width=600")).await;
    assert_eq!((png.status.as_u16(), png.header("content-encoding")), (200, ""));
}

#[tokio::test]
async fn a_map_that_is_too_large_to_be_drawn_is_not_taken_for_a_revoked_link() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let component = |n: usize| json!({ "id": format!("c{n}"), "typeId": "service", "name": format!("C {n}") });
    let components: Vec<_> = (0..5_001).map(component).collect();
    let model = json!({ "workspace": { "name": "Large" }, "components": components, "relationships": [] });
    ada.put("/api/workspaces/w/bulk", model).await.ok();
    let path = path(&create(&ada, json!({ "preview": "picture" })).await);
    let replies = all_of(&server, &path).await;
    let statuses: Vec<u16> = replies.iter().map(|reply| reply.status.as_u16()).collect();
    assert_eq!(statuses, [200, 404, 422, 422, 200, 403, 200], "page, embed, images, model, password, description");
    for shown in [&replies[0], &replies[2], &replies[3]] {
        assert!(text(shown).contains("This map is too large to be drawn."), "{shown}");
    }
    assert!(!text(&replies[0]).contains("og:image"));
    assert_eq!(replies[6].json()["type"], "link");
    // Images are refused by the number of components, before rows need memory.
    let _memory = reserve_memory(&server).await;
    ada.get("/api/workspaces/w/image.png").await.expect_error(400, "at most 5000 components");
    assert_eq!(visit(&server, &format!("{path}/image.png?width=600")).await.status, 422);
}
