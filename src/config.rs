//! Configuration: what the operator decides, read once at the start.
//!
//! Four layers, each stronger than the one before: the defaults (`config.example.toml`, built in), a TOML file,
//! environment variables, flags. They are laid over each other key by key, and each key remembers where its value came
//! from: an error can then name the place to mend, and `entries` can show it.

use std::{fmt, net::SocketAddr, path::PathBuf};

use ipnet::IpNet;
use serde::Deserialize;

use crate::settings::{Fixed, Quotas};
pub use load::{check_file, load};
pub use oidc::{Identity, Oidc};

mod layers;
mod load;
mod oidc;
mod rules;
#[cfg(test)]
mod tests;

/// The defaults, with an explanation of every key: the text of `config.example.toml`.
pub const EXAMPLE: &str = include_str!("../config.example.toml");

/// The configuration. What each key may hold is in `rules`; a value of this type that was [`load`]ed keeps to it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Directory of the database; if relative, to the working directory.
    pub data_dir: PathBuf,
    /// Address and port to listen on.
    pub listen: SocketAddr,
    /// URL under which users reach the server, without a slash at the end; empty: to be derived from `listen`.
    pub public_url: String,
    /// How the log is written.
    pub log: Log,
    /// What a request may use up.
    pub limits: Limits,
    /// What workspaces, organizations and users may hold.
    pub quotas: Quotas,
    /// Sessions of people.
    pub session: Session,
    /// Threads and memory of the database.
    pub database: Database,
    /// Access from other sites' pages.
    pub cors: Cors,
    /// Proxies before this server.
    pub proxies: Proxies,
    /// Requests to others.
    pub outbound: Outbound,
    /// Who says who people are.
    pub identity: Identity,
    /// Authorization of connected apps.
    pub oauth: OAuth,
    /// Of the settings that administrators may change while the server runs, those that are set here, and so locked.
    #[serde(skip)]
    pub settings: Vec<Fixed>,
}

/// How the log is written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Log {
    /// Shape of a line.
    pub format: LogFormat,
    /// Least severity that is written.
    pub level: LogLevel,
}

/// Shape of a line of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Severity of an event in the log; each level includes the ones before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    /// Something failed that should not have.
    Error,
    /// Something is odd, or soon will be.
    Warn,
    /// What an operator wants to know.
    Info,
    /// What a developer wants to know.
    Debug,
    /// Everything.
    Trace,
}

/// What a request may use up.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Largest body in bytes: 1 KiB to 1 GiB.
    pub body_bytes: usize,
    /// Largest body of a bulk request in bytes: 1 KiB to 1 GiB.
    pub bulk_body_bytes: usize,
    /// Longest time in seconds, 1 to 3600, before the answer is 503.
    pub request_seconds: u64,
    /// Longest time in seconds, 1 to 3600, that a client may let us wait before it is let go.
    pub idle_seconds: u64,
    /// Memory in MiB for request bodies in flight; 0: derived from the memory limit.
    pub in_flight_mib: usize,
    /// Connections at a time: 1 to 100000.
    pub connections: usize,
    /// Connections from one address at a time: 1 to 100000.
    pub connections_per_address: usize,
}

/// Sessions of people.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Session {
    /// Life of a session JWT in minutes: 1 to 60.
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
    /// Memory for serialised bundles in MiB: 0 (none) to 65536.
    pub cache_mib: u64,
    /// Largest size of the database file in MiB; 0: no limit but the disk.
    pub max_size_mib: u32,
}

/// Access from other sites' pages.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cors {
    /// Origins that may call the API from a browser, written exactly as browsers send them.
    pub origins: Vec<String>,
}

/// Proxies before this server.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proxies {
    /// Addresses and networks whose `X-Forwarded-For` is believed.
    pub trusted: Vec<String>,
}

