//! Signing in: what it is for, cookies and all. The rules are in `domain::sign_in` and `domain::sessions`.

mod oidc;
mod session;
mod sign_in;

use axum::{
    Json,
    extract::State,
    response::{AppendHeaders, IntoResponse, Response},
};
use serde::Serialize;
use utoipa::ToSchema;

pub use self::{
    oidc::{
        __path_callback as __path_oidc_callback, __path_decide_link, __path_read_link,
        __path_start as __path_oidc_start, callback as oidc_callback, decide_link, read_link, start as oidc_start,
    },
    session::{__path_log_out, __path_refresh, __path_switch, log_out, refresh, switch},
    sign_in::{__path_log_in, __path_set_up, __path_verify, log_in, set_up, verify},
};
use super::{
    api::Api,
    error::Result,
    extract::{Anyone, Perhaps},
    route::IN_TABLE,
};
use crate::{
    auth::keys::Jwk,
    domain::{
        instance::{self, SignInConfig},
        sessions::{Begun, SignedInUser},
        users,
    },
};

/// The public keys that session JWTs are signed with.
#[derive(Debug, Serialize, ToSchema)]
pub struct Jwks {
    /// As RFC 7517 writes them. After a key was replaced, the one before stays as long as its JWTs last.
    keys: Vec<Jwk>,
}

/// Who asks, if anybody.
#[derive(Debug, Serialize, ToSchema)]
pub struct Me {
    /// Whether there was a credential.
    authenticated: bool,
    /// Whose it is.
    #[schema(required)]
    user: Option<SignedInUser>,
}

/// The public keys of session JWTs
#[utoipa::path(get, path = IN_TABLE, tag = "Sign-in", operation_id = "readJwks",
    responses((status = 200, description = "The keys", body = Jwks)))]
pub async fn jwks(State(api): State<Api>) -> Json<Jwks> {
    Json(Jwks { keys: api.keys.jwks(api.clock.now()) })
}

/// How one signs in here
#[utoipa::path(get, path = IN_TABLE, tag = "Sign-in", operation_id = "readSignInConfig",
    responses((status = 200, description = "What is on offer", body = SignInConfig)))]
pub async fn config(State(api): State<Api>, Anyone(call): Anyone) -> Result<Json<SignInConfig>> {
    Ok(Json(api.gate.public_view(call, instance::sign_in_config).await?))
}

/// Am I signed in
///
/// Without a credential nobody is; a credential that is not good is refused all the same.
#[utoipa::path(get, path = IN_TABLE, tag = "Sign-in", operation_id = "readSignedIn",
    responses((status = 200, description = "Who asks", body = Me)))]
pub async fn me(State(api): State<Api>, Perhaps(call): Perhaps) -> Result<Json<Me>> {
    let user = match call {
        Some(call) => Some(api.gate.me(call, users::signed_in).await?),
        None => None,
    };
    Ok(Json(Me { authenticated: user.is_some(), user }))
}

/// The answer to whoever has just signed in, with the cookies that go with it.
pub fn signed_in(api: &Api, begun: Begun) -> Response {
    let Begun { signed_in, refresh, device } = begun;
    let rules = &api.settings.cookies;
    (AppendHeaders([rules.refresh(&refresh), rules.device(device)]), Json(signed_in)).into_response()
}
