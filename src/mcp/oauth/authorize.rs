//! The authorization endpoint: validates and stores the request, and redirects to the consent page of the web client.

use axum::{
    Extension,
    extract::{Query, State, rejection::QueryRejection},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Redirect, Response},
};

use super::{
    page::{page, page_with_link},
    request::{anyone, sent},
    state::OAuth,
};
use crate::{
    auth::throttle::Kind,
    domain::{
        connectors::{self, Asked, Authorization},
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
    let Ok(Query(asked)) = query else {
        let text = "The program that sent you here asked for something that cannot be read, or for one thing twice.";
        return page(StatusCode::BAD_REQUEST, text);
    };
    match answer(&oauth, &visitor, asked).await {
        // The fragment is never sent to servers, so the secret does not appear in logs.
        Ok(Asked::Consent(secret)) => Redirect::to(&format!("{}/consent#{secret}", oauth.issuer)).into_response(),
        Ok(Asked::Back(address)) => Redirect::to(&address).into_response(),
        Ok(Asked::Page(text)) => page(StatusCode::BAD_REQUEST, text),
        Ok(Asked::Link { text, address }) => page_with_link(StatusCode::BAD_REQUEST, text, &address),
        Err(Error::RateLimited { retry_after }) => {
            let text = "Programs have been connected from here too often. Wait a minute, and try again.";
            let wait = [(header::RETRY_AFTER, HeaderValue::from(retry_after.as_secs().max(1)))];
            (wait, page(StatusCode::TOO_MANY_REQUESTS, text)).into_response()
        }
        Err(error) => {
            tracing::error!(%error, "a program could not ask for consent");
            page(StatusCode::SERVICE_UNAVAILABLE, "The server cannot do this now. Try again in a moment.")
        }
    }
}

async fn answer(oauth: &OAuth, visitor: &Visitor, asked: Authorization) -> Result<Asked, Error> {
    oauth.attempt(Kind::Consent, visitor)?;
    let asked = Authorization {
        client_id: sent(asked.client_id),
        redirect_uri: sent(asked.redirect_uri),
        response_type: sent(asked.response_type),
        code_challenge: sent(asked.code_challenge),
        code_challenge_method: sent(asked.code_challenge_method),
        state: sent(asked.state),
        scope: sent(asked.scope),
        resource: sent(asked.resource),
    };
    oauth.gate.public(anyone(), move |tx| connectors::ask(tx, asked)).await
}
