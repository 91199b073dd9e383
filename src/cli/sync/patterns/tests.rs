//! Tests of the files that patterns match, and of the files that a configuration must not name.

use std::fs;

use super::{super::files::name, *};

/// Creates a folder with empty files.
fn folder(files: &[&str]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    for name in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }
    let base = folder.path().canonicalize().unwrap();
    (folder, base)
}

fn names(base: &Path, patterns: &[&str]) -> Result<Vec<String>, String> {
    let patterns: Vec<String> = patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
    let scope = Scope::Configuration(base.to_owned());
    let paths = scope.expand(&patterns, &Cell::new(MAX_STEPS)).map_err(|error| error.to_string())?;
    Ok(paths.iter().map(|path| name(base, path).unwrap()).collect())
}

/// Expects that a configuration in the folder cannot name a file, and that an argument can.
#[track_caller]
fn expect_refused(base: &Path, pattern: &str, reason: &str) {
    let error = names(base, &[pattern]).unwrap_err();
    assert!(error.starts_with("the configuration names ") && error.contains(reason), "{pattern}: {error}");
    let argument = base.join(pattern).to_str().unwrap().to_owned();
    assert!(!Scope::Arguments.expand(&[argument], &Cell::new(MAX_STEPS)).unwrap().is_empty(), "{pattern}");
}

#[test]
fn patterns_match_files_as_in_a_shell() {
    let (_folder, base) = folder(&["deploy/a.yaml", "deploy/b/c.yaml", "deploy/.d.yaml", ".git/e.yaml", "f.yml"]);
    assert_eq!(names(&base, &["deploy/**/*.yaml", "deploy/a.yaml"]).unwrap(), ["deploy/a.yaml", "deploy/b/c.yaml"]);
    assert_eq!(names(&base, &["*.yml", "deploy/*.yaml"]).unwrap(), ["f.yml", "deploy/a.yaml"]);
    assert_eq!(names(&base, &["**/*.yaml", "deploy/a.yaml"]).unwrap(), ["deploy/a.yaml", "deploy/b/c.yaml"]);
    assert_eq!(names(&base, &["d*/**/b/*.yaml", "**/.d.yaml"]).unwrap(), ["deploy/b/c.yaml", "deploy/.d.yaml"]);
    assert_eq!(names(&base, &["**/deploy/**", "**/**/?.yml"]).unwrap(), ["deploy/a.yaml", "deploy/b/c.yaml", "f.yml"]);
    assert_eq!(names(&base, &["deploy/../f.yml", "deploy/b/../*.yaml"]).unwrap(), ["f.yml", "deploy/a.yaml"]);
    assert_eq!(names(&base, &["*.json"]).unwrap_err(), "no file matches *.json");
    assert_eq!(names(&base, &["a.json"]).unwrap_err(), "there is no file a.json");
    assert!(names(&base, &["deploy"]).unwrap_err().contains("'deploy/**/*.yaml'"));
    assert!(names(&base, &["a***"]).unwrap_err().contains("is not a valid pattern"));
}

#[test]
fn a_configuration_cannot_name_files_outside_its_folder() {
    let (_folder, base) = folder(&["secrets/x.mmd", "repository/a.mmd", "repository/b/c.mmd"]);
    let inside = base.join("repository");
    let outside = format!("{}/secrets", base.display());
    for pattern in [
        "../secrets/x.mmd",
        "b/../../secrets/x.mmd",
        &format!("{outside}/x.mmd"),
        "../secrets/*.mmd",
        "../*/x.mmd",
        "../**/x.mmd",
        "*/../../secrets/x.mmd",
        "*/../../secrets/**/*.mmd",
        &format!("{outside}/*.mmd"),
        &format!("{outside}/**/*.mmd"),
    ] {
        expect_refused(&inside, pattern, "outside of its folder");
    }
    let error = |pattern: &str| names(&inside, &[pattern]).unwrap_err().replace(pattern, "");
    assert_eq!(error("../secrets/x.mmd"), error("../secrets/none.mmd"), "they do not say which files exist");
    assert_eq!(error("/etc/passwd"), error("/etc/none"));
    // Absolute paths inside the folder are accepted.
    assert_eq!(names(&inside, &[&format!("{}/a.mmd", inside.display())]).unwrap(), ["a.mmd"]);
}

