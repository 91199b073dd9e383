//! Closes a connection so that its client receives the last response.
//!
//! If a connection is closed while data of the client is unread or still arrives, the system resets it, and a client that
//! writes its whole body first never reads the response. So the server ends its own data first, and reads and drops what
//! the client sends until that ends too (RFC 9112, section 9.6).

use std::{
    io::{self, ErrorKind, IoSlice},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use rustix::net::Shutdown;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
};

/// Maximum time for which a connection is kept for a client that still sends.
const MAX_TIME: Duration = Duration::from_secs(2);
/// Maximum number of bytes that are read and dropped: more than the largest body.
const MAX_BYTES: usize = 64 << 20;
/// The size of the buffer for what is dropped, in bytes.
const BUFFER_BYTES: usize = 16 << 10;

/// A socket that is still open after the end of what reads and writes it.
pub(super) struct Socket(pub(super) Arc<TcpStream>);

impl AsyncRead for Socket {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        loop {
            ready!(self.0.poll_read_ready(context))?;
            match self.0.try_read_buf(buffer) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                read => return Poll::Ready(read.map(|_| ())),
            }
        }
    }
}

impl Socket {
    fn poll_write_with(
        &self,
        context: &mut Context<'_>,
        write: impl Fn(&TcpStream) -> io::Result<usize>,
    ) -> Poll<io::Result<usize>> {
        loop {
            ready!(self.0.poll_write_ready(context))?;
            match write(&self.0) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                written => return Poll::Ready(written),
            }
        }
    }
}

impl AsyncWrite for Socket {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, data: &[u8]) -> Poll<io::Result<usize>> {
        self.poll_write_with(context, |stream| stream.try_write(data))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        data: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.poll_write_with(context, |stream| stream.try_write_vectored(data))
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        // A socket has no buffer of its own.
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(end(&self.0))
    }
}

/// Ends the data of the server.
fn end(stream: &TcpStream) -> io::Result<()> {
    Ok(rustix::net::shutdown(stream, Shutdown::Write)?)
}

/// Waits until the client has ended its data, which is dropped, or until a limit is reached.
pub(super) async fn linger(stream: &TcpStream) {
    // It fails if the connection has ended already.
    if end(stream).is_ok() {
        drop(tokio::time::timeout(MAX_TIME, discard(stream)).await);
    }
}

async fn discard(stream: &TcpStream) -> io::Result<()> {
    let (mut buffer, mut total) = (vec![0; BUFFER_BYTES], 0);
    while total < MAX_BYTES {
        stream.readable().await?;
        match stream.try_read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => total += read,
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
