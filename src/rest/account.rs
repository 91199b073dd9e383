//! The caller's own sessions, password, and two-factor authentication.

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use serde::Serialize;

use super::{
    access::SessionUser,
    api::Api,
    error::Result,
    extract::{Authenticated, Path, Query, Write},
    responses::{Created, DONE, Done, Json},
    route::IN_TABLE,
};
use crate::{
    describe::ToSchema,
    domain::{
        accounts::{
            sessions::{self, Session},
            sign_in::account::{Password, PasswordAndCode, PasswordChange, TotpCode},
            two_factor::{self, NewSecondFactor, RecoveryCodes, SecondFactor},
        },
        core::SessionTx,
        paging::{Page, Paging},
    },
};

/// Sessions.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionList {
    /// Active sessions, most recently used first.
    sessions: Vec<Session>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// List my sessions
#[crate::describe::path(get, path = IN_TABLE, tag = "Me", operation_id = "listSessions", params(Paging),
    responses((status = 200, description = "The active sessions", body = SessionList)))]
pub async fn list_sessions(
    State(api): State<Api>,
    Authenticated(call): Authenticated<SessionUser>,
    Query(paging): Query<Paging>,
) -> Result<Json<SessionList>> {
    let list = move |tx: &SessionTx<'_>| sessions::list(tx, &paging);
    let Page { items: sessions, next_cursor } = api.gate.read(call, (), list).await?;
    Ok(Json(SessionList { sessions, next_cursor }))
}

/// End one of my sessions
///
/// JWTs of the session are rejected from now on.
#[crate::describe::path(delete, path = IN_TABLE, tag = "Me", operation_id = "endSession",
    responses((status = 200, description = "Session ended", body = Done)))]
pub async fn end_session(
    State(api): State<Api>,
    Authenticated(call): Authenticated<SessionUser>,
    Path(id): Path<i64>,
) -> Result<Json<Done>> {
    api.gate.write(call, (), move |tx| sessions::end(tx, id)).await?;
    Ok(DONE)
}

/// End all my other sessions
#[crate::describe::path(delete, path = IN_TABLE, tag = "Me", operation_id = "endOtherSessions",
    responses((status = 200, description = "All other sessions ended", body = Done)))]
pub async fn end_other_sessions(
    State(api): State<Api>,
    Authenticated(call): Authenticated<SessionUser>,
) -> Result<Json<Done>> {
    api.gate.write(call, (), sessions::end_others).await?;
    Ok(DONE)
}

/// Change my password
///
/// Ends all my other sessions, and the open invitations that I created in them. Personal access tokens and connected
/// apps are preserved, unless the request says otherwise.
#[crate::describe::path(post, path = IN_TABLE, tag = "Me", operation_id = "changePassword",
    request_body = PasswordChange, responses((status = 200, description = "Password changed", body = Done)))]
pub async fn change_password(
    State(api): State<Api>,
    Write { call, body, .. }: Write<SessionUser, PasswordChange>,
) -> Result<Response> {
    let device = api.sign_in.change_password(call, body).await?;
    let cookie = device.map(|device| api.settings.cookies.device(device));
    let mut response = DONE.into_response();
    response.headers_mut().extend(cookie);
    Ok(response)
}

/// Get my two-factor authentication status
#[crate::describe::path(get, path = IN_TABLE, tag = "Me", operation_id = "getSecondFactor",
    responses((status = 200, description = "The status and the number of remaining recovery codes",
               body = SecondFactor)))]
pub async fn get_second_factor(
    State(api): State<Api>,
    Authenticated(call): Authenticated<SessionUser>,
) -> Result<Json<SecondFactor>> {
    Ok(Json(api.gate.read(call, (), two_factor::read).await?))
}

/// Set up an authenticator app
///
/// Two-factor authentication is enabled when a code of the app is confirmed.
#[crate::describe::path(post, path = IN_TABLE, tag = "Me", operation_id = "startSecondFactor",
    request_body = Password,
    responses((status = 201, description = "The secret for the authenticator app", body = NewSecondFactor)))]
pub async fn start_second_factor(
    State(api): State<Api>,
    Write { call, body, .. }: Write<SessionUser, Password>,
) -> Result<Created<NewSecondFactor>> {
    Ok(Created(api.sign_in.start_second_factor(call, body).await?))
}

/// Confirm the authenticator app
///
/// Enables two-factor authentication and ends my other sessions. The recovery codes are shown only in this response.
#[crate::describe::path(post, path = IN_TABLE, tag = "Me", operation_id = "confirmSecondFactor",
    request_body = TotpCode,
    responses((status = 200, description = "The recovery codes", body = RecoveryCodes)))]
pub async fn confirm_second_factor(
    State(api): State<Api>,
    Write { call, body, .. }: Write<SessionUser, TotpCode>,
) -> Result<Json<RecoveryCodes>> {
    Ok(Json(api.sign_in.confirm_second_factor(call, body).await?))
}

/// Disable two-factor authentication
///
/// Requires a code and the password.
#[crate::describe::path(post, path = IN_TABLE, tag = "Me", operation_id = "disableSecondFactor",
    request_body = PasswordAndCode,
    responses((status = 200, description = "Two-factor authentication disabled", body = Done)))]
pub async fn disable_second_factor(
    State(api): State<Api>,
    Write { call, body, .. }: Write<SessionUser, PasswordAndCode>,
) -> Result<Json<Done>> {
    api.sign_in.disable_second_factor(call, body).await?;
    Ok(DONE)
}

/// Create new recovery codes
///
/// Requires a code and the password. The previous recovery codes become invalid.
#[crate::describe::path(post, path = IN_TABLE, tag = "Me", operation_id = "renewRecoveryCodes",
    request_body = PasswordAndCode,
    responses((status = 200, description = "The new recovery codes", body = RecoveryCodes)))]
pub async fn renew_recovery_codes(
    State(api): State<Api>,
    Write { call, body, .. }: Write<SessionUser, PasswordAndCode>,
) -> Result<Json<RecoveryCodes>> {
    Ok(Json(api.sign_in.renew_recovery_codes(call, body).await?))
}
