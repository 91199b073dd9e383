//! From nothing to a session.

use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};

use super::{
    super::{api::Api, error::Result, extract::PublicWrite, route::IN_TABLE},
    signed_in,
};
use crate::domain::{
    sessions::SignedIn,
    sign_in::{Admitted, ChallengeAnswer, Credentials, SetUp, SignInAnswer, Visitor},
};

/// Sign in with a password
///
/// Answers with a session JWT for the `Authorization` header, good for some minutes, and with the cookie that renews it;
/// or with a challenge, when a second factor is due.
#[utoipa::path(post, path = IN_TABLE, tag = "Sign-in", operation_id = "logIn",
    request_body = Credentials,
    responses((status = 200, description = "The session, or a challenge", body = SignInAnswer)))]
pub async fn log_in(
    State(api): State<Api>,
    visitor: Visitor,
    PublicWrite { call, body }: PublicWrite<Credentials>,
) -> Result<Response> {
    Ok(match api.sign_in.log_in(call, visitor, body).await? {
        Admitted::Begun(begun) => signed_in(&api, *begun),
        Admitted::Challenged(challenge) => Json(SignInAnswer::Challenged { challenge }).into_response(),
    })
}

/// Answer a challenge
///
/// With a code of the authenticator app, or a recovery code. Each works once.
#[utoipa::path(post, path = IN_TABLE, tag = "Sign-in", operation_id = "verifyLogIn",
    request_body = ChallengeAnswer, responses((status = 200, description = "The session", body = SignedIn)))]
pub async fn verify(
    State(api): State<Api>,
    visitor: Visitor,
    PublicWrite { call, body }: PublicWrite<ChallengeAnswer>,
) -> Result<Response> {
    Ok(signed_in(&api, api.sign_in.verify(call, visitor, body).await?))
}

/// Make the first account
///
/// With the one-time token of the link that the server prints while there is no user.
#[utoipa::path(post, path = IN_TABLE, tag = "Sign-in", operation_id = "setUp",
    request_body = SetUp, responses((status = 200, description = "The session", body = SignedIn)))]
pub async fn set_up(
    State(api): State<Api>,
    visitor: Visitor,
    PublicWrite { call, body }: PublicWrite<SetUp>,
) -> Result<Response> {
    Ok(signed_in(&api, api.sign_in.set_up(call, visitor, body).await?))
}
