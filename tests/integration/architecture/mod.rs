//! The architecture of the source: layers, import cycles, access to the database, sizes of files, shipped migrations.

mod cycles;
mod errors;
mod files;
mod graph;
mod layers;
mod scanner;
mod sources;
mod waiting;

/// Fails with a list of what is wrong.
#[track_caller]
fn assert_none(wrong: &[String]) {
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
