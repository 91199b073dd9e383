//! The waitlist.

use axum::extract::State;
use serde::Serialize;

use super::{
    access::Admin,
    api::Api,
    error::Result,
    extract::{Authenticated, Path, PublicWrite, Query, Write},
    responses::{Created, DONE, Done, Json},
    route::IN_TABLE,
};
use crate::{
    auth::throttle::{AttemptKind, LimitKey},
    describe::ToSchema,
    domain::{
        accounts::{
            sign_in::Visitor,
            waitlist::{self, NewWaitlistEntry, WaitlistEntry, WaitlistInvitation},
        },
        core::AdminTx,
        organizations::invitations::CreatedInvitation,
        paging::{Page, Paging},
    },
};

/// The waitlist.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitlistEntryList {
    /// In order of creation.
    entries: Vec<WaitlistEntry>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// Join the waitlist
///
/// The response is the same if the address is already on the waitlist. 403 if the waitlist is closed.
#[crate::describe::path(post, path = IN_TABLE, tag = "Waitlist", operation_id = "joinWaitlist",
    request_body = NewWaitlistEntry, responses((status = 201, description = "Address added to the waitlist", body = Done)))]
pub async fn join(
    State(api): State<Api>,
    visitor: Visitor,
    PublicWrite { call, body }: PublicWrite<NewWaitlistEntry>,
) -> Result<Created<Done>> {
    api.throttle.attempt(AttemptKind::Waitlist, [LimitKey::address(visitor.address)])?;
    api.gate.write_unstored(call, (), move |tx| waitlist::join(tx, &body)).await?;
    Ok(Created(DONE.0))
}

/// List waitlist entries
#[crate::describe::path(get, path = IN_TABLE, tag = "Waitlist", operation_id = "listWaitlist", params(Paging),
    responses((status = 200, description = "The waitlist entries", body = WaitlistEntryList)))]
pub async fn list(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Admin>,
    Query(paging): Query<Paging>,
) -> Result<Json<WaitlistEntryList>> {
    let list = move |tx: &AdminTx<'_>| waitlist::list(tx, &paging);
    let Page { items: entries, next_cursor } = api.gate.read(call, (), list).await?;
    Ok(Json(WaitlistEntryList { entries, next_cursor }))
}

/// Remove a waitlist entry
#[crate::describe::path(delete, path = IN_TABLE, tag = "Waitlist", operation_id = "removeFromWaitlist",
    responses((status = 200, description = "Waitlist entry removed", body = Done)))]
pub async fn remove(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Admin>,
    Path(id): Path<i64>,
) -> Result<Json<Done>> {
    api.gate.write(call, (), move |tx| waitlist::remove(tx, id)).await?;
    Ok(DONE)
}

/// Create an invitation for a waitlist entry
///
/// Invites to the active organization. The link is shown only in this response. Only admins of the
/// organization can invite another admin.
#[crate::describe::path(post, path = IN_TABLE, tag = "Waitlist", operation_id = "inviteFromWaitlist",
    request_body = WaitlistInvitation,
    responses((status = 201, description = "The created invitation with its link", body = CreatedInvitation)))]
pub async fn invite(
    State(api): State<Api>,
    Path(id): Path<i64>,
    Write { call, body, .. }: Write<Admin, WaitlistInvitation>,
) -> Result<Created<CreatedInvitation>> {
    Ok(Created(api.gate.write(call, (), move |tx| waitlist::invite(tx, id, body)).await?))
}
