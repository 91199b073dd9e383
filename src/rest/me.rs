//! The caller's profile and personal access tokens.

use axum::extract::State;
use serde::Serialize;

use super::{
    access::{SessionUser, User},
    api::Api,
    error::Result,
    extract::{Authenticated, Path, Query, Write},
    responses::{Created, DONE, Done, Json},
    route::IN_TABLE,
};
use crate::{
    auth::throttle::{AttemptKind, LimitKey},
    describe::ToSchema,
    domain::{
        accounts::current::{self, CurrentUser},
        accounts::tokens::{self, CreatedToken, NewToken, Token},
        core::{Call, SelfTx},
        paging::{Page, Paging},
    },
};

/// Personal access tokens.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TokenList {
    /// Ordered by creation, including revoked tokens.
    pub(super) tokens: Vec<Token>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) next_cursor: Option<String>,
}

/// Get the current user
#[crate::describe::path(get, path = IN_TABLE, tag = "Me", operation_id = "getMe",
    responses((status = 200, description = "The current user", body = CurrentUser)))]
pub async fn get(State(api): State<Api>, Authenticated(call): Authenticated<User>) -> Result<Json<CurrentUser>> {
    Ok(Json(api.gate.read(call, (), current::current).await?))
}

/// List my tokens
#[crate::describe::path(get, path = IN_TABLE, tag = "Me", operation_id = "listTokens", params(Paging),
    responses((status = 200, description = "The tokens, without their plaintext", body = TokenList)))]
pub async fn list_tokens(
    State(api): State<Api>,
    Authenticated(call): Authenticated<User>,
    Query(paging): Query<Paging>,
) -> Result<Json<TokenList>> {
    let list = move |tx: &SelfTx<'_>| tokens::list(tx, &paging);
    let Page { items: tokens, next_cursor } = api.gate.read(call, (), list).await?;
    Ok(Json(TokenList { tokens, next_cursor }))
}

/// Create a token
///
/// For scripts. The token is bound to the active organization. The plaintext is shown only in this response.
#[crate::describe::path(post, path = IN_TABLE, tag = "Me", operation_id = "createToken",
    request_body = NewToken,
    responses((status = 201, description = "The created token with its plaintext", body = CreatedToken)))]
pub async fn create_token(
    State(api): State<Api>,
    Write { call, body, .. }: Write<SessionUser, NewToken>,
) -> Result<Created<CreatedToken>> {
    count_token_creation(&api, &call).await?;
    Ok(Created(api.gate.write(call, (), |tx| tokens::mint(tx, body)).await?))
}

/// Enforces the rate limit for creating tokens.
pub(super) async fn count_token_creation<A>(api: &Api, call: &Call<A>) -> Result<()> {
    let user_id = api.gate.admit(call.clone()).await?.user_id;
    api.throttle.attempt(AttemptKind::Token, [LimitKey::user(user_id)])?;
    Ok(())
}

/// Revoke a token
///
/// Requests with the token are rejected from now on.
#[crate::describe::path(delete, path = IN_TABLE, tag = "Me", operation_id = "revokeToken",
    responses((status = 200, description = "Token revoked", body = Done)))]
pub async fn revoke_token(
    State(api): State<Api>,
    Authenticated(call): Authenticated<User>,
    Path(id): Path<i64>,
) -> Result<Json<Done>> {
    api.gate.write(call, (), move |tx| tokens::revoke(tx, id)).await?;
    Ok(DONE)
}
