//! Indexes the documents of large writes in parts, after the commit.
//!
//! Indexing takes longer than the rest of such a write, and all other writes would wait for it. Until it is done, searches
//! return the previous results. The commit of the write marks the index as incomplete in the database, so the index is
//! filled again at the next start if the server stops before all documents are indexed.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use indexmap::IndexSet;
use rusqlite::Connection;

use super::store::documents::{self, RowKey};
use crate::{
    db::{AfterCommit, Requester, WriteQueue},
    error::Result,
};

/// Maximum number of documents that a write indexes before its commit.
pub(super) const MAX_INDEXED_AT_ONCE: usize = 2_500;
/// Maximum number of documents in a part. Other writes wait until a part is committed.
const PART: usize = 500;
/// A write that finds more waiting documents, of about 100 bytes each, indexes its own before its commit.
const MAX_WAITING: usize = 300_000;

/// The documents that are indexed after the commit of their write. Clones share them.
#[derive(Debug, Clone)]
pub(in crate::domain) struct PostponedDocuments {
    queue: WriteQueue,
    waiting: Arc<Mutex<Waiting>>,
}

/// Only changed on the writer thread.
#[derive(Debug, Default)]
struct Waiting {
    /// A row that is written again before it is indexed is indexed once.
    documents: IndexSet<RowKey>,
    /// Whether a part is queued or runs.
    has_part: bool,
}

impl PostponedDocuments {
    pub(super) fn new(queue: WriteQueue) -> Self {
        Self { queue, waiting: Arc::default() }
    }

    /// Whether the documents of another large write can wait.
    pub(super) fn has_room(&self) -> bool {
        self.waiting().documents.len() <= MAX_WAITING
    }

    /// Marks the index as incomplete. Returns the callback that starts indexing after the commit.
    pub(super) fn postpone(&self, conn: &Connection, documents: Vec<RowKey>) -> Result<AfterCommit> {
        documents::mark_incomplete(conn)?;
        let postponed = self.clone();
        Ok(Box::new(move || {
            postponed.waiting().documents.extend(documents);
            postponed.queue_part();
        }))
    }

    /// Queues the write that indexes the next part, if it is not queued yet and documents wait.
    fn queue_part(&self) {
        let mut waiting = self.waiting();
        if waiting.has_part || waiting.documents.is_empty() {
            return;
        }
        waiting.has_part = true;
        drop(waiting);
        let requester = Requester { is_large: true, ..Requester::system() };
        let part = Part { postponed: self.clone(), documents: Vec::new(), is_committed: false };
        if let Err(error) = self.queue.push(requester, move |conn| part.index(conn)) {
            tracing::warn!(%error, "search index incomplete; it is filled again at the next start");
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The documents that one write indexes. They wait again if it fails.
struct Part {
    postponed: PostponedDocuments,
    documents: Vec<RowKey>,
    is_committed: bool,
}

impl Part {
    fn index(mut self, conn: &Connection) -> Result<Vec<AfterCommit>> {
        let mut waiting = self.postponed.waiting();
        let count = PART.min(waiting.documents.len());
        self.documents = waiting.documents.drain(..count).collect();
        let is_last = waiting.documents.is_empty();
        if is_last {
            waiting.documents.shrink_to_fit();
        }
        drop(waiting);
        documents::index(conn, self.documents.clone(), || Ok(()))?;
        if is_last {
            documents::mark_complete(conn)?;
        }
        Ok(vec![Box::new(move || {
            self.is_committed = true;
            let postponed = self.postponed.clone();
            drop(self);
            postponed.queue_part();
        })])
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        let mut waiting = self.postponed.waiting();
        waiting.has_part = false;
        if !self.is_committed {
            waiting.documents.extend(std::mem::take(&mut self.documents));
        }
    }
}
