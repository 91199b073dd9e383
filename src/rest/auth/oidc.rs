//! Signing in at the identity provider: two redirects for browsers, and the decision about linking an existing account.

use axum::{
    Json,
    extract::{FromRequestParts, RawQuery, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header, request::Parts},
    response::{AppendHeaders, IntoResponse, Response},
};
use url::form_urlencoded;

use super::super::{
    api::Api,
    cookies::{hint_of, link_of, oidc_of},
    error::{ApiError, Result},
    extract::PublicWrite,
    route::IN_TABLE,
};
use crate::{
    auth::throttle::{Kind, Who},
    domain::{
        identity::{AccessKind, Arrival, Ended, Landing, Obstacle, Outcome, OwnPage, PendingLink},
        sessions::Begun,
        sign_in::{LinkDecision, Linked, Visitor},
    },
    error::Error,
};

/// The pending link that a browser has stored, from a page of this server.
pub struct LinkCookie(pub Option<String>);

impl FromRequestParts<Api> for LinkCookie {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, api: &Api) -> Result<Self> {
        let Some(sealed) = link_of(&parts.headers) else { return Ok(Self(None)) };
        // Browsers send no Origin with a GET from the same origin; nothing is written by one.
        if parts.method != Method::GET && !api.settings.cookies.is_ours(parts) {
            let text = "the header Origin must name this server: only its own pages decide about linking an account";
            return Err(Error::Forbidden(text).into());
        }
        Ok(Self(Some(sealed)))
    }
}

/// Sign in at the identity provider
///
/// For browsers: they are sent to the provider, and come back to `GET /api/auth/oidc/callback` within ten minutes with the
/// cookie that this answer sets. When the provider cannot be reached they are sent to `/sign-in?problem=unreachable`.
#[utoipa::path(get, path = IN_TABLE, tag = "Sign-in", operation_id = "startOidc",
    params(("next" = Option<String>, Query, description = "The page that one came for: a path of this server")),
    responses((status = 302, description = "To the provider", headers(("Location", description = "The provider's page")))))]
pub async fn start(State(api): State<Api>, RawQuery(query): RawQuery, headers: HeaderMap) -> Result<Response> {
    let query = query.unwrap_or_default();
    let mut parameters = form_urlencoded::parse(query.as_bytes());
    let next = parameters.find(|(name, _)| name == "next").and_then(|(_, next)| OwnPage::new(&next));
    Ok(match api.identity.depart(next.clone()).await? {
        Ok(departure) => {
            let rules = &api.settings.cookies;
            let mut cookies = rules.forget_oldest_oidc(&headers);
            cookies.push(rules.oidc(&departure.state, departure.kept));
            (AppendHeaders(cookies), found(&departure.url)).into_response()
        }
        Err(obstacle) => found(&page(&api, next.as_ref().map(OwnPage::as_str), Some(obstacle), Ended::default())),
    })
}

/// Come back from the identity provider
///
/// For browsers. They are sent on to `/sign-in`, with the page that they came for in `next`: signed in, by the cookie that
/// renews a session, or with what was in the way in `problem`: `bad_state`, `denied`, `unreachable`, `untrue`,
/// `too_many`, `suspended` or `failed`. When an account was linked by its email address, `ended` names what ended with
/// that, separated by dots: `password`, `second-factor`, `sessions`, `tokens`, `connectors`.
///
/// If the provider vouches for the email address of an account that has a password, nothing is linked yet: the browser is
/// sent to `/link-account`, with `next`, and its user decides within ten minutes at `POST /api/auth/oidc/link`.
#[utoipa::path(get, path = IN_TABLE, tag = "Sign-in", operation_id = "finishOidc",
    params(
        ("code" = Option<String>, Query, description = "What the provider gives for signing in"),
        ("state" = Option<String>, Query, description = "What was begun"),
        ("error" = Option<String>, Query, description = "What the provider has against it")),
    responses((status = 302, description = "On to the pages",
        headers(("Location", description = "`/sign-in`, with `next`, `problem` and `ended`; or `/link-account`, with `next`")))))]
