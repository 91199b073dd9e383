//! The audit log of the instance: writes, sign-ins, tokens and permission changes.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::{
    access::{AdminTx, Reads},
    store,
};
use crate::error::{Error, Result};

/// Maximum number of events per page.
const MOST: i64 = 1_000;
/// Default number of events per page.
const USUALLY: i64 = 200;

/// An event in the audit log.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Event {
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
pub struct Page {
    pub(in crate::domain) limit: i64,
    pub(in crate::domain) before: Option<i64>,
    pub(in crate::domain) after: Option<i64>,
    pub(in crate::domain) kind: Option<String>,
}

impl Page {
    /// Requests up to `limit` events (1 to 1000, default 200) with ids below `before` and above `after`, optionally of
    /// one `kind`.
    pub fn new(limit: Option<i64>, before: Option<i64>, after: Option<i64>, kind: Option<String>) -> Result<Self> {
        let limit = limit.unwrap_or(USUALLY);
        if !(1..=MOST).contains(&limit) {
            return Err(Error::invalid("limit", format!("must be from 1 to {MOST}, is {limit}")));
        }
        if before.is_some_and(|id| id < 1) {
            return Err(Error::invalid("before", "must be the id of an event, 1 or more"));
        }
        if kind.as_ref().is_some_and(|kind| kind.is_empty() || kind.len() > 100) {
            return Err(Error::invalid("kind", "must have 1 to 100 characters, as in token.create"));
        }
        Ok(Self { limit, before, after, kind })
    }
}

/// Lists events, newest first.
pub fn read(tx: &AdminTx<'_>, page: &Page) -> Result<Vec<Event>> {
    store::audit::page(tx.core().conn, page)
}
