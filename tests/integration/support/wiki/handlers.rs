//! Request handlers of the fake wiki, with the provider's order of checks.

use std::{
    ops::ControlFlow,
    sync::{Arc, Mutex},
    time::Instant,
};

use axum::{
    Json, Router,
    body::{Body, to_bytes},
    extract::{Request, State as Shared},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use super::{CLIENT, Fault, ReceivedRequest, State};

type WikiState = Arc<Mutex<State>>;

pub fn router(state: WikiState) -> Router {
    Router::new().fallback(answer).with_state(state)
}

async fn answer(Shared(wiki): Shared<WikiState>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let bytes = to_bytes(body, 1 << 20).await.unwrap();
    let body: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    let what = format!("{} {}", parts.method, parts.uri.path());
    let query = parts.uri.query().unwrap_or_default().to_owned();
    let path: Vec<&str> = parts.uri.path().trim_matches('/').split('/').collect();
    let at = Instant::now();
    let answered = {
        let mut state = wiki.lock().unwrap();
        let fault = match path[..] {
            ["uploads", ..] => None,
            ["v1", "oauth", _] => state.sign_in_faults.pop_front(),
            _ => state.faults.pop_front(),
        };
        match (faulty(fault), &path[..]) {
            (ControlFlow::Break(answer), _) => answer,
            (_, ["uploads", ..]) => Some(state.uploaded(parts.uri.path(), &query)),
            (_, ["v1", "oauth", which]) => Some(oauth(&mut state, which, &parts.headers, &body)),
            _ => Some(interface(&mut state, parts.method.as_str(), &path, &query, &parts.headers, &body)),
        }
    };
    let said = wiki.lock().unwrap().said.get(&what).cloned();
    let answered = match (answered, said) {
        (Some(answer), Some(said)) if matches!(answer.status().as_u16(), 200 | 400 | 404) => Some(fine(said)),
        (answered, _) => answered,
    };
    let status = answered.as_ref().map_or(0, |answer| answer.status().as_u16());
    let held = {
        let mut state = wiki.lock().unwrap();
        let held = state.held.remove(&what);
        state.heard.push(ReceivedRequest { what, at, status, body });
        held
    };
    if let Some(held) = held {
        held.asked.notify_one();
        held.released.notified().await;
    }
    match answered {
        Some(answer) => answer,
        // The client times out first.
        None => std::future::pending().await,
    }
}

/// An API error.
fn error(status: u16, code: &str) -> Response {
    let body = json!({ "object": "error", "status": status, "code": code, "message": "words that change",
                       "request_id": "0f1e2d3c-0000-4000-8000-000000000000" });
    (StatusCode::from_u16(status).unwrap(), [("x-notion-request-id", "0f1e2d3c")], Json(body)).into_response()
}

fn fine(body: Value) -> Response {
    ([("x-notion-request-id", "0f1e2d3c")], Json(body)).into_response()
}

/// The OAuth endpoints: HTTP Basic, a JSON body, and their own error format.
fn oauth(state: &mut State, which: &str, headers: &HeaderMap, body: &Value) -> Response {
    let refused = |status: u16, error: &str| {
        (StatusCode::from_u16(status).unwrap(), Json(json!({ "error": error, "error_description": "words" })))
            .into_response()
    };
    let basic = format!("Basic {}", STANDARD.encode(format!("{}:{}", CLIENT.0, CLIENT.1)));
    if headers.get(header::AUTHORIZATION).is_none_or(|value| value != basic.as_str()) {
        return refused(401, "invalid_client");
    }
    if headers.get(header::CONTENT_TYPE).is_none_or(|value| value != "application/json") {
        return refused(400, "invalid_request");
    }
    let text = |field: &str| body[field].as_str().unwrap_or_default().to_owned();
    match which {
        "token" => {
            let good = match body["grant_type"].as_str() {
                Some("authorization_code") => !text("redirect_uri").is_empty() && state.codes.remove(&text("code")),
                // Each use replaces the refresh token.
                Some("refresh_token") => {
                    let replaced = state.refresh.remove(&text("refresh_token"));
                    replaced.is_some_and(|access| {
                        state.access.remove(&access);
                        true
                    })
                }
                _ => return refused(400, "unsupported_grant_type"),
            };
            if !good {
                return refused(400, "invalid_grant");
            }
            state.pairs += 1;
            let (access, refresh) = (format!("ntn_access_{}", state.pairs), format!("nrt_refresh_{}", state.pairs));
            state.access.insert(access.clone());
            state.refresh.insert(refresh.clone(), access.clone());
            fine(json!({
                "access_token": access, "token_type": "bearer", "refresh_token": refresh,
                "bot_id": "b0b0b0b0-0000-4000-8000-000000000000",
                "workspace_id": "acacacac-0000-4000-8000-000000000000", "workspace_name": "Acme's wiki",
                "workspace_icon": "🏭", "duplicated_template_id": null,
                "owner": { "type": "user", "user": { "object": "user", "id": "u", "name": "Ada Lovelace" } }
            }))
        }
        "revoke" => {
            state.access.remove(&text("token"));
            fine(json!({ "request_id": "0f1e2d3c" }))
        }
        _ => refused(400, "invalid_request"),
    }
}

/// The next fault, if any: a response, or none at all.
fn faulty(fault: Option<Fault>) -> ControlFlow<Option<Response>> {
    let busy = |retry_after: &str| {
        let mut busy = error(429, "rate_limited");
        busy.headers_mut().insert(header::RETRY_AFTER, retry_after.parse().unwrap());
        busy
    };
    ControlFlow::Break(Some(match fault {
        None | Some(Fault::None) => return ControlFlow::Continue(()),
        Some(Fault::Silence) => return ControlFlow::Break(None),
        Some(Fault::Busy(seconds)) => busy(&seconds.to_string()),
        Some(Fault::BusyUntil(text)) => busy(text),
        Some(Fault::Overloaded) => error(529, "service_overload"),
        Some(Fault::Html(status)) => {
            let page = ([(header::CONTENT_TYPE, "text/html")], Body::from("<html>Attention required"));
            (StatusCode::from_u16(status).unwrap(), page).into_response()
        }
        Some(Fault::Garbage) => "<html>".into_response(),
        Some(Fault::Restricted) => error(403, "restricted_resource"),
        Some(Fault::Broken) => error(500, "internal_server_error"),
    }))
}

/// The API.
fn interface(
    state: &mut State,
    method: &str,
    path: &[&str],
    query: &str,
    headers: &HeaderMap,
    body: &Value,
) -> Response {
    let known = matches!(
        (method, path),
        (
            "GET",
            ["v1", "users", "me"]
                | ["v1", "pages" | "databases" | "data_sources" | "blocks", _]
                | ["v1", "blocks", _, "children"]
        ) | ("POST", ["v1", "search"] | ["v1", "data_sources", _, "query"])
    );
    if !known {
        return error(400, "invalid_request_url");
    }
    let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    if state.refuses_all || !bearer.is_some_and(|token| state.access.contains(token)) {
        return error(401, "unauthorized");
    }
    if !headers.contains_key("notion-version") {
        return error(400, "missing_version");
    }
    state.sign();
    found(state, path, query, body)
}

fn found(state: &State, path: &[&str], query: &str, body: &Value) -> Response {
    let parameter = |name: &str| {
        url::form_urlencoded::parse(query.as_bytes()).find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
    };
    // IDs are case-sensitive: uppercase is unknown.
    let id = |text: &str| {
        let plain = text.replace('-', "");
        let good = plain.len() == 32 && plain.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        good.then_some(plain)
    };
    let size = |given: Option<u64>| usize::try_from(given.unwrap_or(100)).unwrap();
    match *path {
        ["v1", "users", "me"] => fine(json!({
            "object": "user", "id": "b0b0b0b0-0000-4000-8000-000000000000", "name": "Planroom", "type": "bot",
            "bot": { "owner": { "type": "user", "user": { "name": "Ada Lovelace" } }, "workspace_name": "Acme's wiki",
                     "workspace_id": "acacacac-0000-4000-8000-000000000000" }
        })),
        ["v1", "search"] => part(&state.found, body["start_cursor"].as_str(), size(body["page_size"].as_u64())),
        ["v1", "data_sources", which, "query"] => match id(which) {
            None => error(400, "validation_error"),
            Some(id) => match state.rows.get(&id) {
                None => error(404, "object_not_found"),
                Some(rows) => {
                    let is_incomplete = state.incomplete.contains(&id);
                    part_of(rows, body["start_cursor"].as_str(), size(body["page_size"].as_u64()), is_incomplete)
                }
            },
        },
        ["v1", "blocks", which, "children"] => match id(which) {
            None => error(400, "validation_error"),
            Some(id) => match state.blocks.get(&id) {
                None => error(404, "object_not_found"),
                Some(blocks) => part(
                    blocks,
                    parameter("start_cursor").as_deref(),
                    size(parameter("page_size").and_then(|text| text.parse().ok())),
                ),
            },
        },
        ["v1", of, which] => {
            let Some(id) = id(which) else { return error(400, "validation_error") };
            let other = |kind: &'static str| state.things.contains_key(&(id.clone(), kind));
            let found = state.things.iter().find(|((known, kind), _)| *known == id && *kind == of);
            match found {
                Some((_, thing)) => fine(thing.clone()),
                // "… is a database, not a page"; the reverse is not found.
                None if of == "pages" && other("databases") => error(400, "validation_error"),
                None if of == "blocks" && state.blocks.contains_key(&id) => {
                    fine(json!({ "object": "block", "id": id }))
                }
                None => error(404, "object_not_found"),
            }
        }
        _ => error(400, "invalid_request_url"),
    }
}

/// A page of a list; cursors are opaque.
fn part(all: &[Value], from: Option<&str>, size: usize) -> Response {
    part_of(all, from, size, false)
}

/// The same for a list that can end early.
fn part_of(all: &[Value], from: Option<&str>, size: usize, is_incomplete: bool) -> Response {
    let at = match from.map(|cursor| cursor.strip_prefix("opaque-").and_then(|at| at.parse::<usize>().ok())) {
        None => 0,
        Some(Some(at)) if at < all.len() => at,
        Some(_) => return error(400, "validation_error"),
    };
    if !(1..=100).contains(&size) {
        return error(400, "validation_error");
    }
    let end = (at + size).min(all.len());
    let more = end < all.len();
    let mut list = json!({ "object": "list", "results": all[at..end], "has_more": more,
                           "next_cursor": more.then(|| format!("opaque-{end}")) });
    if is_incomplete && !more {
        list["request_status"] = json!({ "type": "incomplete", "incomplete_reason": "query_result_limit_reached" });
    }
    fine(list)
}
