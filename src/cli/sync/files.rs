//! Reads the files of a source, and the files that these refer to.

use std::{
    fs::{self, File},
    io::{self, Read},
    os::fd::AsRawFd,
    path::{Path, PathBuf},
};

use import::{Files, MAX_FILE_BYTES, MAX_FILES};
use rustix::fs::{Mode, OFlags};

use super::{git, patterns::Walk};
use crate::cli::output::Failure;

/// Maximum number of rounds in which files that others refer to are added.
const MAX_ROUNDS: usize = 16;

/// The folder from which files are named: the root of the repository, or the current folder outside of one.
pub(super) fn base() -> Result<PathBuf, Failure> {
    let current = std::env::current_dir()?.canonicalize()?;
    Ok(git::root(&current).unwrap_or(current))
}

/// The name of a file at a path without links: its path from the base, with `/` between folders. Files outside are named by
/// their own name.
pub(super) fn name(base: &Path, path: &Path) -> Result<String, Failure> {
    let inside = path.strip_prefix(base).ok().or_else(|| path.file_name().map(Path::new)).unwrap_or(path);
    let parts: Option<Vec<&str>> = inside.iter().map(|part| part.to_str()).collect();
    parts.map(|parts| parts.join("/")).ok_or_else(|| format!("the path of {} is not UTF-8", path.display()).into())
}

/// Adds files to a set.
pub(super) fn add(files: &mut Files, base: &Path, paths: &[PathBuf]) -> Result<(), Failure> {
    for path in paths {
        let name = name(base, path)?;
        let content = content(path).map_err(|error| format!("cannot read {name}: {error}"))?;
        files.add(&name, content)?;
    }
    Ok(())
}

/// Reads a file at a path without links, up to one byte more than a file may have.
///
/// Other programs can replace the file since it was found: with a pipe, which is not waited for, or with a link, also of one
/// of its folders.
pub(super) fn content(path: &Path) -> io::Result<Vec<u8>> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    if cfg!(target_os = "linux") {
        let opened = fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd()));
        if opened.is_ok_and(|opened| opened != path) {
            return Err(io::Error::other("it was replaced at the same time; repeat the command"));
        }
    }
    let mut content = Vec::new();
    file.take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut content)?;
    Ok(content)
}

/// Calls `read` again as long as files that it looked for can be added: `.env` files, includes, and files that others
/// extend. `walk` finds these files.
pub(super) fn read_with_references<T, E>(
    files: &mut Files,
    base: &Path,
    walk: &Walk<'_>,
    read: impl Fn(&Files) -> Result<T, E>,
) -> Result<T, E> {
    let mut tried = std::collections::BTreeSet::new();
    for _ in 0..MAX_ROUNDS {
        let result = read(files);
        let mut is_changed = false;
        for name in files.missing() {
            if tried.insert(name.clone()) {
                is_changed |= add_reference(files, base, walk, &name);
            }
        }
        if !is_changed {
            return result;
        }
    }
    read(files)
}

