//! The gate: entry points that open a transaction for a caller.

use std::sync::Arc;

use serde::{Serialize, de::DeserializeOwned};

use super::{
    access::{Access, UnstoredAccess, WriteAccess, sealed::Transaction},
    call::{Call, Via},
    caller::Caller,
    change::Observer,
    handles::SystemTx,
    quotas::Bounds,
    read_cache::CallerCache,
    running::Running,
    search_later::PostponedDocuments,
    shared::{SessionSettings, Shared},
    state::Core,
    token_users::TokenUsers,
    whole_maps::WholeMaps,
};
use crate::{
    auth::keys::Keys,
    clock::Clock,
    db::{CheckOutcome, Db, DbMeter, Incarnation, Integrity, ReadPool, standby::FileState},
    error::{Error, Result},
    settings::{Fixed, Quotas},
};

/// Opens transactions. Clones share the database.
#[derive(Debug, Clone)]
pub struct Gate {
    pub(super) db: Arc<Db>,
    pub(super) shared: Arc<Shared>,
    pub(super) token_users: Arc<TokenUsers>,
    pub(super) callers: Arc<CallerCache>,
    pub(super) whole_maps: Arc<WholeMaps>,
    /// On a standby: where to make changes.
    pub(super) standby: Option<Arc<str>>,
}

/// The result of a write. It is stored for 24 hours if the client sends an idempotency key.
pub trait Answer: Serialize + DeserializeOwned + Send + 'static {}
impl<T: Serialize + DeserializeOwned + Send + 'static> Answer for T {}

impl Gate {
    /// Creates the gate for `db`. `settings` are the settings that the configuration fixes.
    pub fn new(
        db: Db,
        observers: Vec<Arc<dyn Observer>>,
        keys: Arc<Keys>,
        clock: Clock,
        sessions: SessionSettings,
        settings: Vec<Fixed>,
        quotas: Quotas,
    ) -> Self {
        let incarnation = db.incarnation().clone();
        let (bounds, postponed_documents) = (Bounds::default(), PostponedDocuments::new(db.write_queue()));
        let shared =
            Shared { keys, clock, incarnation, observers, sessions, settings, quotas, bounds, postponed_documents };
        let shared = Arc::new(shared);
        let (token_users, callers, whole_maps) = (Arc::default(), Arc::default(), Arc::default());
        Self { db: Arc::new(db), shared, token_users, callers, whole_maps, standby: None }
    }

    /// Makes this the gate of a standby, which rejects writes with an error that says where to make changes.
    #[must_use]
    pub fn of_standby(self, remedy: &str) -> Self {
        Self { standby: Some(remedy.into()), ..self }
    }

    /// Whether this is the gate of a standby.
    pub fn is_standby(&self) -> bool {
        self.standby.is_some()
    }

    /// Fails on a standby, for everything that other servers would notice or that ends with a write.
    pub fn expect_primary(&self) -> Result<()> {
        self.standby.as_ref().map_or(Ok(()), |remedy| Err(Error::Standby(Arc::clone(remedy))))
    }

