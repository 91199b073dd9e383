//! Organizations and their members.

use axum::extract::State;
use serde::{Deserialize, Serialize};

use super::{
    access::{MembershipManager, MembershipScope, OrgAdmin, OrgAdminReader, OrganizationScope, SessionUser, User},
    api::Api,
    error::Result,
    extract::{Authenticated, Path, Query, Write},
    responses::{Created, DONE, Done, Json},
    route::IN_TABLE,
};
use crate::{
    describe::{IntoParams, ToSchema},
    domain::{
        core::{OrgViewTx, SelfTx},
        organizations::{
            self, NewOrganization, Organization, OrganizationPatch, leaving,
            members::{self, OrgMember, OrgMemberPatch},
        },
        paging::{Page, Paging},
    },
};

/// Organizations.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrganizationList {
    /// Ordered by when the caller joined them.
    organizations: Vec<Organization>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// One organization.
#[derive(Debug, Serialize, ToSchema)]
pub struct OrganizationResponse {
    /// The organization.
    organization: Organization,
}

/// The members of an organization.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrgMemberList {
    /// Ordered by when they joined.
    members: Vec<OrgMember>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// One member of an organization.
#[derive(Debug, Serialize, ToSchema)]
pub struct OrgMemberResponse {
    /// The member.
    member: OrgMember,
}

/// The new owner of a leaving member's workspaces.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct RemovalQuery {
    /// User id of the member who becomes the owner of the workspaces of which the leaving member is the only owner.
    transfer_to: Option<i64>,
}

/// List my organizations
#[crate::describe::path(get, path = IN_TABLE, tag = "Organizations", operation_id = "listOrganizations", params(Paging),
    responses((status = 200, description = "The organizations", body = OrganizationList)))]
pub async fn list(
    State(api): State<Api>,
    Authenticated(call): Authenticated<User>,
    Query(paging): Query<Paging>,
) -> Result<Json<OrganizationList>> {
    let list = move |tx: &SelfTx<'_>| organizations::list(tx, &paging);
    let Page { items: organizations, next_cursor } = api.gate.read(call, (), list).await?;
    Ok(Json(OrganizationList { organizations, next_cursor }))
}

/// Create an organization
///
/// The caller becomes its admin. To work in it, switch to the organization or sign in again.
#[crate::describe::path(post, path = IN_TABLE, tag = "Organizations", operation_id = "createOrganization",
    request_body = NewOrganization,
    responses((status = 201, description = "The created organization", body = OrganizationResponse)))]
pub async fn create(
    State(api): State<Api>,
    Write { call, body, .. }: Write<SessionUser, NewOrganization>,
) -> Result<Created<OrganizationResponse>> {
    let organization = api.gate.write(call, (), |tx| organizations::create(tx, body)).await?;
    Ok(Created(OrganizationResponse { organization }))
}

/// Update an organization
#[crate::describe::path(patch, path = IN_TABLE, tag = "Organizations", operation_id = "updateOrganization",
    request_body = OrganizationPatch,
    responses((status = 200, description = "The updated organization", body = OrganizationResponse)))]
pub async fn update(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<OrgAdmin, OrganizationPatch>,
) -> Result<Json<OrganizationResponse>> {
    let organization = api.gate.write(call, OrganizationScope::Id(id), |tx| organizations::update(tx, body)).await?;
    Ok(Json(OrganizationResponse { organization }))
}

/// List the members of an organization
#[crate::describe::path(get, path = IN_TABLE, tag = "Organizations", operation_id = "listOrgMembers", params(Paging),
    responses((status = 200, description = "The members", body = OrgMemberList)))]
pub async fn members(
    State(api): State<Api>,
    Authenticated(call): Authenticated<OrgAdminReader>,
    Path(id): Path<String>,
    Query(paging): Query<Paging>,
) -> Result<Json<OrgMemberList>> {
    let list = move |tx: &OrgViewTx<'_>| members::list(tx, &paging);
    let Page { items: members, next_cursor } = api.gate.read(call.large(), id, list).await?;
    Ok(Json(OrgMemberList { members, next_cursor }))
}

/// Update the role of an organization member
///
/// The role of the last admin cannot be changed.
#[crate::describe::path(patch, path = IN_TABLE, tag = "Organizations", operation_id = "updateOrgMember",
    request_body = OrgMemberPatch,
    responses((status = 200, description = "The updated member", body = OrgMemberResponse)))]
pub async fn update_member(
    State(api): State<Api>,
    Path((id, user_id)): Path<(String, i64)>,
    Write { call, body, .. }: Write<OrgAdmin, OrgMemberPatch>,
) -> Result<Json<OrgMemberResponse>> {
    let member = api.gate.write(call, OrganizationScope::Id(id), move |tx| members::change(tx, user_id, &body)).await?;
    Ok(Json(OrgMemberResponse { member }))
}

/// Remove an organization member
///
/// Members can remove themselves; only admins can remove others. The user's tokens, connected apps, and workspace
/// memberships in the organization end. If the user is the only owner of workspaces and `transferTo` is not given, the
/// response is 409 and `workspaces` lists them.
#[crate::describe::path(delete, path = IN_TABLE, tag = "Organizations", operation_id = "removeOrgMember", params(RemovalQuery),
    responses((status = 200, description = "Member removed", body = Done)))]
pub async fn remove_member(
    State(api): State<Api>,
    Authenticated(call): Authenticated<MembershipManager>,
    Path((id, user_id)): Path<(String, i64)>,
    Query(heir): Query<RemovalQuery>,
) -> Result<Json<Done>> {
    let membership = MembershipScope { organization_id: id, user_id };
    api.gate.write(call, membership, move |tx| leaving::leave(tx, heir.transfer_to)).await?;
    Ok(DONE)
}
