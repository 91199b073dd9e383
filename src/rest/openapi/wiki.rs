//! Error responses of the routes that call the wiki.

use crate::rest::route::{Fact, Route};

/// The error responses that replace the general ones on these routes.
pub(super) fn errors(route: &Route, takes_a_body: bool) -> Vec<(u16, &'static str, Option<&'static str>)> {
    let mut errors = Vec::new();
    if route.has(Fact::WikiLink) {
        let text = if takes_a_body {
            "The request is invalid. With this code: the URL is a wiki URL without the id of a page or database"
        } else {
            "An active organization is required. With this code: the link is a wiki link without the id of a page or \
             database"
        };
        errors.push((400, text, Some("bad_wiki_url")));
    }
    if route.has(Fact::CallsWiki) {
        let text = "The account is suspended, or lacks the permission. With this code: the wiki denied access; the \
                    organization may need to reconnect it";
        errors.push((403, text, Some("wiki_access_denied")));
        let text = "The wiki is busy, unreachable or returned an error; try again after `Retry-After`";
        errors.push((502, text, None));
    }
    if route.has(Fact::ReadsWikiPage) {
        let text = "The resource does not exist, or is not visible to the caller. With this code: the wiki has no \
                    such page or database, or it is not shared with the organization's connection";
        errors.push((404, text, Some("wiki_not_found")));
    }
    if route.has(Fact::CallsWiki) || route.has(Fact::NeedsWiki) {
        let text = "The server is busy or stopping; try again. With this code: the organization has not connected the \
                    wiki, or this instance has no OAuth client at the provider";
        errors.push((503, text, Some("wiki_misconfigured")));
    }
    errors
}