#[test]
fn a_configuration_cannot_name_files_in_the_git_folder() {
    let files = [".git/config", ".git/modules/sub/config", ".GIT/config", "sub/.git/config", "sub/.Git/config"];
    let (_folder, base) = folder(&files);
    let patterns = [".git/*", ".git/**/config", "*/.git/config", "**/.git/config", "sub/../.git/conf*"];
    for pattern in files.iter().chain(&patterns) {
        expect_refused(&base, pattern, "in `.git`");
    }
    assert!(names(&base, &["**/config"]).unwrap_err().starts_with("no file matches"));
}

#[cfg(unix)]
mod links {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_configuration_cannot_name_links_to_files_outside_its_folder() {
        let (_folder, base) = folder(&["secrets/x.mmd", "repository/b/c.mmd", "repository/.git/config"]);
        let inside = base.join("repository");
        symlink("../secrets/x.mmd", inside.join("relative.mmd")).unwrap();
        symlink(base.join("secrets/x.mmd"), inside.join("b/absolute.mmd")).unwrap();
        symlink(base.join("secrets"), inside.join("linked")).unwrap();
        symlink(".git/config", inside.join("git.mmd")).unwrap();
        symlink("b/c.mmd", inside.join("good.mmd")).unwrap();
        for pattern in [
            "relative.mmd",
            "b/absolute.mmd",
            "linked/x.mmd",
            "r*.mmd",
            "b/*.mmd",
            "linked/*.mmd",
            "linked/**/*.mmd",
            "**/*.mmd",
        ] {
            expect_refused(&inside, pattern, "outside of its folder");
        }
        expect_refused(&inside, "g*.mmd", "in `.git`");
        assert_eq!(names(&inside, &["good.mmd", "g[!i]*.mmd", "b/c.mmd"]).unwrap(), ["b/c.mmd"], "each file once");
        let found = names(&inside, &["b/*.mmd"]).unwrap_err();
        assert!(found.contains("b/absolute.mmd"), "the error names the file, not the pattern: {found}");
    }

    #[test]
    fn errors_do_not_reveal_what_is_outside_of_the_folder() {
        let (_folder, base) = folder(&["secrets/x.mmd", "repository/a/b/c.mmd"]);
        let inside = base.join("repository");
        symlink("../secrets", inside.join("linked")).unwrap();
        symlink("/", inside.join("root")).unwrap();
        symlink("../secrets/x.mmd", inside.join("file.mmd")).unwrap();
        symlink("../secrets/none.mmd", inside.join("none.mmd")).unwrap();
        symlink("a/b", inside.join("deep")).unwrap();
        for pattern in ["li*/*.mmd", "l*/**/*.mmd", "ro*/etc/pass*", "r*/*/../etc/pass*", "*/*/x.mmd"] {
            assert_eq!(names(&inside, &[pattern]).unwrap_err(), format!("no file matches {pattern}"));
        }
        let error = |pattern: &str| names(&inside, &[pattern]).unwrap_err();
        assert_eq!(error("file.mmd").replace("file.mmd", "none.mmd"), error("none.mmd"));
        for pattern in ["linked/x.mmd", "linked/none.mmd", "linked/*", "a/../linked/?.mmd"] {
            assert!(error(pattern).starts_with("the configuration names linked, which is outside"), "{pattern}");
        }
        let outside = "d*/../../../secrets/*";
        assert!(error(outside).starts_with(&format!("the configuration names {outside}, which is outside")));
        assert_eq!(names(&inside, &["deep/../b/c.mmd"]).unwrap(), ["a/b/c.mmd"], "as the system follows it");
    }

