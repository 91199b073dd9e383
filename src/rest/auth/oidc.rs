//! Sign-in at the identity provider: two redirects for browsers, and the decision to link an existing account.

use axum::{
    extract::{FromRequestParts, RawQuery, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header, request::Parts},
    response::{AppendHeaders, IntoResponse, Response},
};
use url::form_urlencoded;

use crate::{
    auth::throttle::{AttemptKind, LimitKey},
    domain::accounts::{
        identity::{
            AccessKind, CallbackOutcome, CallbackResult, EndedAccess, LocalPath, PendingLink, ProviderCallback,
            SignInError,
        },
        sessions::NewSession,
        sign_in::{LinkDecision, LinkedAccount, Visitor},
    },
    error::Error,
    rest::{
        access::Extractor,
        api::Api,
        cookies::{hint_of, link_of, oidc_of},
        error::{ApiError, Result},
        extract::{Anonymous, PublicWrite},
        responses::Json,
        route::IN_TABLE,
    },
};

/// The cookie with a pending account link. Writes must come from a page of this server.
pub struct LinkCookie(pub Option<String>);

impl FromRequestParts<Api> for LinkCookie {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, api: &Api) -> Result<Self> {
        let Some(sealed) = link_of(&parts.headers) else { return Ok(Self(None)) };
        // Browsers do not send `Origin` with same-origin GET requests, which do not write.
        if parts.method != Method::GET && !api.settings.cookies.is_ours(parts) {
            let text = "the header Origin must be the origin of this server: only its own pages can decide about linking an account";
            return Err(Error::Forbidden(text).into());
        }
        Ok(Self(Some(sealed)))
    }
}

impl Extractor for LinkCookie {}

/// Sign in at the identity provider
///
/// For browsers. Redirects to the identity provider, which redirects back to `GET /api/auth/oidc/callback`. The browser
/// must return within 10 minutes and send the cookie that this response sets. If the provider cannot be reached,
/// redirects to `/sign-in?problem=unreachable`.
#[crate::describe::path(get, path = IN_TABLE, tag = "Sign-in", operation_id = "startOidc",
    params(("next" = Option<String>, Query,
        description = "Page to open after sign-in: a path on this server. Default: none")),
    responses((status = 302, description = "Redirect to the provider",
        headers(("Location", description = "URL of the provider's sign-in page")))))]
pub async fn start(
    State(api): State<Api>,
    _: Anonymous,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response> {
    let query = query.unwrap_or_default();
    let mut parameters = form_urlencoded::parse(query.as_bytes());
    let next = parameters.find(|(name, _)| name == "next").and_then(|(_, next)| LocalPath::new(&next));
    Ok(match api.identity.start_sign_in(next.clone()).await? {
        Ok(redirect) => {
            let rules = &api.settings.cookies;
            let mut cookies = rules.remove_oldest_oidc(&headers);
            cookies.push(rules.oidc(&redirect.state, redirect.cookie));
            (AppendHeaders(cookies), found(&redirect.url)).into_response()
        }
        Err(sign_in_error) => {
            found(&page(&api, next.as_ref().map(LocalPath::as_str), Some(sign_in_error), EndedAccess::default()))
        }
    })
}

/// Finish signing in at the identity provider
///
/// For browsers. Redirects to `/sign-in`, with the requested page in `next`. On success, the response sets the cookie
/// that renews a session. On failure, `problem` is `bad_state`, `denied`, `unreachable`, `untrue`, `too_many`,
/// `suspended`, or `failed`. If an account was linked by its email address, `ended` lists what this ended, separated by
/// dots: `password`, `second-factor`, `sessions`, `tokens`, `connectors`.
///
/// If the provider confirms the email address of an account that has a password, the account is not linked yet. The
/// response redirects to `/link-account`, with `next`, and the user decides within 10 minutes at
/// `POST /api/auth/oidc/link`.
#[crate::describe::path(get, path = IN_TABLE, tag = "Sign-in", operation_id = "finishOidc",
    params(
        ("code" = Option<String>, Query, description = "Authorization code of the provider"),
        ("state" = Option<String>, Query, description = "State of the pending sign-in"),
        ("error" = Option<String>, Query, description = "Error code of the provider, if the sign-in failed")),
    responses((status = 302, description = "Redirect to a page of this server",
        headers(("Location",
            description = "`/sign-in` with `next`, `problem`, and `ended`, or `/link-account` with `next`")))))]
