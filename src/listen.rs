//! The accept loop, with connection limits and timeouts.
//!
//! The framework's own loop has no timeouts: an incomplete header, an idle connection, a stalled body and a client that
//! does not read the response each occupy a connection forever. Here each of them has a deadline.

mod linger;
mod slots;

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
    io::{AsyncRead, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::watch,
};
use tokio_io_timeout::TimeoutStream;
use tokio_rustls::TlsAcceptor;
use tower::ServiceExt;

pub use self::slots::{ConnectionCounts, ConnectionLimits};
use self::{
    linger::{Socket, linger},
    slots::{ActiveRequest, Slot, Slots},
};

/// Maximum size of a request head in bytes. Larger heads are rejected with 431.
const HEAD_BYTES: usize = 64 << 10;
/// Delay after an accept error such as a lack of file descriptors.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(500);

/// Timeout for the first byte of a new connection.
const FIRST_BYTE_TIMEOUT: Duration = Duration::from_secs(5);

/// Timeout for the TLS handshake of a connection that has sent its first byte.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);
/// The first byte of a TLS connection: the content type of a handshake record (RFC 8446, section 5.1).
const TLS_HANDSHAKE: u8 = 22;

/// Limits and timeouts of connections.
#[derive(Clone)]
pub struct ListenOptions {
    /// Maximum number of connections, in total and per address.
    pub limits: ConnectionLimits,
    /// Counts the connections.
    pub counts: Arc<ConnectionCounts>,
    /// Timeout for the next request and its head, and for reading the response. `bodies` has the timeout for request
    /// bodies.
    pub idle_timeout: Duration,
    /// Accepts TLS connections. None: plain HTTP.
    pub tls: Option<TlsAcceptor>,
}

/// Serves until `stop` is ready, then waits for requests in progress.
pub async fn serve(listener: TcpListener, router: Router, options: ListenOptions, stop: impl Future<Output = ()>) {
    let slots = Slots::new(options.limits, options.counts);
    let graceful = GracefulShutdown::new();
    // Connections that have not sent anything are closed immediately when the server stops.
    let (stopping, stopped) = watch::channel(());
    let mut stop = std::pin::pin!(stop);
    loop {
        let next = async {
            let (stream, address) = listener.accept().await?;
            io::Result::Ok((slots.take(address.ip()).await, stream, address))
        };
        let accepted = tokio::select! {
            () = &mut stop => break,
            next = next => next,
        };
        match accepted {
            // Closed immediately: its address has too many connections.
            Ok((None, ..)) => {}
            Ok((Some(slot), stream, address)) => {
                let client = Client { address, slot: Arc::new(slot), idle_timeout: options.idle_timeout };
                let tls = options.tls.clone();
                tokio::spawn(client.serve(stream, tls, router.clone(), graceful.watcher(), stopped.clone()));
            }
            Err(error) => handle_accept_error(&error).await,
        }
    }
    drop((listener, stopping));
    graceful.shutdown().await;
}

/// A connection.
struct Client {
    address: SocketAddr,
    slot: Arc<Slot>,
    idle_timeout: Duration,
}

/// How what was served on a connection ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// Nothing is unread.
    Complete,
    /// The client may still send a part of a request that was answered.
    Unread,
}

impl Client {
    async fn serve(
        self,
        stream: TcpStream,
        tls: Option<TlsAcceptor>,
        router: Router,
        watcher: Watcher,
        stopped: watch::Receiver<()>,
    ) {
        let stream = Arc::new(stream);
        if self.serve_stream(&stream, tls, router, watcher, stopped).await == End::Unread {
            tokio::select! {
                () = linger(&stream) => {}
                () = self.slot.evicted() => {}
            }
        }
    }

    async fn serve_stream(
        &self,
        stream: &Arc<TcpStream>,
        tls: Option<TlsAcceptor>,
        router: Router,
        watcher: Watcher,
        mut stopped: watch::Receiver<()>,
    ) -> End {
        let Self { address, slot, idle_timeout } = self;
        // `readable` may return early, and does for a connection that has sent nothing yet.
        let mut byte = [0];
        let has_data = tokio::select! {
            first = tokio::time::timeout((*idle_timeout).min(FIRST_BYTE_TIMEOUT), stream.peek(&mut byte)) => matches!(first, Ok(Ok(1))),
            () = slot.evicted() => false,
            _ = stopped.changed() => false,
        };
        if !has_data {
            return End::Complete;
        }
        // Responses are written completely, so Nagle's algorithm would only delay them.
        drop(stream.set_nodelay(true));
        let mut socket = TimeoutStream::new(Socket(Arc::clone(stream)));
        socket.set_write_timeout(Some(*idle_timeout));
        let mut socket = Box::pin(socket);
        let Some(tls) = tls else { return self.serve_http(socket, router, watcher).await };
        if byte != [TLS_HANDSHAKE] {
            reject_plain_http(&mut socket).await;
            return End::Unread;
        }
        let secured = tokio::select! {
            secured = tokio::time::timeout((*idle_timeout).min(HANDSHAKE_TIMEOUT), tls.accept(socket)) => secured,
            () = slot.evicted() => return End::Complete,
            _ = stopped.changed() => return End::Complete,
        };
        match secured {
            Ok(Ok(stream)) => self.serve_http(stream, router, watcher).await,
            Ok(Err(error)) => {
                tracing::debug!(%address, %error, "the TLS handshake failed");
                // The alert says why.
                End::Unread
            }
            Err(_) => {
                tracing::debug!(%address, "the TLS handshake took too long");
                End::Complete
            }
        }
    }

