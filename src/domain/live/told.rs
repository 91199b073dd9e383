//! What events tell: their data.

use serde::Serialize;
use utoipa::ToSchema;

use super::{Change, Presence};

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
    /// `reload`
    Reload(Reload),
}

/// The stream has begun.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Ready {
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

/// Not all changes are told: the workspace is to be read again.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Reload {}
