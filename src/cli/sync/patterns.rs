//! Resolves the paths and patterns of a source to files.
//!
//! A configuration is part of the repository, so a pull request can change it. Its sources must therefore be inside its folder
//! after symbolic links are resolved, and never in `.git`, which can contain credentials. Arguments come from the user who
//! runs the command, and can name any file.

use std::{
    ffi::OsStr,
    fmt::Display,
    io,
    path::{Path, PathBuf},
};

use glob::{MatchOptions, Pattern};
use import::MAX_FILES;
use walkdir::WalkDir;

use super::git;
use crate::cli::output::Failure;

/// `*` does not match `/` or hidden files, as in a shell.
const MATCHING: MatchOptions =
    MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: true };
const WILDCARDS: [char; 3] = ['*', '?', '['];

/// Who names the files, which decides what paths are relative to and which files may be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Scope {
    /// A configuration in this folder names the files.
    Configuration(PathBuf),
    /// Arguments in the current folder name the files.
    Arguments,
}

impl Scope {
    /// The folder that paths are relative to.
    pub(super) fn folder(&self) -> &Path {
        match self {
            Self::Configuration(folder) => folder,
            Self::Arguments => Path::new(""),
        }
    }

    /// The folder that contains all files that the source files may refer to: the repository of a configuration, even if the
    /// command runs in another folder.
    pub(super) fn repository(&self, base: &Path) -> Result<PathBuf, Failure> {
        match self {
            Self::Configuration(folder) => {
                let Bounds(folder) = Bounds::of(folder)?;
                Ok(git::root(&folder).unwrap_or(folder))
            }
            Self::Arguments => Ok(base.to_owned()),
        }
    }

    /// Resolves paths and patterns to files, sorted by pattern and name.
    pub(super) fn expand(&self, patterns: &[String]) -> Result<Vec<PathBuf>, Failure> {
        let bounds = match self {
            Self::Configuration(folder) => Some(Bounds::of(folder)?),
            Self::Arguments => None,
        };
        let search = Search { folder: self.folder(), bounds };
        let mut found: Vec<PathBuf> = Vec::new();
        for pattern in patterns {
            let mut matched = search.resolve(pattern)?;
            if matched.is_empty() {
                return Err(format!("no file matches {pattern}").into());
            }
            matched.retain(|path| !found.contains(path));
            found.extend(matched);
            if found.len() > MAX_FILES {
                return Err(format!("{pattern} names too many files: at most {MAX_FILES} can be read at once").into());
            }
        }
        Ok(found)
    }
}

/// The canonical path of the folder that the files of a configuration must be in.
#[derive(Debug)]
pub(super) struct Bounds(PathBuf);

/// Why a path is out of bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OutOfBounds {
    OutsideFolder,
    InGit,
}

impl Bounds {
    /// The bounds of a configuration in this folder. An empty path is the current folder.
    pub(super) fn of(folder: &Path) -> Result<Self, Failure> {
        let canonical = folder.join(".").canonicalize();
        Ok(Self(canonical.map_err(|error| format!("cannot read {}: {error}", folder.display()))?))
    }

    /// Checks an existing path after symbolic links are resolved. Returns `None` if it may be read.
    pub(super) fn violation(&self, path: &Path) -> io::Result<Option<OutOfBounds>> {
        let canonical = path.canonicalize()?;
        Ok(match canonical.strip_prefix(&self.0) {
            Err(_) => Some(OutOfBounds::OutsideFolder),
            Ok(inside) if is_in_git(inside) => Some(OutOfBounds::InGit),
            Ok(_) => None,
        })
    }
}

/// Whether a path contains a folder or file `.git`. Case is ignored because some file systems are case-insensitive.
pub(super) fn is_in_git(path: &Path) -> bool {
    path.iter().any(|part| part.eq_ignore_ascii_case(".git"))
}

struct Search<'s> {
    folder: &'s Path,
    bounds: Option<Bounds>,
}

