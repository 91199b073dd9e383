//! Builds the components of an instance. `serve`, the commands and the tests use the same builder.

mod authorities;
pub mod backups;
mod identity;
mod keys;
mod mail;
mod metrics;
mod prepare;
mod routes;
mod standby;
mod webhooks;
mod wiki;

use std::{
    net::SocketAddr,
    path::Path,
    sync::{Arc, OnceLock},
    thread::JoinHandle,
    time::Duration,
};

use url::Url;

use crate::{
    auth::{keys::Keys, throttle::Throttle},
    blocking::{BlockingPool, PoolMeter},
    bodies::Bodies,
    budget::Budget,
    clock::{Clock, MINUTE},
    config::Config,
    db::{self, Db, OpenError, lock::DataDirLock},
    domain::{
        accounts::{administrators, identity::IdentityService, sign_in::SignIn},
        core::{Gate, SessionSettings, Via},
        images::Images,
        inbox,
        live::Live,
        mail::MailService,
        map::{bundle::Bundles, drawing::MapImages},
        sharing::Shares,
        sync::SourceWatch,
        webhooks::WebhookService,
        wiki::Wiki,
    },
    error::Result,
    images::ImageClient,
    listen::ConnectionCounts,
    log::LogWriter,
    machine,
    metrics::{HttpMetrics, Metrics},
    rest::{self, Api, CookieRules, Services},
    tls::Certificates,
};

use self::metrics::{InstanceMetrics, ProcessMetrics};
pub use self::{mail::mailer, standby::StandbyOptions};

/// Threads that hash passwords. Each uses about 19 MiB while it hashes.
const PASSWORD_THREADS: usize = 2;
/// Threads for outgoing requests.
const OUTBOUND_THREADS: usize = 8;
/// Threads for requests to the identity provider, so that signing in does not wait for the wiki.
const SIGN_IN_THREADS: usize = 4;
/// Threads for image downloads. They are separate because image hosts can be arbitrarily slow.
const IMAGE_THREADS: usize = 4;

/// The running components of an instance. The data directory is locked until this is dropped.
#[derive(Debug)]
pub struct App {
    /// The gate, through which all data is accessed.
    pub gate: Gate,
    /// The clock.
    pub clock: Clock,
    /// Threads for password hashing.
    pub passwords: BlockingPool,
    api: Api,
    mail: MailService,
    sources: SourceWatch,
    pools: Vec<PoolMeter>,
    connections: Arc<ConnectionCounts>,
    backups: backups::Backups,
    threads: Vec<JoinHandle<()>>,
    address: OnceLock<SocketAddr>,
    certificates: OnceLock<Arc<Certificates>>,
    lock: Arc<DataDirLock>,
}

impl App {
    /// Opens the data directory and starts the threads. `public_url` is the URL of this instance without a trailing
    /// slash.
    pub fn open(config: &Config, public_url: &str, clock: Clock) -> std::result::Result<Self, OpenError> {
        Self::open_with(config, public_url, clock, false)
    }

    /// Like [`App::open`], for a server. After an orderly shutdown, the check of the database file is postponed until
    /// [`Gate::finish_check`], because it takes most of the time of a start.
    pub fn open_for_serving(config: &Config, public_url: &str, clock: Clock) -> std::result::Result<Self, OpenError> {
        Self::open_with(config, public_url, clock, true)
    }

    fn open_with(
        config: &Config,
        public_url: &str,
        clock: Clock,
        finishes_check: bool,
    ) -> std::result::Result<Self, OpenError> {
        check_files(config)?;
        let data_dir: &Path = &config.data_dir;
        let lock = Arc::new(DataDirLock::take(data_dir)?);
        keys::expect_database(data_dir)?;
        keys::expect_keys(data_dir, clock.now())?;
        let live = Arc::new(Live::default());
        let postpones_check = finishes_check && db::integrity::is_as_closed(&lock);
        let options = db::DbOptions { watch: Some(live.watch()), postpones_check, ..db_options(config) };
        let db = Db::open(data_dir, &options, clock.now())?;
        let app = Self::start(config, public_url, clock, (db, live, HttpMetrics::default()), lock, |gate| gate)?;
        prepare::prepare(&app.gate, data_dir)?;
        Ok(app)
    }