    /// Checks a permission before the request is read completely, on the threads that identify callers, which list
    /// requests cannot occupy. The transaction that does the work checks it again. Without a scope, only the credential
    /// is checked.
    pub fn permit<A: Access>(&self, call: Call<A>, scope: Option<A::Scope>) -> Running<'_, Caller> {
        self.read_on(ReadPool::Identity, call.untyped(), move |core| {
            match scope {
                Some(scope) => A::open(Transaction(core), &scope).map(drop)?,
                None => core.caller().map(drop)?,
            }
            core.caller().cloned()
        })
    }

    /// Reads with the permission `A`.
    pub fn read<A, T, F>(&self, call: Call<A>, scope: A::Scope, work: F) -> Running<'_, T>
    where
        A: Access,
        F: for<'t, 'c> FnOnce(&'t A::Tx<'c>) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        let pool = if call.is_large { ReadPool::Heavy } else { ReadPool::Point };
        self.read_on(pool, call.untyped(), move |core| work(&A::open(Transaction(core), &scope)?))
    }

    /// Writes with the permission `A`. A repeated request with an idempotency key returns the first response.
    pub fn write<A, T, F>(&self, call: Call<A>, scope: A::Scope, work: F) -> Running<'_, T>
    where
        A: WriteAccess,
        F: for<'t, 'c> FnOnce(&'t mut A::Tx<'c>) -> Result<T> + Send + 'static,
        T: Answer,
    {
        self.write_on(call.untyped(), move |core| {
            let mut tx = A::open(Transaction(core), &scope)?;
            core.once(|| work(&mut tx))
        })
    }

    /// Writes like [`Self::write`], and reads the response in the same transaction.
    ///
    /// For a repeated request, the stored result of `work` is passed to `read` again, so the stored result can be
    /// small.
    pub fn write_and_read<A, S, T, F, R>(&self, call: Call<A>, scope: A::Scope, work: F, read: R) -> Running<'_, T>
    where
        A: WriteAccess,
        F: for<'t, 'c> FnOnce(&'t mut A::Tx<'c>) -> Result<S> + Send + 'static,
        R: for<'t, 'c> FnOnce(&'t A::Tx<'c>, S) -> Result<T> + Send + 'static,
        S: Answer,
        T: Send + 'static,
    {
        self.write_on(call.untyped(), move |core| {
            let mut tx = A::open(Transaction(core), &scope)?;
            let result = core.once(|| work(&mut tx))?;
            read(&tx, result)
        })
    }

    /// Writes with a permission whose requests have no idempotency key or whose response must not be stored.
    pub fn write_unstored<A, T, F>(&self, call: Call<A>, scope: A::Scope, work: F) -> Running<'_, T>
    where
        A: UnstoredAccess,
        F: for<'t, 'c> FnOnce(&'t mut A::Tx<'c>) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        self.write_on(call.untyped(), move |core| work(&mut A::open(Transaction(core), &scope)?))
    }

    /// Runs a write up to the first row, on the threads for heavy reads: for dry runs, which must not occupy the writer
    /// thread.
    pub fn dry_run<A, T, F>(&self, call: Call<A>, scope: A::Scope, work: F) -> Running<'_, T>
    where
        A: WriteAccess,
        F: for<'t, 'c> FnOnce(&'t mut A::Tx<'c>) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        self.read_on(ReadPool::Heavy, call.untyped(), move |core| {
            core.caller()?.may_write()?;
            work(&mut A::open(Transaction(core), &scope)?)
        })
    }

    /// Returns the first response to the same request, for work that begins before the transaction that runs only once.
    pub fn first_answer<A: WriteAccess, T: Answer>(&self, call: Call<A>, scope: A::Scope) -> Running<'_, Option<T>> {
        let answer = move |core: &Core<'_>| A::open(Transaction(core), &scope).and_then(|_| core.first_answer());
        self.read_on(ReadPool::Point, call.untyped(), answer)
    }

    /// Reads and writes for the operator and background jobs, without permission checks. Never called by `rest` or
    /// `mcp`.
    pub fn system<T, F>(&self, via: Via, work: F) -> Running<'_, T>
    where
        F: for<'t, 'c> FnOnce(&'t mut SystemTx<'c>) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        let call = Call::new(None, via, uuid::Uuid::now_v7().to_string());
        self.write_on(call, move |core| work(&mut SystemTx::open(core)))
    }

    /// The state shared by all transactions, for `domain` functions that span two of them.
    pub(in crate::domain) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// The quotas.
    pub(in crate::domain) fn quotas(&self) -> &Quotas {
        &self.shared.quotas
    }

    /// The current time for requests, in Unix milliseconds.
    pub fn now(&self) -> i64 {
        self.shared.clock.now()
    }

    /// Identifier of the database's incarnation, which changes with each restore.
    pub fn incarnation(&self) -> &Incarnation {
        &self.shared.incarnation
    }

    /// Stores the id of the last committed change next to the keys, so that an older database can be detected.
    pub async fn note_position(&self) -> Result<()> {
        self.db.note_position().await
    }

    /// The state of the database file that a standby has opened.
    pub fn standby_file(&self) -> Option<FileState> {
        self.db.standby_file()
    }

    /// Records that a standby cannot open the file that has replaced its database.
    pub fn set_outdated(&self) {
        self.db.set_outdated();
    }

    /// Whether the database file is still the one that was opened.
    pub fn is_database_in_place(&self) -> bool {
        self.db.is_in_place()
    }

    /// Whether the database file was checked and is sound.
    pub fn is_database_sound(&self) -> bool {
        self.db.integrity() == Integrity::Sound
    }

    /// Whether damage of the database file was found.
    pub fn is_database_damaged(&self) -> bool {
        self.db.integrity() == Integrity::Damaged
    }

    /// Checks the database file if the start has postponed that.
    pub async fn finish_check(&self) -> Result<Option<CheckOutcome>> {
        self.db.finish_check().await
    }

    /// Reads the load and the size of the database.
    pub fn db_meter(&self) -> DbMeter {
        self.db.meter()
    }

    /// Stops the database if this is the last clone. Returns whether it was.
    pub fn close(self) -> Result<bool> {
        Arc::try_unwrap(self.db).map_or(Ok(false), |db| db.close().map(|()| true))
    }
}
