//! Resolves the paths and patterns of a source to files.
//!
//! A configuration is part of the repository, so a pull request can change it. Its sources must therefore be inside its folder
//! after symbolic links are resolved, and never in `.git`, which can contain credentials. Arguments come from the user who
//! runs the command, and can name any file.

mod walk;
mod wildcard;

use std::{
    cell::Cell,
    collections::HashSet,
    path::{Path, PathBuf},
};

use import::MAX_FILES;

pub(super) use self::walk::{MAX_STEPS, Stop, Walk};
use self::wildcard::Wildcard;
use super::git;
use crate::cli::output::Failure;

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

    /// A search of the files that the source files may refer to: those in the repository of a configuration, even if the
    /// command runs in another folder, and in the base, from which files are named.
    pub(super) fn references<'w>(&self, base: &Path, steps: &'w Cell<usize>) -> Result<Walk<'w>, Failure> {
        let repository = match self {
            Self::Configuration(folder) => {
                let folder = canonical(folder)?;
                git::root(&folder).unwrap_or(folder)
            }
            Self::Arguments => base.to_owned(),
        };
        Ok(Walk::inside(if base.starts_with(&repository) { base.to_owned() } else { repository }, steps))
    }

    /// Resolves paths and patterns to files without links, sorted by pattern and name.
    pub(super) fn expand(&self, patterns: &[String], steps: &Cell<usize>) -> Result<Vec<PathBuf>, Failure> {
        let walk = match self {
            Self::Configuration(folder) => Walk::inside(canonical(folder)?, steps),
            Self::Arguments => Walk::anywhere(steps)?,
        };
        let (mut found, mut seen) = (Vec::new(), HashSet::new());
        for pattern in patterns {
            let matched = resolve(&walk, pattern)?;
            found.extend(matched.into_iter().filter(|path| seen.insert(path.clone())));
            if found.len() > MAX_FILES {
                return Err(format!("{pattern} names too many files: at most {MAX_FILES} can be read at once").into());
            }
        }
        Ok(found)
    }
}

/// The path of a folder without links. An empty path is the current folder.
pub(super) fn canonical(folder: &Path) -> Result<PathBuf, Failure> {
    let canonical = folder.join(".").canonicalize();
    canonical.map_err(|error| format!("cannot read {}: {error}", folder.display()).into())
}

/// The files that a path or pattern matches.
fn resolve(walk: &Walk<'_>, pattern: &str) -> Result<Vec<PathBuf>, Failure> {
    let explained = |stop| explained(walk, pattern, stop);
    // A file can have the name of a pattern.
    match walk.resolve(Path::new(pattern)).map_err(explained)? {
        Some(path) if path.is_file() => Ok(vec![path]),
        Some(path) if path.is_dir() => {
            Err(format!("{pattern} is a folder; name its files, such as '{pattern}/**/*.yaml'").into())
        }
        _ if Wildcard::is_in(pattern) => {
            let matched = walk.matching(pattern).map_err(explained)?;
            if matched.is_empty() {
                return Err(format!("no file matches {pattern}").into());
            }
            Ok(matched.into_iter().collect())
        }
        _ => Err(format!("there is no file {pattern}").into()),
    }
}

/// The error about a pattern. It names only what is in the folder that the files must be in.
fn explained(walk: &Walk<'_>, pattern: &str, stop: Stop) -> Failure {
    let shown = |path: &Path| path.strip_prefix(walk.start()).unwrap_or(path).display().to_string();
    let named = |link: Option<PathBuf>| link.map_or_else(|| pattern.to_owned(), |link| shown(&link));
    let text = match stop {
        Stop::Outside(link) => format!(
            "the configuration names {}, which is outside of its folder after links are followed; move the file or the \
             configuration, or name the file as an argument",
            named(link)
        ),
        Stop::InGit(link) => format!(
            "the configuration names {}, which is in `.git` or another folder of Git; copy the file to another folder of the \
             repository",
            named(link)
        ),
        Stop::TooManySteps => format!(
            "{pattern} needs a search of too many files: a command looks at most at {MAX_STEPS}; begin the pattern with the \
             folder of the files"
        ),
        Stop::InvalidPattern(reason) => format!("{pattern} is not a valid pattern: {reason}"),
        Stop::Unreadable(path, error) => format!("cannot read {}: {error}", shown(&path)),
    };
    text.into()
}

#[cfg(test)]
mod tests;