pub async fn callback(
    State(api): State<Api>,
    visitor: Visitor,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response> {
    let mut arrival = Arrival { user_agent: visitor.user_agent, ..Arrival::default() };
    for (name, value) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
        match &*name {
            "code" => arrival.code = Some(value.into_owned()),
            "state" => arrival.state = Some(value.into_owned()),
            "error" => arrival.error = Some(value.into_owned()),
            _ => {}
        }
    }
    let state = arrival.state.clone().unwrap_or_default();
    arrival.kept = oidc_of(&headers, &state);
    let rules = &api.settings.cookies;
    // It is good once, whatever comes of it.
    let spent = arrival.kept.is_some().then(|| rules.forget_oidc(&state));
    let who = Who::address(visitor.address);
    let Ok(attempt) = api.throttle.attempt(Kind::Provider, [who]) else {
        return Ok(found(&page(&api, None, Some(Obstacle::TooMany), Ended::default())));
    };
    let Landing { outcome, next, hint, ended } = api.identity.arrive(arrival).await?;
    let mut cookies: Vec<_> = spent.into_iter().collect();
    let to = match outcome {
        Outcome::SignedIn(begun) => {
            attempt.succeeded();
            cookies.extend([rules.refresh(&begun.refresh), rules.device(begun.device)]);
            cookies.extend(hint.map(|hint| rules.hint(hint)));
            page(&api, next.as_deref(), None, ended)
        }
        Outcome::Undecided(sealed) => {
            attempt.succeeded();
            cookies.extend(rules.pending_link(sealed, hint));
            let query =
                form_urlencoded::Serializer::new(String::new()).extend_pairs(next.map(|next| ("next", next))).finish();
            let mark = if query.is_empty() { "" } else { "?" };
            rules.page(&format!("/link-account{mark}{query}"))
        }
        Outcome::Refused(obstacle) => page(&api, next.as_deref(), Some(obstacle), ended),
    };
    let mut response = found(&to);
    for (name, value) in cookies {
        response.headers_mut().append(name, value);
    }
    Ok(response)
}

/// Get the pending account link
///
/// For browsers that were sent to `/link-account`. The identity provider vouches for the email address of an existing
/// account that has a password, and nothing is linked yet. 404 if no link is pending in this browser: it was decided, is older
/// than ten minutes, or the account has changed since.
#[utoipa::path(get, path = IN_TABLE, tag = "Sign-in", operation_id = "readPendingLink",
    responses((status = 200, description = "The pending link", body = PendingLink)))]
pub async fn read_link(State(api): State<Api>, LinkCookie(sealed): LinkCookie) -> Result<Json<PendingLink>> {
    let pending = api.identity.pending_link(sealed.as_deref())?;
    Ok(Json(api.identity.describe_link(pending).await?))
}

/// Link an account to the identity provider
///
/// Links the account and begins a session. With the account's password, and a two-factor authentication code if it
/// uses one, its password, sessions, personal access tokens and connected apps stay; without it they end, and `ended` lists
/// them. Only for pages of this server, as `Origin` tells. A wrong password or code links nothing and can be corrected;
/// attempts count like sign-ins with a password. 409 if the account has changed since, or is linked already.
#[utoipa::path(post, path = IN_TABLE, tag = "Sign-in", operation_id = "decidePendingLink",
    request_body = LinkDecision, responses((status = 200, description = "The session", body = Linked)))]
pub async fn decide_link(
    State(api): State<Api>,
    visitor: Visitor,
    LinkCookie(sealed): LinkCookie,
    headers: HeaderMap,
    PublicWrite { call, body }: PublicWrite<LinkDecision>,
) -> Result<Response> {
    let pending = api.identity.pending_link(sealed.as_deref())?;
    let (Begun { signed_in, refresh, device }, ended) = api.sign_in.link(call, visitor, pending, body).await?;
    let rules = &api.settings.cookies;
    let mut cookies = vec![rules.forget_link(), rules.refresh(&refresh), rules.device(device)];
    cookies.extend(api.identity.extend_hint(hint_of(&headers)).map(|hint| rules.hint(hint)));
    let mut response = Json(Linked { signed_in, ended: ended.kinds() }).into_response();
    for (name, value) in cookies {
        response.headers_mut().append(name, value);
    }
    Ok(response)
}

/// Our page to sign in, which leads whoever is signed in on to the page that they came for, and tells them what ended
/// because their account was linked.
fn page(api: &Api, next: Option<&str>, problem: Option<Obstacle>, ended: Ended) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(problem.map(|problem| ("problem", problem.word())));
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
