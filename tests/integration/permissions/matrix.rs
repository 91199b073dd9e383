//! The permission matrix, written by hand: a row per route and use, a column per caller.

/// The matrix. A column is a caller and the workspace it accesses:
///
/// | | caller | visibility | explicit level |
/// |---|---|---|---|
/// | A | anonymous: no credential | `org` | |
/// | M m p | plain member of the organization | `org`, `members`, `private` | |
/// | W | plain member of the organization, who can edit because of `organizationAccess` | `org` | |
/// | V E O | members of the workspace, by session | `private` | viewer, editor, owner |
/// | P | the same owner, by personal access token | `private` | owner |
/// | G g h | administrator of the organization | `org`, `members`, `private` | |
/// | I i | instance administrator, active in the organization as a plain member | `org`, `private` | |
/// | J | instance administrator without an active organization, by session | `private` | |
/// | X | member of another organization | `org` | |
/// | Y | owner, with a token of another organization of theirs | `org` | owner |
/// | S | suspended | `org` | owner |
/// | L K | legacy token without organization, of an owner, of an instance administrator | `org` | owner, – |
/// | Q | the same instance administrator, by personal access token | `org` | |
/// | F f | left the organization, by session, by token | `org` | owner |
/// | T | owner, with a token of an MCP client | `org` | owner |
/// | N | a session without any organization | `org` | |
///
/// `+` is success with the status in the column `ok`. Errors are the last digit of their status: `0` 400
/// with code `no_active_org`, `1` 401, `3` 403 without a code, `4` 404, `9` 409 without a code; `s` is 403 with code
/// `account_suspended`.
///
/// The column `what` is `-` for the plain use of a route, which must match the route's declared need.
#[rustfmt::skip]
pub const MATRIX: &str = "
METHOD PATH                                     what      ok    A  M m p W  V E O P  G g h  I i J  X Y  S  L K Q  F f  T  N
GET    /healthz                                 -         200   +  + + + +  + + + +  + + +  + + +  + +  +  + + +  + +  +  +
GET    /readyz                                  -         200   +  + + + +  + + + +  + + +  + + +  + +  +  + + +  + +  +  +
GET    /openapi.json                            -         200   +  + + + +  + + + +  + + +  + + +  + +  +  + + +  + +  +  +
GET    /.well-known/jwks.json                   -         200   +  + + + +  + + + +  + + +  + + +  + +  +  + + +  + +  +  +
GET    /cli/{target}                            -         404   1  + + + +  + + + +  + + +  + + +  + +  s  + + +  1 1  1  +
GET    /api/auth/config                         -         200   +  + + + +  + + + +  + + +  + + +  + +  +  + + +  + +  +  +
GET    /api/auth/me                             -         200   +  + + + +  + + + +  + + +  + + +  + +  s  + + +  1 1  1  +
POST   /api/auth/setup                          -         409   +  + + + +  + + + +  + + +  + + +  + +  +  + + +  + +  +  +
POST   /api/auth/login                          -         200   +  + + + +  + + + +  + + +  + + +  + +  +  + + +  + +  +  +
GET    /api/auth/oidc/start                     -         404   +  + + + +  + + + +  + + +  + + +  + +  +  + + +  + +  +  +
GET    /api/auth/oidc/callback                  -         404   +  + + + +  + + + +  + + +  + + +  + +  +  + + +  + +  +  +
GET    /api/auth/oidc/link                      -         404   +  + + + +  + + + +  + + +  + + +  + +  +  + + +  + +  +  +
POST   /api/auth/oidc/link                      -         404   +  + + + +  + + + +  + + +  + + +  + +  +  + + +  + +  +  +
GET    /api/auth/invitations/{token}            -         200   +  + + + +  + + + +  + + +  + + +  + +  +  + + +  + +  +  +
POST   /api/auth/invitations/{token}            -         200   +  + + + +  + + + 3  + + +  + + +  + 3  s  3 3 3  1 1  1  +
GET    /api/auth/email-confirmations/{token}    -         404   +  + + + +  + + + +  + + +  + + +  + +  +  + + +  + +  +  +
POST   /api/auth/email-confirmations/{token}    -         404   +  + + + +  + + + +  + + +  + + +  + +  +  + + +  + +  +  +
POST   /api/auth/password-resets                -         409   +  + + + +  + + + +  + + +  + + +  + +  +  + + +  + +  +  +
GET    /api/auth/password-resets/{token}        -         404   +  + + + +  + + + +  + + +  + + +  + +  +  + + +  + +  +  +
POST   /api/auth/password-resets/{token}        -         404   +  + + + +  + + + +  + + +  + + +  + +  +  + + +  + +  +  +
POST   /api/auth/login/verify                   -         401   +  + + + +  + + + +  + + +  + + +  + +  +  + + +  + +  +  +
POST   /api/auth/refresh                        -         204   +  + + + +  + + + +  + + +  + + +  + +  +  + + +  + +  +  +
POST   /api/auth/logout                         -         200   +  + + + +  + + + 3  + + +  + + +  + 3  s  3 3 3  1 1  1  +
POST   /api/auth/organization                   -         200   1  + + + +  + + + 3  + + +  + + +  + 3  s  3 3 3  1 1  1  +

