//! Going on with a session, and ending it.

use axum::{
    Json,
    extract::{FromRequestParts, State},
    http::{HeaderMap, StatusCode, request::Parts},
    response::{AppendHeaders, IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::super::{
    api::Api,
    cookies::hint_of,
    error::{ApiError, Result},
    extract::{Anyone, Perhaps, PublicWrite, Write},
    route::IN_TABLE,
};
use crate::{
    auth::refresh::RefreshToken,
    domain::{
        input::{Input, objects},
        sessions::{self, OrgChoice, SignedIn},
    },
    error::Error,
};

/// How to go on.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Renewal {
    /// The organization to be active, null for none; when it is left out, the one that the user joined first.
    #[serde(default)]
    #[schema(value_type = Option<String>, required = false)]
    org_id: OrgChoice,
}

/// Where to go on.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Activation {
    /// The organization to be active; null for none.
    // Only a field that names its reader must be there.
    #[serde(deserialize_with = "OrgChoice::deserialize")]
    #[schema(value_type = Option<String>, required = true)]
    org_id: OrgChoice,
}

objects!(Renewal, Activation);
impl Input for Renewal {}
impl Input for Activation {}

/// The refresh token that came with the request, from a page of ours.
pub struct Refresh(pub Option<String>);

impl FromRequestParts<Api> for Refresh {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, api: &Api) -> Result<Self> {
        api.settings.cookies.sent(parts).map(Self)
    }
}

/// Renew the session
///
/// With the cookie, which is replaced; from a page of this server, as `Origin` tells. A cookie that was used before ends
/// the session, but for 30 s, in which two tabs may use it at once. Without a cookie the answer is empty.
#[utoipa::path(post, path = IN_TABLE, tag = "Sign-in", operation_id = "refresh", request_body = Renewal,
    responses(
        (status = 200, description = "The session", body = SignedIn),
        (status = 204, description = "There is no cookie: nobody has signed in here")))]
pub async fn refresh(
    State(api): State<Api>,
    Refresh(token): Refresh,
    PublicWrite { call, body }: PublicWrite<Renewal>,
) -> Result<Response> {
    // Every page asks, before anybody has signed in too: that is no error.
    let Some(token) = token else { return Ok(StatusCode::NO_CONTENT.into_response()) };
    let (signed_in, next) = api.sign_in.refresh(call, &token, body.org_id).await?;
    Ok((AppendHeaders([api.settings.cookies.refresh(&next)]), Json(signed_in)).into_response())
}

/// A session that has ended.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignedOut {
    /// Always true.
    ok: bool,
    /// Where the browser goes on to, to sign out at the identity provider too. It comes back from there to `/sign-in`. Left
    /// out when there is nothing more to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(
        example = "https://id.example.org/logout?client_id=planroom&post_logout_redirect_uri=https%3A%2F%2Fplans.example.org%2Fsign-in"
    )]
    continue_at: Option<String>,
}

/// Sign out
///
/// Ends the session of the cookie and that of the credential. Its JWTs are refused from now on. A browser whose cookie's
/// session began at the identity provider is still signed in there; where this instance signs people out there too, the
/// answer says where the browser goes on to.
#[utoipa::path(post, path = IN_TABLE, tag = "Sign-in", operation_id = "logOut",
    responses((status = 200, description = "It has ended", body = SignedOut)))]
pub async fn log_out(
    State(api): State<Api>,
    Refresh(token): Refresh,
    Anyone(anyone): Anyone,
    asked: Result<Perhaps>,
    headers: HeaderMap,
) -> Result<Response> {
    let mut began_elsewhere = false;
    if let Some(token) = token.as_deref().and_then(RefreshToken::parse) {
        began_elsewhere = api.gate.public(anyone, move |tx| sessions::end_by_token(tx, &token)).await?;
        // The JWT beside the cookie is usually of the same session, and often too old.
        if let Ok(Perhaps(Some(call))) = asked {
            match api.gate.session(call, sessions::end_current).await {
                Err(Error::Unauthenticated(_) | Error::Forbidden(_) | Error::Suspended | Error::NotFound(_)) => {}
                ended => ended?,
            }
        }
    } else if let Perhaps(Some(call)) = asked? {
        api.gate.session(call, sessions::end_current).await?;
    }
    let hint = hint_of(&headers);
    let rules = &api.settings.cookies;
    let forgotten = [Some(rules.forget()), rules.forget_hint(&headers)];
    let continue_at = if began_elsewhere { api.identity.leave(hint).await } else { None };
    let mut response = Json(SignedOut { ok: true, continue_at }).into_response();
    response.headers_mut().extend(forgotten.into_iter().flatten());
    Ok(response)
}

/// Work in another organization
///
/// Answers with a JWT of the same session for the organization, or for none.
#[utoipa::path(post, path = IN_TABLE, tag = "Sign-in", operation_id = "switchOrganization",
    request_body = Activation, responses((status = 200, description = "The session", body = SignedIn)))]
pub async fn switch(State(api): State<Api>, Write { call, body, .. }: Write<Activation>) -> Result<Json<SignedIn>> {
    Ok(Json(api.gate.session(call, move |tx| sessions::activate(tx, &body.org_id)).await?))
}
