//! `serve`: first start, shutdown, errors at startup, and `healthcheck`.

use std::{fs, net::TcpStream, time::Duration};

use serde_json::json;

use super::WorkDir;
use crate::support::PASSWORD;

#[test]
fn a_new_instance_prints_its_address_and_a_link_for_the_first_account() {
    let dir = WorkDir::new();
    let mut server = dir.serve();
    let link = server.line();
    let address = server.address.clone();
    let (text, token) = link.trim_end().split_once(&format!("http://{address}/setup#")).unwrap();
    assert!(text.contains("No accounts yet") && token.len() > 20, "{link}");
    server.ask("GET", "/healthz", None, None).json(200);
    let form = json!({ "token": token, "login": "ada", "displayName": "Ada", "password": PASSWORD,
                       "organization": "Acme" });
    server.ask("POST", "/api/auth/setup", None, Some(form)).json(200);
    let stopped = server.stop();
    assert!(!stopped.err.contains(token), "the link is not logged");
    stopped.ok();

    let server = dir.serve();
    server.sign_in("ada", PASSWORD).json(200);
    assert_eq!(server.stop().ok(), "", "no link if there is an account");
}

#[test]
fn sigterm_stops_the_server_and_leaves_one_file() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    let server = dir.serve();
    server.credentials();
    // The server does not wait for an idle connection until it warns.
    let idle = TcpStream::connect(&server.address).unwrap();
    let stopped = server.stop();
    assert_eq!(stopped.status.code(), Some(0), "{stopped:?}");
    assert!(stopped.err.contains("received SIGTERM"), "{stopped:?}");
    assert!(!stopped.err.contains("WARN") && !stopped.err.contains("ERROR"), "{stopped:?}");
    let log = fs::metadata(dir.path("data/planroom.db-wal")).map_or(0, |file| file.len());
    assert_eq!(log, 0, "the write-ahead log is emptied");
    drop(idle);
}

#[test]
fn a_second_server_on_the_same_data_is_rejected() {
    let dir = WorkDir::new();
    let server = dir.serve();
    let second = dir.run(&["serve", "--listen", "127.0.0.1:0"]);
    second.expect_error("another Planroom process is using data; stop it first, or choose another --data-dir");
    assert_eq!(server.ask("GET", "/healthz", None, None).status, 200);
}

#[test]
fn a_port_in_use_is_reported_before_data_is_created() {
    let dir = WorkDir::new();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    dir.run(&["serve", "--listen", &address]).expect_error(&format!("cannot listen on {address}"));
    assert!(!dir.path("data").exists());
}

#[test]
fn the_healthcheck_detects_whether_a_server_runs() {
    let dir = WorkDir::new();
    let server = dir.serve();
    assert_eq!(dir.run(&["healthcheck"]).ok(), "ok\n");
    server.stop().ok();
    dir.run(&["healthcheck"]).expect_error("no server is running on data");
}

#[test]
fn the_server_tells_systemd_when_it_is_ready_works_and_stops() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    let path = dir.path("notify");
    let socket = std::os::unix::net::UnixDatagram::bind(&path).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let next = || {
        let mut message = [0; 256];
        let length = socket.recv(&mut message).unwrap();
        String::from_utf8(message[..length].to_vec()).unwrap().trim_end().to_owned()
    };
    let variables = [("NOTIFY_SOCKET", path.to_str().unwrap()), ("WATCHDOG_USEC", "600000")];
    let server = dir.serve_with(&["--listen", "127.0.0.1:0"], &variables);
    assert_eq!(next(), "READY=1");
    for _ in 0..3 {
        assert_eq!(next(), "WATCHDOG=1");
    }
    server.stop().ok();
    let last = std::iter::repeat_with(next).find(|message| message != "WATCHDOG=1");
    assert_eq!(last.as_deref(), Some("STOPPING=1"));
}

#[test]
fn an_unusable_data_directory_is_named_with_a_remedy() {
    let dir = WorkDir::new();
    dir.write("file", "");
    let told =
        dir.run(&["serve", "--listen", "127.0.0.1:0", "--data-dir", "file"]).expect_error("data directory file: ");
    assert!(told.contains("check that it is a directory"), "{told}");
    fs::create_dir(dir.path("data")).unwrap();
    dir.write("data/keys", "");
    let told = dir.run(&["serve", "--listen", "127.0.0.1:0"]).expect_error("cannot use the data directory ");
    assert!(told.contains("data/keys: ") && told.contains("or choose another --data-dir"), "{told}");
}

#[test]
fn a_server_for_other_machines_without_a_public_url_warns_about_its_links() {
    let warning = "works on this machine only; set public_url";
    for (listen, variables, is_warned) in [
        ("0.0.0.0:0", &[][..], true),
        ("127.0.0.1:0", &[], false),
        ("0.0.0.0:0", &[("PLANROOM_PUBLIC_URL", "https://plans.example.org")], false),
    ] {
        let dir = WorkDir::new();
        let log = dir.serve_with(&["--listen", listen], variables).stop().err;
        assert_eq!(log.contains(warning), is_warned, "{listen} {variables:?}: {log}");
    }
}
