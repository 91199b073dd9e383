//! A fake of the wiki provider on this machine. The order of its checks, its error codes and its response formats are
//! those observed at the real one.

pub mod content;
mod handlers;
mod uploads;

use std::{
    collections::{HashMap, HashSet, VecDeque},
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard},
    time::Instant,
};

use serde_json::Value;
use tokio::sync::Notify;

pub use self::uploads::{SIGNATURE, Uploaded};

/// The client ID and secret of the instance.
pub const CLIENT: (&str, &str) = ("client-of-planroom", "secret-of-planroom");
/// The token of an internal integration.
pub const INTERNAL_TOKEN: &str = "ntn_internal";
/// The authorization code.
pub const CODE: &str = "agreed";

/// A failure of the next API call.
#[derive(Debug, Clone, Copy)]
pub enum Fault {
    /// None.
    None,
    /// 429 with this many seconds in `Retry-After`.
    Busy(u64),
    /// 429 with this `Retry-After`.
    BusyUntil(&'static str),
    /// 529.
    Overloaded,
    /// This status with an HTML page of the provider's proxy.
    Html(u16),
    /// 200 with a body that is not JSON.
    Garbage,
    /// 403: the integration lacks the capability.
    Restricted,
    /// 500.
    Broken,
    /// No response.
    Silence,
}

/// A received request.
#[derive(Debug, Clone)]
pub struct ReceivedRequest {
    /// For example `GET /v1/users/me`.
    pub what: String,
    pub at: Instant,
    pub status: u16,
    pub body: Value,
}

#[derive(Debug, Default)]
pub struct State {
    /// Valid access tokens.
    access: HashSet<String>,
    /// Valid refresh tokens, each with its access token.
    refresh: HashMap<String, String>,
    /// Whether every access token is rejected.
    refuses_all: bool,
    /// Number of issued token pairs.
    pairs: usize,
    codes: HashSet<String>,
    faults: VecDeque<Fault>,
    /// Faults of the next OAuth calls.
    sign_in_faults: VecDeque<Fault>,
    /// Fixed responses by call.
    said: HashMap<String, Value>,
    /// Calls whose next response is paused.
    held: HashMap<String, PausedResponse>,
    heard: Vec<ReceivedRequest>,
    /// Pages, databases and data sources by ID without dashes, each with its type: `pages`, `databases`.
    things: HashMap<(String, &'static str), Value>,
    /// Blocks of pages and blocks.
    blocks: HashMap<String, Vec<Value>>,
    /// Rows of data sources.
    rows: HashMap<String, Vec<Value>>,
    /// Data sources that have more rows than are returned.
    incomplete: HashSet<String>,
    /// Search results, in order.
    found: Vec<Value>,
    /// Uploads by path.
    uploads: HashMap<String, Uploaded>,
    /// Number of signatures, and the first valid one.
    signatures: usize,
    good_from: usize,
}

impl State {
    /// Number of valid access tokens that were issued by OAuth.
    pub fn valid_user_tokens(&self) -> usize {
        self.access.iter().filter(|token| *token != INTERNAL_TOKEN).count()
    }

    /// Removes all faults.
    pub fn clear_faults(&mut self) {
        self.faults.clear();
    }
}

/// A paused response: the request was processed but its client has no response yet.
#[derive(Debug, Clone, Default)]
pub struct PausedResponse {
    asked: Arc<Notify>,
    released: Arc<Notify>,
}

impl PausedResponse {
    /// Waits until the request was received.
    pub async fn received(&self) {
        self.asked.notified().await;
    }

    /// Sends the response.
    pub fn release(&self) {
        self.released.notify_one();
    }
}

/// The fake wiki.
#[derive(Debug, Clone)]
pub struct FakeWiki {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
}

impl FakeWiki {
    /// Starts an empty wiki that serves until the test ends.
    pub async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(Mutex::new(State::default()));
        state.lock().unwrap().access.insert(INTERNAL_TOKEN.into());
        let router = handlers::router(Arc::clone(&state));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, state }
    }

    /// The same without a runtime: on its own thread, until the process ends.
    pub fn start_aside() -> Self {
        let (told, heard) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                told.send(Self::start().await).unwrap();
                std::future::pending::<()>().await;
            });
        });
        heard.recv().unwrap()
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Sets the faults of the next API calls.
    pub fn fail_next(&self, faults: &[Fault]) {
        self.state().faults.extend(faults);
    }

    /// Sets the faults of the next OAuth calls.
    pub fn fail_next_oauth(&self, faults: &[Fault]) {
        self.state().sign_in_faults.extend(faults);
    }

    /// Sets a fixed response of a call such as `GET /v1/users/me`.
    pub fn respond_with(&self, what: &str, body: Value) {
        self.state().said.insert(what.into(), body);
    }

    /// Pauses the next response to a call.
    pub fn pause_response(&self, what: &str) -> PausedResponse {
        let held = PausedResponse::default();
        self.state().held.insert(what.into(), held.clone());
        held
    }

    /// Sets a fault of one call after `well` successful ones.
    pub fn fail_after(&self, well: usize, fault: Fault) {
        self.state().faults.extend(std::iter::repeat_n(Fault::None, well).chain([fault]));
    }

    /// Invalidates all access tokens; refresh tokens remain valid.
    pub fn expire(&self) {
        self.state().access.clear();
    }

    /// Issues tokens but rejects all of them.
    pub fn reject_all_tokens(&self) {
        self.state().refuses_all = true;
    }

    /// Removes the integration: all tokens are invalid.
    pub fn uninstall(&self) {
        let mut state = self.state();
        state.access.clear();
        state.refresh.clear();
    }

    /// Makes the token of the internal integration valid again.
    pub fn reinstall(&self) {
        self.state().access.insert(INTERNAL_TOKEN.into());
    }

    /// Authorizes the integration: the code is valid once.
    pub fn authorize(&self) {
        self.state().codes.insert(CODE.into());
    }

    /// Returns and removes the received requests, for example `GET /v1/users/me 200`.
    pub fn take_requests(&self) -> Vec<String> {
        let heard = std::mem::take(&mut self.state().heard);
        heard.into_iter().map(|heard| format!("{} {}", heard.what, heard.status)).collect()
    }

    /// The same with all details.
    pub fn take_full_requests(&self) -> Vec<ReceivedRequest> {
        std::mem::take(&mut self.state().heard)
    }
}