    /// Starts the threads on an open database. `adapt` changes the gate before it is shared.
    fn start(
        config: &Config,
        public_url: &str,
        clock: Clock,
        (db, live, http_metrics): (Db, Arc<Live>, HttpMetrics),
        lock: Arc<DataDirLock>,
        adapt: impl FnOnce(Gate) -> Gate,
    ) -> std::result::Result<Self, OpenError> {
        let data_dir: &Path = &config.data_dir;
        let keys = Arc::new(keys::load(&db, data_dir, clock.now())?);
        let sessions = SessionSettings {
            issuer: public_url.to_owned(),
            token_lifetime: config.session.token_minutes * MINUTE,
            external: identity::external(&config.identity.oidc),
            sends_mail: config.mail.is_on(),
            native_redirects: config.oauth.native_redirects.clone(),
        };
        let bundles = Bundles::new(config.database.cache_mib << 20);
        live.set_incarnation(db.incarnation().clone());
        let in_flight = in_flight(config.limits.in_flight_mib);
        let gate = Gate::new(
            db,
            vec![Arc::new(bundles.clone()), Arc::clone(&live) as _],
            Arc::clone(&keys),
            clock.clone(),
            sessions,
            config.settings.clone(),
            config.quotas.clone(),
        );
        let gate = adapt(gate.with_map_memory(in_flight));
        let (passwords, password_thread) = BlockingPool::start("password", PASSWORD_THREADS)?;
        // Requests of one wiki connection wait for its rate limit and must not block requests of others.
        let (outbound, outbound_thread) =
            BlockingPool::start_shared("outbound", OUTBOUND_THREADS, OUTBOUND_THREADS / 4)?;
        let (sign_in, sign_in_thread) = BlockingPool::start("oidc", SIGN_IN_THREADS)?;
        let (image_pool, image_thread) = BlockingPool::start("pictures", IMAGE_THREADS)?;
        let (map_images, drawing_thread) =
            MapImages::start(config.pictures.fonts.clone(), Duration::from_secs(config.limits.request_seconds))?;
        let threads = vec![password_thread, outbound_thread, sign_in_thread, image_thread, drawing_thread];
        let mut pools: Vec<PoolMeter> = [&passwords, &outbound, &sign_in, &image_pool].map(BlockingPool::meter).into();
        pools.push(map_images.meter());
        let mail_server = mail::server(&config.mail, public_url)?;
        pools.extend(mail_server.iter().map(|(pool, _)| pool.meter()));
        let own = config.outbound.picture_urls.iter().filter_map(|url| Url::parse(url).ok()).collect();
        let provider = identity::provider(&config.identity.oidc, public_url, sign_in, clock.clone())?;
        let identity = IdentityService::new(gate.clone(), provider);
        let wiki = Wiki::new(gate.clone(), outbound, wiki::client(config), public_url);
        let images = Images::new(gate.clone(), image_pool, ImageClient::new(own), wiki.clone());
        let mail = MailService::new(gate.clone(), mail_server, inbox::write_mail);
        let (webhooks, meter) = webhooks::service(&gate, &config.outbound)?;
        pools.push(meter);
        let throttle = Arc::new(Throttle::new(clock.clone()));
        let api = Api::new(Services {
            gate: gate.clone(),
            bundles,
            live,
            keys,
            clock: clock.clone(),
            passwords: passwords.clone(),
            sign_in: SignIn::new(gate.clone(), passwords.clone(), Arc::clone(&throttle)),
            identity,
            wiki,
            images,
            webhooks,
            shares: Shares::new(gate.clone(), map_images.clone(), passwords.clone(), Arc::clone(&throttle)),
            throttle,
            map_images,
            bodies: Bodies::new(in_flight, Duration::from_secs(config.limits.idle_seconds)),
            response_budget: Budget::new(in_flight / 4, in_flight / 16),
            http_metrics,
            settings: Arc::new(rest::Settings {
                body_bytes: config.limits.body_bytes,
                bulk_body_bytes: config.limits.bulk_body_bytes,
                request_seconds: config.limits.request_seconds,
                cors_origins: config.cors.origins.clone(),
                issuer: public_url.to_owned(),
                cookies: CookieRules::new(public_url),
                trusted_proxies: config.proxies.networks(),
            }),
        });
        let backups = backups::Backups::new(gate.clone(), clock.clone(), config);
        Ok(Self {
            sources: SourceWatch::new(gate.clone()),
            gate,
            clock,
            passwords,
            api,
            mail,
            pools,
            connections: Arc::default(),
            backups,
            threads,
            address: OnceLock::new(),
            certificates: OnceLock::new(),
            lock,
        })
    }

    /// Draws images of maps.
    pub fn map_images(&self) -> &MapImages {
        &self.api.map_images
    }

    /// All metrics of this instance. `log` counts lines that could not be written.
    pub fn metrics(&self, log: Option<LogWriter>) -> Metrics {
        let Services { gate, bundles, live, bodies, response_budget, throttle, http_metrics, webhooks, .. } =
            &*self.api;
        let instance = InstanceMetrics {
            db: gate.db_meter(),
            pools: self.pools.clone(),
            bundles: bundles.clone(),
            live: Arc::clone(live),
            bodies: bodies.clone(),
            responses: response_budget.clone(),
            throttle: Arc::clone(throttle),
            mail: Arc::clone(self.mail.counts()),
            webhooks: Arc::clone(webhooks.counts()),
            stale_sources: Arc::clone(self.sources.count()),
            connections: Arc::clone(&self.connections),
            backups: self.backups.meter(),
            certificates: self.certificates.get().cloned(),
            log,
        };
        Metrics::new(http_metrics, instance, ProcessMetrics)
    }

