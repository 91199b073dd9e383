//! The house: imports point downwards, SQL and connections stay in their rooms, files stay short, migrations stay as
//! they were shipped.
//!
//! The sources are read as tokens, by which comments and literals are told from code. What cannot be placed is reported.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use proc_macro2::{Delimiter, Group, Literal, TokenStream, TokenTree};
use sha2::{Digest, Sha256};

/// Rooms by floor, from the top. A file may import what is on a floor below its own room's, and its own room.
const FLOORS: [&[&str]; 10] = [
    &["cli"],
    &["operator"],
    &["app"],
    &["rest", "mcp", "web", "jobs"],
    &["domain"],
    &["auth", "db", "images", "wiki"],
    &["bodies"],
    &["lane", "listen", "machine", "outbound"],
    &["budget", "cancel", "schedule"],
    &["clock", "encoding", "error", "log", "mermaid", "secret"],
];

/// A room beside the stairs, and who may enter it.
const CONFIG: (&str, &[&str]) = ("config", &["app", "cli"]);

/// All that it may take from elsewhere: the registry of settings, which are its keys too, and its words; and what hides
/// secrets.
const REGISTRY: [&[&str]; 3] = [&["domain", "settings"], &["domain", "values", "SettingSource"], &["secret"]];

/// What crate-level re-exports stand for.
const REEXPORTED: [(&str, &str); 1] = [("Error", "error")];

/// Longest file.
const LINES: usize = 400;

#[test]
fn imports_point_downwards() {
    let mut wrong = Vec::new();
    for file in sources() {
        let allowed = file.allowed();
        for import in file.imports() {
            let top = import[0].as_str();
            let room = REEXPORTED.iter().find(|(name, _)| *name == top).map_or(top, |(_, room)| *room);
            let registry = file.room() == CONFIG.0 && REGISTRY.iter().any(|path| import.starts_with(&owned(path)));
            if room != file.room() && !allowed.contains(room) && !registry {
                let allowed: Vec<&str> = allowed.iter().copied().collect();
                wrong.push(format!("{} imports {}; allowed are {}", file.name, import.join("::"), allowed.join(", ")));
            }
        }
    }
    assert_none(&wrong);
}

#[test]
fn every_room_has_its_floor() {
    let known: BTreeSet<&str> = FLOORS.iter().copied().flatten().copied().chain([CONFIG.0]).collect();
    let files = sources();
    let rooms: BTreeSet<&str> = files.iter().map(Source::room).filter(|room| *room != ROOT).collect();
    assert_eq!(rooms, known);
}

#[test]
fn sql_is_reached_through_the_domain_alone() {
    const SQL: &[&str] = &["domain", "db", "error"];
    const STORE: &[&str] = &["domain"];
    const OPEN: &[&str] = &["db"];
    const SYSTEM: &[&str] = &["operator", "jobs", "app"];
    let mut wrong = Vec::new();
    for file in sources() {
        let room = file.room();
        let mut only = |allowed: &[&str], is: bool, what: &str| {
            if is && !allowed.contains(&room) {
                wrong.push(format!("{} mentions {what}; only {} may", file.name, allowed.join(", ")));
            }
        };
        only(SQL, file.mentions("rusqlite"), "`rusqlite`");
        only(STORE, file.mentions("store"), "`store`");
        only(
            STORE,
            file.imports().iter().any(|path| path.starts_with(&["domain".into(), "store".into()])),
            "`domain::store`",
        );
        only(OPEN, file.code.contains("Connection::open"), "`Connection::open`");
        only(SYSTEM, file.code.contains(".system("), "`.system(`, the way past permissions");
        let data = file.imports().iter().any(|path| path[0] == "db");
        only(&["domain", "app", "operator", "cli", "db"], data, "`db`, the way past the gate");
    }
    assert_none(&wrong);
}

