//! Invitations to an organization.

use serde::{Deserialize, Serialize};

use crate::{
    describe::ToSchema,
    domain::{
        input::{Input, objects},
        values::{Email, OrgRole, words},
    },
};

words! {
    /// The permission that an invitation was created with.
    Authority {
        /// As an admin of the organization.
        Organization = "organization",
        /// As an administrator of the instance, who invites people from the waitlist to one of their organizations.
        Waitlist = "waitlist",
    }
}

/// An invitation to an organization.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Invitation {
    /// Invitation id. Ids are never reused.
    pub id: i64,
    /// Organization id.
    #[schema(example = "org_2x7Yk")]
    pub org_id: String,
    /// Email address of the invitee. Informational: any holder of the link can accept the invitation.
    #[schema(required)]
    pub email: Option<String>,
    /// Role that the invitee gets in the organization.
    pub role: OrgRole,
    /// Creation time in Unix milliseconds.
    pub created_at: i64,
    /// User id of the author; null for the operator.
    #[schema(required)]
    pub created_by: Option<i64>,
    /// Expiration time in Unix milliseconds.
    pub expires_at: i64,
    /// Time of acceptance in Unix milliseconds; null if not accepted.
    #[schema(required)]
    pub accepted_at: Option<i64>,
    /// User id of the user who accepted the invitation; null if not accepted.
    #[schema(required)]
    pub accepted_by: Option<i64>,
}

/// An invitation to create.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewInvitation {
    /// Email address of the invitee. The link is sent to it if this instance sends emails. Informational: any holder of
    /// the link can accept the invitation.
    #[schema(nullable = false)]
    pub email: Option<Email>,
    /// Role that the invitee gets in the organization; defaults to `org:member`.
    #[schema(nullable = false)]
    pub role: Option<OrgRole>,
}

objects!(NewInvitation);

impl Input for NewInvitation {}

/// A created invitation with its link. The link is returned only once.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct CreatedInvitation {
    /// The invitation.
    pub invitation: Invitation,
    /// The secret in the link.
    #[schema(example = "q1T0…")]
    pub token: String,
    /// The link to send to the invitee.
    #[schema(example = "https://plans.example.org/join#q1T0…")]
    pub url: String,
    /// Whether the link is also sent to the email address of the invitee. False without an address, if this instance sends
    /// no emails, and if a daily limit is reached.
    #[serde(default)]
    #[schema(required)]
    pub mailed: bool,
}

/// The public details of an invitation, for the holder of its link.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpenInvitation {
    /// Name of the organization.
    #[schema(example = "Acme")]
    pub organization: String,
    /// Email address of the invitee.
    #[schema(required)]
    pub email: Option<String>,
    /// Role that the invitee gets in the organization.
    pub role: OrgRole,
    /// Expiration time in Unix milliseconds.
    pub expires_at: i64,
}
