//! Following a workspace, and saying where one is.

use axum::{
    Json,
    body::Body,
    extract::State,
    http::{HeaderMap, HeaderName, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use utoipa::IntoParams;

use super::{
    api::Api,
    error::{ApiError, Result},
    extract::{Asked, Path, Query, Write},
    route::IN_TABLE,
};
use crate::domain::{
    live::{self, From, NewPresence, PresentList, Told},
    values::Id,
};

/// The change that a client has seen last.
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// Where to begin.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct Beginning {
    /// The entity tag of the bundle that the client has read: what was written since is told first.
    since: Option<String>,
    /// What the client calls itself when it says where it is. When the stream ends, it is gone.
    #[param(value_type = Id, required = false)]
    client: Option<String>,
}

/// Follow a workspace
///
/// An endless answer in the format of server-sent events, to be read with `fetch`. It begins with `ready`; then come
/// `change` (each with its `id`), `presence`, `gone` and `versions`. `reload` says that changes are not told one by one,
/// because they are too many or the log does not reach back so far: read the workspace again, and go on reading here.
/// Changes of people, teams and roles are told too. Who comes back with `Last-Event-ID` is told what they missed.
/// After a restore of the database, `reload` comes first: ids and entity tags from before are of another incarnation.
/// A quiet stream sends a comment every 15 seconds. The stream ends when the caller may no longer read the workspace or
/// their credential runs out.
#[utoipa::path(get, path = IN_TABLE, tag = "Live", operation_id = "followWorkspace",
    params(Beginning, ("last-event-id" = Option<String>, Header, description = "Id of the last event that the client has, as it was sent")),
    responses((status = 200, description = "Events, without end; here the data of one", body = Told,
               content_type = "text/event-stream")))]
pub async fn follow(
    State(api): State<Api>,
    Asked(call): Asked,
    Path(id): Path<String>,
    Query(Beginning { since, client }): Query<Beginning>,
    headers: HeaderMap,
) -> Result<Response> {
    let from = match (last_event_id(&headers)?, since) {
        (Some((incarnation, id)), _) => From::Change(incarnation, id),
        (None, Some(tag)) => From::Bundle(tag.trim_start_matches("W/").trim_matches('"').to_owned()),
        (None, None) => From::Now,
    };
    let client = client.map(|client| Id::new(&client)).transpose();
    let client = client.map_err(|wrong| ApiError::invalid("client", wrong))?.map(String::from);
    let stream = live::follow(&api.gate, &api.live, call, id, from, client).await?;
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream"),
        // Proxies that gather answers before they pass them on would hold events back.
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    Ok((headers, Body::from_stream(stream)).into_response())
}

/// Reads `0f3a9c21-57`, or `57` from clients that know no incarnations.
fn last_event_id(headers: &HeaderMap) -> Result<Option<(Option<String>, i64)>> {
    let Some(value) = headers.get(LAST_EVENT_ID) else { return Ok(None) };
    let read = |text: &str| match text.split_once('-') {
        Some((incarnation, id)) => Some((Some(incarnation.to_owned()), id.parse().ok()?)),
        None => Some((None, text.parse().ok()?)),
    };
    let id = value.to_str().ok().and_then(read);
    id.map(Some).ok_or_else(|| ApiError::invalid(LAST_EVENT_ID.as_str(), "must be the id of an event of this stream"))
}

/// Say where one is
///
/// Nothing of it is kept: others are told at once, and after 30 seconds of silence that one has gone.
#[utoipa::path(post, path = IN_TABLE, tag = "Live", operation_id = "announcePresence", request_body = NewPresence,
    responses((status = 200, description = "All who are here", body = PresentList)))]
pub async fn announce(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<NewPresence>,
) -> Result<Json<PresentList>> {
    Ok(Json(live::announce(&api.gate, &api.live, call, id, body).await?))
}
