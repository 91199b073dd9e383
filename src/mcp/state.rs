//! The state of the MCP server, and the size limit of request bodies.

use std::sync::Arc;

use crate::{
    bodies::Bodies,
    domain::{core::Gate, wiki::Wiki},
};

/// Maximum size of a request body in bytes: a model of several thousand components.
pub(super) const BODY_BYTES: usize = 4 << 20;

/// The state of the MCP server.
#[derive(Debug, Clone)]
pub struct Mcp {
    /// Access to data.
    pub gate: Gate,
    /// Access to the wiki.
    pub wiki: Wiki,
    /// Reads request bodies.
    pub bodies: Bodies,
    /// The public URL, without a trailing slash.
    pub public_url: Arc<str>,
    /// Origins whose pages may call the server, in addition to its own.
    pub origins: Vec<String>,
}
