//! Slow clients. The server allows a single connection, so a client that is not disconnected blocks the next one.

use std::{
    io::{Read, Write},
    net::TcpStream,
    time::Duration,
};

use super::{Desk, server::Server};

/// Much longer than the timeout of the server, and shorter than the 30 seconds of its HTTP library.
const EVER: Duration = Duration::from_secs(20);

fn server_with_one_seat(desk: &Desk) -> Server {
    let variables = [("PLANROOM_LIMITS_CONNECTIONS", "1"), ("PLANROOM_LIMITS_IDLE_SECONDS", "1")];
    desk.serve_with(&["--listen", "127.0.0.1:0"], &variables)
}

fn connect(server: &Server, begin: &str) -> TcpStream {
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.set_read_timeout(Some(EVER)).unwrap();
    stream.write_all(begin.as_bytes()).unwrap();
    stream
}

/// Sends a request on a new connection, which requires the only slot.
fn gets_in(server: &Server) {
    let mut next = connect(server, "GET /healthz HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n");
    let mut answer = String::new();
    next.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
}

fn what_is_said_to(mut stream: TcpStream) -> String {
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn a_client_that_sends_nothing_is_disconnected() {
    let desk = Desk::new();
    let server = server_with_one_seat(&desk);
    let silent = connect(&server, "");
    gets_in(&server);
    assert_eq!(what_is_said_to(silent), "");
}

#[test]
fn a_connection_without_a_first_byte_is_closed_long_before_an_idle_one() {
    let desk = Desk::new();
    let server = desk.serve_with(&["--listen", "127.0.0.1:0"], &[("PLANROOM_LIMITS_IDLE_SECONDS", "600")]);
    let mut idle = connect(&server, "GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n");
    let mut first = [0; 12];
    idle.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");
    assert_eq!(what_is_said_to(connect(&server, "")), "", "it is closed without an answer");
    // The connection that has sent a request is still open.
    idle.write_all(b"GET /healthz HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n").unwrap();
    assert!(what_is_said_to(idle).contains("HTTP/1.1 200"));
}

#[test]
fn a_client_that_stops_within_the_head_is_disconnected() {
    let desk = Desk::new();
    let server = server_with_one_seat(&desk);
    let half = connect(&server, "GET /healthz HTTP/1.1\r\nHost: he");
    gets_in(&server);
    assert!(!what_is_said_to(half).contains("200 OK"));
}

#[test]
fn an_idle_client_is_disconnected() {
    let desk = Desk::new();
    let server = server_with_one_seat(&desk);
    let idle = connect(&server, "GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n");
    gets_in(&server);
    assert!(what_is_said_to(idle).starts_with("HTTP/1.1 200 OK"));
}

#[test]
fn a_client_that_stops_within_the_body_receives_an_error() {
    let desk = Desk::new();
    let server = server_with_one_seat(&desk);
    let head = "POST /api/auth/login HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nContent-Length: 100";
    let stalled = connect(&server, &format!("{head}\r\n\r\n{{\"login\":"));
    let answer = what_is_said_to(stalled);
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    assert!(answer.contains(r#"{"error":"the body is incomplete: no data received for 1 seconds"}"#), "{answer}");
    gets_in(&server);
}

#[test]
fn a_client_that_does_not_read_the_response_is_disconnected() {
    let desk = Desk::new();
    let server = server_with_one_seat(&desk);
    // More than fits into the buffers of two sockets.
    let hoarder = connect(&server, &"GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: here\r\n\r\n".repeat(40));
    gets_in(&server);
    drop(hoarder);
}

#[test]
fn an_endless_head_is_rejected() {
    let desk = Desk::new();
    let server = server_with_one_seat(&desk);
    let endless = connect(&server, &format!("GET /healthz HTTP/1.1\r\nHost: here\r\nX: {}", "x".repeat(100_000)));
    let answer = what_is_said_to(endless);
    assert!(answer.starts_with("HTTP/1.1 431"), "{answer}");
    gets_in(&server);
}

#[test]
fn a_response_before_the_end_of_the_body_closes_the_connection() {
    let desk = Desk::new();
    let server = server_with_one_seat(&desk);
    let head = "Host: here\r\nContent-Type: application/json\r\nContent-Length: 2";
    for path in ["/mcp", "/api/me/tokens"] {
        // A request without a token is rejected before its body arrives.
        let early = connect(&server, &format!("POST {path} HTTP/1.1\r\n{head}\r\n\r\n"));
        let answer = what_is_said_to(early).to_ascii_lowercase();
        assert!(answer.starts_with("http/1.1 401") && answer.contains("\r\nconnection: close\r\n"), "{answer}");
    }
    let whole = connect(&server, &format!("POST /api/auth/login HTTP/1.1\r\n{head}\r\n\r\n{{}}"));
    assert!(!what_is_said_to(whole).contains("connection: close"), "other responses keep the connection open");
    let empty = connect(&server, "GET /mcp HTTP/1.1\r\nHost: here\r\n\r\n");
    assert!(!what_is_said_to(empty).contains("connection: close"));
}