/// Adds a file, or the files directly in a folder. Whether there was one.
fn add_reference(files: &mut Files, base: &Path, walk: &Walk<'_>, name: &str) -> bool {
    let Ok(Some(path)) = walk.resolve(&base.join(name)) else { return false };
    let paths = if path.is_dir() {
        let entries = fs::read_dir(&path).into_iter().flatten().filter_map(Result::ok);
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).take(MAX_FILES).collect();
        paths.sort();
        paths
    } else {
        vec![path]
    };
    let mut is_added = false;
    for path in paths {
        let Ok(relative) = path.strip_prefix(base) else { continue };
        let name = relative.to_string_lossy().replace('\\', "/");
        // A link can lead out of the repository. What is too large or no text stays missing, and the reader says so.
        let Ok(Some(file)) = walk.resolve(&path) else { continue };
        is_added |= content(&file).is_ok_and(|content| files.add_reference(&name, content).is_ok());
    }
    is_added
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::cli::sync::patterns::{MAX_STEPS, Scope};
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
        let (mut files, steps) = (Files::new(), Cell::new(MAX_STEPS));
        add(&mut files, &base, &[base.join("app/compose.yaml")]).unwrap();
        let read = |files: &Files| import::read(Format::Compose, files, &Options::default());
        let reading = read_with_references(&mut files, &base, &Walk::inside(base.clone(), &steps), read).unwrap();
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
        let (mut files, steps) = (Files::new(), Cell::new(MAX_STEPS));
        add(&mut files, &base, &[base.join("model.dsl")]).unwrap();
        let read = |files: &Files| import::read(Format::StructurizrDsl, files, &Options::default());
        let reading = read_with_references(&mut files, &base, &Walk::inside(base.clone(), &steps), read).unwrap();
        assert_eq!((reading.components.len(), reading.diagnostics.len()), (0, 2));
    }

    #[test]
    fn references_stay_in_the_repository_of_the_configuration_if_the_command_runs_elsewhere() {
        let model = "workspace {\n!include ../secret.dsl\n!include ../../secret.dsl\n}\n";
        let (_folder, base) = folder(&[
            ("secret.dsl", "a = person \"Secret\"\n"),
            ("repository/.git/HEAD", ""),
            ("repository/secret.dsl", "b = person \"Shared\"\n"),
            ("repository/app/model.dsl", model),
            ("other/app/model.dsl", model),
        ]);
        for (folder, found) in [("repository/app", 1), ("other/app", 0)] {
            let (mut files, steps) = (Files::new(), Cell::new(MAX_STEPS));
            add(&mut files, &base, &[base.join(folder).join("model.dsl")]).unwrap();
            let read = |files: &Files| import::read(Format::StructurizrDsl, files, &Options::default());
            let walk = Scope::Configuration(base.join(folder)).references(&base, &steps).unwrap();
            let reading = read_with_references(&mut files, &base, &walk, read).unwrap();
            assert_eq!(reading.components.len(), found, "{folder}: {:?}", reading.diagnostics);
        }
    }

    #[test]
    fn references_to_files_in_the_git_folder_are_not_read() {
        let (_folder, base) = folder(&[
            ("model.dsl", "workspace {\n!include .git/a.dsl\n!include .GIT/parts\n!include sub/.git\n}\n"),
            (".git/a.dsl", "a = person \"Secret\"\n"),
            (".GIT/parts/b.dsl", "b = person \"Secret\"\n"),
            ("sub/.git/c.dsl", "c = person \"Secret\"\n"),
        ]);
        let (mut files, steps) = (Files::new(), Cell::new(MAX_STEPS));
        add(&mut files, &base, &[base.join("model.dsl")]).unwrap();
        let read = |files: &Files| import::read(Format::StructurizrDsl, files, &Options::default());
        let reading = read_with_references(&mut files, &base, &Walk::inside(base.clone(), &steps), read).unwrap();
        assert_eq!((reading.components.len(), reading.diagnostics.len()), (0, 3), "{:?}", reading.diagnostics);
    }

    #[test]
    fn a_file_that_was_replaced_since_it_was_found_is_not_read() {
        let (_outside, secret) = folder(&[("a/s.csv", "secret")]);
        let (_folder, base) = folder(&[("a/s.csv", "name")]);
        let path = base.join("a/s.csv");
        assert_eq!(content(&path).unwrap(), b"name");
        fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink(secret.join("a/s.csv"), &path).unwrap();
        content(&path).unwrap_err();
        fs::remove_file(&path).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        assert_eq!(content(&path).unwrap_err().to_string(), "it is not a regular file");
        if cfg!(target_os = "linux") {
            fs::remove_dir_all(base.join("a")).unwrap();
            std::os::unix::fs::symlink(secret.join("a"), base.join("a")).unwrap();
            assert!(content(&path).unwrap_err().to_string().starts_with("it was replaced"));
        }
    }

    #[test]
    fn no_more_of_a_file_is_read_than_a_file_may_have() {
        let (_folder, base) = folder(&[("large.csv", "")]);
        let path = base.join("large.csv");
        File::options().write(true).open(&path).unwrap().set_len(1 << 40).unwrap();
        assert_eq!(content(&path).unwrap().len(), MAX_FILE_BYTES + 1);
        let error = add(&mut Files::new(), &base, &[path]).unwrap_err().to_string();
        assert!(error.contains("larger than 8 MiB"), "{error}");
    }
}
