//! Audit events, the overview and the sign-in configuration.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    describe::ToSchema,
    domain::values::{OrganizationAccess, Visibility},
    error::{Error, Problem, Result},
};

/// Maximum number of events per page.
pub const MAX_EVENTS_PER_PAGE: i64 = 1_000;
/// Maximum length of the kind of an event in a filter, in bytes.
pub const MAX_KIND_BYTES: usize = 100;

/// Default number of events per page.
pub(in crate::domain) const DEFAULT_EVENTS_PER_PAGE: i64 = 200;

/// An event in the audit log.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditEvent {
    /// Event id. Ids increase over time and are never reused.
    pub id: i64,
    /// Event type.
    #[schema(example = "token.create")]
    pub kind: String,
    /// Time of the event in Unix milliseconds.
    #[schema(example = 1_790_000_000_000_i64)]
    pub ts: i64,
    /// Details of the event, such as the affected resource. Contains no secrets.
    #[schema(value_type = Object)]
    pub details: Value,
    /// User id of the actor; null for the system or the operator.
    #[schema(required)]
    pub actor_id: Option<i64>,
    /// The user that `actorId` refers to.
    #[schema(required)]
    pub actor: Option<Actor>,
    /// Organization in which the event occurred; null if it concerns no organization.
    #[schema(required)]
    pub org_id: Option<String>,
    /// Address of the client; null for jobs and the command line. If repeated failures are combined, of the last one.
    #[serde(default)]
    #[schema(required, example = "198.51.100.7")]
    pub address: Option<String>,
    /// Id of the request, which is also in the log and in the response header `X-Request-Id`.
    #[serde(default)]
    #[schema(required)]
    pub request_id: Option<String>,
    /// Objects that the event concerns and that still exist, with their current names. Of many changed rows, only the
    /// first of each kind are included.
    #[serde(default)]
    #[schema(required)]
    pub objects: Vec<AuditEventObject>,
}

/// An object that an event concerns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditEventObject {
    /// `user`, `organization`, `workspace`, `component`, `process`, `person`, `team`, `role`, `token`, `invitation` or
    /// `app`.
    #[schema(example = "workspace")]
    pub kind: String,
    /// Id of the object.
    #[schema(example = "payments")]
    pub id: String,
    /// Current name; for an invitation, the email address that it is for.
    #[schema(example = "Payments")]
    pub name: String,
    /// Name of its organization in URLs. Absent for objects outside an organization.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false, example = "acme")]
    pub org_slug: Option<String>,
    /// Id of its workspace. Absent for objects outside a workspace.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub workspace_id: Option<String>,
}

/// The user who caused an event.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Actor {
    /// User id.
    pub id: i64,
    /// Display name.
    pub display_name: String,
    /// Login used to sign in.
    pub login: String,
}

/// A page request for audit events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditQuery {
    pub(in crate::domain) limit: i64,
    pub(in crate::domain) before: Option<i64>,
    pub(in crate::domain) after: Option<i64>,
    pub(in crate::domain) kind: Option<String>,
    pub(in crate::domain) actor: Option<i64>,
}

impl AuditQuery {
    /// Requests up to `limit` events (1 to 1000, default 200) with ids below `before` and above `after`, optionally of
    /// one `kind`.
    pub fn new(limit: Option<i64>, before: Option<i64>, after: Option<i64>, kind: Option<String>) -> Result<Self> {
        let limit = limit.unwrap_or(DEFAULT_EVENTS_PER_PAGE);
        if !(1..=MAX_EVENTS_PER_PAGE).contains(&limit) {
            return Err(Error::invalid("limit", Problem::range(1, MAX_EVENTS_PER_PAGE)));
        }
        if before.is_some_and(|id| id < 1) {
            return Err(Error::invalid("before", "must be the id of an event, 1 or more"));
        }
        if kind.as_ref().is_some_and(|kind| kind.is_empty() || kind.len() > MAX_KIND_BYTES) {
            return Err(Error::invalid("kind", "must have 1 to 100 characters, as in token.create"));
        }
        Ok(Self { limit, before, after, kind, actor: None })
    }

