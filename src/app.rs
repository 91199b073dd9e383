//! The parts, wired once: `serve`, the commands and the tests use the same builder.

mod identity;
mod keys;

use std::{
    net::SocketAddr,
    path::Path,
    sync::{Arc, OnceLock},
    thread::JoinHandle,
    time::Duration,
};

use axum::Router;
use url::Url;

use crate::{
    auth::{keys::Keys, throttle::Throttle},
    bodies::Bodies,
    budget::Budget,
    clock::{Clock, MINUTE},
    config::Config,
    db::{self, Db, OpenError, lock::DataDirLock},
    domain::{
        access::{Gate, SessionSettings, Via},
        bundle::Bundles,
        directory,
        identity::Identity,
        images::Images,
        live::Live,
        sessions,
        sign_in::SignIn,
        users,
        wiki::Wiki,
    },
    error::Result,
    images::Source,
    lane::Lane,
    machine,
    mcp::{self, Mcp, oauth::OAuth},
    outbound::{Outbound, Rules},
    rest::{self, Api, CookieRules},
    web, wiki,
};

/// Threads that hash passwords: each takes some 19 MiB while it does.
const PASSWORD_THREADS: usize = 2;
/// Threads that wait for others' servers.
const OUTBOUND_THREADS: usize = 8;
/// Threads that wait for the identity provider: signing in does not wait behind the wiki.
const SIGN_IN_THREADS: usize = 4;
/// Threads that wait for pictures: others than those for what people ask, for nobody knows how slow a host is.
const PICTURE_THREADS: usize = 4;

/// The running parts of one instance. The data directory stays locked as long as this lives.
#[derive(Debug)]
pub struct App {
    /// The way to data.
    pub gate: Gate,
    /// The time.
    pub clock: Clock,
    /// Threads for password hashes.
    pub passwords: Lane,
    api: Api,
    threads: Vec<JoinHandle<()>>,
    address: OnceLock<SocketAddr>,
    _lock: DataDirLock,
}

impl App {
    /// Opens the data directory and starts the threads. `public_url` is where browsers reach this instance, without a
    /// slash at its end.
    pub fn open(config: &Config, public_url: &str, clock: Clock) -> std::result::Result<Self, OpenError> {
        let data_dir: &Path = &config.data_dir;
        let lock = DataDirLock::take(data_dir)?;
        keys::expect_database(data_dir)?;
        let live = Arc::new(Live::default());
        let options = db::Options {
            readers: config.database.readers,
            heavy_readers: config.database.heavy_readers,
            request_time: Duration::from_secs(config.limits.request_seconds),
            max_size_mib: config.database.max_size_mib,
            watch: Some(live.watch()),
        };
        let db = Db::open(data_dir, &options, clock.now())?;
        let keys = Arc::new(keys::load(&db, data_dir)?);
        let sessions = SessionSettings {
            issuer: public_url.to_owned(),
            token_lifetime: config.session.token_minutes * MINUTE,
            external: identity::external(&config.identity.oidc),
            native_redirects: config.oauth.native_redirects.clone(),
        };
        let bundles = Bundles::new(config.database.cache_mib << 20);
        live.begin(db.incarnation().clone());
        let gate = Gate::new(
            db,
            vec![Arc::new(bundles.clone()), Arc::clone(&live) as _],
            Arc::clone(&keys),
            clock.clone(),
            sessions,
            config.settings.clone(),
            config.quotas.clone(),
        );
        prepare(&gate, data_dir)?;
        let (passwords, mut threads) = Lane::start("password", PASSWORD_THREADS)?;
        // Calls of one wiki connection wait for its pace between them: others must not wait behind them.
        let (outbound, waiting) = Lane::start_shared("outbound", OUTBOUND_THREADS, OUTBOUND_THREADS / 4)?;
        threads.extend(waiting);
        let (sign_in, waiting) = Lane::start("oidc", SIGN_IN_THREADS)?;
        threads.extend(waiting);
        let (pictures, waiting) = Lane::start("pictures", PICTURE_THREADS)?;
        threads.extend(waiting);
        let own = config.outbound.picture_urls.iter().filter_map(|url| Url::parse(url).ok()).collect();
        let provider = identity::provider(&config.identity.oidc, public_url, sign_in, clock.clone())?;
        let identity = Identity::new(gate.clone(), provider);
        let wiki = Wiki::new(gate.clone(), outbound, wiki_client(config), public_url);
        let images = Images::new(gate.clone(), pictures, Source::new(own), wiki.clone());
        let throttle = Arc::new(Throttle::new(clock.clone()));
        let in_flight = in_flight(config.limits.in_flight_mib);
        let api = Api {
            gate: gate.clone(),
            bundles,
            live,
            keys,
            clock: clock.clone(),
            passwords: passwords.clone(),
            sign_in: SignIn::new(gate.clone(), passwords.clone(), Arc::clone(&throttle)),
            throttle,
            identity,
            wiki,
            images,
            bodies: Bodies::new(in_flight, Duration::from_secs(config.limits.idle_seconds)),
            answers: Budget::new(in_flight / 4, in_flight / 16),
            settings: Arc::new(rest::Settings {
                body_bytes: config.limits.body_bytes,
                bulk_body_bytes: config.limits.bulk_body_bytes,
                request_seconds: config.limits.request_seconds,
                cors_origins: config.cors.origins.clone(),
                issuer: public_url.to_owned(),
                cookies: CookieRules::new(public_url),
                trusted_proxies: config.proxies.networks(),
            }),
        };
        Ok(Self { gate, clock, passwords, api, threads, address: OnceLock::new(), _lock: lock })
    }

