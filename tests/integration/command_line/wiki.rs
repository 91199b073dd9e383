//! `planroom wiki`, with and without a running server.

use super::{Desk, terminal::Terminal};
use crate::support::wiki::{CLIENT, INTERNAL_TOKEN, WikiDouble};

/// A desk with the test double as its wiki.
fn desk(double: &WikiDouble) -> Desk {
    let desk = Desk::new();
    desk.admin("ada").ok();
    let text = format!(
        "public_url = \"https://plans.example.org\"\n[outbound]\nallow_private = true\nwiki_url = \"{}\"\n",
        double.url()
    );
    desk.write("c.toml", &text);
    desk
}

const SETUP: [&str; 6] = ["wiki", "setup", "--config", "c.toml", "--client-id", CLIENT.0];
const CONNECT: [&str; 7] = ["wiki", "connect", "--config", "c.toml", "--org", "acme", "--token-stdin"];

#[test]
fn setup_prints_the_exact_redirect_uri() {
    let double = WikiDouble::start_aside();
    let desk = desk(&double);
    let typed = [&SETUP[..], &["--secret-stdin"]].concat();
    let out = desk.run_with(&typed, &[], &format!("{}\n", CLIENT.1)).ok();
    assert!(out.contains("\n  https://plans.example.org/api/auth/wiki/callback\n"), "{out}");
    assert!(out.contains("The provider accepted the client ID and secret"), "{out}");
    assert_eq!(double.heard(), ["POST /v1/oauth/token 400"]);
    // Without arguments, the configured client is verified.
    let out = desk.run(&SETUP[..4]).ok();
    assert!(out.contains("accepted") && !out.contains(CLIENT.1), "{out}");
}

#[test]
fn on_a_terminal_setup_prompts_and_does_not_echo_the_secret() {
    let double = WikiDouble::start_aside();
    let desk = desk(&double);
    let mut terminal = Terminal::run(&desk, &SETUP[..4]);
    terminal.is_asked("https://plans.example.org/api/auth/wiki/callback");
    terminal.is_asked("Client ID: ");
    terminal.types(CLIENT.0);
    terminal.is_asked("Client secret: ");
    terminal.types_in_secret(CLIENT.1);
    let (status, seen) = terminal.ends();
    assert!(status.success(), "{seen}");
    assert!(seen.contains("The provider accepted the client ID and secret"), "{seen}");
    assert!(seen.contains(CLIENT.0) && !seen.contains(CLIENT.1), "{seen}");
    assert_eq!(double.heard(), ["POST /v1/oauth/token 400"]);
    // The input is stored.
    desk.run(&SETUP[..4]).ok();
}

#[test]
fn on_a_terminal_connect_prompts_and_does_not_echo_the_token() {
    let double = WikiDouble::start_aside();
    let desk = desk(&double);
    let mut terminal = Terminal::run(&desk, &CONNECT[..6]);
    terminal.is_asked("Token: ");
    terminal.types_in_secret(INTERNAL_TOKEN);
    let (status, seen) = terminal.ends();
    assert!(status.success() && seen.contains("acme is connected to the wiki"), "{seen}");
    assert!(!seen.contains(INTERNAL_TOKEN), "{seen}");
    // Empty input changes nothing.
    let mut terminal = Terminal::run(&desk, &CONNECT[..6]);
    terminal.is_asked("Token: ");
    terminal.types_in_secret("");
    let (status, seen) = terminal.ends();
    assert!(!status.success() && seen.contains("the input is empty; nothing was changed"), "{seen}");
}

#[test]
fn a_rejected_secret_is_not_stored() {
    let double = WikiDouble::start_aside();
    let desk = desk(&double);
    let typed = [&SETUP[..], &["--secret-stdin"]].concat();
    let outcome = desk.run_with(&typed, &[], "another\n");
    assert_eq!(outcome.status.code(), Some(1));
    assert!(outcome.err.contains("does not accept this client id and secret") && !outcome.err.contains("another"));
    // Nothing is configured, and there is no terminal to prompt on.
    let outcome = desk.run(&SETUP[..4]);
    assert!(outcome.err.contains("use --client-id and --secret-stdin"), "{outcome:?}");
}

