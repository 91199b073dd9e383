//! Lists the children of a page or database. The module `walk` reads the content of pages.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{
    access::ConnectionAccess,
    cursor::Cursor,
    error::WikiError,
    kind::ObjectKind,
    model::{ListPage, PageBlock, WikiObject},
};

/// Entries per request: the provider's maximum.
pub(super) const PAGE_SIZE: usize = 100;
/// Maximum number of requests for a part of a list until it has an entry.
pub(super) const MAX_REQUESTS: usize = 4;
/// Maximum number of icons that are read for a part of a list whose entries have none. They are cached for the next
/// time.
const MAX_ICONS: usize = 6;
/// Maximum time for reading icons, from the beginning of the list.
const ICON_TIMEOUT: Duration = Duration::from_millis(1_500);
/// Time reserved for sending the response: nested content is skipped before the deadline would fail the whole list.
pub(super) const DEADLINE_MARGIN: Duration = Duration::from_millis(1_500);

/// A page or database in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListEntry {
    /// Page or database.
    pub kind: ObjectKind,
    /// Id: 32 hexadecimal digits.
    pub id: String,
    /// URL of the page or database.
    pub url: String,
    /// Title; `Untitled` if it has none.
    pub title: String,
    /// Whether it may have children.
    pub has_children: bool,
    /// Icon, if known: an emoji, a permanent URL, or `upload:` and 32 hexadecimal digits.
    pub icon: Option<String>,
    /// Type of the parent in the provider's terms: `page_id`, `data_source_id`, `workspace`.
    pub parent_type: String,
    /// Time of the last change: RFC 3339 in UTC (`Z`).
    pub last_edited_at: Option<String>,
}

/// A part of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// The entries.
    pub entries: Vec<ListEntry>,
    /// Cursor of the next part; none if this is the last one.
    pub next: Option<Cursor>,
    /// Whether the provider truncates the list: it returns at most 10,000 rows of a data source.
    pub truncated: bool,
}

impl ConnectionAccess<'_> {
    /// The children of a page or database; none if the cursor belongs to another list.
    pub fn children(&self, id: &str, kind: ObjectKind, from: Option<Cursor>) -> Result<Option<Listing>, WikiError> {
        match (kind, from) {
            (ObjectKind::Page, None) => self.of_page(id, &[]).map(Some),
            (ObjectKind::Page, Some(Cursor::Page(path))) => self.of_page(id, &path).map(Some),
            (ObjectKind::Database, None) => {
                let database = self.object(id, ObjectKind::Database)?;
                self.of_sources(database.data_sources.iter().map(|source| source.id.clone()).collect(), None).map(Some)
            }
            (ObjectKind::Database, Some(Cursor::Database(sources, at))) => self.of_sources(sources, at).map(Some),
            _ => Ok(None),
        }
    }

    /// Adds icons to entries from blocks, which have none. Icons of recently read pages are cached; some of the others
    /// are read.
    pub(super) fn add_icons(&self, entries: &mut [ListEntry], begun: Instant) {
        let mut left = MAX_ICONS;
        for entry in entries {
            if let Some(seen) = self.seen(&entry.id) {
                entry.icon = seen.icon;
            } else if left > 0 && begun.elapsed() < ICON_TIMEOUT {
                left -= 1;
                entry.icon =
                    self.object(&entry.id, entry.kind).ok().and_then(|object| object.icon()).map(|icon| icon.text);
            }
        }
    }

    fn of_sources(&self, mut sources: Vec<String>, mut from: Option<String>) -> Result<Listing, WikiError> {
        let mut truncated = false;
        for _ in 0..MAX_REQUESTS {
            let Some(source) = sources.first() else {
                return Ok(Listing { entries: Vec::new(), next: None, truncated });
            };
            let mut body = json!({ "page_size": PAGE_SIZE });
            if let Some(from) = &from {
                body["start_cursor"] = Value::from(from.as_str());
            }
            let rows: ListPage<WikiObject> = self.post(&["data_sources", source, "query"], &body)?;
            from = rows.next().map(str::to_owned);
            truncated |= rows.is_incomplete();
            if from.is_none() {
                sources.remove(0);
            }
            let entries: Vec<ListEntry> = rows.results.iter().filter_map(|row| self.entry(row)).collect();
            let next = (!sources.is_empty()).then(|| Cursor::Database(sources.clone(), from.clone()));
            if !entries.is_empty() || next.is_none() {
                return Ok(Listing { entries, next, truncated });
            }
        }
        Ok(Listing { entries: Vec::new(), next: Some(Cursor::Database(sources, from)), truncated })
    }

    /// The list entry for a complete object. Its data is cached.
    pub(super) fn entry(&self, object: &WikiObject) -> Option<ListEntry> {
        let resolved = object.resolved()?;
        self.remember(&resolved.id, true, object.icon());
        let parent = object.database_parent.as_ref().unwrap_or(&object.parent);
        Some(ListEntry {
            kind: resolved.kind,
            url: object.url.clone().unwrap_or_else(|| address(&resolved.id)),
            id: resolved.id,
            title: resolved.title,
            has_children: true,
            icon: resolved.icon,
            parent_type: parent.kind.clone(),
            last_edited_at: object.last_edited_at(),
        })
    }
}

pub(super) fn listed(block: &PageBlock) -> Option<ListEntry> {
    let (kind, title) = block.child()?;
    let id = super::id(&block.id)?;
    Some(ListEntry {
        kind,
        url: address(&id),
        id,
        title,
        // For databases, the provider always reports no children.
        has_children: block.has_children || kind == ObjectKind::Database,
        icon: None,
        parent_type: block.parent.kind.clone(),
        last_edited_at: block.last_edited_at(),
    })
}

/// The URL of a page or database for which the provider returns none.
fn address(id: &str) -> String {
    format!("https://app.notion.com/p/{id}")
}
