//! Limits how many requests are sent at a time.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::store::deliveries::StoredDelivery;

/// Maximum number of requests at a time.
pub const MAX_SENDING: usize = 16;
/// Maximum number of requests of an organization at a time.
const MAX_PER_ORGANIZATION: usize = 2;

/// The requests that are being sent: organization and delivery, by webhook. Clones share them.
#[derive(Debug, Clone, Default)]
pub(super) struct Sending(Arc<Mutex<HashMap<String, (String, i64)>>>);

impl Sending {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, (String, i64)>> {
        // Insertions and removals cannot be left half done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The delivery of a webhook that is being sent.
    pub(super) fn delivery_of(&self, webhook_id: &str) -> Option<i64> {
        self.lock().get(webhook_id).map(|(_, delivery)| *delivery)
    }

    /// Reserves a place for a delivery, if there is one.
    pub(super) fn reserve(&self, delivery: StoredDelivery) -> Option<Place> {
        let mut sending = self.lock();
        let of_organization = sending.values().filter(|(organization, _)| *organization == delivery.organization_id);
        let is_full = sending.len() >= MAX_SENDING || of_organization.count() >= MAX_PER_ORGANIZATION;
        if is_full || sending.contains_key(&delivery.webhook_id) {
            return None;
        }
        sending.insert(delivery.webhook_id.clone(), (delivery.organization_id.clone(), delivery.id));
        Some(Place { sending: self.clone(), delivery })
    }
}

/// A delivery that is being sent. Dropping it frees its place.
pub(super) struct Place {
    sending: Sending,
    pub delivery: StoredDelivery,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.sending.lock().remove(&self.delivery.webhook_id);
    }
}