GET    /api/me                                  -         200   1  + + + +  + + + +  + + +  + + +  + +  s  + + +  1 1  1  +
GET    /api/me/tokens                           -         200   1  + + + +  + + + +  + + +  + + +  + +  s  + + +  1 1  1  +
POST   /api/me/tokens                           -         201   1  + + + +  + + + 3  + + +  + + 0  + 3  s  3 3 3  1 1  1  0
DELETE /api/me/tokens/{tokenId}                 -         200   1  + + + +  + + + +  + + +  + + +  + +  s  + + +  1 1  1  +
DELETE /api/me/tokens/{tokenId}                 anothers  200   1  4 4 4 4  4 4 4 4  4 4 4  4 4 4  4 4  s  4 4 4  1 1  1  4
GET    /api/users/{userId}/photo                -         200   1  + + + +  + + + +  + + +  + + +  + +  s  + + +  1 1  1  +
GET    /api/users/{userId}/photo                anothers  200   1  + + + +  + + + +  + + +  + + +  4 4  s  4 + +  1 1  1  4
PUT    /api/me/photo                            -         200   1  + + + +  + + + 3  + + +  + + +  + 3  s  3 3 3  1 1  1  +
DELETE /api/me/photo                            -         200   1  + + + +  + + + 3  + + +  + + +  + 3  s  3 3 3  1 1  1  +
GET    /api/me/sessions                         -         200   1  + + + +  + + + 3  + + +  + + +  + 3  s  3 3 3  1 1  1  +
DELETE /api/me/sessions/{sessionId}             -         200   1  + + + +  + + + 3  + + +  + + +  + 3  s  3 3 3  1 1  1  +
DELETE /api/me/sessions/{sessionId}             anothers  200   1  4 4 4 4  4 4 4 3  4 4 4  4 4 4  4 3  s  3 3 3  1 1  1  4
DELETE /api/me/sessions                         -         200   1  + + + +  + + + 3  + + +  + + +  + 3  s  3 3 3  1 1  1  +
GET    /api/me/connectors                       -         200   1  + + + +  + + + +  + + +  + + +  + +  s  + + +  1 1  1  +
POST   /api/me/connectors                       -         200   1  + + + +  + + + 3  + + +  + + +  + 3  s  3 3 3  1 1  1  +
POST   /api/me/connectors                       anothers  200   1  4 4 4 4  4 4 4 3  4 4 4  4 4 4  4 3  s  3 3 3  1 1  1  4
POST   /api/me/connectors/request               -         200   1  + + + +  + + + 3  + + +  + + +  + 3  s  3 3 3  1 1  1  +
POST   /api/me/connectors/request               anothers  200   1  4 4 4 4  4 4 4 3  4 4 4  4 4 4  4 3  s  3 3 3  1 1  1  4
DELETE /api/me/connectors/{clientId}            -         200   1  + + + +  + + + +  + + +  + + +  + +  s  + + +  1 1  1  +
DELETE /api/me/connectors/{clientId}            anothers  200   1  4 4 4 4  4 4 4 4  4 4 4  4 4 4  4 4  s  4 4 4  1 1  1  4
POST   /api/me/email-confirmation               -         409   1  + + + +  + + + 3  + + +  + + +  + 3  s  3 3 3  1 1  1  +
POST   /api/me/password                         -         200   1  + + + +  + + + 3  + + +  + + +  + 3  s  3 3 3  1 1  1  +
PATCH  /api/auth/me                             -         200   1  + + + +  + + + 3  + + +  + + +  + 3  s  3 3 3  1 1  1  +
GET    /api/me/second-factor                    -         200   1  + + + +  + + + 3  + + +  + + +  + 3  s  3 3 3  1 1  1  +
POST   /api/me/second-factor/confirm            -         409   1  + + + +  + + + 3  + + +  + + +  + 3  s  3 3 3  1 1  1  +
POST   /api/me/second-factor/recovery-codes     -         409   1  + + + +  + + + 3  + + +  + + +  + 3  s  3 3 3  1 1  1  +
POST   /api/me/second-factor                    -         201   1  + + + +  + + + 3  + + +  + + +  + 3  s  3 3 3  1 1  1  +
POST   /api/me/second-factor/disable            -         200   1  + + + +  + + + 3  + + +  + + +  + 3  s  3 3 3  1 1  1  +
GET    /api/me/inbox                            -         200   1  + + + +  + + + +  + + +  + + 0  + +  s  0 0 +  1 1  1  0
POST   /api/me/inbox/read                       -         200   1  + + + +  + + + +  + + +  + + 0  + +  s  0 0 +  1 1  1  0
GET    /api/me/events                           -         200   1  + + + +  + + + +  + + +  + + 0  + +  s  0 0 +  1 1  1  0
GET    /api/me/notification-settings            -         200   1  + + + +  + + + +  + + +  + + +  + +  s  + + +  1 1  1  +
PATCH  /api/me/notification-settings            -         200   1  + + + +  + + + +  + + +  + + +  + +  s  + + +  1 1  1  +
GET    /api/me/watches                          -         200   1  + + + +  + + + +  + + +  + + 0  + +  s  0 0 +  1 1  1  0
PUT    /api/me/watches/workspaces/{id}          -         200   1  + 4 4 +  + + + +  + + 4  + 4 0  4 4  s  0 0 +  1 1  1  0
DELETE /api/me/watches/workspaces/{id}          -         200   1  + 4 4 +  + + + +  + + 4  + 4 0  4 4  s  0 0 +  1 1  1  0
PUT    /api/me/watches/workspaces/{id}/components/{cid} -         200   1  + 4 4 +  + + + +  + + 4  + 4 0  4 4  s  0 0 +  1 1  1  0
DELETE /api/me/watches/workspaces/{id}/components/{cid} -         200   1  + 4 4 +  + + + +  + + 4  + 4 0  4 4  s  0 0 +  1 1  1  0
GET    /api/me/watches/workspaces/{id}/threads/{threadId} -         200   1  + 4 4 +  + + + +  + + 4  + 4 0  4 4  s  0 0 +  1 1  1  0
PUT    /api/me/watches/workspaces/{id}/threads/{threadId} -         200   1  + 4 4 +  + + + +  + + 4  + 4 0  4 4  s  0 0 +  1 1  1  0
DELETE /api/me/watches/workspaces/{id}/threads/{threadId} -         200   1  + 4 4 +  + + + +  + + 4  + 4 0  4 4  s  0 0 +  1 1  1  0
PUT    /api/me/watches/teams/{teamId}           -         200   1  + + + +  + + + +  + + +  + + 0  4 4  s  0 0 +  1 1  1  0
DELETE /api/me/watches/teams/{teamId}           -         200   1  + + + +  + + + +  + + +  + + 0  + +  s  0 0 +  1 1  1  0
GET    /api/schema                              -         200   1  + + + +  + + + +  + + +  + + +  + +  s  + + +  1 1  1  +
GET    /api/templates                           -         200   1  + + + +  + + + +  + + +  + + +  + +  s  + + +  1 1  1  +

