//! A subscriber that does not read its event stream is disconnected and does not affect others.

use std::{
    io::{BufRead, BufReader, Write},
    net::TcpStream,
    sync::mpsc,
    time::Duration,
};

use serde_json::{Value, json};

use super::{WorkDir, server::Server};

/// Much longer than the timeout of the server.
const TIMEOUT: Duration = Duration::from_secs(20);
const COMPONENTS: usize = 100;

fn follow(server: &Server, token: &str) -> TcpStream {
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
    let head = format!(
        "GET /api/workspaces/w/events HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {token}\r\n\r\n",
        server.address
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream
}

/// A model of a megabyte.
fn model(text: &str) -> Value {
    let description = text.repeat(9_000);
    let component =
        |n: usize| json!({ "id": format!("c{n}"), "typeId": "service", "name": "C", "description": description });
    json!({ "workspace": { "name": "W" }, "components": (0..COMPONENTS).map(component).collect::<Vec<_>>(),
            "relationships": [] })
}

#[test]
fn a_subscriber_that_does_not_read_is_disconnected_and_others_receive_all_events() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    // One connection for each of the two subscribers, and one for writing.
    let variables = [("PLANROOM_LIMITS_CONNECTIONS", "3"), ("PLANROOM_LIMITS_IDLE_SECONDS", "1")];
    let server = dir.serve_with(&["--listen", "127.0.0.1:0"], &variables);
    let (_, token) = server.credentials();
    let put = |text: &str| server.ask("PUT", "/api/workspaces/w/bulk", Some(&token), Some(model(text))).json(200);
    put("a");
    let (reader, never_read) = (follow(&server, &token), follow(&server, &token));
    let (tell, told) = mpsc::channel();
    let listener = std::thread::spawn(move || {
        let lines = BufReader::new(reader).lines().map_while(Result::ok);
        for event in lines.filter(|line| line.starts_with("event: ")) {
            if tell.send(event).is_err() {
                return;
            }
        }
    });
    assert_eq!(told.recv_timeout(TIMEOUT).unwrap(), "event: ready");
    // More than fits into the buffers of two sockets and the queue of a reader.
    for round in 0..12 {
        put(if round % 2 == 0 { "b" } else { "c" });
        for _ in 0..COMPONENTS {
            assert_eq!(told.recv_timeout(TIMEOUT).unwrap(), "event: change", "round {round}");
        }
    }
    // The slow subscriber is disconnected, so another one can connect, and writing is still possible.
    let another = follow(&server, &token);
    let mut first = String::new();
    BufReader::new(&another).read_line(&mut first).unwrap();
    assert_eq!(first.trim_end(), "HTTP/1.1 200 OK");
    assert_eq!(server.get("/api/workspaces/w", &token).status, 200);
    drop((never_read, told, another));
    server.stop().ok();
    listener.join().unwrap();
}
