//! The configuration of a command: which file and data directory it uses, and the public URL that follows from them.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    path::{Path, PathBuf},
};

use clap::Args;

use super::output::{Failure, warn};
use crate::{
    config::{Config, ConfigError, Flags, Loaded, Notice},
    db::{
        FILE_NAME,
        lock::{self, DataDirLock},
    },
};

/// Flags of every command that uses the configuration or the data.
#[derive(Debug, Args)]
pub(super) struct DataDir {
    /// Configuration file [default: /etc/planroom/config.toml, if it exists]
    #[arg(long, value_name = "FILE", env = "PLANROOM_CONFIG")]
    pub(super) config: Option<PathBuf>,
    /// Directory of the database and keys [env: PLANROOM_DATA_DIR] [default: data]
    #[arg(long, value_name = "DIR")]
    pub(super) data_dir: Option<PathBuf>,
}

impl DataDir {
    pub(super) fn load(&self) -> Result<Loaded, ConfigError> {
        let loaded = load(&Flags { config: self.config.clone(), data_dir: self.data_dir.clone(), ..Flags::default() })?;
        for notice in &loaded.notices {
            if let Notice::UnknownVariable(name) = notice {
                // A closed standard error must not fail the command.
                drop(warn(&format!("warning: ignored unknown environment variable {name}")));
            }
        }
        Ok(loaded)
    }
}

/// Fails if there is no database in `data_dir`, or if this user cannot see it.
pub(super) fn expect_database(data_dir: &Path) -> Result<(), Failure> {
    if data_dir.join(FILE_NAME).try_exists().map_err(|cause| lock::denied(data_dir, cause))? {
        return Ok(());
    }
    Err(format!("there is no database in {}; check --data-dir", data_dir.display()).into())
}

/// Takes the lock of a database, which must exist. Fails while another process uses it.
pub(super) fn lock_database(data_dir: &Path) -> Result<DataDirLock, Failure> {
    expect_database(data_dir)?;
    Ok(DataDirLock::take(data_dir)?)
}

/// The configuration of installed packages, which commands use too, unless another file is selected.
const SYSTEM_CONFIGURATION: &str = "/etc/planroom/config.toml";

/// Loads the configuration with the environment of this process.
pub(super) fn load(flags: &Flags) -> Result<Loaded, ConfigError> {
    let is_selected = flags.config.is_some() || std::env::var_os("PLANROOM_CONFIG").is_some();
    let system = Some(PathBuf::from(SYSTEM_CONFIGURATION)).filter(|path| !is_selected && path.exists());
    let flags = &Flags { config: system.or_else(|| flags.config.clone()), ..flags.clone() };
    // No variable of Planroom is valid without being UTF-8.
    let variables =
        std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    crate::config::load(flags, &variables.collect::<BTreeMap<_, _>>())
}

/// The public URL of a server with this configuration. Browsers cannot open an address that stands for all interfaces,
/// so that becomes `localhost`.
pub(super) fn public_url(config: &Config, address: SocketAddr) -> String {
    let scheme = if config.tls.is_on() { "https" } else { "http" };
    match config.public_url.as_str() {
        "" if address.ip().is_unspecified() => format!("{scheme}://localhost:{}", address.port()),
        "" => format!("{scheme}://{address}"),
        configured => configured.to_owned(),
    }
}