impl Search<'_> {
    /// Returns the files that a path or pattern matches.
    fn resolve(&self, pattern: &str) -> Result<Vec<PathBuf>, Failure> {
        let path = self.folder.join(pattern);
        if path.exists() {
            self.check(&path, pattern)?;
        }
        if path.is_file() {
            Ok(vec![path])
        } else if path.is_dir() {
            Err(format!("{pattern} is a folder; name its files, such as '{pattern}/**/*.yaml'").into())
        } else if pattern.contains(WILDCARDS) {
            self.matching(pattern)
        } else {
            Err(format!("there is no file {pattern}").into())
        }
    }

    /// Rejects a path that is out of bounds. `shown` is the path or pattern in the error.
    fn check(&self, path: &Path, shown: impl Display) -> Result<(), Failure> {
        let Some(bounds) = &self.bounds else { return Ok(()) };
        match bounds.violation(path).map_err(|error| cannot_read(path, error))? {
            None => Ok(()),
            Some(OutOfBounds::OutsideFolder) => Err(format!(
                "the configuration names {shown}, which is outside of its folder after links are followed; move the file or the \
                 configuration, or name the file as an argument"
            )
            .into()),
            Some(OutOfBounds::InGit) => Err(format!(
                "the configuration names {shown}, which is in `.git`; copy the file to another folder of the repository"
            )
            .into()),
        }
    }

    fn matching(&self, pattern: &str) -> Result<Vec<PathBuf>, Failure> {
        let invalid_pattern = |error| format!("{pattern} is not a valid pattern: {error}");
        Pattern::new(pattern).map_err(invalid_pattern)?;
        let wildcard = pattern.find(WILDCARDS).unwrap_or_default();
        let fixed = &pattern[..pattern[..wildcard].rfind('/').map_or(0, |slash| slash + 1)];
        let start = self.folder.join(fixed);
        // Folders that are out of bounds are not searched.
        if !fixed.is_empty() && start.exists() {
            self.check(&start, pattern)?;
        }
        let parts: Vec<&str> = pattern.split('/').collect();
        let depth = parts.iter().position(|part| *part == "**");
        let mut found = Vec::new();
        match depth {
            None => self.glob(pattern, |path| self.add(&mut found, path))?,
            Some(depth) => {
                let rest = parts[depth..].join("/");
                let matches_hidden = rest.contains("/.");
                let recursive =
                    RecursivePattern { pattern: Pattern::new(&rest).map_err(invalid_pattern)?, matches_hidden };
                match &parts[..depth] {
                    [] => recursive.search(self.folder, |path| self.add(&mut found, path))?,
                    prefix => self.glob(&format!("{}/", prefix.join("/")), |folder| {
                        self.check(&folder, pattern)?;
                        recursive.search(&folder, |path| self.add(&mut found, path))
                    })?,
                }
            }
        }
        Ok(found)
    }

    /// Calls `visit` with each path that a pattern without `**` matches.
    fn glob(&self, pattern: &str, mut visit: impl FnMut(PathBuf) -> Result<(), Failure>) -> Result<(), Failure> {
        let folder = self.folder.to_str().ok_or("the path of the configuration is not UTF-8")?;
        let full_pattern = match folder {
            folder if folder.is_empty() || Path::new(pattern).is_absolute() => pattern.to_owned(),
            folder => format!("{}/{pattern}", Pattern::escape(folder)),
        };
        let paths = glob::glob_with(&full_pattern, MATCHING)
            .map_err(|error| format!("{pattern} is not a valid pattern: {error}"))?;
        for path in paths {
            visit(path.map_err(|error| cannot_read(error.path(), error.error()))?)?;
        }
        Ok(())
    }

    /// Adds a match if it is a file. Stops at one file more than the limit, which is enough to report too many files.
    fn add(&self, found: &mut Vec<PathBuf>, path: PathBuf) -> Result<(), Failure> {
        if path.is_file() && found.len() <= MAX_FILES {
            self.check(&path, path.display())?;
            found.push(path);
        }
        Ok(())
    }
}

/// The part of a pattern that begins with `**`.
struct RecursivePattern {
    pattern: Pattern,
    /// Whether the pattern names hidden files or folders.
    matches_hidden: bool,
}

impl RecursivePattern {
    /// Calls `visit` with each match in a folder, at any depth. Symbolic links to folders are not followed, because they can
    /// form cycles.
    fn search(&self, folder: &Path, mut visit: impl FnMut(PathBuf) -> Result<(), Failure>) -> Result<(), Failure> {
        let start = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let is_hidden = |name: &OsStr| name.as_encoded_bytes().starts_with(b".");
        let entries = WalkDir::new(start).min_depth(1).sort_by_file_name().into_iter();
        for entry in entries.filter_entry(|entry| self.matches_hidden || !is_hidden(entry.file_name())) {
            let entry = entry.map_err(|error| format!("cannot read files below {}: {error}", start.display()))?;
            let path = entry.path().strip_prefix(start)?;
            if self.pattern.matches_path_with(path, MATCHING) {
                visit(folder.join(path))?;
            }
        }
        Ok(())
    }
}

fn cannot_read(path: &Path, error: impl Display) -> String {
    format!("cannot read {}: {error}", path.display())
}

#[cfg(test)]
mod tests;
