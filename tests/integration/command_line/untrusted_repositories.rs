//! `planroom sync` in a repository that a pull request has changed: what it cannot read, reveal, delay or forge.

use std::{fs, os::unix::fs::symlink, process::Command};

use super::{
    Outcome, WorkDir,
    sync::{shop, sync},
};

/// A repository with the folder `app` next to the secrets `key` and `keys/a.csv`.
fn repository() -> WorkDir {
    let dir = WorkDir::new();
    for folder in ["app", "app/store", "keys"] {
        fs::create_dir(dir.path(folder)).unwrap();
    }
    dir.write("key", "name\ns3cret\n");
    dir.write("keys/a.csv", "name\ns3cret\n");
    dir.write("app/store/config", "[core]\n\tbare = false\n\textraheader = s3cret\n");
    dir.write("app/store/a.csv", "name\ns3cret\n");
    dir
}

/// Compares with a server that does not exist.
fn check(dir: &WorkDir, config: &str) -> Outcome {
    let variables = [("PLANROOM_CLIENT_URL", "http://127.0.0.1:9"), ("PLANROOM_CLIENT_TOKEN", "token")];
    dir.run_with(&["sync", "--check", "--workspace", "shop", "--config", config], &variables, "")
}

/// The error about a source.
#[track_caller]
fn error(dir: &WorkDir, source: &str) -> String {
    dir.write("app/planroom.yaml", &format!("sources: [{source}]\n"));
    let outcome = check(dir, "app/planroom.yaml");
    assert_eq!(outcome.status.code(), Some(1), "{outcome:?}");
    assert!(!format!("{outcome:?}").contains("s3cret"), "{outcome:?}");
    outcome.err
}

#[test]
fn a_pull_request_does_not_learn_which_files_exist_outside_of_the_folder() {
    let dir = repository();
    for (name, target) in
        [("out", ".."), ("root", "/"), ("here.csv", "../keys/a.csv"), ("none.csv", "../keys/none.csv")]
    {
        symlink(target, dir.path("app").join(name)).unwrap();
    }
    for pattern in ["ou*/ke*/*.csv", "ro*/etc/pass*", "*/keys/*", "ou*/**/*.csv"] {
        assert_eq!(error(&dir, &format!("'{pattern}'")), format!("planroom: no file matches {pattern}\n"));
    }
    let same = |one: &str, other: &str| {
        assert_eq!(error(&dir, one).replace(one, ""), error(&dir, other).replace(other, ""));
    };
    same("../key", "../none");
    same("/etc/passwd", "/etc/none");
    same("here.csv", "none.csv");
    assert_eq!(error(&dir, "out/key"), error(&dir, "out/none"));
    assert!(error(&dir, "'s*/../../ke*/*'").contains("the configuration names s*/../../ke*/*, which is outside"));
    // The same is true for the configuration.
    let of_config = |target: &str| {
        fs::remove_file(dir.path("app/planroom.yaml")).unwrap();
        symlink(target, dir.path("app/planroom.yaml")).unwrap();
        check(&dir, "app/planroom.yaml").expect_error("app/planroom.yaml is a link out of its folder")
    };
    assert_eq!(of_config("../key"), of_config("../none"));
    symlink("../none", dir.path("planroom.yaml")).unwrap();
    dir.run(&["sync"]).expect_error("planroom.yaml is a link out of its folder");
}

#[test]
fn a_pull_request_cannot_read_the_git_folder_under_another_name() {
    let dir = repository();
    let refused = |what: &str| {
        for file in [".git/config", "store/config"] {
            let source = format!("{{ files: {file}, format: csv, columns: {{ name: '[core]' }} }}");
            assert!(error(&dir, &source).contains("which is in `.git`"), "{what}: {file}");
        }
        assert!(error(&dir, "store/*.csv").contains("which is in `.git`"), "{what}");
        assert!(error(&dir, "'**/*.csv'").contains("no file matches"), "{what}");
        dir.write("app/m.dsl", "workspace {\n model {\n !include store/config\n }\n}\n");
        assert!(error(&dir, "m.dsl").contains("`store/config` was not included"), "{what}");
    };
    symlink("store", dir.path("app/.git")).unwrap();
    refused("a link");
    fs::remove_file(dir.path("app/.git")).unwrap();
    dir.write("app/.git", "gitdir: store\n");
    refused("a file that names the folder");
}

#[test]
fn a_pull_request_cannot_make_the_command_wait_or_use_up_memory() {
    let dir = repository();
    fs::create_dir(dir.path("app").join("a".repeat(200))).unwrap();
    for n in 0..10 {
        symlink(".", dir.path(&format!("app/loop{n}"))).unwrap();
    }
    for pattern in [format!("**/{}*b/x", "*a".repeat(20)), format!("{}x", "*/".repeat(12))] {
        assert!(error(&dir, &format!("'{pattern}'")).contains("no file matches"));
    }
    let large = fs::File::create(dir.path("app/large.csv")).unwrap();
    large.set_len(1 << 40).unwrap();
    assert!(error(&dir, "large.csv").contains("the file is larger than 8 MiB"));
    // Configurations that never end.
    fs::remove_file(dir.path("app/planroom.yaml")).unwrap();
    symlink("/dev/zero", dir.path("app/planroom.yaml")).unwrap();
    check(&dir, "app/planroom.yaml").expect_error("is a link out of its folder");
    fs::remove_file(dir.path("app/planroom.yaml")).unwrap();
    assert!(Command::new("mkfifo").arg(dir.path("app/planroom.yaml")).status().unwrap().success());
    check(&dir, "app/planroom.yaml").expect_error("cannot read app/planroom.yaml: it is not a regular file");
    fs::remove_file(dir.path("app/planroom.yaml")).unwrap();
    fs::rename(dir.path("app/large.csv"), dir.path("app/planroom.yaml")).unwrap();
    check(&dir, "app/planroom.yaml").expect_error("the file is larger than 8 MiB");
}

#[test]
fn a_pull_request_cannot_forge_workflow_commands_or_change_the_terminal() {
    let (dir, server, token) = shop();
    dir.write("ok.yaml", "services:\n  web:\n    image: nginx\n");
    let hostile = r": ::stop-commands::x\n::error::y ##[add-mask]in step \e[31m\u202e";
    let source = format!("sources: [{{ files: ok.yaml, name: \"{hostile}\" }}]\n");
    for configuration in [
        format!("workspace: shop\n{source}"),
        format!("workspace: shop\n{source}ignore: [\"{hostile}\"]\n"),
        format!("workspace: shop\n{source}types: {{ web: \"{hostile}\" }}\n"),
        format!("workspace: \"{hostile}\"\n{source}"),
        format!("workspace: shop\nsources: [\"{hostile}\"]\n"),
        format!("\"{hostile}\": 1\n"),
    ] {
        dir.write("planroom.yaml", &configuration);
        for report in ["text", "json", "markdown", "github"] {
            let Outcome { out, err, .. } = sync(&dir, &server, &token, &["--check", "--report", report]);
            let all = format!("{out}{err}");
            assert!(!all.contains('\u{1b}') && !all.contains("##["), "{configuration}: {all}");
            assert!(report == "json" || !all.contains('\u{202e}'), "{configuration}: {all}");
            let is_forged = |line: &str| line.trim_start().starts_with("::") && !line.contains("title=Planroom::");
            assert!(!all.lines().any(is_forged), "{configuration}: {all}");
        }
    }
}
