//! Requests for edit access to a workspace. An owner accepts a request by adding its user as a member.

pub use super::model::access_requests::{AccessRequest, MadeRequest, NewAccessRequest};
use super::store;
use crate::{
    domain::{
        core::{AccessRequestTx, AccessRequesterTx, OwnTx, Reads, RequestEnd, access_request_count},
        paging::{Page, Paging},
        values::Message,
    },
    error::{Error, Result},
};

/// Maximum number of open requests in a workspace.
pub const MAX_ACCESS_REQUESTS: i64 = 200;

/// Lists the open requests, oldest first.
pub fn list(tx: &OwnTx<'_>, paging: &Paging) -> Result<Page<AccessRequest>> {
    store::access_requests::list(tx.core().conn, &tx.key(), &paging.window("access-requests")?)
}

/// Requests access for the caller. If the caller has an open request, it is returned unchanged.
pub fn create(tx: &mut AccessRequesterTx<'_>, new: &NewAccessRequest) -> Result<MadeRequest> {
    let (core, user_id) = (tx.core(), tx.user_id()?);
    if let Some(request) = store::access_requests::by_user(core.conn, &tx.key(), user_id)? {
        return Ok(MadeRequest { request, is_new: false });
    }
    if access_request_count(core.conn, tx.pk())? >= MAX_ACCESS_REQUESTS {
        return Err(Error::LimitReached {
            limit: MAX_ACCESS_REQUESTS,
            actual: MAX_ACCESS_REQUESTS + 1,
            message: format!(
                "this workspace has {MAX_ACCESS_REQUESTS} open access requests, which is the limit; ask one of its \
                 owners directly"
            ),
        });
    }
    let message = new.message.as_ref().map(Message::as_str).filter(|text| !text.is_empty());
    let role = new.role.unwrap_or_default();
    store::access_requests::insert(core.conn, tx.pk(), user_id, (role, message), core.now)?;
    core.announce_access_request(tx.workspace(), user_id)?;
    let request = store::access_requests::by_user(core.conn, &tx.key(), user_id)?.ok_or(NOT_FOUND)?;
    Ok(MadeRequest { request, is_new: true })
}

/// Declines the request as an owner, or withdraws it as its user.
pub fn delete(tx: &mut AccessRequestTx<'_>) -> Result<()> {
    let is_own = tx.user_id()? == tx.requester_id();
    let why = if is_own { RequestEnd::Withdrawn } else { RequestEnd::Declined };
    let is_deleted = tx.core().end_access_request(tx.workspace(), tx.requester_id(), why)?;
    if is_deleted { Ok(()) } else { Err(NOT_FOUND) }
}

const NOT_FOUND: Error = Error::NotFound("access request");
