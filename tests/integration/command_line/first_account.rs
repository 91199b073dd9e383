//! The first account from the environment, for unattended installations.

use super::WorkDir;
use crate::support::PASSWORD;

const SERVE: [&str; 3] = ["serve", "--listen", "127.0.0.1:0"];
const WHO: [(&str, &str); 3] =
    [("PLANROOM_ADMIN_LOGIN", "ada"), ("PLANROOM_ADMIN_NAME", "Ada"), ("PLANROOM_ADMIN_ORG", "acme")];

#[test]
fn the_environment_creates_the_first_account_only() {
    let dir = WorkDir::new();
    let with = |name, value| [&WHO[..], &[(name, value)]].concat();
    let server = dir.serve_with(&SERVE[1..], &with("PLANROOM_ADMIN_PASSWORD", PASSWORD));
    let signed_in = server.sign_in("ada", PASSWORD).json(200);
    assert_eq!(signed_in["session"]["orgRole"], "org:admin");
    let stopped = server.stop();
    assert!(!stopped.err.contains(PASSWORD), "{stopped:?}");
    assert_eq!(stopped.ok(), "", "no link is needed");

    let other = [("PLANROOM_ADMIN_LOGIN", "eve"), ("PLANROOM_LOG_LEVEL", "debug")];
    let server = dir.serve_with(&SERVE[1..], &other);
    server.sign_in("eve", PASSWORD).json(401);
    server.sign_in("ada", PASSWORD).json(200);
    let stopped = server.stop();
    assert!(stopped.err.contains("PLANROOM_ADMIN_… is ignored because there are accounts already"), "{stopped:?}");
}

#[test]
fn the_password_can_be_in_a_file() {
    let dir = WorkDir::new();
    let file = dir.write("password", &format!("{PASSWORD}\n"));
    let variables = [&WHO[..], &[("PLANROOM_ADMIN_PASSWORD_FILE", file.to_str().unwrap())]].concat();
    let server = dir.serve_with(&SERVE[1..], &variables);
    server.sign_in("ada", PASSWORD).json(200);
}

#[test]
fn an_incomplete_account_is_rejected_with_the_missing_variables() {
    let dir = WorkDir::new();
    let start = |variables: &[(&str, &str)]| dir.run_with(&SERVE, variables, "");
    start(&WHO).expect_error("set PLANROOM_ADMIN_PASSWORD or _PASSWORD_FILE");
    start(&[("PLANROOM_ADMIN_PASSWORD", PASSWORD)])
        .expect_error("set PLANROOM_ADMIN_LOGIN, PLANROOM_ADMIN_NAME, PLANROOM_ADMIN_ORG");
    let with = |name, value| [&WHO[..], &[(name, value)]].concat();
    start(&with("PLANROOM_ADMIN_PASSWORD_FILE", "nowhere")).expect_error("cannot read nowhere");
    start(&with("PLANROOM_ADMIN_PASSWORD", "short")).expect_error("8 to 128");
    start(&with("PLANROOM_ADMIN_PASWORD", PASSWORD))
        .expect_error("unknown environment variable PLANROOM_ADMIN_PASWORD");
    let mut server = dir.serve();
    assert!(server.line().contains("No accounts yet"), "none of these created an account");
}

#[test]
fn a_weak_password_is_accepted_with_a_warning() {
    let dir = WorkDir::new();
    let create = ["admin", "create", "--login", "ada", "--name", "Ada", "--org", "acme", "--password-stdin"];
    let made = dir.run_with(&create, &[], "password\n");
    assert!(made.err.contains("warning: this password is easy to guess"), "{made:?}");
    made.ok();
    let server = dir.serve();
    server.sign_in("ada", "password").json(200);
    assert_eq!(dir.admin("grace").err, "", "no warning for a strong password");
}