    /// Serves HTTP on a connection that has sent data.
    async fn serve_http<S>(&self, stream: S, router: Router, watcher: Watcher) -> End
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let Self { address, slot, idle_timeout } = self;
        let has_unread = Arc::new(AtomicBool::new(false));
        let service = service_fn({
            let (address, slot, has_unread) = (*address, Arc::clone(slot), Arc::clone(&has_unread));
            move |request: Request<Incoming>| {
                answer(router.clone(), request, address, Arc::clone(&slot), Arc::clone(&has_unread))
            }
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            // Covers the time from waiting for a request to the end of its head, including idle time between two
            // requests.
            .header_read_timeout(*idle_timeout)
            .max_header_size(HEAD_BYTES)
            .serve_connection(TokioIo::new(stream), service);
        tokio::select! {
            ended = watcher.watch(connection) => {
                if let Err(error) = ended {
                    tracing::debug!(%address, %error, "connection ended early");
                    if error.is_parse() {
                        return End::Unread;
                    }
                }
            }
            () = slot.evicted() => {
                tracing::debug!(%address, "closed an idle or slow connection to accept another one");
                return End::Complete;
            }
        }
        if has_unread.load(Ordering::Relaxed) { End::Unread } else { End::Complete }
    }
}

/// Tells a client that sends plain HTTP to a TLS port what to do, instead of closing the connection without a word.
async fn reject_plain_http<S: AsyncRead + AsyncWrite + Unpin>(stream: &mut S) {
    const TEXT: &str = "This server accepts https only.\n";
    let response = format!(
        "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\nConnection: \
         close\r\n\r\n{TEXT}",
        TEXT.len()
    );
    drop(stream.write_all(response.as_bytes()).await);
}

/// Processes a request. If the response is sent before the whole body was read, the connection ends, and `Connection:
/// close` says so; otherwise the client would send its next request on a closed connection (RFC 9112, 9.3).
async fn answer(
    router: Router,
    mut request: Request<Incoming>,
    address: SocketAddr,
    slot: Arc<Slot>,
    has_unread: Arc<AtomicBool>,
) -> Result<Response, Infallible> {
    let is_complete = request.body().is_end_stream();
    let busy = slot.busy(is_complete);
    if request.headers().contains_key("x-forwarded-for") {
        slot.forwards(address.ip());
    }
    request.extensions_mut().insert(ConnectInfo(address));
    let is_read = Arc::new(AtomicBool::new(is_complete));
    let request = request.map(|body| Body::new(RequestBody { body, is_read: Arc::clone(&is_read), slot }));
    let mut response = router.oneshot(request).await?;
    if !is_read.load(Ordering::Relaxed) {
        has_unread.swap(true, Ordering::Relaxed);
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    Ok(response.map(|body| Body::new(ResponseBody { body, _busy: busy })))
}

/// A response body. The connection is not idle until it is sent.
struct ResponseBody {
    body: Body,
    _busy: ActiveRequest,
}

impl hyper::body::Body for ResponseBody {
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

/// A request body that records whether it was read to the end.
struct RequestBody {
    body: Incoming,
    is_read: Arc<AtomicBool>,
    slot: Arc<Slot>,
}

impl hyper::body::Body for RequestBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        if (frame.is_none() || self.body.is_end_stream()) && !self.is_read.swap(true, Ordering::Relaxed) {
            self.slot.received();
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

/// Handles an accept error. Errors of a single client need no delay; a lack of resources takes time to pass.
async fn handle_accept_error(error: &io::Error) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if !matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset) {
        tracing::warn!(
            %error,
            "cannot accept connections; trying again. If too many files are open, raise the limit (ulimit -n, LimitNOFILE=)"
        );
        tokio::time::sleep(ACCEPT_RETRY_DELAY).await;
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use http_body_util::BodyExt;
    use tokio::{
        io::{AsyncReadExt, duplex},
        sync::mpsc,
    };

    use super::*;

    #[tokio::test]
    async fn a_connection_receives_until_its_request_is_complete() {
        let limits = ConnectionLimits { connections: 1, per_address: 1, trusted: Vec::new() };
        let slots = Slots::new(limits, Arc::default());
        let slot = Arc::new(slots.take(Ipv4Addr::LOCALHOST.into()).await.unwrap());
        let (seen, mut is_receiving) = mpsc::unbounded_channel();
        let router = Router::new().fallback({
            let slot = Arc::clone(&slot);
            move |mut body: Body| async move {
                while body.frame().await.is_some() {
                    seen.send(slot.is_receiving()).unwrap();
                }
            }
        });
        let address = (Ipv4Addr::LOCALHOST, 1).into();
        let client = Client { address, slot, idle_timeout: Duration::from_mins(1) };
        let (mut ours, theirs) = duplex(1 << 10);
        let graceful = GracefulShutdown::new();
        let request = async move {
            let head = "POST / HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Length: 2\r\n\r\n";
            ours.write_all(format!("{head}a").as_bytes()).await.unwrap();
            assert_eq!(is_receiving.recv().await, Some(true));
            ours.write_all(b"b").await.unwrap();
            assert_eq!(is_receiving.recv().await, Some(false));
            let mut answer = String::new();
            ours.read_to_string(&mut answer).await.unwrap();
            assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        };
        tokio::join!(client.serve_http(theirs, router, graceful.watcher()), request);
    }
}