#[test]
fn an_organization_is_connected_with_a_token_and_listed() {
    let double = WikiDouble::start_aside();
    let desk = desk(&double);
    let none = "No client ID is configured. Set one with `planroom wiki setup`.\nNo organization is connected\n";
    assert_eq!(desk.run(&["wiki", "status"]).ok(), none);
    assert_eq!(desk.run(&["wiki", "status", "--json"]).ok(), "[]\n");
    desk.run_with(&CONNECT, &[], "ntn_none\n").refused("does not accept this token");
    desk.run_with(&CONNECT, &[], "\n").refused("the input is empty");
    let out = desk.run_with(&CONNECT, &[], &format!("{INTERNAL_TOKEN}\n")).ok();
    assert_eq!(out, "acme is connected to the wiki workspace Acme's wiki as Planroom\n");
    let list = desk.run(&["wiki", "status"]).ok();
    assert!(list.contains("acme") && list.contains("token") && list.contains("Acme's wiki"), "{list}");
    assert!(!list.contains("ntn_"), "{list}");
}

#[test]
fn provider_errors_are_printed() {
    let desk = Desk::new();
    desk.admin("ada").ok();
    // The port is closed, and the address is blocked until it is allowed.
    desk.write("c.toml", "[outbound]\nwiki_url = \"http://127.0.0.1:9\"\n");
    let refused = desk.run_with(&CONNECT, &[], "ntn_any\n");
    assert_eq!(refused.status.code(), Some(1));
    assert!(refused.err.contains("the wiki's provider at 127.0.0.1 did not answer as it should: "), "{refused:?}");
    assert!(refused.err.contains("private"), "{refused:?}");
    desk.write("c.toml", "[outbound]\nallow_private = true\nwiki_url = \"http://127.0.0.1:9\"\n");
    let typed = [&SETUP[..], &["--secret-stdin"]].concat();
    let refused = desk.run_with(&typed, &[], "secret-that-is-not-told\n");
    assert!(refused.err.contains("127.0.0.1 did not answer as it should: "), "{refused:?}");
    assert!(!refused.err.contains("secret-that-is-not-told"), "{refused:?}");
}

#[test]
fn a_connection_is_tested_and_removed() {
    let double = WikiDouble::start_aside();
    let desk = desk(&double);
    let typed = |verb: &'static str| ["wiki", verb, "--config", "c.toml", "--org", "acme"];
    desk.run(&typed("test")).refused("not configured");
    desk.run_with(&CONNECT, &[], &format!("{INTERNAL_TOKEN}\n")).ok();
    assert_eq!(desk.run(&typed("test")).ok(), "acme is connected to the wiki workspace Acme's wiki as Planroom\n");
    desk.run(&typed("disconnect")).refused("confirm with --yes");
    desk.run(&typed("test")).ok();
    let end = [&typed("disconnect")[..], &["--yes"]].concat();
    assert_eq!(desk.run(&end).ok(), "Disconnected acme from the wiki\n");
    desk.run(&typed("test")).refused("not configured");
    desk.run(&["wiki", "test", "--org", "nowhere"]).refused("nowhere");
}

#[test]
fn a_proxy_from_the_environment_is_not_used() {
    let double = WikiDouble::start_aside();
    let desk = desk(&double);
    let proxy = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    proxy.set_nonblocking(true).unwrap();
    let url = format!("http://{}", proxy.local_addr().unwrap());
    let names = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];
    let variables = names.map(|name| (name, url.as_str()));
    desk.run_with(&CONNECT, &variables, &format!("{INTERNAL_TOKEN}\n")).ok();
    assert_eq!(double.heard(), ["GET /v1/users/me 200"]);
    assert!(proxy.accept().is_err(), "no connection to the proxy");
}
