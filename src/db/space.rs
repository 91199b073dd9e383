//! Checks of free disk space, and of the directory for temporary files.

use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

use super::open_error::OpenError;

const MIB: u64 = 1 << 20;

/// Fails if fewer than `bytes` are free in `directory`; `what` names the operation. Succeeds if the free space is
/// unknown.
pub(super) fn expect(what: &'static str, directory: &Path, bytes: u64) -> Result<(), OpenError> {
    free(directory).map_or(Ok(()), |available| compare(what, directory, bytes, available))
}

/// Free bytes for unprivileged users on the file system of `directory`. None if unknown.
pub(super) fn free(directory: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(directory).ok()?;
    Some(found.f_bavail.saturating_mul(found.f_frsize))
}

fn compare(what: &'static str, directory: &Path, bytes: u64, available: u64) -> Result<(), OpenError> {
    if available >= bytes {
        return Ok(());
    }
    Err(OpenError::NoSpace {
        what,
        path: directory.display().to_string(),
        needed: bytes.div_ceil(MIB),
        available: available / MIB,
    })
}

/// Free space required to copy a database of `bytes`.
pub(super) fn for_copy(bytes: u64) -> u64 {
    bytes.saturating_add(bytes / 4).saturating_add(8 * MIB)
}

/// Free space required to copy a database of `bytes` and then migrate the original, whose write-ahead log can become as large.
pub(super) fn for_upgrade(bytes: u64) -> u64 {
    bytes.saturating_mul(2).saturating_add(8 * MIB)
}

/// Variables that can name the directory for SQLite's temporary files, which large sorts and writes need.
const TEMPORARY_VARIABLES: [&str; 2] = ["SQLITE_TMPDIR", "TMPDIR"];
/// Directories that SQLite tries after the variables.
const TEMPORARY_DIRECTORIES: [&str; 4] = ["/var/tmp", "/usr/tmp", "/tmp", "."];

/// Fails if SQLite finds no directory for temporary files, such as in a container with a read-only file system. Writes
/// would fail later, with an error that does not say why.
pub(super) fn expect_temporary_files() -> Result<(), OpenError> {
    let named = TEMPORARY_VARIABLES.into_iter().filter_map(std::env::var_os).map(PathBuf::from);
    first_writable(named.chain(TEMPORARY_DIRECTORIES.map(PathBuf::from)))
        .map(|_| ())
        .ok_or(OpenError::NoTemporaryDirectory)
}

fn first_writable(mut directories: impl Iterator<Item = PathBuf>) -> Option<PathBuf> {
    directories.find(|path| path.is_dir() && access(path, Access::WRITE_OK | Access::EXEC_OK).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temporary_files_need_a_writable_directory() {
        assert!(expect_temporary_files().is_ok());
        let (kept, file) = (tempfile::tempdir().unwrap(), PathBuf::from(file!()));
        let directory = kept.path().to_owned();
        assert_eq!(first_writable([file.clone(), "/nowhere".into(), directory.clone()].into_iter()), Some(directory));
        // A directory of the kernel, in which not even root can create files.
        assert_eq!(first_writable([file, "/nowhere".into(), "/proc/sys".into()].into_iter()), None);
    }

    #[test]
    fn a_full_disk_is_reported_with_the_missing_space() {
        let path = Path::new("/data");
        assert!(compare("the copy", path, 10 * MIB, 10 * MIB).is_ok());
        let refusal = compare("the copy", path, for_copy(400 * MIB), 100 * MIB).unwrap_err().to_string();
        assert_eq!(
            refusal,
            "the copy requires 508 MiB in /data, but only 100 MiB are free; free up space, then try again"
        );
        assert!(expect("the copy", Path::new("/"), for_copy(u64::MAX)).is_err());
        assert!(expect("the copy", Path::new("/nowhere/at/all"), 1).is_ok());
    }
}
