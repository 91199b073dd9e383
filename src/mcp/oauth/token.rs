//! Client registration, and issuing and revoking tokens.

use axum::{
    Extension, Form, Json,
    body::Bytes,
    extract::{
        State,
        rejection::{BytesRejection, FormRejection},
    },
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;

use super::{
    error::OauthErrorResponse,
    request::{anyone, sent},
    state::OAuth,
};
use crate::{
    auth::throttle::AttemptKind,
    domain::accounts::{
        connectors::{self, CodeExchange, NewClient, OauthError, TokenRefresh},
        sign_in::Visitor,
    },
};

/// Registers a client.
pub(super) async fn register(
    State(oauth): State<OAuth>,
    Extension(visitor): Extension<Visitor>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, OauthErrorResponse> {
    oauth.attempt(AttemptKind::Registration, &visitor)?;
    let wrong = |text: String| OauthErrorResponse::wrong("invalid_client_metadata", text);
    let body = body.map_err(|rejection| wrong(rejection.body_text()))?;
    let new: NewClient = serde_json::from_slice(&body).map_err(|error| wrong(error.to_string()))?;
    let client = oauth.gate.write_unstored(anyone(&visitor), (), move |tx| connectors::register(tx, new)).await??;
    Ok((StatusCode::CREATED, Json(client)).into_response())
}

/// The parameters of the token endpoint, for all grant types.
#[derive(Default, Deserialize)]
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

/// Exchanges an authorization code or refresh token for tokens.
pub(super) async fn token(
    State(oauth): State<OAuth>,
    Extension(visitor): Extension<Visitor>,
    form: Result<Form<TokenForm>, FormRejection>,
) -> Result<Response, OauthErrorResponse> {
    let attempt = oauth.attempt(AttemptKind::Exchange, &visitor)?;
    let form = read(form)?;
    let client_id = needed("client_id", form.client_id)?;
    let (scope, resource) = (sent(form.scope), sent(form.resource));
    let issued = match form.grant_type.as_deref() {
        Some("authorization_code") => {
            let code = needed("code", form.code)?;
            let (redirect_uri, code_verifier) = (sent(form.redirect_uri), sent(form.code_verifier));
            let request = CodeExchange { client_id, code, redirect_uri, code_verifier, resource };
            oauth.gate.write_unstored(anyone(&visitor), (), move |tx| connectors::exchange(tx, &request)).await??
        }
        Some("refresh_token") => {
            let refresh_token = needed("refresh_token", form.refresh_token)?;
            let request = TokenRefresh { client_id, refresh_token, scope, resource };
            oauth.gate.write_unstored(anyone(&visitor), (), move |tx| connectors::refresh(tx, &request)).await??
        }
        _ => {
            let text = "grant_type must be authorization_code or refresh_token";
            return Err(OauthError { code: "unsupported_grant_type", text }.into());
        }
    };
    attempt.succeeded();
    Ok(([(header::PRAGMA, "no-cache")], Json(issued)).into_response())
}

/// The parameters of the revocation endpoint.
#[derive(Default, Deserialize)]
pub(super) struct RevokeForm {
    client_id: Option<String>,
    token: Option<String>,
}

/// Revokes a token.
pub(super) async fn revoke(
    State(oauth): State<OAuth>,
    Extension(visitor): Extension<Visitor>,
    form: Result<Form<RevokeForm>, FormRejection>,
) -> Result<Response, OauthErrorResponse> {
    oauth.attempt(AttemptKind::Exchange, &visitor)?;
    let form = read(form)?;
    let (client_id, token) = (needed("client_id", form.client_id)?, needed("token", form.token)?);
    oauth.gate.write_unstored(anyone(&visitor), (), move |tx| connectors::revoke(tx, &client_id, &token)).await??;
    Ok(StatusCode::OK.into_response())
}

fn read<T>(form: Result<Form<T>, FormRejection>) -> Result<T, OauthErrorResponse> {
    form.map(|Form(form)| form).map_err(|rejection| OauthErrorResponse::wrong("invalid_request", rejection.body_text()))
}

fn needed(name: &'static str, value: Option<String>) -> Result<String, OauthErrorResponse> {
    sent(value).ok_or_else(|| OauthErrorResponse::wrong("invalid_request", format!("{name} is missing")))
}
