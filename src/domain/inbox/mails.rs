//! Emails about entries. They are queued with the ids of their entries, and written when they are sent.

use super::{
    entries, layout, links,
    model::StoredEntry,
    store::{self, entries::DueEntry},
};
use crate::{
    auth::tokens,
    clock::{DAY, HOUR},
    domain::{
        comments::messages,
        core::{Core, Reads, SystemTx},
        mail::{self, NotificationMail, Queued},
        notifications::{self, EmailChoice, NotificationKind},
        settings, users,
    },
    error::Result,
    mail::Letter,
};

/// Maximum number of users whose emails are queued at once. Others follow a second later.
const MAX_USERS: i64 = 50;
/// Maximum number of entries of a user that are taken at once. Others follow in the next email.
const MAX_DUE: i64 = 200;
/// Maximum number of entries that an email shows.
const MAX_SHOWN: usize = 50;
/// Maximum number of messages of a thread that an email quotes.
const MAX_QUOTED: i64 = 5;
/// Maximum length of a quoted message, in characters.
const MAX_QUOTED_CHARS: usize = 2_000;
/// How long a link that ends emails works, in milliseconds.
const LINK_LIFETIME: i64 = 90 * DAY;
/// Delay of emails for which the queue has no room, in milliseconds.
const LIMITED_DELAY: i64 = HOUR;

/// Users with entries that are due to be sent.
pub(super) fn due_users(tx: &SystemTx<'_>) -> Result<Vec<i64>> {
    store::entries::users_with_due_mail(tx.core().conn, tx.core().now, MAX_USERS)
}

/// Queues the emails of a user that are due: one for each kind that is sent immediately, and the daily one.
pub(super) fn queue(tx: &mut SystemTx<'_>, user_id: i64) -> Result<()> {
    let core = tx.core();
    let due = store::entries::take_due(core.conn, user_id, core.now, MAX_DUE)?;
    let Some(address) = address(core, user_id)? else { return Ok(()) };
    let mut groups: Vec<(&str, Vec<&DueEntry>)> = Vec::new();
    for entry in &due {
        let scope = match notifications::email_choice(core.conn, user_id, entry.kind)? {
            EmailChoice::Immediate => entry.kind.as_str(),
            EmailChoice::Digest => EmailChoice::Digest.as_str(),
            EmailChoice::Off => continue,
        };
        match groups.iter_mut().find(|(known, _)| *known == scope) {
            Some((_, entries)) => entries.push(entry),
            None => groups.push((scope, vec![entry])),
        }
    }
    for (scope, entries) in groups {
        let token = tokens::generate("");
        let mail = NotificationMail {
            user_id,
            scope: scope.to_owned(),
            entries: entries.iter().map(|entry| (entry.id, entry.first_new)).collect(),
            token: token.clone(),
            id: uuid::Uuid::now_v7().simple().to_string(),
        };
        match mail::enqueue_notification(core, &address, &mail)? {
            Queued::Yes => {
                let link = (user_id, scope);
                store::links::insert(core.conn, &tokens::hash(&token), link, core.now + LINK_LIFETIME)?;
            }
            Queued::Limited => postpone(core, user_id, scope, &entries)?,
            Queued::Off => {}
        }
    }
    Ok(())
}

/// Sends entries with the next daily email, or the daily email later.
fn postpone(core: &Core<'_>, user_id: i64, scope: &str, entries: &[&DueEntry]) -> Result<()> {
    let due_at = if scope == EmailChoice::Digest.as_str() {
        core.now + LIMITED_DELAY
    } else {
        notifications::next_digest_of(core, user_id)?
    };
    tracing::warn!(user = user_id, scope, "email about notifications postponed because of a limit");
    entries.iter().try_for_each(|entry| store::entries::postpone(core.conn, entry.id, entry.first_new, due_at))
}

/// The confirmed address of an active user.
fn address(core: &Core<'_>, user_id: i64) -> Result<Option<String>> {
    let user = users::by_id(core.conn, user_id)?;
    Ok(user.filter(|user| user.email_confirmed && !user.is_suspended).and_then(|user| user.email))
}

/// Writes a queued email, from what its reader may see now. None if nothing is left to send.
pub fn write_mail(tx: &SystemTx<'_>, mail: &NotificationMail) -> Result<Option<Letter>> {
    let core = tx.core();
    let Some(to) = address(core, mail.user_id)? else { return Ok(None) };
    let mut shown = Vec::new();
    for (id, first_new) in &mail.entries {
        let Some(entry) = store::entries::to_mail(core.conn, mail.user_id, *id)? else { continue };
        if notifications::email_choice(core.conn, mail.user_id, entry.kind)? == EmailChoice::Off {
            continue;
        }
        let entry = StoredEntry { first_item: entry.first_item.max(*first_new), ..entry };
        if let Some(shown_entry) = written(core, &entry)? {
            shown.push(shown_entry);
        }
    }
    if shown.is_empty() {
        return Ok(None);
    }
    let more = shown.len().saturating_sub(MAX_SHOWN);
    shown.truncate(MAX_SHOWN);
    let public_url = &core.shared.sessions.issuer;
    let unsubscribe = links::unsubscribe(public_url, &mail.token);
    let instance = settings::instance_name(core)?;
    let page = layout::Page {
        instance: &instance,
        public_url,
        scope: &mail.scope,
        entries: &shown,
        more,
        unsubscribe: &unsubscribe,
    };
    Ok(Some(Letter {
        to,
        subject: page.subject(),
        text: page.plain(),
        html: page.html(),
        id: mail.id.clone(),
        unsubscribe: Some(unsubscribe.clone()),
    }))
}

/// An entry with the messages that were not sent before; none if they are deleted.
fn written(core: &Core<'_>, entry: &StoredEntry) -> Result<Option<layout::MailEntry>> {
    let Some(shown) = entries::shown(core, entry)? else { return Ok(None) };
    let texts = if shown.thread_id.is_some() {
        let thread = (entry.workspace_pk, entry.subject_id.as_str());
        // A mention is about one message.
        let limit = if entry.kind == NotificationKind::Mention { 1 } else { MAX_QUOTED };
        let newest = messages::newest_for(core, thread, (entry.first_item, entry.last_item), entry.user_id, limit)?;
        newest.iter().rev().map(|message| quoted(&message.text)).collect()
    } else if entry.subject == "draft" && entry.last_item > 0 {
        let review = store::names::of_review(core.conn, entry.last_item)?;
        review.and_then(|(_, text)| text).map(|text| quoted(&text)).into_iter().collect()
    } else {
        Some(shown.text.clone()).into_iter().filter(|text| !text.is_empty()).collect()
    };
    let url = links::of_entry(&core.shared.sessions.issuer, &entry.organization_slug, &shown);
    Ok(Some(layout::MailEntry { entry: shown, texts, url }))
}

fn quoted(text: &str) -> String {
    match text.char_indices().nth(MAX_QUOTED_CHARS) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}
