//! Tests of the protection against server-side request forgery, with a listener on this machine.

use std::{
    io::Write,
    net::{SocketAddr, TcpListener},
    sync::atomic::{AtomicUsize, Ordering},
};

use super::*;

/// A local server that sends the same response to every request and counts requests.
struct Listener {
    address: SocketAddr,
    heard: Arc<AtomicUsize>,
}

impl Listener {
    fn saying(answer: impl Into<Vec<u8>>) -> Self {
        let (listener, answer) = (TcpListener::bind("127.0.0.1:0").unwrap(), answer.into());
        let (address, heard) = (listener.local_addr().unwrap(), Arc::new(AtomicUsize::new(0)));
        let count = Arc::clone(&heard);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                count.fetch_add(1, Ordering::SeqCst);
                let (mut stream, answer) = (stream.unwrap(), answer.clone());
                std::thread::spawn(move || {
                    let mut bytes = [0; 4096];
                    drop(stream.read(&mut bytes));
                    drop(stream.write_all(&answer));
                    if answer.is_empty() {
                        // Sends nothing until the client disconnects.
                        while stream.read(&mut bytes).is_ok_and(|read| read > 0) {}
                    }
                });
            }
        });
        Self { address, heard }
    }

    fn url(&self) -> Url {
        Url::parse(&format!("http://{}/api", self.address)).unwrap()
    }

    fn heard(&self) -> usize {
        self.heard.load(Ordering::SeqCst)
    }
}

fn rules(allow_private: bool, trusted: &[Url]) -> Rules {
    Rules { allow_private, trusted: trusted.to_vec() }
}

fn get(client: &Outbound, url: &Url) -> Result<OutboundResponse, OutboundError> {
    let deadline = Instant::now() + Duration::from_secs(5);
    client.send(&OutboundRequest { method: Method::Get, url, headers: &[], body: None, deadline, max_bytes: 1000 })
}

const FINE: &str = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi";

#[test]
fn a_configured_base_url_allows_http() {
    let listener = Listener::saying(FINE);
    let answer = get(&Outbound::new(rules(true, &[listener.url()])), &listener.url().join("/api/x").unwrap()).unwrap();
    assert_eq!((answer.status, &*answer.body, answer.header("content-length")), (200, &b"hi"[..], Some("2")));
}

#[test]
fn other_http_urls_are_rejected() {
    let listener = Listener::saying(FINE);
    let client = Outbound::new(rules(true, &[listener.url()]));
    for other in ["/", "/apis", "/%61pi"] {
        let url = listener.url().join(other).unwrap();
        assert!(matches!(get(&client, &url), Err(OutboundError::Refused(_))), "{url}");
    }
    for text in ["ftp://example.org/", "file:///etc/passwd", "https://ada:pw@example.org/", "http://example.org/api"] {
        let url = Url::parse(text).unwrap();
        assert!(matches!(get(&client, &url), Err(OutboundError::Refused(_))), "{url}");
    }
    assert_eq!(listener.heard(), 0);
}

#[test]
fn this_machine_is_rejected_under_any_name() {
    let listener = Listener::saying(FINE);
    let port = listener.address.port();
    for host in ["127.0.0.1", "localhost", "0.0.0.0", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1"] {
        for scheme in ["http", "https"] {
            let url = Url::parse(&format!("{scheme}://{host}:{port}/")).unwrap();
            let client = Outbound::new(rules(false, std::slice::from_ref(&url)));
            let refused = get(&client, &url).unwrap_err();
            assert!(
                matches!(&refused, OutboundError::Refused(why) if why.contains("allow_private")),
                "{url}: {refused}"
            );
        }
    }
    assert_eq!(listener.heard(), 0);
}

#[test]
fn only_public_addresses_of_a_name_are_used() {
    #[derive(Debug)]
    struct Names(Vec<&'static str>);
    impl Resolver for Names {
        fn resolve(&self, _: &Uri, _: &Config, _: NextTimeout) -> Result<ResolvedSocketAddrs, ureq::Error> {
            let mut found = self.empty();
            self.0.iter().for_each(|address| found.push(address.parse().unwrap()));
            Ok(found)
        }
    }
    let url = "https://example.org/".parse::<Uri>().unwrap();
    let config = Agent::config_builder().build();
    let kept = |names: Vec<&'static str>| {
        GuardedResolver { names: Names(names), allow_private: false }
            .resolve(&url, &config, NextTimeout::default())
            .map(|kept| kept.to_vec())
    };
    let both = kept(vec!["10.0.0.1:443", "93.184.215.14:443", "169.254.169.254:443"]).unwrap();
    assert_eq!(both, ["93.184.215.14:443".parse().unwrap()]);
    assert!(kept(vec!["10.0.0.1:443", "[fd00:ec2::254]:443"]).is_err());
}

