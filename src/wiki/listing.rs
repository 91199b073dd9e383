//! What is below a page or a database. How the content of a page is gone through is in `walk`.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{
    access::Access,
    cursor::Cursor,
    kind::Kind,
    model::{Block, Page, Thing},
    problem::Problem,
};

/// Entries that are asked for at once: the provider's most.
pub(super) const PAGE_SIZE: usize = 100;
/// How many of the provider's parts are read until one has an entry.
pub(super) const PARTS: usize = 4;
/// How many icons are read for one part of a list that has none of its own. The next time they are known.
const ICONS: usize = 6;
/// How long is waited for icons, from the beginning of the list.
const ICONS_WITHIN: Duration = Duration::from_millis(1_500);
/// How much of the time is left to answer in: what could be looked into is given up before the list is.
pub(super) const SPARE: Duration = Duration::from_millis(1_500);

/// A page or database in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Which of the two.
    pub kind: Kind,
    /// Its id: 32 hexadecimal digits.
    pub id: String,
    /// Its address.
    pub url: String,
    /// Its title; `Untitled` when it has none.
    pub title: String,
    /// Whether there may be something below it.
    pub has_children: bool,
    /// Its icon, when it is known: an emoji, an address that lasts, or `upload:` and 32 hexadecimal digits.
    pub icon: Option<String>,
    /// What it is in, in the provider's words: `page_id`, `data_source_id`, `workspace`.
    pub parent_type: String,
    /// When it was last changed: RFC 3339, in `Z`.
    pub last_edited_at: Option<String>,
}

/// A part of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// The entries.
    pub entries: Vec<Listed>,
    /// Where it goes on; none: this was the last part.
    pub next: Option<Cursor>,
    /// Whether the provider ends the list before its end: it shows no more than 10,000 rows of a source.
    pub truncated: bool,
}

impl Access<'_> {
    /// What is below a page or a database; none of that from a cursor that belongs to another list.
    pub fn children(&self, id: &str, kind: Kind, from: Option<Cursor>) -> Result<Option<Listing>, Problem> {
        match (kind, from) {
            (Kind::Page, None) => self.of_page(id, &[]).map(Some),
            (Kind::Page, Some(Cursor::Page(path))) => self.of_page(id, &path).map(Some),
            (Kind::Database, None) => {
                let database = self.thing(id, Kind::Database)?;
                self.of_sources(database.data_sources.iter().map(|source| source.id.clone()).collect(), None).map(Some)
            }
            (Kind::Database, Some(Cursor::Database(sources, at))) => self.of_sources(sources, at).map(Some),
            _ => Ok(None),
        }
    }

    /// Blocks have no icon. Those of pages that were read lately are known; some of the others are read.
    pub(super) fn add_icons(&self, entries: &mut [Listed], begun: Instant) {
        let mut left = ICONS;
        for entry in entries {
            if let Some(seen) = self.seen(&entry.id) {
                entry.icon = seen.icon;
            } else if left > 0 && begun.elapsed() < ICONS_WITHIN {
                left -= 1;
                entry.icon =
                    self.thing(&entry.id, entry.kind).ok().and_then(|thing| thing.icon()).map(|icon| icon.text);
            }
        }
    }

    fn of_sources(&self, mut sources: Vec<String>, mut from: Option<String>) -> Result<Listing, Problem> {
        let mut truncated = false;
        for _ in 0..PARTS {
            let Some(source) = sources.first() else {
                return Ok(Listing { entries: Vec::new(), next: None, truncated });
            };
            let mut body = json!({ "page_size": PAGE_SIZE });
            if let Some(from) = &from {
                body["start_cursor"] = Value::from(from.as_str());
            }
            let rows: Page<Thing> = self.post(&["data_sources", source, "query"], &body)?;
            from = rows.next().map(str::to_owned);
            truncated |= rows.is_incomplete();
            if from.is_none() {
                sources.remove(0);
            }
            let entries: Vec<Listed> = rows.results.iter().filter_map(|row| self.entry(row)).collect();
            let next = (!sources.is_empty()).then(|| Cursor::Database(sources.clone(), from.clone()));
            if !entries.is_empty() || next.is_none() {
                return Ok(Listing { entries, next, truncated });
            }
        }
        Ok(Listing { entries: Vec::new(), next: Some(Cursor::Database(sources, from)), truncated })
    }

    /// The entry that something whole makes. What it says of itself is remembered.
    pub(super) fn entry(&self, thing: &Thing) -> Option<Listed> {
        let resolved = thing.resolved()?;
        self.remember(&resolved.id, true, thing.icon());
        let parent = thing.database_parent.as_ref().unwrap_or(&thing.parent);
        Some(Listed {
            kind: resolved.kind,
            url: thing.url.clone().unwrap_or_else(|| address(&resolved.id)),
            id: resolved.id,
            title: resolved.title,
            has_children: true,
            icon: resolved.icon,
            parent_type: parent.kind.clone(),
            last_edited_at: thing.last_edited_at(),
        })
    }
}

pub(super) fn listed(block: &Block) -> Option<Listed> {
    let (kind, title) = block.child()?;
    let id = super::id(&block.id)?;
    Some(Listed {
        kind,
        url: address(&id),
        id,
        title,
        // Of a database it always says that there is nothing.
        has_children: block.has_children || kind == Kind::Database,
        icon: None,
        parent_type: block.parent.kind.clone(),
        last_edited_at: block.last_edited_at(),
    })
}

/// The address of a page or database that does not say its own.
fn address(id: &str) -> String {
    format!("https://app.notion.com/p/{id}")
}
