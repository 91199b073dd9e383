//! Indexes the documents of large writes in parts, after the commit.
//!
//! Indexing takes longer than the rest of such a write, and all other writes would wait for it. Until it is done, searches
//! return the previous results. The commit of the write marks the index as incomplete in the database, so the index is
//! filled again at the next start if the server stops before all documents are indexed.

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

/// Maximum number of documents that a write indexes before its commit.
pub(super) const MAX_INDEXED_AT_ONCE: usize = 2_500;
/// Maximum number of documents in a part. Other writes wait until a part is committed.
const PART: usize = 500;

/// The queue for documents that are indexed after the commit of their write.
#[derive(Debug, Clone)]
pub(in crate::domain) struct PostponedDocuments {
    queue: WriteQueue,
    /// Number of writes with documents that are not indexed yet. Only changed on the writer thread.
    writes: Arc<AtomicUsize>,
}

impl PostponedDocuments {
    pub(super) fn new(queue: WriteQueue) -> Self {
        Self { queue, writes: Arc::default() }
    }

    /// Marks the index as incomplete. Returns the callback that starts indexing after the commit.
    pub(super) fn postpone(&self, conn: &Connection, documents: Vec<RowKey>) -> Result<AfterCommit> {
        documents::mark_incomplete(conn)?;
        let postponed = self.clone();
        Ok(Box::new(move || {
            postponed.writes.fetch_add(1, Ordering::Relaxed);
            postponed.index(documents);
        }))
    }

    /// Queues a write that indexes the next part.
    fn index(self, mut documents: Vec<RowKey>) {
        let queue = self.queue.clone();
        let part = move |conn: &Connection| {
            let rest = documents.split_off(documents.len().min(PART));
            documents::index(conn, documents, || Ok(()))?;
            let is_last = rest.is_empty();
            if is_last && self.writes.load(Ordering::Relaxed) == 1 {
                documents::mark_complete(conn)?;
            }
            let after_commit: AfterCommit = Box::new(move || {
                if is_last {
                    self.writes.fetch_sub(1, Ordering::Relaxed);
                } else {
                    self.index(rest);
                }
            });
            Ok(vec![after_commit])
        };
        if let Err(error) = queue.push(part) {
            tracing::warn!(%error, "search index incomplete; it is filled again at the next start");
        }
    }
}