GET    /api/orgs                                -         200   1  + + + +  + + + +  + + +  + + +  + +  s  0 0 +  1 1  1  +
POST   /api/orgs                                -         201   1  3 3 3 3  3 3 3 3  3 3 3  + + +  3 3  s  3 3 3  1 1  1  3
PATCH  /api/orgs/{orgId}                        -         200   1  3 3 3 3  3 3 3 3  + + +  3 3 0  4 4  s  0 0 3  1 1  1  0
GET    /api/orgs/{orgId}/members                -         200   1  3 3 3 3  3 3 3 3  + + +  3 3 +  4 4  s  0 0 3  1 1  1  0
PATCH  /api/orgs/{orgId}/members/{userId}       -         200   1  3 3 3 3  3 3 3 3  + + +  3 3 0  4 4  s  0 0 3  1 1  1  0
DELETE /api/orgs/{orgId}/members/{userId}       -         200   1  3 3 3 3  3 3 3 3  + + +  3 3 0  4 4  s  0 0 3  1 1  1  0
GET    /api/orgs/{orgId}/invitations            -         200   1  3 3 3 3  3 3 3 3  + + +  3 3 +  4 4  s  0 0 3  1 1  1  0
POST   /api/orgs/{orgId}/invitations            -         201   1  3 3 3 3  3 3 3 3  + + +  3 3 0  4 4  s  0 0 3  1 1  1  0
DELETE /api/orgs/{orgId}/invitations/{invitationId} -     200   1  3 3 3 3  3 3 3 3  + + +  3 3 0  4 4  s  0 0 3  1 1  1  0
GET    /api/orgs/{orgId}/shares                 -         200   1  3 3 3 3  3 3 3 3  + + +  3 3 +  4 4  s  0 0 3  1 1  1  0
DELETE /api/orgs/{orgId}/shares/{shareId}       -         200   1  3 3 3 3  3 3 3 3  + + +  3 3 0  4 4  s  0 0 3  1 1  1  0
GET    /api/orgs/{orgId}/webhooks               -         200   1  3 3 3 3  3 3 3 3  + + +  3 3 0  4 4  s  0 0 3  1 1  1  0
POST   /api/orgs/{orgId}/webhooks               -         201   1  3 3 3 3  3 3 3 3  + + +  3 3 0  4 4  s  0 0 3  1 1  1  0
GET    /api/orgs/{orgId}/webhooks/{webhookId}   -         200   1  3 3 3 3  3 3 3 3  + + +  3 3 0  4 4  s  0 0 3  1 1  1  0
PATCH  /api/orgs/{orgId}/webhooks/{webhookId}   -         200   1  3 3 3 3  3 3 3 3  + + +  3 3 0  4 4  s  0 0 3  1 1  1  0
DELETE /api/orgs/{orgId}/webhooks/{webhookId}   -         200   1  3 3 3 3  3 3 3 3  + + +  3 3 0  4 4  s  0 0 3  1 1  1  0
POST   /api/orgs/{orgId}/webhooks/{webhookId}/secret -    200   1  3 3 3 3  3 3 3 3  + + +  3 3 0  4 4  s  0 0 3  1 1  1  0
POST   /api/orgs/{orgId}/webhooks/{webhookId}/test -      201   1  3 3 3 3  3 3 3 3  + + +  3 3 0  4 4  s  0 0 3  1 1  1  0
GET    /api/orgs/{orgId}/webhooks/{webhookId}/deliveries - 200   1  3 3 3 3  3 3 3 3  + + +  3 3 0  4 4  s  0 0 3  1 1  1  0
POST   /api/orgs/{orgId}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver - 200   1  3 3 3 3  3 3 3 3  + + +  3 3 0  4 4  s  0 0 3  1 1  1  0
GET    /api/sharing-rules                       -         200   1  + + + +  + + + +  + + +  + + 0  + +  s  0 0 +  1 1  1  0
PATCH  /api/sharing-rules                       -         200   1  3 3 3 3  3 3 3 3  + + +  3 3 0  3 3  s  0 0 3  1 1  1  0

