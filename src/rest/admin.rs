//! Administration of the instance: users, the administrator's own tokens, and the audit log.

use axum::{extract::State, response::Response};
use serde::{Deserialize, Serialize};

use super::{
    access::Admin,
    api::Api,
    error::Result,
    extract::{Authenticated, Path, Query, Write},
    me::{TokenList, count_token_creation},
    responses::{Created, DONE, Done, Json, json, large_read},
    route::IN_TABLE,
};
use crate::{
    describe::{IntoParams, ToSchema},
    domain::{
        accounts::{
            administration::{self, AccountPatch, NewAccount},
            tokens::{self, CreatedToken, NewToken},
        },
        core::AdminTx,
        instance::audit::{self, AuditEvent, AuditQuery, MAX_EVENTS_PER_PAGE, MAX_KIND_BYTES},
        paging::{Page, Paging},
        users::User,
    },
};

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_EVENTS_PER_PAGE == 1_000 && MAX_KIND_BYTES == 100);

/// User accounts.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserList {
    /// In order of creation.
    users: Vec<User>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// One user account.
#[derive(Debug, Serialize, ToSchema)]
pub struct UserResponse {
    /// The account.
    user: User,
}

/// Audit events.
#[derive(Debug, Serialize, ToSchema)]
pub struct AuditEventList {
    /// Newest first.
    events: Vec<AuditEvent>,
}

/// Which events to read.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct EventsQuery {
    /// Maximum number of events, 1 to 1,000. Default: 200.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<i64>,
    /// Return events older than the event with this id.
    #[param(minimum = 1)]
    before: Option<i64>,
    /// Return events of this kind, such as `token.create`.
    #[param(min_length = 1, max_length = 100)]
    kind: Option<String>,
    /// Return events that the user with this id caused.
    #[param(minimum = 1)]
    actor: Option<i64>,
}

/// List users
#[crate::describe::path(get, path = IN_TABLE, tag = "Administration", operation_id = "listUsers", params(Paging),
    responses((status = 200, description = "The user accounts", body = UserList)))]
pub async fn list_users(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Admin>,
    Query(paging): Query<Paging>,
) -> Result<Response> {
    let list = move |tx: &AdminTx<'_>| {
        let Page { items: users, next_cursor } = administration::list(tx, &paging)?;
        Ok(UserList { users, next_cursor })
    };
    Ok(json(large_read(&api, call, (), list).await?))
}

/// Create a user
///
/// The account does not belong to an organization and is not an administrator.
#[crate::describe::path(post, path = IN_TABLE, tag = "Administration", operation_id = "createUser",
    request_body = NewAccount, responses((status = 201, description = "The created account", body = UserResponse)))]
pub async fn create_user(
    State(api): State<Api>,
    Write { call, mut body, .. }: Write<Admin, NewAccount>,
) -> Result<Created<UserResponse>> {
    // Hashing a password is expensive, so the permission is checked first.
    api.gate.read(call.clone(), (), |_| Ok(())).await?;
    let password_hash = match body.password.take() {
        Some(password) => {
            let known = [body.login.as_str(), body.display_name.as_str()].map(str::to_owned).to_vec();
            Some(api.sign_in.hash(password, known, "password").await?)
        }
        None => None,
    };
    let user = api.gate.write(call, (), move |tx| administration::create(tx, &body, password_hash.as_deref())).await?;
    Ok(Created(UserResponse { user }))
}

/// Update a user
///
/// Changes the administrator role, suspension, and email address. While a user is suspended, all their credentials are
/// rejected. The last administrator who is not suspended cannot be suspended or lose the role: 409. The email address
/// identifies the account for users of an identity provider, so two accounts cannot have the same address: 409. An
/// empty string removes the address.
#[crate::describe::path(patch, path = IN_TABLE, tag = "Administration", operation_id = "updateUser",
    request_body = AccountPatch, responses((status = 200, description = "The updated account", body = UserResponse)))]
pub async fn update_user(
    State(api): State<Api>,
    Path(id): Path<i64>,
    Write { call, body, .. }: Write<Admin, AccountPatch>,
) -> Result<Json<UserResponse>> {
    Ok(Json(UserResponse { user: api.gate.write(call, (), move |tx| administration::update(tx, id, &body)).await? }))
}

/// List my tokens as an administrator
#[crate::describe::path(get, path = IN_TABLE, tag = "Administration", operation_id = "listAdminTokens", params(Paging),
    responses((status = 200, description = "The tokens, without their plaintext", body = TokenList)))]
pub async fn list_tokens(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Admin>,
    Query(paging): Query<Paging>,
) -> Result<Json<TokenList>> {
    let list = move |tx: &AdminTx<'_>| tokens::list(&tx.own()?, &paging);
    let Page { items: tokens, next_cursor } = api.gate.read(call, (), list).await?;
    Ok(Json(TokenList { tokens, next_cursor }))
}

/// Create a token as an administrator
///
/// The token is bound to the active organization. Without an active organization, it is bound to none and gives access
/// to `/api/me`, `/api/schema`, and `/api/admin`. Requires a session. The plaintext is shown only in this response.
#[crate::describe::path(post, path = IN_TABLE, tag = "Administration", operation_id = "createAdminToken",
    request_body = NewToken,
    responses((status = 201, description = "The created token with its plaintext", body = CreatedToken)))]
pub async fn create_token(
    State(api): State<Api>,
    Write { call, body, .. }: Write<Admin, NewToken>,
) -> Result<Created<CreatedToken>> {
    count_token_creation(&api, &call).await?;
    Ok(Created(api.gate.write(call, (), |tx| tokens::mint_anywhere(&mut tx.session()?, body)).await?))
}

/// Revoke one of my tokens as an administrator
///
/// Requests with the token are rejected from now on.
#[crate::describe::path(delete, path = IN_TABLE, tag = "Administration", operation_id = "revokeAdminToken",
    responses((status = 200, description = "Token revoked", body = Done)))]
pub async fn revoke_token(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Admin>,
    Path(id): Path<i64>,
) -> Result<Json<Done>> {
    api.gate.write(call, (), move |tx| tokens::revoke(&mut tx.own()?, id)).await?;
    Ok(DONE)
}

/// List audit events
///
/// Lists every write, sign-in, token change, and permission change, newest first. To get the next page, set `before` to
/// the last id of this page. A page with fewer than `limit` events is the last one.
#[crate::describe::path(get, path = IN_TABLE, tag = "Administration", operation_id = "listAuditEvents", params(EventsQuery),
    responses((status = 200, description = "The audit events", body = AuditEventList)))]
pub async fn list_audit_events(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Admin>,
    Query(query): Query<EventsQuery>,
) -> Result<Json<AuditEventList>> {
    let EventsQuery { limit, before, kind, actor } = query;
    let read = move |tx: &AdminTx<'_>| audit::read(tx, &AuditQuery::new(limit, before, None, kind)?.by(actor)?);
    Ok(Json(AuditEventList { events: api.gate.read(call, (), read).await? }))
}
