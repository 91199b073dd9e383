//! Information about a request that is collected for its log line.

use std::{
    net::IpAddr,
    sync::{Arc, OnceLock},
};

use super::Credential;

/// Information about a request, collected while it is handled. Clones share it.
#[derive(Debug, Clone)]
pub struct RequestInfo {
    /// Request id.
    pub request_id: String,
    collected: Arc<Collected>,
}

#[derive(Debug, Default)]
struct Collected {
    caller: OnceLock<&'static str>,
    user_id: OnceLock<i64>,
    client: OnceLock<IpAddr>,
}

impl RequestInfo {
    /// Starts with the request id only.
    pub fn new(request_id: String) -> Self {
        Self { request_id, collected: Arc::default() }
    }

    /// Records the kind of the caller's credential.
    pub fn caller(&self, credential: &Credential) {
        let kind = match credential {
            Credential::Session(_) | Credential::External(_) => "session",
            Credential::Pat(_) => "token",
            Credential::Mcp(_) => "mcp",
            Credential::Operator { .. } => "operator",
        };
        self.collected.caller.get_or_init(|| kind);
    }

    /// The kind of credential as it appears in the log.
    pub fn caller_kind(&self) -> &'static str {
        self.collected.caller.get().copied().unwrap_or("anonymous")
    }

    /// Records the user that the credential belongs to.
    pub fn user(&self, id: i64) {
        self.collected.user_id.get_or_init(|| id);
    }

    /// The user that the credential belongs to. None without a valid credential.
    pub fn user_id(&self) -> Option<i64> {
        self.collected.user_id.get().copied()
    }

    /// Records the address of the client.
    pub fn client(&self, address: IpAddr) {
        self.collected.client.get_or_init(|| address);
    }

    /// The address of the client.
    pub fn client_address(&self) -> Option<IpAddr> {
        self.collected.client.get().copied()
    }
}
