//! Layers: imports point down, and SQL and connections stay in their modules.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    assert_none,
    graph::edges,
    sources::{CRATE, Source, sources},
};

/// Top-level modules by layer, from the top. A file may import from its own module and from lower layers.
const LAYERS: [&[&str]; 11] = [
    &["cli"],
    &["operator"],
    &["app"],
    &["rest", "mcp", "web", "jobs"],
    &["domain"],
    &["auth", "db", "images", "mail", "webhooks", "wiki"],
    &["bodies"],
    &["blocking", "listen", "machine", "outbound"],
    &["budget", "cancel", "encryption", "schedule"],
    &["base_path", "clock", "contracts", "encoding", "error", "framing", "log", "metrics", "secret", "settings", "tls"],
    &["describe"],
];

/// Layers inside a folder, from the top. A file may import from files of its own layer and of lower layers. Files that are
/// not listed, such as the route table and its handlers, are above the listed ones.
const INNER_LAYERS: [(&str, &[&[&str]]); 5] = [
    (
        "domain",
        &[
            &["instance"],
            &["live"],
            &["transfer"],
            &["sync"],
            &["drafts"],
            &["history"],
            &["operations"],
            &["state"],
            &["images", "webhooks", "wiki"],
            &["accounts", "sharing"],
            &["inbox"],
            &["comments"],
            &["organizations"],
            &["map"],
            &["directory"],
            &["notifications"],
            &["users"],
            &["mail"],
            &["settings"],
            &["core"],
            &["catalogue"],
            &["input", "paging"],
            &["values"],
            &["slug"],
        ],
    ),
    (
        "rest",
        &[
            &["cors"],
            &["extract", "responses", "visitor"],
            &["body"],
            &["observe", "route"],
            &["api"],
            &["access", "conditional", "cookies", "error"],
            &["agent", "json", "problem", "remedy"],
        ],
    ),
    (
        "mcp",
        &[
            &["oauth", "tools"],
            &["apps", "diagram", "links", "plans", "results", "schema", "services", "state"],
            &["shorten"],
            &["size"],
            &["escape"],
        ],
    ),
    ("mcp/tools", &[&["tool"], &["lenient", "listed", "parsing"]]),
    ("cli", &[&["prompt", "demo", "first_admin", "operate", "table"], &["data_dir"], &["output"]]),
];

/// A module beside the layers, and the modules that may import it.
const CONFIG: (&str, &[&str]) = ("config", &["app", "cli"]);

/// The only modules outside itself that `config` may import: the registry of settings, which are also its keys, and secrets.
const CONFIG_IMPORTS: [&[&str]; 2] = [&["settings"], &["secret"]];

/// Names that the root of the crate re-exports, and the modules that define them.
const REEXPORTED: [(&str, &str); 1] = [("Error", "error")];

#[test]
fn imports_point_down() {
    let mut wrong = Vec::new();
    for file in sources() {
        let allowed = allowed(file.module());
        for import in file.imports() {
            let top = import[0].as_str();
            let module = REEXPORTED.iter().find(|(name, _)| *name == top).map_or(top, |(_, module)| *module);
            let is_config = file.module() == CONFIG.0 && CONFIG_IMPORTS.iter().any(|path| starts_with(&import, path));
            if module != file.module() && !allowed.contains(module) && !is_config {
                let allowed: Vec<&str> = allowed.iter().copied().collect();
                wrong.push(format!("{} imports {}; allowed: {}", file.name, import.join("::"), allowed.join(", ")));
            }
        }
    }
    assert_none(&wrong);
}

#[test]
fn imports_inside_a_folder_point_down() {
    let edges = edges();
    let mut wrong = Vec::new();
    for (folder, layers) in INNER_LAYERS {
        // The name of the file or folder inside this one, and its layer, counted from the bottom.
        let place = |file: &str| {
            let inside = file.strip_prefix(&format!("src/{folder}/"))?.trim_end_matches(".rs").to_owned();
            let name = inside.split('/').next()?.to_owned();
            let below = layers.iter().rev().position(|names| names.contains(&name.as_str()));
            Some((name, below.unwrap_or(layers.len())))
        };
        for name in layers.iter().copied().flatten() {
            let exists =
                edges.values().flat_map(BTreeMap::keys).any(|file| place(file).is_some_and(|(of, _)| of == *name));
            if !exists {
                wrong.push(format!("src/{folder}/{name} is in the table, but nothing imports it"));
            }
        }
        for (file, targets) in edges {
            for (target, names) in targets {
                let (Some((from, layer)), Some((to, lower))) = (place(file), place(target)) else { continue };
                if from != to && lower > layer {
                    let names: Vec<&str> = names.iter().map(String::as_str).collect();
                    wrong
                        .push(format!("{file} imports {} from {target}, which is in a higher layer", names.join(", ")));
                }
            }
        }
    }
    assert_none(&wrong);
}

