//! What holds of every model and every sequence of requests, tried on random ones.

mod actors;
mod acts;
mod bulk;
mod containment;
mod directory;
mod following;
mod history;
pub mod log;
mod mirror;
mod models;
mod paths;
mod requests;
mod watcher;
mod world;

use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;
use serde_json::json;

use crate::support::{Actor, Stage};

/// One stage for all cases of a property: each case has workspaces of its own. `ada` and `olga` are of different
/// organizations.
struct Theatre {
    stage: Stage,
    runtime: tokio::runtime::Runtime,
    cases: AtomicUsize,
    scripts: [String; 2],
}

impl Theatre {
    fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let (stage, scripts) = runtime.block_on(async {
            let stage = Stage::new().await;
            stage.found_org("other", "olga").await;
            for login in ["ada", "olga"] {
                let somebody = json!({ "id": acts::SOMEBODY, "name": "Somebody" });
                stage.sign_in(login).await.post("/api/people", somebody).await.created();
            }
            let ada = stage.script_of("ada").await.credential().to_owned();
            let olga = stage.script_of("olga").await.credential().to_owned();
            (stage, [ada, olga])
        });
        Self { stage, runtime, cases: AtomicUsize::new(0), scripts }
    }

    /// Tries `property` on some values of `strategy`. It gets an id that no other case has.
    fn try_on<S: Strategy>(&self, cases: u32, strategy: S, property: impl AsyncFn(String, S::Value)) {
        proptest!(ProptestConfig::with_cases(cases), |(value in strategy)| {
            let case = self.cases.fetch_add(1, Ordering::Relaxed);
            self.runtime.block_on(property(format!("case-{case}"), value));
        });
    }

    fn actor(&self, index: usize) -> Actor<'_> {
        self.stage.with(&self.scripts[index])
    }
}
