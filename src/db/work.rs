//! Work for the threads, without the types of its closure and result, so that the code that runs it exists once.

use std::any::Any;

use rusqlite::Connection;

use crate::{
    cancel::Cancel,
    error::{Error, Result},
};

/// A callback that runs on the writer thread after the commit is on disk.
pub type AfterCommit = Box<dyn FnOnce() + Send>;

/// The result of some work; [`typed`] returns it with its type.
pub type Erased = Box<dyn Any + Send>;
/// Work on a reading connection.
pub(super) type ReadWork = Box<dyn FnOnce(&Connection, &Cancel) -> Result<Erased> + Send>;
/// Work on the writing connection. Returns its result and the callbacks to run after the commit.
pub(super) type WriteWork = Box<dyn FnOnce(&Connection, &Cancel) -> Result<(Erased, Vec<AfterCommit>)> + Send>;

pub(super) fn read_work<T, F>(work: F) -> ReadWork
where
    F: FnOnce(&Connection, &Cancel) -> Result<T> + Send + 'static,
    T: Send + 'static,
{
    Box::new(move |connection, cancel| Ok(Box::new(work(connection, cancel)?)))
}

pub(super) fn write_work<T, F>(work: F) -> WriteWork
where
    F: FnOnce(&Connection, &Cancel) -> Result<(T, Vec<AfterCommit>)> + Send + 'static,
    T: Send + 'static,
{
    Box::new(move |connection, cancel| {
        let (answer, then) = work(connection, cancel)?;
        Ok((Box::new(answer), then))
    })
}

/// The result with the type that the work returned.
pub fn typed<T: 'static>(answer: Erased) -> Result<T> {
    answer.downcast().map(|answer| *answer).map_err(|_| Error::internal("the work returned another type"))
}