    /// Requests only events that the user with this id caused; none for all events.
    pub fn by(self, actor: Option<i64>) -> Result<Self> {
        if actor.is_some_and(|id| id < 1) {
            return Err(Error::invalid("actor", "must be the id of a user, 1 or more"));
        }
        Ok(Self { actor, ..self })
    }
}

/// An organization.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OrganizationOverview {
    /// Organization id. It never changes.
    pub id: String,
    /// Name in commands and tokens.
    pub slug: String,
    /// Display name.
    pub name: String,
    /// Number of members.
    pub members: i64,
    /// Number of workspaces that are not deleted.
    pub workspaces: i64,
    /// Creation time in Unix milliseconds.
    pub created_at: i64,
}

/// A workspace, deleted or not.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceOverview {
    /// Internal key, used to restore a deleted workspace.
    pub pk: i64,
    /// Workspace id. The id of a deleted workspace may be in use by another workspace.
    pub id: String,
    /// Display name.
    pub name: String,
    /// Slug of the organization.
    pub org: String,
    /// Who can access the workspace besides its members.
    pub visibility: Visibility,
    /// What members of the organization can do in the workspace while its visibility is `org`.
    pub organization_access: OrganizationAccess,
    /// Login of the owner.
    pub owner: String,
    /// Revision, which increases with every write in the workspace.
    pub revision: i64,
    /// Creation time in Unix milliseconds.
    pub created_at: i64,
    /// Time of the last update in Unix milliseconds.
    pub updated_at: i64,
    /// Time of deletion in Unix milliseconds; none if not deleted.
    pub deleted_at: Option<i64>,
}

/// Public sign-in configuration of the instance.
#[expect(clippy::struct_excessive_bools, reason = "each is a field of the response")]
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignInConfig {
    /// Available sign-in methods: `password`, and `oidc` for an external identity provider.
    #[schema(example = json!(["password", "oidc"]))]
    pub methods: Vec<&'static str>,
    /// Display name of the identity provider; null if sign-in with a provider is not available.
    #[schema(required, example = "Acme's directory")]
    pub provider_name: Option<String>,
    /// Name of the instance.
    #[schema(example = "Planroom")]
    pub instance_name: String,
    /// Whether any account exists. If false, the link that the server printed creates the first account.
    pub has_users: bool,
    /// Whether visitors can sign up for the waitlist.
    pub waitlist_open: bool,
    /// Whether this instance sends emails, such as invitations and confirmations of email addresses.
    pub emails: bool,
    /// Whether users can reset a forgotten password by email.
    pub password_reset: bool,
}

/// Numbers of valid credentials.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CredentialCounts {
    /// Sessions.
    pub sessions: i64,
    /// Personal access tokens.
    pub tokens: i64,
    /// Connected apps, counted once per user and app.
    pub connected_apps: i64,
}

/// Which credentials remain valid after restoring a backup.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RestorePolicy {
    /// Whether sessions and connected apps remain valid.
    pub keep_sessions: bool,
    /// Whether personal access tokens are revoked.
    pub revoke_tokens: bool,
}

/// The state of the database after restoring a backup.
#[derive(Debug, Clone, Copy)]
pub struct RestoredDatabase {
    /// Time of the last change in the backup in Unix milliseconds.
    pub last_change_at: Option<i64>,
    /// Credentials that were ended.
    pub ended: CredentialCounts,
    /// Credentials that are valid.
    pub valid: CredentialCounts,
}

/// Who has access to what, for comparing a backup with the database that it replaces. Each entry is a name for people.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AccessList {
    /// Personal access tokens that are not revoked.
    pub tokens: BTreeSet<String>,
    /// Members of organizations.
    pub members: BTreeSet<String>,
    /// Users that are not suspended.
    pub users: BTreeSet<String>,
    /// Administrators of the instance.
    pub administrators: BTreeSet<String>,
}