#[test]
fn the_checked_address_is_the_connected_address() {
    /// Returns one address the first time, and another one from then on.
    #[derive(Debug)]
    struct Changing(SocketAddr, SocketAddr, Arc<AtomicUsize>);
    impl Resolver for Changing {
        fn resolve(&self, _: &Uri, _: &Config, _: NextTimeout) -> Result<ResolvedSocketAddrs, ureq::Error> {
            let mut found = self.empty();
            found.push(if self.2.fetch_add(1, Ordering::SeqCst) == 0 { self.0 } else { self.1 });
            Ok(found)
        }
    }
    let (first, second, lookups) = (Listener::saying(FINE), Listener::saying(FINE), Arc::new(AtomicUsize::new(0)));
    let url = Url::parse("http://example.org/").unwrap();
    let names = Changing(first.address, second.address, Arc::clone(&lookups));
    get(&Outbound::resolving(rules(true, std::slice::from_ref(&url)), names), &url).unwrap();
    assert_eq!((lookups.load(Ordering::SeqCst), first.heard(), second.heard()), (1, 1, 0));
}

#[test]
fn redirects_are_returned_and_not_followed() {
    let target = Listener::saying(FINE);
    let moved =
        format!("HTTP/1.1 302 Found\r\nLocation: {}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", target.url());
    let listener = Listener::saying(moved);
    let client = Outbound::new(rules(true, &[listener.url(), target.url()]));
    assert_eq!(get(&client, &listener.url()).unwrap().status, 302);
    assert_eq!((listener.heard(), target.heard()), (1, 0));
}

#[test]
fn the_size_limit_applies_to_the_decompressed_body() {
    let body = |size: usize| "x".repeat(size);
    let plain = |size: usize| format!("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{}", body(size));
    let ask = |answer: Vec<u8>| {
        let listener = Listener::saying(answer);
        get(&Outbound::new(rules(true, &[listener.url()])), &listener.url())
    };
    assert_eq!(ask(plain(1000).into()).unwrap().body.len(), 1000);
    assert!(matches!(ask(plain(1001).into()), Err(OutboundError::TooLarge(1000))));
    let mut gzip = flate2::write::GzEncoder::new(
        b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Encoding: gzip\r\n\r\n".to_vec(),
        flate2::Compression::best(),
    );
    gzip.write_all(body(1_000_000).as_bytes()).unwrap();
    assert!(matches!(ask(gzip.finish().unwrap()), Err(OutboundError::TooLarge(1000))));
    let head = format!("HTTP/1.1 200 OK\r\nX-Long: {}\r\n\r\n", body(HEAD));
    assert!(matches!(ask(head.into()), Err(OutboundError::Failed(_))));
}

#[test]
fn a_silent_or_non_http_server_fails() {
    let ask = |listener: &Listener| {
        let client = Outbound::new(rules(true, &[listener.url()]));
        let deadline = Instant::now() + Duration::from_millis(200);
        let url = listener.url();
        client.send(&OutboundRequest {
            method: Method::Post,
            url: &url,
            headers: &[],
            body: Some(b"{}"),
            deadline,
            max_bytes: 1000,
        })
    };
    let silent = Listener::saying("");
    assert!(matches!(ask(&silent), Err(OutboundError::TimedOut)));
    assert!(matches!(ask(&Listener::saying("220 mail.example.org ESMTP\r\n")), Err(OutboundError::Failed(_))));
    let short = Listener::saying("HTTP/1.1 200 OK\r\nContent-Length: 9\r\nConnection: close\r\n\r\nhi");
    assert!(ask(&short).is_err(), "an incomplete response is an error");
}

