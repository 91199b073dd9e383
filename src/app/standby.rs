//! The components of a standby: an instance that answers reads from a copy of the database that another process keeps up
//! to date, and writes nothing to it.

use std::{path::Path, sync::Arc};

use super::{App, check_files, db_options};
use crate::{
    auth::keys::Keys,
    clock::Clock,
    config::Config,
    db::{
        Db, OpenError,
        lock::DataDirLock,
        standby::{FileState, forget_position},
    },
    domain::live::Live,
    metrics::HttpMetrics,
};

/// Options of a standby.
#[derive(Debug, Clone, Default)]
pub struct StandbyOptions {
    /// URL of the primary server, for the error of a write.
    pub primary_url: Option<String>,
}

impl StandbyOptions {
    /// Tells a client where to make changes.
    fn remedy(&self) -> String {
        match &self.primary_url {
            Some(url) => format!("make changes at {url}"),
            None => "make changes on the primary server".into(),
        }
    }
}

impl App {
    /// Opens the data directory of a standby, which has a copy of the database and of the keys.
    pub fn open_standby(
        config: &Config,
        public_url: &str,
        clock: Clock,
        options: &StandbyOptions,
    ) -> Result<Self, OpenError> {
        check_files(config)?;
        let data_dir: &Path = &config.data_dir;
        let lock = Arc::new(DataDirLock::take(data_dir)?);
        let keys = data_dir.join("keys");
        Keys::load_existing(data_dir).map_err(|cause| OpenError::Other {
            path: data_dir.display().to_string(),
            reason: format!("a standby needs the keys of the primary server in {}: {cause}", keys.display()),
        })?;
        forget_position(data_dir).map_err(OpenError::data_dir(&keys))?;
        Self::on_copy(config, public_url, clock, options, lock, HttpMetrics::default())
    }

    /// Opens the file that has replaced the database of this standby.
    pub fn reopen(&self, config: &Config, public_url: &str, options: &StandbyOptions) -> Result<Self, OpenError> {
        let (clock, lock, metrics) = (self.clock.clone(), Arc::clone(&self.lock), self.api.http_metrics.clone());
        let mut app = Self::on_copy(config, public_url, clock, options, lock, metrics)?;
        app.connections = Arc::clone(&self.connections);
        app.address = self.address.clone();
        app.certificates = self.certificates.clone();
        Ok(app)
    }

    fn on_copy(
        config: &Config,
        public_url: &str,
        clock: Clock,
        options: &StandbyOptions,
        lock: Arc<DataDirLock>,
        http_metrics: HttpMetrics,
    ) -> Result<Self, OpenError> {
        let db = Db::open_standby(&config.data_dir, &db_options(config))?;
        let adapt = |gate: crate::domain::core::Gate| gate.of_standby(&options.remedy());
        Self::start(config, public_url, clock, (db, Arc::new(Live::default()), http_metrics), lock, adapt)
    }

    /// The state of the database file that this standby has opened. None if it is no standby.
    pub fn standby_file(&self) -> Option<FileState> {
        self.gate.standby_file()
    }
}
