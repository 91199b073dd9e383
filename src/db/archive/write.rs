//! Writes archives.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Read, Write},
    os::unix::fs::MetadataExt,
    path::Path,
};

use rusqlite::Connection;
use tar::{Builder, Header};
use zstd::stream::write::Encoder;

use super::{ArchivedFile, Checksum, FORMAT, KEYS, MANIFEST, Manifest, left};
use crate::{
    db::{
        backup::{self, BackupError},
        incarnation, key_files, migrate, open,
        options::FILE_NAME,
        space,
    },
    encryption::EncryptWriter,
    secret::Secret,
};

/// Fast, and about as small as higher levels: most of a database is short text.
const COMPRESSION_LEVEL: i32 = 3;

/// Prefix of the names of copies in the data directory.
const COPY: &str = "backup-copy";

/// How an archive is written.
#[derive(Debug, Clone, Default)]
pub struct ArchiveOptions {
    /// Whether the archive contains the keys.
    pub with_keys: bool,
    /// Encrypts the archive.
    pub passphrase: Option<Secret>,
    /// The current time in Unix milliseconds.
    pub now: i64,
}

/// The current step of a backup, for progress messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The database is copied, and the copy is checked.
    Copying,
    /// The archive is written: bytes of the database so far, and in total.
    Compressing(u64, u64),
    /// The archive is read and compared with its checksums.
    Verifying,
}

/// Writes the database and keys of `data_dir` to the new archive `target`, readable by its owner only, and verifies it.
/// This is safe while a server runs: the archive contains a snapshot. The file appears under its name when it is
/// complete. Temporarily requires space for an uncompressed copy: next to `target`, or in `data_dir` if the archive is
/// encrypted, because the disk of the backups may be readable by others.
pub fn create(
    data_dir: &Path,
    target: &Path,
    options: &ArchiveOptions,
    progress: &mut dyn FnMut(Stage),
) -> Result<Manifest, BackupError> {
    let source = data_dir.join(FILE_NAME);
    let connection = backup::source(data_dir)?;
    if fs::symlink_metadata(target).is_ok() {
        return Err(BackupError::Exists(target.to_owned()));
    }
    backup::make_directory_of(target)?;
    let directory = backup::directory_of(target);
    left::remove(data_dir, COPY)?;
    left::remove(directory, &format!("{}.", target.file_name().unwrap_or_default().to_string_lossy()))?;
    let size = fs::metadata(&source).map_err(BackupError::reading(&source))?.len();
    let copy_path = if options.passphrase.is_some() { data_dir.join(COPY) } else { target.to_owned() };
    expect_space(backup::directory_of(&copy_path), directory, space::for_copy(size))?;
    progress(Stage::Copying);
    let copies = left::Held::directory(&copy_path)?;
    let copy = copies.path().join(FILE_NAME);
    backup::copy_and_verify(&connection, &copy)?;
    drop(connection);

    let keys = options.with_keys.then(|| key_files::read(&data_dir.join(KEYS))).transpose();
    let mut keys = keys.map_err(BackupError::unreadable)?.unwrap_or_default();
    for (path, _) in &mut keys {
        *path = format!("{KEYS}/{path}");
    }
    let manifest = manifest(&copy, &keys, options.now)?;
    let (archive, file) = left::Held::file(target)?;
    let written = write(file, &manifest, &copy, &keys, options, progress);
    written.map_err(BackupError::at(target))?;
    drop(copies);
    progress(Stage::Verifying);
    super::verify(archive.path(), options.passphrase.as_ref())
        .map_err(|error| BackupError::Unsound(error.to_string()))?;
    archive.put_in_place(target)?;
    Ok(manifest)
}

/// Fails if one directory has no space for a copy, or the other one for an archive, which can be as large as the copy.
fn expect_space(copies: &Path, archives: &Path, bytes: u64) -> Result<(), BackupError> {
    const WHAT: &str = "the backup";
    let disk = |directory: &Path| fs::metadata(directory).map(|found| found.dev()).ok();
    if disk(copies) == disk(archives) {
        return Ok(space::expect(WHAT, copies, bytes.saturating_mul(2))?);
    }
    space::expect(WHAT, copies, bytes)?;
    Ok(space::expect(WHAT, archives, bytes)?)
}

/// The archive while it is written.
enum Output {
    Plain(BufWriter<File>),
    Encrypted(Box<EncryptWriter<BufWriter<File>>>),
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(file) => file.write(bytes),
            Self::Encrypted(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(file) => file.flush(),
            Self::Encrypted(file) => file.flush(),
        }
    }
}

fn write(
    file: File,
    manifest: &Manifest,
    database: &Path,
    keys: &[(String, Vec<u8>)],
    options: &ArchiveOptions,
    progress: &mut dyn FnMut(Stage),
) -> io::Result<()> {
    let file = BufWriter::new(file);
    let output = match &options.passphrase {
        Some(passphrase) => Output::Encrypted(Box::new(EncryptWriter::new(file, passphrase)?)),
        None => Output::Plain(file),
    };
    let mut encoder = Encoder::new(output, COMPRESSION_LEVEL)?;
    encoder.include_checksum(true)?;
    let mut tar = Builder::new(encoder);
    let mut append = |path: &str, bytes: u64, content: &mut dyn Read| {
        let mut header = Header::new_gnu();
        header.set_size(bytes);
        header.set_mode(0o600);
        header.set_mtime(u64::try_from(manifest.created_at / 1_000).unwrap_or(0));
        tar.append_data(&mut header, path, content)
    };
    let listed = serde_json::to_vec_pretty(manifest)?;
    append(MANIFEST, listed.len() as u64, &mut listed.as_slice())?;
    let total = manifest.database_bytes();
    let mut database = Counted { inner: File::open(database)?, done: 0, total, progress };
    append(FILE_NAME, total, &mut database)?;
    for (path, content) in keys {
        append(path, content.len() as u64, &mut content.as_slice())?;
    }
    let file = match tar.into_inner()?.finish()? {
        Output::Plain(file) => file,
        Output::Encrypted(file) => file.finish()?,
    };
    file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
}

/// Reports how much of a file was read.
struct Counted<'p> {
    inner: File,
    done: u64,
    total: u64,
    progress: &'p mut dyn FnMut(Stage),
}

impl Read for Counted<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(into)?;
        self.done += read as u64;
        (self.progress)(Stage::Compressing(self.done, self.total));
        Ok(read)
    }
}

fn manifest(database: &Path, keys: &[(String, Vec<u8>)], now: i64) -> Result<Manifest, BackupError> {
    let connection = open::read_only(database)?;
    let schema = migrate::version(&connection)?.unwrap_or(0);
    let checksum = Checksum::of(database).map_err(BackupError::at(database))?;
    let bytes = checksum.bytes;
    let mut files = vec![ArchivedFile { path: FILE_NAME.to_owned(), bytes, sha256: checksum.hex() }];
    for (path, content) in keys {
        let mut checksum = Checksum::default();
        checksum.update(content);
        files.push(ArchivedFile { path: path.clone(), bytes: content.len() as u64, sha256: checksum.hex() });
    }
    Ok(Manifest {
        format: FORMAT.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        schema,
        incarnation: incarnation_of(&connection),
        last_change: incarnation::last_change(&connection)?,
        created_at: now,
        files,
    })
}

/// The incarnation of the original. None for databases of versions without incarnations.
fn incarnation_of(connection: &Connection) -> Option<String> {
    incarnation::stored(connection).ok().flatten().map(|(incarnation, _)| incarnation)
}
