//! The waitlist.

use serde::{Deserialize, Serialize};

use crate::{
    describe::ToSchema,
    domain::{
        input::{Input, objects},
        values::{Email, Name, OrgRole, Text},
    },
};

/// A waitlist entry: a person who requested an account.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitlistEntry {
    /// Id; never reused.
    pub id: i64,
    /// Email address.
    #[schema(example = "eve@example.org")]
    pub email: String,
    /// Name of the person.
    #[schema(required)]
    pub name: Option<String>,
    /// Company of the person.
    #[schema(required)]
    pub company: Option<String>,
    /// Message from the person.
    #[schema(required)]
    pub note: Option<String>,
    /// Time of creation, in Unix milliseconds.
    pub created_at: i64,
    /// Time of the last invitation, in Unix milliseconds.
    #[schema(required)]
    pub invited_at: Option<i64>,
}

/// Fields of a new waitlist entry.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewWaitlistEntry {
    /// Email address.
    pub email: Email,
    /// Name of the person.
    #[schema(nullable = false)]
    pub name: Option<Name>,
    /// Company of the person.
    #[schema(nullable = false)]
    pub company: Option<Name>,
    /// Message to the administrators.
    #[schema(nullable = false)]
    pub note: Option<Text>,
}

/// Fields of an invitation for a person on the waitlist.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct WaitlistInvitation {
    /// If given, must be the id of the active organization.
    #[schema(nullable = false)]
    pub org_id: Option<String>,
    /// Role in the organization. Default: `org:member`. Only an admin of the organization can give `org:admin`.
    #[schema(nullable = false)]
    pub role: Option<OrgRole>,
}

objects!(NewWaitlistEntry, WaitlistInvitation);

impl Input for NewWaitlistEntry {}

impl Input for WaitlistInvitation {}
