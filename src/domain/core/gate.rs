//! The gate: entry points that open a transaction for a caller.

use std::sync::Arc;

use serde::{Serialize, de::DeserializeOwned};

use super::{
    call::{Call, Via},
    caller::Caller,
    change::Observer,
    handles::{AdminTx, EditTx, OrgAdminTx, OrgTx, OrgViewTx, OwnTx, PublicTx, SelfTx, SessionTx, SystemTx, ViewTx},
    quotas::Bounds,
    shared::{SessionSettings, Shared},
    state::Core,
    token_users::TokenUsers,
};
use crate::{
    auth::keys::Keys,
    clock::Clock,
    db::{Db, Incarnation, Weight},
    error::Result,
    settings::{Fixed, Quotas},
};

/// Opens transactions. Clones share the database.
#[derive(Debug, Clone)]
pub struct Gate {
    pub(super) db: Arc<Db>,
    pub(super) shared: Arc<Shared>,
    pub(super) token_users: Arc<TokenUsers>,
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
        let bounds = Bounds::default();
        let shared = Arc::new(Shared { keys, clock, incarnation, observers, sessions, settings, quotas, bounds });
        Self { db: Arc::new(db), shared, token_users: Arc::default() }
    }

    /// Returns the caller without doing anything else.
    pub async fn admit(&self, call: Call) -> Result<Caller> {
        self.read(Weight::Identity, call, |core| core.caller().cloned()).await
    }

    /// Reads a workspace that the caller can access.
    pub async fn view<T: Send + 'static, F>(&self, call: Call, id: String, work: F) -> Result<T>
    where
        F: for<'t, 'c> FnOnce(&'t ViewTx<'c>) -> Result<T> + Send + 'static,
    {
        self.read(Weight::Point, call, move |core| work(&ViewTx::open(core, &id)?)).await
    }

    /// Like [`Self::view`], on the threads for heavy reads.
    pub async fn view_all<T: Send + 'static, F>(&self, call: Call, id: String, work: F) -> Result<T>
    where
        F: for<'t, 'c> FnOnce(&'t ViewTx<'c>) -> Result<T> + Send + 'static,
    {
        self.read(Weight::Heavy, call, move |core| work(&ViewTx::open(core, &id)?)).await
    }

    /// Writes in a workspace as an editor.
    pub async fn edit<T, F>(&self, call: Call, id: String, work: F) -> Result<T>
    where
        F: for<'t, 'c> FnOnce(&'t mut EditTx<'c>) -> Result<T> + Send + 'static,
        T: Answer,
    {
        self.write(call, move |core| {
            let mut tx = EditTx::open(core, &id)?;
            core.once(|| work(&mut tx))
        })
        .await
    }

    /// Writes in a workspace as an owner.
    pub async fn own<T, F>(&self, call: Call, id: String, work: F) -> Result<T>
    where
        F: for<'t, 'c> FnOnce(&'t mut OwnTx<'c>) -> Result<T> + Send + 'static,
        T: Answer,
    {
        self.write(call, move |core| {
            let mut tx = OwnTx::open(core, &id)?;
            core.once(|| work(&mut tx))
        })
        .await
    }

    /// Reads data of a workspace that only its owners can access.
    pub async fn own_view<T, F>(&self, call: Call, id: String, work: F) -> Result<T>
    where
        F: for<'t, 'c> FnOnce(&'t OwnTx<'c>) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        self.read(Weight::Point, call, move |core| work(&OwnTx::open(core, &id)?)).await
    }

    /// Writes in a workspace that may be deleted, identified by its key, as an owner.
    pub async fn own_by_pk<T, F>(&self, call: Call, pk: i64, work: F) -> Result<T>
    where
        F: for<'t, 'c> FnOnce(&'t mut OwnTx<'c>) -> Result<T> + Send + 'static,
        T: Answer,
    {
        self.write(call, move |core| {
            let mut tx = OwnTx::open_by_pk(core, pk)?;
            core.once(|| work(&mut tx))
        })
        .await
    }

    /// Reads the active organization, or all organizations for an instance administrator without an active one.
    pub async fn org_view<T: Send + 'static, F>(&self, call: Call, work: F) -> Result<T>
    where
        F: for<'t, 'c> FnOnce(&'t OrgViewTx<'c>) -> Result<T> + Send + 'static,
    {
        self.read(Weight::Point, call, move |core| work(&OrgViewTx::open(core)?)).await
    }

    /// Like [`Self::org_view`], on the threads for heavy reads.
    pub async fn org_view_all<T: Send + 'static, F>(&self, call: Call, work: F) -> Result<T>
    where
        F: for<'t, 'c> FnOnce(&'t OrgViewTx<'c>) -> Result<T> + Send + 'static,
    {
        self.read(Weight::Heavy, call, move |core| work(&OrgViewTx::open(core)?)).await
    }

    /// Writes in the active organization as a member.
    pub async fn org<T, F>(&self, call: Call, work: F) -> Result<T>
    where
        F: for<'t, 'c> FnOnce(&'t mut OrgTx<'c>) -> Result<T> + Send + 'static,
        T: Answer,
    {
        self.write(call, move |core| {
            let mut tx = OrgTx::open(core)?;
            core.once(|| work(&mut tx))
        })
        .await
    }

    /// Runs a write in the active organization up to the first row, on the threads for heavy reads: for dry runs, which
    /// must not occupy the writer thread.
    pub async fn org_dry_run<T: Send + 'static, F>(&self, call: Call, work: F) -> Result<T>
    where
        F: for<'t, 'c> FnOnce(&'t mut OrgTx<'c>) -> Result<T> + Send + 'static,
    {
        self.read(Weight::Heavy, call, move |core| {
            core.caller()?.may_write()?;
            work(&mut OrgTx::open(core)?)
        })
        .await
    }

    /// Checks on a reader whether the caller may perform a write in the active organization.
    pub async fn org_check<F>(&self, call: Call, check: F) -> Result<()>
    where
        F: for<'t, 'c> FnOnce(&'t OrgTx<'c>) -> Result<()> + Send + 'static,
    {
        self.read(Weight::Point, call, move |core| check(&OrgTx::open(core)?)).await
    }

    /// Reads the organization `id`, which must be the active one, as its admin, on the threads for heavy reads. An
    /// instance administrator without an active organization can read any organization.
    pub async fn org_admin_view<T, F>(&self, call: Call, id: String, work: F) -> Result<T>
    where
        F: for<'t, 'c> FnOnce(&'t OrgViewTx<'c>) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        self.read(Weight::Heavy, call, move |core| work(&OrgViewTx::open_as_admin(core, &id)?)).await
    }

    /// Writes in the organization `id`, which must be the active one, as a member.
    pub async fn org_at<T, F>(&self, call: Call, id: String, work: F) -> Result<T>
    where
        F: for<'t, 'c> FnOnce(OrgTx<'c>) -> Result<T> + Send + 'static,
        T: Answer,
    {
        self.write(call, move |core| {
            let tx = OrgTx::open_at(core, &id)?;
            core.once(|| work(tx))
        })
        .await
    }

    /// Writes in the organization `id`, which must be the active one, as its admin.
    pub async fn org_admin<T, F>(&self, call: Call, id: String, work: F) -> Result<T>
    where
        F: for<'t, 'c> FnOnce(&'t mut OrgAdminTx<'c>) -> Result<T> + Send + 'static,
        T: Answer,
    {
        self.write(call, move |core| {
            let mut tx = OrgAdminTx::open_at(core, &id)?;
            core.once(|| work(&mut tx))
        })
        .await
    }

    /// Writes in the active organization as its admin.
    pub async fn active_org_admin<T, F>(&self, call: Call, work: F) -> Result<T>
    where
        F: for<'t, 'c> FnOnce(&'t mut OrgAdminTx<'c>) -> Result<T> + Send + 'static,
        T: Answer,
    {
        self.write(call, move |core| {
            let mut tx = OrgAdminTx::open(core)?;
            core.once(|| work(&mut tx))
        })
        .await
    }

    /// Reads as an instance administrator.
    pub async fn admin_view<T, F>(&self, call: Call, work: F) -> Result<T>
    where
        F: for<'t, 'c> FnOnce(&'t AdminTx<'c>) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        self.read(Weight::Point, call, move |core| work(&AdminTx::open(core)?)).await
    }

    /// Like [`Self::admin_view`], on the threads for heavy reads.
    pub async fn admin_view_all<T, F>(&self, call: Call, work: F) -> Result<T>
    where
        F: for<'t, 'c> FnOnce(&'t AdminTx<'c>) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        self.read(Weight::Heavy, call, move |core| work(&AdminTx::open(core)?)).await
    }

    /// Writes as an instance administrator.
    pub async fn admin<T, F>(&self, call: Call, work: F) -> Result<T>
    where
        F: for<'t, 'c> FnOnce(&'t mut AdminTx<'c>) -> Result<T> + Send + 'static,
        T: Answer,
    {
        self.write(call, move |core| {
            let mut tx = AdminTx::open(core)?;
            core.once(|| work(&mut tx))
        })
        .await
    }

    /// Reads the caller's account.
    pub async fn me<T, F>(&self, call: Call, work: F) -> Result<T>
    where
        F: for<'t, 'c> FnOnce(&'t SelfTx<'c>) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        self.read(Weight::Point, call, move |core| work(&SelfTx::open(core)?)).await
    }

    /// Writes to the caller's account.
    pub async fn me_write<T, F>(&self, call: Call, work: F) -> Result<T>
    where
        F: for<'t, 'c> FnOnce(&'t mut SelfTx<'c>) -> Result<T> + Send + 'static,
        T: Answer,
    {
        self.write(call, move |core| {
            let mut tx = SelfTx::open(core)?;
            core.once(|| work(&mut tx))
        })
        .await
    }

    /// Writes to the caller's account as a user who signed in: a token cannot create tokens.
    pub async fn session<T, F>(&self, call: Call, work: F) -> Result<T>
    where
        F: for<'t, 'c> FnOnce(&'t mut SessionTx<'c>) -> Result<T> + Send + 'static,
        T: Answer,
    {
        self.write(call, move |core| {
            let mut tx = SessionTx::open(core)?;
            core.once(|| work(&mut tx))
        })
        .await
    }

    /// Reads the caller's account as a user who signed in.
    pub async fn session_view<T, F>(&self, call: Call, work: F) -> Result<T>
    where
        F: for<'t, 'c> FnOnce(&'t SessionTx<'c>) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        self.read(Weight::Point, call, move |core| work(&SessionTx::open(core)?)).await
    }

    /// Returns the first response to the same request of a session, for work that begins before the transaction that
    /// runs only once.
    pub async fn first_answer<T: Answer>(&self, call: Call) -> Result<Option<T>> {
        let answer = |core: &Core<'_>| SessionTx::open(core).and_then(|_| core.first_answer());
        self.read(Weight::Point, call, answer).await
    }

    /// Reads without a credential, for signing in.
    pub async fn public_view<T, F>(&self, call: Call, work: F) -> Result<T>
    where
        F: for<'t, 'c> FnOnce(&'t PublicTx<'c>) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        self.read(Weight::Point, call, move |core| work(&PublicTx::open(core))).await
    }

    /// Writes without a credential, for signing in and the initial setup.
    pub async fn public<T, F>(&self, call: Call, work: F) -> Result<T>
    where
        F: for<'t, 'c> FnOnce(&'t mut PublicTx<'c>) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        self.write(call, move |core| work(&mut PublicTx::open(core))).await
    }

    /// Reads and writes for the operator and background jobs, without permission checks. Never called by `rest` or
    /// `mcp`.
    pub async fn system<T, F>(&self, via: Via, work: F) -> Result<T>
    where
        F: for<'t, 'c> FnOnce(&'t mut SystemTx<'c>) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        let call = Call::new(None, via, uuid::Uuid::now_v7().to_string());
        self.write(call, move |core| work(&mut SystemTx::open(core))).await
    }

    /// The state shared by all transactions, for `domain` functions that span two of them.
    pub(in crate::domain) fn shared(&self) -> &Arc<Shared> {
        &self.shared
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

    /// Stops the database if this is the last clone. Returns whether it was.
    pub fn close(self) -> Result<bool> {
        Arc::try_unwrap(self.db).map_or(Ok(false), |db| db.close().map(|()| true))
    }
}
