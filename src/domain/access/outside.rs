//! The gate for use cases that ask somebody else's server: what is read before, and what is written after, are
//! transactions of their own, and no transaction waits for a network.

use super::{
    call::{Call, Via},
    core::Core,
    gate::{Answer, Gate},
    handles::{EditTx, OrgKeeperTx, OrgTx, SystemTx},
};
use crate::{db::Weight, error::Result};

/// What is known before the outside is asked.
#[derive(Debug)]
pub enum Ahead<A, T> {
    /// The same request was answered before, so nobody is asked again.
    Answered(A),
    /// What it takes to ask.
    Go(T),
}

impl Gate {
    /// Finds out, on a reader, what a write in a workspace takes, as an editor; or the first answer to the same request.
    pub async fn edit_ahead<A, T, F>(&self, call: Call, id: String, work: F) -> Result<Ahead<A, T>>
    where
        F: for<'t, 'c> FnOnce(&'t EditTx<'c>) -> Result<T> + Send + 'static,
        A: Answer,
        T: Send + 'static,
    {
        self.read(Weight::Point, call, move |core| {
            let tx = EditTx::open(core, &id)?;
            match core.first_answer()? {
                Some(answer) => Ok(Ahead::Answered(answer)),
                None => work(&tx).map(Ahead::Go),
            }
        })
        .await
    }

    /// Reads what any member of the active organization may, and nobody without one.
    pub async fn org_read<T, F>(&self, call: Call, work: F) -> Result<T>
    where
        F: for<'t, 'c> FnOnce(&'t OrgTx<'c>) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        self.read(Weight::Point, call, move |core| work(&OrgTx::open(core)?)).await
    }

    /// Reads what connects the active organization to the outside.
    pub async fn org_keeper_view<T, F>(&self, call: Call, work: F) -> Result<T>
    where
        F: for<'t, 'c> FnOnce(&'t OrgKeeperTx<'c>) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        self.read(Weight::Point, call, move |core| work(&OrgKeeperTx::open(core)?)).await
    }

    /// Decides about what connects the active organization to the outside.
    pub async fn org_keeper<T, F>(&self, call: Call, work: F) -> Result<T>
    where
        F: for<'t, 'c> FnOnce(&'t mut OrgKeeperTx<'c>) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        self.write(call, move |core| work(&mut OrgKeeperTx::open(core)?)).await
    }

    /// Reads beside the transactions of a caller, in nobody's name.
    pub(in crate::domain) async fn aside_view<T, F>(&self, work: F) -> Result<T>
    where
        F: for<'t, 'c> FnOnce(&'t SystemTx<'c>) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        self.read(Weight::Point, nobody(), move |core: &Core<'_>| work(&SystemTx::open(core))).await
    }

    /// Writes beside the transactions of a caller, in nobody's name: what follows from what the outside has said.
    pub(in crate::domain) async fn aside<T, F>(&self, work: F) -> Result<T>
    where
        F: for<'t, 'c> FnOnce(&'t mut SystemTx<'c>) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        self.write(nobody(), move |core| work(&mut SystemTx::open(core))).await
    }
}

fn nobody() -> Call {
    Call::new(None, Via::Job, uuid::Uuid::now_v7().to_string())
}
