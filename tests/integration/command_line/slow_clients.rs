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
