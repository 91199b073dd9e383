//! Latency, processor time and memory with simulated users. `cargo bench -- capacity` prints the figures in
//! `docs/capacity.md`. `CAPACITY_USERS` has other numbers of users, separated by commas.
//!
//! Each user has an account, opens the workspace of a team, follows its events, announces a pointer, edits, and reads the
//! workspace again with the entity tag of the last read. The server is a process of its own, on the same machine as the users.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

use axum::http::Method;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, BufReader},
    net::TcpStream,
    task::JoinSet,
    time::sleep_until,
};

use super::{
    Instance,
    client::{Address, Answer, Client},
    model,
    server::{Server, create_admin, processor_time},
};

/// Users of a workspace, and components in it; it has twice as many relationships.
const TEAM: usize = 25;
const COMPONENTS: usize = 300;

/// Intervals of the actions of each user.
const PRESENCE_EVERY: Duration = Duration::from_secs(2);
const EDIT_EVERY: Duration = Duration::from_secs(20);
const READ_EVERY: Duration = Duration::from_secs(30);
/// Time in which the users open their workspaces one after another, and time that is measured afterwards.
const RAMP: Duration = Duration::from_secs(10);
const MEASURED: Duration = Duration::from_mins(1);

/// Each user has up to four connections from the same address.
const SETTINGS: [(&str, &str); 2] =
    [("PLANROOM_LIMITS_CONNECTIONS", "10000"), ("PLANROOM_LIMITS_CONNECTIONS_PER_ADDRESS", "10000")];

/// What is timed.
#[derive(Clone, Copy)]
enum Timed {
    Bundle,
    Stream,
    Changed,
    Unchanged,
    Edit,
    Presence,
    Event,
}

const TIMED: [(Timed, &str); 7] = [
    (Timed::Bundle, "open: bundle, gzip"),
    (Timed::Stream, "open: event stream"),
    (Timed::Changed, "read again, changed"),
    (Timed::Unchanged, "read again, not changed (304)"),
    (Timed::Edit, "edit"),
    (Timed::Presence, "presence"),
    (Timed::Event, "from an edit to its event"),
];

/// What the simulated users observe.
struct Observed {
    began: Instant,
    /// Durations in milliseconds by [`Timed`].
    times: [Mutex<Vec<f64>>; TIMED.len()],
    errors: AtomicU32,
    reloads: AtomicU32,
}

impl Observed {
    fn new() -> Self {
        let (errors, reloads) = (AtomicU32::new(0), AtomicU32::new(0));
        Self { began: Instant::now(), times: Default::default(), errors, reloads }
    }

    fn add(&self, timed: Timed, duration: Duration) {
        self.times[timed as usize].lock().unwrap().push(duration.as_secs_f64() * 1_000.0);
    }

    /// Adds the duration of a request, or an error.
    fn add_answer(&self, timed: Timed, since: Instant, answer: std::io::Result<Answer>) -> Option<Answer> {
        match answer {
            Ok(answer) if answer.status < 400 => {
                self.add(if answer.status == 304 { Timed::Unchanged } else { timed }, since.elapsed());
                Some(answer)
            }
            _ => {
                self.errors.fetch_add(1, Ordering::Relaxed);
                None
            }
        }
    }
}

/// Runs all numbers of users, one after another, each with a new process of the server.
pub async fn simulated_users() {
    let counts = std::env::var("CAPACITY_USERS").unwrap_or_else(|_| "50,300,500".into());
    let counts: Vec<usize> = counts.split(',').map(|count| count.trim().parse().unwrap()).collect();
    let most = counts.iter().copied().max().unwrap();
    let maximum = getrlimit(Resource::Nofile).maximum;
    setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).unwrap();

    let data = tempfile::tempdir().unwrap();
    create_admin(data.path());
    let (server, url) = Server::start(data.path(), &SETTINGS);
    let ada = Instance::at(url, None).signed_in("ada").await;
    let mut map = model(COMPONENTS);
    map["workspace"] = json!({ "name": "Map", "organizationAccess": "edit" });
    for team in 0..most.div_ceil(TEAM) {
        ada.json(Method::PUT, &format!("/api/workspaces/w{team}/bulk"), &map).await;
    }
    let mut tokens = Vec::new();
    for user in 0..most {
        tokens.push(ada.invited(&format!("user-{user}")).await.token);
    }
    server.stop();

    for count in counts {
        let (server, url) = Server::start(data.path(), &SETTINGS);
        let (observed, mut users) = (Arc::new(Observed::new()), JoinSet::new());
        for (number, token) in tokens.iter().take(count).enumerate() {
            let address = Address::new(&url, token);
            let begin = Instant::now() + RAMP.mul_f64(share(number, count));
            users.spawn(user(address, number, begin, Arc::clone(&observed)));
        }
        tokio::time::sleep(RAMP).await;
        let before = [server.processor_time(), processor_time("self")];
        tokio::time::sleep(MEASURED).await;
        let used = [server.processor_time(), processor_time("self")];
        let [server_load, own_load] =
            [0, 1].map(|at| used[at].saturating_sub(before[at]).as_secs_f64() / MEASURED.as_secs_f64());
        let memory = (server.memory(), server.peak_memory());
        users.shutdown().await;
        server.stop();
        print(count, &observed, [server_load, own_load], memory);
    }
}

fn share(part: usize, whole: usize) -> f64 {
    f64::from(u32::try_from(part).unwrap()) / f64::from(u32::try_from(whole).unwrap())
}

