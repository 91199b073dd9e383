//! Signing in at the identity provider: two redirects, for browsers.

use axum::{
    extract::{RawQuery, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{AppendHeaders, IntoResponse, Response},
};
use url::form_urlencoded;

use super::super::{api::Api, cookies::oidc_of, error::Result, route::IN_TABLE};
use crate::{
    auth::throttle::{Kind, Who},
    domain::{
        identity::{Arrival, Ended, Landing, Obstacle, OwnPage},
        sign_in::Visitor,
    },
};

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
#[utoipa::path(get, path = IN_TABLE, tag = "Sign-in", operation_id = "finishOidc",
    params(
        ("code" = Option<String>, Query, description = "What the provider gives for signing in"),
        ("state" = Option<String>, Query, description = "What was begun"),
        ("error" = Option<String>, Query, description = "What the provider has against it")),
    responses((status = 302, description = "On to the pages",
        headers(("Location", description = "`/sign-in`, with `next`, `problem` and `ended`")))))]
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
    if outcome.is_ok() {
        attempt.succeeded();
    }
    let to = found(&page(&api, next.as_deref(), outcome.as_ref().err().copied(), ended));
    let mut cookies: Vec<_> = spent.into_iter().collect();
    if let Ok(begun) = outcome {
        cookies.extend([rules.refresh(&begun.refresh), rules.device(begun.device)]);
        cookies.extend(hint.map(|hint| rules.hint(hint)));
    }
    let mut response = to;
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
    let ended = ended.words().join(".");
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
