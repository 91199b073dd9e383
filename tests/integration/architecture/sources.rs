//! The source files of the product.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use super::scanner::{self, Path as Import, Use, is_name};

/// The name used here for `lib.rs` and `main.rs`, which may import every module.
pub(super) const CRATE: &str = "the crate";

/// A source file without comments, the content of literals, and tests.
pub(super) struct Source {
    /// Path from the root of the repository.
    pub(super) name: String,
    pub(super) code: String,
    /// The code without `use` declarations.
    body: String,
}

impl Source {
    pub(super) fn new(name: String, text: &str) -> Self {
        let code = scanner::code(text);
        Self { name, body: scanner::without_uses(&code), code }
    }

    /// The path of the file's module in its crate: `["domain", "store", "users"]`.
    pub(super) fn path(&self) -> Vec<&str> {
        let path = self.name.split_once("src/").expect(&self.name).1.trim_end_matches(".rs");
        path.split('/').filter(|part| !matches!(*part, "mod" | "lib" | "main")).collect()
    }

    /// The top-level module that the file belongs to.
    pub(super) fn module(&self) -> &str {
        self.path().first().copied().unwrap_or(CRATE)
    }

    /// Whether this name occurs in the code.
    pub(super) fn mentions(&self, name: &str) -> bool {
        self.code.split(|c: char| !is_name(c)).any(|word| word == name)
    }

    /// Whether the code outside `use` and `mod` declarations uses a name that is in scope. A function must be called:
    /// variables and fields may have the same name.
    pub(super) fn uses_name(&self, name: &str) -> bool {
        let is_function = name.starts_with(|c: char| c.is_lowercase());
        self.body.match_indices(name).any(|(at, _)| {
            let (before, after) = (&self.body[..at], &self.body[at + name.len()..]);
            let is_word = !before.ends_with(is_name) && !after.starts_with(is_name);
            let is_call = after.starts_with('(') && !before.ends_with('.') && !before.ends_with("fn ");
            is_word && (is_call || !is_function)
        })
    }

    /// Whether the file contains only tests.
    pub(super) fn is_test(&self) -> bool {
        self.name.ends_with("tests.rs") || self.name.contains("/tests/")
    }

    /// All `use` declarations, as they are written.
    pub(super) fn uses(&self) -> Vec<Use> {
        scanner::uses(&self.code)
    }

    /// All paths outside `use` declarations, as they are written.
    pub(super) fn inline_paths(&self) -> Vec<Import> {
        scanner::paths(&self.body)
    }

    /// Paths from the root of the crate that the file names, in `use` declarations and inline. Paths that start with
    /// `self` are not included.
    pub(super) fn imports(&self) -> Vec<Import> {
        let uses = self.uses().into_iter().map(|used| used.path);
        let starts_outside = |path: &Import| matches!(path[0].as_str(), "crate" | "super" | "planroom");
        let paths = uses.chain(self.inline_paths()).filter(starts_outside);
        paths.filter_map(|path| self.absolute(&path)).filter(|path| !path.is_empty()).collect()
    }

    /// The path from the root of the crate, if the path starts with a keyword or the name of the crate.
    pub(super) fn absolute(&self, path: &[String]) -> Option<Import> {
        let module = self.path();
        let (base, rest) = match path[0].as_str() {
            "crate" | "planroom" => (&[][..], &path[1..]),
            "self" => (&module[..], &path[1..]),
            "super" => {
                let up = path.iter().take_while(|part| *part == "super").count();
                (&module[..module.len().checked_sub(up).expect(&self.name)], &path[up..])
            }
            _ => return None,
        };
        Some(base.iter().map(|part| (*part).to_owned()).chain(rest.iter().cloned()).collect())
    }
}

/// The root of the repository.
pub(super) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The source files of the product without the crates below it, read once.
pub(super) fn sources() -> &'static [Source] {
    static SOURCES: LazyLock<Vec<Source>> = LazyLock::new(|| in_directory("src"));
    &SOURCES
}

/// The source files of each crate in `crates`, read once.
pub(super) fn crates() -> &'static [Vec<Source>] {
    static CRATES: LazyLock<Vec<Vec<Source>>> = LazyLock::new(|| {
        let crates = fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().file_name());
        crates.map(|name| in_directory(&format!("crates/{}/src", name.to_str().unwrap()))).collect()
    });
    &CRATES
}

fn in_directory(directory: &str) -> Vec<Source> {
    files(directory).into_iter().map(|(name, text)| Source::new(name, &text)).collect()
}

/// Names and texts of all Rust files in a directory.
pub(super) fn files(directory: &str) -> Vec<(String, String)> {
    fn collect(directory: &Path, files: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(&path, files);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    let mut files = Vec::new();
    collect(&root().join(directory), &mut files);
    files.sort();
    assert!(!files.is_empty(), "{directory}");
    files
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
            (name, fs::read_to_string(&path).unwrap())
        })
        .collect()
}

#[test]
fn imports_are_read_from_code_and_not_from_comments_literals_or_tests() {
    let text = r#"
        //! use crate::rest::comment;
        use crate::{
            auth::{self, keys::{Keys, random}, tokens as t},
            error::Result, db::*,
        };
        /* use crate::cli; /* nested */ use crate::cli; */
        const A: &str = "crate::web"; const B: &str = r"crate::web"; const C: char = '"';
        fn f<'a>(x: &'a str) -> crate::Error { super::super::jobs::run(x); self::here(); super::beside::g() }
        #[cfg(test)]
        mod tests { use crate::cli::Cli; fn g() { if true { } } }
        #[cfg(test)] use crate::operator::Operation;
        pub(in crate::domain) fn last() {}
    "#;
    let file = Source::new("src/domain/bulk.rs".into(), text);
    let imports: Vec<String> = file.imports().iter().map(|path| path.join("::")).collect();
    let expected = [
        "auth::self",
        "auth::keys::Keys",
        "auth::keys::random",
        "auth::tokens",
        "error::Result",
        "db::*",
        "Error",
        "jobs::run",
        "domain::beside::g",
        "domain",
    ];
    assert_eq!(imports, expected);
    assert!(!file.mentions("web") && file.mentions("Keys") && !file.mentions("Key"));
}
