//! The caller's profile and personal access tokens.

use axum::{Json, extract::State};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    answers::{Created, DONE, Done},
    api::Api,
    error::Result,
    extract::{Asked, Path, Query, Write},
    route::IN_TABLE,
};
use crate::{
    auth::throttle::{Kind, Who},
    domain::{
        access::{Call, SelfTx},
        paging::{Page, Paging},
        tokens::{self, MintedToken, NewToken, Token},
        users::{self, CurrentUser},
    },
};

/// Personal access tokens.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TokensAnswer {
    /// Ordered by creation, including revoked tokens.
    pub(super) tokens: Vec<Token>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) next_cursor: Option<String>,
}

/// Get the current user
#[utoipa::path(get, path = IN_TABLE, tag = "Me", operation_id = "readMe",
    responses((status = 200, description = "The current user", body = CurrentUser)))]
pub async fn read(State(api): State<Api>, Asked(call): Asked) -> Result<Json<CurrentUser>> {
    Ok(Json(api.gate.me(call, users::current).await?))
}

/// List my tokens
#[utoipa::path(get, path = IN_TABLE, tag = "Me", operation_id = "listTokens", params(Paging),
    responses((status = 200, description = "The tokens, without their plaintext", body = TokensAnswer)))]
pub async fn list_tokens(
    State(api): State<Api>,
    Asked(call): Asked,
    Query(paging): Query<Paging>,
) -> Result<Json<TokensAnswer>> {
    let list = move |tx: &SelfTx<'_>| tokens::list(tx, &paging);
    let Page { items: tokens, next_cursor } = api.gate.me(call, list).await?;
    Ok(Json(TokensAnswer { tokens, next_cursor }))
}

/// Create a token
///
/// For scripts. The token is bound to the active organization. The plaintext is shown only in this response.
#[utoipa::path(post, path = IN_TABLE, tag = "Me", operation_id = "mintToken",
    request_body = NewToken,
    responses((status = 201, description = "The created token with its plaintext", body = MintedToken)))]
pub async fn mint_token(
    State(api): State<Api>,
    Write { call, body, .. }: Write<NewToken>,
) -> Result<Created<MintedToken>> {
    count_minting(&api, &call).await?;
    Ok(Created(api.gate.session(call, |tx| tokens::mint(tx, body)).await?))
}

/// Enforces the rate limit for creating tokens.
pub(super) async fn count_minting(api: &Api, call: &Call) -> Result<()> {
    let user_id = api.gate.admit(call.clone()).await?.user_id;
    api.throttle.attempt(Kind::Token, [Who::user(user_id)])?;
    Ok(())
}

/// Revoke a token
///
/// Requests with the token are rejected from now on.
#[utoipa::path(delete, path = IN_TABLE, tag = "Me", operation_id = "revokeToken",
    responses((status = 200, description = "Token revoked", body = Done)))]
pub async fn revoke_token(State(api): State<Api>, Asked(call): Asked, Path(id): Path<i64>) -> Result<Json<Done>> {
    api.gate.me_write(call, move |tx| tokens::revoke(tx, id)).await?;
    Ok(DONE)
}
