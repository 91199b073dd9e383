//! Slow clients. The server allows a single connection, so a client that is not disconnected blocks the next one.

use std::{
    io::{Read, Write},
    net::TcpStream,
    time::Duration,
};

use super::{WorkDir, server::Server};

/// Much longer than the timeout of the server, and shorter than the 30 seconds of its HTTP library.
const TIMEOUT: Duration = Duration::from_secs(20);

fn server_with_one_seat(dir: &WorkDir) -> Server {
    let variables = [("PLANROOM_LIMITS_CONNECTIONS", "1"), ("PLANROOM_LIMITS_IDLE_SECONDS", "1")];
    dir.serve_with(&["--listen", "127.0.0.1:0"], &variables)
}

fn connect(server: &Server, begin: &str) -> TcpStream {
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
    stream.write_all(begin.as_bytes()).unwrap();
    stream
}

/// Sends a request on a new connection, which requires the only slot.
fn assert_served(server: &Server) {
    let mut next = connect(server, "GET /healthz HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n");
    let mut answer = String::new();
    next.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
}

fn read_response(mut stream: TcpStream) -> String {
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn a_client_that_sends_nothing_is_disconnected() {
    let dir = WorkDir::new();
    let server = server_with_one_seat(&dir);
    let silent = connect(&server, "");
    assert_served(&server);
    assert_eq!(read_response(silent), "");
}

#[test]
fn a_connection_without_a_first_byte_is_closed_long_before_an_idle_one() {
    let dir = WorkDir::new();
    let server = dir.serve_with(&["--listen", "127.0.0.1:0"], &[("PLANROOM_LIMITS_IDLE_SECONDS", "600")]);
    let mut idle = connect(&server, "GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n");
    let mut first = [0; 12];
    idle.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");
    assert_eq!(read_response(connect(&server, "")), "", "it is closed without an answer");
    // The connection that has sent a request is still open.
    idle.write_all(b"GET /healthz HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n").unwrap();
    assert!(read_response(idle).contains("HTTP/1.1 200"));
}

#[test]
fn a_client_that_stops_within_the_head_is_disconnected() {
    let dir = WorkDir::new();
    let server = server_with_one_seat(&dir);
    let half = connect(&server, "GET /healthz HTTP/1.1\r\nHost: he");
    assert_served(&server);
    assert!(!read_response(half).contains("200 OK"));
}

#[test]
fn an_idle_client_is_disconnected() {
    let dir = WorkDir::new();
    let server = server_with_one_seat(&dir);
    let idle = connect(&server, "GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n");
    assert_served(&server);
    assert!(read_response(idle).starts_with("HTTP/1.1 200 OK"));
}

#[test]
fn a_client_that_stops_within_the_body_receives_an_error() {
    let dir = WorkDir::new();
    let server = server_with_one_seat(&dir);
    let head = "POST /api/auth/login HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nContent-Length: 100";
    let stalled = connect(&server, &format!("{head}\r\n\r\n{{\"login\":"));
    let answer = read_response(stalled);
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    assert!(answer.contains(r#"{"error":"the body is incomplete: no data received for 1 seconds"}"#), "{answer}");
    assert_served(&server);
}

#[test]
fn a_reader_who_stops_within_the_form_of_a_share_link_receives_an_error() {
    let dir = WorkDir::new();
    let server = server_with_one_seat(&dir);
    let head = "POST /s/any/unlock HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Length: 100";
    let stalled = connect(&server, &format!("{head}\r\n\r\npassword=x"));
    let answer = read_response(stalled);
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    assert!(answer.contains("The form did not arrive completely."), "{answer}");
    assert_served(&server);
}

#[test]
fn a_client_that_does_not_read_the_response_is_disconnected() {
    let dir = WorkDir::new();
    let server = server_with_one_seat(&dir);
    // More than fits into the buffers of two sockets.
    let hoarder = connect(&server, &"GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: here\r\n\r\n".repeat(40));
    assert_served(&server);
    drop(hoarder);
}

#[test]
fn an_endless_head_is_rejected() {
    let dir = WorkDir::new();
    let server = server_with_one_seat(&dir);
    let endless = connect(&server, &format!("GET /healthz HTTP/1.1\r\nHost: here\r\nX: {}", "x".repeat(100_000)));
    let answer = read_response(endless);
    assert!(answer.starts_with("HTTP/1.1 431"), "{answer}");
    assert_served(&server);
}

#[test]
fn a_response_before_the_end_of_the_body_closes_the_connection() {
    let dir = WorkDir::new();
    let server = server_with_one_seat(&dir);
    let head = "Host: here\r\nContent-Type: application/json\r\nContent-Length: 2";
    for path in ["/mcp", "/api/me/tokens"] {
        // A request without a token is rejected before its body arrives.
        let early = connect(&server, &format!("POST {path} HTTP/1.1\r\n{head}\r\n\r\n"));
        let answer = read_response(early).to_ascii_lowercase();
        assert!(answer.starts_with("http/1.1 401") && answer.contains("\r\nconnection: close\r\n"), "{answer}");
    }
    let whole = connect(&server, &format!("POST /api/auth/login HTTP/1.1\r\n{head}\r\n\r\n{{}}"));
    assert!(!read_response(whole).contains("connection: close"), "other responses keep the connection open");
    let empty = connect(&server, "GET /mcp HTTP/1.1\r\nHost: here\r\n\r\n");
    assert!(!read_response(empty).contains("connection: close"));
}

/// Sends a whole request before it reads the response, as `http.client` of Python and browsers do.
fn exchange(server: &Server, request: &[u8]) -> String {
    let mut stream = connect(server, "");
    stream.write_all(request).expect("the server reads all that a client sends");
    read_response(stream)
}

#[test]
fn a_client_that_writes_its_whole_body_first_receives_the_error() {
    let dir = WorkDir::new();
    let server = dir.serve();
    // More than fits into the buffers of two sockets.
    let body = "x".repeat(20 << 20);
    let length = body.len();
    let json = "Host: here\r\nContent-Type: application/json";
    for (path, status) in [("/api/workspaces", 401), ("/mcp", 401), ("/api/auth/login", 413), ("/nowhere", 404)] {
        let request = format!("POST {path} HTTP/1.1\r\n{json}\r\nContent-Length: {length}\r\n\r\n{body}");
        let answer = exchange(&server, request.as_bytes());
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{path}: {answer}");
        assert!(answer.contains("\"error\""), "{path}: {answer}");
    }
    let chunked = format!("{length:x}\r\n{body}\r\n0\r\n\r\n");
    let request = format!("POST /api/auth/login HTTP/1.1\r\n{json}\r\nTransfer-Encoding: chunked\r\n\r\n{chunked}");
    let answer = exchange(&server, request.as_bytes());
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
    let head = format!("GET /healthz HTTP/1.1\r\nHost: here\r\nX: {body}\r\n\r\n");
    let answer = exchange(&server, head.as_bytes());
    assert!(answer.starts_with("HTTP/1.1 431"), "{answer}");
}

#[test]
fn a_client_that_goes_on_sending_after_the_error_is_disconnected() {
    let dir = WorkDir::new();
    let server = dir.serve();
    let head = "Host: here\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked";
    let mut endless = connect(&server, &format!("POST /api/workspaces HTTP/1.1\r\n{head}\r\n\r\n"));
    let chunk = format!("100000\r\n{}\r\n", "x".repeat(1 << 20));
    let sent = (0..1_000).take_while(|_| endless.write_all(chunk.as_bytes()).is_ok()).count();
    assert!(sent < 1_000, "the server reads at most 64 MiB");
}

#[test]
fn a_client_that_keeps_its_connection_after_the_error_does_not_block_others() {
    let dir = WorkDir::new();
    let server = server_with_one_seat(&dir);
    let head = "Host: here\r\nContent-Type: application/json\r\nContent-Length: 100";
    let mut kept = connect(&server, &format!("POST /api/workspaces HTTP/1.1\r\n{head}\r\n\r\n"));
    let mut answer = String::new();
    kept.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 401"), "{answer}");
    assert_served(&server);
    drop(kept);
}
