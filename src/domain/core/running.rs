//! A transaction that runs on another thread, seen from the task that waits for it.

use std::{
    marker::PhantomData,
    pin::Pin,
    task::{Context, Poll, ready},
};

use futures_util::{FutureExt, future::BoxFuture};

use crate::{
    db::{Erased, typed},
    error::Result,
};

/// A transaction that runs when it is polled. All that the compiler generates for each type is this conversion of the
/// result: a generic `async fn` around it would exist once for each closure.
pub struct Running<'g, T> {
    work: BoxFuture<'g, Result<Erased>>,
    result: PhantomData<fn() -> T>,
}

impl<'g, T> Running<'g, T> {
    pub(super) fn new(work: BoxFuture<'g, Result<Erased>>) -> Self {
        Self { work, result: PhantomData }
    }
}

impl<T: 'static> Future for Running<'_, T> {
    type Output = Result<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<T>> {
        Poll::Ready(typed(ready!(self.work.poll_unpin(context))?))
    }
}
