//! Emails: a bounded queue in the database, and the job that sends them.
//!
//! A transaction queues an email, so it is sent exactly if the transaction is committed. Emails contain secret links, so
//! they are encrypted with the sealing key, and erased when they are sent or dropped.

mod model;
mod sender;
mod store;
mod texts;

use self::model::{Counts, MAX_LETTER_BYTES};
pub(in crate::domain) use self::{
    model::{MailKind, NewMail, Queued, Text},
    store::delete_old,
    texts::{HEAD, escaped},
};
pub use self::{
    model::{NotificationMail, WriteNotification},
    sender::{MailCounts, MailService},
};
use super::core::Core;
use crate::{
    auth::{TokenHash, tokens},
    clock::{DAY, HOUR},
    error::Result,
    mail::Letter,
};

/// Purpose of the seal of queued emails.
const PURPOSE: &str = "mail";
/// How long sending an email is retried, in milliseconds, unless the link in it expires earlier.
const RETRIED_FOR: i64 = DAY;
/// How long a row counts toward the limits, in milliseconds.
pub(in crate::domain) const COUNTED_FOR: i64 = DAY;

/// Maximum number of emails that wait for the mail server.
const MAX_WAITING: i64 = 1_000;
/// Maximum number of emails per day that one user causes.
const MAX_PER_USER: i64 = 50;
/// Maximum number of emails per day on behalf of one organization.
const MAX_PER_ORGANIZATION: i64 = 200;
/// Maximum number of emails of the same kind per day to one address, except notifications. Kinds are counted separately, so that
/// invitations do not use up the limit for password reset links.
const MAX_PER_RECIPIENT: i64 = 10;
/// Maximum number of invitations per day from one organization to one address.
const MAX_INVITATIONS_PER_RECIPIENT: i64 = 3;
/// Maximum number of emails about notifications per day to one address. Further entries are in the daily email.
const MAX_NOTIFICATIONS_PER_RECIPIENT: i64 = 24;

/// Whether this instance sends emails.
pub(in crate::domain) fn is_on(core: &Core<'_>) -> bool {
    core.shared.sessions.sends_mail
}

/// Queues an email, unless emails are off or a limit is reached.
pub(in crate::domain) fn enqueue(core: &Core<'_>, new: &NewMail<'_>) -> Result<Queued> {
    if !is_on(core) {
        return Ok(Queued::Off);
    }
    let recipient = recipient(new.to);
    let origin = (new.kind, new.user_id, new.organization_id);
    let counts = store::counts(core.conn, &recipient, origin, (core.now - COUNTED_FOR, core.now - HOUR))?;
    let is_limited = counts.waiting >= MAX_WAITING
        || counts.of_user >= MAX_PER_USER
        || counts.of_organization >= MAX_PER_ORGANIZATION
        || is_recipient_limited(new.kind, &counts);
    let letter = Letter {
        to: new.to.to_owned(),
        subject: new.text.subject.clone(),
        text: new.text.plain(),
        html: new.text.html(),
        unsubscribe: None,
        id: uuid::Uuid::now_v7().simple().to_string(),
    };
    let letter = serde_json::to_vec(&letter)?;
    if is_limited || letter.len() > MAX_LETTER_BYTES {
        tracing::warn!(
            kind = new.kind.as_str(),
            user = new.user_id,
            organization = new.organization_id,
            ?counts,
            "email not queued because of a limit; docs/email.md lists them"
        );
        return Ok(Queued::Limited);
    }
    let sealed = core.shared.keys.seal(PURPOSE, &letter)?;
    let expires_at = new.expires_at.min(core.now + RETRIED_FOR);
    store::insert(core, origin, (&recipient, &sealed), expires_at)?;
    Ok(Queued::Yes)
}

/// Whether the limit for emails of a kind to an address is reached.
fn is_recipient_limited(kind: MailKind, counts: &Counts) -> bool {
    let is_full = counts.to_recipient >= MAX_PER_RECIPIENT;
    match kind {
        // Anyone may be able to create organizations, so each user and organization can always send the first one.
        MailKind::Invitation => {
            let is_first = counts.to_recipient_of_organization == 0 && counts.to_recipient_of_user == 0;
            counts.to_recipient_of_organization >= MAX_INVITATIONS_PER_RECIPIENT || is_full && !is_first
        }
        // Anyone can request a link for an address. One link per hour is always sent; a link is valid for one hour.
        MailKind::Reset => is_full && counts.to_recipient_in_last_hour > 0,
        // Other users can enter the address in their profiles, so each user can always confirm it once.
        MailKind::Confirmation => {
            counts.to_recipient_of_user >= MAX_PER_RECIPIENT || is_full && counts.to_recipient_of_user > 0
        }
        MailKind::Webhook | MailKind::Notification => is_full,
    }
}

/// Queues an email about notifications to a user's address. Such emails have limits of their own, so that they do not
/// prevent others.
pub(in crate::domain) fn enqueue_notification(core: &Core<'_>, to: &str, mail: &NotificationMail) -> Result<Queued> {
    if !is_on(core) {
        return Ok(Queued::Off);
    }
    let recipient = recipient(to);
    let (waiting, to_recipient) = store::notification_counts(core.conn, &recipient, core.now - COUNTED_FOR)?;
    if waiting >= MAX_WAITING || to_recipient >= MAX_NOTIFICATIONS_PER_RECIPIENT {
        return Ok(Queued::Limited);
    }
    let sealed = core.shared.keys.seal(PURPOSE, &serde_json::to_vec(mail)?)?;
    store::insert(core, (MailKind::Notification, None, None), (&recipient, &sealed), core.now + RETRIED_FOR)?;
    Ok(Queued::Yes)
}

/// Deletes the emails that a user caused, and those to their address.
pub(in crate::domain) fn delete_of_user(core: &Core<'_>, user_id: i64, email: Option<&str>) -> Result<()> {
    store::delete_of_user(core.conn, user_id, email.map(recipient).as_ref())
}

/// The hash by which emails to an address are counted.
fn recipient(email: &str) -> TokenHash {
    tokens::hash(&format!("mail {}", email.trim().to_lowercase()))
}
