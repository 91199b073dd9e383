//! Test fixtures: a server on a temporary data directory, and clients that send requests to it.

mod change_log;
mod contract;
mod follower;
pub mod image_host;
pub mod mail;
mod map;
pub mod oidc;
mod reply;
mod seed;
pub mod tls;
pub mod waiting;
pub mod webhook_sink;
pub mod wiki;

use std::{
    ffi::OsString,
    net::{IpAddr, SocketAddr},
    path::Path,
    process::Command,
    sync::Mutex,
};

use axum::{
    Router,
    body::Body,
    extract::ConnectInfo,
    http::{Method, Request, header},
    response::Response,
};
use planroom::{
    app::App,
    clock::Clock,
    config::{Config, Flags},
    domain::{core::Via, instance::maintenance::Removed},
};
use rusqlite::Connection;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::OnceCell;
use tower::ServiceExt;

use change_log::ChangeLogCheck;
pub use contract::assert_contract;
pub use follower::{Event, Follower};
pub use map::ids;
pub use reply::TestResponse;

/// The password of every user.
pub const PASSWORD: &str = "correct horse battery";

/// A server in this process, with its real router.
pub struct TestServer {
    // Fields are dropped in their order: the check reads the database before its directory is removed.
    _change_log: ChangeLogCheck,
    pub app: App,
    pub clock: Clock,
    pub dir: TempDir,
    router: Router,
    /// The connection of [`TestServer::sql`], when it is not in use.
    observer: Mutex<Option<Connection>>,
}

impl TestServer {
    /// A server with the organization `acme` and its administrator `ada`, on a copy of files that the first such test created.
    pub async fn new() -> Self {
        static FILES: OnceCell<Vec<(OsString, Vec<u8>)>> = OnceCell::const_new();
        let files = FILES.get_or_init(|| async {
            let dir = Self::created().await.stop();
            std::fs::read_dir(&dir)
                .unwrap()
                .map(|file| file.unwrap())
                .filter(|file| file.file_type().unwrap().is_file())
                .map(|file| (file.file_name(), std::fs::read(file.path()).unwrap()))
                .collect()
        });
        let dir = tempfile::tempdir().unwrap();
        for (name, content) in files.await {
            std::fs::write(dir.path().join(name), content).unwrap();
        }
        Self::on(dir, |_| {})
    }

    /// The same server, created now.
    pub async fn created() -> Self {
        let server = Self::empty(|_| {});
        server.seed_admin("ada", "acme").await;
        server
    }

    /// An empty server with configuration changes.
    pub fn empty(change: impl FnOnce(&mut Config)) -> Self {
        Self::on(tempfile::tempdir().unwrap(), change)
    }

    /// A server on an existing data directory.
    pub fn on(dir: TempDir, change: impl FnOnce(&mut Config)) -> Self {
        Self::at("http://planroom.test", dir, change)
    }

    /// The same with a public URL.
    pub fn at(public_url: &str, dir: TempDir, change: impl FnOnce(&mut Config)) -> Self {
        let config = config(dir.path(), change);
        let clock = Clock::stopped();
        let app = App::open(&config, public_url, clock.clone()).unwrap();
        Self::of(app, clock, dir)
    }

    /// A server on an existing data directory, opened as `planroom serve` does.
    pub fn serving(dir: TempDir) -> Self {
        let clock = Clock::stopped();
        let app = App::open_for_serving(&config(dir.path(), |_| {}), "http://planroom.test", clock.clone()).unwrap();
        Self::of(app, clock, dir)
    }

    fn of(app: App, clock: Clock, dir: TempDir) -> Self {
        let router = app.router();
        let change_log = ChangeLogCheck::new(&dir);
        Self { app, clock, dir, router, _change_log: change_log, observer: Mutex::default() }
    }

    /// Shuts the server down as SIGTERM would, and starts it again on the same data.
    pub fn restart(self) -> Self {
        let dir = self.stop();
        Self::on(dir, |_| {})
    }

    /// Shuts the server down. Returns its data directory.
    pub fn stop(self) -> TempDir {
        let Self { app, dir, router, observer, .. } = self;
        drop((router, observer));
        app.close().unwrap();
        dir
    }

    /// Waits for writes that are queued without a waiting caller.
    pub async fn flush_writes(&self) {
        self.app.gate.system(Via::Job, |_| Ok(())).await.unwrap();
    }

    /// Waits until the search index has all documents, which follow a large write.
    pub async fn until_indexed(&self) {
        while self.count("SELECT version FROM search_state") == 0 {
            // Each part is queued after the commit of the previous part.
            self.flush_writes().await;
        }
    }

    /// Runs cleanup as if the server had been running all the time, however far the test has moved the clock.
    pub async fn clean_up(&self) -> Removed {
        let now = self.clock.now();
        self.sql(|conn| conn.execute("UPDATE instance SET swept_to = ?1, swept_at = ?1", [now]).unwrap());
        planroom::jobs::clean_up(&self.app.gate).await.unwrap()
    }