#[test]
fn tools_bulks_and_imports_write_the_map_through_change_sets() {
    const SET: &str = "src/mcp/tools/change_set.rs";
    let mut wrong = Vec::new();
    for file in sources() {
        let is_model =
            ["src/domain/map/bulk", "src/domain/transfer/import"].iter().any(|path| file.name.starts_with(path));
        let past: &[&str] = match file.module() {
            "mcp" if file.name != SET => &[".edit(", ".edit_ahead(", "EditTx"],
            _ if is_model => &[".create(", ".update(", ".update_workspace(", ".delete(", "store::rows"],
            _ => continue,
        };
        let found = past.iter().filter(|call| file.code.contains(**call));
        wrong.extend(found.map(|call| format!("{} has `{call}`, which bypasses `ChangeSet`", file.name)));
    }
    assert_none(&wrong);
}

#[test]
fn every_area_of_the_domain_has_its_own_layers() {
    let mut wrong = Vec::new();
    for (file, targets) in edges() {
        for (target, names) in targets {
            let (Some(from), Some(to)) = (place(file), place(target)) else { continue };
            if from.area == to.area && to.level > from.level {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                let (lower, higher) = (LEVELS[from.level], LEVELS[to.level]);
                wrong.push(format!("{file}, {lower}, imports {} from {target}, {higher}", names.join(", ")));
            }
        }
    }
    assert_none(&wrong);
    for file in sources().iter().filter(|file| place(&file.name).is_some_and(|place| place.level > 0)) {
        for import in file.imports() {
            if import[0] == "domain" && import.get(2).is_some_and(|part| part == "store") && import[1] != file.path()[1]
            {
                wrong.push(format!("{} imports {}, the SQL of another area", file.name, import.join("::")));
            }
        }
    }
    assert_none(&wrong);
}

/// Levels of the files of an area, from the bottom.
const LEVELS: [&str; 3] = ["part of the model", "SQL", "rules"];

/// The area of a file of the domain, and its level there.
struct Place<'f> {
    area: &'f str,
    level: usize,
}

fn place(file: &str) -> Option<Place<'_>> {
    let (area, rest) = file.strip_prefix("src/domain/")?.split_once('/')?;
    // The gate has no resources.
    let level = match rest.split(['/', '.']).next()? {
        _ if area == "core" => return None,
        "model" => 0,
        "store" => 1,
        _ => 2,
    };
    Some(Place { area, level })
}

#[test]
fn every_module_has_a_layer() {
    let known: BTreeSet<&str> = LAYERS.iter().copied().flatten().copied().chain([CONFIG.0]).collect();
    let modules: BTreeSet<&str> = sources().iter().map(Source::module).filter(|module| *module != CRATE).collect();
    assert_eq!(modules, known);
}

#[test]
fn only_the_domain_accesses_the_database() {
    const SQL: &[&str] = &["domain", "db", "error"];
    const STORE: &[&str] = &["domain"];
    const OPEN: &[&str] = &["db"];
    const SYSTEM: &[&str] = &["operator", "jobs", "app"];
    let mut wrong = Vec::new();
    for file in sources().iter().filter(|file| !file.is_test()) {
        let module = file.module();
        let mut only = |allowed: &[&str], is: bool, what: &str| {
            if is && !allowed.contains(&module) {
                wrong.push(format!("{} uses {what}, which is allowed only in {}", file.name, allowed.join(", ")));
            }
        };
        only(SQL, file.mentions("rusqlite"), "`rusqlite`");
        only(STORE, file.mentions("store"), "`store`");
        only(OPEN, file.code.contains("Connection::open"), "`Connection::open`");
        only(SYSTEM, file.code.contains(".system("), "`.system(`, which skips permission checks");
        let data = file.imports().iter().any(|path| path[0] == "db");
        only(&["domain", "app", "operator", "cli", "db"], data, "`db`, which bypasses the gate");
    }
    assert_none(&wrong);
}

/// The modules that the files of a module may import, besides the module itself.
fn allowed(module: &str) -> BTreeSet<&'static str> {
    let below = match LAYERS.iter().position(|modules| modules.contains(&module)) {
        Some(layer) => &LAYERS[layer + 1..],
        None if module == CRATE => &LAYERS[..],
        None => &[],
    };
    let config = (CONFIG.1.contains(&module) || module == CRATE).then_some(CONFIG.0);
    below.iter().copied().flatten().copied().chain(config).collect()
}

fn starts_with(path: &[String], start: &[&str]) -> bool {
    path.len() >= start.len() && path.iter().zip(start).all(|(part, wanted)| part == wanted)
}
