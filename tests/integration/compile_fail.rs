//! Code that must not compile: rules enforced by types, each with a counterpart that is allowed.
//!
//! A case under `tests/compile_fail` only proves something while the compiler rejects it for the reason in its
//! `.errors` file; the counterpart under `tests/compile_pass` proves that the handle is the only difference.
//! Counterparts are modules of this binary. Cases are compiled against the library that this binary was built with:
//! trybuild would compile all dependencies again.

#![allow(dead_code, reason = "a counterpart only needs to compile")]

use std::{
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

#[path = "../compile_pass/editor_creates_component.rs"]
mod editor_creates_component;
#[path = "../compile_pass/editor_opens_write.rs"]
mod editor_opens_write;
#[path = "../compile_pass/member_creates_workspace.rs"]
mod member_creates_workspace;
#[path = "../compile_pass/owner_deletes_workspace.rs"]
mod owner_deletes_workspace;
#[path = "../compile_pass/permission_is_declared.rs"]
mod permission_is_declared;
#[path = "../compile_pass/session_creates_token.rs"]
mod session_creates_token;
#[path = "../compile_pass/value_outlives_transaction.rs"]
mod value_outlives_transaction;
#[path = "../compile_pass/whole_map_is_admitted.rs"]
mod whole_map_is_admitted;

/// The library that this binary was built with: the newest one that is not newer than the binary.
fn library() -> PathBuf {
    let built = |path: &Path| path.metadata().unwrap().modified().unwrap();
    let binary = env::current_exe().unwrap();
    let files = fs::read_dir(binary.parent().unwrap()).unwrap().map(|file| file.unwrap().path());
    let is_library = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap();
        let is_rlib = path.extension().is_some_and(|extension| extension == "rlib");
        is_rlib && name.starts_with("libplanroom-") && built(path) <= built(&binary)
    };
    files.filter(is_library).max_by_key(|path| built(path)).expect("the library is next to this binary")
}

/// Compiles a case and returns its errors, one per line: `FILE:LINE:COLUMN: error[CODE]: MESSAGE`.
fn errors(case: &str, library: &Path) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut dependencies = OsString::from("dependency=");
    dependencies.push(library.parent().unwrap());
    let mut planroom = OsString::from("planroom=");
    planroom.push(library);
    let output = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/compile_fail"))
        .args(["--edition=2024", "--crate-type=bin", "--emit=metadata", "--error-format=short", "-L"])
        .arg(dependencies)
        .arg("--extern")
        .arg(planroom)
        .arg("--out-dir")
        .args([folder.path(), Path::new(case)])
        .output()
        .expect("rustc starts");
    assert!(!output.status.success(), "{case} compiles");
    let text = String::from_utf8(output.stderr).unwrap();
    // The other lines are the number of errors, and errors in the command itself.
    let mut errors = String::new();
    for line in text.lines().filter(|line| line.starts_with(case)) {
        errors += line;
        errors.push('\n');
    }
    errors
}

#[test]
fn forbidden_operations_do_not_compile() {
    let library = library();
    let mut cases = 0;
    for file in fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/compile_fail")).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            let expected = fs::read_to_string(path.with_extension("errors")).unwrap_or_default();
            let case = path.file_name().unwrap().to_str().unwrap();
            assert_eq!(errors(case, &library), expected, "errors of {case}");
            cases += 1;
        }
    }
    assert!(cases > 0, "there are no cases");
}

#[test]
fn every_counterpart_is_compiled() {
    let counterparts = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/compile_pass");
    for file in fs::read_dir(counterparts).unwrap() {
        let file = file.unwrap().file_name().into_string().unwrap();
        assert!(include_str!("compile_fail.rs").contains(&format!("../compile_pass/{file}\"")), "{file}");
    }
}
