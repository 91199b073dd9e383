//! Error responses of the routes that call the wiki.

use crate::rest::route::Route;

/// The error responses that replace the general ones on these routes.
pub(super) fn errors(route: &Route, takes_a_body: bool) -> Vec<(u16, &'static str, Option<&'static str>)> {
    let path = route.path;
    let is_link = route.method == axum::http::Method::POST && path.contains("/links");
    let asks = is_link || matches!(path, "/api/admin/wiki/test" | "/api/wiki/children" | "/api/wiki/icon");
    let mut errors = Vec::new();
    if is_link {
        let text = if takes_a_body {
            "Something that was sent cannot be right. With this code: the address is the wiki's, or said to be, and names \
             no page or database"
        } else {
            "An active organization is missing. With this code: the link is said to lead to the wiki, and names no page \
             or database"
        };
        errors.push((400, text, Some("bad_wiki_url")));
    }
    if asks {
        let text = "The account is suspended, or may not do this. With this code: the wiki refused the organization's \
                    connection, which may have to be connected again";
        errors.push((403, text, Some("wiki_access_denied")));
        let text = "The wiki is busy, broken or not to be reached; `Retry-After` says when to try again";
        errors.push((502, text, None));
    }
    if asks && !matches!(path, "/api/admin/wiki/test" | "/api/wiki/icon") {
        let text = "It does not exist, or the caller may not know that it does. With this code: the wiki has no such page \
                    or database, or has not shared it with the organization's connection";
        errors.push((404, text, Some("wiki_not_found")));
    }
    if asks || matches!(path, "/api/auth/wiki/start" | "/api/admin/wiki/refresh") {
        let text = "The server is busy, or is stopping; try again. With this code: the organization has not connected the \
                    wiki, or this instance is not registered at its provider";
        errors.push((503, text, Some("wiki_misconfigured")));
    }
    errors
}
