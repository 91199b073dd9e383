//! Rows of the queue of emails.

use serde::{Deserialize, Serialize};

use crate::{
    domain::{core::SystemTx, values::words},
    error::Result,
    mail::Letter,
};

words! {
    /// What an email is about.
    MailKind {
        /// An invitation to an organization.
        Invitation = "invitation",
        /// Confirms the email address of an account.
        Confirmation = "confirmation",
        /// Sets a new password.
        Reset = "reset",
        /// Notifies a user of entries in their inbox.
        Notification = "notification",
        /// A webhook was disabled.
        Webhook = "webhook",
    }
}

/// Maximum size of an email in the queue, in bytes.
pub(super) const MAX_LETTER_BYTES: usize = 32 << 10;

/// The text of an email.
pub(in crate::domain) struct Text {
    pub subject: String,
    /// Name of the instance.
    pub instance: String,
    /// Paragraphs before the link.
    pub before: Vec<String>,
    /// Label and URL of the link.
    pub link: (&'static str, String),
    /// Paragraphs after the link.
    pub after: Vec<String>,
}

/// An email to queue.
pub(in crate::domain) struct NewMail<'a> {
    pub kind: MailKind,
    /// Address of the recipient.
    pub to: &'a str,
    /// The user who causes it. Emails to users whom strangers name have none, so that strangers cannot use up the limit.
    pub user_id: Option<i64>,
    /// The organization on whose behalf it is sent.
    pub organization_id: Option<&'a str>,
    /// When the link in it expires.
    pub expires_at: i64,
    pub text: &'a Text,
}

/// An email about entries of an inbox. It is written when it is sent, so that it contains what its reader may see then.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotificationMail {
    /// The reader.
    pub user_id: i64,
    /// What the link in it ends: emails of a kind, or `digest`.
    pub scope: String,
    /// Ids of the entries, and the first item of each that was not sent before.
    pub entries: Vec<(i64, i64)>,
    /// Secret of the link that ends such emails.
    pub token: String,
    /// Local part of the message ID.
    pub id: String,
}

/// Writes an email about entries of an inbox; none if its reader can see none of them, or no longer wants such emails.
pub type WriteNotification = for<'t, 'c> fn(&'t SystemTx<'c>, &NotificationMail) -> Result<Option<Letter>>;

/// What became of an email.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::domain) enum Queued {
    /// It is sent after the transaction.
    Yes,
    /// A limit is reached.
    Limited,
    /// This instance sends no emails.
    Off,
}

/// What the limits count.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub waiting: i64,
    pub of_user: i64,
    pub of_organization: i64,
    /// Emails of the same kind to the recipient. The fields below count parts of these.
    pub to_recipient: i64,
    pub to_recipient_in_last_hour: i64,
    pub to_recipient_of_user: i64,
    pub to_recipient_of_organization: i64,
}

/// An email in the queue.
pub(super) struct DueMail {
    pub id: i64,
    pub kind: String,
    pub letter: Vec<u8>,
    pub incarnation: String,
    pub attempts: i64,
    pub expires_at: i64,
}
