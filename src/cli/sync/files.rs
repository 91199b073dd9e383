//! Finds and reads the files of a source, and the files that these refer to.

use std::path::{Path, PathBuf};

use glob::MatchOptions;
use import::{Files, MAX_FILES};

use super::git;
use crate::cli::output::Failure;

/// Maximum number of rounds in which files that others refer to are added.
const MAX_ROUNDS: usize = 16;
/// `*` does not match `/` or hidden files, as in a shell.
const MATCHING: MatchOptions =
    MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: true };

/// The folder from which files are named: the root of the repository, or the current folder outside of one.
pub(super) fn base() -> Result<PathBuf, Failure> {
    let current = std::env::current_dir()?.canonicalize()?;
    Ok(git::root(&current).unwrap_or(current))
}

/// The files that paths and patterns in a folder name, sorted by pattern and name.
pub(super) fn expand(folder: &Path, patterns: &[String]) -> Result<Vec<PathBuf>, Failure> {
    let mut found: Vec<PathBuf> = Vec::new();
    for pattern in patterns {
        let path = folder.join(pattern);
        let mut matched = if path.is_file() {
            vec![path]
        } else if path.is_dir() {
            return Err(format!("{pattern} is a folder; name its files, such as '{pattern}/**/*.yaml'").into());
        } else if pattern.contains(['*', '?', '[']) {
            matching(folder, pattern)?
        } else {
            return Err(format!("there is no file {pattern}").into());
        };
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

fn matching(folder: &Path, pattern: &str) -> Result<Vec<PathBuf>, Failure> {
    let folder = folder.to_str().ok_or("the path of the configuration is not UTF-8")?;
    let whole = match folder {
        "" => pattern.to_owned(),
        folder => format!("{}/{pattern}", glob::Pattern::escape(folder)),
    };
    let paths = glob::glob_with(&whole, MATCHING).map_err(|error| format!("{pattern} is no valid pattern: {error}"))?;
    let mut found = Vec::new();
    for path in paths {
        let path = path.map_err(|error| format!("cannot read {}: {}", error.path().display(), error.error()))?;
        if path.is_file() && found.len() <= MAX_FILES {
            found.push(path);
        }
    }
    Ok(found)
}

/// The name of a file: its path from the base, with `/` between folders. Files outside are named by their own name.
pub(super) fn name(base: &Path, path: &Path) -> Result<String, Failure> {
    let whole = path.canonicalize().map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let inside = match whole.strip_prefix(base) {
        Ok(inside) => inside.to_owned(),
        Err(_) => whole.file_name().map(PathBuf::from).unwrap_or_default(),
    };
    let parts: Option<Vec<&str>> = inside.iter().map(|part| part.to_str()).collect();
    parts.map(|parts| parts.join("/")).ok_or_else(|| format!("the path of {} is not UTF-8", path.display()).into())
}

/// Adds files to a set.
pub(super) fn add(files: &mut Files, base: &Path, paths: &[PathBuf]) -> Result<(), Failure> {
    for path in paths {
        let content = std::fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        files.add(&name(base, path)?, content)?;
    }
    Ok(())
}

/// Calls `read` again as long as files that it looked for can be added: `.env` files, includes, and files that others
/// extend. They must be inside the base.
pub(super) fn read_with_references<T, E>(
    files: &mut Files,
    base: &Path,
    read: impl Fn(&Files) -> Result<T, E>,
) -> Result<T, E> {
    let mut tried = std::collections::BTreeSet::new();
    for _ in 0..MAX_ROUNDS {
        let result = read(files);
        let mut is_changed = false;
        for name in files.missing() {
            if tried.insert(name.clone()) {
                is_changed |= add_reference(files, base, &name);
            }
        }
        if !is_changed {
            return result;
        }
    }
    read(files)
}

/// Adds a file, or the files directly in a folder. Whether there was one.
fn add_reference(files: &mut Files, base: &Path, name: &str) -> bool {
    let Ok(path) = base.join(name).canonicalize() else { return false };
    // A link can lead out of the repository.
    if !path.starts_with(base) {
        return false;
    }
    let paths = if path.is_dir() {
        let entries = std::fs::read_dir(&path).into_iter().flatten().filter_map(Result::ok);
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).take(MAX_FILES).collect();
        paths.sort();
        paths
    } else {
        vec![path]
    };
    let mut is_added = false;
    for path in paths.iter().filter(|path| path.is_file()) {
        let inside = path.canonicalize().is_ok_and(|path| path.starts_with(base));
        let Ok(relative) = path.strip_prefix(base) else { continue };
        let name = relative.to_string_lossy().replace('\\', "/");
        // What is too large or no text stays missing, and the reader says so.
        is_added |= inside && std::fs::read(path).is_ok_and(|content| files.add_reference(&name, content).is_ok());
    }
    is_added
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use import::{Format, Options};

    fn folder(files: &[(&str, &str)]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let base = folder.path().canonicalize().unwrap();
        (folder, base)
    }

    fn names(base: &Path, patterns: &[&str]) -> Result<Vec<String>, String> {
        let patterns: Vec<String> = patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
        let paths = expand(base, &patterns).map_err(|error| error.to_string())?;
        Ok(paths.iter().map(|path| name(base, path).unwrap()).collect())
    }

    #[test]
    fn patterns_match_files_as_in_a_shell() {
        let (_folder, base) = folder(&[
            ("deploy/a.yaml", ""),
            ("deploy/b/c.yaml", ""),
            ("deploy/.d.yaml", ""),
            (".git/e.yaml", ""),
            ("f.yml", ""),
        ]);
        assert_eq!(names(&base, &["deploy/**/*.yaml", "deploy/a.yaml"]).unwrap(), ["deploy/a.yaml", "deploy/b/c.yaml"]);
        assert_eq!(names(&base, &["*.yml", "deploy/*.yaml"]).unwrap(), ["f.yml", "deploy/a.yaml"]);
        assert_eq!(names(&base, &["**/*.yaml"]).unwrap(), ["deploy/a.yaml", "deploy/b/c.yaml"]);
        assert_eq!(names(&base, &["*.json"]).unwrap_err(), "no file matches *.json");
        assert_eq!(names(&base, &["a.json"]).unwrap_err(), "there is no file a.json");
        assert!(names(&base, &["deploy"]).unwrap_err().contains("'deploy/**/*.yaml'"));
        assert!(names(&base, &["a***"]).unwrap_err().contains("no valid pattern"));
    }

    #[test]
    fn files_that_others_refer_to_are_added() {
        let (_folder, base) = folder(&[
            ("app/compose.yaml", "include: [more.yaml]\nservices:\n  web:\n    image: ${IMAGE}\n"),
            (
                "app/more.yaml",
                "services:\n  db:\n    image: postgres\n    extends: { file: ../base.yaml, service: base }\n  \
                 job:\n    extends: { file: common.yaml, service: common }\n",
            ),
            ("app/.env", "IMAGE=redis\n"),
            ("base.yaml", "services:\n  base:\n    labels: { planroom.type: cache }\n"),
            ("app/common.yaml", "services:\n  common:\n    depends_on: [web]\n  unused: {}\n"),
        ]);
        let mut files = Files::new();
        add(&mut files, &base, &[base.join("app/compose.yaml")]).unwrap();
        let read = |files: &Files| import::read(Format::Compose, files, &Options::default());
        let reading = read_with_references(&mut files, &base, read).unwrap();
        let mut found: Vec<(&str, &str)> =
            reading.components.iter().map(|one| (one.name.as_str(), one.type_id)).collect();
        found.sort_unstable();
        assert_eq!(found, [("db", "cache"), ("job", "service"), ("web", "cache")]);
        assert!(
            reading.diagnostics.iter().all(|one| !one.text.contains("not among the files")),
            "{:?}",
            reading.diagnostics
        );
    }

    #[cfg(unix)]
    #[test]
    fn links_do_not_lead_out_of_the_repository() {
        let (_outside, secret) = folder(&[("parts/secret.dsl", "b = person \"Secret\"\n")]);
        let (_folder, base) = folder(&[("model.dsl", "workspace {\n!include parts\n!include ../up.dsl\n}\n")]);
        std::os::unix::fs::symlink(secret.join("parts"), base.join("parts")).unwrap();
        let mut files = Files::new();
        add(&mut files, &base, &[base.join("model.dsl")]).unwrap();
        let read = |files: &Files| import::read(Format::StructurizrDsl, files, &Options::default());
        let reading = read_with_references(&mut files, &base, read).unwrap();
        assert_eq!((reading.components.len(), reading.diagnostics.len()), (0, 2));
    }
}
