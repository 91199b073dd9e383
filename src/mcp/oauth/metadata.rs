//! OAuth metadata (RFC 8414, RFC 9728). All URLs come from the configuration, never from the request.

use axum::{Json, extract::State};
use serde_json::{Value, json};

use super::state::OAuth;
use crate::domain::{
    accounts::connectors,
    core::{READ, WRITE},
};

/// Metadata of the MCP server as a protected resource.
pub(super) async fn resource(State(oauth): State<OAuth>) -> Json<Value> {
    Json(json!({
        "resource": connectors::resource(&oauth.issuer),
        "authorization_servers": [&*oauth.issuer],
        "scopes_supported": [READ, WRITE],
        "bearer_methods_supported": ["header"],
        "resource_name": "Planroom",
        "resource_documentation": format!("{}/docs", oauth.issuer),
    }))
}

/// Metadata of the authorization server.
pub(super) async fn server(State(oauth): State<OAuth>) -> Json<Value> {
    let url = |path: &str| format!("{}{path}", oauth.issuer);
    Json(json!({
        "issuer": &*oauth.issuer,
        "authorization_endpoint": url("/oauth/authorize"),
        "token_endpoint": url("/oauth/token"),
        "registration_endpoint": url("/oauth/register"),
        "revocation_endpoint": url("/oauth/revoke"),
        "scopes_supported": [READ, WRITE],
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_methods_supported": ["none"],
        "revocation_endpoint_auth_methods_supported": ["none"],
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": true,
        "service_documentation": url("/docs"),
    }))
}
