//! What the caller watches, and which threads they follow.

use axum::extract::State;
use serde::Serialize;

use super::{
    access::{Member, PersonalViewer},
    api::Api,
    error::Result,
    extract::{Authenticated, Path, Query},
    responses::{DONE, Done, Json},
    route::IN_TABLE,
};
use crate::{
    describe::ToSchema,
    domain::{
        core::{OrgTx, PersonalTx},
        inbox::watches::{self, ThreadFollowing, Watch},
        paging::{Page, Paging},
    },
};

/// What a user watches.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WatchList {
    /// In the order in which they were added.
    watches: Vec<Watch>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// List what I watch
///
/// Lists the workspaces, components and teams in the active organization whose changes are in the caller's inbox.
#[crate::describe::path(get, path = IN_TABLE, tag = "Inbox", operation_id = "listWatches", params(Paging),
    responses((status = 200, description = "What the caller watches", body = WatchList)))]
pub async fn list(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Member>,
    Query(paging): Query<Paging>,
) -> Result<Json<WatchList>> {
    let list = move |tx: &OrgTx<'_>| watches::list(tx, &paging);
    let Page { items: watches, next_cursor } = api.gate.read(call, (), list).await?;
    Ok(Json(WatchList { watches, next_cursor }))
}

/// Watch a workspace
///
/// Changes by others and new threads are in the caller's inbox from now on. A user can watch 500 workspaces, components
/// and teams.
#[crate::describe::path(put, path = IN_TABLE, tag = "Inbox", operation_id = "watchWorkspace",
    responses((status = 200, description = "Workspace watched", body = Done)))]
pub async fn watch_workspace(
    State(api): State<Api>,
    Authenticated(call): Authenticated<PersonalViewer>,
    Path(id): Path<String>,
) -> Result<Json<Done>> {
    api.gate.write(call, id, watches::watch_workspace).await?;
    Ok(DONE)
}

/// Stop watching a workspace
///
/// Components that are watched by themselves still are.
#[crate::describe::path(delete, path = IN_TABLE, tag = "Inbox", operation_id = "unwatchWorkspace",
    responses((status = 200, description = "Workspace no longer watched", body = Done)))]
pub async fn unwatch_workspace(
    State(api): State<Api>,
    Authenticated(call): Authenticated<PersonalViewer>,
    Path(id): Path<String>,
) -> Result<Json<Done>> {
    api.gate.write(call, id, watches::unwatch_workspace).await?;
    Ok(DONE)
}

/// Watch a component
///
/// Changes of it, its relationships, stakeholders and links by others, and new threads about it, are in the caller's inbox
/// from now on.
#[crate::describe::path(put, path = IN_TABLE, tag = "Inbox", operation_id = "watchComponent",
    responses((status = 200, description = "Component watched", body = Done)))]
pub async fn watch_component(
    State(api): State<Api>,
    Authenticated(call): Authenticated<PersonalViewer>,
    Path((id, component_id)): Path<(String, String)>,
) -> Result<Json<Done>> {
    let watch = move |tx: &mut PersonalTx<'_>| watches::watch_component(tx, &component_id);
    api.gate.write(call, id, watch).await?;
    Ok(DONE)
}

/// Stop watching a component
///
/// The component may be deleted.
#[crate::describe::path(delete, path = IN_TABLE, tag = "Inbox", operation_id = "unwatchComponent",
    responses((status = 200, description = "Component no longer watched", body = Done)))]
pub async fn unwatch_component(
    State(api): State<Api>,
    Authenticated(call): Authenticated<PersonalViewer>,
    Path((id, component_id)): Path<(String, String)>,
) -> Result<Json<Done>> {
    let unwatch = move |tx: &mut PersonalTx<'_>| watches::unwatch_component(tx, &component_id);
    api.gate.write(call, id, unwatch).await?;
    Ok(DONE)
}

/// Watch the components of a team
///
/// Watches all components that the team is a stakeholder of, in workspaces that the caller can view.
#[crate::describe::path(put, path = IN_TABLE, tag = "Inbox", operation_id = "watchTeam",
    responses((status = 200, description = "Team watched", body = Done)))]
pub async fn watch_team(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Member>,
    Path(team_id): Path<String>,
) -> Result<Json<Done>> {
    api.gate.write(call, (), move |tx| watches::watch_team(tx, &team_id)).await?;
    Ok(DONE)
}

/// Stop watching the components of a team
///
/// The team may be deleted.
#[crate::describe::path(delete, path = IN_TABLE, tag = "Inbox", operation_id = "unwatchTeam",
    responses((status = 200, description = "Team no longer watched", body = Done)))]
pub async fn unwatch_team(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Member>,
    Path(team_id): Path<String>,
) -> Result<Json<Done>> {
    api.gate.write(call, (), move |tx| watches::unwatch_team(tx, &team_id)).await?;
    Ok(DONE)
}

/// Get whether I follow a thread
#[crate::describe::path(get, path = IN_TABLE, tag = "Inbox", operation_id = "getThreadFollowing",
    responses((status = 200, description = "Whether the caller follows the thread", body = ThreadFollowing)))]
pub async fn get_following(
    State(api): State<Api>,
    Authenticated(call): Authenticated<PersonalViewer>,
    Path((id, thread_id)): Path<(String, String)>,
) -> Result<Json<ThreadFollowing>> {
    let read = move |tx: &PersonalTx<'_>| watches::following(tx, &thread_id);
    Ok(Json(api.gate.read(call, id, read).await?))
}

/// Follow a thread
///
/// Replies are in the caller's inbox from now on. Users who write in a thread or are mentioned in it follow it by
/// themselves.
#[crate::describe::path(put, path = IN_TABLE, tag = "Inbox", operation_id = "followThread",
    responses((status = 200, description = "The caller follows the thread", body = ThreadFollowing)))]
pub async fn follow_thread(
    State(api): State<Api>,
    Authenticated(call): Authenticated<PersonalViewer>,
    Path((id, thread_id)): Path<(String, String)>,
) -> Result<Json<ThreadFollowing>> {
    let follow = move |tx: &mut PersonalTx<'_>| watches::set_following(tx, &thread_id, true);
    Ok(Json(api.gate.write(call, id, follow).await?))
}

/// Leave a thread
///
/// Replies are no longer in the caller's inbox, until they write in the thread again. Mentions still are.
#[crate::describe::path(delete, path = IN_TABLE, tag = "Inbox", operation_id = "leaveThread",
    responses((status = 200, description = "The caller no longer follows the thread", body = ThreadFollowing)))]
pub async fn leave_thread(
    State(api): State<Api>,
    Authenticated(call): Authenticated<PersonalViewer>,
    Path((id, thread_id)): Path<(String, String)>,
) -> Result<Json<ThreadFollowing>> {
    let leave = move |tx: &mut PersonalTx<'_>| watches::set_following(tx, &thread_id, false);
    Ok(Json(api.gate.write(call, id, leave).await?))
}
