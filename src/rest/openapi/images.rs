//! Common parts of the routes that return an image from another server.

use crate::rest::route::{Fact, Route};

/// The error responses that replace the general ones on these routes.
pub(super) fn errors(route: &Route) -> Option<(u16, &'static str, Option<&'static str>)> {
    let text = "The resource does not exist, has no image, or is not visible to the caller. With this code: the image \
                could not be loaded, and `error` has the reason; with `Retry-After`, it is being loaded";
    route.has(Fact::Image).then_some((404, text, Some("no_picture")))
}
