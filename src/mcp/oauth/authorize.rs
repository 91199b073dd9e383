//! The authorization endpoint: validates and stores the request, and redirects to the consent page of the web client.

use axum::{
    Extension,
    extract::{Query, State, rejection::QueryRejection},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Redirect, Response},
};

use super::{
    page::{page, page_with_link},
    request::{non_empty, public_call},
    state::OAuth,
};
use crate::{
    auth::throttle::AttemptKind,
    domain::accounts::{
        connectors::{self, Authorization, AuthorizationOutcome},
        sign_in::Visitor,
    },
    error::Error,
};

/// Validates an authorization request and redirects the browser to the consent page, or back to the client with an
/// error. If the client or its redirect URI is unknown, or no user has authorized the client yet, the error is shown to
/// the user instead.
pub(super) async fn authorize(
    State(oauth): State<OAuth>,
    Extension(visitor): Extension<Visitor>,
    query: Result<Query<Authorization>, QueryRejection>,
) -> Response {
    let Ok(Query(authorization)) = query else {
        let text = "The authorization request of the app is malformed or has a repeated parameter.";
        return page(StatusCode::BAD_REQUEST, text);
    };
    match authorization_outcome(&oauth, &visitor, authorization).await {
        // The fragment is never sent to servers, so the secret does not appear in logs.
        Ok(AuthorizationOutcome::Consent(secret)) => {
            Redirect::to(&format!("{}/consent#{secret}", oauth.issuer)).into_response()
        }
        Ok(AuthorizationOutcome::Redirect(address)) => Redirect::to(&address).into_response(),
        Ok(AuthorizationOutcome::Page(text)) => page(StatusCode::BAD_REQUEST, text),
        Ok(AuthorizationOutcome::Link { text, address }) => page_with_link(StatusCode::BAD_REQUEST, text, &address),
        Err(Error::RateLimited { retry_after }) => {
            let text = "Too many authorization requests. Wait a minute, then try again.";
            let wait = [(header::RETRY_AFTER, HeaderValue::from(retry_after.as_secs().max(1)))];
            (wait, page(StatusCode::TOO_MANY_REQUESTS, text)).into_response()
        }
        Err(error) => {
            tracing::error!(%error, "authorization request failed");
            page(StatusCode::SERVICE_UNAVAILABLE, "The server cannot process this request now. Try again in a moment.")
        }
    }
}

async fn authorization_outcome(
    oauth: &OAuth,
    visitor: &Visitor,
    authorization: Authorization,
) -> Result<AuthorizationOutcome, Error> {
    oauth.attempt(AttemptKind::Consent, visitor)?;
    let authorization = Authorization {
        client_id: non_empty(authorization.client_id),
        redirect_uri: non_empty(authorization.redirect_uri),
        response_type: non_empty(authorization.response_type),
        code_challenge: non_empty(authorization.code_challenge),
        code_challenge_method: non_empty(authorization.code_challenge_method),
        state: non_empty(authorization.state),
        scope: non_empty(authorization.scope),
        resource: non_empty(authorization.resource),
    };
    oauth.gate.write_unstored(public_call(visitor), (), move |tx| connectors::authorize(tx, authorization)).await
}
