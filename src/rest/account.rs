//! The caller's own sign-in: sessions, password, second factor.

use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    answers::{Created, DONE, Done},
    api::Api,
    error::Result,
    extract::{Asked, Path, Query, Write},
    route::IN_TABLE,
};
use crate::domain::{
    access::SessionTx,
    paging::{Page, Paging},
    second_factor::{self, NewSecondFactor, RecoveryCodes, SecondFactor},
    sessions::{self, Session},
    sign_in::account::{Code, Password, PasswordAndCode, PasswordChange},
};

/// Sessions.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionsAnswer {
    /// The living ones, the one used last first.
    sessions: Vec<Session>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// List my sessions
#[utoipa::path(get, path = IN_TABLE, tag = "Me", operation_id = "listSessions", params(Paging),
    responses((status = 200, description = "Where I am signed in", body = SessionsAnswer)))]
pub async fn list_sessions(
    State(api): State<Api>,
    Asked(call): Asked,
    Query(paging): Query<Paging>,
) -> Result<Json<SessionsAnswer>> {
    let list = move |tx: &SessionTx<'_>| sessions::list(tx, &paging);
    let Page { items: sessions, next_cursor } = api.gate.session_view(call, list).await?;
    Ok(Json(SessionsAnswer { sessions, next_cursor }))
}

/// End one of my sessions
///
/// Its JWTs are refused from now on.
#[utoipa::path(delete, path = IN_TABLE, tag = "Me", operation_id = "endSession",
    responses((status = 200, description = "It has ended", body = Done)))]
pub async fn end_session(State(api): State<Api>, Asked(call): Asked, Path(id): Path<i64>) -> Result<Json<Done>> {
    api.gate.session(call, move |tx| sessions::end(tx, id)).await?;
    Ok(DONE)
}

/// End all my other sessions
#[utoipa::path(delete, path = IN_TABLE, tag = "Me", operation_id = "endOtherSessions",
    responses((status = 200, description = "Only this one is left", body = Done)))]
pub async fn end_other_sessions(State(api): State<Api>, Asked(call): Asked) -> Result<Json<Done>> {
    api.gate.session(call, sessions::end_others).await?;
    Ok(DONE)
}

/// Change my password
///
/// Ends all my other sessions, and the open invitations that I created in them. Personal access tokens and connected apps
/// stay, unless the request says otherwise.
#[utoipa::path(post, path = IN_TABLE, tag = "Me", operation_id = "changePassword",
    request_body = PasswordChange, responses((status = 200, description = "Password changed", body = Done)))]
pub async fn change_password(
    State(api): State<Api>,
    Write { call, body, .. }: Write<PasswordChange>,
) -> Result<Response> {
    let device = api.sign_in.change_password(call, body).await?;
    let cookie = device.map(|device| api.settings.cookies.device(device));
    let mut response = DONE.into_response();
    response.headers_mut().extend(cookie);
    Ok(response)
}

/// Is my sign-in asked for a code
#[utoipa::path(get, path = IN_TABLE, tag = "Me", operation_id = "readSecondFactor",
    responses((status = 200, description = "Whether, since when, and how many recovery codes are left",
               body = SecondFactor)))]
pub async fn read_second_factor(State(api): State<Api>, Asked(call): Asked) -> Result<Json<SecondFactor>> {
    Ok(Json(api.gate.session_view(call, second_factor::read).await?))
}

/// Set up an authenticator app
///
/// Counts for nothing before a code of the app is confirmed.
#[utoipa::path(post, path = IN_TABLE, tag = "Me", operation_id = "beginSecondFactor",
    request_body = Password, responses((status = 201, description = "What the app needs", body = NewSecondFactor)))]
pub async fn begin_second_factor(
    State(api): State<Api>,
    Write { call, body, .. }: Write<Password>,
) -> Result<Created<NewSecondFactor>> {
    Ok(Created(api.sign_in.begin_second_factor(call, body).await?))
}

/// Confirm the authenticator app
///
/// From now on signing in asks for a code. My other sessions end. The recovery codes are shown this once.
#[utoipa::path(post, path = IN_TABLE, tag = "Me", operation_id = "confirmSecondFactor",
    request_body = Code,
    responses((status = 200, description = "Codes for when the app is lost", body = RecoveryCodes)))]
pub async fn confirm_second_factor(
    State(api): State<Api>,
    Write { call, body, .. }: Write<Code>,
) -> Result<Json<RecoveryCodes>> {
    Ok(Json(api.sign_in.confirm_second_factor(call, body).await?))
}

/// Disable two-factor authentication
///
/// Needs a code as well as the password.
#[utoipa::path(post, path = IN_TABLE, tag = "Me", operation_id = "disableSecondFactor",
    request_body = PasswordAndCode,
    responses((status = 200, description = "Two-factor authentication disabled", body = Done)))]
pub async fn disable_second_factor(
    State(api): State<Api>,
    Write { call, body, .. }: Write<PasswordAndCode>,
) -> Result<Json<Done>> {
    api.sign_in.disable_second_factor(call, body).await?;
    Ok(DONE)
}

/// Create new recovery codes
///
/// Needs a code as well as the password. The earlier recovery codes stop working.
#[utoipa::path(post, path = IN_TABLE, tag = "Me", operation_id = "renewRecoveryCodes",
    request_body = PasswordAndCode, responses((status = 200, description = "The new codes", body = RecoveryCodes)))]
pub async fn renew_recovery_codes(
    State(api): State<Api>,
    Write { call, body, .. }: Write<PasswordAndCode>,
) -> Result<Json<RecoveryCodes>> {
    Ok(Json(api.sign_in.renew_recovery_codes(call, body).await?))
}
