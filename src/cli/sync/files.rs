//! Reads the files of a source, and the files that these refer to.

use std::path::{Path, PathBuf};

use import::{Files, MAX_FILES};

use super::{git, patterns::is_in_git};
use crate::cli::output::Failure;

/// Maximum number of rounds in which files that others refer to are added.
const MAX_ROUNDS: usize = 16;

/// The folder from which files are named: the root of the repository, or the current folder outside of one.
pub(super) fn base() -> Result<PathBuf, Failure> {
    let current = std::env::current_dir()?.canonicalize()?;
    Ok(git::root(&current).unwrap_or(current))
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
/// extend. These files must be inside the base and the repository (`within`), and not in `.git`.
pub(super) fn read_with_references<T, E>(
    files: &mut Files,
    within: (&Path, &Path),
    read: impl Fn(&Files) -> Result<T, E>,
) -> Result<T, E> {
    let mut tried = std::collections::BTreeSet::new();
    for _ in 0..MAX_ROUNDS {
        let result = read(files);
        let mut is_changed = false;
        for name in files.missing() {
            if tried.insert(name.clone()) {
                is_changed |= add_reference(files, within, &name);
            }
        }
        if !is_changed {
            return result;
        }
    }
    read(files)
}

/// Adds a file, or the files directly in a folder. Whether there was one.
fn add_reference(files: &mut Files, (base, repository): (&Path, &Path), name: &str) -> bool {
    let Ok(path) = base.join(name).canonicalize() else { return false };
    let is_inside =
        |path: &Path| path.starts_with(repository) && path.strip_prefix(base).is_ok_and(|inside| !is_in_git(inside));
    // A link can lead out of the repository.
    if !is_inside(&path) {
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
        let inside = path.canonicalize().is_ok_and(|path| is_inside(&path));
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
    use crate::cli::sync::patterns::Scope;
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
        let mut files = Files::new();
        add(&mut files, &base, &[base.join("app/compose.yaml")]).unwrap();
        let read = |files: &Files| import::read(Format::Compose, files, &Options::default());
        let reading = read_with_references(&mut files, (&base, &base), read).unwrap();
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
        let reading = read_with_references(&mut files, (&base, &base), read).unwrap();
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
            let mut files = Files::new();
            add(&mut files, &base, &[base.join(folder).join("model.dsl")]).unwrap();
            let read = |files: &Files| import::read(Format::StructurizrDsl, files, &Options::default());
            let repository = Scope::Configuration(base.join(folder)).repository(&base).unwrap();
            let reading = read_with_references(&mut files, (&base, &repository), read).unwrap();
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
        let mut files = Files::new();
        add(&mut files, &base, &[base.join("model.dsl")]).unwrap();
        let read = |files: &Files| import::read(Format::StructurizrDsl, files, &Options::default());
        let reading = read_with_references(&mut files, (&base, &base), read).unwrap();
        assert_eq!((reading.components.len(), reading.diagnostics.len()), (0, 3), "{:?}", reading.diagnostics);
    }
}
