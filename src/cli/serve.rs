//! `planroom serve`.

use std::{
    io::IsTerminal,
    net::{SocketAddr, TcpListener},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use clap::Args;
use tokio::signal::unix::{SignalKind, signal};
use tracing::level_filters::LevelFilter;
use tracing_subscriber::{filter::Targets, fmt, layer::SubscriberExt, util::SubscriberInitExt};

use super::{
    certificate,
    data_dir::{self, load},
    demo::Demo,
    first_admin, metrics, notify,
    output::{Failure, print},
    standby::{self, CurrentApp, StandbyArgs},
};
use crate::{
    app::{App, StandbyOptions},
    clock::Clock,
    config::{Config, Flags, Loaded, Log, LogFormat, LogLevel, Notice},
    jobs,
    listen::{self, ConnectionLimits, ListenOptions},
    log::LogWriter,
    machine,
    operator::socket,
    tls::Certificates,
    web,
};

/// How long shutdown waits for requests in progress.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(10);
/// How long shutdown waits for the last log lines to be written.
const LOG_FLUSH_TIMEOUT: Duration = Duration::from_millis(500);

#[derive(Debug, Args)]
pub(super) struct Serve {
    /// Configuration file [default: /etc/planroom/config.toml, if it exists]
    #[arg(long, value_name = "FILE", env = "PLANROOM_CONFIG")]
    config: Option<PathBuf>,
    /// Directory of the database and keys, created if missing [env: PLANROOM_DATA_DIR] [default: data]
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// IP address and port to listen on; port 0 selects a free one [env: PLANROOM_LISTEN] [default: 127.0.0.1:8420]
    #[arg(long, value_name = "ADDR")]
    listen: Option<String>,
    /// URL under which users reach this server [env: PLANROOM_PUBLIC_URL] [default: http://ADDR]
    #[arg(long, value_name = "URL")]
    public_url: Option<String>,
    /// Start a temporary instance with sample data on localhost; its data is deleted when it stops
    #[arg(long, conflicts_with = "data_dir")]
    demo: bool,
    #[command(flatten)]
    standby: StandbyArgs,
}

impl Serve {
    pub(super) fn run(self) -> Result<(), Failure> {
        let Self { config, mut data_dir, listen, public_url, demo, standby } = self;
        let standby = standby.options();
        let demo = demo.then(Demo::prepare).transpose()?;
        if let Some(demo) = &demo {
            data_dir = Some(demo.data_dir());
        }
        let Loaded { config, notices, .. } = load(&Flags { config, data_dir, listen, public_url })?;
        let log = start_log(&config.log)?;
        // Before the threads start and memory is used.
        machine::use_small_pages();
        log_notices(&notices);
        if demo.is_some() && !config.listen.ip().is_loopback() {
            return Err(format!(
                "a demo must listen on localhost, not on {}; use --listen 127.0.0.1:8420",
                config.listen
            )
            .into());
        }
        let clock = Clock::default();
        let certificates = certificate::load(&config.tls, clock.now())?;
        let listener = bind(config.listen, "choose another --listen")?;
        let metrics_listener = config.metrics.address().map(|address| bind(address, "choose another metrics.listen"));
        let metrics_listener = metrics_listener.transpose()?;
        let address = listener.local_addr()?;
        let public_url = data_dir::public_url(&config, address);
        let app = match &standby {
            Some(options) => App::open_standby(&config, &public_url, clock, options)?,
            None => App::open_for_serving(&config, &public_url, clock)?,
        };
        let current = CurrentApp::new(app);
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let listeners = Listeners { main: listener, address, certificates, metrics: metrics_listener };
        let served = runtime.block_on(serve(&current, listeners, &log, &public_url, &config, demo.as_ref(), standby));
        // Requests that outlive the grace period hold clones of the gate; they end with the runtime.
        runtime.shutdown_timeout(Duration::from_secs(1));
        if let Some(app) = current.into_app() {
            app.close()?;
        } else {
            tracing::warn!("stopped while requests were in progress; all completed writes are on disk");
        }
        // A blocked standard error must not prevent the process from exiting.
        log.finish(LOG_FLUSH_TIMEOUT);
        served
    }
}

/// The sockets that the server listens on.
struct Listeners {
    main: TcpListener,
    address: SocketAddr,
    /// If the main listener uses TLS.
    certificates: Option<Arc<Certificates>>,
    /// For metrics only.
    metrics: Option<TcpListener>,
}

/// Binds a socket.
fn bind(address: SocketAddr, remedy: &str) -> Result<TcpListener, Failure> {
    let listener =
        TcpListener::bind(address).map_err(|error| format!("cannot listen on {address}: {error}; {remedy}"))?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

async fn serve(
    current: &CurrentApp,
    listeners: Listeners,
    log: &LogWriter,
    public_url: &str,
    config: &Config,
    demo: Option<&Demo>,
    standby: Option<StandbyOptions>,
) -> Result<(), Failure> {
    let app = current.get();
    let is_standby = standby.is_some();
    match demo {
        Some(demo) => demo.populate(&app).await?,
        None if is_standby => {}
        None => first_admin::create(&app).await?,
    }
    let Listeners { main: listener, address, certificates, metrics: metrics_listener } = listeners;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    app.set_address(address);
    if let Some(certificates) = &certificates {
        app.set_certificates(Arc::clone(certificates));
    }
    // Without TLS, closing the terminal ends the server.
    let hangup = certificates.as_ref().map(|_| signal(SignalKind::hangup())).transpose()?;
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let (stop, mut stopping) = tokio::sync::watch::channel(false);
    let limits = ConnectionLimits {
        connections: config.limits.connections,
        per_address: config.limits.connections_per_address,
        trusted: config.proxies.networks(),
    };
    warn_about_file_limit(config);
    let idle_timeout = Duration::from_secs(config.limits.idle_seconds);
    let tls = certificates.as_ref().map(Certificates::acceptor).transpose()?;
    let options = ListenOptions { limits, counts: Arc::clone(app.connections()), idle_timeout, tls };
    let token = &config.metrics.token;
    let metrics_router = {
        let (log, token) = (log.clone(), token.clone());
        move |app: &App| web::metrics::router(app.metrics(Some(log.clone())), &token)
    };
    let serve_metrics = |listener| metrics::serve(current.router(metrics_router), listener, token);
    let metrics_http = metrics_listener.map(serve_metrics).transpose()?;
    let router = match &metrics_http {
        None if !token.reveal().is_empty() => {
            let (log, token) = (log.clone(), token.clone());
            current.router(move |app| app.router_with_metrics(app.metrics(Some(log.clone())), &token))
        }
        _ => current.router(App::router),
    };
    let http = listen::serve(listener, router, options, async move {
        drop(stopping.wait_for(|stop| *stop).await);
    });
    // Commands may run as soon as "listening" is printed, so the socket must exist by then.
    let socket = socket::bind(&config.data_dir)?;
    let scheme = if certificates.is_some() { "https" } else { "http" };
    print(&format!("listening on {scheme}://{address}\n"))?;
    warn_about_links(config, public_url);
    if is_standby {
        tracing::info!("this server is a standby: it answers only reads and changes nothing");
    } else if let Some(demo) = demo {
        print(&demo.welcome_message(public_url))?;
    } else if let Some(token) = app.offer_setup().await? {
        print(&format!("No accounts yet. Create the first one at {public_url}/setup#{token}\n"))?;
    }
    tracing::info!(%address, public_url, data_dir = %config.data_dir.display(), version = env!("CARGO_PKG_VERSION"), "serving");
    notify::ready();
    // A standby replaces the app.
    drop(app);
    let mut http = std::pin::pin!(http);
    tokio::select! {
        () = &mut http => return Ok(()),
        () = metrics::run(metrics_http) => {}
        () = notify::watchdog(current) => {}
        () = standby::watch(current, config, public_url, standby) => {}
        () = certificate::watch(current, certificates, hangup) => {}
        () = socket::serve(|| current.get(), socket) => {}
        () = run_jobs(current, demo.is_none()), if !is_standby => {}
        _ = terminate.recv() => tracing::info!("received SIGTERM, stopping"),
        _ = interrupt.recv() => tracing::info!("received SIGINT, stopping"),
    }
    notify::stopping();
    stop.send_replace(true);
    current.get().live().close();
    if tokio::time::timeout(SHUTDOWN_TIMEOUT, http).await.is_err() {
        tracing::warn!("canceling requests that are still in progress after {} s", SHUTDOWN_TIMEOUT.as_secs());
    }
    let app = current.get();
    if let Err(error) = jobs::save_uses(&app.gate, app.shares()).await {
        tracing::warn!(%error, "cannot write how often share links were opened");
    }
    Ok(())
}

/// Runs the background jobs.
async fn run_jobs(current: &CurrentApp, has_backups: bool) {
    let app = current.get();
    let (links, mail) = ((app.wiki().clone(), app.images().clone()), (app.mail().clone(), app.sign_in().clone()));
    let shares = (app.shares().clone(), app.sources().clone());
    let (live, webhooks) = (Arc::clone(app.live()), app.webhooks().clone());
    tokio::select! {
        () = jobs::run(app.gate.clone(), live, links, mail, shares, webhooks) => {}
        () = app.backups().run(), if has_backups => {}
    }
}

/// Logs ignored environment variables.
fn log_notices(notices: &[Notice]) {
    for notice in notices {
        match notice {
            Notice::ServiceLink(name) => tracing::debug!(name, "ignored a service link environment variable"),
            Notice::UnknownVariable(name) => {
                tracing::warn!(name, "ignored an unknown environment variable; config.example.toml lists all keys");
            }
        }
    }
}

/// Logs a warning if the file limit is too low for the maximum number of connections.
fn warn_about_file_limit(config: &Config) {
    /// Files other than connections: the database, the log, requests to other services.
    const OTHER_FILES: u64 = 64;
    let needed = config.limits.connections as u64 + OTHER_FILES;
    if let Some(limit) = machine::open_file_limit().filter(|limit| *limit < needed) {
        tracing::warn!(
            limit,
            needed,
            "the open file limit is too low for limits.connections; raise it (ulimit -n, LimitNOFILE=) or lower \
             limits.connections"
        );
    }
}

/// Logs a warning if other machines can reach this server but links lead to their own address.
fn warn_about_links(config: &Config, public_url: &str) {
    if config.public_url.is_empty() && config.listen.ip().is_unspecified() {
        tracing::warn!(
            public_url,
            "links and invitations contain this address, which works on this machine only; set public_url to the URL \
             under which users reach the server"
        );
    }
}

/// Starts logging to standard error, including panics.
fn start_log(log: &Log) -> std::io::Result<LogWriter> {
    let writer = LogWriter::start(std::io::stderr())?;
    let lines = {
        let writer = writer.clone();
        move || writer.clone()
    };
    let level = match log.level {
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
        LogLevel::Trace => LevelFilter::TRACE,
    };
    // The MCP library logs a warning for each invalid client message. The client receives the error, and our request
    // log has the status, so these warnings are suppressed.
    let filter = Targets::new()
        .with_default(LevelFilter::WARN)
        .with_target("rmcp", LevelFilter::ERROR)
        // They log a warning for each text that needs another font, and readers of share links decide how often.
        .with_target("usvg", LevelFilter::ERROR)
        .with_target("resvg", LevelFilter::ERROR)
        .with_target("fontdb", LevelFilter::ERROR)
        .with_target("krilla", LevelFilter::ERROR)
        .with_target("planroom", level);
    let registry = tracing_subscriber::registry().with(filter);
    let started = match log.format {
        LogFormat::Text => {
            let colors = std::io::stderr().is_terminal();
            registry.with(fmt::layer().with_ansi(colors).with_target(false).with_writer(lines)).try_init()
        }
        LogFormat::Json => registry.with(fmt::layer().json().flatten_event(true).with_writer(lines)).try_init(),
    };
    // This fails only if the process already has a logger, as in tests.
    if started.is_ok() {
        std::panic::set_hook(Box::new(|panic| {
            let backtrace = std::backtrace::Backtrace::capture();
            tracing::error!(%panic, %backtrace, "panic");
        }));
    }
    Ok(writer)
}
