//! Requests for links that reset a password, until their account is looked up.

use tokio::sync::{
    Mutex,
    mpsc::{self, Receiver, Sender},
};

use crate::domain::{
    accounts::model::email_links::PasswordResetRequest,
    core::{Call, access::Public},
};

/// Maximum number of requests that wait until their account is looked up, about 1 MiB. All that wait are looked up
/// together, so that a flood of requests for unknown addresses does not displace others.
pub(super) const MAX_WAITING: usize = 1_000;

/// A request for a link.
pub(super) type Request = (Call<Public>, PasswordResetRequest);

/// Requests whose account is looked up after the response. The time of the response therefore does not depend on the
/// account.
#[derive(Debug)]
pub(super) struct ResetQueue {
    pub(super) sender: Sender<Request>,
    pub(super) receiver: Mutex<Receiver<Request>>,
}

impl Default for ResetQueue {
    fn default() -> Self {
        let (sender, receiver) = mpsc::channel(MAX_WAITING);
        Self { sender, receiver: Mutex::new(receiver) }
    }
}
