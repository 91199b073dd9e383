//! A call of a service graph.

/// A call from one service to another.
#[derive(Debug, Default)]
pub(super) struct Call {
    pub(super) client: String,
    pub(super) server: String,
    pub(super) client_namespace: String,
    pub(super) server_namespace: String,
    /// `database` and `messaging_system` are no calls between services only.
    pub(super) connection: String,
    /// What the database or messaging system is.
    pub(super) system: String,
    pub(super) calls: f64,
    pub(super) errors: f64,
    pub(super) line: u32,
}

impl Call {
    /// Estimated memory of the call, including its index entries, in bytes.
    pub(super) fn estimated_bytes(&self) -> usize {
        let texts = [
            &self.client,
            &self.server,
            &self.client_namespace,
            &self.server_namespace,
            &self.connection,
            &self.system,
        ];
        3 * size_of::<Self>() + 4 * texts.into_iter().map(String::len).sum::<usize>()
    }
}
