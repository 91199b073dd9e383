//! How much memory the server takes under load, and that it gives it back. Linux tells it in `/proc`.

use std::{
    fs,
    io::{Read, Write},
    net::{IpAddr, SocketAddr},
    sync::Barrier,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tokio::{
    io::AsyncWriteExt,
    net::{TcpSocket, TcpStream},
};

use super::{Desk, server::Server};
use crate::support::PASSWORD;

const MIB: u64 = 1 << 20;
const COMPONENTS: usize = 20_000;

/// A line of `/proc/<pid>/status`, in bytes: `VmRSS`, or `VmHWM`, the most that it ever was.
fn memory(server: &Server, line: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", server.pid())).unwrap();
    let value = status.lines().find_map(|text| text.strip_prefix(line)?.strip_prefix(':')).unwrap();
    value.trim().strip_suffix(" kB").unwrap().parse::<u64>().unwrap() << 10
}

/// A model of some 8 MB.
fn model() -> Value {
    let description = "What this component is for, who wrote it, and why. ".repeat(4);
    let components = (0..COMPONENTS).map(|n| {
        json!({ "id": format!("component-{n}"), "typeId": "service", "name": format!("Component {n}"),
                "description": description, "x": n % 200 * 300, "y": n / 200 * 200,
                "properties": { "lifecycle": "live", "tier": n % 3 } })
    });
    json!({ "workspace": { "name": "W" }, "components": components.collect::<Vec<_>>(), "relationships": [] })
}

/// Sends a request and reads the whole answer, as slowly as it comes. Returns the status.
fn send(server: &Server, head: &str, token: &str, body: &[u8]) -> u16 {
    let mut stream = std::net::TcpStream::connect(&server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_mins(2))).unwrap();
    let head = format!(
        "{head} HTTP/1.1\r\nHost: here\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    // A server that refuses does not read on.
    drop(stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body)));
    let mut answer = Vec::new();
    drop(stream.read_to_end(&mut answer));
    let status = std::str::from_utf8(answer.get(9..12).unwrap_or(b"503")).unwrap().parse().unwrap();
    if status == 200 {
        assert!(answer.ends_with(b"}") && answer.len() > 1_000_000, "the answer is whole");
    }
    status
}

/// Repeats a request for as long as the server asks to.
fn until_done(server: &Server, head: &str, token: &str, body: &[u8]) {
    loop {
        match send(server, head, token, body) {
            200 => return,
            429 | 503 => std::thread::sleep(Duration::from_millis(100)),
            other => panic!("{head} was answered {other}"),
        }
    }
}

/// A server with a token for each of so many users, a workspace `w0` of 20,000 components, and its model.
fn furnished(users: usize) -> (Desk, Server, Vec<String>, Vec<u8>) {
    let desk = Desk::new();
    let logins: Vec<String> = (0..users).map(|n| format!("user{n}")).collect();
    for login in &logins {
        desk.admin(login).ok();
    }
    let server = desk.serve();
    let token = |login: &String| {
        let session = server.sign_in(login, PASSWORD).json(200)["token"].as_str().unwrap().to_owned();
        let minted = server.ask("POST", "/api/me/tokens", Some(&session), Some(json!({ "name": "script" }))).json(201);
        minted["token"].as_str().unwrap().to_owned()
    };
    let tokens: Vec<String> = logins.iter().map(token).collect();
    let model = model().to_string().into_bytes();
    until_done(&server, "PUT /api/workspaces/w0/bulk", &tokens[0], &model);
    (desk, server, tokens, model)
}

#[test]
fn twenty_exports_at_the_same_time_take_bounded_memory() {
    let (_desk, server, tokens, _) = furnished(1);
    let start = Barrier::new(20);
    std::thread::scope(|scope| {
        for _ in 0..20 {
            scope.spawn(|| {
                start.wait();
                until_done(&server, "GET /api/workspaces/w0/export", &tokens[0], b"");
            });
        }
    });
    let peak = memory(&server, "VmHWM");
    assert!(peak < 300 * MIB, "{} MiB", peak / MIB);
}

#[test]
fn eight_users_with_an_export_and_a_bulk_each_take_bounded_memory_and_it_is_given_back() {
    let (_desk, server, tokens, model) = furnished(8);
    let start = Barrier::new(16);
    std::thread::scope(|scope| {
        for (n, token) in tokens.iter().enumerate() {
            let (start, server, model) = (&start, &server, &model);
            scope.spawn(move || {
                start.wait();
                until_done(server, &format!("PUT /api/workspaces/w{}/bulk", n + 1), token, model);
            });
            scope.spawn(move || {
                start.wait();
                until_done(server, "GET /api/workspaces/w0/export", token, b"");
            });
        }
    });
    let peak = memory(&server, "VmHWM");
    assert!(peak < 256 * MIB, "{} MiB", peak / MIB);
    // Caches stay. Threads return memory as they allocate and free, so each gets something small to do.
    let deadline = Instant::now() + Duration::from_mins(1);
    while memory(&server, "VmRSS") > peak / 8 * 7 {
        assert!(Instant::now() < deadline, "{} of {} MiB are kept", memory(&server, "VmRSS") / MIB, peak / MIB);
        server.ask("GET", "/api/workspaces", Some(&tokens[0]), None).json(200);
        server.ask("GET", "/api/people", Some(&tokens[0]), None).json(200);
    }
}

#[tokio::test]
async fn half_sent_sign_ins_take_little_memory() {
    super::connections::allow_many_files();
    let desk = Desk::new();
    let server = desk.serve();
    let before = memory(&server, "VmRSS");
    let head = "POST /api/auth/login HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\n";
    let mut streams: Vec<TcpStream> = Vec::new();
    for n in 0..900_u16 {
        let socket = TcpSocket::new_v4().unwrap();
        let source = IpAddr::from([127, 0, 1, u8::try_from(n % 20 + 1).unwrap()]);
        socket.bind(SocketAddr::new(source, 0)).unwrap();
        let mut stream = socket.connect(server.address.parse().unwrap()).await.unwrap();
        // Half announce what is far too large, the other half all that is allowed.
        let length = if n % 2 == 0 { 1 << 20 } else { 64 << 10 };
        let begin = format!("{head}Content-Length: {length}\r\n\r\n");
        drop(stream.write_all(begin.as_bytes()).await);
        drop(stream.write_all(&vec![b' '; length - 1]).await);
        streams.push(stream);
    }
    let growth = memory(&server, "VmHWM").saturating_sub(before);
    assert!(growth < 80 * MIB, "{} MiB", growth / MIB);
}
