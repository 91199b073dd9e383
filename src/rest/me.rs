//! The caller's own affairs.

use axum::{Json, extract::State};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    Api, IN_TABLE,
    answers::{Created, DONE, Done},
    error::Result,
    extract::{Asked, Path, Write},
};
use crate::{
    auth::throttle::{Kind, Who},
    domain::{
        access::Call,
        tokens::{self, MintedToken, NewToken, Token},
        users::{self, CurrentUser},
    },
};

/// Personal access tokens.
#[derive(Debug, Serialize, ToSchema)]
pub struct TokensAnswer {
    /// Revoked ones too, in order of creation.
    pub(super) tokens: Vec<Token>,
}

/// Who am I
#[utoipa::path(get, path = IN_TABLE, tag = "Me", operation_id = "readMe",
    responses((status = 200, description = "The caller", body = CurrentUser)))]
pub async fn read(State(api): State<Api>, Asked(call): Asked) -> Result<Json<CurrentUser>> {
    Ok(Json(api.gate.me(call, users::current).await?))
}

/// List my tokens
#[utoipa::path(get, path = IN_TABLE, tag = "Me", operation_id = "listTokens",
    responses((status = 200, description = "The tokens, without their plaintext", body = TokensAnswer)))]
pub async fn list_tokens(State(api): State<Api>, Asked(call): Asked) -> Result<Json<TokensAnswer>> {
    Ok(Json(TokensAnswer { tokens: api.gate.me(call, tokens::list).await? }))
}

/// Mint a token
///
/// For scripts. It is bound to the organization active now, and its plaintext is shown this once.
#[utoipa::path(post, path = IN_TABLE, tag = "Me", operation_id = "mintToken",
    request_body = NewToken, responses((status = 201, description = "The token", body = MintedToken)))]
pub async fn mint_token(
    State(api): State<Api>,
    Write { call, body, .. }: Write<NewToken>,
) -> Result<Created<MintedToken>> {
    count_minting(&api, &call).await?;
    Ok(Created(api.gate.session(call, |tx| tokens::mint(tx, body)).await?))
}

/// Nobody mints tokens without end.
pub(super) async fn count_minting(api: &Api, call: &Call) -> Result<()> {
    let user_id = api.gate.admit(call.clone()).await?.user_id;
    api.throttle.attempt(Kind::Token, [Who::user(user_id)])?;
    Ok(())
}

/// Revoke a token
///
/// Requests with it are refused from now on.
#[utoipa::path(delete, path = IN_TABLE, tag = "Me", operation_id = "revokeToken",
    responses((status = 200, description = "It is revoked", body = Done)))]
pub async fn revoke_token(State(api): State<Api>, Asked(call): Asked, Path(id): Path<i64>) -> Result<Json<Done>> {
    api.gate.me_write(call, move |tx| tokens::revoke(tx, id)).await?;
    Ok(DONE)
}
