//! Webhooks: what happens in an organization is sent to URLs that its administrators choose.
//!
//! The queue contains only what an event is about. What is sent is read at each try, from what exists and can be
//! reported at that moment: nothing of a private workspace, and nothing that was deleted. Changes of workspaces come
//! from the change log, which is read from a stored position (`collecting`); other events are queued in the transaction
//! that causes them (`core::queue_webhooks`).
//!
//! Requests are sent between two transactions. If the server stops in between, the request is sent again after the
//! start, with the same ID.

pub mod administration;
mod changes;
mod collecting;
pub mod deliveries;
mod drafts;
pub mod manage;
mod messages;
pub mod model;
mod notice;
mod payload;
mod places;
mod results;
mod sending;
mod store;

pub(in crate::domain) use self::store::{deliveries::delete_old, webhooks::discard};
pub use self::{
    places::MAX_SENDING,
    sending::{WebhookCounts, WebhookService},
};
use crate::clock::{DAY, HOUR, MINUTE, SECOND};

/// Maximum number of webhooks of an organization.
pub const MAX_WEBHOOKS: i64 = 20;
/// Number of waiting deliveries of a webhook from which changes of the same workspace are merged.
pub const MAX_WAITING: i64 = 100;
/// Maximum number of waiting deliveries of a webhook. Beyond that, the oldest ones fail.
pub const MAX_WAITING_UNMERGED: i64 = 1_000;
/// Maximum number of deliveries in the log of a webhook, besides those that wait.
pub const MAX_LOGGED: i64 = 500;
/// How long deliveries are in the log, in milliseconds.
pub const LOGGED_FOR: i64 = 30 * DAY;
/// How long the previous secret signs after a rotation, in milliseconds.
pub const OLD_SECRET_FOR: i64 = DAY;
/// How long all deliveries must fail until a webhook is disabled, in milliseconds.
pub const DISABLED_AFTER: i64 = 7 * DAY;
/// The pauses before the retries of a delivery, in milliseconds.
pub const RETRIES: [i64; 7] = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR];
/// Maximum time for which other deliveries of a webhook wait after a failed try, in milliseconds.
pub const MAX_PAUSE: i64 = 5 * MINUTE;

/// Type of a test.
const PING: &str = "ping";
/// Why deliveries end when a webhook is disabled.
const DISABLED: &str = "the webhook was disabled";

/// Purpose of the seal of a webhook's URL.
pub(in crate::domain) fn url_purpose(id: &str) -> String {
    format!("webhook {id} url")
}

/// Purpose of the seal of a webhook's secrets.
fn secret_purpose(id: &str) -> String {
    format!("webhook {id} secret")
}
