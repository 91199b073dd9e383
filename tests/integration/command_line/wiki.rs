//! `planroom wiki`, with and without a running server.

use super::{WorkDir, terminal::Terminal};
use crate::support::wiki::{CLIENT, FakeWiki, INTERNAL_TOKEN};

/// A working directory configured with the fake wiki.
fn dir(wiki: &FakeWiki) -> WorkDir {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    let text = format!(
        "public_url = \"https://plans.example.org\"\n[outbound]\nallow_private = true\nwiki_url = \"{}\"\n",
        wiki.url()
    );
    dir.write("c.toml", &text);
    dir
}

const SETUP: [&str; 6] = ["wiki", "setup", "--config", "c.toml", "--client-id", CLIENT.0];
const CONNECT: [&str; 7] = ["wiki", "connect", "--config", "c.toml", "--org", "acme", "--token-stdin"];

#[test]
fn setup_prints_the_exact_redirect_uri() {
    let wiki = FakeWiki::start_aside();
    let dir = dir(&wiki);
    let typed = [&SETUP[..], &["--secret-stdin"]].concat();
    let out = dir.run_with(&typed, &[], &format!("{}\n", CLIENT.1)).ok();
    assert!(out.contains("\n  https://plans.example.org/api/auth/wiki/callback\n"), "{out}");
    assert!(out.contains("The provider accepted the client ID and secret"), "{out}");
    assert_eq!(wiki.take_requests(), ["POST /v1/oauth/token 400"]);
    // Without arguments, the configured client is verified.
    let out = dir.run(&SETUP[..4]).ok();
    assert!(out.contains("accepted") && !out.contains(CLIENT.1), "{out}");
}

#[test]
fn on_a_terminal_setup_prompts_and_does_not_echo_the_secret() {
    let wiki = FakeWiki::start_aside();
    let dir = dir(&wiki);
    let mut terminal = Terminal::run(&dir, &SETUP[..4]);
    terminal.expect_prompt("https://plans.example.org/api/auth/wiki/callback");
    terminal.expect_prompt("Client ID: ");
    terminal.type_line(CLIENT.0);
    terminal.expect_prompt("Client secret: ");
    terminal.type_hidden(CLIENT.1);
    let (status, seen) = terminal.wait_for_exit();
    assert!(status.success(), "{seen}");
    assert!(seen.contains("The provider accepted the client ID and secret"), "{seen}");
    assert!(seen.contains(CLIENT.0) && !seen.contains(CLIENT.1), "{seen}");
    assert_eq!(wiki.take_requests(), ["POST /v1/oauth/token 400"]);
    // The input is stored.
    dir.run(&SETUP[..4]).ok();
}

#[test]
fn on_a_terminal_connect_prompts_and_does_not_echo_the_token() {
    let wiki = FakeWiki::start_aside();
    let dir = dir(&wiki);
    let mut terminal = Terminal::run(&dir, &CONNECT[..6]);
    terminal.expect_prompt("Token: ");
    terminal.type_hidden(INTERNAL_TOKEN);
    let (status, seen) = terminal.wait_for_exit();
    assert!(status.success() && seen.contains("acme is connected to the wiki"), "{seen}");
    assert!(!seen.contains(INTERNAL_TOKEN), "{seen}");
    // Empty input changes nothing.
    let mut terminal = Terminal::run(&dir, &CONNECT[..6]);
    terminal.expect_prompt("Token: ");
    terminal.type_hidden("");
    let (status, seen) = terminal.wait_for_exit();
    assert!(!status.success() && seen.contains("the input is empty; nothing was changed"), "{seen}");
}

#[test]
fn a_rejected_secret_is_not_stored() {
    let wiki = FakeWiki::start_aside();
    let dir = dir(&wiki);
    let typed = [&SETUP[..], &["--secret-stdin"]].concat();
    let outcome = dir.run_with(&typed, &[], "another\n");
    assert_eq!(outcome.status.code(), Some(1));
    assert!(outcome.err.contains("does not accept this client id and secret") && !outcome.err.contains("another"));
    // Nothing is configured, and there is no terminal to prompt on.
    let outcome = dir.run(&SETUP[..4]);
    assert!(outcome.err.contains("use --client-id and --secret-stdin"), "{outcome:?}");
}

