//! The top-level list of a connection: shared pages and databases whose parent is the workspace or is not shared.

use std::{collections::HashSet, time::Instant};

use serde_json::{Value, json};

use super::{
    access::ConnectionAccess,
    cursor::Cursor,
    error::WikiError,
    kind::ObjectKind,
    listing::{DEADLINE_MARGIN, ListEntry, Listing, MAX_REQUESTS, PAGE_SIZE},
    model::{ListPage, WikiObject},
};

/// Maximum number of parents that are read for a part of the list.
const MAX_PARENTS: usize = 9;

impl ConnectionAccess<'_> {
    /// A part of the top-level list; none if the cursor belongs to another list.
    pub fn roots(&self, from: Option<Cursor>) -> Result<Option<Listing>, WikiError> {
        let mut from = match from {
            None => None,
            Some(Cursor::Roots(at)) => Some(at),
            Some(_) => return Ok(None),
        };
        let mut entries: Vec<ListEntry> = Vec::new();
        let mut left = MAX_PARENTS;
        for _ in 0..MAX_REQUESTS {
            let mut body = json!({ "page_size": PAGE_SIZE, "sort": { "timestamp": "last_edited_time", "direction": "descending" } });
            if let Some(from) = &from {
                body["start_cursor"] = Value::from(from.as_str());
            }
            let found: ListPage<WikiObject> = self.post(&["search"], &body)?;
            from = found.next().map(str::to_owned);
            // Cache that all objects of this part are shared, before their parents are read.
            let listed: Vec<(&WikiObject, ListEntry)> =
                found.results.iter().filter_map(|object| Some((object, self.entry(object)?))).collect();
            found.results.iter().filter_map(|object| super::id(&object.id)).for_each(|id| self.note(&id));
            let mut known: HashSet<String> = entries.iter().map(|entry| entry.id.clone()).collect();
            for (object, entry) in listed {
                if self.is_root(object, &mut left) && known.insert(entry.id.clone()) {
                    entries.push(entry);
                }
            }
            if !entries.is_empty() || from.is_none() {
                break;
            }
        }
        Ok(Some(Listing { entries, next: from.map(Cursor::Roots), truncated: false }))
    }

    /// Caches that an object is shared, without any other data.
    fn note(&self, id: &str) {
        if self.seen(id).is_none_or(|seen| !seen.shared) {
            self.remember(id, true, None);
        }
    }

    /// Whether no parent of the object is shared. If that cannot be determined in time, the object is listed, so that
    /// it stays reachable.
    fn is_root(&self, object: &WikiObject, left: &mut usize) -> bool {
        // For a data source, the parent of its database is relevant.
        let parent = object.database_parent.as_ref().unwrap_or(&object.parent);
        let Some(id) = parent.id() else { return true };
        if let Some(seen) = self.seen(&id) {
            return !seen.shared;
        }
        if *left == 0 || Instant::now() + DEADLINE_MARGIN > self.deadline {
            return true;
        }
        *left -= 1;
        let read = match parent.kind.as_str() {
            "page_id" => self.object(&id, ObjectKind::Page).map(drop),
            "database_id" => self.object(&id, ObjectKind::Database).map(drop),
            "data_source_id" => self.get::<Value>(&["data_sources", &id], &[]).map(drop),
            "block_id" => self.get::<Value>(&["blocks", &id], &[]).map(drop),
            _ => return true,
        };
        match read {
            Ok(()) => self.note(&id),
            Err(WikiError::NotFound) => self.remember(&id, false, None),
            Err(_) => {}
        }
        read.is_err()
    }
}
