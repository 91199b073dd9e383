//! What other sites show of a link.

use serde_json::json;

use super::{allow_embeds, create, oembed, path, text, visit};
use crate::support::TestServer;

#[tokio::test]
async fn the_owner_decides_what_other_sites_show() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.patch("/api/workspaces/w", json!({ "name": "Web shop" })).await.ok();
    let page = async |preview: &str| {
        let path = path(&create(&ada, json!({ "preview": preview })).await);
        (text(&visit(&server, &path).await), oembed(&server, &path).await)
    };
    let (html, described) = page("picture").await;
    assert!(html.contains("<meta property=\"og:title\" content=\"Web shop\">"), "{html}");
    assert!(html.contains("/image.png?card=true\">") && html.contains("summary_large_image"), "{html}");
    assert_eq!(size(&server, &html).await, (1_200, 630));
    assert!(html.contains("type=\"application/json+oembed\""));
    let photo = described.ok();
    assert_eq!((&photo["type"], &photo["title"]), (&json!("photo"), &json!("Web shop")));
    assert!(photo["url"].as_str().unwrap().ends_with("/image.png?width=2400"), "{photo}");
    assert_eq!(photo["width"], 2_400);
    assert!(photo["height"].as_u64().unwrap() > 100);
    let (html, described) = page("title").await;
    assert!(html.contains("og:title\" content=\"Web shop\"") && !html.contains("og:image"), "{html}");
    assert_eq!(described.ok()["type"], "link");
    let (html, described) = page("nothing").await;
    assert!(html.contains("<title>A shared map</title>") && !html.contains("og:image"), "{html}");
    assert!(html.contains("og:title\" content=\"A shared map\"") && !html.contains("oembed"), "{html}");
    assert_eq!(described.status, 401);
}

/// Width and height of the image that a page names for other sites, from the header of the PNG.
async fn size(server: &TestServer, html: &str) -> (u32, u32) {
    let (_, rest) = html.split_once("og:image\" content=\"").unwrap();
    let at = rest.split_once("/s/").unwrap().1.split_once('"').unwrap().0;
    let png = visit(server, &format!("/s/{at}")).await;
    let number = |at: usize| u32::from_be_bytes(png.bytes[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[tokio::test]
async fn sites_get_a_frame_if_the_link_may_be_embedded() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    allow_embeds(&ada).await;
    let share = create(&ada, json!({ "preview": "picture", "embedOrigins": ["https://wiki.example.org"] })).await;
    let rich = oembed(&server, &path(&share)).await.ok();
    let url = share["url"].as_str().unwrap();
    assert_eq!((&rich["type"], &rich["width"], &rich["height"]), (&json!("rich"), &json!(960), &json!(600)));
    assert!(rich["html"].as_str().unwrap().starts_with(&format!("<iframe src=\"{url}/embed\"")), "{rich}");
    let small = visit(&server, &format!("/oembed?maxwidth=400&maxheight=300&url={url}")).await.ok();
    assert_eq!((&small["width"], &small["height"]), (&json!(400), &json!(300)));
    assert_eq!(visit(&server, &format!("/oembed?format=xml&url={url}")).await.status, 501);
    assert_eq!(visit(&server, "/oembed?url=https://evil.example/s/a.b").await.status, 404);
    assert_eq!(visit(&server, "/oembed").await.status, 404);
}
