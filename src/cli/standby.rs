//! `planroom serve --standby`: replaces the app when the database file was replaced.

use std::{
    sync::{Arc, Mutex, PoisonError, RwLock},
    time::Duration,
};

use axum::{Router, extract::Request};
use clap::Args;
use tokio::time::{Instant, MissedTickBehavior};
use tower::ServiceExt;
use url::Url;

use crate::{
    app::{App, StandbyOptions},
    config::Config,
    db::standby::FileState,
};

/// Interval between two checks of the database file.
const CHECK_INTERVAL: Duration = Duration::from_millis(500);
/// The first and the maximum delay before a file that could not be opened is tried again.
const MIN_RETRY_DELAY: Duration = Duration::from_secs(1);
const MAX_RETRY_DELAY: Duration = Duration::from_mins(1);

/// Flags of a standby.
#[derive(Debug, Args)]
pub(super) struct StandbyArgs {
    /// Answer only reads, from a copy of the database that another program replaces with newer ones; change nothing
    #[arg(long, conflicts_with = "demo")]
    standby: bool,
    /// URL of the server that accepts changes, for the error messages of a standby
    #[arg(long, value_name = "URL", requires = "standby", value_parser = http_url)]
    primary_url: Option<String>,
}

impl StandbyArgs {
    /// The options, if the server is a standby.
    pub(super) fn options(self) -> Option<StandbyOptions> {
        let Self { standby, primary_url } = self;
        standby.then_some(StandbyOptions { primary_url })
    }
}

fn http_url(text: &str) -> Result<String, &'static str> {
    let is_http = Url::parse(text).is_ok_and(|url| ["http", "https"].contains(&url.scheme()));
    if is_http { Ok(text.to_owned()) } else { Err("it is not a URL that begins with https:// or http://") }
}

/// The app that handles requests. Only a standby replaces it.
#[derive(Debug, Clone)]
pub(super) struct CurrentApp(Arc<RwLock<Arc<App>>>);

impl CurrentApp {
    pub(super) fn new(app: App) -> Self {
        Self(Arc::new(RwLock::new(Arc::new(app))))
    }

    pub(super) fn get(&self) -> Arc<App> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The app, if nothing else uses it.
    pub(super) fn into_app(self) -> Option<App> {
        let app = Arc::into_inner(self.0)?.into_inner().unwrap_or_else(PoisonError::into_inner);
        Arc::into_inner(app)
    }

    fn replace(&self, app: App) {
        let app = Arc::new(app);
        let previous = std::mem::replace(&mut *self.0.write().unwrap_or_else(PoisonError::into_inner), app);
        // The clients connect again, to the new app. Requests in progress end with the previous one.
        previous.live().close();
    }

    /// A router that passes each request to the router of the app that is current at that time.
    pub(super) fn router(&self, router_of: impl Fn(&App) -> Router + Clone + Send + Sync + 'static) -> Router {
        let app = self.get();
        if !app.gate.is_standby() {
            return router_of(&app);
        }
        let current = self.clone();
        let last = Arc::new(Mutex::new((router_of(&app), app)));
        Router::new().fallback(move |request: Request| {
            let app = current.get();
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            if !Arc::ptr_eq(&last.1, &app) {
                *last = (router_of(&app), app);
            }
            last.0.clone().oneshot(request)
        })
    }
}

/// A file that could not be opened. The reason may pass, such as missing memory, file descriptors or keys.
struct Rejected {
    file: Option<FileState>,
    reason: String,
    delay: Duration,
    retry_at: Instant,
}

impl Rejected {
    /// Records a failure. Repeated failures of one file are tried less and less often, and logged only if the reason is new.
    fn after(previous: Option<Self>, file: Option<FileState>, reason: String) -> Self {
        let previous = previous.filter(|previous| previous.file == file);
        if previous.as_ref().is_none_or(|previous| previous.reason != reason) {
            tracing::error!(error = reason, "cannot use the new database file; still serving the previous one");
        }
        let delay = previous.map_or(MIN_RETRY_DELAY, |previous| (previous.delay * 2).min(MAX_RETRY_DELAY));
        Self { file, reason, delay, retry_at: Instant::now() + delay }
    }
}

/// Opens the database file again whenever it was replaced. Never ends.
pub(super) async fn watch(current: &CurrentApp, config: &Config, public_url: &str, options: Option<StandbyOptions>) {
    let Some(options) = options else { return std::future::pending().await };
    let mut checks = tokio::time::interval(CHECK_INTERVAL);
    checks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // The last state that was seen, and the last one that could not be opened.
    let (mut seen, mut rejected) = (current.get().standby_file(), None::<Rejected>);
    loop {
        checks.tick().await;
        let app = current.get();
        let found = FileState::of(&config.data_dir);
        let is_stable = std::mem::replace(&mut seen, found) == found;
        if found.is_none() || found == app.standby_file() || !is_stable {
            continue;
        }
        let known = rejected.as_ref().filter(|rejected| rejected.file == found);
        if known.is_some_and(|rejected| Instant::now() < rejected.retry_at) {
            continue;
        }
        let is_same_file = found.zip(app.standby_file()).is_some_and(|(new, old)| new.is_same_file(&old));
        if is_same_file && known.is_none() {
            tracing::warn!(
                "the database file was changed in place, so reads may have failed; replace it by renaming a new file"
            );
        }
        let reopen = {
            let (app, config, public_url, options) =
                (app.clone(), config.clone(), public_url.to_owned(), options.clone());
            move || Ok(app.reopen(&config, &public_url, &options))
        };
        // The pool for passwords, which a standby does not use.
        let Ok(opened) = app.passwords.run(reopen).await else { continue };
        match opened {
            Ok(app) => {
                current.replace(app);
                rejected = None;
                tracing::info!("the database file was replaced; serving the new one");
            }
            Err(error) => {
                app.gate.set_outdated();
                rejected = Some(Rejected::after(rejected.take(), found, error.to_string()));
            }
        }
    }
}
