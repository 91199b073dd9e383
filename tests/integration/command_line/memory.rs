//! Memory usage of the server under load, and its release. Linux reports it in `/proc`.

use std::{
    fs,
    io::{Read, Write},
    net::{IpAddr, SocketAddr},
    sync::Barrier,
    time::Duration,
};

use serde_json::{Value, json};
use tokio::{
    io::AsyncWriteExt,
    net::{TcpSocket, TcpStream},
};

use super::{WorkDir, server::Server};
use crate::support::{PASSWORD, waiting::eventually};

pub(super) const MIB: u64 = 1 << 20;
const COMPONENTS: usize = 20_000;

/// A line of `/proc/<pid>/status` in bytes, for example `VmRSS`, or its maximum `VmHWM`.
fn memory(server: &Server, line: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", server.pid())).unwrap();
    let value = status.lines().find_map(|text| text.strip_prefix(line)?.strip_prefix(':')).unwrap();
    value.trim().strip_suffix(" kB").unwrap().parse::<u64>().unwrap() << 10
}

/// The maximum of the memory that the server allocated, in bytes. Pages of the executable do not count: those of a debug
/// build are twice those of a release, and grow with the code.
pub(super) fn peak(server: &Server) -> u64 {
    memory(server, "VmHWM").saturating_sub(memory(server, "RssFile"))
}

/// A model of about 8 MB.
fn model() -> Value {
    let description = "What this component is for, who wrote it, and why. ".repeat(4);
    let components = (0..COMPONENTS).map(|n| {
        json!({ "id": format!("component-{n}"), "typeId": "service", "name": format!("Component {n}"),
                "description": description, "x": n % 200 * 300, "y": n / 200 * 200,
                "properties": { "lifecycle": "live", "tier": n % 3 } })
    });
    json!({ "workspace": { "name": "W" }, "components": components.collect::<Vec<_>>(), "relationships": [] })
}

/// Sends a request and reads the whole response. Returns the status.
fn send(server: &Server, head: &str, token: &str, body: &[u8]) -> u16 {
    let mut stream = std::net::TcpStream::connect(&server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_mins(2))).unwrap();
    let head = format!(
        "{head} HTTP/1.1\r\nHost: here\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    // A server that rejects a request does not read the rest.
    drop(stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body)));
    let mut answer = Vec::new();
    drop(stream.read_to_end(&mut answer));
    let status = std::str::from_utf8(answer.get(9..12).unwrap_or(b"503")).unwrap().parse().unwrap();
    if status == 200 {
        assert!(answer.ends_with(b"}") && answer.len() > 100_000, "the answer is whole");
    }
    status
}

/// Repeats a request as long as the server responds with a retry time.
pub(super) fn send_until_accepted(server: &Server, head: &str, token: &str, body: &[u8]) {
    eventually(|| match send(server, head, token, body) {
        200 => Ok(()),
        busy @ (429 | 503) => Err(busy),
        other => panic!("{head} was answered {other}"),
    });
}

/// A server with a token for each user, a workspace `w0` of 20,000 components, and its model.
fn populated(users: usize) -> (WorkDir, Server, Vec<String>, Vec<u8>) {
    let dir = WorkDir::new();
    let logins: Vec<String> = (0..users).map(|n| format!("user{n}")).collect();
    for login in &logins {
        dir.admin(login).ok();
    }
    let server = dir.serve();
    let token = |login: &String| {
        let session = server.sign_in(login, PASSWORD).json(200)["token"].as_str().unwrap().to_owned();
        let minted = server.ask("POST", "/api/me/tokens", Some(&session), Some(json!({ "name": "script" }))).json(201);
        minted["token"].as_str().unwrap().to_owned()
    };
    let tokens: Vec<String> = logins.iter().map(token).collect();
    let model = model().to_string().into_bytes();
    send_until_accepted(&server, "PUT /api/workspaces/w0/bulk", &tokens[0], &model);
    (dir, server, tokens, model)
}

#[test]
#[ignore = "takes minutes; run `make memory`"]
fn twenty_exports_at_the_same_time_take_bounded_memory() {
    let (_desk, server, tokens, _) = populated(1);
    let start = Barrier::new(20);
    std::thread::scope(|scope| {
        for _ in 0..20 {
            scope.spawn(|| {
                start.wait();
                send_until_accepted(&server, "GET /api/workspaces/w0/export", &tokens[0], b"");
            });
        }
    });
    let peak = peak(&server);
    assert!(peak < 256 * MIB, "{} MiB", peak / MIB);
}

#[test]
#[ignore = "takes minutes; run `make memory`"]
fn exports_and_bulks_of_eight_users_take_bounded_memory_and_release_it() {
    let (_desk, server, tokens, model) = populated(8);
    let start = Barrier::new(16);
    std::thread::scope(|scope| {
        for (n, token) in tokens.iter().enumerate() {
            let (start, server, model) = (&start, &server, &model);
            scope.spawn(move || {
                start.wait();
                send_until_accepted(server, &format!("PUT /api/workspaces/w{}/bulk", n + 1), token, model);
            });
            scope.spawn(move || {
                start.wait();
                send_until_accepted(server, "GET /api/workspaces/w0/export", token, b"");
            });
        }
    });
    let peak = peak(&server);
    assert!(peak < 256 * MIB, "{} MiB", peak / MIB);
    // Caches are per thread. Threads return memory when they allocate and free, so each gets a small job.
    eventually(|| {
        server.ask("GET", "/api/workspaces", Some(&tokens[0]), None).json(200);
        server.ask("GET", "/api/people", Some(&tokens[0]), None).json(200);
        let kept = memory(&server, "RssAnon");
        if kept <= peak / 8 * 7 { Ok(()) } else { Err(format!("{} of {} MiB are kept", kept / MIB, peak / MIB)) }
    });
}

#[tokio::test]
async fn incomplete_sign_in_requests_take_little_memory() {
    super::connections::allow_many_files();
    let dir = WorkDir::new();
    let server = dir.serve();
    let before = memory(&server, "VmRSS");
    let head = "POST /api/auth/login HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\n";
    let mut streams: Vec<TcpStream> = Vec::new();
    for n in 0..900_u16 {
        let socket = TcpSocket::new_v4().unwrap();
        let source = IpAddr::from([127, 0, 1, u8::try_from(n % 20 + 1).unwrap()]);
        socket.bind(SocketAddr::new(source, 0)).unwrap();
        let mut stream = socket.connect(server.address.parse().unwrap()).await.unwrap();
        // Half of them announce a body over the limit, the other half one at the limit.
        let length = if n % 2 == 0 { 1 << 20 } else { 64 << 10 };
        let begin = format!("{head}Content-Length: {length}\r\n\r\n");
        drop(stream.write_all(begin.as_bytes()).await);
        drop(stream.write_all(&vec![b' '; length - 1]).await);
        streams.push(stream);
    }
    let growth = memory(&server, "VmHWM").saturating_sub(before);
    assert!(growth < 80 * MIB, "{} MiB", growth / MIB);
}
