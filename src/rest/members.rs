//! Members of a workspace.

use axum::extract::State;
use serde::Serialize;

use super::{
    access::{Owner, Viewer},
    api::Api,
    error::Result,
    extract::{Authenticated, Path, Query, Write},
    responses::{DONE, Done, Json},
    route::IN_TABLE,
};
use crate::{
    describe::ToSchema,
    domain::{
        core::{OwnTx, ViewTx},
        map::members::{self, ListedMember, MemberPatch, NewMember},
        paging::{Page, Paging},
        users::Profile,
        values::AccessLevel,
    },
};

/// The members of a workspace.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberList {
    /// In the order in which they were added.
    members: Vec<ListedMember>,
    /// The caller's access level; null for an instance administrator who is not a member and has read access only.
    #[schema(required)]
    my_role: Option<AccessLevel>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// One member.
#[derive(Debug, Serialize, ToSchema)]
pub struct MemberResponse {
    /// The member.
    member: ListedMember,
}

/// Users who could become members.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberCandidateList {
    /// Ordered by name.
    users: Vec<Profile>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// List members
///
/// Lists the users with an access level in the workspace. Depending on its visibility, others can see or edit it too.
#[crate::describe::path(get, path = IN_TABLE, tag = "Members", operation_id = "listMembers", params(Paging),
    responses((status = 200, description = "The members", body = MemberList)))]
pub async fn list(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path(id): Path<String>,
    Query(paging): Query<Paging>,
) -> Result<Json<MemberList>> {
    let answer = move |tx: &ViewTx<'_>| {
        let Page { items: members, next_cursor } = members::list(tx, &paging)?;
        Ok(MemberList { members, my_role: tx.workspace().my_role, next_cursor })
    };
    Ok(Json(api.gate.read(call, id, answer).await?))
}

/// List member candidates
///
/// Lists the members of the organization who are not members of the workspace.
#[crate::describe::path(get, path = IN_TABLE, tag = "Members", operation_id = "listMemberCandidates", params(Paging),
    responses((status = 200, description = "The users who can become members", body = MemberCandidateList)))]
pub async fn candidates(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Owner>,
    Path(id): Path<String>,
    Query(paging): Query<Paging>,
) -> Result<Json<MemberCandidateList>> {
    let list = move |tx: &OwnTx<'_>| members::candidates(tx, &paging);
    let Page { items: users, next_cursor } = api.gate.read(call, id, list).await?;
    Ok(Json(MemberCandidateList { users, next_cursor }))
}

/// Add or update a member
///
/// Sets the access level of a member of the organization in the workspace.
#[crate::describe::path(post, path = IN_TABLE, tag = "Members", operation_id = "putMember",
    request_body = NewMember, responses((status = 200, description = "Access level set", body = Done)))]
pub async fn put(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<Owner, NewMember>,
) -> Result<Json<Done>> {
    api.gate.write(call, id, |tx| members::put(tx, body)).await?;
    Ok(DONE)
}

/// Update the access level of a member
#[crate::describe::path(patch, path = IN_TABLE, tag = "Members", operation_id = "updateMember",
    request_body = MemberPatch, responses((status = 200, description = "The updated member", body = MemberResponse)))]
pub async fn update(
    State(api): State<Api>,
    Path((id, user_id)): Path<(String, i64)>,
    Write { call, body, .. }: Write<Owner, MemberPatch>,
) -> Result<Json<MemberResponse>> {
    let member = api.gate.write(call, id, move |tx| members::change(tx, user_id, &body)).await?;
    Ok(Json(MemberResponse { member }))
}

/// Remove a member
///
/// The last owner cannot be removed.
#[crate::describe::path(delete, path = IN_TABLE, tag = "Members", operation_id = "removeMember",
    responses((status = 200, description = "Member removed", body = Done)))]
pub async fn remove(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Owner>,
    Path((id, user_id)): Path<(String, i64)>,
) -> Result<Json<Done>> {
    api.gate.write(call, id, move |tx| members::remove(tx, user_id)).await?;
    Ok(DONE)
}
