//! Property tests with random models and sequences of requests.

mod actions;
mod bulk;
mod bundles;
mod concurrent_users;
mod containment;
mod decision_actions;
mod directory;
mod following;
mod history;
pub mod log;
mod models;
mod paths;
mod replica;
mod requests;
mod subscriber;
mod view_actions;
mod views;
mod world;

use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;
use serde_json::json;

use crate::support::{TestClient, TestServer};

/// One server for all cases of a property; each case has its own workspaces. `ada` and `olga` belong to different
/// organizations.
struct Fixture {
    server: TestServer,
    runtime: tokio::runtime::Runtime,
    cases: AtomicUsize,
    scripts: [String; 2],
}

impl Fixture {
    fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let (server, scripts) = runtime.block_on(async {
            let server = TestServer::new().await;
            server.create_org("other", "olga").await;
            for login in ["ada", "olga"] {
                let somebody = json!({ "id": actions::SOMEBODY, "name": "Somebody" });
                server.sign_in(login).await.post("/api/people", somebody).await.created();
            }
            let ada = server.script_client("ada").await.credential().to_owned();
            let olga = server.script_client("olga").await.credential().to_owned();
            (server, [ada, olga])
        });
        Self { server, runtime, cases: AtomicUsize::new(0), scripts }
    }

    /// Checks `property` for random values of `strategy`, each with a unique ID.
    fn check<S: Strategy>(&self, cases: u32, strategy: S, property: impl AsyncFn(String, S::Value)) {
        proptest!(ProptestConfig::with_cases(cases), |(value in strategy)| {
            let case = self.cases.fetch_add(1, Ordering::Relaxed);
            self.runtime.block_on(property(format!("case-{case}"), value));
        });
    }

    fn client(&self, index: usize) -> TestClient<'_> {
        self.server.with(&self.scripts[index])
    }
}
