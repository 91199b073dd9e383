//! Reads and verifies archives.

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, BufReader, Read, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use tar::{Entries, Entry};
use zstd::stream::read::Decoder;

use super::{ArchivedFile, BackupKind, Checksum, FORMAT, KEYS, MANIFEST, MAX_MANIFEST_BYTES, Manifest};
use crate::{
    db::{key_files, options::FILE_NAME},
    encryption::{DecryptReader, WRONG_PASSPHRASE},
    secret::Secret,
};

/// Maximum number of bytes after the last entry, which are zero in a tar file.
const MAX_PADDING_BYTES: u64 = 1 << 20;

/// Why an archive cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// It is encrypted.
    #[error("{0} is encrypted; specify its passphrase with --passphrase-file or --passphrase-stdin")]
    NoPassphrase(PathBuf),
    /// Its passphrase is another one.
    #[error("cannot decrypt {0}: {WRONG_PASSPHRASE}")]
    WrongPassphrase(PathBuf),
    /// Its content is not what its manifest lists.
    #[error("{0} is damaged: {1}; choose another backup")]
    Damaged(PathBuf, String),
    /// A newer release wrote it.
    #[error("{0} has the format {1}, which this release cannot read; use the newer release")]
    Newer(PathBuf, String),
    /// An error of the file system or of a decoder.
    #[error("cannot read {0}: {1}")]
    Io(PathBuf, io::Error),
    /// A file cannot be written.
    #[error("cannot write {0}: {1}")]
    Write(PathBuf, io::Error),
}

/// Reads the manifest.
pub fn read_manifest(archive: &Path, passphrase: Option<&Secret>) -> Result<Manifest, ArchiveError> {
    let mut tar = tar::Archive::new(decoder(archive, passphrase)?);
    let mut entries = entries(&mut tar).map_err(at(archive))?;
    manifest(archive, entries.next())
}

/// Compares an archive with its checksums.
pub fn verify(archive: &Path, passphrase: Option<&Secret>) -> Result<Manifest, ArchiveError> {
    read(archive, passphrase, None)
}

/// Writes the files of an archive to the existing `directory`, and compares them with their checksums.
pub(in crate::db) fn unpack(
    archive: &Path,
    passphrase: Option<&Secret>,
    directory: &Path,
) -> Result<Manifest, ArchiveError> {
    read(archive, passphrase, Some(directory))
}

fn read(archive: &Path, passphrase: Option<&Secret>, target: Option<&Path>) -> Result<Manifest, ArchiveError> {
    let damaged = |reason: &str| ArchiveError::Damaged(archive.to_owned(), reason.to_owned());
    let mut tar = tar::Archive::new(decoder(archive, passphrase)?);
    let mut entries = entries(&mut tar).map_err(at(archive))?;
    let manifest = manifest(archive, entries.next())?;
    for file in &manifest.files {
        let entry =
            entries.next().ok_or_else(|| damaged(&format!("{} is missing", file.path)))?.map_err(at(archive))?;
        let target = target.map(|directory| directory.join(&file.path));
        copy(archive, entry, file, target.as_deref())?;
    }
    if entries.next().is_some() {
        return Err(damaged("it contains files that its manifest does not list"));
    }
    // Read to the end, so that a file that was cut off or extended is detected.
    let mut rest = tar.into_inner();
    let length = io::copy(&mut (&mut rest).take(MAX_PADDING_BYTES), &mut io::sink()).map_err(at(archive))?;
    if length == MAX_PADDING_BYTES {
        return Err(damaged("it continues after its last file"));
    }
    Ok(manifest)
}

/// The entries of a tar file. Extensions of entries, such as long names, would be read into memory before their size is
/// checked. Archives have none, so they are entries with an unexpected name or type here.
fn entries<R: Read>(tar: &mut tar::Archive<R>) -> io::Result<Entries<'_, R>> {
    Ok(tar.entries()?.raw(true))
}

/// Whether the entry is a regular file with this path.
fn is_file<R: Read>(entry: &Entry<'_, R>, path: &str) -> bool {
    entry.header().entry_type().is_file() && *entry.path_bytes() == *path.as_bytes()
}

/// The tar file in an archive.
fn decoder(archive: &Path, passphrase: Option<&Secret>) -> Result<impl Read + use<>, ArchiveError> {
    let kind = BackupKind::of(archive).map_err(at(archive))?;
    let file = BufReader::new(File::open(archive).map_err(at(archive))?);
    let compressed: Box<dyn Read> = match (kind, passphrase) {
        (BackupKind::EncryptedArchive, Some(passphrase)) => {
            Box::new(DecryptReader::new(file, passphrase).map_err(at(archive))?)
        }
        (BackupKind::EncryptedArchive, None) => return Err(ArchiveError::NoPassphrase(archive.to_owned())),
        (BackupKind::Archive, _) => Box::new(file),
        (BackupKind::Database, _) => {
            return Err(ArchiveError::Damaged(archive.to_owned(), "it is not an archive".into()));
        }
    };
    Decoder::new(compressed).map_err(at(archive))
}

