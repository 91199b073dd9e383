//! The server's own TLS.

use std::{
    fs,
    io::{ErrorKind, Read, Write},
    net::TcpStream,
    sync::Arc,
};

use rustix::process::{Pid, Signal, kill_process};
use rustls::{
    ClientConfig, RootCertStore,
    crypto::aws_lc_rs,
    pki_types::{CertificateDer, ServerName, pem::PemObject},
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_rustls::TlsConnector;

use super::{Outcome, WorkDir, server::Server};
use crate::support::{
    tls::Authority,
    waiting::{PATIENCE, eventually},
};

const FILES: [(&str, &str); 2] = [("PLANROOM_TLS_CERTIFICATE", "tls.crt"), ("PLANROOM_TLS_KEY", "tls.key")];

fn write(dir: &WorkDir, (certificate, key): &(String, String)) {
    dir.write("tls.crt", certificate);
    dir.write("tls.key", key);
}

fn serve(dir: &WorkDir, more: &[(&str, &str)]) -> Server {
    dir.serve_with(&["--listen", "127.0.0.1:0"], &[&FILES, more].concat())
}

/// Sends a request as a client that trusts this authority only. Returns the response and the server's certificate.
async fn get(authority: &Authority, server: &Server, path: &str) -> (String, Vec<u8>) {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(authority.pem.as_bytes()).unwrap()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()));
    let config = config.with_safe_default_protocol_versions().unwrap().with_root_certificates(roots);
    let stream = tokio::net::TcpStream::connect(&server.address).await.unwrap();
    let name = ServerName::try_from("localhost").unwrap();
    let mut stream = TlsConnector::from(Arc::new(config.with_no_client_auth())).connect(name, stream).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let certificate = stream.get_ref().1.peer_certificates().unwrap()[0].to_vec();
    (answer, certificate)
}

fn der(pem: &str) -> Vec<u8> {
    CertificateDer::from_pem_slice(pem.as_bytes()).unwrap().to_vec()
}

/// Asks the server to read the files again, and waits until its log contains `text` this many times.
fn reload(dir: &WorkDir, server: &Server, text: &str, times: usize) {
    kill_process(Pid::from_raw(i32::try_from(server.pid()).unwrap()).unwrap(), Signal::HUP).unwrap();
    eventually(|| {
        let log = fs::read_to_string(dir.path("log")).unwrap();
        if log.matches(text).count() == times { Ok(()) } else { Err(log) }
    });
}

#[tokio::test]
async fn the_server_serves_https_with_a_certificate_from_files() {
    let (dir, authority) = (WorkDir::new(), Authority::new());
    write(&dir, &authority.issue(2040));
    let mut server = serve(&dir, &[("PLANROOM_METRICS_TOKEN", "a-token-for-prometheus")]);
    let link = server.line();
    assert!(link.contains(&format!("https://{}/setup#", server.address)), "{link}");
    let (answer, _) = get(&authority, &server, "/readyz").await;
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("strict-transport-security: max-age="), "{answer}");
    assert_eq!(dir.run(&["healthcheck"]).ok(), "ok\n", "the certificate is not issued for the address");
    let (metrics, _) = get(&authority, &server, "/metrics").await;
    assert!(metrics.starts_with("HTTP/1.1 401"), "{metrics}");
    let mut plain = TcpStream::connect(&server.address).unwrap();
    plain.write_all(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let mut answer = String::new();
    plain.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 400 ") && answer.ends_with("This server accepts https only.\n"), "{answer}");
    server.stop().ok();
}

