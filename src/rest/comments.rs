//! Comments of a workspace: threads, their messages, and who can comment.

use axum::{extract::State, response::Response};
use serde::Serialize;

use super::{
    access::{Commenter, Owner, Viewer},
    api::Api,
    error::Result,
    extract::{Authenticated, Path, Query, Write},
    responses::{Created, DONE, Done, Json, json, large_read},
    route::IN_TABLE,
};
use crate::{
    describe::ToSchema,
    domain::{
        comments::{
            messages::{self, NewMessage, ThreadMessage},
            overview::{self, CommentOverview, CommentSettingsPatch, MentionQuery},
            threads::{self, NewThread, Thread, ThreadFilter, ThreadPatch, ThreadState},
        },
        core::{CommentTx, ViewTx},
        paging::{Page, Paging},
        users::Profile,
    },
};

/// Threads.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ThreadList {
    /// Newest first.
    threads: Vec<Thread>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// One thread.
#[derive(Debug, Serialize, ToSchema)]
pub struct ThreadResponse {
    /// The thread.
    thread: Thread,
}

/// One message.
#[derive(Debug, Serialize, ToSchema)]
pub struct ThreadMessageResponse {
    /// The message.
    message: ThreadMessage,
}

/// Users.
#[derive(Debug, Serialize, ToSchema)]
pub struct MentionableUserList {
    /// Ordered by name, at most 20.
    users: Vec<Profile>,
}

/// Get an overview of comments
///
/// Returns who can comment, and the number of threads for each anchor.
#[crate::describe::path(get, path = IN_TABLE, tag = "Comments", operation_id = "getCommentOverview",
    responses((status = 200, description = "The overview", body = CommentOverview)))]
pub async fn overview(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path(id): Path<String>,
) -> Result<Response> {
    Ok(json(large_read(&api, call, id, overview::read).await?))
}

/// Update who can comment
#[crate::describe::path(patch, path = IN_TABLE, tag = "Comments", operation_id = "updateCommentSettings",
    request_body = CommentSettingsPatch,
    responses((status = 200, description = "The updated overview", body = CommentOverview)))]
pub async fn update_settings(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<Owner, CommentSettingsPatch>,
) -> Result<Json<CommentOverview>> {
    Ok(Json(api.gate.write(call, id, move |tx| overview::update(tx, &body)).await?))
}

/// List users to mention
///
/// Lists active users who can view the workspace, at most 20.
#[crate::describe::path(get, path = IN_TABLE, tag = "Comments", operation_id = "listMentionable", params(MentionQuery),
    responses((status = 200, description = "The users", body = MentionableUserList)))]
pub async fn people(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path(id): Path<String>,
    Query(query): Query<MentionQuery>,
) -> Result<Json<MentionableUserList>> {
    let users = api.gate.read(call, id, move |tx| overview::people(tx, &query)).await?;
    Ok(Json(MentionableUserList { users }))
}

/// List threads
///
/// Lists threads with their first message. Threads whose anchor is deleted are `detached`.
#[crate::describe::path(get, path = IN_TABLE, tag = "Comments", operation_id = "listThreads", params(ThreadFilter, Paging),
    responses((status = 200, description = "The threads", body = ThreadList)))]
pub async fn list(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path(id): Path<String>,
    Query(filter): Query<ThreadFilter>,
    Query(paging): Query<Paging>,
) -> Result<Response> {
    let read = move |tx: &ViewTx<'_>| {
        let Page { items: threads, next_cursor } = threads::list(tx, &filter, &paging)?;
        Ok(ThreadList { threads, next_cursor })
    };
    Ok(json(large_read(&api, call, id, read).await?))
}

/// Create a thread
///
/// Creates a thread with its first message. For everyone who can view the workspace, unless only editors can comment there. A
/// user can write 30 messages per minute. A workspace can have 10,000 threads, with messages of 32 MiB. Comments are not part
/// of the history and of undo. Followers receive a `comments` event.
#[crate::describe::path(post, path = IN_TABLE, tag = "Comments", operation_id = "createThread", request_body = NewThread,
    responses((status = 201, description = "The created thread", body = ThreadResponse)))]
pub async fn create(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<Commenter, NewThread>,
) -> Result<Created<ThreadResponse>> {
    let thread = api.gate.write(call, id, |tx| threads::create(tx, body)).await?;
    Ok(Created(ThreadResponse { thread }))
}

/// Get a thread
///
/// Includes its messages.
#[crate::describe::path(get, path = IN_TABLE, tag = "Comments", operation_id = "getThread",
    responses((status = 200, description = "The thread", body = ThreadResponse)))]