/// Reads the manifest from the first entry and checks everything that it lists.
fn manifest<R: Read>(archive: &Path, first: Option<io::Result<Entry<'_, R>>>) -> Result<Manifest, ArchiveError> {
    let damaged = |reason: &str| ArchiveError::Damaged(archive.to_owned(), reason.to_owned());
    let entry = first.ok_or_else(|| damaged("it is empty"))?.map_err(at(archive))?;
    if !is_file(&entry, MANIFEST) || entry.size() > MAX_MANIFEST_BYTES {
        return Err(damaged("it does not begin with a manifest"));
    }
    let mut text = Vec::new();
    entry.take(MAX_MANIFEST_BYTES).read_to_end(&mut text).map_err(at(archive))?;
    let format = serde_json::from_slice::<serde_json::Value>(&text).map_err(|_| damaged("its manifest is not JSON"))?;
    let format = format["format"].as_str().unwrap_or_default().to_owned();
    if format != FORMAT {
        return Err(match format.strip_prefix("planroom-archive/") {
            Some(_) => ArchiveError::Newer(archive.to_owned(), format),
            None => damaged("its manifest has no format"),
        });
    }
    let manifest: Manifest = serde_json::from_slice(&text).map_err(|error| damaged(&error.to_string()))?;
    let paths: std::collections::HashSet<&str> = manifest.files.iter().map(|file| file.path.as_str()).collect();
    let is_valid = |file: &ArchivedFile| match file.path.strip_prefix(KEYS).and_then(|name| name.strip_prefix('/')) {
        Some(name) => key_files::is_name(name) && file.bytes <= key_files::MAX_BYTES,
        None => file.path == FILE_NAME,
    };
    let is_complete = paths.contains(FILE_NAME) && paths.len() == manifest.files.len();
    if !is_complete || manifest.files.len() > key_files::MAX_FILES + 1 || !manifest.files.iter().all(is_valid) {
        return Err(damaged("its manifest lists unknown files"));
    }
    Ok(manifest)
}

/// Copies one file, or only reads it.
fn copy<R: Read>(
    archive: &Path,
    mut entry: Entry<'_, R>,
    file: &ArchivedFile,
    target: Option<&Path>,
) -> Result<(), ArchiveError> {
    let damaged = || ArchiveError::Damaged(archive.to_owned(), format!("{} has changed", file.path));
    if !is_file(&entry, &file.path) || entry.size() != file.bytes {
        return Err(damaged());
    }
    let mut output = target.map(create).transpose()?;
    let mut checksum = Checksum::default();
    let mut buffer = vec![0; 64 << 10];
    loop {
        let read = entry.read(&mut buffer).map_err(at(archive))?;
        if read == 0 {
            break;
        }
        checksum.update(&buffer[..read]);
        if let Some((path, output)) = &mut output {
            output.write_all(&buffer[..read]).map_err(|error| ArchiveError::Write(path.clone(), error))?;
        }
    }
    if checksum.bytes != file.bytes || checksum.hex() != file.sha256 {
        return Err(damaged());
    }
    match output {
        Some((path, output)) => output.sync_all().map_err(|error| ArchiveError::Write(path, error)),
        None => Ok(()),
    }
}

/// Creates a file, and its directory if it does not exist, both readable by their owner only.
fn create(path: &Path) -> Result<(PathBuf, File), ArchiveError> {
    let failed = |error| ArchiveError::Write(path.to_owned(), error);
    if let Some(directory) = path.parent().filter(|directory| fs::symlink_metadata(directory).is_err()) {
        DirBuilder::new().mode(0o700).create(directory).map_err(failed)?;
    }
    let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path).map_err(failed)?;
    Ok((path.to_owned(), file))
}

/// Names the archive. Errors of decoders mean that it is damaged.
fn at(archive: &Path) -> impl Fn(io::Error) -> ArchiveError {
    let archive = archive.to_owned();
    move |error| {
        // Errors of the operating system have a code, those of decoders do not.
        if error.raw_os_error().is_some() {
            return ArchiveError::Io(archive.clone(), error);
        }
        match error.to_string().as_str() {
            WRONG_PASSPHRASE => ArchiveError::WrongPassphrase(archive.clone()),
            damage => ArchiveError::Damaged(archive.clone(), damage.replace("the file is damaged: ", "")),
        }
    }
}
