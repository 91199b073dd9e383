//! Renewing, switching, and ending a session.

use axum::{
    extract::{FromRequestParts, State},
    http::{HeaderMap, StatusCode, request::Parts},
    response::{AppendHeaders, IntoResponse, Response},
};
use serde::{Deserialize, Serialize};

use crate::{
    auth::refresh::RefreshToken,
    describe::ToSchema,
    domain::{
        accounts::sessions::{self, OrgChoice, SignedIn},
        input::{Input, objects},
    },
    error::Error,
    rest::{
        access::{Extractor, SessionUser},
        api::Api,
        cookies::hint_of,
        error::{ApiError, Result},
        extract::{Anonymous, MaybeAuthenticated, PublicWrite, Write},
        responses::Json,
        route::IN_TABLE,
    },
};

/// How to renew a session.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct RenewalRequest {
    /// Id of the organization to activate; null for none. Default: the organization that the user joined first.
    #[serde(default)]
    #[schema(value_type = Option<String>, required = false)]
    org_id: OrgChoice,
}

/// The organization to switch to.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct OrganizationSwitch {
    /// Id of the organization to activate; null for none.
    // An explicit deserializer makes the field required.
    #[serde(deserialize_with = "OrgChoice::deserialize")]
    #[schema(value_type = Option<String>, required = true)]
    org_id: OrgChoice,
}

objects!(RenewalRequest, OrganizationSwitch);
impl Input for RenewalRequest {}
impl Input for OrganizationSwitch {}

/// The refresh token of a request from a page of this server.
pub struct Refresh(pub Option<String>);

impl FromRequestParts<Api> for Refresh {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, api: &Api) -> Result<Self> {
        api.settings.cookies.sent(parts).map(Self)
    }
}

impl Extractor for Refresh {}

/// Renew the session
///
/// Uses the refresh cookie and replaces it. `Origin` must name this server. Reusing a replaced cookie ends the session,
/// except within 30 seconds, because two tabs may renew at the same time. Without a cookie, the response is 204.
#[crate::describe::path(post, path = IN_TABLE, tag = "Sign-in", operation_id = "refresh", request_body = RenewalRequest,
    responses(
        (status = 200, description = "The renewed session", body = SignedIn),
        (status = 204, description = "No refresh cookie: the browser is not signed in")))]
pub async fn refresh(
    State(api): State<Api>,
    Refresh(token): Refresh,
    PublicWrite { call, body }: PublicWrite<RenewalRequest>,
) -> Result<Response> {
    // Every page renews the session when it loads, also before sign-in, so a missing cookie is not an error.
    let Some(token) = token else { return Ok(StatusCode::NO_CONTENT.into_response()) };
    let (signed_in, next) = api.sign_in.refresh(call, &token, body.org_id).await?;
    Ok((AppendHeaders([api.settings.cookies.refresh(&next)]), Json(signed_in)).into_response())
}

/// The outcome of signing out.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignedOut {
    /// Always true.
    ok: bool,
    /// URL to open next, to sign out at the identity provider too. The provider redirects back to `/sign-in`. Absent if
    /// no further step is needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(
        example = "https://id.example.org/logout?client_id=planroom&post_logout_redirect_uri=https%3A%2F%2Fplans.example.org%2Fsign-in"
    )]
    continue_at: Option<String>,
}

/// Sign out
///
/// Ends the session of the cookie and the session of the credential. JWTs of these sessions are rejected from now on.
/// If the cookie's session began at the identity provider and this instance also signs users out there, `continueAt` is
/// the URL to open next.
#[crate::describe::path(post, path = IN_TABLE, tag = "Sign-in", operation_id = "signOut",
    responses((status = 200, description = "Session ended", body = SignedOut)))]
pub async fn sign_out(
    State(api): State<Api>,
    Refresh(token): Refresh,
    Anonymous(anyone): Anonymous,
    asked: Result<MaybeAuthenticated<SessionUser>>,
    headers: HeaderMap,
) -> Result<Response> {
    let mut began_elsewhere = false;
    if let Some(token) = token.as_deref().and_then(RefreshToken::parse) {
        began_elsewhere = api.gate.write_unstored(anyone, (), move |tx| sessions::end_by_token(tx, &token)).await?;
        // The JWT usually belongs to the same session as the cookie and has often expired, so its errors are ignored.
        if let Ok(MaybeAuthenticated(Some(call))) = asked {
            match api.gate.write(call, (), sessions::end_current).await {
                Err(Error::Unauthenticated(_) | Error::Forbidden(_) | Error::Suspended | Error::NotFound(_)) => {}
                ended => ended?,
            }
        }
    } else if let MaybeAuthenticated(Some(call)) = asked? {
        api.gate.write(call, (), sessions::end_current).await?;
    }
    let hint = hint_of(&headers);
    let rules = &api.settings.cookies;
    let removed = [Some(rules.remove_refresh()), rules.remove_hint(&headers)];
    let continue_at = if began_elsewhere { api.identity.sign_out_url(hint).await } else { None };
    let mut response = Json(SignedOut { ok: true, continue_at }).into_response();
    response.headers_mut().extend(removed.into_iter().flatten());
    Ok(response)
}

/// Switch the active organization
///
/// Returns a JWT of the same session for the organization, or for no organization.
#[crate::describe::path(post, path = IN_TABLE, tag = "Sign-in", operation_id = "switchOrganization",
    request_body = OrganizationSwitch,
    responses((status = 200, description = "The session with the new active organization", body = SignedIn)))]
pub async fn switch(
    State(api): State<Api>,
    Write { call, body, .. }: Write<SessionUser, OrganizationSwitch>,
) -> Result<Json<SignedIn>> {
    Ok(Json(api.gate.write(call, (), move |tx| sessions::activate(tx, &body.org_id)).await?))
}
