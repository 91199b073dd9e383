//! Five hundred followers of a workspace with twenty writers. The server is the real binary in its own process, so
//! that its memory can be measured. Each follower has its own connection and reads all events, except one that never
//! reads.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU32, AtomicU64, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use axum::http::{Method, StatusCode};
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
};

use super::{
    Instance, ROUNDS, TestRequest, median, rate, report,
    server::{Server, create_admin},
};

const FOLLOWERS: usize = 500;
const WRITERS: usize = 20;
/// Streams opened per user; the limit is 32.
const STREAMS_OF_ONE: usize = 30;
/// Interval and duration of the writes of each writer for measuring the delay to the last follower. The interval
/// corresponds to a fast user.
const PACE: Duration = Duration::from_millis(500);
const PACED: Duration = Duration::from_secs(10);
/// Number and size in bytes of the large writes: about 6 MB for each follower.
const LARGE_WRITES: usize = 600;
const LARGE: usize = 10_000;
/// Maximum number of observed revisions.
const MAX_EVENTS: usize = 200_000;
/// A timeout that is never reached in a successful run.
const NO_TIMEOUT: Duration = Duration::from_mins(1);

/// The progress of all followers.
struct Progress {
    began: Instant,
    /// By revision: time of the last arrival in nanoseconds, and number of arrivals.
    arrivals: Vec<(AtomicU64, AtomicU32)>,
    /// By follower: the last change received.
    heads: Vec<AtomicI64>,
    events: AtomicU32,
    reloads: AtomicU32,
}

impl Progress {
    fn new() -> Self {
        let arrivals = (0..MAX_EVENTS).map(|_| (AtomicU64::new(0), AtomicU32::new(0))).collect();
        let heads = (0..FOLLOWERS).map(|_| AtomicI64::new(0)).collect();
        Self { began: Instant::now(), arrivals, heads, events: AtomicU32::new(0), reloads: AtomicU32::new(0) }
    }

    fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_nanos()).unwrap()
    }

    /// Records a frame of a follower's stream.
    fn note(&self, follower: usize, frame: &[u8]) {
        let Some(id) = position(frame) else { return };
        if find(frame, b"event: change").is_some() {
            let revision = usize::try_from(number_after(frame, b"\"revision\":").unwrap()).unwrap();
            self.arrivals[revision].0.fetch_max(self.now(), Ordering::Relaxed);
            self.arrivals[revision].1.fetch_add(1, Ordering::Relaxed);
            self.events.fetch_add(1, Ordering::Relaxed);
        } else if find(frame, b"event: reload").is_some() {
            self.reloads.fetch_add(1, Ordering::Relaxed);
        }
        self.heads[follower].fetch_max(id, Ordering::Relaxed);
    }

    /// Waits until every follower has received its start position.
    async fn wait_for_start(&self) {
        let begun = Instant::now();
        while self.heads.iter().any(|head| head.load(Ordering::Relaxed) == 0) {
            tokio::time::sleep(Duration::from_millis(20)).await;
            assert!(begun.elapsed() < NO_TIMEOUT, "not all followers have started");
        }
    }

    /// Waits until every follower has received all changes.
    async fn wait_for_delivery(&self, ada: &Instance) {
        let here = ada.clone();
        let read = move || here.send(&Method::GET, "/api/workspaces/w/history?limit=1", &TestRequest::default());
        let history = tokio::task::spawn_blocking(read).await.unwrap();
        let history: serde_json::Value = serde_json::from_slice(history.body()).unwrap();
        let (last, begun) = (history["changes"][0]["id"].as_i64().unwrap(), Instant::now());
        while self.heads.iter().any(|head| head.load(Ordering::Relaxed) < last) {
            tokio::time::sleep(Duration::from_millis(20)).await;
            assert!(begun.elapsed() < NO_TIMEOUT, "not all followers have received all changes");
        }
    }
}

fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).take(200).position(|window| window == what)
}

