//! The caller's connected apps, and the consent that authorizes an app.

use axum::extract::State;
use serde::{Deserialize, Serialize};

use super::{
    access::{SessionUser, User},
    api::Api,
    error::Result,
    extract::{Authenticated, Path, Query, Write},
    responses::{DONE, Done, Json},
    route::IN_TABLE,
};
use crate::{
    describe::ToSchema,
    domain::{
        accounts::connectors::{self, Connector, ConsentDecision, ConsentRequest, ConsentResult},
        core::SelfTx,
        input::{Input, objects},
        paging::{Page, Paging},
    },
};

/// Connected apps.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConnectorList {
    /// In the order in which they were first authorized.
    connectors: Vec<Connector>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// Identifies an authorization request.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct RequestName {
    /// The fragment of the page URL, after `#`.
    #[schema(max_length = 100, example = "pT8wq0cPnVUeQm1fUyk2o3hJm4c0ZyS7kVvQb1d2RZE")]
    pub request: String,
}

objects!(RequestName);
impl Input for RequestName {}

/// List my connected apps
///
/// Lists MCP clients, with one entry for each organization in which the app acts, and whether the app may write.
#[crate::describe::path(get, path = IN_TABLE, tag = "Me", operation_id = "listConnectors", params(Paging),
    responses((status = 200, description = "The connected apps", body = ConnectorList)))]
pub async fn list(
    State(api): State<Api>,
    Authenticated(call): Authenticated<User>,
    Query(paging): Query<Paging>,
) -> Result<Json<ConnectorList>> {
    let list = move |tx: &SelfTx<'_>| connectors::list(tx, &paging);
    let Page { items: connectors, next_cursor } = api.gate.read(call, (), list).await?;
    Ok(Json(ConnectorList { connectors, next_cursor }))
}

/// Disconnect an app
///
/// Revokes all access of the app immediately, in all organizations.
#[crate::describe::path(delete, path = IN_TABLE, tag = "Me", operation_id = "disconnectConnector",
    responses((status = 200, description = "App disconnected", body = Done)))]
pub async fn disconnect(
    State(api): State<Api>,
    Authenticated(call): Authenticated<User>,
    Path(id): Path<String>,
) -> Result<Json<Done>> {
    api.gate.write(call, (), move |tx| connectors::disconnect(tx, &id)).await?;
    Ok(DONE)
}

/// Get an authorization request
///
/// For the consent page. `request` is the fragment that `/oauth/authorize` added to the page URL. The request expires
/// after 15 minutes and can be decided once. From now on, only the caller can decide it.
#[crate::describe::path(post, path = IN_TABLE, tag = "Me", operation_id = "getConsentRequest", request_body = RequestName,
    responses((status = 200, description = "The authorization request", body = ConsentRequest)))]
pub async fn get_request(
    State(api): State<Api>,
    Write { call, body, .. }: Write<SessionUser, RequestName>,
) -> Result<Json<ConsentRequest>> {
    Ok(Json(api.gate.write(call, (), move |tx| connectors::details(tx, &body.request)).await?))
}

/// Approve or deny an authorization request
///
/// The user selects the organization and whether access is read-only. The browser then opens `redirectTo`.
#[crate::describe::path(post, path = IN_TABLE, tag = "Me", operation_id = "resolveConsentRequest", request_body = ConsentDecision,
    responses((status = 200, description = "The redirect URL", body = ConsentResult)))]
pub async fn resolve_request(
    State(api): State<Api>,
    Write { call, body, .. }: Write<SessionUser, ConsentDecision>,
) -> Result<Json<ConsentResult>> {
    Ok(Json(api.gate.write(call, (), move |tx| connectors::decide(tx, body)).await?))
}
