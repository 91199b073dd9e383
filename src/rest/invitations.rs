//! Invitations to an organization.

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use serde::Serialize;

use super::{
    access::{OrgAdmin, OrgAdminReader, OrganizationScope, SessionUser},
    api::Api,
    auth,
    error::Result,
    extract::{Anonymous, Authenticated, MaybeAuthenticated, Path, PublicWrite, Query, Write},
    responses::{Created, DONE, Done, Json},
    route::IN_TABLE,
};
use crate::{
    auth::{
        throttle::{AttemptKind, LimitKey},
        tokens,
    },
    describe::ToSchema,
    domain::{
        accounts::{
            sessions::SignedIn,
            sign_in::{InvitationAcceptance, Visitor},
        },
        core::OrgViewTx,
        organizations::invitations::{self, CreatedInvitation, Invitation, NewInvitation, OpenInvitation},
        paging::{Page, Paging},
    },
};

/// Invitations.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvitationList {
    /// Open and accepted invitations, ordered by creation.
    invitations: Vec<Invitation>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// List invitations
#[crate::describe::path(get, path = IN_TABLE, tag = "Organizations", operation_id = "listInvitations", params(Paging),
    responses((status = 200, description = "The invitations, without their links", body = InvitationList)))]
pub async fn list(
    State(api): State<Api>,
    Authenticated(call): Authenticated<OrgAdminReader>,
    Path(id): Path<String>,
    Query(paging): Query<Paging>,
) -> Result<Json<InvitationList>> {
    let list = move |tx: &OrgViewTx<'_>| invitations::list(tx, &paging);
    let Page { items: invitations, next_cursor } = api.gate.read(call.large(), id, list).await?;
    Ok(Json(InvitationList { invitations, next_cursor }))
}

/// Create an invitation
///
/// The link is shown only in this response. It can be used once, within seven days.
#[crate::describe::path(post, path = IN_TABLE, tag = "Organizations", operation_id = "createInvitation",
    request_body = NewInvitation,
    responses((status = 201, description = "The created invitation with its link", body = CreatedInvitation)))]
pub async fn create(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<OrgAdmin, NewInvitation>,
) -> Result<Created<CreatedInvitation>> {
    Ok(Created(api.gate.write(call, OrganizationScope::Id(id), |tx| invitations::create(tx, body)).await?))
}

/// Revoke an invitation
#[crate::describe::path(delete, path = IN_TABLE, tag = "Organizations", operation_id = "revokeInvitation",
    responses((status = 200, description = "Invitation revoked", body = Done)))]
pub async fn revoke(
    State(api): State<Api>,
    Authenticated(call): Authenticated<OrgAdmin>,
    Path((id, invitation_id)): Path<(String, i64)>,
) -> Result<Json<Done>> {
    api.gate.write(call, OrganizationScope::Id(id), move |tx| invitations::revoke(tx, invitation_id)).await?;
    Ok(DONE)
}

/// Accept an invitation
///
/// New users send login, name, and password, and are signed in. Signed-in users send their credential and `{}`, and the
/// organization becomes the active one.
#[crate::describe::path(post, path = IN_TABLE, tag = "Organizations", operation_id = "acceptInvitation",
    request_body = InvitationAcceptance,
    responses((status = 200, description = "The session in the organization", body = SignedIn)))]
pub async fn accept(
    State(api): State<Api>,
    MaybeAuthenticated(asked): MaybeAuthenticated<SessionUser>,
    visitor: Visitor,
    Path(token): Path<String>,
    PublicWrite { call, body }: PublicWrite<InvitationAcceptance>,
) -> Result<Response> {
    Ok(match asked {
        Some(asked) => Json(api.sign_in.join_as(asked, &visitor, &token, body).await?).into_response(),
        None => auth::signed_in(&api, api.sign_in.join(call, visitor, &token, body).await?),
    })
}

/// Get an invitation
///
/// The token of the invitation link is the only requirement.
#[crate::describe::path(get, path = IN_TABLE, tag = "Organizations", operation_id = "getInvitation",
    responses((status = 200, description = "The invitation", body = OpenInvitation)))]
pub async fn preview(
    State(api): State<Api>,
    Anonymous(call): Anonymous,
    visitor: Visitor,
    Path(token): Path<String>,
) -> Result<Json<OpenInvitation>> {
    let token = tokens::hash(&token);
    let attempt = api.throttle.attempt(AttemptKind::Invitation, [LimitKey::address(visitor.address)])?;
    let invitation = api.gate.read(call, (), move |tx| invitations::details(tx, &token)).await?;
    attempt.succeeded();
    Ok(Json(invitation))
}
