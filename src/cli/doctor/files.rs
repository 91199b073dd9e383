//! Checks of the files in the data directory and of their permissions.

use std::{
    fs, io,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
};

use super::findings::{Findings, Subject};
use crate::{
    app::backups,
    cli::{backup::size, output::Failure},
    config::Config,
    db::{FILE_NAME, restore},
};

/// Age from which an unfinished file in a directory of backups is a leftover, in milliseconds: another command may be
/// writing a younger one.
const LEFTOVER_AGE: i64 = 24 * 3_600_000;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) -> Result<(), Failure> {
    let data_dir = &subject.config.data_dir;
    let open = readable_by_others(data_dir)?;
    let (owner, ours) = (fs::metadata(data_dir)?.uid(), rustix::process::geteuid().as_raw());
    let foreign: Vec<PathBuf> = private_paths(data_dir)
        .into_iter()
        .filter(|path| fs::metadata(path).is_ok_and(|it| it.uid() != owner))
        .collect();
    if !open.is_empty() {
        let paths: Vec<PathBuf> = open.into_iter().map(|(path, _)| path).collect();
        findings.problem(
            "permissions",
            format!("readable by other users: {}; run `planroom doctor --repair`", listed(&paths)),
        );
    } else if !foreign.is_empty() {
        let text = format!("not owned by the owner of the data directory: {}; use chown", listed(&foreign));
        findings.problem("permissions", text);
    } else if owner != ours {
        let text = format!("the data directory belongs to user id {owner}; run commands as that user");
        findings.warn("permissions", text);
    } else {
        findings.ok("permissions", "readable by the owner only");
    }
    // A running server may be using them.
    let leftovers = if subject.is_running { Ok(Vec::new()) } else { leftovers(subject.config, subject.now) };
    let leftovers = leftovers.unwrap_or_else(|error| {
        findings.warn("files", error.to_string());
        Vec::new()
    });
    let replaced = replaced(data_dir)?;
    if !leftovers.is_empty() {
        let text = format!("left by interrupted operations: {}; run `planroom doctor --repair`", listed(&leftovers));
        findings.warn("files", text);
    }
    if !replaced.is_empty() {
        let text = format!(
            "databases that a restore replaced: {}; delete them when you no longer need them",
            listed(&replaced)
        );
        findings.warn("files", text);
    }
    if leftovers.is_empty() && replaced.is_empty() {
        findings.ok("files", "no leftovers");
    }
    let (copies, bytes) = upgrade_copies(data_dir);
    if copies > 0 {
        let directory = data_dir.join("backups");
        let text = format!(
            "copies of the database from before upgrades: {copies} ({}) in {}; delete them when you no longer need them",
            size(bytes),
            directory.display()
        );
        findings.ok("files", text);
    }
    Ok(())
}

/// Number and total size of the copies of the database that upgrades have made.
fn upgrade_copies(data_dir: &Path) -> (usize, u64) {
    let entries = fs::read_dir(data_dir.join("backups")).into_iter().flatten().flatten();
    let copies = entries.filter(|entry| {
        let name = entry.file_name();
        Path::new(&name).extension().is_some_and(|extension| extension == "db")
            && name.to_string_lossy().starts_with("before-v")
    });
    copies.fold((0, 0), |(count, bytes), copy| (count + 1, bytes + copy.metadata().map_or(0, |found| found.len())))
}

/// Files and directories that other users can access, with the mode that they should have.
pub(super) fn readable_by_others(data_dir: &Path) -> io::Result<Vec<(PathBuf, u32)>> {
    let mut found = Vec::new();
    for path in private_paths(data_dir) {
        let metadata = fs::symlink_metadata(&path)?;
        if !metadata.is_symlink() && metadata.permissions().mode() & 0o077 != 0 {
            found.push((path, if metadata.is_dir() { 0o700 } else { 0o600 }));
        }
    }
    Ok(found)
}

/// The files and directories that only their owner may access.
fn private_paths(data_dir: &Path) -> Vec<PathBuf> {
    let keys = data_dir.join("keys");
    let mut paths = vec![data_dir.to_owned(), data_dir.join(FILE_NAME)];
    paths.extend(["-wal", "-shm"].map(|suffix| data_dir.join(format!("{FILE_NAME}{suffix}"))));
    if keys.is_dir() {
        // The check of the keys reports a directory that cannot be read.
        if let Ok(entries) = fs::read_dir(&keys) {
            paths.extend(entries.filter_map(|entry| Some(entry.ok()?.path())));
        }
        paths.push(keys);
    }
    paths.retain(|path| fs::symlink_metadata(path).is_ok());
    paths
}

/// Remains of interrupted backups and restores. No server may be running.
pub(super) fn leftovers(config: &Config, now: i64) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let database = config.data_dir.join(FILE_NAME);
    let staging = config.data_dir.join(restore::STAGING);
    // Without a database, the staged copy may be the only one.
    if staging.exists() && database.exists() {
        found.push(staging);
    }
    for directory in [config.data_dir.clone(), config.data_dir.join("backups"), backups::directory(config)] {
        let entries = match fs::read_dir(&directory) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => {
                return Err(io::Error::new(error.kind(), format!("cannot read {}: {error}", directory.display())));
            }
            Ok(entries) => entries,
        };
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_old = entry.metadata()?.mtime() * 1_000 < now - LEFTOVER_AGE;
            let is_rest = name.ends_with(".unfinished") || name.ends_with(".unfinished-journal");
            if is_rest && is_old && !found.contains(&entry.path()) {
                found.push(entry.path());
            }
        }
    }
    Ok(found)
}

/// Directories with databases that a restore has moved aside.
fn replaced(data_dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(data_dir)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with("replaced-") && entry.file_type()?.is_dir() {
            found.push(entry.path());
        }
    }
    Ok(found)
}

fn listed(paths: &[PathBuf]) -> String {
    const MAX_PATHS: usize = 10;
    let shown: Vec<String> = paths.iter().take(MAX_PATHS).map(|path| path.display().to_string()).collect();
    let rest = paths.len() - shown.len();
    if rest == 0 { shown.join(", ") } else { format!("{} and {rest} more", shown.join(", ")) }
}
