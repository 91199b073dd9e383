//! Where a client sends the user's browser: what it asks for is checked, and the web client asks the user.

use axum::{
    extract::{Query, State},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Redirect, Response},
};

use super::{OAuth, OAuthError};
use crate::domain::{
    access::{Call, Via},
    connectors::{self, Asked, Authorization},
};

/// Nothing at all is loaded by the page that says what is wrong, and nobody frames it.
const POLICY: &str = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Checks what is asked, and sends the browser on: to the page that asks for consent, or back to the client with what is
/// wrong. Where the client or its address is unknown, the browser stays, and is told.
pub(super) async fn authorize(
    State(oauth): State<OAuth>,
    Query(asked): Query<Authorization>,
) -> Result<Response, OAuthError> {
    let call = Call::new(None, Via::Rest, "");
    let to = match oauth.gate.public_view(call, move |tx| connectors::ask(tx, asked)).await? {
        // Behind the `#`: what follows it stays in the browser, out of every log on the way.
        Asked::Consent(request) => format!("{}/consent#{request}", oauth.issuer),
        Asked::Back(address) => address,
        Asked::Page(text) => return Ok(page(text)),
    };
    Ok(([(header::CACHE_CONTROL, "no-store")], Redirect::to(&to)).into_response())
}

fn page(text: &str) -> Response {
    let headers = [
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
        (header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (StatusCode::BAD_REQUEST, headers, format!("{text}\nNothing was granted.\n")).into_response()
}
