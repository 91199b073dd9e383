//! What events tell: their data.

use serde::Serialize;
use utoipa::ToSchema;

use super::presence::Presence;
use crate::domain::{access::Change, history::Version};

/// The data of an event. Which it is, the event's name says.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(untagged)]
pub enum Told {
    /// `ready`
    Ready(Ready),
    /// `change`
    Change(Change),
    /// `presence`
    Presence(Presence),
    /// `gone`
    Gone(Gone),
    /// `versions`
    Versions(Versions),
    /// `reload`
    Reload(Reload),
}

/// The stream has begun.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Ready {
    /// The database's incarnation: another one after a restore.
    #[schema(example = "0f3a9c21d4b84e07a6c5f1e2938475ab")]
    pub incarnation: String,
    /// The last change in the log.
    pub id: i64,
    /// The workspace's revision.
    pub revision: i64,
    /// That of people, teams and roles.
    pub directory_revision: i64,
}

/// Somebody has gone.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Gone {
    /// User id.
    pub user_id: i64,
    /// The window or program.
    pub client: String,
}

/// A named version was kept, or is gone. That is no change of the workspace, and so has no id to come back after: who was
/// away reads the list.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Versions {
    /// `create` or `delete`.
    #[schema(example = "create")]
    pub op: String,
    /// The version.
    pub version: Version,
}

/// Not all changes are told: the workspace is to be read again.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Reload {}
