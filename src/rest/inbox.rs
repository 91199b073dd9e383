//! The caller's inbox, its event stream, and notification settings.

use axum::{
    body::Body,
    extract::State,
    http::{HeaderName, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;

use super::{
    access::{Member, User},
    api::Api,
    error::Result,
    extract::{Authenticated, Query, Write},
    responses::Json,
    route::IN_TABLE,
};
use crate::{
    describe::ToSchema,
    domain::{
        core::OrgTx,
        inbox::{
            self,
            model::{InboxEntry, InboxFilter, MarkReadRequest, UnreadCount},
        },
        live,
        notifications::{self, NotificationSettings, NotificationSettingsPatch},
        paging::{Page, Paging},
    },
};

/// Entries of an inbox.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InboxEntryList {
    /// Newest first.
    entries: Vec<InboxEntry>,
    /// Number of all unread entries in the active organization.
    unread: i64,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// List my inbox
///
/// Lists the caller's notifications in the active organization, at most 500. Texts are read from what the caller may see
/// now. Notifications about something that was deleted, or that the caller can no longer view, are left out.
#[crate::describe::path(get, path = IN_TABLE, tag = "Inbox", operation_id = "listInbox", params(InboxFilter, Paging),
    responses((status = 200, description = "The notifications", body = InboxEntryList)))]
pub async fn list(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Member>,
    Query(filter): Query<InboxFilter>,
    Query(paging): Query<Paging>,
) -> Result<Json<InboxEntryList>> {
    let read = move |tx: &OrgTx<'_>| {
        let Page { items: entries, next_cursor } = inbox::list(tx, filter, &paging)?;
        Ok(InboxEntryList { entries, unread: inbox::unread(tx)?, next_cursor })
    };
    Ok(Json(api.gate.read(call, (), read).await?))
}

/// Mark notifications as read
///
/// Marks those with the given ids, or all up to a time. Those that were read before stay unchanged.
#[crate::describe::path(post, path = IN_TABLE, tag = "Inbox", operation_id = "markInboxRead", request_body = MarkReadRequest,
    responses((status = 200, description = "The number of notifications that are still unread", body = UnreadCount)))]
pub async fn mark_read(
    State(api): State<Api>,
    Write { call, body, .. }: Write<Member, MarkReadRequest>,
) -> Result<Json<UnreadCount>> {
    Ok(Json(api.gate.write(call, (), move |tx| inbox::mark_read(tx, &body)).await?))
}

/// Follow my inbox
///
/// Returns a stream of server-sent events without end, for the active organization. It begins with an `inbox` event;
/// another one follows after each change of the inbox. It contains the number of unread notifications. An idle stream sends
/// a comment every 15 seconds. The stream ends when the caller is no longer a member of the organization or the credential
/// expires.
#[crate::describe::path(get, path = IN_TABLE, tag = "Inbox", operation_id = "followInbox",
    responses((status = 200, description = "Events without end; the schema describes the data of an event", body = UnreadCount,
               content_type = "text/event-stream")))]
pub async fn follow(State(api): State<Api>, Authenticated(call): Authenticated<Member>) -> Result<Response> {
    let stream = live::follow_inbox(&api.gate, &api.live, call).await?;
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream"),
        // Proxies that buffer responses would delay events.
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    Ok((headers, Body::from_stream(stream)).into_response())
}

/// Get my notification settings
#[crate::describe::path(get, path = IN_TABLE, tag = "Inbox", operation_id = "getNotificationSettings",
    responses((status = 200, description = "The settings", body = NotificationSettings)))]
pub async fn get_settings(
    State(api): State<Api>,
    Authenticated(call): Authenticated<User>,
) -> Result<Json<NotificationSettings>> {
    Ok(Json(api.gate.read(call, (), notifications::read).await?))
}

/// Update my notification settings
///
/// Emails that wait are sent as the new settings say.
#[crate::describe::path(patch, path = IN_TABLE, tag = "Inbox", operation_id = "updateNotificationSettings",
    request_body = NotificationSettingsPatch,
    responses((status = 200, description = "The updated settings", body = NotificationSettings)))]
pub async fn update_settings(
    State(api): State<Api>,
    Write { call, body, .. }: Write<User, NotificationSettingsPatch>,
) -> Result<Json<NotificationSettings>> {
    Ok(Json(api.gate.write(call, (), move |tx| notifications::update(tx, &body)).await?))
}
