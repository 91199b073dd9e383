//! Managing share links. The public pages of links are not a part of this API.

use axum::extract::State;
use serde::Serialize;

use super::{
    access::{Member, OrgAdmin, OrgAdminReader, OrganizationScope, Owner},
    api::Api,
    error::Result,
    extract::{Authenticated, Path, Query, Write},
    responses::{Created, DONE, Done, Json},
    route::IN_TABLE,
};
use crate::{
    auth::passwords::NewPassword,
    describe::ToSchema,
    domain::{
        core::{OrgViewTx, OwnTx},
        input::Nullable,
        paging::{Page, Paging},
        sharing::{
            administration, links,
            model::{NewShareLink, OrgShareLink, ShareLink, ShareLinkPatch},
            rules::{self, OrgSharingRules, SharingRules, SharingRulesPatch},
        },
    },
};

/// The share links of a workspace.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShareList {
    /// Oldest first.
    shares: Vec<ShareLink>,
    /// The rules that apply to the links: the strictest of the instance and the organization.
    rules: SharingRules,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// One share link.
#[derive(Debug, Serialize, ToSchema)]
pub struct ShareResponse {
    /// The share link.
    share: ShareLink,
}

/// The share links of an organization.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrgShareList {
    /// Oldest first.
    shares: Vec<OrgShareLink>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// Hashes the password of a link.
async fn hash(api: &Api, password: Option<NewPassword>) -> Result<Option<String>> {
    match password {
        Some(password) => Ok(Some(api.passwords.run(move || password.hash()).await?)),
        None => Ok(None),
    }
}

/// The link with the uses that are not in the database yet.
fn counted(api: &Api, mut share: ShareLink) -> ShareLink {
    if let Some((uses, day)) = api.shares.uses().of(&share.id) {
        share.uses += uses;
        share.last_used_day = Some(day);
    }
    share
}

/// List share links
///
/// A share link is a public, read-only address of a map, a view, a part of a map, or a process. The list contains the
/// addresses.
#[crate::describe::path(get, path = IN_TABLE, tag = "Share links", operation_id = "listShares", params(Paging),
    responses((status = 200, description = "The share links of the workspace", body = ShareList)))]
pub async fn list(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Owner>,
    Path(id): Path<String>,
    Query(paging): Query<Paging>,
) -> Result<Json<ShareList>> {
    let list = move |tx: &OwnTx<'_>| Ok((links::list(tx, &paging)?, links::rules_of(tx)?));
    let (Page { items, next_cursor }, rules) = api.gate.read(call, id, list).await?;
    let shares = items.into_iter().map(|share| counted(&api, share)).collect();
    Ok(Json(ShareList { shares, rules, next_cursor }))
}

/// Create a share link
///
/// Everyone who has the address in the response can open the link, until it expires or is revoked. It shows no people,
/// accounts, history, wiki pages or properties. It works while the caller is an owner of the workspace; after that, it is
/// paused until another owner adopts it. A workspace can have up to 200 share links.
#[crate::describe::path(post, path = IN_TABLE, tag = "Share links", operation_id = "createShare", request_body = NewShareLink,
    responses((status = 201, description = "The created share link", body = ShareResponse)))]
pub async fn create(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<Owner, NewShareLink>,
) -> Result<Created<ShareResponse>> {
    let password_hash = hash(&api, body.password.clone()).await?;
    let share = api.gate.write(call, id, move |tx| links::create(tx, body, password_hash)).await?;
    Ok(Created(ShareResponse { share }))
}

/// Update a share link
///
/// What a link shows cannot change: create another link instead.
#[crate::describe::path(patch, path = IN_TABLE, tag = "Share links", operation_id = "updateShare", request_body = ShareLinkPatch,
    responses((status = 200, description = "The updated share link", body = ShareResponse)))]
pub async fn update(
    State(api): State<Api>,
    Path((id, share_id)): Path<(String, String)>,
    Write { call, body, .. }: Write<Owner, ShareLinkPatch>,
) -> Result<Json<ShareResponse>> {
    let password = if let Nullable::Value(password) = &body.password { Some(password.clone()) } else { None };
    let password_hash = hash(&api, password).await?;
    let share = api.gate.write(call, id, move |tx| links::update(tx, &share_id, body, password_hash)).await?;
    Ok(Json(ShareResponse { share: counted(&api, share) }))
}

