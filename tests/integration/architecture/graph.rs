//! The import graph of the files: which file uses names that another file defines.
//!
//! A path is followed through public re-exports to the file that defines the name. A module alone, as in
//! `use crate::domain::links`, is not an import: the paths that start with it are.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::LazyLock,
};

use super::{
    scanner::{Path, Use, is_name},
    sources::{Source, crates, sources},
};

/// How many re-exports a path is followed through.
const MAX_HOPS: usize = 8;
/// The keywords that define a name.
const DEFINITIONS: [&str; 9] = ["struct", "enum", "fn", "trait", "type", "const", "static", "mod", "union"];

/// A file with its imports.
struct File<'s> {
    source: &'s Source,
    uses: Vec<Use>,
    /// Public re-exports by name, as paths from the root of the crate. A glob has the name `*`.
    exported: BTreeMap<String, Vec<Path>>,
}

/// The names that files import, by importing file and by the file that defines them.
pub(super) type Edges = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// The imports between the files of each crate, without files of tests and without `main.rs`.
pub(super) fn edges() -> &'static Edges {
    static EDGES: LazyLock<Edges> = LazyLock::new(|| {
        let is_product = |source: &&Source| !source.is_test() && source.name != "src/main.rs";
        let all = crates().iter().map(Vec::as_slice).chain([sources()]);
        all.flat_map(|files| Graph::of(files.iter().filter(is_product)).edges()).collect()
    });
    &EDGES
}

/// The files of a crate by module path.
struct Graph<'s>(BTreeMap<Path, File<'s>>);

impl<'s> Graph<'s> {
    fn of(sources: impl Iterator<Item = &'s Source>) -> Self {
        let sources: Vec<(Path, &Source)> =
            sources.map(|source| (source.path().into_iter().map(str::to_owned).collect(), source)).collect();
        let modules: BTreeSet<Path> = sources.iter().map(|(path, _)| path.clone()).collect();
        let file = |(module, source): (Path, &'s Source)| {
            let absolute = |mut used: Use| {
                used.path = absolute(&modules, &module, source, &used.path)?;
                Some(used)
            };
            let uses: Vec<Use> = source.uses().into_iter().filter_map(absolute).collect();
            let mut exported = BTreeMap::<String, Vec<Path>>::new();
            for used in uses.iter().filter(|used| used.is_public) {
                exported.entry(used.name.clone()).or_default().push(used.path.clone());
            }
            (module, File { source, uses, exported })
        };
        Self(sources.into_iter().map(file).collect())
    }

    /// All imports between files.
    fn edges(&self) -> Edges {
        let modules: BTreeSet<Path> = self.0.keys().cloned().collect();
        let mut edges = Edges::new();
        for (module, file) in &self.0 {
            let in_scope: BTreeMap<&str, &Path> =
                file.uses.iter().map(|used| (used.name.as_str(), &used.path)).collect();
            let inline =
                file.source.inline_paths().into_iter().filter_map(|path| match in_scope.get(path[0].as_str()) {
                    Some(start) => Some(start.iter().cloned().chain(path[1..].iter().cloned()).collect()),
                    None => absolute(&modules, module, file.source, &path),
                });
            // A file that only re-exports a name does not import it.
            let is_import = |used: &&Use| !used.is_public || file.source.uses_name(&used.name);
            let used = file.uses.iter().filter(is_import).map(|used| used.path.clone());
            for path in used.chain(inline) {
                let Some((target, name)) = self.definition(&path, 0) else { continue };
                // A path that leads to no module ends at the root of the crate.
                let is_found = !target.is_empty() || self.0[target].defines(&name);
                if target != module && is_found {
                    let by_target = edges.entry(file.source.name.clone()).or_default();
                    by_target.entry(self.0[target].source.name.clone()).or_default().insert(name);
                }
            }
        }
        edges
    }

