//! A double of the wiki's provider, on this machine: it keeps to the facts that were found out about the real one. The
//! order in which it checks, its codes, and the shapes of what it answers are the provider's.

mod answering;
pub mod content;
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

/// The instance, as the provider knows it.
pub const CLIENT: (&str, &str) = ("client-of-planroom", "secret-of-planroom");
/// The token of an internal integration.
pub const INTERNAL_TOKEN: &str = "ntn_internal";
/// The code that a browser comes back with when one agreed.
pub const CODE: &str = "agreed";

/// What goes wrong with the next call of the interface.
#[derive(Debug, Clone, Copy)]
pub enum Fault {
    /// Nothing.
    None,
    /// 429, with so many seconds in `Retry-After`.
    Busy(u64),
    /// 429, with this in `Retry-After`.
    BusyUntil(&'static str),
    /// 529.
    Overloaded,
    /// This status, as a page for people: the edge's, not the interface's.
    Html(u16),
    /// 200 with what is not JSON.
    Garbage,
    /// 403 of the interface: the integration may not do this.
    Restricted,
    /// 500 of the interface.
    Broken,
    /// No answer at all.
    Silence,
}

/// A call that was heard.
#[derive(Debug, Clone)]
pub struct Heard {
    /// As in `GET /v1/users/me`.
    pub what: String,
    pub at: Instant,
    pub status: u16,
    pub body: Value,
}

#[derive(Debug, Default)]
pub struct State {
    /// Access tokens that are good.
    access: HashSet<String>,
    /// Refresh tokens that are good, each with the access token beside it.
    refresh: HashMap<String, String>,
    /// Whether no access token is taken, however new.
    refuses_all: bool,
    /// How many pairs were made.
    pairs: usize,
    codes: HashSet<String>,
    faults: VecDeque<Fault>,
    /// The same of the calls to sign in.
    sign_in_faults: VecDeque<Fault>,
    /// What is said at a call, whatever is known.
    said: HashMap<String, Value>,
    /// Calls whose next answer is held back.
    held: HashMap<String, Held>,
    heard: Vec<Heard>,
    /// Pages and databases and data sources, by id without dashes, each with its path: `pages`, `databases`.
    things: HashMap<(String, &'static str), Value>,
    /// Content of pages and blocks.
    blocks: HashMap<String, Vec<Value>>,
    /// Rows of data sources.
    rows: HashMap<String, Vec<Value>>,
    /// Data sources that have more rows than are shown.
    incomplete: HashSet<String>,
    /// What search finds, in its order.
    found: Vec<Value>,
    /// What was uploaded, by its path.
    uploads: HashMap<String, Uploaded>,
    /// How many signatures were made, and from which on they are good.
    signatures: usize,
    good_from: usize,
}

impl State {
    /// How many access tokens are good that were given to somebody who agreed.
    pub fn living(&self) -> usize {
        self.access.iter().filter(|token| *token != INTERNAL_TOKEN).count()
    }

    /// All goes well again.
    pub fn clear_faults(&mut self) {
        self.faults.clear();
    }
}

/// An answer that is held back: what was asked is done, and nobody hears of it yet.
#[derive(Debug, Clone, Default)]
pub struct Held {
    asked: Arc<Notify>,
    released: Arc<Notify>,
}

impl Held {
    /// Waits until the call has come.
    pub async fn is_asked(&self) {
        self.asked.notified().await;
    }

    /// Lets the answer go.
    pub fn release(&self) {
        self.released.notify_one();
    }
}

/// The double.
#[derive(Debug, Clone)]
pub struct WikiDouble {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
}

impl WikiDouble {
    /// One that serves until the test is over. Nothing is in it.
    pub async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(Mutex::new(State::default()));
        state.lock().unwrap().access.insert(INTERNAL_TOKEN.into());
        let router = answering::router(Arc::clone(&state));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, state }
    }

    /// The same for what has no runtime: on a thread of its own, for as long as the process lives.
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

    /// What goes wrong with the next calls, one after the other.
    pub fn fails(&self, faults: &[Fault]) {
        self.state().faults.extend(faults);
    }

    /// What goes wrong with the next calls to sign in.
    pub fn fails_to_sign_in(&self, faults: &[Fault]) {
        self.state().sign_in_faults.extend(faults);
    }

    /// From now on this is said at a call, as in `GET /v1/users/me`.
    pub fn says(&self, what: &str, body: Value) {
        self.state().said.insert(what.into(), body);
    }

    /// Holds back the next answer to a call.
    pub fn holds(&self, what: &str) -> Held {
        let held = Held::default();
        self.state().held.insert(what.into(), held.clone());
        held
    }

    /// What goes wrong with one call, after so many that go well.
    pub fn fails_after(&self, well: usize, fault: Fault) {
        self.state().faults.extend(std::iter::repeat_n(Fault::None, well).chain([fault]));
    }

    /// All access tokens of before are refused from now on; the refresh token stays good.
    pub fn expire(&self) {
        self.state().access.clear();
    }

    /// Tokens are made, and none is taken.
    pub fn refuses_all_tokens(&self) {
        self.state().refuses_all = true;
    }

    /// Somebody removed the integration there: nothing is good any more.
    pub fn uninstall(&self) {
        let mut state = self.state();
        state.access.clear();
        state.refresh.clear();
    }

    /// The token of an internal integration is good again.
    pub fn reinstall(&self) {
        self.state().access.insert(INTERNAL_TOKEN.into());
    }

    /// Somebody agrees: the code is good once.
    pub fn agree(&self) {
        self.state().codes.insert(CODE.into());
    }

    /// What was heard since the last time this was asked, as in `GET /v1/users/me 200`.
    pub fn heard(&self) -> Vec<String> {
        let heard = std::mem::take(&mut self.state().heard);
        heard.into_iter().map(|heard| format!("{} {}", heard.what, heard.status)).collect()
    }

    /// The same, whole.
    pub fn heard_whole(&self) -> Vec<Heard> {
        std::mem::take(&mut self.state().heard)
    }
}