    #[test]
    fn the_git_folder_can_have_another_name() {
        let (_folder, base) = folder(&["store/config", "store/a.csv", "b.csv", "app/c.csv"]);
        symlink("store/a.csv", base.join("a.csv")).unwrap();
        let expect_git = || {
            for pattern in [".git/config", ".git", "store/config", "store/*.csv", "store/**/*.csv", "a.csv", "?.csv"] {
                let error = names(&base, &[pattern]).unwrap_err();
                assert!(error.starts_with("the configuration names ") && error.contains("in `.git`"), "{error}");
            }
            for pattern in [".gi?/*", "s*/*"] {
                assert!(names(&base, &[pattern]).unwrap_err().starts_with("no file matches"));
            }
            assert_eq!(names(&base, &["*/*.csv", "**/b.csv"]).unwrap(), ["app/c.csv", "b.csv"]);
            let references = Scope::Configuration(base.clone());
            let steps = Cell::new(MAX_STEPS);
            let walk = references.references(&base, &steps).unwrap();
            assert!(walk.resolve(&base.join("b.csv")).unwrap().is_some());
            assert!(walk.resolve(&base.join("store/config")).is_err());
        };
        symlink("store", base.join(".git")).unwrap();
        expect_git();
        fs::remove_file(base.join(".git")).unwrap();
        fs::write(base.join(".git"), "gitdir: store\n").unwrap();
        expect_git();
        // A linked worktree names a part of the folder that all worktrees share.
        fs::create_dir_all(base.join("store/worktrees/w")).unwrap();
        fs::write(base.join("store/worktrees/w/commondir"), "../..\n").unwrap();
        fs::write(base.join(".git"), "gitdir: store/worktrees/w\n").unwrap();
        expect_git();
    }

    #[test]
    fn searches_are_bounded() {
        let (_folder, base) = folder(&[&format!("{}/y", "a".repeat(200)), "b/c"]);
        for n in 0..10 {
            symlink(".", base.join(format!("l{n}"))).unwrap();
        }
        symlink("loop", base.join("loop")).unwrap();
        for pattern in [format!("**/{}*b/x", "*a".repeat(20)), format!("{}x", "*/".repeat(12)), "**/loop/*".to_owned()]
        {
            assert_eq!(names(&base, &[&pattern]).unwrap_err(), format!("no file matches {pattern}"));
        }
        let left = Cell::new(10);
        let error = Scope::Configuration(base).expand(&["b/c".into(), "**/d".into()], &left).unwrap_err();
        assert!(error.to_string().starts_with("**/d needs a search of too many files"), "{error}");
    }

    #[test]
    fn recursive_patterns_do_not_follow_links_to_folders() {
        let (_folder, base) = folder(&["a/x.csv", "b/y.csv", "c/z.csv"]);
        // Three folders that link to each other result in billions of paths.
        for (from, to) in [("a", "b"), ("b", "c"), ("c", "a"), ("a", "c"), ("b", "a"), ("c", "b")] {
            symlink(base.join(to), base.join(from).join(format!("to-{to}"))).unwrap();
        }
        symlink(".", base.join("self")).unwrap();
        assert_eq!(names(&base, &["**/*.csv"]).unwrap(), ["a/x.csv", "b/y.csv", "c/z.csv"]);
        assert_eq!(names(&base, &["a/**/*.csv"]).unwrap(), ["a/x.csv"]);
        let pattern = format!("{}/**/*.csv", base.display());
        assert_eq!(
            Scope::Arguments.expand(&[pattern], &Cell::new(MAX_STEPS)).unwrap().len(),
            3,
            "patterns of arguments do not follow links either"
        );
        assert_eq!(names(&base, &["*/to-b/*.csv"]).unwrap(), ["b/y.csv"], "links that a pattern names are followed");
    }
}