/// The number in `id: {incarnation}-{number}`.
fn position(frame: &[u8]) -> Option<i64> {
    let id = &frame[find(frame, b"id: ")? + b"id: ".len()..];
    let line = id.split(|byte| *byte == b'\n').next()?;
    std::str::from_utf8(line).ok()?.rsplit('-').next()?.trim().parse().ok()
}

fn number_after(text: &[u8], what: &[u8]) -> Option<i64> {
    let digits = &text[find(text, what)? + what.len()..];
    let end = digits.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(digits.len());
    std::str::from_utf8(&digits[..end]).ok()?.parse().ok()
}

/// Opens a stream on a connection with a small receive buffer, so that unread data soon accumulates in the server.
async fn open(instance: &Instance) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(16 << 10).unwrap();
    let address = instance.url.strip_prefix("http://").unwrap();
    let mut stream = socket.connect(address.parse().unwrap()).await.unwrap();
    let head = format!(
        "GET /api/workspaces/w/events HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\n\r\n",
        instance.token
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\n") {
        answer.push(stream.read_u8().await.unwrap());
    }
    assert!(answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&answer));
    stream
}

/// Reads a stream to its end.
async fn follow(mut stream: TcpStream, follower: usize, progress: Arc<Progress>) {
    let (mut read, mut piece) = (Vec::new(), vec![0; 64 << 10]);
    while let Ok(length @ 1..) = stream.read(&mut piece).await {
        read.extend_from_slice(&piece[..length]);
        let mut begin = 0;
        // A frame ends with an empty line, which JSON never contains.
        while let Some(end) = read[begin..].windows(2).position(|two| two == b"\n\n") {
            progress.note(follower, &read[begin..begin + end]);
            begin += end + 2;
        }
        read.drain(..begin);
    }
}

/// Updates a component. Returns the revision.
fn write(instance: &Instance, component: usize, body: String) -> usize {
    let request = TestRequest { body: Some(body.into()), ..TestRequest::default() };
    let answer = instance.send(&Method::PATCH, &format!("/api/workspaces/w/components/c{component}"), &request);
    assert_eq!(answer.status(), StatusCode::OK);
    usize::try_from(number_after_anywhere(answer.body(), b"\"revision\":")).unwrap()
}

fn number_after_anywhere(text: &[u8], what: &[u8]) -> i64 {
    let place = text.windows(what.len()).rposition(|window| window == what).unwrap();
    number_after(&text[place..], what).unwrap()
}

/// Twenty writers update their components as fast as possible. Returns writes per second.
async fn writes(instance: &Instance) -> f64 {
    let (here, next) = (instance.clone(), Arc::new(AtomicUsize::new(0)));
    rate(WRITERS, move || {
        let number = next.fetch_add(1, Ordering::Relaxed);
        write(&here, number % WRITERS, json!({ "x": number }).to_string());
    })
    .await
}

