//! Connections to the wiki, and the state of link refreshes.

use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};

use crate::{
    describe::ToSchema,
    domain::values::words,
    wiki::{OauthClient, Secret},
};

words! {
    /// How an organization was connected.
    ConnectionKind {
        /// By an administrator, with OAuth.
        Oauth = "oauth",
        /// By the operator, with the token of an internal integration.
        Token = "token",
    }
}

/// A connection with decrypted tokens.
#[derive(Debug, Clone)]
pub(in crate::domain) struct Connection {
    pub(in crate::domain) organization_id: String,
    pub(in crate::domain) access: Secret,
    pub(in crate::domain) refresh: Option<Secret>,
    pub(in crate::domain) is_broken: bool,
    /// Encrypted access token as stored. Identifies this state of the connection.
    pub(super) state: Vec<u8>,
    pub(super) client: Option<OauthClient>,
}

/// A refresh of all wiki links of an organization.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WikiRefresh {
    /// Whether the refresh is running.
    pub running: bool,
    /// Number of pages and databases to look up. Several links may point to the same target.
    pub total: usize,
    /// Number of pages and databases that were looked up.
    pub done: usize,
    /// Number of links whose title, icon, or target changed.
    pub changed: usize,
    /// Number of pages and databases that could not be looked up. Their links stay unchanged.
    pub failed: usize,
    /// Time when the refresh started, in Unix milliseconds.
    pub started_at: i64,
    /// Time when the refresh ended, in Unix milliseconds; null while it is running.
    #[schema(required)]
    pub finished_at: Option<i64>,
}

impl WikiRefresh {
    /// A refresh that has just begun.
    pub(super) fn begun(started_at: i64) -> Self {
        let (total, done, changed, failed) = (0, 0, 0, 0);
        Self { running: true, total, done, changed, failed, started_at, finished_at: None }
    }
}

/// State of the refreshes. It is in memory only and is lost when the server stops.
#[derive(Debug, Default)]
pub(in crate::domain) struct RefreshRuns {
    /// Last refresh per organization.
    pub(super) last: HashMap<String, WikiRefresh>,
    /// Organizations whose refresh a user has requested, until it begins.
    pub(super) awaited: HashSet<String>,
    /// Organizations for which a refresh was requested.
    pub(super) requested: Vec<String>,
}