GET    /api/admin/users                         -         200   1  3 3 3 3  3 3 3 3  3 3 3  + + +  3 3  s  3 + +  1 1  1  3
POST   /api/admin/users                         -         201   1  3 3 3 3  3 3 3 3  3 3 3  + + +  3 3  s  3 + +  1 1  1  3
PATCH  /api/admin/users/{userId}                -         200   1  3 3 3 3  3 3 3 3  3 3 3  + + +  3 3  s  3 + +  1 1  1  3
PATCH  /api/admin/users/{userId}                suspend   200   1  3 3 3 3  3 3 3 3  3 3 3  + + +  3 3  s  3 + +  1 1  1  3
GET    /api/admin/tokens                        -         200   1  3 3 3 3  3 3 3 3  3 3 3  + + +  3 3  s  3 + +  1 1  1  3
POST   /api/admin/tokens                        -         201   1  3 3 3 3  3 3 3 3  3 3 3  + + +  3 3  s  3 3 3  1 1  1  3
DELETE /api/admin/tokens/{tokenId}              -         200   1  3 3 3 3  3 3 3 3  3 3 3  + + +  3 3  s  3 + +  1 1  1  3
DELETE /api/admin/tokens/{tokenId}              anothers  200   1  3 3 3 3  3 3 3 3  3 3 3  4 4 4  3 3  s  3 4 4  1 1  1  3
GET    /api/admin/audit                         -         200   1  3 3 3 3  3 3 3 3  3 3 3  + + +  3 3  s  3 + +  1 1  1  3
GET    /api/admin/settings                      -         200   1  3 3 3 3  3 3 3 3  3 3 3  + + +  3 3  s  3 + +  1 1  1  3
PATCH  /api/admin/settings                      -         200   1  3 3 3 3  3 3 3 3  3 3 3  + + +  3 3  s  3 + +  1 1  1  3
GET    /api/admin/waitlist                      -         200   1  3 3 3 3  3 3 3 3  3 3 3  + + +  3 3  s  3 + +  1 1  1  3
DELETE /api/admin/waitlist/{entryId}            -         200   1  3 3 3 3  3 3 3 3  3 3 3  + + +  3 3  s  3 + +  1 1  1  3
POST   /api/admin/waitlist/{entryId}/invite     -         201   1  3 3 3 3  3 3 3 3  3 3 3  + + 0  3 3  s  3 0 +  1 1  1  3
POST   /api/admin/waitlist/{entryId}/invite     admin     201   1  3 3 3 3  3 3 3 3  3 3 3  3 3 0  3 3  s  3 0 3  1 1  1  3
POST   /api/waitlist                            -         201   +  + + + +  + + + +  + + +  + + +  + +  +  + + +  + +  +  +

