//! The REST API: the route table, with the path, required permission, and handler of every route.
//!
//! A handler decodes the request, makes one call to `domain` through the gate, and encodes the response. The table
//! declares the permission that a route requires. The type of the transaction that the handler requests from the gate
//! enforces it. A test checks that both agree. What else a route can answer, such as a conflict, is declared with the
//! row too, unless it follows from the method and the permission.

mod account;
mod admin;
mod api;
mod auth;
mod body;
mod bulk;
mod components;
mod conditional;
mod connectors;
mod cookies;
mod directory;
mod error;
mod events;
mod extract;
mod history;
mod images;
mod impact;
mod invitations;
mod json;
mod links;
mod me;
mod members;
mod need;
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
    Extension, Router,
    http::Method,
    middleware::{from_fn, from_fn_with_state},
};
use tower_http::catch_panic::CatchPanicLayer;
use utoipa::openapi::OpenApi;
use utoipa_axum::routes;

use self::route::{Fact, row};
pub use self::{
    api::{Api, Settings},
    cookies::CookieRules,
    error::ApiError,
    need::Need,
    route::Route,
};

/// All routes of the API.
#[rustfmt::skip]
#[expect(clippy::too_many_lines, reason = "a line for each route")]
pub fn table() -> Vec<Route> {
    use Need::{Admin, Edit, Me, Org, OrgAdmin, OrgConnection, OrgView, Own, Public, Session, View};
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
        row(GET,    "/healthz",                                  Public,  routes!(system::healthz)).with(&[Unqueued]),
        row(GET,    "/readyz",                                   Public,  routes!(system::readyz)),
        row(GET,    "/openapi.json",                             Public,  routes!(system::openapi_json)).with(&[Unqueued]),
        row(GET,    "/.well-known/jwks.json",                    Public,  routes!(auth::jwks)).with(&[Unqueued]),

        row(GET,    "/api/auth/config",                          Public,  routes!(auth::config)),
        row(GET,    "/api/auth/me",                              Public,  routes!(auth::me)).with(&[OptionalToken]),
        row(POST,   "/api/auth/setup",                           Public,  routes!(auth::set_up)),
        row(POST,   "/api/auth/login",                           Public,  routes!(auth::log_in)).with(&[SelectsOrganization]),
        row(POST,   "/api/auth/login/verify",                    Public,  routes!(auth::verify)).with(&[SelectsOrganization]),
        row(POST,   "/api/auth/refresh",                         Public,  routes!(auth::refresh)).with(&[RefreshCookie, SelectsOrganization]),
        row(POST,   "/api/auth/logout",                          Public,  routes!(auth::log_out)).with(&[RefreshCookie, OptionalToken, NoConflict]),
        row(POST,   "/api/auth/organization",                    Session, routes!(auth::switch)).with(&[NamesHidden]),

        row(GET,    "/api/auth/oidc/start",                      Public,  routes!(auth::oidc_start)).with(&[NamesHidden]),
        row(GET,    "/api/auth/oidc/callback",                   Public,  routes!(auth::oidc_callback)).with(&[NamesHidden]),
        row(GET,    "/api/auth/oidc/link",                       Public,  routes!(auth::read_link)).with(&[NamesHidden]),
        row(POST,   "/api/auth/oidc/link",                       Public,  routes!(auth::decide_link)).with(&[NamesHidden]),
        row(GET,    "/api/auth/invitations/{token}",             Public,  routes!(invitations::preview)),
        row(POST,   "/api/auth/invitations/{token}",             Public,  routes!(invitations::accept)),

        row(GET,    "/api/me",                                   Me,      routes!(me::read)),
        row(GET,    "/api/me/tokens",                            Me,      routes!(me::list_tokens)),
        row(POST,   "/api/me/tokens",                            Session, routes!(me::create_token)),
        row(DELETE, "/api/me/tokens/{tokenId}",                  Me,      routes!(me::revoke_token)),
        row(GET,    "/api/me/sessions",                          Session, routes!(account::list_sessions)),
        row(DELETE, "/api/me/sessions",                          Session, routes!(account::end_other_sessions)),
        row(DELETE, "/api/me/sessions/{sessionId}",              Session, routes!(account::end_session)),
        row(GET,    "/api/me/connectors",                        Me,      routes!(connectors::list)),
        row(POST,   "/api/me/connectors",                        Session, routes!(connectors::decide)).with(&[NamesHidden]),
        row(POST,   "/api/me/connectors/request",                Session, routes!(connectors::read_request)).with(&[NamesHidden]),
        row(DELETE, "/api/me/connectors/{clientId}",             Me,      routes!(connectors::disconnect)),
        row(POST,   "/api/me/password",                          Session, routes!(account::change_password)),
        row(GET,    "/api/me/second-factor",                     Session, routes!(account::read_second_factor)),
        row(POST,   "/api/me/second-factor",                     Session, routes!(account::start_second_factor)),
        row(POST,   "/api/me/second-factor/confirm",             Session, routes!(account::confirm_second_factor)),
        row(POST,   "/api/me/second-factor/disable",             Session, routes!(account::disable_second_factor)),
        row(POST,   "/api/me/second-factor/recovery-codes",      Session, routes!(account::renew_recovery_codes)),

        row(GET,    "/api/admin/users",                          Admin,   routes!(admin::list_users)),
        row(POST,   "/api/admin/users",                          Admin,   routes!(admin::create_user)),
        row(PATCH,  "/api/admin/users/{userId}",                 Admin,   routes!(admin::update_user)).with(&[Conflict]),
        row(GET,    "/api/admin/tokens",                         Admin,   routes!(admin::list_tokens)),
        row(POST,   "/api/admin/tokens",                         Admin,   routes!(admin::create_token)),
        row(DELETE, "/api/admin/tokens/{tokenId}",               Admin,   routes!(admin::revoke_token)),
        row(GET,    "/api/admin/audit",                          Admin,   routes!(admin::read_audit)),
        row(GET,    "/api/admin/settings",                       Admin,   routes!(settings::list)),
        row(PATCH,  "/api/admin/settings",                       Admin,   routes!(settings::update)).with(&[Conflict]),
        row(GET,    "/api/admin/waitlist",                       Admin,   routes!(waitlist::list)),
        row(DELETE, "/api/admin/waitlist/{entryId}",             Admin,   routes!(waitlist::remove)),
        row(POST,   "/api/admin/waitlist/{entryId}/invite",      Admin,   routes!(waitlist::invite)).with(&[ActiveOrganization]),
        row(POST,   "/api/waitlist",                             Public,  routes!(waitlist::join)),

        row(GET,    "/api/schema",                               Me,      routes!(schema::read)),

        row(GET,    "/api/orgs",                                 Me,      routes!(organizations::list)),
        row(POST,   "/api/orgs",                                 Session, routes!(organizations::create)),
        row(PATCH,  "/api/orgs/{orgId}",                         OrgAdmin, routes!(organizations::update)),
        row(GET,    "/api/orgs/{orgId}/members",                 OrgAdmin, routes!(organizations::members)),
        row(PATCH,  "/api/orgs/{orgId}/members/{userId}",        OrgAdmin, routes!(organizations::change_member)),
        row(DELETE, "/api/orgs/{orgId}/members/{userId}",        OrgAdmin, routes!(organizations::remove_member)).with(&[Conflict]),
        row(GET,    "/api/orgs/{orgId}/invitations",             OrgAdmin, routes!(invitations::list)),
        row(POST,   "/api/orgs/{orgId}/invitations",             OrgAdmin, routes!(invitations::create)),
        row(DELETE, "/api/orgs/{orgId}/invitations/{invitationId}", OrgAdmin, routes!(invitations::revoke)),

        row(GET,    "/api/people",                               OrgView, routes!(people::list)),
        row(POST,   "/api/people",                               Org,     routes!(people::create)),
        row(GET,    "/api/people/{personId}",                    OrgView, routes!(people::read)),
        row(PATCH,  "/api/people/{personId}",                    Org,     routes!(people::update)).with(&[Precondition]),
        row(DELETE, "/api/people/{personId}",                    OrgAdmin, routes!(people::delete)).with(&[ChangeSet, Precondition, InUse("person_in_use")]),
        row(GET,    "/api/people/{personId}/photo",              OrgView, routes!(images::photo)).with(&[Image]),
        row(GET,    "/api/teams",                                OrgView, routes!(teams::list)),
        row(POST,   "/api/teams",                                Org,     routes!(teams::create)),
        row(GET,    "/api/teams/{teamId}",                       OrgView, routes!(teams::read)),
        row(PATCH,  "/api/teams/{teamId}",                       Org,     routes!(teams::update)).with(&[Precondition]),
        row(DELETE, "/api/teams/{teamId}",                       OrgAdmin, routes!(teams::delete)).with(&[ChangeSet, Precondition, InUse("team_in_use")]),
        row(GET,    "/api/teams/{teamId}/members",               OrgView, routes!(teams::members)),
        row(POST,   "/api/teams/{teamId}/members",               Org,     routes!(teams::add_member)),
        row(PATCH,  "/api/teams/{teamId}/members/{personId}",    Org,     routes!(teams::change_member)).with(&[Precondition]),
        row(DELETE, "/api/teams/{teamId}/members/{personId}",    Org,     routes!(teams::remove_member)).with(&[Precondition]),
        row(GET,    "/api/stakeholder-link-types",               OrgView, routes!(roles::list)),
        row(POST,   "/api/stakeholder-link-types",               OrgAdmin, routes!(roles::create)).with(&[ChangeSet]),
        row(PATCH,  "/api/stakeholder-link-types/{roleId}",      OrgAdmin, routes!(roles::update)).with(&[ChangeSet, Precondition]),
        row(DELETE, "/api/stakeholder-link-types/{roleId}",      OrgAdmin, routes!(roles::delete)).with(&[ChangeSet, Precondition, InUse("role_in_use")]),

        row(GET,    "/api/admin/wiki/status",                    OrgConnection, routes!(wiki::status)),
        row(POST,   "/api/admin/wiki/test",                      OrgConnection, routes!(wiki::test)).with(&[CallsWiki]),
        row(POST,   "/api/admin/wiki/refresh",                   OrgConnection, routes!(wiki::refresh)).with(&[NeedsWiki]),
        row(POST,   "/api/admin/wiki/disconnect",                OrgConnection, routes!(wiki::disconnect)),
        row(POST,   "/api/auth/wiki/start",                      OrgConnection, routes!(wiki::start)).with(&[NeedsWiki]),
        row(GET,    "/api/auth/wiki/callback",                   Public,  routes!(wiki::callback)),
        row(GET,    "/api/wiki/children",                        Org,     routes!(wiki::children)).with(&[CallsWiki, ReadsWikiPage]),
        row(GET,    "/api/wiki/icon",                            Org,     routes!(images::wiki_icon)).with(&[CallsWiki, Image]),

        row(GET,    "/api/workspaces",                           OrgView, routes!(workspaces::list)).with(&[EntityTag]),
        row(POST,   "/api/workspaces",                           Org,     routes!(workspaces::create)),
        row(POST,   "/api/import",                               Org,     routes!(transfer::import)).with(&[NamesHidden, Precondition]),
        row(POST,   "/api/workspaces/restore",                   Own,     routes!(workspaces::restore)),
        row(GET,    "/api/workspaces/{id}",                      View,    routes!(workspaces::bundle)).with(&[EntityTag]),
        row(PATCH,  "/api/workspaces/{id}",                      Edit,    routes!(workspaces::update)),
        row(DELETE, "/api/workspaces/{id}",                      Own,     routes!(workspaces::delete)),
        row(PUT,    "/api/workspaces/{id}/bulk",                 Edit,    routes!(bulk::replace)),
        row(POST,   "/api/workspaces/{id}/operations",           Edit,    routes!(operations::apply)).with(&[Operations]),
        row(GET,    "/api/workspaces/{id}/export",               View,    routes!(transfer::export)),

        row(GET,    "/api/workspaces/{id}/events",               View,    routes!(events::follow)),
        row(POST,   "/api/workspaces/{id}/presence",             View,    routes!(events::update_presence)),

        row(GET,    "/api/workspaces/{id}/history",              View,    routes!(history::read)),
        row(GET,    "/api/workspaces/{id}/history/difference",   View,    routes!(history::difference)),
        row(POST,   "/api/workspaces/{id}/history/restore",      Edit,    routes!(history::restore)),
        row(POST,   "/api/workspaces/{id}/undo",                 Edit,    routes!(history::undo)),
        row(GET,    "/api/workspaces/{id}/versions",             View,    routes!(versions::list)),
        row(POST,   "/api/workspaces/{id}/versions",             Edit,    routes!(versions::create)),
        row(GET,    "/api/workspaces/{id}/versions/{vid}",       View,    routes!(versions::read)),
        row(DELETE, "/api/workspaces/{id}/versions/{vid}",       Edit,    routes!(versions::delete)),
        row(POST,   "/api/workspaces/{id}/versions/{vid}/restore", Edit,  routes!(versions::restore)),

        row(GET,    "/api/workspaces/{id}/impact",               View,    routes!(impact::read)),
        row(GET,    "/api/workspaces/{id}/impact/paths",         View,    routes!(impact::paths)),

        row(GET,    "/api/workspaces/{id}/members",              View,    routes!(members::list)),
        row(POST,   "/api/workspaces/{id}/members",              Own,     routes!(members::put)),
        row(GET,    "/api/workspaces/{id}/members/candidates",   Own,     routes!(members::candidates)),
        row(PATCH,  "/api/workspaces/{id}/members/{userId}",     Own,     routes!(members::change)).with(&[Conflict]),
        row(DELETE, "/api/workspaces/{id}/members/{userId}",     Own,     routes!(members::remove)).with(&[Conflict]),

        row(POST,   "/api/workspaces/{id}/components",           Edit,    routes!(components::create)),
        row(PATCH,  "/api/workspaces/{id}/components",           Edit,    routes!(components::move_components)),
        row(GET,    "/api/workspaces/{id}/components/{cid}",     View,    routes!(components::read)),
        row(PATCH,  "/api/workspaces/{id}/components/{cid}",     Edit,    routes!(components::update)),
        row(DELETE, "/api/workspaces/{id}/components/{cid}",     Edit,    routes!(components::delete)),

        row(GET,    "/api/workspaces/{id}/components/{cid}/links", View, routes!(links::list)),
        row(POST,   "/api/workspaces/{id}/components/{cid}/links", Edit, routes!(links::create)).with(&[CallsWiki, ReadsWikiPage, WikiLink]),
        row(DELETE, "/api/workspaces/{id}/components/{cid}/links/{linkId}", Edit, routes!(links::delete)),
        row(GET,    "/api/workspaces/{id}/components/{cid}/links/{linkId}/icon", View, routes!(images::link_icon)).with(&[Image]),
        row(POST,   "/api/workspaces/{id}/components/{cid}/links/{linkId}/refresh", Edit, routes!(links::refresh)).with(&[CallsWiki, ReadsWikiPage, WikiLink]),

        row(GET,    "/api/workspaces/{id}/stakeholders",         View,    routes!(stakeholders::list)),
        row(GET,    "/api/workspaces/{id}/components/{cid}/stakeholders", View, routes!(stakeholders::of_component)),
        row(POST,   "/api/workspaces/{id}/components/{cid}/stakeholders", Edit, routes!(stakeholders::create)),
        row(PATCH,  "/api/workspaces/{id}/components/{cid}/stakeholders/{sid}", Edit, routes!(stakeholders::update)),
        row(DELETE, "/api/workspaces/{id}/components/{cid}/stakeholders/{sid}", Edit, routes!(stakeholders::delete)),

        row(POST,   "/api/workspaces/{id}/relationships",        Edit,    routes!(relationships::create)),
        row(PATCH,  "/api/workspaces/{id}/relationships/{rid}",  Edit,    routes!(relationships::update)),
        row(DELETE, "/api/workspaces/{id}/relationships/{rid}",  Edit,    routes!(relationships::delete)),

        row(GET,    "/api/workspaces/{id}/processes",            View,    routes!(processes::list)),
        row(POST,   "/api/workspaces/{id}/processes",            Edit,    routes!(processes::create)),
        row(GET,    "/api/workspaces/{id}/processes/{pid}",      View,    routes!(processes::read)),
        row(PATCH,  "/api/workspaces/{id}/processes/{pid}",      Edit,    routes!(processes::update)),
        row(DELETE, "/api/workspaces/{id}/processes/{pid}",      Edit,    routes!(processes::delete)),
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
        let handler = handler.route_layer(Extension(route.need));
        router.route(route.path, handler)
    });
    routes
        .with_state(api.clone())
        .merge(pages.layer(from_fn(error::unknown_page)).layer(from_fn_with_state(api.clone(), visitor::introduce)))
        .method_not_allowed_fallback(error::unknown_method)
        .layer(from_fn_with_state(api.clone(), visitor::schedule))
        .layer(CatchPanicLayer::custom(error::panic_error))
        .layer(extract::cors(&api.settings.cors_origins))
        .layer(from_fn(extract::reject_plain_options))
        .layer(from_fn_with_state(api.clone(), observe::observe))
        .layer(from_fn_with_state(api, observe::identify))
}
