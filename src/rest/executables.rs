//! The command line for continuous integration: the executable of this server.

use std::{
    collections::HashMap,
    fs::File,
    io::{Read, Seek, SeekFrom},
    sync::{Arc, LazyLock, Mutex, PoisonError},
    time::UNIX_EPOCH,
};

use axum::{
    body::Body,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use futures_util::stream;

use super::{
    access::User,
    api::Api,
    conditional,
    error::Result,
    extract::{Authenticated, IfNoneMatch, Path},
    route::IN_TABLE,
};
use crate::{
    domain::{core::Gate, map::bundle::is_known, settings},
    error::{self, Error},
};

/// Number of downloads at the same time.
const MAX_DOWNLOADS: usize = 16;
/// Number of downloads of a user at the same time. The jobs of a pipeline often share a user.
const MAX_DOWNLOADS_OF_USER: usize = 8;
/// Size of the parts in which the file is read.
const PART_BYTES: usize = 1 << 20;

static DOWNLOADS: LazyLock<Downloads> = LazyLock::new(Downloads::default);

/// Download the command line
///
/// Returns the executable of this server, so that the version of the command line is that of the server. `target` is its
/// operating system and architecture, such as `linux-x86_64`. 404 for other targets, and unless an administrator has
/// allowed downloads (setting `cli.download`). Send the `ETag` in `If-None-Match` to get 304 if the executable has not
/// changed.
#[crate::describe::path(get, path = IN_TABLE, tag = "System", operation_id = "downloadCommandLine",
    responses((status = 200, description = "The executable", body = Vec<u8>, content_type = "application/octet-stream")))]
pub async fn download(
    State(api): State<Api>,
    Authenticated(call): Authenticated<User>,
    Path(target): Path<String>,
    IfNoneMatch(known): IfNoneMatch,
) -> Result<Response> {
    let Some(user) = api.gate.read(call, (), settings::cli_download).await? else {
        let text = "this server does not hand out its command line; administrators can allow it with the setting `cli.download`";
        return Err(Error::NotProvided(text.into()).into());
    };
    let own = format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH);
    if target != own {
        let text = format!("this server has the command line for `{own}` only");
        return Err(Error::NotProvided(text).into());
    }
    let (file, size, tag) = api.gate.heavy_work(open).await?;
    if is_known(&known, &tag) {
        return Ok(conditional::not_modified(&tag));
    }
    let permit = DOWNLOADS.begin(user)?;
    let body = parts(api.gate.clone(), file, permit);
    let mut response = conditional::tagged(body, &tag, None);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, header::HeaderValue::from_static("application/octet-stream"));
    headers.insert(header::CONTENT_LENGTH, size.into());
    headers.insert(header::CONTENT_DISPOSITION, header::HeaderValue::from_static("attachment; filename=\"planroom\""));
    Ok(response.into_response())
}

/// The executable with its size and entity tag.
fn open() -> error::Result<(File, u64, String)> {
    // On Linux, this is the file that was started, even if an upgrade has replaced it since.
    let running = std::path::Path::new("/proc/self/exe");
    let path = if running.exists() { running.to_owned() } else { std::env::current_exe().map_err(Error::internal)? };
    let file = File::open(path).map_err(Error::internal)?;
    let metadata = file.metadata().map_err(Error::internal)?;
    let changed = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
    let tag = format!("{}-{:x}-{:x}", env!("CARGO_PKG_VERSION"), metadata.len(), changed.as_micros());
    Ok((file, metadata.len(), tag))
}

/// A body that reads a part of the file when the client has received the one before.
fn parts(gate: Gate, file: File, permit: Permit) -> Body {
    let stream = stream::unfold((gate, file, 0_u64, permit), |(gate, mut file, offset, permit)| async move {
        let read = move || {
            let mut part = Vec::with_capacity(PART_BYTES);
            file.seek(SeekFrom::Start(offset)).map_err(Error::internal)?;
            Read::by_ref(&mut file).take(PART_BYTES as u64).read_to_end(&mut part).map_err(Error::internal)?;
            Ok((file, part))
        };
        match gate.heavy_work(read).await {
            Ok((_, part)) if part.is_empty() => None,
            Ok((file, part)) => {
                let next = offset + part.len() as u64;
                Some((Ok::<_, std::io::Error>(Bytes::from(part)), (gate, file, next, permit)))
            }
            // The connection ends before the announced length, which clients notice.
            Err(error) => {
                tracing::warn!(%error, "the executable cannot be read");
                None
            }
        }
    });
    Body::from_stream(stream)
}

/// Downloads in progress, by user.
#[derive(Debug, Clone, Default)]
struct Downloads(Arc<Mutex<HashMap<i64, usize>>>);

/// A download in progress.
struct Permit {
    downloads: Downloads,
    user: i64,
}

impl Downloads {
    fn begin(&self, user: i64) -> error::Result<Permit> {
        let mut active = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let all: usize = active.values().sum();
        let own = active.entry(user).or_default();
        if *own >= MAX_DOWNLOADS_OF_USER {
            return Err(Error::TooManyRequests);
        }
        if all >= MAX_DOWNLOADS {
            return Err(Error::Busy);
        }
        *own += 1;
        Ok(Permit { downloads: self.clone(), user })
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut active = self.downloads.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = active.get_mut(&self.user) {
            *own -= 1;
            if *own == 0 {
                active.remove(&self.user);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn downloads_are_limited_for_each_user_and_together() {
        let downloads = Downloads::default();
        let mut permits: Vec<Permit> = (0..MAX_DOWNLOADS_OF_USER).map(|_| downloads.begin(1).unwrap()).collect();
        assert!(matches!(downloads.begin(1), Err(Error::TooManyRequests)));
        permits.extend((0..MAX_DOWNLOADS - MAX_DOWNLOADS_OF_USER).map(|_| downloads.begin(2).unwrap()));
        assert!(matches!(downloads.begin(3), Err(Error::Busy)));
        permits.pop();
        drop(downloads.begin(3).unwrap());
        permits.clear();
        assert!(downloads.0.lock().unwrap().is_empty());
    }
}
