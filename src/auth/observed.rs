//! What is learnt of a request on its way, for its line in the log.

use std::sync::{Arc, OnceLock};

use super::Credential;

/// What is learnt of a request on its way. Clones share it.
#[derive(Debug, Clone)]
pub struct Observed {
    /// The request's id.
    pub request_id: String,
    caller: Arc<OnceLock<&'static str>>,
}

impl Observed {
    /// Nothing yet, of the request of this id.
    pub fn new(request_id: String) -> Self {
        Self { request_id, caller: Arc::default() }
    }

    /// Notes the kind of caller.
    pub fn caller(&self, credential: &Credential) {
        let kind = match credential {
            Credential::Session(_) | Credential::External(_) => "session",
            Credential::Pat(_) => "token",
            Credential::Mcp(_) => "mcp",
            Credential::Operator { .. } => "operator",
        };
        self.caller.get_or_init(|| kind);
    }

    /// The word for the caller.
    pub fn caller_kind(&self) -> &'static str {
        self.caller.get().copied().unwrap_or("anonymous")
    }
}