#[test]
fn an_organization_is_connected_with_a_token_and_listed() {
    let wiki = FakeWiki::start_aside();
    let dir = dir(&wiki);
    let none = "No client ID is configured. Set one with `planroom wiki setup`.\nNo organization is connected\n";
    assert_eq!(dir.run(&["wiki", "status"]).ok(), none);
    assert_eq!(dir.run(&["wiki", "status", "--json"]).ok(), "[]\n");
    dir.run_with(&CONNECT, &[], "ntn_none\n").expect_error("does not accept this token");
    dir.run_with(&CONNECT, &[], "\n").expect_error("the input is empty");
    let out = dir.run_with(&CONNECT, &[], &format!("{INTERNAL_TOKEN}\n")).ok();
    assert_eq!(out, "acme is connected to the wiki workspace Acme's wiki as Planroom\n");
    let list = dir.run(&["wiki", "status"]).ok();
    assert!(list.contains("acme") && list.contains("token") && list.contains("Acme's wiki"), "{list}");
    assert!(!list.contains("ntn_"), "{list}");
}

#[test]
fn provider_errors_are_printed() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    // The port is closed, and the address is blocked until it is allowed.
    dir.write("c.toml", "[outbound]\nwiki_url = \"http://127.0.0.1:9\"\n");
    let refused = dir.run_with(&CONNECT, &[], "ntn_any\n");
    assert_eq!(refused.status.code(), Some(1));
    assert!(refused.err.contains("the wiki's provider at 127.0.0.1 did not answer as it should: "), "{refused:?}");
    assert!(refused.err.contains("private"), "{refused:?}");
    dir.write("c.toml", "[outbound]\nallow_private = true\nwiki_url = \"http://127.0.0.1:9\"\n");
    let typed = [&SETUP[..], &["--secret-stdin"]].concat();
    let refused = dir.run_with(&typed, &[], "secret-that-is-not-told\n");
    assert!(refused.err.contains("127.0.0.1 did not answer as it should: "), "{refused:?}");
    assert!(!refused.err.contains("secret-that-is-not-told"), "{refused:?}");
}

#[test]
fn a_connection_is_tested_and_removed() {
    let wiki = FakeWiki::start_aside();
    let dir = dir(&wiki);
    let typed = |verb: &'static str| ["wiki", verb, "--config", "c.toml", "--org", "acme"];
    dir.run(&typed("test")).expect_error("not configured");
    dir.run_with(&CONNECT, &[], &format!("{INTERNAL_TOKEN}\n")).ok();
    assert_eq!(dir.run(&typed("test")).ok(), "acme is connected to the wiki workspace Acme's wiki as Planroom\n");
    dir.run(&typed("disconnect")).expect_error("confirm with --yes");
    dir.run(&typed("test")).ok();
    let end = [&typed("disconnect")[..], &["--yes"]].concat();
    assert_eq!(dir.run(&end).ok(), "Disconnected acme from the wiki\n");
    dir.run(&typed("test")).expect_error("not configured");
    dir.run(&["wiki", "test", "--org", "nowhere"]).expect_error("nowhere");
}

#[test]
fn a_proxy_from_the_environment_is_not_used() {
    let wiki = FakeWiki::start_aside();
    let dir = dir(&wiki);
    let proxy = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    proxy.set_nonblocking(true).unwrap();
    let url = format!("http://{}", proxy.local_addr().unwrap());
    let names = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];
    let variables = names.map(|name| (name, url.as_str()));
    dir.run_with(&CONNECT, &variables, &format!("{INTERNAL_TOKEN}\n")).ok();
    assert_eq!(wiki.take_requests(), ["GET /v1/users/me 200"]);
    assert!(proxy.accept().is_err(), "no connection to the proxy");
}
