//! Sign-in, sessions, and sign-out over HTTP, including cookies. The rules are in `domain::sign_in` and
//! `domain::sessions`.

pub mod email_links;
pub mod oidc;
pub mod session;
pub mod sign_in;

use axum::{
    extract::State,
    response::{AppendHeaders, IntoResponse, Response},
};
use serde::Serialize;

use super::{
    access::{SessionUser, User},
    api::Api,
    error::Result,
    extract::{Anonymous, MaybeAuthenticated, Write},
    responses::Json,
    route::IN_TABLE,
};
use crate::{
    auth::keys::Jwk,
    describe::ToSchema,
    domain::{
        accounts::{
            current,
            profile::ProfilePatch,
            sessions::{NewSession, SignedInUser},
        },
        instance::{self, SignInConfig},
    },
};

/// The public keys that verify session JWTs.
#[derive(Debug, Serialize, ToSchema)]
pub struct Jwks {
    /// Keys in the format of RFC 7517. After a key is replaced, the previous key is listed until its JWTs have expired.
    keys: Vec<Jwk>,
}

/// The caller's sign-in state.
#[derive(Debug, Serialize, ToSchema)]
pub struct Me {
    /// Whether the request has a credential.
    pub(super) authenticated: bool,
    /// The signed-in user; null without a credential.
    #[schema(required)]
    pub(super) user: Option<SignedInUser>,
}

/// List the public keys of session JWTs
#[crate::describe::path(get, path = IN_TABLE, tag = "Sign-in", operation_id = "getJwks",
    responses((status = 200, description = "The public keys", body = Jwks)))]
pub async fn jwks(State(api): State<Api>, _: Anonymous) -> Json<Jwks> {
    Json(Jwks { keys: api.keys.jwks(api.clock.now()) })
}

/// Get the sign-in options
#[crate::describe::path(get, path = IN_TABLE, tag = "Sign-in", operation_id = "getSignInConfig",
    responses((status = 200, description = "The sign-in options of this instance", body = SignInConfig)))]
pub async fn config(State(api): State<Api>, Anonymous(call): Anonymous) -> Result<Json<SignInConfig>> {
    Ok(Json(api.gate.read(call, (), instance::sign_in_config).await?))
}

/// Get the sign-in state
///
/// Without a credential, `authenticated` is false. An invalid credential is rejected.
#[crate::describe::path(get, path = IN_TABLE, tag = "Sign-in", operation_id = "getSignedInUser",
    responses((status = 200, description = "The sign-in state of the caller", body = Me)))]
pub async fn me(State(api): State<Api>, MaybeAuthenticated(call): MaybeAuthenticated<User>) -> Result<Json<Me>> {
    let user = match call {
        Some(call) => Some(api.gate.read(call, (), current::signed_in).await?),
        None => None,
    };
    Ok(Json(Me { authenticated: user.is_some(), user }))
}

/// Update my profile
///
/// Changes the display name, the profile image, and the email address. A new email address is not confirmed and does not
/// link the account to an identity provider until it is confirmed. 409 if the identity provider manages the profile of this account, or if
/// another account has the email address.
#[crate::describe::path(patch, path = IN_TABLE, tag = "Me", operation_id = "updateMe",
    request_body = ProfilePatch, responses((status = 200, description = "The updated profile", body = Me)))]
pub async fn update_me(
    State(api): State<Api>,
    Write { call, body, .. }: Write<SessionUser, ProfilePatch>,
) -> Result<Json<Me>> {
    Ok(Json(Me { authenticated: true, user: Some(api.sign_in.update_profile(call, body).await?) }))
}

/// The response to a successful sign-in, with the cookies of the session and the device.
pub fn signed_in(api: &Api, begun: NewSession) -> Response {
    let NewSession { signed_in, refresh, device } = begun;
    let rules = &api.settings.cookies;
    (AppendHeaders([rules.refresh(&refresh), rules.device(device)]), Json(signed_in)).into_response()
}
