//! The page that ends emails of a kind, and the request with which mail programs do so (RFC 8058). It needs no sign-in.
//!
//! `GET` changes nothing, because programs that scan links open them.

use axum::{
    Extension, Router,
    extract::{Path, State},
    http::StatusCode,
    middleware::map_response,
    response::Response,
    routing::get,
};

use super::shares::{headers::add_common, page::card};
use crate::{
    auth::{RequestInfo, tokens},
    domain::{
        core::{Call, Gate, PublicTx, Via, access::Public},
        inbox::unsubscribe::{self, Subscription},
    },
    error::{Error, Result},
};

/// Maximum length of the secret in an address, in bytes.
const MAX_TOKEN_BYTES: usize = 100;

/// The routes. `{token}` in the path keeps the address out of the log.
pub fn router(gate: Gate) -> Router {
    Router::new().route("/unsubscribe/{token}", get(show).post(end)).with_state(gate).layer(map_response(add_common))
}

async fn show(
    State(gate): State<Gate>,
    Extension(info): Extension<RequestInfo>,
    Path(token): Path<String>,
) -> Response {
    match read(&gate, &info, &token).await {
        Ok(Subscription { name, is_ended: false }) => {
            let body = format!(
                "<p>You will no longer receive emails about {name}. Your inbox stays unchanged.</p>\n\
                 <form method=\"post\">\n<button type=\"submit\">Unsubscribe</button>\n</form>"
            );
            card(StatusCode::OK, "Unsubscribe", &body)
        }
        Ok(subscription) => used(subscription),
        Err(error) => failed(&error),
    }
}

async fn end(State(gate): State<Gate>, Extension(info): Extension<RequestInfo>, Path(token): Path<String>) -> Response {
    match unsubscribe(&gate, &info, &token).await {
        Ok(subscription) => ended(subscription),
        Err(error) => failed(&error),
    }
}

fn call(info: &RequestInfo) -> Call<Public> {
    let mut call = Call::new(None, Via::Rest, info.request_id.as_str());
    call.client = info.client_address();
    call.needing()
}

async fn read(gate: &Gate, info: &RequestInfo, token: &str) -> Result<Subscription> {
    if token.len() > MAX_TOKEN_BYTES {
        return Err(Error::NotFound("link"));
    }
    let token = tokens::hash(token);
    gate.read(call(info), (), move |tx: &PublicTx<'_>| unsubscribe::details(tx, &token)).await
}

/// Ends the emails. Unknown and used links do not occupy the writer.
async fn unsubscribe(gate: &Gate, info: &RequestInfo, token: &str) -> Result<Subscription> {
    let subscription = read(gate, info, token).await?;
    if subscription.is_ended {
        return Ok(subscription);
    }
    let token = tokens::hash(token);
    gate.write_unstored(call(info), (), move |tx: &mut PublicTx<'_>| unsubscribe::end(tx, &token)).await
}

fn ended(Subscription { name, .. }: Subscription) -> Response {
    let body = format!(
        "<p>You no longer receive emails about {name}.</p>\n\
         <p>To receive them again, sign in and choose Account settings → Notifications.</p>"
    );
    card(StatusCode::OK, "Unsubscribed", &body)
}

/// The page of a link that was used before. Its user may receive these emails again.
fn used(Subscription { name, .. }: Subscription) -> Response {
    let body = format!(
        "<p>This link was used to end emails about {name}. It works once.</p>\n\
         <p>To change which emails you receive, sign in and choose Account settings → Notifications.</p>"
    );
    card(StatusCode::OK, "Link already used", &body)
}

fn failed(error: &Error) -> Response {
    match error {
        Error::NotFound(_) => card(
            StatusCode::NOT_FOUND,
            "Link not available",
            "<p>This link has expired, or a part of it is missing. To change which emails you receive, sign in and choose \
             Account settings → Notifications.</p>",
        ),
        Error::Busy => card(StatusCode::SERVICE_UNAVAILABLE, "Busy", "<p>Try again in a moment.</p>"),
        Error::Standby(_) => {
            card(StatusCode::SERVICE_UNAVAILABLE, "Read-only", "<p>This server is a standby. Try again later.</p>")
        }
        error => {
            tracing::error!(%error, "cannot answer a request to unsubscribe");
            card(StatusCode::INTERNAL_SERVER_ERROR, "Not available", "<p>Something went wrong. Try again later.</p>")
        }
    }
}
