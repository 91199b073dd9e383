//! Quotas: limits per workspace, organization, or user. Configured in `[quotas]`.

use serde::Deserialize;

/// The limits. 0 means no limit.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quotas {
    /// Components per workspace.
    pub components: i64,
    /// Relationships per workspace.
    pub relationships: i64,
    /// Stakeholders per workspace.
    pub stakeholders: i64,
    /// Links per workspace.
    pub links: i64,
    /// Processes per workspace.
    pub processes: i64,
    /// Total size of the process texts of a workspace, in MiB.
    pub process_mib: i64,
    /// Notes, frames and images per workspace.
    pub notes: i64,
    /// Total size of the images of a workspace, in MiB.
    pub image_mib: i64,
    /// Views per workspace.
    pub views: i64,
    /// Positions of components in all views of a workspace.
    pub view_places: i64,
    /// Lines of relationships in all views of a workspace.
    pub view_lines: i64,
    /// Tours per workspace.
    pub tours: i64,
    /// Decisions per workspace.
    pub decisions: i64,
    /// Total size of the texts of the decisions of a workspace, in MiB.
    pub decision_mib: i64,
    /// Saved versions per workspace.
    pub versions: i64,
    /// Workspaces per organization.
    pub workspaces: i64,
    /// People per organization.
    pub people: i64,
    /// Teams per organization.
    pub teams: i64,
    /// Stakeholder roles per organization.
    pub roles: i64,
    /// Kinds of components per organization.
    pub kinds: i64,
    /// Total size of the history, the saved versions and the images of an organization, in MiB.
    pub organization_mib: i64,
    /// Open invitations per organization.
    pub invitations: i64,
    /// Active personal access tokens per user.
    pub tokens: i64,
    /// Sessions per user. A new session beyond the limit ends the least recently used one.
    pub sessions: i64,
    /// Registered apps that no user has connected. A new app beyond the limit removes the oldest one.
    pub registrations: i64,
    /// Waitlist entries without an invitation.
    pub waitlist: i64,
}
