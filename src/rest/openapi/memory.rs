//! Errors of routes that may take megabytes of memory.

use axum::http::Method;

use super::Route;

/// What can go wrong on a route that reads a body, or whose answer is large.
pub(super) fn errors(route: &Route, takes_a_body: bool) -> Option<(u16, &'static str, Option<&'static str>)> {
    const LARGE: [&str; 6] = ["", "/export", "/history", "/history/difference", "/versions/{vid}", "/processes"];
    let path = route.path.strip_prefix("/api/workspaces/{id}").filter(|_| route.method == Method::GET);
    let is_large = takes_a_body || path.is_some_and(|path| LARGE.contains(&path));
    is_large.then_some((429, "Too many large requests of the caller at the same time; try again", None))
}
