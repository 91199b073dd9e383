//! The Unix socket in the data directory through which commands reach the running server. Only its owner can connect.
//!
//! Each connection carries one operation: the command writes it as JSON and closes its side; the server writes the
//! outcome and closes the connection.

use std::{
    fs,
    io::{self, Read, Write},
    net::Shutdown,
    os::unix::{fs::PermissionsExt, net::UnixStream},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::UnixListener,
};

use super::{AdminOperation, error_text};
use crate::{app::App, db::lock};

/// Maximum size of an operation in bytes. Imports contain a whole workspace.
const MAX_MESSAGE_BYTES: u64 = 256 << 20;

/// Timeout of a health check.
const HEALTH_CHECK_TIMEOUT: Duration = Duration::from_secs(5);

/// The result of an operation, or the text of its error.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Response {
    Done(Value),
    Failed(String),
}

/// Path of the socket of the server on `data_dir`.
fn path(data_dir: &Path) -> PathBuf {
    data_dir.join("planroom.sock")
}

/// Creates the socket. The caller holds the lock on the data directory, so an existing socket is stale. From now on
/// commands can connect; they wait until [`serve`] responds.
pub fn bind(data_dir: &Path) -> io::Result<UnixListener> {
    let path = path(data_dir);
    match fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let listener = UnixListener::bind(&path).map_err(|error| {
        io::Error::new(error.kind(), format!("cannot create the socket {}: {error}", path.display()))
    })?;
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600))?;
    Ok(listener)
}

/// Serves operations until the future is dropped, each with the app that is current when it arrives.
pub async fn serve(current: impl Fn() -> Arc<App>, listener: UnixListener) {
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                // For example, too many open files. The cause may go away, so wait and continue.
                tracing::warn!(%error, "cannot accept a connection from the command line");
                tokio::time::sleep(Duration::from_secs(1)).await;
                continue;
            }
        };
        let app = current();
        tokio::spawn(async move {
            if let Err(error) = answer(stream, &app).await {
                tracing::warn!(%error, "the command line disconnected before it received the result");
            }
        });
    }
}

async fn answer(mut stream: tokio::net::UnixStream, app: &App) -> io::Result<()> {
    let mut bytes = Vec::new();
    (&mut stream).take(MAX_MESSAGE_BYTES).read_to_end(&mut bytes).await?;
    let outcome = match serde_json::from_slice::<AdminOperation>(&bytes) {
        Err(error) => Response::Failed(format!(
            "the server does not support this operation: {error}; check that server and command have the same version"
        )),
        Ok(operation) => match operation.perform(app).await {
            Ok(answer) => Response::Done(answer),
            Err(error) => Response::Failed(error_text(&error)),
        },
    };
    stream.write_all(&serde_json::to_vec(&outcome)?).await?;
    stream.shutdown().await
}

/// Sends an operation to the server on `data_dir`. None if no server is running.
pub fn send(data_dir: &Path, operation: &AdminOperation) -> io::Result<Option<Result<Value, String>>> {
    let mut stream = match UnixStream::connect(path(data_dir)) {
        Ok(stream) => stream,
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            return Err(io::Error::new(error.kind(), lock::denied(data_dir, error)));
        }
        Err(_) => return Ok(None),
    };
    if matches!(operation, AdminOperation::Health) {
        stream.set_read_timeout(Some(HEALTH_CHECK_TIMEOUT))?;
    }
    stream.write_all(&serde_json::to_vec(operation)?)?;
    stream.shutdown(Shutdown::Write)?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes)?;
    Ok(Some(match serde_json::from_slice(&bytes)? {
        Response::Done(answer) => Ok(answer),
        Response::Failed(error) => Err(error),
    }))
}
