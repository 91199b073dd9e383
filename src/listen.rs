//! The accept loop: who may connect, and how long they may keep us waiting.
//!
//! The framework's own loop never lets a slow client go: half a header, silence, a body that stalls and a reader that
//! does not read each hold a connection for ever. Here each of them has a deadline.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use axum::{Router, body::Body, extract::ConnectInfo};
use hyper::{Request, body::Incoming, server::conn::http1};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::{GracefulConnection, GracefulShutdown},
    service::TowerToHyperService,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
};
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt;

/// Longest head of a request, in bytes; a longer one is answered 431.
const HEAD_BYTES: usize = 64 << 10;
/// How long to wait when the machine has no more file descriptors.
const BREATH: Duration = Duration::from_millis(500);

/// What clients may take.
#[derive(Debug, Clone, Copy)]
pub struct Manners {
    /// Connections at a time; further ones wait in the system's queue.
    pub connections: usize,
    /// How long a client may let us wait: for a request and its head, and for taking what it is sent. For the parts of a
    /// body see `rest`.
    pub patience: Duration,
}

/// Serves until `stop` is ready, then lets what is under way end.
pub async fn serve(listener: TcpListener, router: Router, manners: Manners, stop: impl Future<Output = ()>) {
    let seats = Arc::new(Semaphore::new(manners.connections));
    let graceful = GracefulShutdown::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        let next = async {
            let seat = Arc::clone(&seats).acquire_owned().await;
            (seat, listener.accept().await)
        };
        let (seat, accepted) = tokio::select! {
            () = &mut stop => break,
            next = next => next,
        };
        match accepted {
            Ok((stream, address)) => {
                let connection = graceful.watch(connection(stream, address, router.clone(), manners.patience));
                tokio::spawn(async move {
                    if let Err(error) = connection.await {
                        tracing::debug!(%address, %error, "a connection ended early");
                    }
                    drop(seat);
                });
            }
            Err(error) => rest_after(&error).await,
        }
    }
    drop(listener);
    graceful.shutdown().await;
}

fn connection(
    stream: TcpStream,
    address: SocketAddr,
    router: Router,
    patience: Duration,
) -> impl GracefulConnection<Error = hyper::Error> {
    // Answers are written whole; waiting for more to send with them only delays them.
    drop(stream.set_nodelay(true));
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(patience));
    let service = router.map_request(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(address));
        request.map(Body::new)
    });
    http1::Builder::new()
        .timer(TokioTimer::new())
        // From the moment we wait for a request until its head is whole: first byte, head, and idleness between two.
        .header_read_timeout(patience)
        .max_header_size(HEAD_BYTES)
        .serve_connection(TokioIo::new(Box::pin(stream)), TowerToHyperService::new(service))
}

/// Accepting failed. What is one client's fault is over already; a lack of means takes a while to pass.
async fn rest_after(error: &io::Error) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if !matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset) {
        tracing::warn!(%error, "cannot accept connections");
        tokio::time::sleep(BREATH).await;
    }
}
