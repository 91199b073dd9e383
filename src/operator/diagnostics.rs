//! What `planroom doctor` asks a running server.

use std::net::IpAddr;

use serde::{Deserialize, Serialize};

use crate::app::App;

/// Facts that only the running server knows.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Diagnostics {
    /// When the copy of the database that a standby serves was written, in Unix milliseconds. None if the server is no
    /// standby.
    pub standby_written_at: Option<i64>,
    /// Addresses that sent `X-Forwarded-For` although they are not trusted.
    pub forwarding: Vec<IpAddr>,
}

impl Diagnostics {
    pub(super) fn of(app: &App) -> Self {
        let written_at = app.gate.db_meter().standby_written_at;
        Self {
            standby_written_at: written_at.and_then(|at| i64::try_from(at.as_millis()).ok()),
            forwarding: app.connections().forwarding(),
        }
    }
}