#[test]
fn tools_bulks_and_imports_write_the_map_through_change_sets() {
    const SET: &str = "src/mcp/tools/change_set.rs";
    let mut wrong = Vec::new();
    for file in sources() {
        let is_model = ["src/domain/bulk", "src/domain/import"].iter().any(|path| file.name.starts_with(path));
        let past: &[&str] = match file.room() {
            "mcp" if file.name != SET => &[".edit(", ".edit_ahead(", "EditTx"],
            _ if is_model => &[".create(", ".update(", ".update_workspace(", ".delete(", "store::rows"],
            _ => continue,
        };
        let found = past.iter().filter(|call| file.code.contains(**call));
        wrong.extend(found.map(|call| format!("{} has `{call}`, the way past `ChangeSet`", file.name)));
    }
    assert_none(&wrong);
}

#[test]
fn the_wikis_vendor_has_a_name_in_one_room() {
    let named =
        |(name, text): &(String, String)| !name.starts_with("src/wiki/") && text.to_lowercase().contains("notion");
    let wrong: Vec<String> = files("src").into_iter().filter(named).map(|(name, _)| name).collect();
    assert_none(&wrong);
}

#[test]
fn every_file_says_what_it_is_for_and_is_short() {
    let mut wrong = Vec::new();
    for (name, text) in ["src", "tests/integration", "benches"].into_iter().flat_map(files) {
        if !text.starts_with("//! ") {
            wrong.push(format!("{name} does not begin with a line of `//!`"));
        }
        let lines = text.lines().count();
        if lines > LINES {
            wrong.push(format!("{name} has {lines} lines; {LINES} are enough for one subject"));
        }
    }
    assert_none(&wrong);
}

#[test]
fn shipped_migrations_never_change() {
    let mut migrations: Vec<PathBuf> =
        fs::read_dir(home().join("migrations")).unwrap().map(|file| file.unwrap().path()).collect();
    migrations.sort();
    let sums =
        migrations.iter().filter(|path| path.extension().is_some_and(|extension| extension == "sql")).map(|path| {
            let sum = Sha256::digest(fs::read(path).unwrap());
            let hex = sum.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
            format!("{}\n  {hex}\n", path.file_name().unwrap().to_str().unwrap())
        });
    // Databases out there have run them as they are: add a migration, and its line here, but change none.
    insta::assert_snapshot!("migrations", sums.collect::<String>());
}

#[test]
fn the_scanner_sees_what_it_should() {
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

/// The room of `lib.rs` and `main.rs`, which see all.
const ROOT: &str = "the crate";

/// What is left of a file without comments, the content of literals, and tests.
struct Source {
    name: String,
    code: String,
}

impl Source {
    fn new(name: String, text: &str) -> Self {
        Self { name, code: code(text) }
    }

    /// The path of the file's module: `["domain", "store", "users"]`.
    fn module(&self) -> Vec<&str> {
        let path = self.name.trim_start_matches("src/").trim_end_matches(".rs");
        path.split('/').filter(|part| !matches!(*part, "mod" | "lib" | "main")).collect()
    }

    fn room(&self) -> &str {
        self.module().first().copied().unwrap_or(ROOT)
    }

    /// The rooms that this file may import, beside its own.
    fn allowed(&self) -> BTreeSet<&'static str> {
        let room = self.room();
        let below = match FLOORS.iter().position(|rooms| rooms.contains(&room)) {
            Some(floor) => &FLOORS[floor + 1..],
            None if room == ROOT => &FLOORS[..],
            None => &[],
        };
        let config = (CONFIG.1.contains(&room) || room == ROOT).then_some(CONFIG.0);
        below.iter().copied().flatten().copied().chain(config).collect()
    }

    /// Whether this name stands anywhere in the code.
    fn mentions(&self, name: &str) -> bool {
        self.code.split(|c: char| !is_name(c)).any(|word| word == name)
    }

    /// Everything that is named from the top of the crate, in a `use` or in the middle of the code.
    fn imports(&self) -> Vec<Vec<String>> {
        let mut found = Vec::new();
        let mut rest = self.code.as_str();
        let mut before = None;
        while let Some(c) = rest.chars().next() {
            let word = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
            let starts = matches!(&rest[..word], "crate" | "super" | "self" | "planroom") && before != Some(':');
            if !starts {
                let step = word.max(c.len_utf8());
                before = rest[..step].chars().next_back();
                rest = &rest[step..];
                continue;
            }
            let mut paths = Vec::new();
            rest = tree(rest, &[], &mut paths);
            before = None;
            found.extend(paths.into_iter().filter_map(|path| self.absolute(&path)).filter(|path| !path.is_empty()));
        }
        found
    }

    /// A path from the top of the crate; none for one that is in this module.
    fn absolute(&self, path: &[String]) -> Option<Vec<String>> {
        let up = path.iter().take_while(|part| *part == "super").count();
        match path[0].as_str() {
            "self" => None,
            "super" => {
                let module = self.module();
                let base = &module[..module.len().checked_sub(up).expect(&self.name)];
                Some(base.iter().map(|part| (*part).to_owned()).chain(path[up..].iter().cloned()).collect())
            }
            _ => Some(path[1..].to_vec()),
        }
    }
}

