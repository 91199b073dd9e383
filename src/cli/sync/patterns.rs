//! Which files the paths and patterns of a source name.
//!
//! A configuration is a part of the repository, so a pull request can change it. Its sources are therefore inside its folder
//! after links are followed, and never in `.git`, whose files can contain credentials. Arguments come from the user who runs
//! the command, and name any file.

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

/// Where paths and patterns begin, and where they may lead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Scope {
    /// A configuration in this folder names the files.
    Configuration(PathBuf),
    /// Arguments in the current folder name the files.
    Arguments,
}

impl Scope {
    /// The folder where paths begin.
    pub(super) fn folder(&self) -> &Path {
        match self {
            Self::Configuration(folder) => folder,
            Self::Arguments => Path::new(""),
        }
    }

    /// The folder that the files which files refer to are in: the repository of a configuration, even if the command runs
    /// elsewhere.
    pub(super) fn repository(&self, base: &Path) -> Result<PathBuf, Failure> {
        match self {
            Self::Configuration(folder) => {
                let Bounds(folder) = Bounds::of(folder)?;
                Ok(git::root(&folder).unwrap_or(folder))
            }
            Self::Arguments => Ok(base.to_owned()),
        }
    }

    /// The files that paths and patterns name, sorted by pattern and name.
    pub(super) fn expand(&self, patterns: &[String]) -> Result<Vec<PathBuf>, Failure> {
        let bounds = match self {
            Self::Configuration(folder) => Some(Bounds::of(folder)?),
            Self::Arguments => None,
        };
        let search = Search { folder: self.folder(), bounds };
        let mut found: Vec<PathBuf> = Vec::new();
        for pattern in patterns {
            let mut matched = search.named(pattern)?;
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

/// A folder, without links, that the files of a configuration are in.
#[derive(Debug)]
pub(super) struct Bounds(PathBuf);

/// Where a path leads that is not inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Elsewhere {
    Outside,
    Git,
}

impl Bounds {
    /// The folder of a configuration. An empty path is the current folder.
    pub(super) fn of(folder: &Path) -> Result<Self, Failure> {
        let whole = folder.join(".").canonicalize();
        Ok(Self(whole.map_err(|error| format!("cannot read {}: {error}", folder.display()))?))
    }

    /// Where an existing path leads after links are followed, if not to a file or folder that may be read.
    pub(super) fn leaving(&self, path: &Path) -> io::Result<Option<Elsewhere>> {
        let whole = path.canonicalize()?;
        Ok(match whole.strip_prefix(&self.0) {
            Err(_) => Some(Elsewhere::Outside),
            Ok(inside) if is_in_git(inside) => Some(Elsewhere::Git),
            Ok(_) => None,
        })
    }
}

/// Whether a path leads through `.git`, in any case: some file systems do not tell `.GIT` from it.
pub(super) fn is_in_git(path: &Path) -> bool {
    path.iter().any(|part| part.eq_ignore_ascii_case(".git"))
}

struct Search<'s> {
    folder: &'s Path,
    bounds: Option<Bounds>,
}

impl Search<'_> {
    /// The files that a path or pattern names.
    fn named(&self, pattern: &str) -> Result<Vec<PathBuf>, Failure> {
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

    /// Refuses a path that leads out of the bounds.
    fn check(&self, path: &Path, shown: impl Display) -> Result<(), Failure> {
        let Some(bounds) = &self.bounds else { return Ok(()) };
        match bounds.leaving(path).map_err(|error| cannot_read(path, error))? {
            None => Ok(()),
            Some(Elsewhere::Outside) => Err(format!(
                "the configuration names {shown}, which is outside of its folder after links are followed; move the file or the \
                 configuration, or name the file as an argument"
            )
            .into()),
            Some(Elsewhere::Git) => Err(format!(
                "the configuration names {shown}, which is in `.git`; copy what you want to read to a folder of the repository"
            )
            .into()),
        }
    }

    fn matching(&self, pattern: &str) -> Result<Vec<PathBuf>, Failure> {
        let no_pattern = |error| format!("{pattern} is no valid pattern: {error}");
        Pattern::new(pattern).map_err(no_pattern)?;
        let wildcard = pattern.find(WILDCARDS).unwrap_or_default();
        let fixed = &pattern[..pattern[..wildcard].rfind('/').map_or(0, |slash| slash + 1)];
        let start = self.folder.join(fixed);
        // Folders elsewhere are not even searched.
        if !fixed.is_empty() && start.exists() {
            self.check(&start, pattern)?;
        }
        let parts: Vec<&str> = pattern.split('/').collect();
        let depth = parts.iter().position(|part| *part == "**");
        let mut found = Vec::new();
        match depth {
            None => self.glob(pattern, |path| self.add(&mut found, path))?,
            Some(depth) => {
                let deep = parts[depth..].join("/");
                let deep = Deep { pattern: Pattern::new(&deep).map_err(no_pattern)?, is_hidden: deep.contains("/.") };
                match &parts[..depth] {
                    [] => deep.search(self.folder, |path| self.add(&mut found, path))?,
                    shallow => self.glob(&format!("{}/", shallow.join("/")), |folder| {
                        self.check(&folder, pattern)?;
                        deep.search(&folder, |path| self.add(&mut found, path))
                    })?,
                }
            }
        }
        Ok(found)
    }

    /// Calls `each` with what a pattern without `**` matches.
    fn glob(&self, pattern: &str, mut each: impl FnMut(PathBuf) -> Result<(), Failure>) -> Result<(), Failure> {
        let folder = self.folder.to_str().ok_or("the path of the configuration is not UTF-8")?;
        let whole = match folder {
            folder if folder.is_empty() || Path::new(pattern).is_absolute() => pattern.to_owned(),
            folder => format!("{}/{pattern}", Pattern::escape(folder)),
        };
        let paths =
            glob::glob_with(&whole, MATCHING).map_err(|error| format!("{pattern} is no valid pattern: {error}"))?;
        for path in paths {
            each(path.map_err(|error| cannot_read(error.path(), error.error()))?)?;
        }
        Ok(())
    }

    /// Adds a match if it is a file. One more than the limit is enough to know that there are too many.
    fn add(&self, found: &mut Vec<PathBuf>, path: PathBuf) -> Result<(), Failure> {
        if path.is_file() && found.len() <= MAX_FILES {
            self.check(&path, path.display())?;
            found.push(path);
        }
        Ok(())
    }
}

/// The part of a pattern that begins with `**`.
struct Deep {
    pattern: Pattern,
    /// Whether it names hidden files or folders.
    is_hidden: bool,
}

impl Deep {
    /// Calls `each` with what matches in a folder, at any depth. Links of folders are not followed: they can lead in circles.
    fn search(&self, folder: &Path, mut each: impl FnMut(PathBuf) -> Result<(), Failure>) -> Result<(), Failure> {
        let start = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let is_hidden = |name: &OsStr| name.as_encoded_bytes().starts_with(b".");
        let entries = WalkDir::new(start).min_depth(1).sort_by_file_name().into_iter();
        for entry in entries.filter_entry(|entry| self.is_hidden || !is_hidden(entry.file_name())) {
            let entry = entry.map_err(|error| format!("cannot read files below {}: {error}", start.display()))?;
            let path = entry.path().strip_prefix(start)?;
            if self.pattern.matches_path_with(path, MATCHING) {
                each(folder.join(path))?;
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
