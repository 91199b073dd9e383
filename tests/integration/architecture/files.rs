//! Files: every file has a purpose and a size that can be read, and shipped migrations stay as they are.

use std::{fs, path::PathBuf};

use sha2::{Digest, Sha256};

use super::{
    assert_none,
    sources::{files, root},
};

/// Maximum number of lines of a file.
const MAX_LINES: usize = 400;

#[test]
fn every_file_has_a_header_and_is_short() {
    let mut wrong = Vec::new();
    for (name, text) in ["src", "crates", "tests/integration", "benches"].into_iter().flat_map(files) {
        if !text.starts_with("//! ") {
            wrong.push(format!("{name} does not start with a `//!` line that says what the file is for"));
        }
        let lines = text.lines().count();
        if lines > MAX_LINES {
            wrong.push(format!("{name} has {lines} lines; the maximum is {MAX_LINES}"));
        }
    }
    assert_none(&wrong);
}

#[test]
fn only_the_wiki_module_contains_the_name_of_the_provider() {
    let named =
        |(name, text): &(String, String)| !name.starts_with("src/wiki/") && text.to_lowercase().contains("notion");
    let wrong: Vec<String> =
        ["src", "crates"].into_iter().flat_map(files).filter(named).map(|(name, _)| name).collect();
    assert_none(&wrong);
}

#[test]
fn released_migrations_never_change() {
    let mut migrations: Vec<PathBuf> =
        fs::read_dir(root().join("migrations")).unwrap().map(|file| file.unwrap().path()).collect();
    migrations.sort();
    let sums =
        migrations.iter().filter(|path| path.extension().is_some_and(|extension| extension == "sql")).map(|path| {
            let sum = Sha256::digest(fs::read(path).unwrap());
            let hex = sum.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
            format!("{}\n  {hex}\n", path.file_name().unwrap().to_str().unwrap())
        });
    // Existing databases have run these migrations. Add a migration and its line here, but do not change one.
    insta::assert_snapshot!("migrations", sums.collect::<String>());
}
