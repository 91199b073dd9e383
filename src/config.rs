//! Configuration, read once at startup.
//!
//! There are four layers in increasing precedence: the defaults (`config.example.toml`, built in), a TOML file,
//! environment variables, flags. They are merged key by key, and each key records the source of its value, for error
//! messages and `entries`.

use std::{fmt, net::SocketAddr, path::PathBuf};

use ipnet::IpNet;
use serde::Deserialize;

use crate::{
    secret::Secret,
    settings::{Fixed, Quotas},
};
pub use load::{check_file, load};
pub use mail::{Mail, MailTls};
pub use oidc::{IdentityConfig, Oidc};
pub use tls::Tls;

mod layers;
mod load;
mod mail;
mod oidc;
mod rules;
#[cfg(test)]
mod tests;
mod tls;

/// The defaults, with a description of every key: the text of `config.example.toml`.
pub const EXAMPLE: &str = include_str!("../config.example.toml");

/// The configuration. A value that was [loaded](load()) satisfies the constraints in `rules`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Data directory. A relative path is relative to the working directory.
    pub data_dir: PathBuf,
    /// Address and port to listen on.
    pub listen: SocketAddr,
    /// URL under which users reach the server, without a trailing slash; empty: derived from `listen`.
    pub public_url: String,
    /// TLS without a reverse proxy.
    pub tls: Tls,
    /// Log format and level.
    pub log: Log,
    /// Metrics for monitoring systems.
    pub metrics: Metrics,
    /// Limits of requests and connections.
    pub limits: Limits,
    /// Quotas of workspaces, organizations and users.
    pub quotas: Quotas,
    /// Sessions of users.
    pub session: Session,
    /// Threads and memory of the database.
    pub database: Database,
    /// Scheduled backups.
    pub backup: Backup,
    /// Cross-origin requests.
    pub cors: Cors,
    /// Reverse proxies.
    pub proxies: Proxies,
    /// Outgoing requests.
    pub outbound: Outbound,
    /// Identity providers.
    pub identity: IdentityConfig,
    /// The mail server.
    pub mail: Mail,
    /// Images of maps.
    pub pictures: Pictures,
    /// Authorization of connected apps.
    pub oauth: OAuth,
    /// Administrator settings that the configuration fixes, and therefore locks.
    #[serde(skip)]
    pub settings: Vec<Fixed>,
}

/// Log format and level.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Log {
    /// Format of a line.
    pub format: LogFormat,
    /// Minimum level.
    pub level: LogLevel,
}

/// Format of a log line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// Plain text.
    Text,
    /// One JSON object per line.
    Json,
}

/// Log level; each level includes the previous ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    /// Unexpected failures.
    Error,
    /// Possible problems.
    Warn,
    /// Events for operators.
    Info,
    /// Events for developers.
    Debug,
    /// Everything.
    Trace,
}

/// Metrics for monitoring systems.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Metrics {
    /// Address and port of the separate listener; empty: none.
    pub listen: String,
    /// Bearer token that requests need; empty: none.
    pub token: Secret,
}

impl Metrics {
    /// Address and port of the separate listener.
    pub fn address(&self) -> Option<SocketAddr> {
        self.listen.parse().ok()
    }
}

/// Images of maps.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pictures {
    /// Directories with fonts of the machine.
    pub fonts: Vec<PathBuf>,
}

/// Limits of requests and connections.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Maximum body size in bytes: 1 KiB to 1 GiB.
    pub body_bytes: usize,
    /// Maximum body size of a bulk request in bytes: 1 KiB to 1 GiB.
    pub bulk_body_bytes: usize,
    /// Request timeout in seconds: 1 to 3600.
    pub request_seconds: u64,
    /// Idle timeout of connections in seconds: 1 to 3600.
    pub idle_seconds: u64,
    /// Memory for request bodies in MiB; 0: derived from the memory limit.
    pub in_flight_mib: usize,
    /// Maximum number of connections: 1 to 100000.
    pub connections: usize,
    /// Maximum number of connections from one address: 1 to 100000.
    pub connections_per_address: usize,
}

/// Sessions of users.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Session {
    /// Lifetime of a session JWT in minutes: 1 to 60.
    pub token_minutes: i64,
}

/// Threads and memory of the database.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Database {
    /// Threads for short reads: 1 to 64.
    pub readers: usize,
    /// Threads for long reads: 1 to 64.
    pub heavy_readers: usize,
    /// Cache for serialized bundles in MiB: 0 (none) to 65536.
    pub cache_mib: u64,
    /// Maximum size of the database file in MiB; 0: limited only by the disk.
    pub max_size_mib: u32,
}

/// Scheduled backups.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Backup {
    /// Time of the day in UTC, `HH:MM`; empty: no scheduled backups.
    pub daily: String,
    /// Directory; empty: `backups` in the data directory.
    pub directory: PathBuf,
    /// Number of days of which the last backup is kept: 1 to 1000.
    pub keep_daily: usize,
    /// Number of weeks of which the last backup is kept: 0 to 1000.
    pub keep_weekly: usize,
    /// Number of months of which the last backup is kept: 0 to 1000.
    pub keep_monthly: usize,
    /// Encrypts the backups, which then contain the keys; empty: neither.
    pub passphrase: Secret,
    /// Program and arguments to start after each backup; empty: none.
    pub command: Vec<String>,
}

