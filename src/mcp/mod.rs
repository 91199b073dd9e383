//! The MCP server for assistants: tools, resources and prompts based on the same `domain` functions as the REST API.
//!
//! It includes an OAuth authorization server for MCP clients.
//!
//! A single endpoint, [`PATH`], supports protocol revision 2026-07-28 and older ones. The server is stateless: clients
//! are not affected by a restart, and permissions are checked for every call.

mod admission;
mod apps;
mod completions;
mod diagram;
mod escape;
mod links;
pub mod oauth;
mod plans;
mod prompts;
mod resources;
mod results;
#[cfg(feature = "contracts")]
mod schema;
mod server;
mod services;
mod shorten;
mod size;
mod state;
pub mod tools;

use std::sync::Arc;

use axum::{Router, middleware::from_fn_with_state, routing::post_service};
use rmcp::{
    ServerHandler,
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::never::NeverSessionManager,
    },
};
use url::{Host, Url};

pub use self::{server::Server, state::Mcp};
use self::{services::Services, state::BODY_BYTES};

/// Path of the endpoint.
pub const PATH: &str = "/mcp";
/// The MCP server as an axum router. `extend` returns the handler of the protocol: `Server` itself, or one that supports more
/// requests, as the conformance suite needs.
pub fn router<H: ServerHandler + Clone>(mcp: Mcp, extend: impl FnOnce(Server) -> H) -> Router {
    let (hosts, origins) = allowed_hosts(&mcp.public_url);
    // No sessions for older revisions: they would be lost at a restart, and clients do not recover from that.
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(BODY_BYTES)
        .with_allowed_hosts(hosts)
        .with_allowed_origins(origins.into_iter().chain(mcp.origins.iter().cloned()))
        .enforce_origin_validation();
    let server = extend(Server(Services {
        gate: mcp.gate.clone(),
        wiki: mcp.wiki.clone(),
        public_url: Arc::clone(&mcp.public_url),
        plans: Arc::default(),
        map_images: mcp.map_images.clone(),
        app_page: mcp.app_page,
    }));
    let service =
        StreamableHttpService::new(move || Ok(server.clone()), Arc::new(NeverSessionManager::default()), config);
    let endpoint = post_service(service)
        .route_layer(from_fn_with_state(mcp.clone(), admission::readable))
        .route_layer(from_fn_with_state(mcp, admission::admit));
    Router::new().route(PATH, endpoint)
}

/// The accepted values of `Host` and `Origin`. If the public URL is a loopback address, all loopback names are
/// accepted.
fn allowed_hosts(public_url: &str) -> (Vec<String>, Vec<String>) {
    let Ok(url) = Url::parse(public_url) else { return (vec![public_url.to_owned()], Vec::new()) };
    let local = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    let host = url.host_str().unwrap_or_default();
    let names = if local { vec!["localhost", "127.0.0.1", "[::1]"] } else { vec![host] };
    let hosts = names.iter().map(|name| match url.port() {
        Some(port) => format!("{name}:{port}"),
        None => (*name).to_owned(),
    });
    // Without a port, any port would be accepted.
    let port = url.port_or_known_default().unwrap_or_default();
    let origins = names.iter().map(|name| format!("{}://{name}:{port}", url.scheme()));
    (hosts.collect(), origins.collect())
}

#[cfg(test)]
mod tests {
    use super::allowed_hosts;

    #[test]
    fn only_the_public_host_name_is_accepted() {
        let (hosts, origins) = allowed_hosts("https://plans.example.org");
        assert_eq!((hosts, origins), (vec!["plans.example.org".into()], vec!["https://plans.example.org:443".into()]));
        let (hosts, origins) = allowed_hosts("http://127.0.0.1:8420");
        assert_eq!(hosts, ["localhost:8420", "127.0.0.1:8420", "[::1]:8420"]);
        assert_eq!(origins[2], "http://[::1]:8420");
    }
}
