//! `audit tail`.

use std::{
    io::{BufRead, BufReader},
    process::Stdio,
};

use serde_json::Value;

use super::WorkDir;
use crate::support::PASSWORD;

#[test]
fn the_last_events_are_printed_newest_last() {
    let dir = WorkDir::new();
    for login in ["ada", "grace", "hedy"] {
        dir.admin(login).ok();
    }
    let text = dir.run(&["audit", "tail", "-n", "3"]).ok();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    for (line, (kind, what)) in
        lines.iter().zip([("organization.join", "org:admin"), ("user.create", "hedy"), ("person.create", "ada-3")])
    {
        assert!(line.contains(kind) && line.contains(what), "{line}");
    }
    let server = dir.serve();
    server.sign_in("ada", PASSWORD).json(200);
    let json = dir.run(&["audit", "tail", "--json"]).ok();
    let events: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<&Value> = events.iter().map(|event| &event["kind"]).collect();
    let joined = ["organization.join", "user.create", "person.create"];
    assert_eq!(kinds, [&["organization.create"][..], &joined, &joined, &joined, &["session.begin"]].concat());
    assert_eq!(events.last().unwrap()["actor"]["login"], "ada");
    for count in ["0", "1001", "many"] {
        assert_eq!(dir.run(&["audit", "tail", "-n", count]).status.code(), Some(2), "{count}");
    }
}

#[test]
fn follow_prints_new_events() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    dir.run(&["audit", "tail", "--follow"]).expect_error("no server is running on data; --follow requires one");
    let server = dir.serve();
    let mut command = dir.command(&["audit", "tail", "-n", "1", "--follow", "--json"]);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || serde_json::from_str::<Value>(&lines.next().unwrap().unwrap()).unwrap();
    assert_eq!(next()["kind"], "person.create");
    server.sign_in("ada", "wrong password");
    server.sign_in("ada", PASSWORD).json(200);
    assert_eq!(next()["kind"], "session.refuse");
    assert_eq!(next()["kind"], "session.begin");
    child.kill().unwrap();
    child.wait().unwrap();
}
