//! URLs signed by the wiki are in no response, file or log line.

use std::{fs, path::Path};

use serde_json::{Value, json};

use super::WorkDir;
use crate::support::{
    image_host::SVG,
    wiki::{
        FakeWiki, INTERNAL_TOKEN, SIGNATURE, Uploaded,
        content::{address, plain},
    },
};

const LINKS: &str = "/api/workspaces/w/components/a/links";

/// The files in a directory that contain `text`.
fn files_with(text: &str, directory: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_with(text, &path));
        } else if path.is_file() && fs::read(&path).unwrap().windows(text.len()).any(|bytes| bytes == text.as_bytes()) {
            found.push(path.display().to_string());
        }
    }
    found
}

#[test]
fn a_signed_url_is_in_no_response_file_or_log_line() {
    let wiki = FakeWiki::start_aside();
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    // The second port is closed.
    let config = format!(
        "[outbound]\nallow_private = true\nwiki_url = \"{}\"\nwiki_requests_per_second = 1000\n\
         picture_urls = [\"{}\", \"http://127.0.0.1:9\"]\n[log]\nlevel = \"trace\"\n",
        wiki.url(),
        wiki.uploads()
    );
    dir.write("c.toml", &config);
    let connect = ["wiki", "connect", "--config", "c.toml", "--org", "acme", "--token-stdin"];
    dir.run_with(&connect, &[], INTERNAL_TOKEN).ok();
    let nowhere = json!({ "type": "file", "file": { "url": "http://127.0.0.1:9/x.png" } });
    for (n, icon) in [
        (1, wiki.upload("cart", Uploaded::Bytes(SVG.into()))),
        (2, wiki.upload("elsewhere", Uploaded::Elsewhere)),
        (3, wiki.upload("page", Uploaded::Bytes(b"<html>".into()))),
        (4, nowhere),
        (5, wiki.upload("lorry", Uploaded::Bytes(SVG.into()))),
    ] {
        wiki.root(n, "Page", icon);
    }

    let server = dir.serve_with(&["--config", "c.toml", "--listen", "127.0.0.1:0"], &[]);
    let (ada, _) = server.credentials();
    let mut told = String::new();
    let mut ask = |method: &str, path: &str, body: Option<Value>| {
        let answer = server.ask(method, path, Some(&ada), body);
        told += &answer.whole();
        answer
    };
    ask("POST", "/api/workspaces", Some(json!({ "id": "w", "name": "W" }))).json(201);
    let a = json!({ "id": "a", "typeId": "service", "name": "A" });
    ask("POST", "/api/workspaces/w/components", Some(a)).json(201);
    let mut statuses = Vec::new();
    for n in 1..=4 {
        let link = ask("POST", LINKS, Some(json!({ "url": address(n) }))).json(201)["link"]["id"].clone();
        statuses.push(ask("GET", &format!("{LINKS}/{link}/icon"), None).status);
        ask("POST", &format!("{LINKS}/{link}/refresh"), Some(json!({}))).json(200);
    }
    assert_eq!(statuses, [200, 404, 404, 404]);
    ask("GET", "/api/wiki/children", None).json(200);
    wiki.expire_signatures();
    assert_eq!(ask("GET", &format!("/api/wiki/icon?id={}", plain(5)), None).status, 200);
    for path in
        [LINKS, "/api/workspaces/w", "/api/workspaces/w/export", "/api/workspaces/w/history", "/api/admin/audit"]
    {
        ask("GET", path, None).json(200);
    }
    // The requests did happen, and the log names them without the signature.
    let heard = wiki.take_requests();
    for expected in
        ["GET /uploads/cart 200", "GET /uploads/lorry 403", "GET /uploads/lorry 200", "GET /uploads/elsewhere 302"]
    {
        assert!(heard.iter().any(|heard| heard == expected), "{expected} in {heard:?}");
    }
    let data = dir.path("data");
    assert_eq!((told.contains(SIGNATURE), told.contains("/uploads/")), (false, false), "{told}");
    assert_eq!(files_with(SIGNATURE, &data), [""; 0]);
    let stopped = server.stop();
    assert!(stopped.status.success());
    assert_eq!(files_with(SIGNATURE, &data), [""; 0]);
    assert!(told.contains("upload:") && !files_with("upload:", &data).is_empty());
    let log = stopped.err;
    assert!(log.contains("image download failed") && log.contains("the wiki answered"), "{log}");
    for secret in [SIGNATURE, "X-Amz", "/uploads/"] {
        assert!(!log.contains(secret), "`{secret}` is in the log:\n{log}");
    }
}
