//! Registration, tokens, and their end.

use axum::{
    Form, Json,
    body::Bytes,
    extract::{State, rejection::FormRejection},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;

use super::{OAuth, OAuthError};
use crate::domain::{
    access::{Call, Via},
    connectors::{self, Exchange, IssuedTokens, NewClient, Outcome, Refreshing, Refusal},
};

/// Longest body, in bytes.
const LONGEST: usize = 64 << 10;

fn anyone() -> Call {
    Call::new(None, Via::Rest, "")
}

/// A client introduces itself.
pub(super) async fn register(State(oauth): State<OAuth>, body: Bytes) -> Result<Response, OAuthError> {
    let wrong = |text: String| OAuthError { status: StatusCode::BAD_REQUEST, code: "invalid_client_metadata", text };
    if body.len() > LONGEST {
        return Err(wrong("the body is longer than 64 KiB".into()));
    }
    let new: NewClient = serde_json::from_slice(&body).map_err(|error| wrong(error.to_string()))?;
    let client = oauth.gate.public(anyone(), move |tx| connectors::register(tx, new)).await??;
    Ok((StatusCode::CREATED, Json(client)).into_response())
}

/// All that the token endpoint may be asked.
#[derive(Debug, Default, Deserialize)]
pub(super) struct TokenForm {
    grant_type: Option<String>,
    client_id: Option<String>,
    code: Option<String>,
    redirect_uri: Option<String>,
    code_verifier: Option<String>,
    refresh_token: Option<String>,
    scope: Option<String>,
    resource: Option<String>,
}

/// A code or refresh token becomes tokens.
pub(super) async fn token(
    State(oauth): State<OAuth>,
    form: Result<Form<TokenForm>, FormRejection>,
) -> Result<Response, OAuthError> {
    let form = read(form)?;
    let client_id = needed("client_id", form.client_id)?;
    let issued = match form.grant_type.as_deref() {
        Some("authorization_code") => {
            let code = needed("code", form.code)?;
            let (redirect_uri, code_verifier, resource) = (form.redirect_uri, form.code_verifier, form.resource);
            let asked = Exchange { client_id, code, redirect_uri, code_verifier, resource };
            issue(&oauth, move |tx| connectors::exchange(tx, &asked)).await?
        }
        Some("refresh_token") => {
            let refresh_token = needed("refresh_token", form.refresh_token)?;
            let asked = Refreshing { client_id, refresh_token, scope: form.scope, resource: form.resource };
            issue(&oauth, move |tx| connectors::refresh(tx, &asked)).await?
        }
        _ => {
            let text = "grant_type must be authorization_code or refresh_token";
            return Err(Refusal { code: "unsupported_grant_type", text }.into());
        }
    };
    Ok(([(header::PRAGMA, "no-cache")], Json(issued)).into_response())
}

async fn issue<F>(oauth: &OAuth, work: F) -> Result<IssuedTokens, OAuthError>
where
    F: for<'t, 'c> FnOnce(&'t mut crate::domain::access::PublicTx<'c>) -> crate::error::Result<Outcome<IssuedTokens>>
        + Send
        + 'static,
{
    Ok(oauth.gate.public(anyone(), work).await??)
}

/// What is to end.
#[derive(Debug, Default, Deserialize)]
pub(super) struct RevokeForm {
    client_id: Option<String>,
    token: Option<String>,
}

/// A token ends.
pub(super) async fn revoke(
    State(oauth): State<OAuth>,
    form: Result<Form<RevokeForm>, FormRejection>,
) -> Result<Response, OAuthError> {
    let form = read(form)?;
    let (client_id, token) = (needed("client_id", form.client_id)?, needed("token", form.token)?);
    oauth.gate.public(anyone(), move |tx| connectors::revoke(tx, &client_id, &token)).await??;
    Ok(StatusCode::OK.into_response())
}

fn read<T>(form: Result<Form<T>, FormRejection>) -> Result<T, OAuthError> {
    let wrong = |rejection: FormRejection| OAuthError {
        status: StatusCode::BAD_REQUEST,
        code: "invalid_request",
        text: rejection.body_text(),
    };
    form.map(|Form(form)| form).map_err(wrong)
}

fn needed(name: &'static str, value: Option<String>) -> Result<String, OAuthError> {
    value.filter(|value| !value.is_empty()).ok_or_else(|| OAuthError {
        status: StatusCode::BAD_REQUEST,
        code: "invalid_request",
        text: format!("{name} is missing"),
    })
}
