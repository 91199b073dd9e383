//! `planroom healthcheck`.

use std::{
    io::{ErrorKind, Read, Write},
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream},
    sync::Arc,
    time::{Duration, Instant},
};

use clap::Args;
use rustls::crypto::aws_lc_rs;
use ureq::{Agent, tls::TlsConfig};

use super::{
    data_dir::DataDir,
    operate::send_to_server,
    output::{Failure, print},
};
use crate::operator::AdminOperation;

/// Timeout for the HTTP request.
const TIMEOUT: Duration = Duration::from_secs(5);

#[derive(Debug, Args)]
pub(super) struct Healthcheck {
    #[command(flatten)]
    data_dir_args: DataDir,
}

impl Healthcheck {
    pub(super) fn run(self) -> Result<(), Failure> {
        let config = self.data_dir_args.load()?.config;
        let data_dir = config.data_dir;
        let Some(outcome) = send_to_server(&data_dir, &AdminOperation::Health)? else {
            return Err(format!("no server is running on {}", data_dir.display()).into());
        };
        // The running server knows its port, for which the configuration may say 0, and whether it uses TLS.
        let response = outcome?;
        let (scheme, address) = response.as_str().and_then(|url| url.split_once("://")).unwrap_or_default();
        let address = address.parse().unwrap_or(config.listen);
        let result = match scheme {
            "https" => request_readiness_over_tls(reachable(address), TIMEOUT),
            _ => request_readiness(reachable(address), TIMEOUT),
        };
        result.map_err(|problem| format!("{scheme}://{address}/readyz: {problem}"))?;
        print("ok\n")
    }
}

/// The address to connect to for a server that listens on `address`, which may be all interfaces.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        _ => {}
    }
    address
}

/// Sends an HTTP request, as a client would: the listener may be full although the process works.
fn request_readiness(address: SocketAddr, timeout: Duration) -> Result<(), String> {
    let too_slow = || format!("no response within {} ms", timeout.as_millis());
    let deadline = Instant::now() + timeout;
    let left = || {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(too_slow()) } else { Ok(left) }
    };
    let failed = |error: std::io::Error| match error.kind() {
        ErrorKind::WouldBlock | ErrorKind::TimedOut => too_slow(),
        _ => error.to_string(),
    };
    let mut stream = TcpStream::connect_timeout(&address, left()?).map_err(failed)?;
    stream.set_write_timeout(Some(left()?)).map_err(failed)?;
    let request = format!("GET /readyz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).map_err(failed)?;
    let mut response = Vec::new();
    let mut piece = [0; 512];
    while !response.contains(&b'\n') {
        stream.set_read_timeout(Some(left()?)).map_err(failed)?;
        match stream.read(&mut piece).map_err(failed)? {
            0 => return Err("the connection was closed without a response".into()),
            read => response.extend_from_slice(&piece[..read]),
        }
    }
    let line = String::from_utf8_lossy(&response);
    let status = line.lines().next().unwrap_or_default().trim();
    if status.split(' ').nth(1) == Some("200") { Ok(()) } else { Err(format!("the server responded {status}")) }
}

/// The same over TLS. The certificate is not verified: it is issued for the public host name, and nothing secret is sent.
fn request_readiness_over_tls(address: SocketAddr, timeout: Duration) -> Result<(), String> {
    let tls = TlsConfig::builder()
        .unversioned_rustls_crypto_provider(Arc::new(aws_lc_rs::default_provider()))
        .disable_verification(true)
        .build();
    let agent = Agent::config_builder()
        .tls_config(tls)
        .timeout_global(Some(timeout))
        .http_status_as_error(false)
        .max_redirects(0)
        .proxy(None)
        .build()
        .new_agent();
    let response = agent.get(format!("https://{address}/readyz")).call().map_err(|error| error.to_string())?;
    if response.status() == 200 { Ok(()) } else { Err(format!("the server responded {}", response.status())) }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    /// The result for a server that responds with this text, or does not accept connections.
    fn status_of(answer: Option<&'static str>) -> Result<(), String> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let Some(answer) = answer else { return request_readiness(address, Duration::from_millis(50)) };
        let serving = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = [0; 1_024];
            assert!(stream.read(&mut request).unwrap() > 0);
            stream.write_all(answer.as_bytes()).unwrap();
        });
        let found = request_readiness(address, TIMEOUT);
        serving.join().unwrap();
        found
    }

    #[test]
    fn a_server_is_healthy_when_it_responds_over_http() {
        assert_eq!(status_of(Some("HTTP/1.1 200 OK\r\n\r\n")), Ok(()));
        assert_eq!(
            status_of(Some("HTTP/1.1 503 Service Unavailable\r\n\r\n")),
            Err("the server responded HTTP/1.1 503 Service Unavailable".into())
        );
        assert_eq!(status_of(Some("")), Err("the connection was closed without a response".into()));
        assert_eq!(status_of(None), Err("no response within 50 ms".into()), "the connection waits to be accepted");
    }

    #[test]
    fn a_server_on_all_interfaces_is_reached_over_loopback() {
        let reached = |address: &str| reachable(address.parse().unwrap()).to_string();
        assert_eq!(reached("0.0.0.0:8420"), "127.0.0.1:8420");
        assert_eq!(reached("[::]:8420"), "[::1]:8420");
        assert_eq!(reached("10.0.0.7:1"), "10.0.0.7:1");
    }
}
