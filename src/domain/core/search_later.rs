//! Indexes the documents of large writes after their commit, in parts, because indexing takes longer than the rest of such a
//! write, and all other writes would wait for it.
//!
//! Until then, searches find what they found before. The index counts as incomplete in the database from the commit of the
//! write on, so that it is filled again at the next start if the server ends before all documents are indexed.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use rusqlite::Connection;

use super::store::documents::{self, RowKey};
use crate::{
    db::{AfterCommit, WriteQueue},
    error::Result,
};

/// Maximum number of documents that a write indexes itself.
pub(super) const MAX_INDEXED_AT_ONCE: usize = 2_500;

/// The documents that are not indexed yet.
#[derive(Debug, Clone)]
pub(in crate::domain) struct PostponedDocuments {
    queue: WriteQueue,
    /// Number of writes whose documents are not all indexed. Changes on the writer thread only.
    writes: Arc<AtomicUsize>,
}

impl PostponedDocuments {
    pub(super) fn new(queue: WriteQueue) -> Self {
        Self { queue, writes: Arc::default() }
    }

    /// Marks the index as incomplete. Returns the callback that begins to index the documents.
    pub(super) fn postpone(&self, conn: &Connection, documents: Vec<RowKey>) -> Result<AfterCommit> {
        documents::mark_incomplete(conn)?;
        let postponed = self.clone();
        Ok(Box::new(move || {
            postponed.writes.fetch_add(1, Ordering::Relaxed);
            postponed.index(documents);
        }))
    }

    /// Queues the next part.
    fn index(self, mut documents: Vec<RowKey>) {
        let queue = self.queue.clone();
        let part = move |conn: &Connection| {
            let rest = documents.split_off(documents.len().min(MAX_INDEXED_AT_ONCE));
            documents::index(conn, documents, || Ok(()))?;
            let is_last = rest.is_empty();
            if is_last && self.writes.load(Ordering::Relaxed) == 1 {
                documents::mark_complete(conn)?;
            }
            let then: AfterCommit = Box::new(move || {
                if is_last {
                    self.writes.fetch_sub(1, Ordering::Relaxed);
                } else {
                    self.index(rest);
                }
            });
            Ok(vec![then])
        };
        if let Err(error) = queue.push(part) {
            tracing::warn!(%error, "the search index is filled again at the next start");
        }
    }
}
