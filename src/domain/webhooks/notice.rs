//! Tells the administrators of an organization by email that a webhook was disabled.

use super::{
    model::DisabledReason,
    store::{self, webhooks::StoredWebhook},
};
use crate::{
    clock::DAY,
    domain::{
        core::Core,
        mail::{self, MailKind, NewMail, Text},
        settings,
    },
    error::Result,
};

/// Maximum number of administrators who get an email.
const MAX_RECIPIENTS: u32 = 10;

/// Queues the emails, if this instance sends any.
pub(super) fn send(core: &Core<'_>, webhook: &StoredWebhook, reason: DisabledReason) -> Result<()> {
    if !mail::is_on(core) {
        return Ok(());
    }
    let instance = settings::instance_name(core)?;
    let slug = store::webhooks::organization_slug(core.conn, &webhook.organization_id)?.unwrap_or_default();
    let why = match reason {
        DisabledReason::Gone => format!("{} answered that it no longer exists (status 410).", webhook.host),
        DisabledReason::Failing | DisabledReason::Keys => {
            format!("All deliveries to {} have failed for a week.", webhook.host)
        }
    };
    let text = Text {
        subject: format!("Webhook {} was disabled", webhook.name),
        instance: instance.clone(),
        before: vec![format!("The webhook {} on {instance} was disabled.", webhook.name), why],
        link: ("Open webhooks", format!("{}/o/{slug}/settings/webhooks", core.shared.sessions.issuer)),
        after: vec!["Events since then are not sent. Enable the webhook again when its receiver works.".into()],
    };
    for email in store::webhooks::admin_emails(core.conn, &webhook.organization_id, MAX_RECIPIENTS)? {
        mail::enqueue(
            core,
            &NewMail {
                kind: MailKind::Webhook,
                to: &email,
                user_id: None,
                organization_id: Some(&webhook.organization_id),
                expires_at: core.now + DAY,
                text: &text,
            },
        )?;
    }
    Ok(())
}
