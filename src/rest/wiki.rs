//! The wiki of the active organization: connecting it, how it does, and browsing it.

use axum::{
    Json,
    extract::{RawQuery, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use url::form_urlencoded;
use utoipa::IntoParams;

use super::{
    answers::{DONE, Done},
    api::Api,
    cookies::wiki_of,
    error::Result,
    extract::{Asked, Query},
    route::IN_TABLE,
};
use crate::domain::wiki::{CameBack, Started, WikiChildren, WikiKind, WikiStatus, WikiTest};

/// What to list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Which {
    /// Id of a page or database: 32 hexadecimal digits, with dashes or without. Without it, all that is shared with the
    /// organization's connection and not below something else that is.
    #[param(max_length = 36)]
    id: Option<String>,
    /// What the id names. Without it a page is tried first.
    kind: Option<WikiKind>,
    /// The `nextCursor` of the part before.
    #[param(max_length = 4000)]
    cursor: Option<String>,
}

/// How the wiki is connected
///
/// For admins of the organization, and for administrators of the instance who are active in it. Nobody is asked: what the
/// connection is worth, `POST /api/admin/wiki/test` says.
#[utoipa::path(get, path = IN_TABLE, tag = "Wiki", operation_id = "readWikiStatus",
    responses((status = 200, description = "The connection, and how far its links are refreshed", body = WikiStatus)))]
pub async fn status(State(api): State<Api>, Asked(call): Asked) -> Result<Json<WikiStatus>> {
    Ok(Json(api.wiki.status(call).await?))
}

/// Try the connection with the wiki
#[utoipa::path(post, path = IN_TABLE, tag = "Wiki", operation_id = "testWiki",
    responses((status = 200, description = "It works, and this is who it is", body = WikiTest)))]
pub async fn test(State(api): State<Api>, Asked(call): Asked) -> Result<Json<WikiTest>> {
    Ok(Json(api.wiki.test(call).await?))
}

/// Refresh all links to the wiki
///
/// Begins a round over all links of the organization, unless one is under way: what they lead to is looked up again, one
/// after the other. `GET /api/admin/wiki/status` says how far it is. Without being asked it is done once a day.
#[utoipa::path(post, path = IN_TABLE, tag = "Wiki", operation_id = "refreshWikiLinks",
    responses((status = 200, description = "It begins, or is under way", body = Done)))]
pub async fn refresh(State(api): State<Api>, Asked(call): Asked) -> Result<Json<Done>> {
    api.wiki.ask_for_round(call).await?;
    Ok(DONE)
}

/// Disconnect the wiki
///
/// The token and what is known of the wiki's workspace are deleted, and the provider is told that the token has ended.
/// Links to the wiki stay as they are, and are not refreshed any more. Without a connection nothing happens.
#[utoipa::path(post, path = IN_TABLE, tag = "Wiki", operation_id = "disconnectWiki",
    responses((status = 200, description = "It is disconnected", body = Done)))]
pub async fn disconnect(State(api): State<Api>, Asked(call): Asked) -> Result<Json<Done>> {
    api.wiki.disconnect(call).await?;
    Ok(DONE)
}

/// Begin to connect the wiki
///
/// Send the browser that asked to `url`. It comes back to `GET /api/auth/wiki/callback` within ten minutes, once, and must
/// bring the cookie that this answer sets: what was begun in one browser cannot be ended in another.
#[utoipa::path(post, path = IN_TABLE, tag = "Wiki", operation_id = "startWiki",
    responses((status = 200, description = "Where to send the browser", body = Started)))]
pub async fn start(State(api): State<Api>, Asked(call): Asked) -> Result<Response> {
    let started = api.wiki.start(call).await?;
    let cookie = api.settings.cookies.wiki(started.state.clone());
    Ok(([cookie], Json(started)).into_response())
}

/// Come back from the wiki's provider
///
/// For browsers. Whatever comes of it, they are sent on to `/?wiki=<word>`: `connected`, `bad_state`, `missing_code`,
/// `not_admin`, `misconfigured`, `token_exchange_failed`, or the word of the provider, such as `access_denied`.
#[utoipa::path(get, path = IN_TABLE, tag = "Wiki", operation_id = "finishWiki",
    params(
        ("code" = Option<String>, Query, description = "What the provider gives for agreeing"),
        ("state" = Option<String>, Query, description = "What was begun"),
        ("error" = Option<String>, Query, description = "What the provider has against it")),
    responses((status = 302, description = "On to the pages", headers(("Location", description = "`/?wiki=<word>`")))))]
pub async fn callback(State(api): State<Api>, RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    let mut back = CameBack { kept: wiki_of(&headers), ..CameBack::default() };
    for (name, value) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
        match &*name {
            "code" => back.code = Some(value.into_owned()),
            "state" => back.state = Some(value.into_owned()),
            "error" => back.error = Some(value.into_owned()),
            _ => {}
        }
    }
    let outcome = api.wiki.finish(back).await;
    let address = api.settings.cookies.page(&format!("/?wiki={}", outcome.word()));
    let location = HeaderValue::try_from(address).unwrap_or_else(|_| HeaderValue::from_static("/"));
    (StatusCode::FOUND, [(header::LOCATION, location)]).into_response()
}

/// Browse the wiki
///
/// What is below a page or database; without an id, what is shared with the organization's connection. A part of a list
/// may be empty and yet not be the last: that is the one without `nextCursor`.
#[utoipa::path(get, path = IN_TABLE, tag = "Wiki", operation_id = "listWikiChildren", params(Which),
    responses((status = 200, description = "Pages and databases", body = WikiChildren)))]
pub async fn children(
    State(api): State<Api>,
    Asked(call): Asked,
    Query(which): Query<Which>,
) -> Result<Json<WikiChildren>> {
    Ok(Json(api.wiki.children(call, which.id, which.kind, which.cursor).await?))
}
