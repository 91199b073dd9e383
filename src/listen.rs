//! The accept loop: who may connect, and how long they may keep us waiting.
//!
//! The framework's own loop never lets a slow client go: half a header, silence, a body that stalls and a reader that
//! does not read each hold a connection for ever. Here each of them has a deadline.

mod seats;

use std::{
    convert::Infallible,
    io,
    net::SocketAddr,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::{
    Router,
    body::Body,
    extract::ConnectInfo,
    http::{HeaderValue, header},
    response::Response,
};
use bytes::Bytes;
use hyper::{
    Request,
    body::{Body as _, Frame, Incoming, SizeHint},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::{GracefulShutdown, Watcher},
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::watch,
};
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt;

pub use self::seats::Limits;
use self::seats::{Busy, Seat, Seats};

/// Longest head of a request, in bytes; a longer one is answered 431.
const HEAD_BYTES: usize = 64 << 10;
/// How long to wait when the machine has no more file descriptors.
const BREATH: Duration = Duration::from_millis(500);

/// Longest time until the first byte of a new connection.
const FIRST_BYTE: Duration = Duration::from_secs(5);

/// What clients may take.
#[derive(Debug, Clone)]
pub struct Manners {
    /// Connections at a time, of all and of one address.
    pub limits: Limits,
    /// How long a client may let us wait: for a request and its head, and for taking what it is sent. For the parts of a
    /// body see `rest`.
    pub patience: Duration,
}

/// Serves until `stop` is ready, then lets what is under way end.
pub async fn serve(listener: TcpListener, router: Router, manners: Manners, stop: impl Future<Output = ()>) {
    let seats = Seats::new(manners.limits);
    let graceful = GracefulShutdown::new();
    // A connection that has sent nothing has nothing to end.
    let (stopping, stopped) = watch::channel(());
    let mut stop = std::pin::pin!(stop);
    loop {
        let next = async {
            let (stream, address) = listener.accept().await?;
            io::Result::Ok((seats.take(address.ip()).await, stream, address))
        };
        let accepted = tokio::select! {
            () = &mut stop => break,
            next = next => next,
        };
        match accepted {
            // Closed at once: its address has too many.
            Ok((None, ..)) => {}
            Ok((Some(seat), stream, address)) => {
                let client = Client { stream, address, seat: Arc::new(seat), patience: manners.patience };
                tokio::spawn(client.serve(router.clone(), graceful.watcher(), stopped.clone()));
            }
            Err(error) => rest_after(&error).await,
        }
    }
    drop((listener, stopping));
    graceful.shutdown().await;
}

/// A connection.
struct Client {
    stream: TcpStream,
    address: SocketAddr,
    seat: Arc<Seat>,
    patience: Duration,
}

impl Client {
    async fn serve(self, router: Router, watcher: Watcher, mut stopped: watch::Receiver<()>) {
        let Self { stream, address, seat, patience } = self;
        // `readable` may return early, and does for a connection that has sent nothing yet.
        let mut byte = [0];
        let begins = tokio::select! {
            first = tokio::time::timeout(patience.min(FIRST_BYTE), stream.peek(&mut byte)) => matches!(first, Ok(Ok(1))),
            () = seat.evicted() => false,
            _ = stopped.changed() => false,
        };
        if !begins {
            return;
        }
        // Answers are written whole; waiting for more to send with them only delays them.
        drop(stream.set_nodelay(true));
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(patience));
        let service = service_fn({
            let seat = Arc::clone(&seat);
            move |request: Request<Incoming>| answer(router.clone(), request, address, Arc::clone(&seat))
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            // From the moment we wait for a request until its head is whole: first byte, head, and idleness between two.
            .header_read_timeout(patience)
            .max_header_size(HEAD_BYTES)
            .serve_connection(TokioIo::new(Box::pin(stream)), service);
        tokio::select! {
            ended = watcher.watch(connection) => {
                if let Err(error) = ended {
                    tracing::debug!(%address, %error, "a connection ended early");
                }
            }
            () = seat.evicted() => tracing::debug!(%address, "an idle connection was closed to make room"),
        }
    }
}

/// Has a request answered. An answer that did not wait for the whole of the body ends the connection, and says so: a client
/// that does not know would send its next request to nobody (RFC 9112, 9.3).
async fn answer(
    router: Router,
    mut request: Request<Incoming>,
    address: SocketAddr,
    seat: Arc<Seat>,
) -> Result<Response, Infallible> {
    let busy = seat.busy();
    if request.headers().contains_key("x-forwarded-for") {
        seat.forwards(address.ip());
    }
    request.extensions_mut().insert(ConnectInfo(address));
    let is_read = Arc::new(AtomicBool::new(request.body().is_end_stream()));
    let request = request.map(|body| Body::new(Watched { body, is_read: Arc::clone(&is_read) }));
    let mut response = router.oneshot(request).await?;
    if !is_read.load(Ordering::Relaxed) {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    Ok(response.map(|body| Body::new(Answered { body, _busy: busy })))
}

/// The body of an answer: until it is sent, the connection is not idle.
struct Answered {
    body: Body,
    _busy: Busy,
}

impl hyper::body::Body for Answered {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A body of which it is known whether it was read to its end.
struct Watched {
    body: Incoming,
    is_read: Arc<AtomicBool>,
}

impl hyper::body::Body for Watched {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        if frame.is_none() || self.body.is_end_stream() {
            self.is_read.swap(true, Ordering::Relaxed);
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Accepting failed. What is one client's fault is over already; a lack of means takes a while to pass.
async fn rest_after(error: &io::Error) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if !matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset) {
        tracing::warn!(%error, "cannot accept connections");
        tokio::time::sleep(BREATH).await;
    }
}
