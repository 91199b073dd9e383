//! Stakeholder roles, which the API paths call stakeholder link types.

use axum::extract::State;
use serde::Serialize;

use super::{
    access::{OrgAdmin, OrgReader, OrganizationScope},
    api::Api,
    error::Result,
    extract::{Authenticated, Path, Query, Write},
    responses::{Created, DONE, Done, Json},
    route::IN_TABLE,
};
use crate::{
    describe::ToSchema,
    domain::{
        core::OrgViewTx,
        directory::roles::{self, NewRole, Role, RolePatch},
        paging::{Page, Paging},
    },
};

/// Roles.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoleList {
    /// Ordered by `sortOrder`, then by creation.
    types: Vec<Role>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// One role.
#[derive(Debug, Serialize, ToSchema)]
pub struct RoleResponse {
    /// The role.
    #[serde(rename = "type")]
    role: Role,
}

/// List roles
///
/// A new organization has the roles `owner`, `support`, and `business-owner`. An instance administrator without an
/// active organization gets the roles of all organizations, grouped by organization.
#[crate::describe::path(get, path = IN_TABLE, tag = "Roles", operation_id = "listRoles", params(Paging),
    responses((status = 200, description = "The roles", body = RoleList)))]
pub async fn list(
    State(api): State<Api>,
    Authenticated(call): Authenticated<OrgReader>,
    Query(paging): Query<Paging>,
) -> Result<Json<RoleList>> {
    let list = move |tx: &OrgViewTx<'_>| roles::list(tx, &paging);
    let Page { items: types, next_cursor } = api.gate.read(call, (), list).await?;
    Ok(Json(RoleList { types, next_cursor }))
}

/// Create a role
#[crate::describe::path(post, path = IN_TABLE, tag = "Roles", operation_id = "createRole",
    request_body = NewRole, responses((status = 201, description = "The created role", body = RoleResponse)))]
pub async fn create(
    State(api): State<Api>,
    Write { call, body, .. }: Write<OrgAdmin, NewRole>,
) -> Result<Created<RoleResponse>> {
    let role = api.gate.write(call, OrganizationScope::Active, |tx| roles::create(tx, body)).await?;
    Ok(Created(RoleResponse { role }))
}

/// Update a role
///
/// All fields except the id can be changed, also of the three initial roles.
#[crate::describe::path(patch, path = IN_TABLE, tag = "Roles", operation_id = "updateRole",
    request_body = RolePatch, responses((status = 200, description = "The updated role", body = RoleResponse)))]
pub async fn update(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<OrgAdmin, RolePatch>,
) -> Result<Json<RoleResponse>> {
    let role = api.gate.write(call, OrganizationScope::Active, move |tx| roles::update(tx, &id, body)).await?;
    Ok(Json(RoleResponse { role }))
}

/// Delete a role
///
/// If stakeholder links use the role, the response is 409 with the code `role_in_use` and their `count`.
#[crate::describe::path(delete, path = IN_TABLE, tag = "Roles", operation_id = "deleteRole",
    responses((status = 200, description = "Role deleted", body = Done)))]
pub async fn delete(
    State(api): State<Api>,
    Authenticated(call): Authenticated<OrgAdmin>,
    Path(id): Path<String>,
) -> Result<Json<Done>> {
    api.gate.write(call, OrganizationScope::Active, move |tx| roles::delete(tx, &id)).await?;
    Ok(DONE)
}
