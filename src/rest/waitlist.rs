//! The waitlist.

use axum::{Json, extract::State};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    answers::{Created, DONE, Done},
    api::Api,
    error::Result,
    extract::{Asked, Path, PublicWrite, Query, Write},
    route::IN_TABLE,
};
use crate::{
    auth::throttle::{Kind, Who},
    domain::{
        access::AdminTx,
        invitations::Invited,
        paging::{Page, Paging},
        sign_in::Visitor,
        waitlist::{self, Entry, NewEntry, WaitlistInvitation},
    },
};

/// The waitlist.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EntriesAnswer {
    /// In order of creation.
    entries: Vec<Entry>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// Ask for an account
///
/// The answer is the same for an address that is on the waitlist already. A waitlist that is closed answers 403.
#[utoipa::path(post, path = IN_TABLE, tag = "Waitlist", operation_id = "joinWaitlist",
    request_body = NewEntry, responses((status = 201, description = "They are on the waitlist", body = Done)))]
pub async fn join(
    State(api): State<Api>,
    visitor: Visitor,
    PublicWrite { call, body }: PublicWrite<NewEntry>,
) -> Result<Created<Done>> {
    api.throttle.attempt(Kind::Waitlist, [Who::address(visitor.address)])?;
    api.gate.public(call, move |tx| waitlist::join(tx, &body)).await?;
    Ok(Created(DONE.0))
}

/// List the waitlist
#[utoipa::path(get, path = IN_TABLE, tag = "Waitlist", operation_id = "listWaitlist", params(Paging),
    responses((status = 200, description = "The entries", body = EntriesAnswer)))]
pub async fn list(
    State(api): State<Api>,
    Asked(call): Asked,
    Query(paging): Query<Paging>,
) -> Result<Json<EntriesAnswer>> {
    let list = move |tx: &AdminTx<'_>| waitlist::list(tx, &paging);
    let Page { items: entries, next_cursor } = api.gate.admin_view(call, list).await?;
    Ok(Json(EntriesAnswer { entries, next_cursor }))
}

/// Take somebody off the waitlist
#[utoipa::path(delete, path = IN_TABLE, tag = "Waitlist", operation_id = "removeFromWaitlist",
    responses((status = 200, description = "They are off it", body = Done)))]
pub async fn remove(State(api): State<Api>, Asked(call): Asked, Path(id): Path<i64>) -> Result<Json<Done>> {
    api.gate.admin(call, move |tx| waitlist::remove(tx, id)).await?;
    Ok(DONE)
}

/// Invite somebody from the waitlist
///
/// Into the active organization, by a link that is shown this once. To make them its admin takes one.
#[utoipa::path(post, path = IN_TABLE, tag = "Waitlist", operation_id = "inviteFromWaitlist",
    request_body = WaitlistInvitation, responses((status = 201, description = "The invitation", body = Invited)))]
pub async fn invite(
    State(api): State<Api>,
    Path(id): Path<i64>,
    Write { call, body, .. }: Write<WaitlistInvitation>,
) -> Result<Created<Invited>> {
    Ok(Created(api.gate.admin(call, move |tx| waitlist::invite(tx, id, body)).await?))
}
