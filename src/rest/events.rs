//! Event stream and presence of a workspace.

use axum::{
    body::Body,
    extract::State,
    http::{HeaderMap, HeaderName, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;

use super::{
    access::Viewer,
    api::Api,
    error::{ApiError, Result},
    extract::{Authenticated, Path, Query, Write},
    responses::Json,
    route::IN_TABLE,
};
use crate::{
    describe::IntoParams,
    domain::{
        live::{self, EventData, NewPresence, PresenceList, StartPosition},
        values::Id,
    },
};

/// The header with the id of the last event that the client received.
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// Options of an event stream.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct FollowQuery {
    /// Entity tag of the bundle that the client has read. The stream begins with the changes since then.
    since: Option<String>,
    /// The client's id in presence updates. When the stream ends, the presence of the client is removed.
    #[param(value_type = Id, required = false)]
    client: Option<String>,
}

/// Follow a workspace
///
/// Returns a stream of server-sent events without end. Read it with `fetch`, which can send the `Authorization` header.
/// The stream begins with `ready`, followed by `change` (each with its `id`), `presence`, `gone`, `versions`,
/// `accessRequests`, `comments`, `sources`, and `drafts` events. `reload` means that changes are not sent individually,
/// because there are too many or the log does not contain them anymore: read the workspace again and continue reading
/// the stream. Changes of people, teams, roles,
/// and kinds are included. After reconnecting with `Last-Event-ID`, the client gets the missed changes. After a restore of the
/// database, the first event is `reload`, because earlier ids and entity tags belong to another incarnation. An idle
/// stream sends a comment every 15 seconds. The stream ends when the caller may no longer read the workspace or the
/// credential expires.
#[crate::describe::path(get, path = IN_TABLE, tag = "Live", operation_id = "followWorkspace",
    params(FollowQuery, ("last-event-id" = Option<String>, Header,
        description = "Id of the last event that the client received, unchanged")),
    responses((status = 200, description = "Events without end; the schema describes the data of an event", body = EventData,
               content_type = "text/event-stream")))]
pub async fn follow(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path(id): Path<String>,
    Query(FollowQuery { since, client }): Query<FollowQuery>,
    headers: HeaderMap,
) -> Result<Response> {
    let from = match (last_event_id(&headers)?, since) {
        (Some((incarnation, id)), _) => StartPosition::Change(incarnation, id),
        (None, Some(tag)) => StartPosition::Bundle(tag.trim_start_matches("W/").trim_matches('"').to_owned()),
        (None, None) => StartPosition::Now,
    };
    let client = client.map(|client| Id::new(&client)).transpose();
    let client = client.map_err(|wrong| ApiError::invalid("client", wrong))?.map(String::from);
    let stream = live::follow(&api.gate, &api.live, call, id, from, client).await?;
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream"),
        // Proxies that buffer responses would delay events.
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    Ok((headers, Body::from_stream(stream)).into_response())
}

/// Parses `<incarnation>-<id>`, such as `0f3a9c21-57`, or `57` from clients that do not send the incarnation.
fn last_event_id(headers: &HeaderMap) -> Result<Option<(Option<String>, i64)>> {
    let Some(value) = headers.get(LAST_EVENT_ID) else { return Ok(None) };
    let read = |text: &str| match text.split_once('-') {
        Some((incarnation, id)) => Some((Some(incarnation.to_owned()), id.parse().ok()?)),
        None => Some((None, text.parse().ok()?)),
    };
    let id = value.to_str().ok().and_then(read);
    id.map(Some).ok_or_else(|| ApiError::invalid(LAST_EVENT_ID.as_str(), "must be the id of an event of this stream"))
}

/// Update presence
///
/// Sends the caller's presence to the other followers of the workspace. No data is stored. After 30 seconds without an
/// update, followers get a `gone` event.
#[crate::describe::path(post, path = IN_TABLE, tag = "Live", operation_id = "updatePresence", request_body = NewPresence,
    responses((status = 200, description = "The caller's own presence", body = PresenceList)))]
pub async fn update_presence(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<Viewer, NewPresence>,
) -> Result<Json<PresenceList>> {
    Ok(Json(live::update_presence(&api.gate, &api.live, call, id, body).await?))
}
