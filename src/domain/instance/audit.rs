//! The audit log of the instance: writes, sign-ins, tokens and permission changes.

pub use super::model::{Actor, AuditQuery, Event, MAX_EVENTS_PER_PAGE, MAX_KIND_BYTES};
use super::store;
use crate::{
    domain::core::{AdminTx, Reads},
    error::Result,
};

/// Lists events, newest first.
pub fn read(tx: &AdminTx<'_>, page: &AuditQuery) -> Result<Vec<Event>> {
    store::audit::page(tx.core().conn, page)
}
