//! What must not compile: the rules that types hold, each beside a twin that does what is allowed.
//!
//! A case under `tests/compile_fail` proves something only while the compiler refuses it for the reason that its
//! `.stderr` shows; the twin under `tests/compile_pass` proves that the refusal is about the handle and nothing else.
//! Twins are modules of this binary, where compiling them costs nothing; trybuild would link each one.

#![allow(dead_code, reason = "a twin has done its work when it compiles")]

#[path = "../compile_pass/a_member_founds_a_workspace.rs"]
mod a_member_founds_a_workspace;
#[path = "../compile_pass/a_person_mints_a_token.rs"]
mod a_person_mints_a_token;
#[path = "../compile_pass/a_value_escapes.rs"]
mod a_value_escapes;
#[path = "../compile_pass/an_editor_creates_a_component.rs"]
mod an_editor_creates_a_component;
#[path = "../compile_pass/an_owner_deletes_a_workspace.rs"]
mod an_owner_deletes_a_workspace;

#[test]
fn what_a_handle_does_not_permit_does_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/compile_fail/*.rs");
}

#[test]
fn every_twin_is_compiled() {
    let twins = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/compile_pass");
    for file in std::fs::read_dir(twins).unwrap() {
        let file = file.unwrap().file_name().into_string().unwrap();
        assert!(include_str!("compile_fail.rs").contains(&format!("../compile_pass/{file}\"")), "{file}");
    }
}
