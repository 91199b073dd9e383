//! What happened: every write, sign-in, token and permission change, for administrators of the instance.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::{
    access::{AdminTx, Reads},
    store,
};
use crate::error::{Error, Result};

/// Most events that are read at once.
const MOST: i64 = 1_000;
/// How many events are read when nothing is said.
const USUALLY: i64 = 200;

/// Something that happened.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// Never used again; grows with time.
    pub id: i64,
    /// What happened.
    #[schema(example = "token.create")]
    pub kind: String,
    /// Unix milliseconds.
    #[schema(example = 1_790_000_000_000_i64)]
    pub ts: i64,
    /// What it happened to. No secrets.
    #[schema(value_type = Object)]
    pub details: Value,
    /// Who did it, a user id; null when the system or the operator did.
    #[schema(required)]
    pub actor_id: Option<i64>,
    /// The same user.
    #[schema(required)]
    pub actor: Option<Actor>,
    /// The organization it happened in; null when it concerns none.
    #[schema(required)]
    pub org_id: Option<String>,
}

/// Who did it.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Actor {
    /// User id.
    pub id: i64,
    /// Name for display.
    pub display_name: String,
    /// What they sign in with.
    pub login: String,
}

/// Which events to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    pub(in crate::domain) limit: i64,
    pub(in crate::domain) before: Option<i64>,
    pub(in crate::domain) after: Option<i64>,
    pub(in crate::domain) kind: Option<String>,
}

impl Page {
    /// Up to `limit` events (1 to 1000, else 200) of a kind, if one is given, with ids below `before` and above `after`.
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

/// Events, the newest first.
pub fn read(tx: &AdminTx<'_>, page: &Page) -> Result<Vec<Event>> {
    store::audit::page(tx.core().conn, page)
}
