//! `serve --demo`.

use serde_json::json;

use super::WorkDir;

#[test]
fn a_demo_supports_sign_in_and_deletes_its_data() {
    let dir = WorkDir::new();
    let temporary = dir.path("tmp");
    std::fs::create_dir(&temporary).unwrap();
    let variables = [("TMPDIR", temporary.to_str().unwrap()), ("PLANROOM_DATA_DIR", "elsewhere")];
    let mut server = dir.serve_with(&["--demo", "--listen", "127.0.0.1:0"], &variables);
    let (first, second) = (server.line(), server.line());
    assert!(first.contains("lost when the server stops"), "{first}");
    let address = format!("Open http://{} and sign in as demo with the password ", server.address);
    let password = second.trim_end().strip_prefix(address.as_str()).unwrap_or_else(|| panic!("{second}")).to_owned();
    assert!(password.len() >= 16, "{password}");
    let token = server.sign_in("demo", &password).json(200)["token"].as_str().unwrap().to_owned();
    let bundle = server.get("/api/workspaces/wikipedia", &token).json(200);
    assert_eq!(bundle["workspace"]["name"], "How Wikipedia works");
    assert_eq!(bundle["workspace"]["myRole"], json!("owner"));
    let stopped = server.stop();
    assert!(!stopped.err.contains(&password), "the password is not logged");
    stopped.ok();
    assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 0);
    assert!(!dir.path("elsewhere").exists() && !dir.path("data").exists());
}

#[test]
fn a_demo_listens_on_localhost_only() {
    let dir = WorkDir::new();
    dir.run(&["serve", "--demo", "--listen", "0.0.0.0:0"]).expect_error("a demo must listen on localhost");
    let both = dir.run(&["serve", "--demo", "--data-dir", "data"]);
    assert_eq!(both.status.code(), Some(2), "{both:?}");
}