pub async fn get(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path((id, thread_id)): Path<(String, String)>,
) -> Result<Response> {
    let read = move |tx: &ViewTx<'_>| Ok(ThreadResponse { thread: threads::read(tx, &thread_id)? });
    Ok(json(large_read(&api, call, id, read).await?))
}

/// Update a thread
///
/// For its author and editors of the workspace.
#[crate::describe::path(patch, path = IN_TABLE, tag = "Comments", operation_id = "updateThread", request_body = ThreadPatch,
    responses((status = 200, description = "The updated thread", body = ThreadResponse)))]
pub async fn update(
    State(api): State<Api>,
    Path((id, thread_id)): Path<(String, String)>,
    Write { call, body, .. }: Write<Commenter, ThreadPatch>,
) -> Result<Json<ThreadResponse>> {
    let thread = api.gate.write(call, id, move |tx| threads::update(tx, &thread_id, &body)).await?;
    Ok(Json(ThreadResponse { thread }))
}

/// Delete a thread
///
/// For owners of the workspace, and for its author if no other user has written in it.
#[crate::describe::path(delete, path = IN_TABLE, tag = "Comments", operation_id = "deleteThread",
    responses((status = 200, description = "Thread deleted", body = Done)))]
pub async fn delete(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Commenter>,
    Path((id, thread_id)): Path<(String, String)>,
) -> Result<Json<Done>> {
    api.gate.write(call, id, move |tx| threads::delete(tx, &thread_id)).await?;
    Ok(DONE)
}

/// Resolve a thread
///
/// For its author and editors of the workspace. A resolved thread stays unchanged.
#[crate::describe::path(post, path = IN_TABLE, tag = "Comments", operation_id = "resolveThread",
    responses((status = 200, description = "The resolved thread", body = ThreadResponse)))]
pub async fn resolve(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Commenter>,
    Path((id, thread_id)): Path<(String, String)>,
) -> Result<Json<ThreadResponse>> {
    let resolve = move |tx: &mut CommentTx<'_>| threads::set_state(tx, &thread_id, ThreadState::Resolved);
    Ok(Json(ThreadResponse { thread: api.gate.write(call, id, resolve).await? }))
}

/// Reopen a thread
///
/// For its author and editors of the workspace. An open thread stays unchanged.
#[crate::describe::path(post, path = IN_TABLE, tag = "Comments", operation_id = "reopenThread",
    responses((status = 200, description = "The open thread", body = ThreadResponse)))]
pub async fn reopen(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Commenter>,
    Path((id, thread_id)): Path<(String, String)>,
) -> Result<Json<ThreadResponse>> {
    let reopen = move |tx: &mut CommentTx<'_>| threads::set_state(tx, &thread_id, ThreadState::Open);
    Ok(Json(ThreadResponse { thread: api.gate.write(call, id, reopen).await? }))
}

/// Add a message
///
/// Replies in a thread, which can have 200 messages. A resolved thread stays resolved.
#[crate::describe::path(post, path = IN_TABLE, tag = "Comments", operation_id = "createThreadMessage", request_body = NewMessage,
    responses((status = 201, description = "The created message", body = ThreadMessageResponse)))]
pub async fn add_message(
    State(api): State<Api>,
    Path((id, thread_id)): Path<(String, String)>,
    Write { call, body, .. }: Write<Commenter, NewMessage>,
) -> Result<Created<ThreadMessageResponse>> {
    let message = api.gate.write(call, id, move |tx| messages::create(tx, &thread_id, &body)).await?;
    Ok(Created(ThreadMessageResponse { message }))
}

/// Update a message
///
/// For its author.
#[crate::describe::path(patch, path = IN_TABLE, tag = "Comments", operation_id = "updateThreadMessage", request_body = NewMessage,
    responses((status = 200, description = "The updated message", body = ThreadMessageResponse)))]
pub async fn update_message(
    State(api): State<Api>,
    Path((id, thread_id, message_id)): Path<(String, String, i64)>,
    Write { call, body, .. }: Write<Commenter, NewMessage>,
) -> Result<Json<ThreadMessageResponse>> {
    let message = api.gate.write(call, id, move |tx| messages::update(tx, &thread_id, message_id, &body)).await?;
    Ok(Json(ThreadMessageResponse { message }))
}

/// Delete a message
///
/// For its author and owners of the workspace. Deleting the only message deletes the thread.
#[crate::describe::path(delete, path = IN_TABLE, tag = "Comments", operation_id = "deleteThreadMessage",
    responses((status = 200, description = "Message deleted", body = Done)))]
pub async fn delete_message(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Commenter>,
    Path((id, thread_id, message_id)): Path<(String, String, i64)>,
) -> Result<Json<Done>> {
    api.gate.write(call, id, move |tx| messages::delete(tx, &thread_id, message_id)).await?;
    Ok(DONE)
}
