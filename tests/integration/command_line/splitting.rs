//! `planroom sync --split`: a component of the files is not the one of the map that it was matched with.

use serde_json::{Value, json};

use super::{
    WorkDir,
    server::Server,
    sync::{names, shop, sync},
};

const ARGUMENTS: [&str; 2] = ["--workspace", "shop"];

/// A map on which Ada drew a shopping cart of her own before the sync.
fn drawn() -> (WorkDir, Server, String) {
    let (dir, server, token) = shop();
    let cart = json!({ "id": "cart", "name": "Cart of the old shop", "typeId": "service" });
    server.ask("POST", "/api/workspaces/shop/components", Some(&token), Some(cart)).json(201);
    (dir, server, token)
}

fn run(dir: &WorkDir, server: &Server, token: &str, more: &[&str]) -> super::Outcome {
    sync(dir, server, token, &[&["compose.yaml"], &ARGUMENTS[..], more].concat())
}

#[test]
fn the_report_says_how_to_split_off_what_was_matched_wrongly() {
    let (dir, server, token) = drawn();
    run(&dir, &server, &token, &["--split", "cart"])
        .expect_error("`cart` was not split off: no sync has matched it yet");
    let hint = "split it off with --split cart";
    let preview = run(&dir, &server, &token, &["--dry-run"]).ok();
    assert!(
        preview.contains("+ adopt component `Cart of the old shop`  (compose.yaml:5)") && !preview.contains(hint),
        "{preview}"
    );
    let matched = run(&dir, &server, &token, &[]).ok();
    assert!(matched.contains("+ adopted component `Cart of the old shop`; if it is"), "{matched}");
    assert!(matched.contains(hint), "{matched}");
    assert_eq!(names(&server, &token), ["Cart of the old shop", "web"]);

    run(&dir, &server, &token, &["--split", "cart", "--split", "card"])
        .expect_error("no component in the sources has the key `card`");
    run(&dir, &server, &token, &["--check"]).ok();
    let split = run(&dir, &server, &token, &["--split", "cart"]).ok();
    assert!(split.contains("+ added component `cart`"), "{split}");
    for _ in 0..2 {
        assert_eq!(names(&server, &token), ["Cart of the old shop", "cart", "web"]);
        run(&dir, &server, &token, &[]).ok();
    }
}

#[test]
fn a_key_of_several_sources_is_split_off_from_the_named_file() {
    let (dir, server, token) = shop();
    dir.write("cart-compose.yaml", "services:\n  cart:\n    image: acme/cart\n");
    dir.write("planroom.yaml", "workspace: shop\nsources: [compose.yaml, cart-compose.yaml]\n");
    sync(&dir, &server, &token, &[]).ok();
    assert_eq!(names(&server, &token), ["cart", "web"]);
    sync(&dir, &server, &token, &["--split", "cart"]).expect_error(
        "`cart` is a component in github.com/acme/shop:compose.yaml and github.com/acme/shop:cart-compose.yaml; pass the \
         files of the one to split off",
    );
    sync(&dir, &server, &token, &["cart-compose.yaml", "--split", "cart"]).ok();
    for _ in 0..2 {
        let again = sync(&dir, &server, &token, &[]).ok();
        assert!(!again.contains("warning"), "what was decided is no question anymore: {again}");
        assert_eq!(names(&server, &token), ["cart", "cart", "web"]);
    }
    sync(&dir, &server, &token, &["--check"]).ok();
}

#[test]
fn a_protected_map_gets_the_component_with_the_draft() {
    let (dir, server, token) = drawn();
    run(&dir, &server, &token, &[]).ok();
    let protect = json!({ "protected": true, "requiredApprovals": 0, "ownersExempt": false });
    server.ask("PATCH", "/api/workspaces/shop/protection", Some(&token), Some(protect)).json(200);
    let split = run(&dir, &server, &token, &["--split", "cart"]).ok();
    assert!(split.contains("1 added") && split.contains("in draft 1 (draft-"), "{split}");
    assert_eq!(names(&server, &token), ["Cart of the old shop", "web"]);
    let drafts: Value = server.get("/api/workspaces/shop/drafts", &token).json(200);
    let merge = format!("/api/drafts/{}/merge", drafts["drafts"][0]["id"].as_str().unwrap());
    server.ask("POST", &merge, Some(&token), Some(json!({}))).json(200);
    assert_eq!(names(&server, &token), ["Cart of the old shop", "cart", "web"]);
    run(&dir, &server, &token, &["--check"]).ok();
}