GET    /api/people                              -         200   1  + + + +  + + + +  + + +  + + +  + +  s  0 0 +  1 1  1  0
POST   /api/people                              -         201   1  + + + +  + + + +  + + +  + + 0  + +  s  0 0 +  1 1  1  0
GET    /api/people/{personId}                   -         200   1  + + + +  + + + +  + + +  + + +  4 4  s  0 0 +  1 1  1  0
GET    /api/people/{personId}/photo             -         200   1  + + + +  + + + +  + + +  + + +  4 4  s  0 0 +  1 1  1  0
PATCH  /api/people/{personId}                   -         200   1  + + + +  + + + +  + + +  + + 0  4 4  s  0 0 +  1 1  1  0
DELETE /api/people/{personId}                   -         200   1  3 3 3 3  3 3 3 3  + + +  3 3 0  3 3  s  0 0 3  1 1  1  0
GET    /api/teams                               -         200   1  + + + +  + + + +  + + +  + + +  + +  s  0 0 +  1 1  1  0
POST   /api/teams                               -         201   1  + + + +  + + + +  + + +  + + 0  + +  s  0 0 +  1 1  1  0
GET    /api/teams/{teamId}                      -         200   1  + + + +  + + + +  + + +  + + +  4 4  s  0 0 +  1 1  1  0
PATCH  /api/teams/{teamId}                      -         200   1  + + + +  + + + +  + + +  + + 0  4 4  s  0 0 +  1 1  1  0
DELETE /api/teams/{teamId}                      -         200   1  3 3 3 3  3 3 3 3  + + +  3 3 0  3 3  s  0 0 3  1 1  1  0
GET    /api/teams/{teamId}/members              -         200   1  + + + +  + + + +  + + +  + + +  4 4  s  0 0 +  1 1  1  0
POST   /api/teams/{teamId}/members              -         201   1  + + + +  + + + +  + + +  + + 0  4 4  s  0 0 +  1 1  1  0
PATCH  /api/teams/{teamId}/members/{personId}   -         200   1  + + + +  + + + +  + + +  + + 0  4 4  s  0 0 +  1 1  1  0
DELETE /api/teams/{teamId}/members/{personId}   -         200   1  + + + +  + + + +  + + +  + + 0  4 4  s  0 0 +  1 1  1  0
GET    /api/kinds                               -         200   1  + + + +  + + + +  + + +  + + +  + +  s  0 0 +  1 1  1  0
POST   /api/kinds                               -         201   1  3 3 3 3  3 3 3 3  + + +  3 3 0  3 3  s  0 0 3  1 1  1  0
PATCH  /api/kinds/{kindId}                      -         200   1  3 3 3 3  3 3 3 3  + + +  3 3 0  3 3  s  0 0 3  1 1  1  0
DELETE /api/kinds/{kindId}                      -         200   1  3 3 3 3  3 3 3 3  + + +  3 3 0  3 3  s  0 0 3  1 1  1  0
GET    /api/stakeholder-link-types              -         200   1  + + + +  + + + +  + + +  + + +  + +  s  0 0 +  1 1  1  0
POST   /api/stakeholder-link-types              -         201   1  3 3 3 3  3 3 3 3  + + +  3 3 0  3 3  s  0 0 3  1 1  1  0
PATCH  /api/stakeholder-link-types/{roleId}     -         200   1  3 3 3 3  3 3 3 3  + + +  3 3 0  3 3  s  0 0 3  1 1  1  0
DELETE /api/stakeholder-link-types/{roleId}     -         200   1  3 3 3 3  3 3 3 3  + + +  3 3 0  3 3  s  0 0 3  1 1  1  0

GET    /api/admin/wiki/status                   -         200   1  3 3 3 3  3 3 3 3  + + +  + + 0  3 3  s  0 0 +  1 1  1  0
POST   /api/admin/wiki/test                     -         200   1  3 3 3 3  3 3 3 3  + + +  + + 0  3 3  s  0 0 +  1 1  1  0
POST   /api/admin/wiki/refresh                  -         200   1  3 3 3 3  3 3 3 3  + + +  + + 0  3 3  s  0 0 +  1 1  1  0
POST   /api/admin/wiki/disconnect               -         200   1  3 3 3 3  3 3 3 3  + + +  + + 0  3 3  s  0 0 +  1 1  1  0
POST   /api/auth/wiki/start                     -         200   1  3 3 3 3  3 3 3 3  + + +  + + 0  3 3  s  0 0 +  1 1  1  0
GET    /api/auth/wiki/callback                  -         302   +  + + + +  + + + +  + + +  + + +  + +  +  + + +  + +  +  +
GET    /api/wiki/children                       -         200   1  + + + +  + + + +  + + +  + + 0  + +  s  0 0 +  1 1  1  0
GET    /api/wiki/icon                           -         200   1  + + + +  + + + +  + + +  + + 0  + +  s  0 0 +  1 1  1  0

GET    /api/search                              -         200   1  + + + +  + + + +  + + +  + + +  + +  s  0 0 +  1 1  1  0
GET    /api/workspaces                          -         200   1  + + + +  + + + +  + + +  + + +  + +  s  0 0 +  1 1  1  0
GET    /api/workspaces                          deleted   200   1  + + + +  + + + +  + + +  + + +  + +  s  0 0 +  1 1  1  0
POST   /api/workspaces                          -         201   1  + + + +  + + + +  + + +  + + 0  + +  s  0 0 +  1 1  1  0
POST   /api/import                              -         201   1  + + + +  + + + +  + + +  + + 0  + +  s  0 0 +  1 1  1  0
POST   /api/import                              replace   200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
POST   /api/workspaces/restore                  -         200   1  3 4 4 3  3 3 + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
GET    /api/workspaces/{id}                     -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
GET    /api/workspaces/{id}                     past      200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
PATCH  /api/workspaces/{id}                     -         200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
PATCH  /api/workspaces/{id}                     visible   200   1  3 4 4 3  3 3 + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
PATCH  /api/workspaces/{id}                     org-access 200   1  3 4 4 3  3 3 + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
DELETE /api/workspaces/{id}                     -         200   1  3 4 4 3  3 3 + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
PUT    /api/workspaces/{id}/bulk                -         200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
PUT    /api/workspaces/{id}/bulk                free-id   200   1  + + + +  + + + +  + + +  + + 0  + +  s  0 0 +  1 1  1  0
POST   /api/readings                            -         200   1  + + + +  + + + +  + + +  + + 0  + +  s  0 0 +  1 1  1  0
POST   /api/workspaces/{id}/sync                -         200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
POST   /api/workspaces/{id}/sync/preview        -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
GET    /api/workspaces/{id}/sources             -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
GET    /api/workspaces/{id}/sources/{sourceId}  -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
PATCH  /api/workspaces/{id}/sources/{sourceId}  -         200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
DELETE /api/workspaces/{id}/sources/{sourceId}  -         200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
GET    /api/workspaces/{id}/drift               -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
POST   /api/workspaces/{id}/operations          -         200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
GET    /api/workspaces/{id}/export              -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
POST   /api/workspaces/{id}/duplicate           -         201   1  + 4 4 +  + + + +  + + 4  + 4 0  4 4  s  0 0 +  1 1  1  0