/// Requests to others.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outbound {
    /// Whether addresses of this machine and of private networks may be asked.
    pub allow_private: bool,
    /// Base URL of the wiki's provider, without a slash at the end; empty: its own.
    pub wiki_url: String,
    /// Version of its interface; empty: the one that is understood.
    pub wiki_version: String,
    /// Most requests to it in a second on one connection: 1 to 1000.
    pub wiki_requests_per_second: usize,
    /// Base URLs of the operator's own from which pictures may come, also over plain http and from a private network.
    pub picture_urls: Vec<String>,
}

/// Authorization of connected apps.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OAuth {
    /// Redirect addresses of native apps that are accepted, exactly as listed, besides https and loopback addresses.
    pub native_redirects: Vec<String>,
}

impl Proxies {
    /// The addresses and networks; an address is a network of one.
    pub fn networks(&self) -> Vec<IpNet> {
        self.trusted.iter().filter_map(|text| rules::network(text)).collect()
    }
}

/// What was given on the command line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Flags {
    /// `--config`: the file; stronger than `PLANROOM_CONFIG`.
    pub config: Option<PathBuf>,
    /// `--data-dir`.
    pub data_dir: Option<PathBuf>,
    /// `--listen`.
    pub listen: Option<String>,
    /// `--public-url`.
    pub public_url: Option<String>,
}

/// The configuration, and where each key of it came from.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The configuration.
    pub config: Config,
    /// Every key, in the order of the example file.
    pub entries: Vec<Entry>,
    /// What the operator may want to know about the environment.
    pub notices: Vec<Notice>,
}

/// A variable that begins with `PLANROOM_` and is no key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// Set by Kubernetes or Docker for a service of this name.
    ServiceLink(String),
    /// Anything else that is not nearly the name of a key.
    UnknownVariable(String),
}

/// One key, for showing to the operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The key, as in `log.format`.
    pub key: String,
    /// The value as TOML, as in `"text"`; `"(hidden)"` if it is secret.
    pub value: String,
    /// Where the value came from.
    pub source: Source,
    /// Whether the value is a secret.
    pub secret: bool,
}

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The built-in defaults.
    Default,
    /// A file.
    File(PathBuf),
    /// An environment variable, by name.
    Environment(String),
    /// A flag, with its dashes.
    Flag(&'static str),
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(path) => write!(f, "file {}", path.display()),
            Self::Environment(name) => write!(f, "environment {name}"),
            Self::Flag(name) => write!(f, "flag {name}"),
        }
    }
}

/// Why there is no configuration. `place` is `config.toml:12`, the name of a variable, or a flag.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file is missing, is not ours to read, or is not UTF-8.
    #[error("the configuration file {} cannot be read: {cause}; check its path and permissions", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: std::io::Error,
    },
    /// The file is not TOML.
    #[error("{place}: this is not valid TOML: {message}")]
    Syntax {
        /// Here with the column: `config.toml:12:5`.
        place: String,
        /// What the parser found.
        message: String,
    },
    /// A key of the file does not exist.
    #[error("{place}: unknown key {key}; {hint}")]
    UnknownKey {
        /// Where it is.
        place: String,
        /// The key, as in `limits.body_byte`.
        key: String,
        /// What was meant, or where to look.
        hint: String,
    },
    /// A variable looks like one of ours, but stands for no key.
    #[error("unknown environment variable {name}; {hint}")]
    UnknownVariable {
        /// Its name.
        name: String,
        /// What was meant, or where to look.
        hint: String,
    },
    /// The file of a secret is missing, is not ours to read, or is not UTF-8.
    #[error("{name}: the file {} cannot be read: {cause}; check its path and permissions", .path.display())]
    UnreadableSecret {
        /// The variable that names it.
        name: String,
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: std::io::Error,
    },
    /// A value has the wrong type or form, or is out of range.
    #[error("{place}: {key} is {found}; it must be {allowed}")]
    Invalid {
        /// Where it is.
        place: String,
        /// The key.
        key: String,
        /// The value as TOML; `"(hidden)"` if it is secret.
        found: String,
        /// What it may be.
        allowed: String,
    },
    /// The built-in defaults do not fit the code: a fault of ours, which the tests exclude.
    #[error("the built-in defaults are wrong: {0}; please report this")]
    Defaults(String),
}
