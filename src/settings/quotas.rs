//! Quotas: how much one workspace, organization or user may hold. Keys of the configuration, `[quotas]`.

use serde::Deserialize;

/// The limits. 0 stands for no limit.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quotas {
    /// Components of a workspace.
    pub components: i64,
    /// Relationships of a workspace.
    pub relationships: i64,
    /// Stakeholders of a workspace.
    pub stakeholders: i64,
    /// Links of a workspace.
    pub links: i64,
    /// Processes of a workspace.
    pub processes: i64,
    /// Size of all process texts of a workspace, in MiB.
    pub process_mib: i64,
    /// Saved versions of a workspace.
    pub versions: i64,
    /// Workspaces of an organization.
    pub workspaces: i64,
    /// People of an organization.
    pub people: i64,
    /// Teams of an organization.
    pub teams: i64,
    /// Stakeholder roles of an organization.
    pub roles: i64,
    /// Size of the history and the saved versions of an organization, in MiB.
    pub organization_mib: i64,
    /// Open invitations of an organization.
    pub invitations: i64,
    /// Personal access tokens of a user that are not revoked.
    pub tokens: i64,
    /// Sessions of a user. The one used least recently ends when there is one more.
    pub sessions: i64,
    /// Registered apps that no user has connected. The oldest is removed when there is one more.
    pub registrations: i64,
    /// Waitlist entries that nobody has invited yet.
    pub waitlist: i64,
}