GET    /api/workspaces/{id}/events              -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
POST   /api/workspaces/{id}/presence            -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
GET    /api/workspaces/{id}/history             -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
GET    /api/workspaces/{id}/history/difference  -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
GET    /api/workspaces/{id}/impact              -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
GET    /api/workspaces/{id}/impact/paths        -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
POST   /api/workspaces/{id}/history/restore    -         200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
POST   /api/workspaces/{id}/undo                -         200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
GET    /api/workspaces/{id}/versions            -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
POST   /api/workspaces/{id}/versions            -         201   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
GET    /api/workspaces/{id}/versions/{vid}      -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
DELETE /api/workspaces/{id}/versions/{vid}      -         200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
POST   /api/workspaces/{id}/versions/{vid}/restore -         200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0

GET    /api/workspaces/{id}/members             -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
POST   /api/workspaces/{id}/members             -         200   1  3 4 4 3  3 3 + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
GET    /api/workspaces/{id}/members/candidates  -         200   1  3 4 4 3  3 3 + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
PATCH  /api/workspaces/{id}/members/{userId}    -         200   1  3 4 4 3  3 3 + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
DELETE /api/workspaces/{id}/members/{userId}    -         200   1  3 4 4 3  3 3 + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
GET    /api/workspaces/{id}/access-requests     -         200   1  3 4 4 3  3 3 + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
POST   /api/workspaces/{id}/access-requests     -         201   1  + 4 4 9  + 9 9 3  9 9 4  + 4 0  4 4  s  0 0 3  1 1  1  0
DELETE /api/workspaces/{id}/access-requests/{userId} -    200   1  3 4 4 3  3 3 + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
DELETE /api/workspaces/{id}/access-requests/{userId} own  200   1  + 4 4 +  + + + +  + + 4  + 4 0  4 4  s  0 0 +  1 1  1  0
GET    /api/workspaces/{id}/comments            -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
PATCH  /api/workspaces/{id}/comments            -         200   1  3 4 4 3  3 3 + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
GET    /api/workspaces/{id}/comments/people     -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
GET    /api/workspaces/{id}/threads             -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
POST   /api/workspaces/{id}/threads             -         201   1  + 4 4 +  + + + +  + + 4  + 4 0  4 4  s  0 0 +  1 1  1  0
POST   /api/workspaces/{id}/threads             editors   201   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
GET    /api/workspaces/{id}/threads/{threadId}  -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
PATCH  /api/workspaces/{id}/threads/{threadId}  -         200   1  + 4 4 +  + + + +  + + 4  + 4 0  4 4  s  0 0 +  1 1  1  0
PATCH  /api/workspaces/{id}/threads/{threadId}  anothers  200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
DELETE /api/workspaces/{id}/threads/{threadId}  -         200   1  + 4 4 +  + + + +  + + 4  + 4 0  4 4  s  0 0 +  1 1  1  0
DELETE /api/workspaces/{id}/threads/{threadId}  anothers  200   1  3 4 4 3  3 3 + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
POST   /api/workspaces/{id}/threads/{threadId}/resolve -         200   1  + 4 4 +  + + + +  + + 4  + 4 0  4 4  s  0 0 +  1 1  1  0
POST   /api/workspaces/{id}/threads/{threadId}/resolve anothers  200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
POST   /api/workspaces/{id}/threads/{threadId}/reopen -         200   1  + 4 4 +  + + + +  + + 4  + 4 0  4 4  s  0 0 +  1 1  1  0
POST   /api/workspaces/{id}/threads/{threadId}/reopen anothers  200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
POST   /api/workspaces/{id}/threads/{threadId}/messages -         201   1  + 4 4 +  + + + +  + + 4  + 4 0  4 4  s  0 0 +  1 1  1  0
POST   /api/workspaces/{id}/threads/{threadId}/messages editors   201   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
DELETE /api/workspaces/{id}/threads/{threadId}  in-draft  200   1  3 4 4 3  3 3 + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
POST   /api/workspaces/{id}/threads/{threadId}/resolve in-draft  200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
DELETE /api/workspaces/{id}/threads/{threadId}/messages/{messageId} in-draft  200   1  3 4 4 3  3 3 + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
PATCH  /api/workspaces/{id}/threads/{threadId}/messages/{messageId} -         200   1  + 4 4 +  + + + +  + + 4  + 4 0  4 4  s  0 0 +  1 1  1  0
PATCH  /api/workspaces/{id}/threads/{threadId}/messages/{messageId} anothers  200   1  3 4 4 3  3 3 3 3  3 3 4  3 4 0  4 4  s  0 0 3  1 1  1  0
DELETE /api/workspaces/{id}/threads/{threadId}/messages/{messageId} -         200   1  + 4 4 +  + + + +  + + 4  + 4 0  4 4  s  0 0 +  1 1  1  0
DELETE /api/workspaces/{id}/threads/{threadId}/messages/{messageId} anothers  200   1  3 4 4 3  3 3 + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
GET    /api/workspaces/{id}/drafts              -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
POST   /api/workspaces/{id}/drafts              -         201   1  + 4 4 +  + + + +  + + 4  + 4 0  4 4  s  0 0 +  1 1  1  0
GET    /api/workspaces/{id}/protection          -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
PATCH  /api/workspaces/{id}/protection          -         200   1  3 4 4 3  3 3 + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
GET    /api/drafts/{id}                         -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
PATCH  /api/drafts/{id}                         -         200   1  + 4 4 +  + + + +  + + 4  + 4 0  4 4  s  0 0 +  1 1  1  0
PATCH  /api/drafts/{id}                         anothers  200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
GET    /api/drafts/{id}/comparison              -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
POST   /api/drafts/{id}/update                  -         200   1  + 4 4 +  + + + +  + + 4  + 4 0  4 4  s  0 0 +  1 1  1  0
POST   /api/drafts/{id}/update                  anothers  200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
POST   /api/drafts/{id}/reviews                 -         201   1  + 4 4 +  + + + +  + + 4  + 4 0  4 4  s  0 0 +  1 1  1  0
POST   /api/drafts/{id}/merge                   -         200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
POST   /api/drafts/{id}/merge                   anothers  200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
POST   /api/drafts/{id}/close                   -         200   1  + 4 4 +  + + + +  + + 4  + 4 0  4 4  s  0 0 +  1 1  1  0
POST   /api/drafts/{id}/close                   anothers  200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
GET    /api/workspaces/{id}/shares              -         200   1  3 4 4 3  3 3 + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
POST   /api/workspaces/{id}/shares              -         201   1  3 4 4 3  3 3 + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
PATCH  /api/workspaces/{id}/shares/{shareId}    -         200   1  3 4 4 3  3 3 + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
DELETE /api/workspaces/{id}/shares/{shareId}    -         200   1  3 4 4 3  3 3 + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
POST   /api/workspaces/{id}/shares/{shareId}/rotate -     200   1  3 4 4 3  3 3 + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
POST   /api/workspaces/{id}/shares/{shareId}/adopt -      200   1  3 4 4 3  3 3 + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0