/// Reads one path, or a tree of them in braces, at the beginning of `text`. Answers with what follows.
fn tree<'t>(text: &'t str, prefix: &[String], paths: &mut Vec<Vec<String>>) -> &'t str {
    let mut path = prefix.to_vec();
    let mut rest = text.trim_start();
    loop {
        if let Some(inside) = rest.strip_prefix('{') {
            rest = inside.trim_start();
            while !rest.is_empty() && !rest.starts_with('}') {
                rest = tree(rest, &path, paths).trim_start();
                rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
            }
            return rest.strip_prefix('}').unwrap_or(rest);
        }
        let end = if rest.starts_with('*') { 1 } else { rest.find(|c| !is_name(c)).unwrap_or(rest.len()) };
        if end == 0 {
            // Neither a name nor braces, such as the `<` of a turbofish: the path is over.
            paths.push(path);
            return rest.strip_prefix(|c: char| c != '}' && c != ',').unwrap_or(rest);
        }
        path.push(rest[..end].to_owned());
        rest = rest[end..].trim_start();
        match rest.strip_prefix("::") {
            Some(after) => rest = after.trim_start(),
            None => break,
        }
    }
    paths.push(path);
    // What it is called here does not matter.
    rest.strip_prefix("as ").map_or(rest, |alias| alias.trim_start().trim_start_matches(is_name))
}

fn owned(path: &[&str]) -> Vec<String> {
    path.iter().map(|part| (*part).to_owned()).collect()
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// What is compiled into the product: no comments, nothing in literals, no tests, and no space that parts no names.
fn code(text: &str) -> String {
    let spaced = blank(text.parse().unwrap()).to_string();
    let mut code = String::new();
    for word in spaced.split_whitespace() {
        if code.ends_with(is_name) && word.starts_with(is_name) {
            code.push(' ');
        }
        code.push_str(word);
    }
    code
}

/// Empties literals, which are where comments for the documentation end up too, and leaves out tests.
fn blank(tokens: TokenStream) -> TokenStream {
    let mut tokens = tokens.into_iter().peekable();
    let mut kept = Vec::new();
    while let Some(token) = tokens.next() {
        let is_test = |group: &TokenTree| group.to_string().replace(' ', "") == "[cfg(test)]";
        if token.to_string() == "#" && tokens.peek().is_some_and(is_test) {
            // The item ends with its braces, or with a semicolon where it has none.
            let ends = |token: &TokenTree| match token {
                TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                other => other.to_string() == ";",
            };
            tokens.find(ends);
            continue;
        }
        kept.push(match token {
            TokenTree::Literal(_) => Literal::u8_unsuffixed(0).into(),
            TokenTree::Group(group) => Group::new(group.delimiter(), blank(group.stream())).into(),
            other => other,
        });
    }
    kept.into_iter().collect()
}

fn home() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The product.
fn sources() -> Vec<Source> {
    files("src").into_iter().map(|(name, text)| Source::new(name, &text)).collect()
}

/// All files under `directory` and what is in them, by name.
fn files(directory: &str) -> Vec<(String, String)> {
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
    collect(&home().join(directory), &mut files);
    files.sort();
    assert!(!files.is_empty(), "{directory}");
    files
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(home()).unwrap().to_str().unwrap().to_owned();
            (name, fs::read_to_string(&path).unwrap())
        })
        .collect()
}

#[track_caller]
fn assert_none(wrong: &[String]) {
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