    /// Everything that is served over HTTP.
    pub fn router(&self) -> Router {
        let Api { gate, throttle, bodies, settings, .. } = &self.api;
        let public_url: Arc<str> = settings.issuer.as_str().into();
        let oauth = OAuth {
            gate: gate.clone(),
            throttle: Arc::clone(throttle),
            bodies: bodies.clone(),
            issuer: Arc::clone(&public_url),
        };
        let mcp = Mcp {
            gate: gate.clone(),
            wiki: self.api.wiki.clone(),
            bodies: bodies.clone(),
            public_url,
            origins: settings.cors_origins.clone(),
        };
        let assistants = mcp::oauth::router(oauth).merge(mcp::router(mcp));
        rest::router(self.api.clone(), web::router().merge(assistants))
    }

    /// Notes where this instance is served, for [`App::address`].
    pub fn note_address(&self, address: SocketAddr) {
        // A server listens once.
        let _ = self.address.set(address);
    }

    /// Where this instance is served over HTTP; none when it is not.
    pub fn address(&self) -> Option<SocketAddr> {
        self.address.get().copied()
    }

    /// Event streams.
    pub fn live(&self) -> &Arc<Live> {
        &self.api.live
    }

    /// What asks the wiki.
    pub fn wiki(&self) -> &Wiki {
        &self.api.wiki
    }

    /// What fetches pictures.
    pub fn images(&self) -> &Images {
        &self.api.images
    }

    /// Bytes of request bodies that are in memory now.
    pub fn bodies_in_flight(&self) -> usize {
        self.api.bodies.in_use()
    }

    /// The instance's keys.
    pub fn keys(&self) -> &Arc<Keys> {
        &self.api.keys
    }

    /// What counts attempts.
    pub fn throttle(&self) -> &Throttle {
        &self.api.throttle
    }

    /// Whether anybody has an account.
    pub async fn has_users(&self) -> Result<bool> {
        self.gate.system(Via::Job, |tx| users::any(tx)).await
    }

    /// A new one-time token for the first set-up, when there is no user yet. Any earlier one is void.
    pub async fn offer_setup(&self) -> Result<Option<String>> {
        Ok(if self.has_users().await? { None } else { Some(self.api.sign_in.offer_set_up()) })
    }

    /// Stops the threads after what they have begun, and leaves one database file behind. Routers made by
    /// [`App::router`] must be gone; otherwise the write-ahead log stays, to be read at the next start.
    pub fn close(self) -> Result<()> {
        let Self { gate, passwords, api, threads, .. } = self;
        drop((api, passwords));
        for thread in threads {
            drop(thread.join());
        }
        gate.close().map(drop)
    }
}

/// The memory for request bodies, in bytes.
fn in_flight(configured_mib: usize) -> usize {
    const MOST: u64 = 256 << 20;
    match configured_mib {
        0 => usize::try_from(machine::memory_limit().map_or(MOST, |all| (all / 4).min(MOST))).unwrap_or(usize::MAX),
        mib => mib << 20,
    }
}

/// A client of the wiki's provider, as the configuration says.
fn wiki_client(config: &Config) -> wiki::Client {
    // The configuration has looked at what is in it.
    let configured = Url::parse(&config.outbound.wiki_url).ok();
    let rules =
        Rules { allow_private: config.outbound.allow_private, trusted: configured.clone().into_iter().collect() };
    let version = if config.outbound.wiki_version.is_empty() { wiki::VERSION } else { &config.outbound.wiki_version };
    let options = wiki::Options {
        api: configured.unwrap_or_else(wiki::provider),
        version: version.to_owned(),
        per_second: config.outbound.wiki_requests_per_second,
    };
    wiki::Client::new(Outbound::new(rules), options)
}

/// Brings the data in line with this version and this configuration: creates what organizations from before there were
/// directories lack, and ends sessions that the configuration no longer accepts. It runs on a thread of its own, for whoever
/// opens an instance may be on one that must not wait for a future.
fn prepare(gate: &Gate, data_dir: &Path) -> std::result::Result<(), OpenError> {
    let failed = |reason: String| OpenError::Other { path: data_dir.join(db::FILE_NAME).display().to_string(), reason };
    let work = || -> Result<(usize, usize)> {
        let runtime = tokio::runtime::Builder::new_current_thread().build()?;
        let prepared =
            gate.system(Via::Job, |tx| Ok((directory::begin_all(tx)?, sessions::end_password_sessions(tx)?)));
        runtime.block_on(prepared)
    };
    let prepared = std::thread::scope(|scope| scope.spawn(work).join());
    let prepared = prepared.map_err(|panic| failed(crate::lane::panicked(&*panic).to_string()))?;
    let (organizations, sessions) = prepared.map_err(|error| failed(error.to_string()))?;
    if organizations > 0 {
        tracing::info!(organizations, "gave their members a person each, and the roles to start with");
    }
    if sessions > 0 {
        tracing::info!(sessions, "ended sessions that began with a password (sso_only)");
    }
    Ok(())
}
