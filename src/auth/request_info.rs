//! Information about a request that is collected for its log line.

use std::sync::{Arc, OnceLock};

use super::Credential;

/// Information about a request, collected while it is handled. Clones share it.
#[derive(Debug, Clone)]
pub struct RequestInfo {
    /// Request id.
    pub request_id: String,
    caller: Arc<OnceLock<&'static str>>,
}

impl RequestInfo {
    /// Starts with the request id only.
    pub fn new(request_id: String) -> Self {
        Self { request_id, caller: Arc::default() }
    }

    /// Records the kind of the caller's credential.
    pub fn caller(&self, credential: &Credential) {
        let kind = match credential {
            Credential::Session(_) | Credential::External(_) => "session",
            Credential::Pat(_) => "token",
            Credential::Mcp(_) => "mcp",
            Credential::Operator { .. } => "operator",
        };
        self.caller.get_or_init(|| kind);
    }

    /// The kind of credential as it appears in the log.
    pub fn caller_kind(&self) -> &'static str {
        self.caller.get().copied().unwrap_or("anonymous")
    }
}
