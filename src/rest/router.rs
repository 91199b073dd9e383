//! The router of the API, and its OpenAPI document, from the route table.

use axum::{
    Router,
    middleware::{from_fn, from_fn_with_state},
};
use tower_http::catch_panic::CatchPanicLayer;

use super::{Need, api::Api, cors, error, extract, observe, standby, table, visitor};

/// Builds the OpenAPI document from the route table, the handlers and the types, for the test that compares it with the
/// copy in `assets/contracts`. The binary embeds that copy, so that it need not contain the descriptions of all types.
#[cfg(feature = "contracts")]
pub fn openapi() -> crate::describe::openapi::OpenApi {
    super::openapi::document(&table(), super::descriptions())
}

/// Builds the router of the API. `pages` handles the paths that are not in the route table.
pub fn router(api: Api, pages: Router) -> Router {
    let routes = table().into_iter().fold(Router::new(), |router, route| {
        // The layer added last runs first.
        let accepts_query = route.accepts_query();
        let handler = if accepts_query { route.handler } else { route.handler.route_layer(from_fn(extract::no_query)) };
        let handler = match route.need {
            Need::Public => handler,
            _ => handler.route_layer(from_fn_with_state(api.clone(), extract::credential)),
        };
        router.route(route.path, handler)
    });
    routes
        .with_state(api.clone())
        .merge(pages.layer(from_fn(error::unknown_page)).layer(from_fn_with_state(api.clone(), visitor::introduce)))
        .method_not_allowed_fallback(error::unknown_method)
        .layer(from_fn_with_state(api.clone(), standby::reject_writes))
        // Before rejections, so that the log has the address of the client.
        .layer(from_fn_with_state(api.clone(), visitor::schedule))
        .layer(CatchPanicLayer::custom(error::panic_error))
        .layer(cors::cors(&api.settings.cors_origins))
        .layer(from_fn(cors::reject_plain_options))
        .layer(from_fn_with_state(api.clone(), observe::observe))
        .layer(from_fn_with_state(api, observe::identify))
}
