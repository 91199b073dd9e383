//! Sign-in with a password, and the setup of the first account.

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};

use super::signed_in;
use crate::{
    domain::accounts::{
        sessions::SignedIn,
        sign_in::{ChallengeVerification, Credentials, InstanceSetup, SignInOutcome, SignInResponse, Visitor},
    },
    rest::{api::Api, error::Result, extract::PublicWrite, responses::Json, route::IN_TABLE},
};

/// Sign in with a password
///
/// Returns a session JWT for the `Authorization` header, valid for a few minutes, and sets the cookie that renews it.
/// If two-factor authentication is required, returns a challenge instead.
#[crate::describe::path(post, path = IN_TABLE, tag = "Sign-in", operation_id = "signIn",
    request_body = Credentials,
    responses((status = 200, description = "The new session, or a challenge", body = SignInResponse)))]
pub async fn sign_in(
    State(api): State<Api>,
    visitor: Visitor,
    PublicWrite { call, body }: PublicWrite<Credentials>,
) -> Result<Response> {
    Ok(match api.sign_in.log_in(call, visitor, body).await? {
        SignInOutcome::SignedIn(session) => signed_in(&api, *session),
        SignInOutcome::Challenged(challenge) => Json(SignInResponse::Challenged { challenge }).into_response(),
    })
}

/// Verify a two-factor authentication code
///
/// Answers the challenge of a sign-in with a code of the authenticator app or a recovery code. Each code works once.
#[crate::describe::path(post, path = IN_TABLE, tag = "Sign-in", operation_id = "verifySignIn",
    request_body = ChallengeVerification, responses((status = 200, description = "The new session", body = SignedIn)))]
pub async fn verify(
    State(api): State<Api>,
    visitor: Visitor,
    PublicWrite { call, body }: PublicWrite<ChallengeVerification>,
) -> Result<Response> {
    Ok(signed_in(&api, api.sign_in.verify(call, visitor, body).await?))
}

/// Create the first account
///
/// Requires the one-time token of the setup link, which the server prints while no user exists.
#[crate::describe::path(post, path = IN_TABLE, tag = "Sign-in", operation_id = "setUp",
    request_body = InstanceSetup, responses((status = 200, description = "The new session", body = SignedIn)))]
pub async fn set_up(
    State(api): State<Api>,
    visitor: Visitor,
    PublicWrite { call, body }: PublicWrite<InstanceSetup>,
) -> Result<Response> {
    Ok(signed_in(&api, api.sign_in.set_up(call, visitor, body).await?))
}
