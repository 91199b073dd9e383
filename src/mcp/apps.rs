//! The MCP Apps extension (SEP-1865): a page on which clients show the maps that tools read.
//!
//! The page is the same for all callers and contains no data. It gets the arguments and the result of a tool call from the
//! client, and calls tools through the client, with the permissions of the connection. Clients without the extension ignore
//! the metadata and use the text of the result, which is complete.

use rmcp::model::{ExtensionCapabilities, MetaObject, Resource, ResourceContents};
use serde_json::{Value, json};

/// URI of the page.
pub const MAP_URI: &str = "ui://planroom/map.html";
/// Media type of pages of the extension.
const PAGE: &str = "text/html;profile=mcp-app";
/// Name of the extension.
const EXTENSION: &str = "io.modelcontextprotocol/ui";

/// The extension, as a capability of the server.
pub fn extensions() -> ExtensionCapabilities {
    let settings = json!({ "mimeTypes": [PAGE] });
    let settings = settings.as_object().cloned().unwrap_or_default();
    ExtensionCapabilities::from([(EXTENSION.to_owned(), settings)])
}

/// The metadata of a tool whose result is shown on the page.
pub fn tool_meta() -> MetaObject {
    // Some clients read only the flat name of an earlier draft.
    meta(&json!({ "ui": { "resourceUri": MAP_URI }, "ui/resourceUri": MAP_URI }))
}

/// The page in the list of resources.
pub fn resource() -> Resource {
    Resource::new(MAP_URI, "map")
        .with_title("Map")
        .with_mime_type(PAGE)
        .with_description("The page on which clients with MCP Apps show maps; it contains no data")
        .with_meta(page_meta())
}

/// The page.
pub fn contents(page: String) -> ResourceContents {
    ResourceContents::text(page, MAP_URI).with_mime_type(PAGE).with_meta(page_meta())
}

/// The page loads nothing, so it needs no exceptions from the content security policy of the client. It has no background of
/// its own, and draws a border where it needs one.
fn page_meta() -> MetaObject {
    meta(&json!({ "ui": { "csp": {}, "prefersBorder": false } }))
}

fn meta(value: &Value) -> MetaObject {
    MetaObject(value.as_object().cloned().unwrap_or_default())
}