/// Target 7: the effect of writers on followers and of followers on writers.
pub async fn many_followers_and_writers() {
    let dir = tempfile::tempdir().unwrap();
    create_admin(dir.path());
    // All followers connect from the same address.
    let (server, url) = Server::start(dir.path(), &[("PLANROOM_LIMITS_CONNECTIONS_PER_ADDRESS", "1000")]);
    let ada = Instance::at(url, None).signed_in("ada").await;
    ada.json(Method::POST, "/api/workspaces", &json!({ "id": "w", "name": "W" })).await;
    for number in 0..WRITERS {
        let new = json!({ "id": format!("c{number}"), "typeId": "service", "name": "C" });
        ada.json(Method::POST, "/api/workspaces/w/components", &new).await;
    }
    let mut users = Vec::new();
    for number in 0..FOLLOWERS.div_ceil(STREAMS_OF_ONE) {
        users.push(ada.invited(&format!("user-{number}")).await);
    }

    let (mut alone, mut followed) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        alone.push(writes(&ada).await);
    }
    let progress = Arc::new(Progress::new());
    let before = server.memory();
    for follower in 0..FOLLOWERS {
        let stream = open(&users[follower / STREAMS_OF_ONE]).await;
        tokio::spawn(follow(stream, follower, Arc::clone(&progress)));
    }
    let never_read = open(&ada).await;
    progress.wait_for_start().await;
    let seated = server.memory();

    let delays = paced(&ada, &progress).await;
    let behind = progress.reloads.load(Ordering::Relaxed);
    for _ in 0..ROUNDS {
        followed.push(writes(&ada).await);
    }
    progress.wait_for_delivery(&ada).await;
    report("writes of 20 while 500 follow / while nobody does", "", median(followed) / median(alone));
    report("commit to the last of 500 followers, median, ms", "", delays[delays.len() / 2]);
    report("the same, 99th percentile, ms", "<= 250", delays[delays.len() * 99 / 100]);
    report("who fell behind at that pace", "0", f64::from(behind));

    let (events, begun) = (progress.events.load(Ordering::Relaxed), Instant::now());
    flood(&ada).await;
    let most = server.memory();
    progress.wait_for_delivery(&ada).await;
    let told = f64::from(progress.events.load(Ordering::Relaxed) - events) / begun.elapsed().as_secs_f64();
    report("changes of 10 KB told in a second, to 500 together", "", told);
    report("the server's memory with 500 followers more, MiB", "", seated - before);
    report("and when 6 MB were told to each, one never reading, MiB", "<= 64", most.max(server.memory()) - seated);
    drop(never_read);
}

/// Twenty writers at the fixed interval. Returns the sorted delays in milliseconds from the response of a write to its
/// arrival at the last follower.
async fn paced(ada: &Instance, progress: &Arc<Progress>) -> Vec<f64> {
    let writers = (0..WRITERS).map(|writer| {
        let (here, progress) = (ada.clone(), Arc::clone(progress));
        tokio::task::spawn_blocking(move || {
            // The writers start at different times within the interval.
            let first = Instant::now() + PACE * u32::try_from(writer).unwrap() / u32::try_from(WRITERS).unwrap();
            let times = u32::try_from(PACED.as_millis() / PACE.as_millis()).unwrap();
            let mut written = Vec::new();
            for time in 0..times {
                std::thread::sleep((first + PACE * time).saturating_duration_since(Instant::now()));
                // Each value is new, because unchanged rows are not written.
                let revision = write(&here, writer, json!({ "y": time + 1 }).to_string());
                written.push((revision, progress.now()));
            }
            written
        })
    });
    let mut written = Vec::new();
    for writer in writers.collect::<Vec<_>>() {
        written.extend(writer.await.unwrap());
    }
    progress.wait_for_delivery(ada).await;
    // Only revisions that all followers received; followers that fell behind were asked to reload instead.
    let delay = |(revision, answered): &(usize, u64)| {
        let (last, count) = &progress.arrivals[*revision];
        let delay = Duration::from_nanos(last.load(Ordering::Relaxed).saturating_sub(*answered));
        (count.load(Ordering::Relaxed) as usize == FOLLOWERS).then_some(delay.as_secs_f64() * 1_000.0)
    };
    let mut delays: Vec<f64> = written.iter().filter_map(delay).collect();
    assert!(!delays.is_empty(), "nothing was told to all");
    delays.sort_by(f64::total_cmp);
    delays
}

/// Twenty writers update large rows as fast as possible.
async fn flood(ada: &Instance) {
    let (next, text) = (Arc::new(AtomicUsize::new(0)), "x".repeat(LARGE - 10));
    let writers = (0..WRITERS).map(|writer| {
        let (here, next, text) = (ada.clone(), Arc::clone(&next), text.clone());
        tokio::task::spawn_blocking(move || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= LARGE_WRITES {
                    return;
                }
                write(&here, writer, json!({ "description": format!("{number} {text}") }).to_string());
            }
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
}
