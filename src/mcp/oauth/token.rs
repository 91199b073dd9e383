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
    request::{non_empty, public_call},
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
    let invalid = |text: String| OauthErrorResponse::invalid("invalid_client_metadata", text);
    let body = body.map_err(|rejection| invalid(rejection.body_text()))?;
    let new: NewClient = serde_json::from_slice(&body).map_err(|error| invalid(error.to_string()))?;
    let client =
        oauth.gate.write_unstored(public_call(&visitor), (), move |tx| connectors::register(tx, new)).await??;
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
    let client_id = required("client_id", form.client_id)?;
    let (scope, resource) = (non_empty(form.scope), non_empty(form.resource));
    let issued = match form.grant_type.as_deref() {
        Some("authorization_code") => {
            let code = required("code", form.code)?;
            let (redirect_uri, code_verifier) = (non_empty(form.redirect_uri), non_empty(form.code_verifier));
            let request = CodeExchange { client_id, code, redirect_uri, code_verifier, resource };
            oauth.gate.write_unstored(public_call(&visitor), (), move |tx| connectors::exchange(tx, &request)).await??
        }
        Some("refresh_token") => {
            let refresh_token = required("refresh_token", form.refresh_token)?;
            let request = TokenRefresh { client_id, refresh_token, scope, resource };
            oauth.gate.write_unstored(public_call(&visitor), (), move |tx| connectors::refresh(tx, &request)).await??
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
    let (client_id, token) = (required("client_id", form.client_id)?, required("token", form.token)?);
    oauth
        .gate
        .write_unstored(public_call(&visitor), (), move |tx| connectors::revoke(tx, &client_id, &token))
        .await??;
    Ok(StatusCode::OK.into_response())
}

fn read<T>(form: Result<Form<T>, FormRejection>) -> Result<T, OauthErrorResponse> {
    form.map(|Form(form)| form)
        .map_err(|rejection| OauthErrorResponse::invalid("invalid_request", rejection.body_text()))
}

fn required(name: &'static str, value: Option<String>) -> Result<String, OauthErrorResponse> {
    non_empty(value).ok_or_else(|| OauthErrorResponse::invalid("invalid_request", format!("{name} is missing")))
}