#[test]
fn the_expiry_is_a_metric() {
    let (dir, authority) = (WorkDir::new(), Authority::new());
    write(&dir, &authority.issue(2040));
    let server = serve(&dir, &[("PLANROOM_METRICS_LISTEN", "127.0.0.1:0")]);
    let log = fs::read_to_string(dir.path("log")).unwrap();
    let address = log.lines().find(|line| line.contains("serving metrics")).unwrap().rsplit_once("address=").unwrap().1;
    let mut stream = TcpStream::connect(address.trim()).unwrap();
    stream.write_all(b"GET /metrics HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    // 2040-01-31T00:00:00Z
    let expiry = answer.lines().find(|line| line.starts_with("planroom_tls_certificate_expiry_seconds ")).unwrap();
    let seconds: f64 = expiry.rsplit(' ').next().unwrap().parse().unwrap();
    assert!((seconds - 2_211_580_800.0).abs() < 1.0, "{expiry}");
    server.stop().ok();
}

#[tokio::test]
async fn a_renewed_certificate_is_used_and_an_invalid_one_is_not() {
    let (dir, authority) = (WorkDir::new(), Authority::new());
    let (first, second) = (authority.issue(2040), authority.issue(2041));
    write(&dir, &first);
    let server = serve(&dir, &[]);
    assert_eq!(get(&authority, &server, "/healthz").await.1, der(&first.0));
    write(&dir, &second);
    reload(&dir, &server, "using the new TLS certificate", 1);
    assert_eq!(get(&authority, &server, "/healthz").await.1, der(&second.0));
    let refused = "cannot use the new TLS certificate; the previous one remains in use";
    dir.write("tls.key", &first.1);
    reload(&dir, &server, refused, 1);
    reload(&dir, &server, "the TLS certificate has not changed", 1);
    fs::remove_file(dir.path("tls.crt")).unwrap();
    reload(&dir, &server, refused, 2);
    assert_eq!(get(&authority, &server, "/healthz").await.1, der(&second.0));
    write(&dir, &authority.issue(2019));
    reload(&dir, &server, "expired on 2019-01-31", 1);
    write(&dir, &first);
    reload(&dir, &server, "using the new TLS certificate", 2);
    assert_eq!(get(&authority, &server, "/healthz").await.1, der(&first.0));
    server.stop().ok();
}

#[test]
fn the_start_fails_with_invalid_files() {
    let authority = Authority::new();
    let (valid, other) = (authority.issue(2040), authority.issue(2040));
    let start = |change: &dyn Fn(&WorkDir), more: &[(&str, &str)]| -> Outcome {
        let dir = WorkDir::new();
        write(&dir, &valid);
        change(&dir);
        dir.run_with(&["serve", "--listen", "127.0.0.1:0"], &[&FILES, more].concat(), "")
    };
    let remove = |name: &'static str| move |dir: &WorkDir| fs::remove_file(dir.path(name)).unwrap();
    let replace = |name: &'static str, text: String| move |dir: &WorkDir| drop(dir.write(name, &text));
    for (outcome, text) in [
        (start(&remove("tls.crt"), &[]), "cannot read tls.crt (tls.certificate): No such file"),
        (start(&remove("tls.key"), &[]), "cannot read tls.key (tls.key): No such file"),
        (start(&replace("tls.crt", valid.1.clone()), &[]), "tls.crt (tls.certificate) contains no certificate"),
        (start(&replace("tls.key", valid.0.clone()), &[]), "tls.key (tls.key) contains no private key"),
        (start(&replace("tls.key", other.1.clone()), &[]), "does not belong to the first certificate in tls.crt"),
        (start(&|dir| write(dir, &authority.issue(2019)), &[]), "tls.crt (tls.certificate) expired on 2019-01-31"),
        (start(&|_| {}, &[("PLANROOM_TLS_KEY", "")]), "tls.key is \"\"; it must be the path of the private key"),
        (start(&|_| {}, &[("PLANROOM_TLS_CERTIFICATE", "")]), "tls.certificate is \"\"; it must be the path"),
        (start(&|_| {}, &[("PLANROOM_PUBLIC_URL", "http://a.org")]), "it must be an https URL or empty"),
    ] {
        assert_eq!(outcome.status.code(), Some(78), "{outcome:?}");
        outcome.expect_error(text);
    }
}

#[test]
fn connection_limits_and_deadlines_apply_to_tls() {
    let (dir, authority) = (WorkDir::new(), Authority::new());
    write(&dir, &authority.issue(2040));
    let connect = |server: &Server| {
        let stream = TcpStream::connect(&server.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    };
    let is_closed = |stream: &mut TcpStream| matches!(stream.read(&mut [0; 1]), Ok(0));

    let server =
        serve(&dir, &[("PLANROOM_LIMITS_CONNECTIONS_PER_ADDRESS", "2"), ("PLANROOM_LIMITS_IDLE_SECONDS", "600")]);
    let [first, second, mut third] = std::array::from_fn(|_| connect(&server));
    assert!(is_closed(&mut third), "too many from one address");
    for mut open in [first, second] {
        open.set_nonblocking(true).unwrap();
        assert_eq!(open.read(&mut [0; 1]).unwrap_err().kind(), ErrorKind::WouldBlock);
    }
    server.stop().ok();

    let server = serve(&dir, &[("PLANROOM_LIMITS_IDLE_SECONDS", "1")]);
    let [mut silent, mut handshake] = std::array::from_fn(|_| connect(&server));
    handshake.write_all(&[22, 3, 1]).unwrap();
    assert!(is_closed(&mut silent) && is_closed(&mut handshake), "without a response");
    server.stop().ok();
}
