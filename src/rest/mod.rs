//! The REST API: the route table, with the path and handler of every route.
//!
//! A handler decodes the request, makes one call to `domain` through the gate, and encodes the response. Its extractors
//! name the permission that the route requires, and the type of the call that they return lets it open only the
//! transaction of that permission. What else a route can answer, such as a conflict, is declared with the row, unless it
//! follows from the method and the permission.

mod access;
mod access_requests;
mod account;
mod admin;
mod agent;
mod api;
mod auth;
mod body;
mod bulk;
mod comments;
mod components;
mod conditional;
mod connectors;
mod cookies;
mod cors;
mod decisions;
mod directory;
mod drafts;
mod error;
mod events;
mod executables;
mod extract;
mod history;
mod images;
mod impact;
mod inbox;
mod invitations;
mod json;
mod kinds;
mod links;
mod map_images;
mod me;
mod members;
mod note_images;
mod notes;
mod observe;
#[cfg(feature = "contracts")]
mod openapi;
mod operations;
mod organizations;
mod people;
mod personal_views;
mod photos;
mod problem;
mod processes;
mod relationships;
mod remedy;
mod responses;
mod roles;
mod route;
mod router;
mod schema;
mod search;
mod settings;
mod shares;
mod stakeholders;
mod standby;
mod sync;
mod system;
mod teams;
mod templates;
mod tours;
mod transfer;
mod versions;
mod views;
mod visitor;
mod waitlist;
mod watches;
mod webhooks;
mod wiki;
mod workspaces;

use self::route::routes;
#[cfg(feature = "contracts")]
pub use self::router::openapi;
pub use self::{
    access::Need,
    api::{Api, Services, Settings},
    cookies::CookieRules,
    error::ApiError,
    route::Route,
    router::router,
};

