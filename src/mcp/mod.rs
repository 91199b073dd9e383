//! The MCP server for assistants, and the authorization server that lets them in.

pub mod oauth;
