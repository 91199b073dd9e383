//! `admin`, with and without a running server.

use serde_json::json;

use super::WorkDir;
use crate::support::PASSWORD;

#[test]
fn an_administrator_is_created_with_and_without_a_server() {
    let dir = WorkDir::new();
    let text = dir.admin("ada").ok();
    assert!(text.contains("ada is now an administrator of the instance and of acme"), "{text}");
    let server = dir.serve();
    // Immediately: commands work as soon as the server has printed its first line.
    dir.admin("grace").ok();
    for login in ["ada", "grace"] {
        let signed_in = server.sign_in(login, PASSWORD).json(200);
        assert_eq!(signed_in["session"]["orgSlug"], "acme");
    }
    dir.admin("ADA").expect_error("a user with the login `ADA` exists already");
    server.stop().ok();
    dir.admin("Grace").expect_error("a user with the login `Grace` exists already");
}

#[test]
fn an_invalid_administrator_is_rejected_with_one_line() {
    let dir = WorkDir::new();
    let make = |login: &str, name: &str, org: &str, input: &str| {
        let arguments = ["admin", "create", "--login", login, "--name", name, "--org", org, "--password-stdin"];
        dir.run_with(&arguments, &[], input)
    };
    let refusals = || {
        let good = format!("{PASSWORD}\n");
        make("ada", "Ada", "acme", "short\n").expect_error("must have 8 to 128 characters");
        make("ada", "Ada", "acme", "").expect_error("must have 8 to 128 characters");
        make("ada", "Ada", "Acme & Sons", &good).expect_error("--org: must consist of lower-case letters");
        make("a da", "Ada", "acme", &good).expect_error("--login: must not contain white space");
        make("ada", " ", "acme", &good).expect_error("--name: must have 1 to 200 characters");
        let asking = dir.run(&["admin", "create", "--login", "ada", "--name", "Ada", "--org", "acme"]);
        asking.expect_error("cannot prompt for the password without a terminal; use --password-stdin");
    };
    refusals();
    let mut server = dir.serve();
    assert!(server.line().contains("No accounts yet"), "none of these created an account");
    refusals();
}

#[test]
fn a_password_is_reset_with_and_without_a_server() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    let reset = |login: &str, input: &str| {
        dir.run_with(&["admin", "reset-password", "--login", login, "--password-stdin"], &[], input)
    };
    let text = reset("ada", "wrong stapler donkey\n").ok();
    assert!(text.contains("Reset the password of ada"), "{text}");
    let server = dir.serve();
    server.sign_in("ada", PASSWORD).json(401);
    let session = server.sign_in("ada", "wrong stapler donkey").json(200)["token"].as_str().unwrap().to_owned();
    assert!((0..20).any(|_| server.sign_in("ada", "guess").status == 429));
    let weak = reset("Ada", "password\n");
    assert!(weak.err.contains("warning: this password is easy to guess"), "{weak:?}");
    weak.ok();
    server.get("/api/me", &session).json(401);
    server.sign_in("ada", "password").json(200);
    reset("eve", "wrong stapler donkey\n").expect_error("--login: there is no user `eve`");
    reset("ada", "short\n").expect_error("8 to 128");
}

#[test]
fn the_signing_key_is_replaced_with_and_without_a_server() {
    let dir = WorkDir::new();
    let rotate = ["admin", "rotate-key"];
    dir.run(&rotate).expect_error("there is no database");
    dir.admin("ada").ok();
    dir.run(&rotate).ok();
    let server = dir.serve_with(&["--listen", "127.0.0.1:0", "--public-url", "http://plans.test"], &[]);
    let (session, _) = server.credentials();
    let keys = || server.ask("GET", "/.well-known/jwks.json", None, None).json(200)["keys"].clone();
    let before = keys();
    let text = dir.run(&rotate).ok();
    assert!(text.contains("Replaced the signing key"), "{text}");
    assert_eq!(keys()[1], before[0]);
    server.get("/api/me", &session).json(200);
    server.stop();
    let server = dir.serve_with(&["--listen", "127.0.0.1:0", "--public-url", "http://plans.test"], &[]);
    assert_ne!(server.get("/api/me", &session).json(200)["id"], json!(null));
}