pub async fn callback(
    State(api): State<Api>,
    _: Anonymous,
    visitor: Visitor,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response> {
    let mut callback = ProviderCallback { user_agent: visitor.user_agent, ..ProviderCallback::default() };
    for (name, value) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
        match &*name {
            "code" => callback.code = Some(value.into_owned()),
            "state" => callback.state = Some(value.into_owned()),
            "error" => callback.error = Some(value.into_owned()),
            _ => {}
        }
    }
    let state = callback.state.clone().unwrap_or_default();
    callback.cookie = oidc_of(&headers, &state);
    let rules = &api.settings.cookies;
    // The pending sign-in can be used only once, even if it fails.
    let spent = callback.cookie.is_some().then(|| rules.remove_oidc(&state));
    let who = LimitKey::address(visitor.address);
    let Ok(attempt) = api.throttle.attempt(AttemptKind::Provider, [who]) else {
        return Ok(found(&page(&api, None, Some(SignInError::RateLimited), EndedAccess::default())));
    };
    let CallbackResult { outcome, next, hint, ended } = api.identity.complete_sign_in(callback).await?;
    let mut cookies: Vec<_> = spent.into_iter().collect();
    let to = match outcome {
        CallbackOutcome::SignedIn(begun) => {
            attempt.succeeded();
            cookies.extend([rules.refresh(&begun.refresh), rules.device(begun.device)]);
            cookies.extend(hint.map(|hint| rules.hint(hint)));
            page(&api, next.as_deref(), None, ended)
        }
        CallbackOutcome::Undecided(sealed) => {
            attempt.succeeded();
            cookies.extend(rules.pending_link(sealed, hint));
            let query =
                form_urlencoded::Serializer::new(String::new()).extend_pairs(next.map(|next| ("next", next))).finish();
            let mark = if query.is_empty() { "" } else { "?" };
            rules.page(&format!("/link-account{mark}{query}"))
        }
        CallbackOutcome::Failed(sign_in_error) => page(&api, next.as_deref(), Some(sign_in_error), ended),
    };
    let mut response = found(&to);
    for (name, value) in cookies {
        response.headers_mut().append(name, value);
    }
    Ok(response)
}

/// Get the pending account link
///
/// For browsers that were redirected to `/link-account`. The identity provider confirmed the email address of an
/// existing account that has a password, and the account is not linked yet. 404 if no link is pending in this browser:
/// the user has decided, the link is older than 10 minutes, or the account has changed.
#[crate::describe::path(get, path = IN_TABLE, tag = "Sign-in", operation_id = "getPendingLink",
    responses((status = 200, description = "The pending account link", body = PendingLink)))]
pub async fn get_link(
    State(api): State<Api>,
    _: Anonymous,
    LinkCookie(sealed): LinkCookie,
) -> Result<Json<PendingLink>> {
    let pending = api.identity.pending_link(sealed.as_deref())?;
    Ok(Json(api.identity.describe_link(pending).await?))
}

/// Link an account to the identity provider
///
/// Links the account and begins a session. If the request has the account's password, and a code if the account uses
/// two-factor authentication, the account's password, sessions, personal access tokens, and connected apps are
/// preserved. Otherwise they end, and `ended` lists them. `Origin` must name this server. If the password or code is
/// wrong, the account is not linked and the user can try again. Attempts count toward the rate limit of sign-ins with a
/// password. 409 if the account has changed or is already linked.
#[crate::describe::path(post, path = IN_TABLE, tag = "Sign-in", operation_id = "resolvePendingLink",
    request_body = LinkDecision, responses((status = 200, description = "The new session", body = LinkedAccount)))]
pub async fn resolve_link(
    State(api): State<Api>,
    visitor: Visitor,
    LinkCookie(sealed): LinkCookie,
    headers: HeaderMap,
    PublicWrite { call, body }: PublicWrite<LinkDecision>,
) -> Result<Response> {
    let pending = api.identity.pending_link(sealed.as_deref())?;
    let (NewSession { signed_in, refresh, device }, ended) = api.sign_in.link(call, visitor, pending, body).await?;
    let rules = &api.settings.cookies;
    let mut cookies = vec![rules.remove_link(), rules.refresh(&refresh), rules.device(device)];
    cookies.extend(api.identity.extend_hint(hint_of(&headers)).map(|hint| rules.hint(hint)));
    let mut response = Json(LinkedAccount { signed_in, ended: ended.kinds() }).into_response();
    for (name, value) in cookies {
        response.headers_mut().append(name, value);
    }
    Ok(response)
}

/// The sign-in page, which opens the page `next` after sign-in and shows the `problem` or what ended because the
/// account was linked.
fn page(api: &Api, next: Option<&str>, problem: Option<SignInError>, ended: EndedAccess) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(problem.map(|problem| ("problem", problem.code())));
    let ended = ended.kinds().into_iter().map(AccessKind::as_str).collect::<Vec<_>>().join(".");
    query.extend_pairs(Some(("ended", ended.as_str())).filter(|(_, ended)| !ended.is_empty()));
    query.extend_pairs(next.map(|next| ("next", next)));
    let query = query.finish();
    let mark = if query.is_empty() { "" } else { "?" };
    api.settings.cookies.page(&format!("/sign-in{mark}{query}"))
}

fn found(location: &str) -> Response {
    let location = HeaderValue::try_from(location).unwrap_or_else(|_| HeaderValue::from_static("/"));
    (StatusCode::FOUND, [(header::LOCATION, location)]).into_response()
}
