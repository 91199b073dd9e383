//! Reading the entries of an inbox, and marking them as read.

pub use super::model::{InboxEntry, InboxFilter, MarkReadRequest, UnreadCount};
use super::{
    layout::{self, Details},
    model::StoredEntry,
    store::{self, entries},
};
use crate::{
    clock::DAY,
    domain::{
        comments::{messages, threads},
        core::{Core, OrgTx, Reads},
        notifications::{ChangedRow, NotificationKind},
        paging::{Page, Paging},
        users::{self, Profile},
    },
    error::{Error, Problem, Result},
};

/// Maximum length of the beginning of a message in an entry, in characters.
const MAX_TEXT_CHARS: usize = 280;

/// Lists the caller's entries in the active organization, newest first.
pub fn list(tx: &OrgTx<'_>, filter: InboxFilter, paging: &Paging) -> Result<Page<InboxEntry>> {
    let reader = (tx.user_id()?, tx.organization_id()?);
    let Page { items, next_cursor } = entries::page(tx.core().conn, reader, filter, &paging.window("inbox")?)?;
    let mut shown = Vec::new();
    for entry in &items {
        tx.core().check_alive()?;
        shown.extend(self::shown(tx.core(), entry)?);
    }
    Ok(Page { items: shown, next_cursor })
}

/// The number of the caller's unread entries in the active organization.
pub fn unread(tx: &OrgTx<'_>) -> Result<i64> {
    entries::unread(tx.core().conn, tx.user_id()?, tx.organization_id()?)
}

/// Marks entries as read. Returns the number of unread entries that are left.
pub fn mark_read(tx: &mut OrgTx<'_>, read: &MarkReadRequest) -> Result<UnreadCount> {
    if read.ids.is_some() == read.until.is_some() {
        return Err(Error::invalid("ids", Problem::required(", or `until`, but not both")));
    }
    let (user_id, organization_id) = (tx.user_id()?, tx.organization_id()?);
    let selected = (read.ids.as_deref(), read.until);
    entries::mark_read(tx.core().conn, (user_id, organization_id), selected, tx.core().now)?;
    tx.core().tell_inboxes(vec![user_id]);
    Ok(UnreadCount { unread: unread(tx)? })
}

/// An entry as its reader sees it now; none if its subject does not exist.
pub(super) fn shown(core: &Core<'_>, entry: &StoredEntry) -> Result<Option<InboxEntry>> {
    let mut shown = InboxEntry {
        id: entry.id,
        kind: entry.kind,
        title: String::new(),
        text: String::new(),
        workspace_id: entry.workspace_id.clone(),
        workspace_name: entry.workspace_name.clone(),
        anchor: None,
        thread_id: None,
        message_id: None,
        draft_id: None,
        draft_event: None,
        changed: None,
        count: entry.count,
        actor: entry.actor_id.map(|id| profile(core, id)).transpose()?,
        created_at: entry.created_at,
        updated_at: entry.updated_at,
        read_at: entry.read_at,
    };
    let mut details = Details::default();
    match entry.subject.as_str() {
        "message" => {
            let items = (entry.first_item, entry.last_item);
            let thread = (entry.workspace_pk, entry.subject_id.as_str());
            let newest = messages::newest_for(core, thread, items, entry.user_id, 1)?.into_iter().next();
            let anchor = threads::anchor(core, entry.workspace_pk, &entry.subject_id)?;
            let Some((message, (anchor, _))) = newest.zip(anchor) else { return Ok(None) };
            shown.text = beginning(&message.text);
            shown.count = entries::message_count(core.conn, entry)?;
            shown.actor = message.author;
            shown.message_id = Some(message.id);
            shown.thread_id = Some(entry.subject_id.clone());
            shown.anchor = Some(anchor);
        }
        "changes" => {
            let rows: Vec<ChangedRow> = serde_json::from_str(&entry.items)?;
            let named = store::names::of_rows(core.conn, entry.workspace_pk, &rows)?;
            shown.text = named.iter().map(|row| row.name.as_str()).collect::<Vec<_>>().join(", ");
            shown.changed = Some(named);
        }
        "draft" => {
            let Some(draft) = store::names::of_draft(core.conn, &entry.subject_id)? else { return Ok(None) };
            shown.draft_id = Some(entry.subject_id.clone());
            if entry.last_item > 0 {
                let Some((event, text)) = store::names::of_review(core.conn, entry.last_item)? else { return Ok(None) };
                shown.draft_event = Some(event);
                shown.text = beginning(&text.unwrap_or_default());
            } else if entry.kind == NotificationKind::ReviewRequest {
                shown.text.clone_from(&draft.title);
            } else {
                shown.draft_event = draft.end;
            }
            details.is_own_draft = draft.author_id == entry.user_id;
            details.draft = draft.title;
        }
        "sources" => {
            let times = (entry.first_item, entry.last_item);
            let (count, names) = store::names::of_sources(core.conn, entry.workspace_pk, times)?;
            if count == 0 {
                return Ok(None);
            }
            shown.count = count;
            let more = if count > i64::try_from(names.len()).unwrap_or(i64::MAX) { ", …" } else { "" };
            shown.text = names.join(", ") + more;
            details.days = entry.updated_at.saturating_sub(entry.last_item) / DAY;
        }
        _ => details.level = store::names::of_access(core.conn, entry.workspace_pk, entry.user_id)?,
    }
    shown.title = layout::title(&shown, &details);
    Ok(Some(shown))
}

fn profile(core: &Core<'_>, id: i64) -> Result<Profile> {
    users::profile_of(core, id)
}

/// The beginning of a message in one line.
fn beginning(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_TEXT_CHARS) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_message_is_cut_after_280_characters() {
        assert_eq!(beginning("One\n\n two "), "One two");
        assert_eq!(beginning(&"ä".repeat(280)), "ä".repeat(280));
        assert_eq!(beginning(&"ä".repeat(281)), "ä".repeat(280) + "…");
    }
}
