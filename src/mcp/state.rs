//! The state of the MCP server, and the size limit of request bodies.

use std::sync::Arc;

use crate::{
    bodies::Bodies,
    domain::{core::Gate, map::drawing::MapImages, wiki::Wiki},
};

/// Maximum size of a request body in bytes: a model of several thousand components.
pub(super) const BODY_BYTES: usize = 4 << 20;

/// Reads the page on which clients show maps. `None` if the binary was built without the web client.
pub type AppPage = fn() -> Option<String>;

/// The state of the MCP server.
#[derive(Debug, Clone)]
pub struct Mcp {
    /// Access to data.
    pub gate: Gate,
    /// Access to the wiki.
    pub wiki: Wiki,
    /// Draws images of maps.
    pub map_images: MapImages,
    /// The page on which clients show maps.
    pub app_page: AppPage,
    /// Reads request bodies.
    pub bodies: Bodies,
    /// The public URL, without a trailing slash.
    pub public_url: Arc<str>,
    /// Origins whose pages may call the server, in addition to its own.
    pub origins: Vec<String>,
}