/// Revoke a share link
///
/// Deletes the link. Its address ends with the next request.
#[crate::describe::path(delete, path = IN_TABLE, tag = "Share links", operation_id = "revokeShare",
    responses((status = 200, description = "Share link revoked", body = Done)))]
pub async fn revoke(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Owner>,
    Path((id, share_id)): Path<(String, String)>,
) -> Result<Json<Done>> {
    api.gate.write(call, id, move |tx| links::revoke(tx, &share_id)).await?;
    Ok(DONE)
}

/// Rotate a share link
///
/// Gives the link a new address. The old address ends with the next request.
#[crate::describe::path(post, path = IN_TABLE, tag = "Share links", operation_id = "rotateShare",
    responses((status = 200, description = "The share link with its new address", body = ShareResponse)))]
pub async fn rotate(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Owner>,
    Path((id, share_id)): Path<(String, String)>,
) -> Result<Json<ShareResponse>> {
    let share = api.gate.write(call, id, move |tx| links::rotate(tx, &share_id)).await?;
    Ok(Json(ShareResponse { share: counted(&api, share) }))
}

/// Adopt a share link
///
/// Makes the caller the owner of the link. A paused link works again.
#[crate::describe::path(post, path = IN_TABLE, tag = "Share links", operation_id = "adoptShare",
    responses((status = 200, description = "The adopted share link", body = ShareResponse)))]
pub async fn adopt(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Owner>,
    Path((id, share_id)): Path<(String, String)>,
) -> Result<Json<ShareResponse>> {
    let share = api.gate.write(call, id, move |tx| links::adopt(tx, &share_id)).await?;
    Ok(Json(ShareResponse { share: counted(&api, share) }))
}

/// List the share links of an organization
///
/// Lists the links of all workspaces, without their addresses. Of private workspaces of which the caller is not a member,
/// the list contains only id, owner, expiry and state.
#[crate::describe::path(get, path = IN_TABLE, tag = "Share links", operation_id = "listOrgShares", params(Paging),
    responses((status = 200, description = "The share links of the organization", body = OrgShareList)))]
pub async fn list_of_organization(
    State(api): State<Api>,
    Authenticated(call): Authenticated<OrgAdminReader>,
    Path(id): Path<String>,
    Query(paging): Query<Paging>,
) -> Result<Json<OrgShareList>> {
    let list = move |tx: &OrgViewTx<'_>| administration::list(tx, &paging);
    let Page { items: shares, next_cursor } = api.gate.read(call.large(), id, list).await?;
    Ok(Json(OrgShareList { shares, next_cursor }))
}

/// Revoke a share link of an organization
///
/// Deletes a link of any workspace of the organization. Its address ends with the next request.
#[crate::describe::path(delete, path = IN_TABLE, tag = "Share links", operation_id = "revokeOrgShare",
    responses((status = 200, description = "Share link revoked", body = Done)))]
pub async fn revoke_of_organization(
    State(api): State<Api>,
    Authenticated(call): Authenticated<OrgAdmin>,
    Path((id, share_id)): Path<(String, String)>,
) -> Result<Json<Done>> {
    let scope = OrganizationScope::Id(id);
    api.gate.write(call, scope, move |tx| administration::revoke(tx, &share_id)).await?;
    Ok(DONE)
}

/// Get the rules for share links
///
/// The rules of the active organization and those of the instance. Both apply.
#[crate::describe::path(get, path = IN_TABLE, tag = "Share links", operation_id = "getSharingRules",
    responses((status = 200, description = "The rules", body = OrgSharingRules)))]
pub async fn get_rules(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Member>,
) -> Result<Json<OrgSharingRules>> {
    Ok(Json(api.gate.read(call, (), |tx| rules::read(tx)).await?))
}

/// Update the rules for share links
///
/// The rules of the active organization. They apply to existing links at once.
#[crate::describe::path(patch, path = IN_TABLE, tag = "Share links", operation_id = "updateSharingRules",
    request_body = SharingRulesPatch, responses((status = 200, description = "The updated rules", body = OrgSharingRules)))]
pub async fn update_rules(
    State(api): State<Api>,
    Write { call, body, .. }: Write<OrgAdmin, SharingRulesPatch>,
) -> Result<Json<OrgSharingRules>> {
    Ok(Json(api.gate.write(call, OrganizationScope::Active, move |tx| rules::update(tx, &body)).await?))
}