routes! {
    GET    "/healthz"                                                     system::health [Unqueued];
    GET    "/readyz"                                                      system::readiness;
    GET    "/openapi.json"                                                system::openapi_json [Unqueued];
    GET    "/.well-known/jwks.json"                                       auth::jwks [Unqueued];
    GET    "/cli/{target}"                                                executables::download [EntityTag, NamesHidden];

    GET    "/api/auth/config"                                             auth::config;
    GET    "/api/auth/me"                                                 auth::me [OptionalToken];
    PATCH  "/api/auth/me"                                                 auth::update_me [Conflict];
    POST   "/api/auth/setup"                                              auth::sign_in::set_up;
    POST   "/api/auth/login"                                              auth::sign_in::sign_in [SelectsOrganization];
    POST   "/api/auth/login/verify"                                       auth::sign_in::verify [SelectsOrganization];
    POST   "/api/auth/refresh"                                            auth::session::refresh [RefreshCookie, SelectsOrganization];
    POST   "/api/auth/logout"                                             auth::session::sign_out [RefreshCookie, OptionalToken, NoConflict];
    POST   "/api/auth/organization"                                       auth::session::switch [NamesHidden];

    GET    "/api/auth/oidc/start"                                         auth::oidc::start [NamesHidden];
    GET    "/api/auth/oidc/callback"                                      auth::oidc::callback [NamesHidden];
    GET    "/api/auth/oidc/link"                                          auth::oidc::get_link [NamesHidden];
    POST   "/api/auth/oidc/link"                                          auth::oidc::resolve_link [NamesHidden];
    GET    "/api/auth/invitations/{token}"                                invitations::preview;
    POST   "/api/auth/invitations/{token}"                                invitations::accept;
    GET    "/api/auth/email-confirmations/{token}"                        auth::email_links::get_confirmation;
    POST   "/api/auth/email-confirmations/{token}"                        auth::email_links::confirm [Conflict];
    POST   "/api/auth/password-resets"                                    auth::email_links::request_reset [Conflict];
    GET    "/api/auth/password-resets/{token}"                            auth::email_links::get_reset;
    POST   "/api/auth/password-resets/{token}"                            auth::email_links::reset [NoConflict];

    GET    "/api/me"                                                      me::get;
    GET    "/api/me/tokens"                                               me::list_tokens;
    POST   "/api/me/tokens"                                               me::create_token;
    DELETE "/api/me/tokens/{tokenId}"                                     me::revoke_token;
    PUT    "/api/me/photo"                                                photos::upload [Conflict, Upload];
    DELETE "/api/me/photo"                                                photos::remove [Conflict];
    GET    "/api/users/{userId}/photo"                                    photos::get [EntityTag];
    GET    "/api/me/sessions"                                             account::list_sessions;
    DELETE "/api/me/sessions"                                             account::end_other_sessions;
    DELETE "/api/me/sessions/{sessionId}"                                 account::end_session;
    GET    "/api/me/connectors"                                           connectors::list;
    POST   "/api/me/connectors"                                           connectors::resolve_request [NamesHidden];
    POST   "/api/me/connectors/request"                                   connectors::get_request [NamesHidden];
    DELETE "/api/me/connectors/{clientId}"                                connectors::disconnect;
    POST   "/api/me/email-confirmation"                                   auth::email_links::send_confirmation [Conflict];
    POST   "/api/me/password"                                             account::change_password;
    GET    "/api/me/second-factor"                                        account::get_second_factor;
    POST   "/api/me/second-factor"                                        account::start_second_factor;
    POST   "/api/me/second-factor/confirm"                                account::confirm_second_factor;
    POST   "/api/me/second-factor/disable"                                account::disable_second_factor;
    POST   "/api/me/second-factor/recovery-codes"                         account::renew_recovery_codes;

    GET    "/api/me/inbox"                                                inbox::list;
    POST   "/api/me/inbox/read"                                           inbox::mark_read [Unlogged];
    GET    "/api/me/events"                                               inbox::follow;
    GET    "/api/me/notification-settings"                                inbox::get_settings;
    PATCH  "/api/me/notification-settings"                                inbox::update_settings;
    GET    "/api/me/watches"                                              watches::list;
    PUT    "/api/me/watches/workspaces/{id}"                              watches::watch_workspace;
    DELETE "/api/me/watches/workspaces/{id}"                              watches::unwatch_workspace;
    PUT    "/api/me/watches/workspaces/{id}/components/{cid}"             watches::watch_component;
    DELETE "/api/me/watches/workspaces/{id}/components/{cid}"             watches::unwatch_component;
    GET    "/api/me/watches/workspaces/{id}/threads/{threadId}"           watches::get_following;
    PUT    "/api/me/watches/workspaces/{id}/threads/{threadId}"           watches::follow_thread [NoConflict];
    DELETE "/api/me/watches/workspaces/{id}/threads/{threadId}"           watches::leave_thread;
    PUT    "/api/me/watches/teams/{teamId}"                               watches::watch_team [Unlogged];
    DELETE "/api/me/watches/teams/{teamId}"                               watches::unwatch_team [Unlogged];

    GET    "/api/admin/users"                                             admin::list_users;
    POST   "/api/admin/users"                                             admin::create_user;
    PATCH  "/api/admin/users/{userId}"                                    admin::update_user [Conflict];
    GET    "/api/admin/tokens"                                            admin::list_tokens;
    POST   "/api/admin/tokens"                                            admin::create_token;
    DELETE "/api/admin/tokens/{tokenId}"                                  admin::revoke_token;
    GET    "/api/admin/audit"                                             admin::list_audit_events;
    GET    "/api/admin/settings"                                          settings::list;
    PATCH  "/api/admin/settings"                                          settings::update [Conflict];
    GET    "/api/admin/waitlist"                                          waitlist::list;
    DELETE "/api/admin/waitlist/{entryId}"                                waitlist::remove;
    POST   "/api/admin/waitlist/{entryId}/invite"                         waitlist::invite [ActiveOrganization];
    POST   "/api/waitlist"                                                waitlist::join;

    GET    "/api/schema"                                                  schema::get;
    GET    "/api/templates"                                               templates::list;

    GET    "/api/orgs"                                                    organizations::list;
    POST   "/api/orgs"                                                    organizations::create;
    PATCH  "/api/orgs/{orgId}"                                            organizations::update;
    GET    "/api/orgs/{orgId}/members"                                    organizations::members;
    PATCH  "/api/orgs/{orgId}/members/{userId}"                           organizations::update_member;
    DELETE "/api/orgs/{orgId}/members/{userId}"                           organizations::remove_member [Conflict];
    GET    "/api/orgs/{orgId}/invitations"                                invitations::list;
    POST   "/api/orgs/{orgId}/invitations"                                invitations::create;
    DELETE "/api/orgs/{orgId}/invitations/{invitationId}"                 invitations::revoke;

    GET    "/api/orgs/{orgId}/shares"                                     shares::list_of_organization;
    DELETE "/api/orgs/{orgId}/shares/{shareId}"                           shares::revoke_of_organization;
    GET    "/api/sharing-rules"                                           shares::get_rules;
    PATCH  "/api/sharing-rules"                                           shares::update_rules;

    GET    "/api/orgs/{orgId}/webhooks"                                   webhooks::list;
    POST   "/api/orgs/{orgId}/webhooks"                                   webhooks::create;
    GET    "/api/orgs/{orgId}/webhooks/{webhookId}"                       webhooks::get;
    PATCH  "/api/orgs/{orgId}/webhooks/{webhookId}"                       webhooks::update [Conflict];
    DELETE "/api/orgs/{orgId}/webhooks/{webhookId}"                       webhooks::delete;
    POST   "/api/orgs/{orgId}/webhooks/{webhookId}/secret"                webhooks::rotate;
    POST   "/api/orgs/{orgId}/webhooks/{webhookId}/test"                  webhooks::test;
    GET    "/api/orgs/{orgId}/webhooks/{webhookId}/deliveries"            webhooks::deliveries;
    POST   "/api/orgs/{orgId}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver" webhooks::redeliver;

    GET    "/api/people"                                                  people::list;
    POST   "/api/people"                                                  people::create;
    GET    "/api/people/{personId}"                                       people::get;
    PATCH  "/api/people/{personId}"                                       people::update [Precondition];
    DELETE "/api/people/{personId}"                                       people::delete [ChangeSet, Precondition, InUse("person_in_use")];
    GET    "/api/people/{personId}/photo"                                 images::photo [Image];
    GET    "/api/teams"                                                   teams::list;
    POST   "/api/teams"                                                   teams::create;
    GET    "/api/teams/{teamId}"                                          teams::get;
    PATCH  "/api/teams/{teamId}"                                          teams::update [Precondition];
    DELETE "/api/teams/{teamId}"                                          teams::delete [ChangeSet, Precondition, InUse("team_in_use")];
    GET    "/api/teams/{teamId}/members"                                  teams::members;
    POST   "/api/teams/{teamId}/members"                                  teams::add_member;
    PATCH  "/api/teams/{teamId}/members/{personId}"                       teams::update_member [Precondition];
    DELETE "/api/teams/{teamId}/members/{personId}"                       teams::remove_member [Precondition];
    GET    "/api/kinds"                                                   kinds::list;
    POST   "/api/kinds"                                                   kinds::create [ChangeSet];
    PATCH  "/api/kinds/{kindId}"                                          kinds::update [ChangeSet, Conflict, Precondition];
    DELETE "/api/kinds/{kindId}"                                          kinds::delete [ChangeSet, Precondition, InUse("kind_in_use")];
    GET    "/api/stakeholder-link-types"                                  roles::list;
    POST   "/api/stakeholder-link-types"                                  roles::create [ChangeSet];
    PATCH  "/api/stakeholder-link-types/{roleId}"                         roles::update [ChangeSet, Precondition];
    DELETE "/api/stakeholder-link-types/{roleId}"                         roles::delete [ChangeSet, Precondition, InUse("role_in_use")];

    GET    "/api/admin/wiki/status"                                       wiki::status;
    POST   "/api/admin/wiki/test"                                         wiki::test [CallsWiki];
    POST   "/api/admin/wiki/refresh"                                      wiki::refresh [NeedsWiki];
    POST   "/api/admin/wiki/disconnect"                                   wiki::disconnect;
    POST   "/api/auth/wiki/start"                                         wiki::start [NeedsWiki];
    GET    "/api/auth/wiki/callback"                                      wiki::callback;
    GET    "/api/wiki/children"                                           wiki::children [CallsWiki, ReadsWikiPage];
    GET    "/api/wiki/icon"                                               images::wiki_icon [CallsWiki, Image];

    GET    "/api/search"                                                  search::search [NamesHidden];

    GET    "/api/workspaces"                                              workspaces::list [EntityTag];
    POST   "/api/workspaces"                                              workspaces::create;
    POST   "/api/import"                                                  transfer::import [NamesHidden, Precondition];
    POST   "/api/readings"                                                sync::convert [NoConflict, Unlogged];
    POST   "/api/workspaces/restore"                                      workspaces::restore;
    GET    "/api/workspaces/{id}"                                         workspaces::bundle [EntityTag];
    PATCH  "/api/workspaces/{id}"                                         workspaces::update;
    DELETE "/api/workspaces/{id}"                                         workspaces::delete;
    PUT    "/api/workspaces/{id}/bulk"                                    bulk::replace;
    POST   "/api/workspaces/{id}/operations"                              operations::apply [Operations];
    GET    "/api/workspaces/{id}/export"                                  transfer::export;
    POST   "/api/workspaces/{id}/duplicate"                               workspaces::duplicate [ChangeSet];

    POST   "/api/workspaces/{id}/sync"                                    sync::synchronize [Precondition];
    POST   "/api/workspaces/{id}/sync/preview"                            sync::preview [NoConflict];
    GET    "/api/workspaces/{id}/sources"                                 sync::list;
    GET    "/api/workspaces/{id}/sources/{sourceId}"                      sync::get;
    PATCH  "/api/workspaces/{id}/sources/{sourceId}"                      sync::update_row [Unlogged];
    DELETE "/api/workspaces/{id}/sources/{sourceId}"                      sync::delete [Unlogged];
    GET    "/api/workspaces/{id}/drift"                                   sync::drift;

    GET    "/api/workspaces/{id}/image.svg"                               map_images::svg [EntityTag];
    GET    "/api/workspaces/{id}/image.png"                               map_images::png [EntityTag];
    GET    "/api/workspaces/{id}/image.pdf"                               map_images::pdf [EntityTag];

    GET    "/api/workspaces/{id}/events"                                  events::follow;
    POST   "/api/workspaces/{id}/presence"                                events::update_presence;

    GET    "/api/workspaces/{id}/history"                                 history::get;
    GET    "/api/workspaces/{id}/history/difference"                      history::difference;
    POST   "/api/workspaces/{id}/history/restore"                         history::restore;
    POST   "/api/workspaces/{id}/undo"                                    history::undo;
    GET    "/api/workspaces/{id}/versions"                                versions::list;
    POST   "/api/workspaces/{id}/versions"                                versions::create;
    GET    "/api/workspaces/{id}/versions/{vid}"                          versions::get;
    DELETE "/api/workspaces/{id}/versions/{vid}"                          versions::delete;
    POST   "/api/workspaces/{id}/versions/{vid}/restore"                  versions::restore;

    GET    "/api/workspaces/{id}/impact"                                  impact::get;
    GET    "/api/workspaces/{id}/impact/paths"                            impact::paths;

    GET    "/api/workspaces/{id}/members"                                 members::list;
    POST   "/api/workspaces/{id}/members"                                 members::put;
    GET    "/api/workspaces/{id}/members/candidates"                      members::candidates;
    PATCH  "/api/workspaces/{id}/members/{userId}"                        members::update [Conflict];
    DELETE "/api/workspaces/{id}/members/{userId}"                        members::remove [Conflict];
    GET    "/api/workspaces/{id}/access-requests"                         access_requests::list;
    POST   "/api/workspaces/{id}/access-requests"                         access_requests::create;
    DELETE "/api/workspaces/{id}/access-requests/{userId}"                access_requests::delete [Unlogged];

    GET    "/api/workspaces/{id}/comments"                                comments::overview;
    PATCH  "/api/workspaces/{id}/comments"                                comments::update_settings [Unlogged];
    GET    "/api/workspaces/{id}/comments/people"                         comments::people;
    GET    "/api/workspaces/{id}/threads"                                 comments::list;
    POST   "/api/workspaces/{id}/threads"                                 comments::create;
    GET    "/api/workspaces/{id}/threads/{threadId}"                      comments::get;
    PATCH  "/api/workspaces/{id}/threads/{threadId}"                      comments::update [Precondition];
    DELETE "/api/workspaces/{id}/threads/{threadId}"                      comments::delete [Precondition];
    POST   "/api/workspaces/{id}/threads/{threadId}/resolve"              comments::resolve;
    POST   "/api/workspaces/{id}/threads/{threadId}/reopen"               comments::reopen;
    POST   "/api/workspaces/{id}/threads/{threadId}/messages"             comments::add_message;
    PATCH  "/api/workspaces/{id}/threads/{threadId}/messages/{messageId}" comments::update_message [Conflict, Precondition];
    DELETE "/api/workspaces/{id}/threads/{threadId}/messages/{messageId}" comments::delete_message [Precondition];

    GET    "/api/workspaces/{id}/drafts"                                  drafts::list;
    POST   "/api/workspaces/{id}/drafts"                                  drafts::create [Conflict, Unlogged];
    GET    "/api/workspaces/{id}/protection"                              drafts::get_protection;
    PATCH  "/api/workspaces/{id}/protection"                              drafts::update_protection [Unlogged];
    GET    "/api/drafts/{id}"                                             drafts::get;
    PATCH  "/api/drafts/{id}"                                             drafts::update [Conflict, Unlogged];
    GET    "/api/drafts/{id}/comparison"                                  drafts::comparison;
    POST   "/api/drafts/{id}/update"                                      drafts::update_from_base [Conflict, ChangeSet];
    POST   "/api/drafts/{id}/reviews"                                     drafts::review [Conflict, Unlogged];
    POST   "/api/drafts/{id}/merge"                                       drafts::merge [Conflict, ChangeSet];
    POST   "/api/drafts/{id}/close"                                       drafts::close [Conflict, Unlogged];

    GET    "/api/workspaces/{id}/shares"                                  shares::list;
    POST   "/api/workspaces/{id}/shares"                                  shares::create [Unlogged];
    PATCH  "/api/workspaces/{id}/shares/{shareId}"                        shares::update [Unlogged];
    DELETE "/api/workspaces/{id}/shares/{shareId}"                        shares::revoke [Unlogged];
    POST   "/api/workspaces/{id}/shares/{shareId}/rotate"                 shares::rotate [Unlogged];
    POST   "/api/workspaces/{id}/shares/{shareId}/adopt"                  shares::adopt [Unlogged];

    POST   "/api/workspaces/{id}/components"                              components::create;
    PATCH  "/api/workspaces/{id}/components"                              components::move_components;
    GET    "/api/workspaces/{id}/components/{cid}"                        components::get;
    PATCH  "/api/workspaces/{id}/components/{cid}"                        components::update;
    DELETE "/api/workspaces/{id}/components/{cid}"                        components::delete;

    GET    "/api/workspaces/{id}/components/{cid}/links"                  links::list;
    POST   "/api/workspaces/{id}/components/{cid}/links"                  links::create [CallsWiki, ReadsWikiPage, WikiLink];
    DELETE "/api/workspaces/{id}/components/{cid}/links/{linkId}"         links::delete;
    GET    "/api/workspaces/{id}/components/{cid}/links/{linkId}/icon"    images::link_icon [Image];
    POST   "/api/workspaces/{id}/components/{cid}/links/{linkId}/refresh" links::refresh [CallsWiki, ReadsWikiPage, WikiLink];

    GET    "/api/workspaces/{id}/stakeholders"                            stakeholders::list;
    GET    "/api/workspaces/{id}/components/{cid}/stakeholders"           stakeholders::of_component;
    POST   "/api/workspaces/{id}/components/{cid}/stakeholders"           stakeholders::create;
    PATCH  "/api/workspaces/{id}/components/{cid}/stakeholders/{sid}"     stakeholders::update;
    DELETE "/api/workspaces/{id}/components/{cid}/stakeholders/{sid}"     stakeholders::delete;

    POST   "/api/workspaces/{id}/relationships"                           relationships::create;
    PATCH  "/api/workspaces/{id}/relationships/{rid}"                     relationships::update;
    DELETE "/api/workspaces/{id}/relationships/{rid}"                     relationships::delete;

    GET    "/api/workspaces/{id}/processes"                               processes::list;
    POST   "/api/workspaces/{id}/processes"                               processes::create;
    GET    "/api/workspaces/{id}/processes/{pid}"                         processes::get;
    PATCH  "/api/workspaces/{id}/processes/{pid}"                         processes::update;
    DELETE "/api/workspaces/{id}/processes/{pid}"                         processes::delete;

    GET    "/api/workspaces/{id}/notes"                                   notes::list;
    POST   "/api/workspaces/{id}/notes"                                   notes::create;
    GET    "/api/workspaces/{id}/notes/{noteId}"                          notes::get;
    PATCH  "/api/workspaces/{id}/notes/{noteId}"                          notes::update;
    DELETE "/api/workspaces/{id}/notes/{noteId}"                          notes::delete;
    POST   "/api/workspaces/{id}/images"                                  note_images::upload [Unlogged, Upload];
    GET    "/api/workspaces/{id}/images/{imageId}"                        note_images::get [EntityTag];

    GET    "/api/workspaces/{id}/views"                                   views::list;
    POST   "/api/workspaces/{id}/views"                                   views::create;
    GET    "/api/workspaces/{id}/views/{viewId}"                          views::get [EntityTag];
    PATCH  "/api/workspaces/{id}/views/{viewId}"                          views::update;
    DELETE "/api/workspaces/{id}/views/{viewId}"                          views::delete;
    GET    "/api/workspaces/{id}/views/{viewId}/image.svg"                map_images::view_svg [EntityTag];
    GET    "/api/workspaces/{id}/views/{viewId}/image.png"                map_images::view_png [EntityTag];
    GET    "/api/workspaces/{id}/views/{viewId}/image.pdf"                map_images::view_pdf [EntityTag];
    POST   "/api/workspaces/{id}/views/{viewId}/copy"                     views::copy;

    GET    "/api/workspaces/{id}/views/personal"                          personal_views::list;
    POST   "/api/workspaces/{id}/views/personal"                          personal_views::create;
    GET    "/api/workspaces/{id}/views/personal/{viewId}"                 personal_views::get;
    PATCH  "/api/workspaces/{id}/views/personal/{viewId}"                 personal_views::update [Precondition];
    DELETE "/api/workspaces/{id}/views/personal/{viewId}"                 personal_views::delete [Precondition];
    GET    "/api/workspaces/{id}/views/personal/{viewId}/image.svg"       map_images::personal_view_svg [EntityTag];
    GET    "/api/workspaces/{id}/views/personal/{viewId}/image.png"       map_images::personal_view_png [EntityTag];
    GET    "/api/workspaces/{id}/views/personal/{viewId}/image.pdf"       map_images::personal_view_pdf [EntityTag];
    GET    "/api/workspaces/{id}/views/personal/{viewId}/export"          transfer::export_personal_view;

    GET    "/api/workspaces/{id}/decisions"                               decisions::list;
    POST   "/api/workspaces/{id}/decisions"                               decisions::create;
    GET    "/api/workspaces/{id}/decisions/export"                        decisions::export;
    POST   "/api/workspaces/{id}/decisions/import"                        decisions::import;
    GET    "/api/workspaces/{id}/decisions/{decisionId}"                  decisions::get;
    PATCH  "/api/workspaces/{id}/decisions/{decisionId}"                  decisions::update;
    DELETE "/api/workspaces/{id}/decisions/{decisionId}"                  decisions::delete;

    GET    "/api/workspaces/{id}/tours"                                   tours::list;
    POST   "/api/workspaces/{id}/tours"                                   tours::create;
    GET    "/api/workspaces/{id}/tours/{tourId}"                          tours::get;
    PATCH  "/api/workspaces/{id}/tours/{tourId}"                          tours::update;
    DELETE "/api/workspaces/{id}/tours/{tourId}"                          tours::delete;
}
