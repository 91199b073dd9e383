//! `admin create`, beside a running server and without one.

use super::Desk;
use crate::support::PASSWORD;

#[test]
fn an_administrator_is_made_with_and_without_a_server() {
    let desk = Desk::new();
    let text = desk.admin("ada").ok();
    assert!(text.contains("ada is an administrator now, of the instance and of acme"), "{text}");
    let server = desk.serve();
    // At once: whoever reads the server's first line may go on.
    desk.admin("grace").ok();
    for login in ["ada", "grace"] {
        let signed_in = server.sign_in(login, PASSWORD).json(200);
        assert_eq!(signed_in["session"]["orgSlug"], "acme");
    }
    desk.admin("ADA").refused("a user with the login `ADA` exists already");
    server.stop().ok();
    desk.admin("Grace").refused("a user with the login `Grace` exists already");
}

#[test]
fn an_administrator_that_cannot_be_is_refused_in_one_sentence() {
    let desk = Desk::new();
    let make = |login: &str, name: &str, org: &str, input: &str| {
        let arguments = ["admin", "create", "--login", login, "--name", name, "--org", org, "--password-stdin"];
        desk.run_with(&arguments, &[], input)
    };
    let refusals = || {
        let good = format!("{PASSWORD}\n");
        make("ada", "Ada", "acme", "short\n").refused("a password has 8 to 128");
        make("ada", "Ada", "acme", "").refused("a password has 8 to 128");
        make("ada", "Ada", "Acme & Sons", &good).refused("--org: must consist of lower-case letters");
        make("a da", "Ada", "acme", &good).refused("--login: must not contain white space");
        make("ada", " ", "acme", &good).refused("--name: must have 1 to 200 characters");
        let asking = desk.run(&["admin", "create", "--login", "ada", "--name", "Ada", "--org", "acme"]);
        asking.refused("no terminal to ask for the password; use --password-stdin");
    };
    refusals();
    let mut server = desk.serve();
    assert!(server.line().contains("nobody has an account yet"), "none of these made an account");
    refusals();
}
