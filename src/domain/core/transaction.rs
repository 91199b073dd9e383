//! How the gate runs transactions: on a reader, or on the single writer.

use std::sync::Arc;

use futures_util::{FutureExt, future::BoxFuture};
use rusqlite::Connection;

use super::{
    call::{Call, Via},
    caller::StaleCredential,
    gate::Gate,
    running::Running,
    state::Core,
    store::{self},
};
use crate::{
    auth::Credential,
    cancel::Cancel,
    db::{Erased, ReadPool},
    error::{Error, Result},
};

/// Work in a transaction, without the types of its closure and result, so that the code that runs it exists once.
type Work = Box<dyn FnOnce(&Core<'_>) -> Result<Erased> + Send>;

impl Gate {
    /// Runs CPU-intensive work without data access on the threads for heavy reads.
    pub async fn heavy_work<T: Send + 'static>(&self, work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
        self.db.heavy_work(work).await
    }

    /// Runs CPU-intensive work on the threads for heavy reads, until the caller disconnects or the deadline passes.
    pub async fn heavy_work_until<T, F>(&self, work: F) -> Result<T>
    where
        F: FnOnce(&Cancel) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        self.db.heavy_work_until(work).await
    }

    /// Runs CPU-intensive work that can take seconds on a separate thread. It must check `Cancel` between steps.
    pub async fn long_work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Cancel) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.db.long_work(work).await
    }

    /// Number of writes that are waiting for the writer.
    pub fn waiting_writes(&self) -> usize {
        self.db.waiting_writes()
    }

    pub(super) fn read_on<T, F>(&self, pool: ReadPool, call: Call, work: F) -> Running<'_, T>
    where
        F: FnOnce(&Core<'_>) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        Running::new(self.boxed_read(pool, call, Box::new(move |core| Ok(Box::new(work(core)?)))))
    }

    fn boxed_read(&self, pool: ReadPool, call: Call, work: Work) -> BoxFuture<'_, Result<Erased>> {
        self.run_read(pool, call, work).boxed()
    }

    async fn run_read(&self, pool: ReadPool, call: Call, work: Work) -> Result<Erased> {
        let requester = self.requester(&call).await;
        let shared = Arc::clone(&self.shared);
        let read = move |conn: &Connection, cancel: &Cancel| {
            let core = Core::new(conn, shared.clock.now(), &call, &shared, cancel);
            let answer = work(&core)?;
            Ok((answer, core.stale()))
        };
        let (answer, stale) = self.db.read_for(requester, pool, read).await?;
        self.touch(stale);
        Ok(answer)
    }

    pub(super) fn write_on<T, F>(&self, call: Call, work: F) -> Running<'_, T>
    where
        F: FnOnce(&Core<'_>) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        Running::new(self.boxed_write(call, Box::new(move |core| Ok(Box::new(work(core)?)))))
    }

    fn boxed_write(&self, call: Call, work: Work) -> BoxFuture<'_, Result<Erased>> {
        self.run_write(call, work).boxed()
    }

    async fn run_write(&self, call: Call, work: Work) -> Result<Erased> {
        if matches!(call.via, Via::Rest | Via::Mcp) {
            self.expect_primary()?;
        }
        let requester = self.requester(&call).await;
        let shared = Arc::clone(&self.shared);
        let write = move |conn: &Connection, cancel: &Cancel| {
            let core = Core::new(conn, shared.clock.now(), &call, &shared, cancel);
            if matches!(call.credential, Some(Credential::Mcp(_))) {
                core.caller()?.may_write()?;
            }
            let answer = work(&core)?;
            let after = core.finish()?;
            Ok(((answer, core.stale()), after))
        };
        let written = self.db.write_for(requester, write).await;
        let (answer, stale) = written.map_err(|error| self.explained(error))?;
        self.touch(stale);
        Ok(answer)
    }

    /// Replaces the error of a write by a command or a job on the database of a standby. Their reads succeed.
    fn explained(&self, error: Error) -> Error {
        match (&self.standby, error) {
            (Some(remedy), Error::Internal(cause)) if cause.contains("readonly database") => {
                Error::Standby(Arc::clone(remedy))
            }
            (_, error) => error,
        }
    }

    /// Records that a credential was used. The write is not awaited, because reads must not wait for writes.
    fn touch(&self, stale: Option<StaleCredential>) {
        let now = self.shared.clock.now();
        match stale.filter(|_| !self.is_standby()) {
            Some(StaleCredential::Token(id)) => {
                self.db.write_later(move |conn| store::callers::touch_token(conn, id, now));
            }
            Some(StaleCredential::Grant(id)) => {
                self.db.write_later(move |conn| store::callers::touch_grant(conn, id, now));
            }
            None => {}
        }
    }
}