#[test]
fn a_slow_response_times_out() {
    // The beginning of a response, and a piece that is repeated forever.
    for (first, piece) in [
        ("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n", "x"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n"),
        ("HTTP/1.1 200 OK\r\n", "X: y\r\n"),
        ("HTTP/1.1 200 OK\r\nX: ", "y"),
        ("", "HTTP/1.1 100 Continue\r\n\r\n"),
        ("", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = Url::parse(&format!("http://{}/", listener.local_addr().unwrap())).unwrap();
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let (mut bytes, mut sent) = ([0; 4096], stream.read(&mut [0; 4096]).map(|_| ()));
            stream.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
            sent = sent.and_then(|()| stream.write_all(first.as_bytes()));
            // Until the client disconnects.
            while sent.is_ok() && !matches!(stream.read(&mut bytes), Ok(0)) {
                sent = stream.write_all(piece.as_bytes());
            }
        });
        let client = Outbound::new(rules(true, std::slice::from_ref(&url)));
        let deadline = Instant::now() + Duration::from_millis(500);
        let request =
            OutboundRequest { method: Method::Get, url: &url, headers: &[], body: None, deadline, max_bytes: 1000 };
        let given_up = client.send(&request).unwrap_err();
        assert!(
            matches!(given_up, OutboundError::TimedOut | OutboundError::Failed(_)),
            "{first:?} {piece:?}: {given_up}"
        );
    }
}

#[test]
fn a_wrong_content_length_cannot_extend_the_body() {
    let ask = |answer: &str| {
        let listener = Listener::saying(answer);
        get(&Outbound::new(rules(true, &[listener.url()])), &listener.url())
    };
    let close = "Connection: close";
    let longer = ask(&format!("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n{close}\r\n\r\nhi, and more")).unwrap();
    assert_eq!(longer.body, b"hi");
    for head in [
        "Content-Length: 99",
        "Content-Length: 18446744073709551615",
        "Content-Length: -1",
        "Content-Length: 2\r\nContent-Length: 99",
    ] {
        let told = ask(&format!("HTTP/1.1 200 OK\r\n{head}\r\n{close}\r\n\r\nhi"));
        assert!(told.as_ref().is_err() || told.as_ref().is_ok_and(|answer| answer.body == b"hi"), "{head}: {told:?}");
    }
    let chunk = format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n{close}\r\n\r\nffffffffffffffff\r\nhi");
    assert!(ask(&chunk).is_err());
}

#[test]
fn equivalent_spellings_of_a_host_are_the_same_host() {
    let listener = Listener::saying(FINE);
    let port = listener.address.port();
    for host in [
        "127.1",
        "0177.0.0.1",
        "0x7f000001",
        "017700000001",
        "127.0.0.1.",
        "LOCALHOST",
        "0",
        "127.0.1",
        "[::1]",
        "[::]",
        "[::127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "[2001:0:7f00:1::]",
        "[fe80::1]",
        "[fc00::1]",
        "100.64.0.1",
        "169.254.169.254",
        "224.0.0.1",
        "255.255.255.255",
        "%31%32%37.0.0.1",
        "１２７.0.0.1",
    ] {
        let url = Url::parse(&format!("https://{host}:{port}/")).unwrap_or_else(|error| panic!("{host}: {error}"));
        let refused = get(&Outbound::new(Rules::default()), &url).unwrap_err();
        assert!(
            matches!(&refused, OutboundError::Refused(why) if why.contains("private network")),
            "{host}: {refused}"
        );
    }
    assert_eq!(listener.heard(), 0);
}

#[test]
fn no_request_is_sent_after_the_deadline() {
    let listener = Listener::saying(FINE);
    let client = Outbound::new(rules(true, &[listener.url()]));
    let url = listener.url();
    let late = OutboundRequest {
        method: Method::Get,
        url: &url,
        headers: &[],
        body: None,
        deadline: Instant::now(),
        max_bytes: 9,
    };
    assert!(matches!(client.send(&late), Err(OutboundError::TimedOut)));
    assert_eq!(listener.heard(), 0);
}

#[test]
fn an_ambiguous_path_is_not_below_a_base() {
    let base = Url::parse("http://photos.test/staff").unwrap();
    let below = |path: &str| begins_with(&Url::parse(&format!("http://photos.test{path}")).unwrap(), &base);
    for good in ["/staff", "/staff/ada.jpg", "/staff/a%20b.jpg", "/staff/2024/%C3%A4.png?x=..%2f"] {
        assert!(below(good), "{good}");
    }
    for bad in [
        "/staffs",
        "/secret.svg",
        "/staff/../secret.svg",
        "/staff/%2e%2e/secret.svg",
        "/staff/..%2fsecret.svg",
        "/staff/..%2Fsecret.svg",
        "/staff/..%5csecret.svg",
        "/staff/..%5Csecret.svg",
        "/staff/.%2e%2fsecret.svg",
        "/staff/%2E./secret.svg",
        "/staff/..;/secret.svg",
        "/staff/..;x=1/secret.svg",
        "/staff/..%3b/secret.svg",
        "/staff/..%252fsecret.svg",
    ] {
        assert!(!below(bad), "{bad}");
    }
}
