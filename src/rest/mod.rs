//! The REST API: the route table, with the path and handler of every route.
//!
//! A handler decodes the request, makes one call to `domain` through the gate, and encodes the response. Its extractors
//! name the permission that the route requires, and the type of the call that they return lets it open only the
//! transaction of that permission. What else a route can answer, such as a conflict, is declared with the row, unless it
//! follows from the method and the permission.

mod access;
mod account;
mod admin;
mod api;
mod auth;
mod bulk;
mod components;
mod conditional;
mod connectors;
mod cookies;
mod cors;
mod directory;
mod error;
mod events;
mod extract;
mod history;
mod images;
mod impact;
mod invitations;
mod links;
mod me;
mod members;
mod observe;
mod openapi;
mod operations;
mod organizations;
mod people;
mod problem;
mod processes;
mod relationships;
mod responses;
mod roles;
mod route;
mod schema;
mod settings;
mod stakeholders;
mod system;
mod teams;
mod transfer;
mod versions;
mod visitor;
mod waitlist;
mod wiki;
mod workspaces;

use axum::{
    Router,
    http::Method,
    middleware::{from_fn, from_fn_with_state},
};
use tower_http::catch_panic::CatchPanicLayer;
use utoipa::openapi::OpenApi;

use self::route::{Fact, route};
pub use self::{
    access::Need,
    api::{Api, Settings},
    cookies::CookieRules,
    error::ApiError,
    route::Route,
};

