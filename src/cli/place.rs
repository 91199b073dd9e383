//! The configuration of a command: which file and data directory it uses, and the public URL that follows from them.

use std::{collections::BTreeMap, net::SocketAddr, path::PathBuf};

use clap::Args;

use super::output::warn;
use crate::config::{Config, ConfigError, Flags, Loaded, Notice};

/// Where the data is, for every verb that needs to know.
#[derive(Debug, Args)]
pub(super) struct Place {
    /// Configuration file [default: built-in values, see config.example.toml]
    #[arg(long, value_name = "FILE", env = "PLANROOM_CONFIG")]
    pub(super) config: Option<PathBuf>,
    /// Directory of the database and keys [env: PLANROOM_DATA_DIR] [default: data]
    #[arg(long, value_name = "DIR")]
    pub(super) data_dir: Option<PathBuf>,
}

impl Place {
    pub(super) fn load(&self) -> Result<Loaded, ConfigError> {
        let loaded = load(&Flags { config: self.config.clone(), data_dir: self.data_dir.clone(), ..Flags::default() })?;
        for notice in &loaded.notices {
            if let Notice::UnknownVariable(name) = notice {
                // A reader of warnings that has gone away keeps nothing from being done.
                drop(warn(&format!("warning: ignored the unknown environment variable {name}")));
            }
        }
        Ok(loaded)
    }
}

/// Loads the configuration with this process's environment.
pub(super) fn load(flags: &Flags) -> Result<Loaded, ConfigError> {
    // Names and values that are not UTF-8 cannot be ours.
    let variables =
        std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    crate::config::load(flags, &variables.collect::<BTreeMap<_, _>>())
}

/// Where browsers reach a server with this configuration: an address that stands for all interfaces is none that they
/// could open.
pub(super) fn public_url(config: &Config, address: SocketAddr) -> String {
    match config.public_url.as_str() {
        "" if address.ip().is_unspecified() => format!("http://localhost:{}", address.port()),
        "" => format!("http://{address}"),
        configured => configured.to_owned(),
    }
}