    /// Signs a user in.
    pub async fn sign_in(&self, login: &str) -> TestClient<'_> {
        let reply = self.anonymous().post("/api/auth/login", json!({ "login": login, "password": PASSWORD })).await;
        let token = reply.ok()["token"].as_str().unwrap().to_owned();
        self.with(&token)
    }

    /// Signs a user in and creates a token. Returns a client with the token.
    pub async fn script_client(&self, login: &str) -> TestClient<'_> {
        let reply = self.sign_in(login).await.post("/api/me/tokens", json!({ "name": "script" })).await;
        let token = reply.created()["token"].as_str().unwrap().to_owned();
        self.with(&token)
    }

    /// A client with this credential.
    pub fn with(&self, credential: &str) -> TestClient<'_> {
        TestClient { server: self, credential: Some(credential.to_owned()), headers: Vec::new(), address: None }
    }

    /// A client without a credential.
    pub fn anonymous(&self) -> TestClient<'_> {
        TestClient { server: self, credential: None, headers: Vec::new(), address: None }
    }
}

/// Runs the binary on a data directory that no other process uses. Returns its output.
pub fn planroom(arguments: &[&str], data_dir: &Path) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_planroom"));
    let output = command.args(arguments).arg("--data-dir").arg(data_dir).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The default configuration for `data_dir`, changed by `change`.
pub fn config(data_dir: &Path, change: impl FnOnce(&mut Config)) -> Config {
    let flags = Flags { data_dir: Some(data_dir.to_owned()), ..Flags::default() };
    let mut config = planroom::config::load(&flags, &std::collections::BTreeMap::new()).unwrap().config;
    change(&mut config);
    config
}

/// A client. Every response is validated against the OpenAPI document.
#[derive(Clone)]
pub struct TestClient<'s> {
    server: &'s TestServer,
    credential: Option<String>,
    headers: Vec<(String, String)>,
    address: Option<IpAddr>,
}

impl TestClient<'_> {
    /// The same client with an additional header.
    pub fn header(&self, name: &str, value: &str) -> Self {
        let mut client = self.clone();
        client.headers.push((name.to_owned(), value.to_owned()));
        client
    }

    /// The same client with this source address.
    pub fn from(&self, address: impl Into<IpAddr>) -> Self {
        let mut client = self.clone();
        client.address = Some(address.into());
        client
    }

    /// The credential.
    pub fn credential(&self) -> &str {
        self.credential.as_deref().unwrap_or_default()
    }

    pub async fn get(&self, path: &str) -> TestResponse {
        self.send(Method::GET, path, None).await
    }

    pub async fn post(&self, path: &str, body: Value) -> TestResponse {
        self.send(Method::POST, path, Some(body)).await
    }

    pub async fn put(&self, path: &str, body: Value) -> TestResponse {
        self.send(Method::PUT, path, Some(body)).await
    }

    pub async fn patch(&self, path: &str, body: Value) -> TestResponse {
        self.send(Method::PATCH, path, Some(body)).await
    }

    pub async fn delete(&self, path: &str) -> TestResponse {
        self.send(Method::DELETE, path, None).await
    }

    pub async fn send(&self, method: Method, path: &str, body: Option<Value>) -> TestResponse {
        let json = body.as_ref().map(Value::to_string);
        let content_type = json.as_ref().map(|_| "application/json");
        let reply = self.send_raw(method, path, content_type, json.unwrap_or_default()).await;
        if let Some(body) = body {
            contract::check_request(&reply, &body);
        }
        reply
    }

    /// Sends any bytes.
    pub async fn send_raw(
        &self,
        method: Method,
        path: &str,
        content_type: Option<&str>,
        body: impl Into<Body>,
    ) -> TestResponse {
        let response = self.response(&method, path, content_type, body.into()).await;
        let reply = TestResponse::read(&method, path, response).await;
        contract::check_response(&reply);
        reply
    }

    async fn response(&self, method: &Method, path: &str, content_type: Option<&str>, body: Body) -> Response {
        let mut request = Request::builder().method(method.clone()).uri(path);
        if let Some(credential) = &self.credential {
            request = request.header(header::AUTHORIZATION, format!("Bearer {credential}"));
        }
        if let Some(content_type) = content_type {
            request = request.header(header::CONTENT_TYPE, content_type);
        }
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        if let Some(address) = self.address {
            request = request.extension(ConnectInfo(SocketAddr::new(address, 50_000)));
        }
        self.server.router.clone().oneshot(request.body(body).unwrap()).await.unwrap()
    }
}

/// A percent-encoded path segment.
pub fn segment(id: &str) -> String {
    id.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
            byte => format!("%{byte:02X}"),
        })
        .collect()
}
