//! Signing in, and the first set-up.

use axum::{Json, extract::State};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Api, IN_TABLE, error::Result, extract::PublicWrite};
use crate::{
    auth::{
        keys::Jwk,
        passwords::{self, NewPassword},
        tokens,
    },
    domain::{
        input::{Input, objects},
        organizations,
        sessions::{self, SignedIn},
        users::{self, NewAdmin},
        values::{Login, Name},
    },
    error::Error,
};

/// The public keys that session JWTs are signed with.
#[derive(Debug, Serialize, ToSchema)]
pub struct Jwks {
    /// As RFC 7517 writes them.
    keys: Vec<Jwk>,
}

/// A login and a password.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Credentials {
    /// What one signs in with, in any case.
    #[schema(example = "ada", max_length = 200)]
    login: String,
    /// The password.
    #[schema(format = Password, max_length = 1000)]
    password: String,
    /// The organization to be active; without it, the one the user joined first.
    #[schema(nullable = false)]
    org_id: Option<String>,
}

objects!(Credentials, SetUp);
impl Input for Credentials {}

/// The first account of an instance.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct SetUp {
    /// From the link that the server printed at its start.
    token: String,
    /// What to sign in with.
    login: Login,
    /// Name for display.
    display_name: Name,
    /// The password.
    password: NewPassword,
    /// Name of the first organization.
    organization: Name,
}

impl Input for SetUp {}

/// Longest password worth hashing.
const LONGEST_PASSWORD: usize = 1_000;

/// The public keys of session JWTs
#[utoipa::path(get, path = IN_TABLE, tag = "Sign-in", operation_id = "readJwks",
    responses((status = 200, description = "The keys", body = Jwks)))]
pub async fn jwks(State(api): State<Api>) -> Json<Jwks> {
    Json(Jwks { keys: api.keys.jwks() })
}

/// Sign in with a password
///
/// Answers with a session JWT for the `Authorization` header, good for some minutes.
#[utoipa::path(post, path = IN_TABLE, tag = "Sign-in", operation_id = "logIn",
    request_body = Credentials, responses((status = 200, description = "The session", body = SignedIn)))]
pub async fn log_in(
    State(api): State<Api>,
    PublicWrite { call, body }: PublicWrite<Credentials>,
) -> Result<Json<SignedIn>> {
    const WRONG: Error = Error::Unauthenticated("login or password is wrong");
    let Credentials { login, password, org_id } = body;
    if password.len() > LONGEST_PASSWORD {
        return Err(WRONG.into());
    }
    let candidate = api.gate.public_view(call.clone(), move |tx| sessions::candidate(tx, &login)).await?;
    let user_id = candidate.as_ref().map(|candidate| candidate.user_id);
    let hash = candidate.and_then(|candidate| candidate.password_hash);
    let right = api.passwords.run(move || Ok(passwords::verify(&password, hash.as_deref()))).await?;
    match user_id.filter(|_| right) {
        Some(user_id) => {
            Ok(Json(api.gate.public(call, move |tx| sessions::begin(tx, user_id, org_id.as_deref())).await?))
        }
        None => {
            api.gate.public(call, move |tx| sessions::refused(tx, user_id)).await?;
            Err(WRONG.into())
        }
    }
}

/// Make the first account
///
/// With the one-time token of the link that the server prints while there is no user.
#[utoipa::path(post, path = IN_TABLE, tag = "Sign-in", operation_id = "setUp",
    request_body = SetUp, responses((status = 200, description = "The session", body = SignedIn)))]
pub async fn set_up(State(api): State<Api>, PublicWrite { call, body }: PublicWrite<SetUp>) -> Result<Json<SignedIn>> {
    let given = tokens::hash(&body.token);
    let expected = *api.setup.lock().map_err(|_| Error::internal("a thread panicked"))?;
    if expected != Some(given) {
        return Err(Error::Forbidden("this set-up link is not valid; the server prints a new one at each start").into());
    }
    let password = body.password;
    let password_hash = api.passwords.run(move || password.hash()).await?;
    let new = NewAdmin {
        login: body.login,
        display_name: body.display_name,
        password_hash,
        organization_slug: organizations::slug_from(&body.organization)?,
        organization_name: body.organization,
    };
    let signed_in = api.gate.public(call, move |tx| users::set_up(tx, &new)).await?;
    *api.setup.lock().map_err(|_| Error::internal("a thread panicked"))? = None;
    Ok(Json(signed_in))
}
