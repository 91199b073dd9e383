//! Kinds of components that an organization shares.

use axum::{extract::State, response::Response};
use serde::{Deserialize, Serialize};

use super::{
    access::{OrgAdmin, OrgReader, OrganizationScope},
    api::Api,
    error::Result,
    extract::{Authenticated, Path, Query, Write},
    responses::{Created, DONE, Done, Json, json, large_read},
    route::IN_TABLE,
};
use crate::{
    describe::{IntoParams, ToSchema},
    domain::{
        core::{OrgAdminTx, OrgViewTx},
        directory::component_kinds::{self, ComponentKind, ComponentKindPatch, NewComponentKind},
        paging::{Page, Paging},
    },
};

/// Kinds.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ComponentKindList {
    /// In creation order.
    kinds: Vec<ComponentKind>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// One kind.
#[derive(Debug, Serialize, ToSchema)]
pub struct ComponentKindResponse {
    /// The kind.
    kind: ComponentKind,
}

/// Whether to delete a kind that is in use.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct DeleteKindQuery {
    /// Also delete the kind if components are of this kind. They keep their properties. Default: `false`.
    #[serde(default)]
    force: bool,
}

/// List kinds
///
/// Kinds are names, looks and fields for components, which all maps of the organization share. A component is of a kind
/// if its property `kind` is the id of the kind. The values of the fields are properties too; the server does not check
/// them. An instance administrator without an active organization gets the kinds of all organizations, grouped by
/// organization.
#[crate::describe::path(get, path = IN_TABLE, tag = "Kinds", operation_id = "listKinds", params(Paging),
    responses((status = 200, description = "The kinds", body = ComponentKindList)))]
pub async fn list(
    State(api): State<Api>,
    Authenticated(call): Authenticated<OrgReader>,
    Query(paging): Query<Paging>,
) -> Result<Response> {
    let list = move |tx: &OrgViewTx<'_>| {
        let Page { items: kinds, next_cursor } = component_kinds::list(tx, &paging)?;
        Ok(ComponentKindList { kinds, next_cursor })
    };
    Ok(json(large_read(&api, call, (), list).await?))
}

/// Create a kind
///
/// Responds 409 if another kind has the name.
#[crate::describe::path(post, path = IN_TABLE, tag = "Kinds", operation_id = "createKind",
    request_body = NewComponentKind, responses((status = 201, description = "The created kind", body = ComponentKindResponse)))]
pub async fn create(
    State(api): State<Api>,
    Write { call, body, .. }: Write<OrgAdmin, NewComponentKind>,
) -> Result<Created<ComponentKindResponse>> {
    let kind = api.gate.write(call, OrganizationScope::Active, |tx| component_kinds::create(tx, body)).await?;
    Ok(Created(ComponentKindResponse { kind }))
}

/// Update a kind
///
/// Components do not change: after an update of `baseType` they keep their type, and after an update of `fields` they
/// keep the properties of removed fields.
#[crate::describe::path(patch, path = IN_TABLE, tag = "Kinds", operation_id = "updateKind",
    request_body = ComponentKindPatch, responses((status = 200, description = "The updated kind", body = ComponentKindResponse)))]
pub async fn update(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<OrgAdmin, ComponentKindPatch>,
) -> Result<Json<ComponentKindResponse>> {
    let update = move |tx: &mut OrgAdminTx<'_>| component_kinds::update(tx, &id, body);
    let kind = api.gate.write(call, OrganizationScope::Active, update).await?;
    Ok(Json(ComponentKindResponse { kind }))
}

/// Delete a kind
///
/// If components are of this kind, the response is 409 with the code `kind_in_use` and their `count`. With `force`, the
/// kind is deleted; the components keep their properties and are shown as components of their type. If one of them is in a
/// protected workspace, the response is 403 with the code `protected`.
#[crate::describe::path(delete, path = IN_TABLE, tag = "Kinds", operation_id = "deleteKind", params(DeleteKindQuery),
    responses((status = 200, description = "Kind deleted", body = Done)))]
pub async fn delete(
    State(api): State<Api>,
    Authenticated(call): Authenticated<OrgAdmin>,
    Path(id): Path<String>,
    Query(how): Query<DeleteKindQuery>,
) -> Result<Json<Done>> {
    let delete = move |tx: &mut OrgAdminTx<'_>| component_kinds::delete(tx, &id, how.force);
    api.gate.write(call, OrganizationScope::Active, delete).await?;
    Ok(DONE)
}
