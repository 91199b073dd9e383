//! Gate methods for use cases that call external servers. The reads before a call and the writes after it are separate
//! transactions, so no transaction waits for the network.

use super::{
    access::{WriteAccess, sealed::Transaction},
    call::{Call, Via},
    gate::{Answer, Gate},
    handles::SystemTx,
    running::Running,
};
use crate::{db::ReadPool, error::Result};

/// The result of the read before an external call.
#[derive(Debug)]
pub enum Prepared<R, T> {
    /// The same request already has a response, so no external call is needed.
    Answered(R),
    /// The data needed for the external call.
    Ready(T),
}

impl Gate {
    /// Reads what an external call needs, or returns the first response to the same request.
    pub fn prepare<A, R, T, F>(&self, call: Call<A>, scope: A::Scope, work: F) -> Running<'_, Prepared<R, T>>
    where
        A: WriteAccess,
        F: for<'t, 'c> FnOnce(&'t A::Tx<'c>) -> Result<T> + Send + 'static,
        R: Answer,
        T: Send + 'static,
    {
        self.read_on(ReadPool::Point, call.untyped(), move |core| {
            let tx = A::open(Transaction(core), &scope)?;
            match core.first_answer()? {
                Some(answer) => Ok(Prepared::Answered(answer)),
                None => work(&tx).map(Prepared::Ready),
            }
        })
    }

    /// Reads without a caller, independently of the caller's transactions.
    pub(in crate::domain) fn aside_view<T, F>(&self, work: F) -> Running<'_, T>
    where
        F: for<'t, 'c> FnOnce(&'t SystemTx<'c>) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        self.read_on(ReadPool::Point, no_caller(), move |core| work(&SystemTx::open(core)))
    }

    /// Writes results of an external call without a caller, independently of the caller's transactions.
    pub(in crate::domain) fn aside<T, F>(&self, work: F) -> Running<'_, T>
    where
        F: for<'t, 'c> FnOnce(&'t mut SystemTx<'c>) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        self.write_on(no_caller(), move |core| work(&mut SystemTx::open(core)))
    }
}

fn no_caller() -> Call {
    Call::new(None, Via::Job, uuid::Uuid::now_v7().to_string())
}