fn print(users: usize, observed: &Observed, [server, own]: [f64; 2], (memory, peak): (f64, f64)) {
    println!("{users} users; milliseconds");
    println!("    {:32} {:>8} {:>8} {:>8} {:>8}", "", "count", "p50", "p95", "p99");
    for (timed, name) in TIMED {
        let mut times = observed.times[timed as usize].lock().unwrap();
        times.sort_by(f64::total_cmp);
        let at = |percent: usize| times.get(times.len() * percent / 100).copied().unwrap_or(f64::NAN);
        println!("    {name:32} {:>8} {:>8.1} {:>8.1} {:>8.1}", times.len(), at(50), at(95), at(99));
    }
    let (errors, reloads) = (observed.errors.load(Ordering::Relaxed), observed.reloads.load(Ordering::Relaxed));
    println!("    errors {errors}, streams that fell behind {reloads}");
    println!("    processors in use: server {server:.2}, simulated users {own:.2}");
    println!("    memory of the server: {memory:.0} MiB, at most {peak:.0} MiB");
}

/// One user, until the task is aborted.
async fn user(address: Address, number: usize, measured_from: Instant, observed: Arc<Observed>) {
    const GZIP: &str = "Accept-Encoding: gzip\r\n";
    sleep_until(measured_from.into()).await;
    let path = format!("/api/workspaces/w{}", number / TEAM);
    let mut client = Client::new(&address);
    let opened = client.send("GET", &path, GZIP, "").await;
    let mut tag = observed.add_answer(Timed::Bundle, measured_from, opened).and_then(|answer| answer.entity_tag);

    let began = Instant::now();
    let since = tag.as_deref().unwrap_or_default().trim_start_matches("W/").trim_matches('"').to_owned();
    let stream = address.follow(&format!("{path}/events?since={since}&client=user-{number}")).await;
    let stream = stream.map(|(status, stream)| (Answer { status, entity_tag: None }, stream));
    let (answer, stream) = match stream {
        Ok((answer, stream)) => (Ok(answer), Some(stream)),
        Err(error) => (Err(error), None),
    };
    observed.add_answer(Timed::Stream, began, answer);
    let follow = async {
        if let Some(stream) = stream {
            follow(stream, &observed).await;
        }
    };

    let announce = async {
        let (mut client, mut schedule) = (Client::new(&address), Schedule::new(PRESENCE_EVERY, number));
        loop {
            let (due, time) = schedule.next().await;
            let pointer = json!({ "x": time % 500, "y": number % 500 });
            let body = json!({ "client": format!("user-{number}"), "view": "map", "pointer": pointer }).to_string();
            let answer = client.send("POST", &format!("{path}/presence"), "", &body).await;
            observed.add_answer(Timed::Presence, due, answer);
        }
    };
    let edit = async {
        let (mut client, mut schedule) = (Client::new(&address), Schedule::new(EDIT_EVERY, number));
        loop {
            let (due, time) = schedule.next().await;
            let path = format!("{path}/components/component-{}", (number * 31 + time) % COMPONENTS);
            let sent = observed.began.elapsed().as_micros();
            let body = json!({ "description": format!("{SENT}{sent}") }).to_string();
            let answer = client.send("PATCH", &path, "", &body).await;
            observed.add_answer(Timed::Edit, due, answer);
        }
    };
    let read = async {
        let mut schedule = Schedule::new(READ_EVERY, number);
        loop {
            let (due, _) = schedule.next().await;
            let headers = format!("{GZIP}If-None-Match: {}\r\n", tag.as_deref().unwrap_or("\"\""));
            let answer = client.send("GET", &path, &headers, "").await;
            tag = observed.add_answer(Timed::Changed, due, answer).and_then(|answer| answer.entity_tag);
        }
    };
    tokio::join!(follow, announce, edit, read);
}

/// The times of an action, which differ by user.
struct Schedule {
    due: Instant,
    interval: Duration,
    times: usize,
}

impl Schedule {
    fn new(interval: Duration, user: usize) -> Self {
        let due = Instant::now() + interval.mul_f64(share(user * 619 % 1_000, 1_000));
        Self { due, interval, times: 0 }
    }

    /// Waits for the next time. Returns the time from which a request is measured: when it was due if it is late, and the
    /// number of earlier ones.
    async fn next(&mut self) -> (Instant, usize) {
        let due = self.due;
        let is_late = Instant::now() > due;
        sleep_until(due.into()).await;
        let time = self.times;
        self.due += self.interval;
        self.times += 1;
        (if is_late { due } else { Instant::now() }, time)
    }
}

/// The beginning of descriptions that contain the time at which they were sent, in microseconds.
const SENT: &str = "sent at ";

/// Reads events until the stream ends, which is an error.
async fn follow(mut stream: BufReader<TcpStream>, observed: &Observed) {
    let (mut read, mut piece) = (Vec::new(), vec![0; 32 << 10]);
    while let Ok(length @ 1..) = stream.read(&mut piece).await {
        read.extend_from_slice(&piece[..length]);
        let mut begin = 0;
        // An event ends with an empty line, which JSON never contains.
        while let Some(end) = read[begin..].windows(2).position(|two| two == b"\n\n") {
            let event = String::from_utf8_lossy(&read[begin..begin + end]);
            if event.contains("event: reload") {
                observed.reloads.fetch_add(1, Ordering::Relaxed);
            } else if let Some((_, sent)) = event.rsplit_once(SENT)
                && let Some(Ok(sent)) = sent.split('"').next().map(str::parse)
            {
                observed.add(Timed::Event, observed.began.elapsed().saturating_sub(Duration::from_micros(sent)));
            }
            begin += end + 2;
        }
        read.drain(..begin);
    }
    observed.errors.fetch_add(1, Ordering::Relaxed);
}
