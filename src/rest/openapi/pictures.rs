//! Common parts of the routes that return an image from another server.

use crate::rest::route::Route;

/// Whether the route returns an image.
pub(super) fn is_one(route: &Route) -> bool {
    ["/photo", "/icon"].iter().any(|end| route.path.ends_with(end))
}

/// The error responses that replace the general ones on these routes.
pub(super) fn errors(route: &Route) -> Option<(u16, &'static str, Option<&'static str>)> {
    let text = "It does not exist, has no picture, or the caller may not know that it does. With this code: what is said to be \
                a picture did not come or is none, and `error` says why; with `Retry-After` it is on its way";
    is_one(route).then_some((404, text, Some("no_picture")))
}
