//! `user list`, `suspend`, `unsuspend` and `set-admin`.

use serde_json::{Value, json};

use super::WorkDir;
use crate::support::PASSWORD;

const REFUSAL: &str = "is the last active administrator of the instance";

#[test]
fn users_are_listed_as_a_table_and_as_json() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    dir.admin("grace").ok();
    let alone = dir.run(&["user", "list"]).ok();
    let server = dir.serve();
    assert_eq!(dir.run(&["user", "list"]).ok(), alone, "same output with a server");
    let lines: Vec<&str> = alone.lines().collect();
    assert_eq!(lines.len(), 3, "{alone}");
    assert_eq!(&lines[0].split_whitespace().collect::<Vec<_>>()[..4], ["ID", "LOGIN", "NAME", "EMAIL"]);
    let column = lines[0].find("ADMIN").unwrap();
    for (line, login) in lines[1..].iter().zip(["ada", "grace"]) {
        assert_eq!(line.split_whitespace().nth(1), Some(login));
        assert!(line[column..].starts_with("yes"), "columns are aligned with their headings: {alone}");
    }
    assert!(!alone.contains('\u{1b}'), "no colors without a terminal");
    server.sign_in("grace", PASSWORD).json(200);
    let users: Value = serde_json::from_str(&dir.run(&["user", "list", "--json"]).ok()).unwrap();
    let (_, token) = server.credentials();
    assert_eq!(server.get("/api/admin/users", &token).json(200)["users"][1], users[1], "the same record");
    assert_eq!(users[1]["login"], "grace");
    assert!(users[1]["lastLoginAt"].is_i64());
}

#[test]
fn a_suspension_applies_to_the_next_request_and_is_lifted() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    dir.admin("grace").ok();
    let server = dir.serve();
    let session = server.sign_in("grace", PASSWORD).json(200)["token"].as_str().unwrap().to_owned();
    let said = dir.run(&["user", "suspend", "GRACE", "--yes"]).ok();
    assert_eq!(said, "Suspended GRACE. All credentials of this user are rejected.\n");
    assert_eq!(server.get("/api/me", &session).json(403)["code"], "account_suspended");
    assert_eq!(dir.run(&["user", "unsuspend", "grace"]).ok(), "Lifted the suspension of grace\n");
    server.get("/api/me", &session).json(200);
    dir.run(&["user", "set-admin", "grace", "--off", "--yes"]).ok();
    assert_eq!(server.get("/api/admin/users", &session).status, 403);
    assert_eq!(dir.run(&["user", "set-admin", "grace"]).ok(), "grace is now an administrator of the instance\n");
    server.get("/api/admin/users", &session).json(200);
    let (_, token) = server.credentials();
    let event = &server.get("/api/admin/audit?limit=1&kind=user.promote", &token).json(200)["events"][0];
    assert_eq!((&event["actor"], &event["details"]["by"]), (&json!(null), &json!("cli")));
}

#[test]
fn the_last_administrator_is_protected_with_and_without_a_server() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    let refusals = || {
        dir.run(&["user", "suspend", "ada", "--yes"]).expect_error(REFUSAL);
        dir.run(&["user", "set-admin", "ada", "--off", "--yes"]).expect_error(REFUSAL);
        dir.run(&["user", "suspend", "eve", "--yes"]).expect_error("there is no user `eve`");
    };
    refusals();
    let _server = dir.serve();
    refusals();
}

#[test]
fn destructive_commands_ask_for_confirmation() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    dir.admin("grace").ok();
    dir.run(&["user", "suspend", "grace"])
        .expect_error("cannot ask \"Suspend grace?\" without a terminal; confirm with --yes");
    let demote = ["user", "set-admin", "grace", "--off"];
    dir.run_with(&demote, &[], "y\n").expect_error("without a terminal; confirm with --yes");
    for (typed, done) in [("\n", false), ("n\n", false), ("yess\n", false), ("y\n", true), ("YES\n", true)] {
        dir.run(&["user", "set-admin", "grace"]).ok();
        let outcome = dir.run_on_terminal(&demote, typed);
        assert!(outcome.err.contains("Remove the administrator role from grace? [y/N] "));
        assert_eq!(outcome.status.success(), done, "{typed:?}: {outcome:?}");
        assert_eq!(outcome.err.contains("nothing was changed"), !done);
        let users: Value = serde_json::from_str(&dir.run(&["user", "list", "--json"]).ok()).unwrap();
        assert_eq!(users[1]["isAdmin"], !done, "{typed:?}");
    }
}

#[test]
fn an_email_address_is_set_and_removed() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    dir.admin("grace").ok();
    let given = dir.run(&["user", "set-email", "grace", "grace@example.org"]).ok();
    assert_eq!(given, "Set the email address of grace to grace@example.org\n");
    dir.run(&["user", "set-email", "ada", "Grace@example.org"]).expect_error("`grace` has this ");
    dir.run(&["user", "set-email", "grace", "nowhere"]).expect_error("email: ");
    assert_eq!(dir.run(&["user", "set-email", "grace"]).ok(), "Removed the email address of grace\n");
    dir.run(&["user", "set-email", "ada", "Grace@example.org"]).ok();
}

#[test]
fn an_erased_user_is_anonymous_after_confirmation() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    dir.admin("grace").ok();
    dir.run(&["user", "erase", "grace"])
        .expect_error("cannot ask \"Erase grace, which cannot be undone?\" without a terminal; confirm with --yes");
    let server = dir.serve();
    let said = dir.run(&["user", "erase", "Grace", "--yes"]).ok();
    assert_eq!(said, "Erased Grace. History and audit log show the name \"Erased user 2\".\n");
    assert_eq!(server.sign_in("grace", PASSWORD).status, 401);
    dir.run(&["user", "erase", "ada", "--yes"]).expect_error(REFUSAL);
    dir.run(&["user", "erase", "eve", "--yes"]).expect_error("there is no user `eve`");
}
