//! Many connections from one address, and a blocked log, do not affect other clients.

use std::{
    io::{Read, Write},
    net::{IpAddr, SocketAddr},
    process::Stdio,
    time::Duration,
};

use rustix::process::{Resource, Rlimit, Signal, getrlimit, kill_process, setrlimit};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
};

use super::{WorkDir, server::Server};
use crate::support::waiting::eventually;

/// Longer than any timeout of the server.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Raises the file limit of this process and of the servers that it starts to the maximum.
pub fn allow_many_files() {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).unwrap();
}

async fn connect_from(server: &Server, source: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(SocketAddr::new(source.parse::<IpAddr>().unwrap(), 0)).unwrap();
    socket.connect(server.address.parse().unwrap()).await.unwrap()
}

async fn ask(mut stream: TcpStream, headers: &str) -> String {
    let head = format!("GET /healthz HTTP/1.1\r\nHost: here\r\n{headers}Connection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = String::new();
    tokio::time::timeout(TIMEOUT, stream.read_to_string(&mut answer)).await.expect("it is answered").unwrap();
    answer
}

#[tokio::test]
async fn a_thousand_connections_from_one_address_do_not_block_others() {
    allow_many_files();
    let dir = WorkDir::new();
    let server = dir.serve();
    let mut silent = Vec::new();
    for _ in 0..1_100 {
        silent.push(connect_from(&server, "127.0.0.1").await);
    }
    let answer = ask(connect_from(&server, "127.0.0.2").await, "").await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    // Connections beyond the limit of the address are closed immediately, with a warning in the log.
    let mut last = silent.pop().unwrap();
    let read = tokio::time::timeout(TIMEOUT, last.read(&mut [0; 1])).await.expect("it is closed");
    assert!(matches!(read, Ok(0) | Err(_)));
    drop(silent);
    let log = server.stop().err;
    let warned = log.lines().filter(|line| line.contains("too many connections from one address")).count();
    assert_eq!(warned, 1, "{log}");
}

#[tokio::test]
async fn an_unlisted_proxy_is_logged_once_and_can_use_half_of_all_connections() {
    let dir = WorkDir::new();
    let variables = [("PLANROOM_LIMITS_CONNECTIONS", "40"), ("PLANROOM_LIMITS_CONNECTIONS_PER_ADDRESS", "5")];
    let server = dir.serve_with(&["--listen", "127.0.0.1:0"], &variables);
    for _ in 0..2 {
        let answer = ask(connect_from(&server, "127.0.0.1").await, "X-Forwarded-For: 192.0.2.7\r\n").await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
    // The server counts a connection until shortly after the client has seen its end. Therefore, the two above may still
    // count: with the last one, these are half of all connections.
    let mut held = Vec::new();
    for _ in 0..17 {
        held.push(connect_from(&server, "127.0.0.1").await);
    }
    let answer = ask(connect_from(&server, "127.0.0.1").await, "").await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    drop(held);
    let log = server.stop().err;
    assert_eq!(log.lines().filter(|line| line.contains("X-Forwarded-For")).count(), 1, "{log}");
}

#[tokio::test]
async fn the_longest_idle_connection_is_evicted() {
    let dir = WorkDir::new();
    let server = dir.serve_with(&["--listen", "127.0.0.1:0"], &[("PLANROOM_LIMITS_CONNECTIONS", "2")]);
    let (mut idle, mut second) = (connect_from(&server, "127.0.0.1").await, connect_from(&server, "127.0.0.1").await);
    for stream in [&mut idle, &mut second] {
        stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n").await.unwrap();
        let read = tokio::time::timeout(TIMEOUT, stream.read(&mut [0; 4_096])).await.expect("it is answered");
        assert!(read.unwrap() > 0);
    }
    let answer = ask(connect_from(&server, "127.0.0.1").await, "").await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let closed = tokio::time::timeout(TIMEOUT, idle.read(&mut [0; 1])).await.expect("the first one is closed");
    assert!(matches!(closed, Ok(0) | Err(_)));
}

/// The log of a server with 256 file descriptors and this connection limit, from start to stop.
fn log_with_few_files(connections: &str) -> String {
    let dir = WorkDir::new();
    let serve = dir.command(&["serve", "--listen", "127.0.0.1:0"]);
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "ulimit -n 256 && exec \"$0\" \"$@\""]).arg(serve.get_program()).args(serve.get_args());
    command.current_dir(dir.path(".")).env("PLANROOM_LIMITS_CONNECTIONS", connections);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut started = [0; 9];
    child.stdout.as_mut().unwrap().read_exact(&mut started).unwrap();
    assert_eq!(&started, b"listening");
    kill_process(rustix::process::Pid::from_child(&child), Signal::TERM).unwrap();
    String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap()
}

#[test]
fn a_file_limit_below_the_connection_limit_is_logged_at_the_start() {
    const WARNING: &str = "the open file limit is too low for limits.connections";
    let log = log_with_few_files("200");
    let line = log.lines().find(|line| line.contains(WARNING)).unwrap_or_else(|| panic!("{log}"));
    assert!(line.contains("WARN") && line.contains("limit=256"), "{line}");
    let log = log_with_few_files("100");
    assert!(!log.contains(WARNING), "{log}");
}

#[test]
fn a_blocked_log_delays_neither_requests_nor_shutdown() {
    let dir = WorkDir::new();
    let (reader, writer) = std::io::pipe().unwrap();
    let mut command = dir.command(&["serve", "--listen", "127.0.0.1:0"]);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(writer).spawn().unwrap();
    drop(command);
    let mut out = child.stdout.take().unwrap();
    let mut line = Vec::new();
    while line.last() != Some(&b'\n') {
        let mut byte = [0];
        assert_eq!(out.read(&mut byte).unwrap(), 1, "it starts");
        line.push(byte[0]);
    }
    let address = String::from_utf8(line).unwrap().trim().strip_prefix("listening on http://").unwrap().to_owned();
    let mut stream = std::net::TcpStream::connect(&address).unwrap();
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
    let mut answer = [0; 4_096];
    for _ in 0..2_000 {
        stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n").unwrap();
        let read = stream.read(&mut answer).unwrap();
        assert!(answer[..read].starts_with(b"HTTP/1.1 200"));
    }
    drop(stream);
    kill_process(rustix::process::Pid::from_child(&child), Signal::TERM).unwrap();
    let status = eventually(|| child.try_wait().unwrap().ok_or("running"));
    assert!(status.success());
    drop(reader);
}
