//! The documents that clients of the API rely on, embedded in compressed form.
//!
//! They are generated from the types by tests, which compare them with `assets/contracts`. Without the copies, the binary
//! would contain the descriptions of all types, and build the documents at each start.

use std::io::Read;

use flate2::read::GzDecoder;

/// The OpenAPI document, compressed with gzip.
pub const OPENAPI: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/openapi.json.gz"));

/// The MCP tools as in the response of `tools/list`, compressed with gzip.
pub const MCP_TOOLS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/mcp-tools.json.gz"));

/// The text of an embedded document.
pub fn text(compressed: &[u8]) -> std::io::Result<String> {
    let mut text = String::new();
    GzDecoder::new(compressed).read_to_string(&mut text)?;
    Ok(text)
}