POST   /api/workspaces/{id}/components          -         201   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
PATCH  /api/workspaces/{id}/components          -         200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
GET    /api/workspaces/{id}/components/{cid}    -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
PATCH  /api/workspaces/{id}/components/{cid}    -         200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
DELETE /api/workspaces/{id}/components/{cid}    -         200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0

GET    /api/workspaces/{id}/components/{cid}/links -      200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
GET    /api/workspaces/{id}/components/{cid}/links/{linkId}/icon - 200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
POST   /api/workspaces/{id}/components/{cid}/links -      201   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
DELETE /api/workspaces/{id}/components/{cid}/links/{linkId} - 200 1 3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
POST   /api/workspaces/{id}/components/{cid}/links/{linkId}/refresh - 200 1 3 4 4 + 3 + + + + + 4 3 4 0 4 4 s 0 0 3 1 1 1 0

GET    /api/workspaces/{id}/stakeholders        -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
GET    /api/workspaces/{id}/components/{cid}/stakeholders -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
POST   /api/workspaces/{id}/components/{cid}/stakeholders -         201   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
PATCH  /api/workspaces/{id}/components/{cid}/stakeholders/{sid} -         200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
DELETE /api/workspaces/{id}/components/{cid}/stakeholders/{sid} -         200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0

POST   /api/workspaces/{id}/relationships       -         201   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
PATCH  /api/workspaces/{id}/relationships/{rid} -         200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
DELETE /api/workspaces/{id}/relationships/{rid} -         200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0

GET    /api/workspaces/{id}/processes           -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
POST   /api/workspaces/{id}/processes           -         201   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
GET    /api/workspaces/{id}/processes/{pid}     -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
PATCH  /api/workspaces/{id}/processes/{pid}     -         200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
DELETE /api/workspaces/{id}/processes/{pid}     -         200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0

