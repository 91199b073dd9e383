//! The state of the MCP server, and the limit of its bodies.

use std::sync::Arc;

use crate::{
    bodies::Bodies,
    domain::{access::Gate, wiki::Wiki},
};

/// The largest body, in bytes: a model of some thousand components.
pub(super) const BODY_BYTES: usize = 4 << 20;

/// What the MCP server has at hand.
#[derive(Debug, Clone)]
pub struct Mcp {
    /// The way to data.
    pub gate: Gate,
    /// The way to the wiki.
    pub wiki: Wiki,
    /// What reads bodies.
    pub bodies: Bodies,
    /// The public URL, without a slash at its end.
    pub public_url: Arc<str>,
    /// Origins whose pages may call us, beside our own.
    pub origins: Vec<String>,
}
