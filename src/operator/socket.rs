//! The way from a command to the running server: a Unix socket in the data directory, for its owner alone.
//!
//! One connection is one operation: the command writes it as JSON and closes its side, the server writes the outcome
//! and closes its own.

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

use super::Operation;
use crate::app::App;

/// Largest operation that is read, in bytes: an import of some size.
const LARGEST: u64 = 256 << 20;

/// A server that takes longer to say how it is, is not well.
const HEALTHY_WITHIN: Duration = Duration::from_secs(5);

/// What an operation came to: its answer, or the error's text.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Outcome {
    Done(Value),
    Failed(String),
}

/// Where the socket of the server on `data_dir` is.
fn path(data_dir: &Path) -> PathBuf {
    data_dir.join("planroom.sock")
}

/// Makes the socket. The lock on the data directory is held, so one that is there is stale. From now on commands find
/// the server: they wait until [`serve`] answers them.
pub fn bind(data_dir: &Path) -> io::Result<UnixListener> {
    let path = path(data_dir);
    match fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let listener = UnixListener::bind(&path)
        .map_err(|error| io::Error::new(error.kind(), format!("cannot make the socket {}: {error}", path.display())))?;
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600))?;
    Ok(listener)
}

/// Serves operations until it is dropped.
pub async fn serve(app: Arc<App>, listener: UnixListener) {
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                // Such as too many open files: a reason to wait, not to stop serving.
                tracing::warn!(%error, "a command could not be heard");
                tokio::time::sleep(Duration::from_secs(1)).await;
                continue;
            }
        };
        let app = Arc::clone(&app);
        tokio::spawn(async move {
            if let Err(error) = answer(stream, &app).await {
                tracing::warn!(%error, "a command went away before it had its answer");
            }
        });
    }
}

async fn answer(mut stream: tokio::net::UnixStream, app: &App) -> io::Result<()> {
    let mut bytes = Vec::new();
    (&mut stream).take(LARGEST).read_to_end(&mut bytes).await?;
    let outcome = match serde_json::from_slice::<Operation>(&bytes) {
        Err(error) => Outcome::Failed(format!("the server does not know this operation: {error}")),
        Ok(operation) => match operation.perform(app).await {
            Ok(answer) => Outcome::Done(answer),
            Err(error) => Outcome::Failed(error.to_string()),
        },
    };
    stream.write_all(&serde_json::to_vec(&outcome)?).await?;
    stream.shutdown().await
}

/// Sends an operation to the server on `data_dir`. None when no server answers there.
pub fn send(data_dir: &Path, operation: &Operation) -> io::Result<Option<Result<Value, String>>> {
    let Ok(mut stream) = UnixStream::connect(path(data_dir)) else { return Ok(None) };
    if matches!(operation, Operation::Health) {
        stream.set_read_timeout(Some(HEALTHY_WITHIN))?;
    }
    stream.write_all(&serde_json::to_vec(operation)?)?;
    stream.shutdown(Shutdown::Write)?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes)?;
    Ok(Some(match serde_json::from_slice(&bytes)? {
        Outcome::Done(answer) => Ok(answer),
        Outcome::Failed(error) => Err(error),
    }))
}
