//! Teams and their members.

use axum::{extract::State, response::Response};
use serde::Serialize;

use super::{
    access::{Member, OrgAdmin, OrgReader, OrganizationScope},
    api::Api,
    directory::{ForceQuery, OrganizationQuery},
    error::Result,
    extract::{Authenticated, Path, Query, Write},
    responses::{Created, DONE, Done, Json, json, large_read},
    route::IN_TABLE,
};
use crate::{
    describe::ToSchema,
    domain::{
        core::OrgViewTx,
        directory::{
            team_members::{self, NewTeamMember, TeamMember, TeamMemberPatch},
            teams::{self, NewTeam, Team, TeamDetails, TeamPatch},
        },
        paging::{Page, Paging},
    },
};

/// Teams.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamList {
    /// In order of creation.
    teams: Vec<Team>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// One team.
#[derive(Debug, Serialize, ToSchema)]
pub struct TeamResponse {
    /// The team.
    team: Team,
}

/// The members of a team.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamMemberList {
    /// In the order in which they were added.
    members: Vec<TeamMember>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// One member of a team.
#[derive(Debug, Serialize, ToSchema)]
pub struct TeamMemberResponse {
    /// The member.
    member: TeamMember,
}

/// List teams
///
/// An instance administrator without an active organization gets the teams of all organizations, grouped by
/// organization.
#[crate::describe::path(get, path = IN_TABLE, tag = "Teams", operation_id = "listTeams", params(Paging),
    responses((status = 200, description = "The teams", body = TeamList)))]
pub async fn list(
    State(api): State<Api>,
    Authenticated(call): Authenticated<OrgReader>,
    Query(paging): Query<Paging>,
) -> Result<Response> {
    let list = move |tx: &OrgViewTx<'_>| {
        let Page { items: teams, next_cursor } = teams::list(tx, &paging)?;
        Ok(TeamList { teams, next_cursor })
    };
    Ok(json(large_read(&api, call, (), list).await?))
}

/// Create a team
#[crate::describe::path(post, path = IN_TABLE, tag = "Teams", operation_id = "createTeam",
    request_body = NewTeam, responses((status = 201, description = "The created team", body = TeamResponse)))]
pub async fn create(
    State(api): State<Api>,
    Write { call, body, .. }: Write<Member, NewTeam>,
) -> Result<Created<TeamResponse>> {
    let team = api.gate.write(call, (), |tx| teams::create(tx, body)).await?;
    Ok(Created(TeamResponse { team }))
}

/// Get a team
///
/// Includes its members.
#[crate::describe::path(get, path = IN_TABLE, tag = "Teams", operation_id = "getTeam", params(OrganizationQuery),
    responses((status = 200, description = "The team", body = TeamDetails)))]
pub async fn get(
    State(api): State<Api>,
    Authenticated(call): Authenticated<OrgReader>,
    Path(id): Path<String>,
    Query(place): Query<OrganizationQuery>,
) -> Result<Json<TeamDetails>> {
    Ok(Json(api.gate.read(call, (), move |tx| teams::read(tx, &id, place.org_id.as_deref())).await?))
}

/// Update a team
#[crate::describe::path(patch, path = IN_TABLE, tag = "Teams", operation_id = "updateTeam",
    request_body = TeamPatch, responses((status = 200, description = "The updated team", body = TeamResponse)))]
pub async fn update(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<Member, TeamPatch>,
) -> Result<Json<TeamResponse>> {
    let team = api.gate.write(call, (), move |tx| teams::update(tx, &id, body)).await?;
    Ok(Json(TeamResponse { team }))
}

/// Delete a team
///
/// The people in the team are not deleted. If stakeholder links use the team, the response is 409 with their `count`.
/// With `force`, these links are deleted too, in all workspaces of the organization. If one of them is protected, the response
/// is 403 with the code `protected`.
#[crate::describe::path(delete, path = IN_TABLE, tag = "Teams", operation_id = "deleteTeam", params(ForceQuery),
    responses((status = 200, description = "Team deleted", body = Done)))]
pub async fn delete(
    State(api): State<Api>,
    Authenticated(call): Authenticated<OrgAdmin>,
    Path(id): Path<String>,
    Query(how): Query<ForceQuery>,
) -> Result<Json<Done>> {
    api.gate.write(call, OrganizationScope::Active, move |tx| teams::delete(tx, &id, how.force)).await?;
    Ok(DONE)
}

/// List team members
#[crate::describe::path(get, path = IN_TABLE, tag = "Teams", operation_id = "listTeamMembers", params(OrganizationQuery, Paging),
    responses((status = 200, description = "The members", body = TeamMemberList)))]
pub async fn members(
    State(api): State<Api>,
    Authenticated(call): Authenticated<OrgReader>,
    Path(id): Path<String>,
    Query(place): Query<OrganizationQuery>,
    Query(paging): Query<Paging>,
) -> Result<Json<TeamMemberList>> {
    let list = move |tx: &OrgViewTx<'_>| team_members::list(tx, &id, place.org_id.as_deref(), &paging);
    let Page { items: members, next_cursor } = api.gate.read(call.large(), (), list).await?;
    Ok(Json(TeamMemberList { members, next_cursor }))
}

/// Add a team member
#[crate::describe::path(post, path = IN_TABLE, tag = "Teams", operation_id = "addTeamMember",
    request_body = NewTeamMember, responses((status = 201, description = "The added member", body = TeamMemberResponse)))]
pub async fn add_member(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<Member, NewTeamMember>,
) -> Result<Created<TeamMemberResponse>> {
    let member = api.gate.write(call, (), move |tx| team_members::add(tx, &id, body)).await?;
    Ok(Created(TeamMemberResponse { member }))
}

/// Update the role of a team member
#[crate::describe::path(patch, path = IN_TABLE, tag = "Teams", operation_id = "updateTeamMember",
    request_body = TeamMemberPatch,
    responses((status = 200, description = "The updated member", body = TeamMemberResponse)))]
pub async fn update_member(
    State(api): State<Api>,
    Path((id, person_id)): Path<(String, String)>,
    Write { call, body, .. }: Write<Member, TeamMemberPatch>,
) -> Result<Json<TeamMemberResponse>> {
    let member = api.gate.write(call, (), move |tx| team_members::change(tx, &id, &person_id, &body)).await?;
    Ok(Json(TeamMemberResponse { member }))
}

/// Remove a team member
#[crate::describe::path(delete, path = IN_TABLE, tag = "Teams", operation_id = "removeTeamMember",
    responses((status = 200, description = "Team member removed", body = Done)))]
pub async fn remove_member(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Member>,
    Path((id, person_id)): Path<(String, String)>,
) -> Result<Json<Done>> {
    api.gate.write(call, (), move |tx| team_members::remove(tx, &id, &person_id)).await?;
    Ok(DONE)
}