/// All routes of the API.
#[rustfmt::skip]
#[expect(clippy::too_many_lines, reason = "a line for each route")]
pub fn table() -> Vec<Route> {
    use Fact::{
        ActiveOrganization, CallsWiki, ChangeSet, Conflict, EntityTag, Image, InUse, NamesHidden, NeedsWiki,
        NoConflict, Operations, OptionalToken, Precondition, ReadsWikiPage, RefreshCookie, SelectsOrganization,
        Unqueued, WikiLink,
    };
    const GET: Method = Method::GET;
    const POST: Method = Method::POST;
    const PUT: Method = Method::PUT;
    const PATCH: Method = Method::PATCH;
    const DELETE: Method = Method::DELETE;
    vec![
        route!(GET,    "/healthz",                                  system::healthz).with(&[Unqueued]),
        route!(GET,    "/readyz",                                   system::readyz),
        route!(GET,    "/openapi.json",                             system::openapi_json).with(&[Unqueued]),
        route!(GET,    "/.well-known/jwks.json",                    auth::jwks).with(&[Unqueued]),

        route!(GET,    "/api/auth/config",                          auth::config),
        route!(GET,    "/api/auth/me",                              auth::me).with(&[OptionalToken]),
        route!(POST,   "/api/auth/setup",                           auth::set_up),
        route!(POST,   "/api/auth/login",                           auth::log_in).with(&[SelectsOrganization]),
        route!(POST,   "/api/auth/login/verify",                    auth::verify).with(&[SelectsOrganization]),
        route!(POST,   "/api/auth/refresh",                         auth::refresh).with(&[RefreshCookie, SelectsOrganization]),
        route!(POST,   "/api/auth/logout",                          auth::log_out).with(&[RefreshCookie, OptionalToken, NoConflict]),
        route!(POST,   "/api/auth/organization",                    auth::switch).with(&[NamesHidden]),

        route!(GET,    "/api/auth/oidc/start",                      auth::oidc_start).with(&[NamesHidden]),
        route!(GET,    "/api/auth/oidc/callback",                   auth::oidc_callback).with(&[NamesHidden]),
        route!(GET,    "/api/auth/oidc/link",                       auth::read_link).with(&[NamesHidden]),
        route!(POST,   "/api/auth/oidc/link",                       auth::decide_link).with(&[NamesHidden]),
        route!(GET,    "/api/auth/invitations/{token}",             invitations::preview),
        route!(POST,   "/api/auth/invitations/{token}",             invitations::accept),

        route!(GET,    "/api/me",                                   me::read),
        route!(GET,    "/api/me/tokens",                            me::list_tokens),
        route!(POST,   "/api/me/tokens",                            me::create_token),
        route!(DELETE, "/api/me/tokens/{tokenId}",                  me::revoke_token),
        route!(GET,    "/api/me/sessions",                          account::list_sessions),
        route!(DELETE, "/api/me/sessions",                          account::end_other_sessions),
        route!(DELETE, "/api/me/sessions/{sessionId}",              account::end_session),
        route!(GET,    "/api/me/connectors",                        connectors::list),
        route!(POST,   "/api/me/connectors",                        connectors::decide).with(&[NamesHidden]),
        route!(POST,   "/api/me/connectors/request",                connectors::read_request).with(&[NamesHidden]),
        route!(DELETE, "/api/me/connectors/{clientId}",             connectors::disconnect),
        route!(POST,   "/api/me/password",                          account::change_password),
        route!(GET,    "/api/me/second-factor",                     account::read_second_factor),
        route!(POST,   "/api/me/second-factor",                     account::start_second_factor),
        route!(POST,   "/api/me/second-factor/confirm",             account::confirm_second_factor),
        route!(POST,   "/api/me/second-factor/disable",             account::disable_second_factor),
        route!(POST,   "/api/me/second-factor/recovery-codes",      account::renew_recovery_codes),

        route!(GET,    "/api/admin/users",                          admin::list_users),
        route!(POST,   "/api/admin/users",                          admin::create_user),
        route!(PATCH,  "/api/admin/users/{userId}",                 admin::update_user).with(&[Conflict]),
        route!(GET,    "/api/admin/tokens",                         admin::list_tokens),
        route!(POST,   "/api/admin/tokens",                         admin::create_token),
        route!(DELETE, "/api/admin/tokens/{tokenId}",               admin::revoke_token),
        route!(GET,    "/api/admin/audit",                          admin::read_audit),
        route!(GET,    "/api/admin/settings",                       settings::list),
        route!(PATCH,  "/api/admin/settings",                       settings::update).with(&[Conflict]),
        route!(GET,    "/api/admin/waitlist",                       waitlist::list),
        route!(DELETE, "/api/admin/waitlist/{entryId}",             waitlist::remove),
        route!(POST,   "/api/admin/waitlist/{entryId}/invite",      waitlist::invite).with(&[ActiveOrganization]),
        route!(POST,   "/api/waitlist",                             waitlist::join),

        route!(GET,    "/api/schema",                               schema::read),

        route!(GET,    "/api/orgs",                                 organizations::list),
        route!(POST,   "/api/orgs",                                 organizations::create),
        route!(PATCH,  "/api/orgs/{orgId}",                         organizations::update),
        route!(GET,    "/api/orgs/{orgId}/members",                 organizations::members),
        route!(PATCH,  "/api/orgs/{orgId}/members/{userId}",        organizations::change_member),
        route!(DELETE, "/api/orgs/{orgId}/members/{userId}",        organizations::remove_member).with(&[Conflict]),
        route!(GET,    "/api/orgs/{orgId}/invitations",             invitations::list),
        route!(POST,   "/api/orgs/{orgId}/invitations",             invitations::create),
        route!(DELETE, "/api/orgs/{orgId}/invitations/{invitationId}", invitations::revoke),

        route!(GET,    "/api/people",                               people::list),
        route!(POST,   "/api/people",                               people::create),
        route!(GET,    "/api/people/{personId}",                    people::read),
        route!(PATCH,  "/api/people/{personId}",                    people::update).with(&[Precondition]),
        route!(DELETE, "/api/people/{personId}",                    people::delete).with(&[ChangeSet, Precondition, InUse("person_in_use")]),
        route!(GET,    "/api/people/{personId}/photo",              images::photo).with(&[Image]),
        route!(GET,    "/api/teams",                                teams::list),
        route!(POST,   "/api/teams",                                teams::create),
        route!(GET,    "/api/teams/{teamId}",                       teams::read),
        route!(PATCH,  "/api/teams/{teamId}",                       teams::update).with(&[Precondition]),
        route!(DELETE, "/api/teams/{teamId}",                       teams::delete).with(&[ChangeSet, Precondition, InUse("team_in_use")]),
        route!(GET,    "/api/teams/{teamId}/members",               teams::members),
        route!(POST,   "/api/teams/{teamId}/members",               teams::add_member),
        route!(PATCH,  "/api/teams/{teamId}/members/{personId}",    teams::change_member).with(&[Precondition]),
        route!(DELETE, "/api/teams/{teamId}/members/{personId}",    teams::remove_member).with(&[Precondition]),
        route!(GET,    "/api/stakeholder-link-types",               roles::list),
        route!(POST,   "/api/stakeholder-link-types",               roles::create).with(&[ChangeSet]),
        route!(PATCH,  "/api/stakeholder-link-types/{roleId}",      roles::update).with(&[ChangeSet, Precondition]),
        route!(DELETE, "/api/stakeholder-link-types/{roleId}",      roles::delete).with(&[ChangeSet, Precondition, InUse("role_in_use")]),

        route!(GET,    "/api/admin/wiki/status",                    wiki::status),
        route!(POST,   "/api/admin/wiki/test",                      wiki::test).with(&[CallsWiki]),
        route!(POST,   "/api/admin/wiki/refresh",                   wiki::refresh).with(&[NeedsWiki]),
        route!(POST,   "/api/admin/wiki/disconnect",                wiki::disconnect),
        route!(POST,   "/api/auth/wiki/start",                      wiki::start).with(&[NeedsWiki]),
        route!(GET,    "/api/auth/wiki/callback",                   wiki::callback),
        route!(GET,    "/api/wiki/children",                        wiki::children).with(&[CallsWiki, ReadsWikiPage]),
        route!(GET,    "/api/wiki/icon",                            images::wiki_icon).with(&[CallsWiki, Image]),

        route!(GET,    "/api/workspaces",                           workspaces::list).with(&[EntityTag]),
        route!(POST,   "/api/workspaces",                           workspaces::create),
        route!(POST,   "/api/import",                               transfer::import).with(&[NamesHidden, Precondition]),
        route!(POST,   "/api/workspaces/restore",                   workspaces::restore),
        route!(GET,    "/api/workspaces/{id}",                      workspaces::bundle).with(&[EntityTag]),
        route!(PATCH,  "/api/workspaces/{id}",                      workspaces::update),
        route!(DELETE, "/api/workspaces/{id}",                      workspaces::delete),
        route!(PUT,    "/api/workspaces/{id}/bulk",                 bulk::replace),
        route!(POST,   "/api/workspaces/{id}/operations",           operations::apply).with(&[Operations]),
        route!(GET,    "/api/workspaces/{id}/export",               transfer::export),

        route!(GET,    "/api/workspaces/{id}/events",               events::follow),
        route!(POST,   "/api/workspaces/{id}/presence",             events::update_presence),

        route!(GET,    "/api/workspaces/{id}/history",              history::read),
        route!(GET,    "/api/workspaces/{id}/history/difference",   history::difference),
        route!(POST,   "/api/workspaces/{id}/history/restore",      history::restore),
        route!(POST,   "/api/workspaces/{id}/undo",                 history::undo),
        route!(GET,    "/api/workspaces/{id}/versions",             versions::list),
        route!(POST,   "/api/workspaces/{id}/versions",             versions::create),
        route!(GET,    "/api/workspaces/{id}/versions/{vid}",       versions::read),
        route!(DELETE, "/api/workspaces/{id}/versions/{vid}",       versions::delete),
        route!(POST,   "/api/workspaces/{id}/versions/{vid}/restore", versions::restore),

        route!(GET,    "/api/workspaces/{id}/impact",               impact::read),
        route!(GET,    "/api/workspaces/{id}/impact/paths",         impact::paths),

        route!(GET,    "/api/workspaces/{id}/members",              members::list),
        route!(POST,   "/api/workspaces/{id}/members",              members::put),
        route!(GET,    "/api/workspaces/{id}/members/candidates",   members::candidates),
        route!(PATCH,  "/api/workspaces/{id}/members/{userId}",     members::change).with(&[Conflict]),
        route!(DELETE, "/api/workspaces/{id}/members/{userId}",     members::remove).with(&[Conflict]),

        route!(POST,   "/api/workspaces/{id}/components",           components::create),
        route!(PATCH,  "/api/workspaces/{id}/components",           components::move_components),
        route!(GET,    "/api/workspaces/{id}/components/{cid}",     components::read),
        route!(PATCH,  "/api/workspaces/{id}/components/{cid}",     components::update),
        route!(DELETE, "/api/workspaces/{id}/components/{cid}",     components::delete),

        route!(GET,    "/api/workspaces/{id}/components/{cid}/links", links::list),
        route!(POST,   "/api/workspaces/{id}/components/{cid}/links", links::create).with(&[CallsWiki, ReadsWikiPage, WikiLink]),
        route!(DELETE, "/api/workspaces/{id}/components/{cid}/links/{linkId}", links::delete),
        route!(GET,    "/api/workspaces/{id}/components/{cid}/links/{linkId}/icon", images::link_icon).with(&[Image]),
        route!(POST,   "/api/workspaces/{id}/components/{cid}/links/{linkId}/refresh", links::refresh).with(&[CallsWiki, ReadsWikiPage, WikiLink]),

        route!(GET,    "/api/workspaces/{id}/stakeholders",         stakeholders::list),
        route!(GET,    "/api/workspaces/{id}/components/{cid}/stakeholders", stakeholders::of_component),
        route!(POST,   "/api/workspaces/{id}/components/{cid}/stakeholders", stakeholders::create),
        route!(PATCH,  "/api/workspaces/{id}/components/{cid}/stakeholders/{sid}", stakeholders::update),
        route!(DELETE, "/api/workspaces/{id}/components/{cid}/stakeholders/{sid}", stakeholders::delete),

        route!(POST,   "/api/workspaces/{id}/relationships",        relationships::create),
        route!(PATCH,  "/api/workspaces/{id}/relationships/{rid}",  relationships::update),
        route!(DELETE, "/api/workspaces/{id}/relationships/{rid}",  relationships::delete),

        route!(GET,    "/api/workspaces/{id}/processes",            processes::list),
        route!(POST,   "/api/workspaces/{id}/processes",            processes::create),
        route!(GET,    "/api/workspaces/{id}/processes/{pid}",      processes::read),
        route!(PATCH,  "/api/workspaces/{id}/processes/{pid}",      processes::update),
        route!(DELETE, "/api/workspaces/{id}/processes/{pid}",      processes::delete),
    ]
}

/// Builds the OpenAPI document from the route table and the types.
pub fn openapi() -> OpenApi {
    openapi::document(table())
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
        .layer(from_fn_with_state(api.clone(), visitor::schedule))
        .layer(CatchPanicLayer::custom(error::panic_error))
        .layer(cors::cors(&api.settings.cors_origins))
        .layer(from_fn(cors::reject_plain_options))
        .layer(from_fn_with_state(api.clone(), observe::observe))
        .layer(from_fn_with_state(api, observe::identify))
}
