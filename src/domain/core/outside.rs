//! Gate methods for use cases that call external servers. The reads before a call and the writes after it are separate
//! transactions, so no transaction waits for the network.

use super::{
    call::{Call, Via},
    gate::{Answer, Gate},
    handles::{EditTx, OrgConnectionTx, OrgTx, SystemTx},
    state::Core,
};
use crate::{db::Weight, error::Result};

/// The result of the read before an external call.
#[derive(Debug)]
pub enum Ahead<A, T> {
    /// The same request already has a response, so no external call is needed.
    Answered(A),
    /// The data needed for the external call.
    Go(T),
}

impl Gate {
    /// Reads, as an editor of a workspace, what an external call needs, or returns the first response to the same
    /// request.
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

    /// Reads as a member of the active organization. Fails without an active organization.
    pub async fn org_read<T, F>(&self, call: Call, work: F) -> Result<T>
    where
        F: for<'t, 'c> FnOnce(&'t OrgTx<'c>) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        self.read(Weight::Point, call, move |core| work(&OrgTx::open(core)?)).await
    }

    /// Reads connections of the active organization to external services.
    pub async fn org_connection_view<T, F>(&self, call: Call, work: F) -> Result<T>
    where
        F: for<'t, 'c> FnOnce(&'t OrgConnectionTx<'c>) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        self.read(Weight::Point, call, move |core| work(&OrgConnectionTx::open(core)?)).await
    }

    /// Writes connections of the active organization to external services.
    pub async fn org_connection<T, F>(&self, call: Call, work: F) -> Result<T>
    where
        F: for<'t, 'c> FnOnce(&'t mut OrgConnectionTx<'c>) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        self.write(call, move |core| work(&mut OrgConnectionTx::open(core)?)).await
    }

    /// Reads without a caller, independently of the caller's transactions.
    pub(in crate::domain) async fn aside_view<T, F>(&self, work: F) -> Result<T>
    where
        F: for<'t, 'c> FnOnce(&'t SystemTx<'c>) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        self.read(Weight::Point, no_caller(), move |core: &Core<'_>| work(&SystemTx::open(core))).await
    }

    /// Writes results of an external call without a caller, independently of the caller's transactions.
    pub(in crate::domain) async fn aside<T, F>(&self, work: F) -> Result<T>
    where
        F: for<'t, 'c> FnOnce(&'t mut SystemTx<'c>) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        self.write(no_caller(), move |core| work(&mut SystemTx::open(core))).await
    }
}

fn no_caller() -> Call {
    Call::new(None, Via::Job, uuid::Uuid::now_v7().to_string())
}