GET    /api/workspaces/{id}                     notes     200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
GET    /api/workspaces/{id}/notes               -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
POST   /api/workspaces/{id}/notes               -         201   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
GET    /api/workspaces/{id}/notes/{noteId}      -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
PATCH  /api/workspaces/{id}/notes/{noteId}      -         200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
DELETE /api/workspaces/{id}/notes/{noteId}      -         200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
GET    /api/workspaces/{id}                     views     200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
GET    /api/workspaces/{id}/image.svg       -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
GET    /api/workspaces/{id}/image.png       -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
GET    /api/workspaces/{id}/image.pdf       -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
GET    /api/workspaces/{id}/views               -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
POST   /api/workspaces/{id}/views               -         201   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
GET    /api/workspaces/{id}/views/{viewId}      -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
GET    /api/workspaces/{id}/views/{viewId}/image.svg -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
GET    /api/workspaces/{id}/views/{viewId}/image.png -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
GET    /api/workspaces/{id}/views/{viewId}/image.pdf -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
PATCH  /api/workspaces/{id}/views/{viewId}      -         200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
DELETE /api/workspaces/{id}/views/{viewId}      -         200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
POST   /api/workspaces/{id}/views/{viewId}/copy -         201   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
GET    /api/workspaces/{id}/views/personal      -         200   1  + 4 4 +  + + + +  + + 4  + 4 0  4 4  s  0 0 +  1 1  1  0
POST   /api/workspaces/{id}/views/personal      -         201   1  + 4 4 +  + + + +  + + 4  + 4 0  4 4  s  0 0 +  1 1  1  0
GET    /api/workspaces/{id}/views/personal/{viewId} -         200   1  + 4 4 +  + + + +  + + 4  + 4 0  4 4  s  0 0 +  1 1  1  0
GET    /api/workspaces/{id}/views/personal/{viewId} anothers  200   1  4 4 4 4  4 4 4 4  4 4 4  4 4 0  4 4  s  0 0 4  1 1  1  0
GET    /api/workspaces/{id}/views/personal/{viewId}/image.svg -         200   1  + 4 4 +  + + + +  + + 4  + 4 0  4 4  s  0 0 +  1 1  1  0
GET    /api/workspaces/{id}/views/personal/{viewId}/image.svg anothers  200   1  4 4 4 4  4 4 4 4  4 4 4  4 4 0  4 4  s  0 0 4  1 1  1  0
GET    /api/workspaces/{id}/views/personal/{viewId}/image.png -         200   1  + 4 4 +  + + + +  + + 4  + 4 0  4 4  s  0 0 +  1 1  1  0
GET    /api/workspaces/{id}/views/personal/{viewId}/image.png anothers  200   1  4 4 4 4  4 4 4 4  4 4 4  4 4 0  4 4  s  0 0 4  1 1  1  0
GET    /api/workspaces/{id}/views/personal/{viewId}/image.pdf -         200   1  + 4 4 +  + + + +  + + 4  + 4 0  4 4  s  0 0 +  1 1  1  0
GET    /api/workspaces/{id}/views/personal/{viewId}/image.pdf anothers  200   1  4 4 4 4  4 4 4 4  4 4 4  4 4 0  4 4  s  0 0 4  1 1  1  0
GET    /api/workspaces/{id}/views/personal/{viewId}/export -         200   1  + 4 4 +  + + + +  + + 4  + 4 0  4 4  s  0 0 +  1 1  1  0
GET    /api/workspaces/{id}/views/personal/{viewId}/export anothers  200   1  4 4 4 4  4 4 4 4  4 4 4  4 4 0  4 4  s  0 0 4  1 1  1  0
PATCH  /api/workspaces/{id}/views/personal/{viewId} -         200   1  + 4 4 +  + + + +  + + 4  + 4 0  4 4  s  0 0 +  1 1  1  0
PATCH  /api/workspaces/{id}/views/personal/{viewId} anothers  200   1  4 4 4 4  4 4 4 4  4 4 4  4 4 0  4 4  s  0 0 4  1 1  1  0
DELETE /api/workspaces/{id}/views/personal/{viewId} -         200   1  + 4 4 +  + + + +  + + 4  + 4 0  4 4  s  0 0 +  1 1  1  0
DELETE /api/workspaces/{id}/views/personal/{viewId} anothers  200   1  4 4 4 4  4 4 4 4  4 4 4  4 4 0  4 4  s  0 0 4  1 1  1  0
GET    /api/workspaces/{id}/decisions           -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
POST   /api/workspaces/{id}/decisions           -         201   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
GET    /api/workspaces/{id}/decisions/export    -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
POST   /api/workspaces/{id}/decisions/import    -         200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
GET    /api/workspaces/{id}/decisions/{decisionId} -      200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
PATCH  /api/workspaces/{id}/decisions/{decisionId} -      200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
DELETE /api/workspaces/{id}/decisions/{decisionId} -      200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
GET    /api/workspaces/{id}/tours               -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
POST   /api/workspaces/{id}/tours               -         201   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
GET    /api/workspaces/{id}/tours/{tourId}      -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
PATCH  /api/workspaces/{id}/tours/{tourId}      -         200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
DELETE /api/workspaces/{id}/tours/{tourId}      -         200   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
POST   /api/workspaces/{id}/images              -         201   1  3 4 4 +  3 + + +  + + 4  3 4 0  4 4  s  0 0 3  1 1  1  0
GET    /api/workspaces/{id}/images/{imageId}    -         200   1  + 4 4 +  + + + +  + + 4  + 4 +  4 4  s  0 0 +  1 1  1  0
";
