//! Programs that the caller has let in, and the consent that lets one in.

use axum::{Json, extract::State};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    answers::{DONE, Done},
    api::Api,
    error::Result,
    extract::{Asked, Path, Query, Write},
    route::IN_TABLE,
};
use crate::domain::{
    access::SelfTx,
    connectors::{self, Connector, ConsentRequest, Consented, Decision},
    input::{Input, objects},
    paging::{Page, Paging},
};

/// Programs.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConnectorsAnswer {
    /// In the order in which they were first authorized.
    connectors: Vec<Connector>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// Names a request for consent.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct RequestName {
    /// What stands behind the `#` of the page's address.
    #[schema(max_length = 100, example = "pT8wq0cPnVUeQm1fUyk2o3hJm4c0ZyS7kVvQb1d2RZE")]
    pub request: String,
}

objects!(RequestName);
impl Input for RequestName {}

/// List the programs I have let in
///
/// MCP clients, one entry for each organization that one acts in, with whether it may write.
#[utoipa::path(get, path = IN_TABLE, tag = "Me", operation_id = "listConnectors", params(Paging),
    responses((status = 200, description = "The programs", body = ConnectorsAnswer)))]
pub async fn list(
    State(api): State<Api>,
    Asked(call): Asked,
    Query(paging): Query<Paging>,
) -> Result<Json<ConnectorsAnswer>> {
    let list = move |tx: &SelfTx<'_>| connectors::list(tx, &paging);
    let Page { items: connectors, next_cursor } = api.gate.me(call, list).await?;
    Ok(Json(ConnectorsAnswer { connectors, next_cursor }))
}

/// Disconnect a program
///
/// All that it was granted ends at once, in every organization.
#[utoipa::path(delete, path = IN_TABLE, tag = "Me", operation_id = "disconnectConnector",
    responses((status = 200, description = "It is out", body = Done)))]
pub async fn disconnect(State(api): State<Api>, Asked(call): Asked, Path(id): Path<String>) -> Result<Json<Done>> {
    api.gate.me_write(call, move |tx| connectors::disconnect(tx, &id)).await?;
    Ok(DONE)
}

/// Read what a program asks for
///
/// For the page that asks for consent. `request` is what `/oauth/authorize` put behind the `#` of the page's address. It can
/// be answered for 15 minutes, once, and from now on by this user alone.
#[utoipa::path(post, path = IN_TABLE, tag = "Me", operation_id = "readConsentRequest", request_body = RequestName,
    responses((status = 200, description = "Who asks, and for what", body = ConsentRequest)))]
pub async fn look(
    State(api): State<Api>,
    Write { call, body, .. }: Write<RequestName>,
) -> Result<Json<ConsentRequest>> {
    Ok(Json(api.gate.session(call, move |tx| connectors::look(tx, &body.request)).await?))
}

/// Let a program in, or not
///
/// The user picks the organization, and may let it read alone. The browser then goes to `redirectTo`.
#[utoipa::path(post, path = IN_TABLE, tag = "Me", operation_id = "decideConsent", request_body = Decision,
    responses((status = 200, description = "Where the browser goes next", body = Consented)))]
pub async fn decide(State(api): State<Api>, Write { call, body, .. }: Write<Decision>) -> Result<Json<Consented>> {
    Ok(Json(api.gate.session(call, move |tx| connectors::decide(tx, body)).await?))
}
