//! Pages and files: the web client, the documentation and the API reference.

use std::{collections::BTreeSet, io::Read};

use crate::{
    support::{TestResponse, TestServer},
    transport::assert_common_headers,
};

/// The text of a page. The files of the API documentation are stored and sent compressed.
pub(crate) fn text(reply: &TestResponse) -> String {
    let mut text = String::new();
    match reply.header("content-encoding") {
        "gzip" => flate2::read::GzDecoder::new(&reply.bytes[..]).read_to_string(&mut text).unwrap(),
        _ => reply.bytes.as_slice().read_to_string(&mut text).unwrap(),
    };
    text
}

/// The URLs in `href` and `src` of a page.
pub(crate) fn references(html: &str) -> Vec<String> {
    ["href=\"", "src=\""]
        .iter()
        .flat_map(|name| html.split(name).skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()))
        .collect()
}

#[tokio::test]
async fn pages_load_only_existing_files_of_this_server() {
    let server = TestServer::empty(|_| {});
    let anyone = server.anonymous();
    let mut files = BTreeSet::new();
    for page in ["/", "/setup", "/join", "/o/acme/w/shop/table", "/docs/reference/"] {
        let reply = anyone.get(page).await;
        assert_eq!(reply.status, 200, "{reply}: is the web client built? `make web` does");
        assert!(reply.header("content-type").starts_with("text/html"), "{reply}");
        assert_common_headers(&reply);
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
        if file == "/docs/reference" {
            assert_eq!((reply.status.as_u16(), reply.header("location")), (303, "/docs/reference/"));
            continue;
        }
        assert_eq!(reply.status, 200, "{reply}");
        assert_common_headers(&reply);
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
async fn the_logos_of_technologies_are_those_of_images() {
    let server = TestServer::empty(|_| {});
    let reply = server.anonymous().get("/assets/technologies-0.json").await;
    assert_eq!(reply.status, 200, "{reply}");
    assert_eq!(reply.header("content-type"), "application/json");
    let logos: serde_json::Value = serde_json::from_str(&text(&reply)).unwrap();
    assert_eq!(logos["postgresql"]["title"], "PostgreSQL");
    let missing = server.anonymous().get("/assets/technologies-0.js").await;
    assert_eq!(missing.status, 404, "{missing}");
}

#[tokio::test]
async fn a_page_has_a_unique_nonce() {
    let server = TestServer::empty(|_| {});
    let mut seen = BTreeSet::new();
    for _ in 0..3 {
        let reply = server.anonymous().get("/sign-in").await;
        let policy = reply.header("content-security-policy").to_owned();
        let nonce = policy.split("'nonce-").nth(1).unwrap().split('\'').next().unwrap().to_owned();
        assert!(text(&reply).contains(&format!("nonce=\"{nonce}\"")), "{policy}");
        assert!(!policy.contains("unsafe") && !text(&reply).contains("{{"), "{policy}");
        assert_eq!(reply.header("cache-control"), "no-cache");
        assert!(nonce.len() >= 22 && seen.insert(nonce), "{policy}");
    }
}

#[tokio::test]
async fn client_files_are_cached_permanently_and_compressed() {
    let server = TestServer::empty(|_| {});
    let page = text(&server.anonymous().get("/").await);
    let scripts = references(&page).into_iter().filter(|file| file.rsplit('.').next() == Some("js"));
    for file in scripts {
        let plain = server.anonymous().get(&file).await;
        let packed = server.anonymous().header("accept-encoding", "gzip").get(&file).await;
        assert_eq!((plain.header("content-encoding"), packed.header("content-encoding")), ("", "gzip"), "{file}");
        assert_eq!(text(&plain), text(&packed), "{file}");
        for reply in [plain, packed] {
            assert_eq!(reply.header("cache-control"), "public, max-age=31536000, immutable");
            assert_eq!(reply.header("vary"), "accept-encoding");
        }
    }
}

#[tokio::test]
async fn the_api_documentation_shows_the_document_of_this_server() {
    let server = TestServer::empty(|_| {});
    let initializer = server.anonymous().get("/docs/reference/swagger-initializer.js").await;
    let text = text(&initializer);
    assert!(text.contains("/openapi.json") && !text.contains("://"), "{text}");
    let document = server.anonymous().get("/openapi.json").await.ok();
    assert_eq!(document["openapi"].as_str().map(|version| &version[..3]), Some("3.1"));
    assert!(!document.to_string().contains("petstore"));
}

#[tokio::test]
async fn the_documentation_has_no_scripts_and_no_broken_links() {
    let server = TestServer::empty(|_| {});
    let anyone = server.anonymous();
    let mut pages = vec!["/docs".to_owned()];
    let mut seen = BTreeSet::new();
    let mut anchors = Vec::new();
    while let Some(page) = pages.pop() {
        if !seen.insert(page.clone()) {
            continue;
        }
        let reply = anyone.get(&page).await;
        assert_eq!(reply.status, 200, "{page}");
        assert_common_headers(&reply);
        assert!(!reply.header("content-security-policy").contains("unsafe"), "{page}");
        if !reply.header("content-type").starts_with("text/html") {
            continue;
        }
        let html = text(&reply);
        assert!(html.contains("<h1") && !html.contains("<script") && !html.contains(" style="), "{page}");
        assert!(!html.contains("<th></th>"), "a column of a table without a heading in {page}");
        assert!(reply.header("content-security-policy").starts_with("default-src 'none'; style-src 'self'"), "{page}");
        for link in references(&html) {
            let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let path = if path.is_empty() { page.as_str() } else { path };
            if path.starts_with("/docs") && path != "/docs/reference/" {
                pages.push(path.to_owned());
                anchors.push((path.to_owned(), anchor.to_owned()));
            } else {
                assert!(
                    path.starts_with("https://")
                        || path.starts_with("http://127.0.0.1:")
                        || path == "/"
                        || path == "/icon.svg"
                        || path == "/docs/reference/",
                    "{page}: {link}"
                );
            }
        }
    }
    for page in ["/docs/operations", "/docs/api", "/docs/changelog", "/docs/config.example.toml", "/docs/style.css"] {
        assert!(seen.contains(page), "{page} in {seen:?}");
    }
    assert!(seen.iter().any(|page| page.starts_with("/docs/pictures/")), "{seen:?}");
    for (page, anchor) in anchors.iter().filter(|(_, anchor)| !anchor.is_empty()) {
        let html = text(&anyone.get(page).await);
        assert!(html.contains(&format!("id=\"{anchor}\"")), "{page} has no {anchor}");
    }
}

#[tokio::test]
async fn the_documentation_is_compressed_and_not_sent_again() {
    let server = TestServer::empty(|_| {});
    let plain = server.anonymous().get("/docs/operations").await;
    let packed = server.anonymous().header("accept-encoding", "gzip").get("/docs/operations").await;
    assert_eq!((plain.header("content-encoding"), packed.header("content-encoding")), ("", "gzip"));
    assert_eq!(text(&plain), text(&packed));
    let tag = plain.header("etag").to_owned();
    let again = server.anonymous().header("if-none-match", &tag).get("/docs/operations").await;
    assert_eq!((again.status.as_u16(), again.bytes.len(), again.header("etag")), (304, 0, &*tag));
    assert_eq!(server.anonymous().header("if-none-match", "\"x\"").get("/docs/operations").await.status, 200);
    for missing in ["/docs/none", "/docs/../Cargo.toml", "/docs/pictures/none.png", "/docs/operations/"] {
        assert_eq!(server.anonymous().get(missing).await.status, 404, "{missing}");
    }
}
