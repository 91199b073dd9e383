//! Finds files from folder to folder. Each link is checked before it is followed, so that nothing outside of the folder that the
//! files must be in is looked at: not even whether it exists.

use std::{
    cell::Cell,
    collections::{BTreeSet, HashSet},
    ffi::{OsStr, OsString},
    fs, io,
    path::{Path, PathBuf},
};

use import::MAX_FILES;

use super::{super::git, wildcard::Wildcard};

/// Maximum number of files, folders and links that a command looks at.
pub(in crate::cli::sync) const MAX_STEPS: usize = 2_000_000;
/// Maximum number of links on the way to a file, as in Linux.
const MAX_LINKS: usize = 40;

/// A search of files.
#[derive(Debug)]
pub(in crate::cli::sync) struct Walk<'w> {
    /// Where relative paths begin, without links.
    start: PathBuf,
    bounds: Option<Bounds>,
    /// How many steps are left.
    steps: &'w Cell<usize>,
}

/// What the files must be in, and what they must not be in.
#[derive(Debug)]
struct Bounds {
    /// Without links.
    folder: PathBuf,
    /// Folders inside that contain a Git repository, also under other names than `.git`.
    git: Vec<PathBuf>,
}

/// Why a search ended.
#[derive(Debug)]
pub(in crate::cli::sync) enum Stop {
    /// A path leaves the folder, through this link if there is one.
    Outside(Option<PathBuf>),
    /// A path leads into a Git repository, through this link if there is one.
    InGit(Option<PathBuf>),
    TooManySteps,
    InvalidPattern(&'static str),
    Unreadable(PathBuf, io::Error),
}

/// A part of a pattern, between slashes.
enum Part {
    Name(PathBuf),
    Wildcard(Wildcard),
    /// `**`: any number of folders.
    Folders,
}

impl<'w> Walk<'w> {
    /// Searches any file from the current folder.
    pub(in crate::cli::sync) fn anywhere(steps: &'w Cell<usize>) -> io::Result<Self> {
        Ok(Self { start: Path::new(".").canonicalize()?, bounds: None, steps })
    }

    /// Searches files in a folder, except those of a Git repository.
    pub(in crate::cli::sync) fn inside(folder: PathBuf, steps: &'w Cell<usize>) -> Self {
        let git = git::folders(&folder).into_iter().filter(|git| git.starts_with(&folder) && *git != folder).collect();
        Self { start: folder.clone(), bounds: Some(Bounds { folder, git }), steps }
    }

    /// Where relative paths begin.
    pub(in crate::cli::sync) fn start(&self) -> &Path {
        &self.start
    }

    /// Follows a path. Returns where it ends, without links; none if nothing is there.
    pub(in crate::cli::sync) fn resolve(&self, path: &Path) -> Result<Option<PathBuf>, Stop> {
        self.follow(&self.start, path)
    }

    /// The files that match a pattern, without links and sorted. Stops at one file more than can be read.
    pub(super) fn matching(&self, pattern: &str) -> Result<BTreeSet<PathBuf>, Stop> {
        let (start, parts) = self.parts(pattern)?;
        let (mut found, mut seen) = (BTreeSet::new(), HashSet::new());
        let mut left = vec![(start, 0)];
        while let Some((folder, at)) = left.pop() {
            let Some(part) = parts.get(at) else {
                if folder.is_file() {
                    found.insert(folder);
                }
                if found.len() > MAX_FILES {
                    break;
                }
                continue;
            };
            self.step()?;
            // Links and `..` can lead to a folder more than once.
            if !folder.is_dir() || !seen.insert((folder.clone(), at)) {
                continue;
            }
            match part {
                Part::Name(name) => left.extend(self.follow(&folder, name)?.map(|path| (path, at + 1))),
                Part::Wildcard(wildcard) => {
                    let is_last = at + 1 == parts.len();
                    for (name, kind) in self.entries(&folder)? {
                        let is_match = name.to_str().is_some_and(|name| wildcard.matches(name));
                        if !is_match || kind.is_dir() == is_last && !kind.is_symlink() {
                            continue;
                        }
                        match self.follow(&folder, Path::new(&name)) {
                            // Folders are not searched there. A file was meant, so this is an error.
                            Err(Stop::Outside(_) | Stop::InGit(_)) if !is_last => {}
                            path => left.extend(path?.map(|path| (path, at + 1))),
                        }
                    }
                }
                Part::Folders => {
                    // Links are not followed.
                    let entries = self.entries(&folder)?.into_iter().filter(|(_, kind)| kind.is_dir());
                    let folders = entries.map(|(name, _)| name).filter(|name| !is_hidden(name));
                    let folders = folders.map(|name| folder.join(name)).filter(|folder| !self.is_in_git(folder));
                    left.extend(folders.map(|folder| (folder, at)));
                    left.push((folder, at + 1));
                }
            }
        }
        Ok(found)
    }