    /// The counts of connections, for the listener.
    pub fn connections(&self) -> &Arc<ConnectionCounts> {
        &self.connections
    }

    /// Sets the listen address for [`App::address`].
    pub fn set_address(&self, address: SocketAddr) {
        // Each server sets it once.
        let _ = self.address.set(address);
    }

    /// The listen address. None if this instance does not serve HTTP.
    pub fn address(&self) -> Option<SocketAddr> {
        self.address.get().copied()
    }

    /// Sets the certificates of the listener, if it uses TLS.
    pub fn set_certificates(&self, certificates: Arc<Certificates>) {
        // Each server sets them once.
        let _ = self.certificates.set(certificates);
    }

    /// The URL of the listener. None if this instance does not serve HTTP.
    pub fn listen_url(&self) -> Option<String> {
        let scheme = if self.certificates.get().is_some() { "https" } else { "http" };
        self.address().map(|address| format!("{scheme}://{address}"))
    }

    /// Event streams.
    pub fn live(&self) -> &Arc<Live> {
        &self.api.live
    }

    /// The wiki service.
    pub fn wiki(&self) -> &Wiki {
        &self.api.wiki
    }

    /// The image service.
    pub fn images(&self) -> &Images {
        &self.api.images
    }

    /// Scheduled backups.
    pub fn backups(&self) -> &backups::Backups {
        &self.backups
    }

    /// The service that answers requests for share links.
    pub fn shares(&self) -> &Shares {
        &self.api.shares
    }

    /// The service that sends emails.
    pub fn mail(&self) -> &MailService {
        &self.mail
    }

    /// The service that watches the sources of workspaces.
    pub fn sources(&self) -> &SourceWatch {
        &self.sources
    }

    /// The service that sends webhooks.
    pub fn webhooks(&self) -> &WebhookService {
        &self.api.webhooks
    }

    /// Sign-in with passwords.
    pub fn sign_in(&self) -> &SignIn {
        &self.api.sign_in
    }

    /// Bytes of request bodies that are currently in memory.
    pub fn bodies_in_flight(&self) -> usize {
        self.api.bodies.in_use()
    }

    /// The keys of the instance.
    pub fn keys(&self) -> &Arc<Keys> {
        &self.api.keys
    }

    /// The rate limiter for attempts.
    pub fn throttle(&self) -> &Throttle {
        &self.api.throttle
    }

    /// Whether there are accounts.
    pub async fn has_users(&self) -> Result<bool> {
        self.gate.system(Via::Job, |tx| administrators::any(tx)).await
    }

    /// Creates a one-time token to create the first account, if there are no accounts. It replaces any earlier token.
    pub async fn offer_setup(&self) -> Result<Option<String>> {
        Ok(if self.has_users().await? { None } else { Some(self.api.sign_in.offer_set_up()) })
    }

    /// Finishes running jobs, stops the threads, and empties the write-ahead log. Routers from [`App::router`] must
    /// have been dropped; otherwise the write-ahead log remains and is applied at the next start.
    pub fn close(self) -> Result<()> {
        let Self { gate, passwords, api, mail, sources, backups, threads, lock, .. } = self;
        let is_sound = gate.is_database_sound();
        drop((api, mail, sources, passwords, backups));
        for thread in threads {
            drop(thread.join());
        }
        if gate.close()? && is_sound {
            db::integrity::record_closed(&lock);
        }
        Ok(())
    }
}

/// Checks the files with certificates that the configuration names. Writes nothing.
pub fn check_files(config: &Config) -> std::result::Result<(), OpenError> {
    mailer(&config.mail, "")?;
    identity::authorities(&config.identity.oidc).map(drop)
}

/// The options of the database, without the tables to watch.
fn db_options(config: &Config) -> db::DbOptions {
    db::DbOptions {
        readers: config.database.readers,
        heavy_readers: config.database.heavy_readers,
        request_time: Duration::from_secs(config.limits.request_seconds),
        max_size_mib: config.database.max_size_mib,
        watch: None,
        postpones_check: false,
    }
}

/// The memory budget for request bodies in bytes.
fn in_flight(configured_mib: usize) -> usize {
    const MAX_IN_FLIGHT: u64 = 256 << 20;
    match configured_mib {
        0 => usize::try_from(machine::memory_limit().map_or(MAX_IN_FLIGHT, |all| (all / 4).min(MAX_IN_FLIGHT)))
            .unwrap_or(usize::MAX),
        mib => mib << 20,
    }
}