    /// The module that defines what a path leads to, and its name there. None for a module, and for what is not ours.
    fn definition(&self, path: &[String], hops: usize) -> Option<(&Path, String)> {
        let path: Path = path.iter().filter(|part| *part != "self").cloned().collect();
        let (module, file) = (0..=path.len()).rev().find_map(|end| self.0.get_key_value(&path[..end]))?;
        let rest = &path[module.len()..];
        let name = rest.first()?;
        let named = file.exported.get(name).into_iter().flatten().map(|target| [&target[..], &rest[1..]].concat());
        let globs = file.exported.get("*").into_iter().flatten().filter_map(|glob| {
            let target = &glob[..glob.len() - 1];
            self.0.get(target)?.defines(name).then(|| [target, rest].concat())
        });
        let target = named.chain(globs).find(|target| *target != path).filter(|_| hops < MAX_HOPS);
        target.and_then(|target| self.definition(&target, hops + 1)).or_else(|| Some((module, name.clone())))
    }
}

impl File<'_> {
    fn defines(&self, name: &str) -> bool {
        DEFINITIONS.iter().any(|keyword| {
            let definition = format!("{keyword} {name}");
            self.source.code.match_indices(&definition).any(|(at, _)| {
                !self.source.code[..at].ends_with(is_name)
                    && !self.source.code[at + definition.len()..].starts_with(is_name)
            })
        })
    }
}

/// The path from the root of the crate. A path may also start with the name of a module inside this one.
fn absolute(modules: &BTreeSet<Path>, module: &[String], source: &Source, path: &[String]) -> Option<Path> {
    let inner = || {
        let child = [module, &path[..1]].concat();
        modules.contains(&child).then(|| [module, path].concat())
    };
    source.absolute(path).or_else(inner)
}

/// The shortest cycle of imports through each file that is in one; each cycle once.
pub(super) fn cycles(edges: &Edges) -> Vec<Vec<String>> {
    let mut found = BTreeMap::new();
    for start in edges.keys() {
        if let Some(cycle) = shortest_cycle(edges, start) {
            let files: BTreeSet<String> = cycle.iter().cloned().collect();
            found.entry(files).or_insert(cycle);
        }
    }
    found.into_values().collect()
}

/// The files of the shortest cycle through `start`, which is the first.
fn shortest_cycle(edges: &Edges, start: &str) -> Option<Vec<String>> {
    let mut before: BTreeMap<&str, &str> = BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(file) = queue.pop_front() {
        for target in edges.get(file).into_iter().flat_map(BTreeMap::keys) {
            if target == start {
                let mut cycle = vec![file.to_owned()];
                let mut at = file;
                while at != start {
                    at = before[at];
                    cycle.push(at.to_owned());
                }
                cycle.reverse();
                return Some(cycle);
            }
            before.entry(target).or_insert_with(|| {
                queue.push_back(target);
                file
            });
        }
    }
    None
}

#[test]
fn names_are_resolved_through_reexports_to_the_defining_file() {
    let files = [
        (
            "src/rest/mod.rs",
            "mod api; mod links; pub use self::api::{Api, open}; pub use shapes::*; fn table(api: Api) { links::list(api.open()) }",
        ),
        ("src/rest/api.rs", "pub struct Api; pub fn open() {}"),
        ("src/rest/shapes.rs", "pub enum Shape { Round }"),
        ("src/rest/links.rs", "use super::{Api, Shape, api, table}; fn list() { api::open(); Shape::Round; table() }"),
        ("src/app.rs", "use crate::rest; fn run() { rest::Api::new(); crate::rest::table() }"),
    ];
    let sources = files.map(|(name, text)| Source::new(name.into(), text));
    let edges = Graph::of(sources.iter()).edges();
    let lines: Vec<String> = edges
        .iter()
        .flat_map(|(file, targets)| targets.iter().map(move |(target, names)| (file, target, names)))
        .map(|(file, target, names)| {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            format!("{file} -> {target}: {}", names.join(", "))
        })
        .collect();
    let expected = [
        "src/app.rs -> src/rest/api.rs: Api",
        "src/app.rs -> src/rest/mod.rs: table",
        "src/rest/links.rs -> src/rest/api.rs: Api, open",
        "src/rest/links.rs -> src/rest/mod.rs: table",
        "src/rest/links.rs -> src/rest/shapes.rs: Shape",
        "src/rest/mod.rs -> src/rest/api.rs: Api",
        "src/rest/mod.rs -> src/rest/links.rs: list",
    ];
    assert_eq!(lines, expected);
    assert_eq!(cycles(&edges), [["src/rest/links.rs", "src/rest/mod.rs"]]);
}
