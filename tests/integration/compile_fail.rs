//! Code that must not compile: rules enforced by types, each with a counterpart that is allowed.
//!
//! A case under `tests/compile_fail` only proves something while the compiler rejects it for the reason in its
//! `.stderr` file; the counterpart under `tests/compile_pass` proves that the handle is the only difference.
//! Counterparts are modules of this binary, where compiling them is cheap; trybuild would link each one.

#![allow(dead_code, reason = "a counterpart only needs to compile")]

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

#[test]
fn forbidden_operations_do_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/compile_fail/*.rs");
}

#[test]
fn every_counterpart_is_compiled() {
    let counterparts = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/compile_pass");
    for file in std::fs::read_dir(counterparts).unwrap() {
        let file = file.unwrap().file_name().into_string().unwrap();
        assert!(include_str!("compile_fail.rs").contains(&format!("../compile_pass/{file}\"")), "{file}");
    }
}
