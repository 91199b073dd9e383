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

/// The macro of `rust-embed` generates code for a package with the debug assertions of the code around it. Profiles set both, and the
/// profile of `make run` inherits from that of tests, so one of them can be forgotten.
#[test]
fn rust_embed_has_the_debug_assertions_of_the_code_that_embeds_files() {
    let manifest: toml::Table = fs::read_to_string(root().join("Cargo.toml")).unwrap().parse().unwrap();
    let profiles = manifest["profile"].as_table().unwrap();
    let mut seen = Vec::new();
    for (name, profile) in profiles {
        let base = profile.get("inherits").and_then(|base| profiles.get(base.as_str().unwrap()));
        let chain = || std::iter::once(profile).chain(base);
        let flag = |table: &toml::Value| table.get("debug-assertions").and_then(toml::Value::as_bool);
        let own = chain().find_map(flag).unwrap_or(name != "release");
        let embed = chain().find_map(|profile| flag(profile.get("package")?.get("rust-embed")?)).unwrap_or(own);
        assert_eq!(embed, own, "profile {name}");
        seen.push((name.as_str(), own));
    }
    seen.sort_unstable();
    assert_eq!(seen, [("dev", true), ("local", false), ("release", false)]);
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