    /// The parts of a pattern, and the folder where the first one is.
    fn parts(&self, pattern: &str) -> Result<(PathBuf, Vec<Part>), Stop> {
        let (start, inside) = self.entered(&self.start, Path::new(pattern)).ok_or(Stop::Outside(None))?;
        let mut parts = Vec::new();
        for part in inside {
            match part.to_str() {
                Some("**") if matches!(parts.last(), Some(Part::Folders)) => {}
                Some("**") => parts.push(Part::Folders),
                Some(text) if Wildcard::is_in(text) => {
                    parts.push(Part::Wildcard(Wildcard::parse(text).map_err(Stop::InvalidPattern)?));
                }
                _ => parts.push(Part::Name(part.into())),
            }
        }
        if matches!(parts.last(), Some(Part::Folders)) {
            parts.push(Part::Wildcard(Wildcard::parse("*").map_err(Stop::InvalidPattern)?));
        }
        Ok((start, parts))
    }

    /// Where a path from a folder begins, and the rest of it. None if it is an absolute path to another folder.
    fn entered<'p>(&self, from: &Path, path: &'p Path) -> Option<(PathBuf, &'p Path)> {
        let top = self.bounds.as_ref().map_or(Path::new("/"), |bounds| &bounds.folder);
        if path.is_absolute() {
            Some((top.to_owned(), path.strip_prefix(top).ok()?))
        } else {
            Some((from.to_owned(), path))
        }
    }

    fn follow(&self, from: &Path, path: &Path) -> Result<Option<PathBuf>, Stop> {
        let (mut at, inside) = self.entered(from, path).ok_or(Stop::Outside(None))?;
        let mut left: Vec<OsString> = inside.iter().rev().map(OsStr::to_owned).collect();
        let (mut links, mut first_link) = (0, None);
        while let Some(part) = left.pop() {
            self.step()?;
            if part == "." {
                continue;
            }
            if part == ".." {
                if self.bounds.as_ref().is_some_and(|bounds| bounds.folder == at) {
                    return Err(Stop::Outside(first_link));
                }
                at.pop();
                continue;
            }
            let next = at.join(&part);
            if self.is_in_git(&next) {
                return Err(Stop::InGit(first_link));
            }
            let target = match fs::symlink_metadata(&next) {
                Ok(found) if found.is_symlink() => fs::read_link(&next),
                Ok(_) => {
                    at = next;
                    continue;
                }
                Err(error) => Err(error),
            };
            let target = match target {
                Ok(target) => target,
                Err(error) if is_absent(&error) => return Ok(None),
                Err(error) => return Err(Stop::Unreadable(next, error)),
            };
            links += 1;
            if links > MAX_LINKS {
                return Ok(None);
            }
            let link = first_link.get_or_insert(next);
            let (start, inside) = self.entered(&at, &target).ok_or_else(|| Stop::Outside(Some(link.clone())))?;
            left.extend(inside.iter().rev().map(OsStr::to_owned));
            at = start;
        }
        Ok(Some(at))
    }

    /// Whether files at a path must not be read because they belong to Git, which stores credentials. Case is ignored because
    /// some file systems do so.
    fn is_in_git(&self, path: &Path) -> bool {
        self.bounds.as_ref().is_some_and(|bounds| {
            path.file_name().is_some_and(|name| name.eq_ignore_ascii_case(".git"))
                || bounds.git.iter().any(|git| path.starts_with(git))
        })
    }

    fn entries(&self, folder: &Path) -> Result<Vec<(OsString, fs::FileType)>, Stop> {
        let unreadable = |error| Stop::Unreadable(folder.to_owned(), error);
        let entries = fs::read_dir(folder).map_err(unreadable)?.map(|entry| {
            self.step()?;
            let entry = entry.map_err(unreadable)?;
            Ok((entry.file_name(), entry.file_type().map_err(unreadable)?))
        });
        entries.collect()
    }

    fn step(&self) -> Result<(), Stop> {
        self.steps.set(self.steps.get().checked_sub(1).ok_or(Stop::TooManySteps)?);
        Ok(())
    }
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// Whether an error means that there is no such file.
fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename)
}