/// Cross-origin requests.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cors {
    /// Origins that can call the API from a browser, spelled exactly as browsers send them.
    pub origins: Vec<String>,
}

/// Reverse proxies.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proxies {
    /// Addresses and networks whose `X-Forwarded-For` is trusted.
    pub trusted: Vec<String>,
}

/// Outgoing requests.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outbound {
    /// Whether requests to loopback and private addresses are allowed.
    pub allow_private: bool,
    /// Base URL of the wiki provider's API, without a trailing slash; empty: the provider's own URL.
    pub wiki_url: String,
    /// Version of the wiki provider's API; empty: the supported version.
    pub wiki_version: String,
    /// Maximum number of requests per second to the wiki on one connection: 1 to 1000.
    pub wiki_requests_per_second: usize,
    /// Additional base URLs for images, which can be plain http and in a private network.
    pub picture_urls: Vec<String>,
    /// Additional base URLs for webhooks, which can be plain http and in a private network.
    pub webhook_urls: Vec<String>,
    /// Timeout of a try to deliver a webhook: 1 to 60.
    pub webhook_timeout_seconds: u64,
}

/// Authorization of connected apps.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OAuth {
    /// Accepted redirect URIs of native apps, compared exactly, in addition to https and loopback URIs.
    pub native_redirects: Vec<String>,
}

impl Backup {
    /// Time of the daily backup in minutes since midnight UTC. None: no scheduled backups.
    pub fn minute_of_day(&self) -> Option<u16> {
        rules::minute_of_day(&self.daily)
    }
}

impl Proxies {
    /// The trusted networks; an address is a network of one.
    pub fn networks(&self) -> Vec<IpNet> {
        self.trusted.iter().filter_map(|text| rules::network(text)).collect()
    }
}

/// Command-line flags that override keys.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Flags {
    /// `--config`: the file; overrides `PLANROOM_CONFIG`.
    pub config: Option<PathBuf>,
    /// `--data-dir`.
    pub data_dir: Option<PathBuf>,
    /// `--listen`.
    pub listen: Option<String>,
    /// `--public-url`.
    pub public_url: Option<String>,
}

/// The configuration with the source of each key.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The configuration.
    pub config: Config,
    /// Every key, in the order of the example file.
    pub entries: Vec<ConfigEntry>,
    /// Ignored environment variables.
    pub notices: Vec<Notice>,
}

/// An ignored variable that begins with `PLANROOM_`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// Set by Kubernetes or Docker for a service.
    ServiceLink(String),
    /// Any other variable whose name does not resemble a key.
    UnknownVariable(String),
}

/// One key with its value, for display.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigEntry {
    /// The key, such as `log.format`.
    pub key: String,
    /// The value as TOML, such as `"text"`; `"(hidden)"` for a secret.
    pub value: String,
    /// The source of the value.
    pub source: ValueSource,
    /// Whether the value is a secret.
    pub secret: bool,
}

/// The source of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueSource {
    /// The built-in defaults.
    Default,
    /// A file.
    File(PathBuf),
    /// An environment variable, by name.
    Environment(String),
    /// A flag, with its dashes.
    Flag(&'static str),
}

impl fmt::Display for ValueSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(path) => write!(f, "file {}", path.display()),
            Self::Environment(name) => write!(f, "environment {name}"),
            Self::Flag(name) => write!(f, "flag {name}"),
        }
    }
}

/// An invalid configuration. `place` is a file with a line (`config.toml:12`), the name of a variable, or a flag.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file is missing, not readable, or not UTF-8.
    #[error("cannot read the configuration file {}: {cause}; check its path and permissions", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system error.
        cause: std::io::Error,
    },
    /// The file is not TOML.
    #[error("{place}: invalid TOML: {message}")]
    Syntax {
        /// The place, including the column: `config.toml:12:5`.
        place: String,
        /// The message of the parser.
        message: String,
    },
    /// A key in the file is unknown.
    #[error("{place}: unknown key {key}; {hint}")]
    UnknownKey {
        /// The place.
        place: String,
        /// The unknown key, such as `limits.body_byte`.
        key: String,
        /// A suggestion.
        hint: String,
    },
    /// A variable resembles a key, but is unknown.
    #[error("unknown environment variable {name}; {hint}")]
    UnknownVariable {
        /// Name of the variable.
        name: String,
        /// A suggestion.
        hint: String,
    },
    /// The file of a secret is missing, not readable, or not UTF-8.
    #[error("{name}: cannot read the file {}: {cause}; check its path and permissions", .path.display())]
    UnreadableSecret {
        /// The variable that names the file.
        name: String,
        /// The file.
        path: PathBuf,
        /// The system error.
        cause: std::io::Error,
    },
    /// A value has the wrong type or form, or is out of range.
    #[error("{place}: {key} is {found}; it must be {allowed}")]
    Invalid {
        /// The place.
        place: String,
        /// The key.
        key: String,
        /// The value as TOML; `"(hidden)"` for a secret.
        found: String,
        /// The allowed values.
        allowed: String,
    },
    /// The built-in defaults are invalid. This is a bug; tests rule it out.
    #[error("the built-in defaults are invalid: {0}; please report this")]
    Defaults(String),
}
