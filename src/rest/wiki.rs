//! The wiki of the active organization: connection, status, and browsing.

use axum::{
    extract::{RawQuery, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use url::form_urlencoded;

use super::{
    access::{ConnectionManager, Member},
    api::Api,
    cookies::wiki_of,
    error::Result,
    extract::{Anonymous, Authenticated, Query},
    responses::{DONE, Done, Json},
    route::IN_TABLE,
};
use crate::{
    describe::IntoParams,
    domain::wiki::{CallbackParams, WikiAuthorization, WikiChildren, WikiKind, WikiStatus, WikiTest},
};

/// Options of a wiki listing.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ChildrenQuery {
    /// Id of a page or database: 32 hexadecimal digits, with or without dashes. Default: the top level of everything
    /// that is shared with the organization's connection.
    #[param(max_length = 36)]
    id: Option<String>,
    /// Whether the id is a page or a database. Default: tries a page first.
    kind: Option<WikiKind>,
    /// `nextCursor` of the previous page of results.
    #[param(max_length = 4000)]
    cursor: Option<String>,
}

/// Get the wiki connection
///
/// For admins of the organization, and for instance administrators with the organization active. Does not send a
/// request to the wiki. To check the connection, use `POST /api/admin/wiki/test`.
#[crate::describe::path(get, path = IN_TABLE, tag = "Wiki", operation_id = "getWikiStatus",
    responses((status = 200, description = "The connection and the progress of refreshing links", body = WikiStatus)))]
pub async fn status(
    State(api): State<Api>,
    Authenticated(call): Authenticated<ConnectionManager>,
) -> Result<Json<WikiStatus>> {
    Ok(Json(api.wiki.status(call).await?))
}

/// Test the wiki connection
#[crate::describe::path(post, path = IN_TABLE, tag = "Wiki", operation_id = "testWiki",
    responses((status = 200, description = "The connection works; the identity of the integration", body = WikiTest)))]
pub async fn test(
    State(api): State<Api>,
    Authenticated(call): Authenticated<ConnectionManager>,
) -> Result<Json<WikiTest>> {
    Ok(Json(api.wiki.test(call).await?))
}

/// Refresh all links to the wiki
///
/// Starts a background job that refreshes all links of the organization, one after the other, unless it is already
/// running. `GET /api/admin/wiki/status` returns its progress. The job also runs once a day.
#[crate::describe::path(post, path = IN_TABLE, tag = "Wiki", operation_id = "refreshWikiLinks",
    responses((status = 200, description = "Refresh started or already running", body = Done)))]
pub async fn refresh(
    State(api): State<Api>,
    Authenticated(call): Authenticated<ConnectionManager>,
) -> Result<Json<Done>> {
    api.wiki.request_refresh(call).await?;
    Ok(DONE)
}

/// Disconnect the wiki
///
/// Deletes the token and the data about the wiki's workspace, and revokes the token at the provider. Links to the wiki
/// do not change and are no longer refreshed. Has no effect without a connection.
#[crate::describe::path(post, path = IN_TABLE, tag = "Wiki", operation_id = "disconnectWiki",
    responses((status = 200, description = "Wiki disconnected", body = Done)))]
pub async fn disconnect(
    State(api): State<Api>,
    Authenticated(call): Authenticated<ConnectionManager>,
) -> Result<Json<Done>> {
    api.wiki.disconnect(call).await?;
    Ok(DONE)
}

/// Start connecting the wiki
///
/// Open `url` in the same browser. The provider redirects to `GET /api/auth/wiki/callback`. The browser must return
/// within 10 minutes, once, and send the cookie that this response sets, so another browser cannot complete the
/// connection.
#[crate::describe::path(post, path = IN_TABLE, tag = "Wiki", operation_id = "startWiki",
    responses((status = 200, description = "The URL to open in the browser", body = WikiAuthorization)))]
pub async fn start(State(api): State<Api>, Authenticated(call): Authenticated<ConnectionManager>) -> Result<Response> {
    let started = api.wiki.start(call).await?;
    let cookie = api.settings.cookies.wiki(started.state.clone());
    Ok(([cookie], Json(started)).into_response())
}

/// Finish connecting the wiki
///
/// For browsers. Redirects to `/?wiki=<word>` with the outcome: `connected`, `bad_state`, `missing_code`, `not_admin`,
/// `misconfigured`, `token_exchange_failed`, or the error code of the provider, such as `access_denied`.
#[crate::describe::path(get, path = IN_TABLE, tag = "Wiki", operation_id = "finishWiki",
    params(
        ("code" = Option<String>, Query, description = "Authorization code of the provider"),
        ("state" = Option<String>, Query, description = "State of the pending connection"),
        ("error" = Option<String>, Query, description = "Error code of the provider, if the authorization failed")),
    responses((status = 302, description = "Redirect to a page of this server",
        headers(("Location", description = "`/?wiki=<word>`")))))]
pub async fn callback(State(api): State<Api>, _: Anonymous, RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    let mut params = CallbackParams { cookie_state: wiki_of(&headers), ..CallbackParams::default() };
    for (name, value) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
        match &*name {
            "code" => params.code = Some(value.into_owned()),
            "state" => params.state = Some(value.into_owned()),
            "error" => params.error = Some(value.into_owned()),
            _ => {}
        }
    }
    let outcome = api.wiki.finish(params).await;
    let address = api.settings.cookies.page(&format!("/?wiki={}", outcome.word()));
    let location = HeaderValue::try_from(address).unwrap_or_else(|_| HeaderValue::from_static("/"));
    (StatusCode::FOUND, [(header::LOCATION, location)]).into_response()
}

/// Browse the wiki
///
/// Lists the contents of a page or database or, without an id, what is shared with the organization's connection. A
/// page of results can be empty without being the last one. On the last one, `nextCursor` is null.
#[crate::describe::path(get, path = IN_TABLE, tag = "Wiki", operation_id = "listWikiChildren", params(ChildrenQuery),
    responses((status = 200, description = "Pages and databases", body = WikiChildren)))]
pub async fn children(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Member>,
    Query(which): Query<ChildrenQuery>,
) -> Result<Json<WikiChildren>> {
    Ok(Json(api.wiki.children(call, which.id, which.kind, which.cursor).await?))
}
