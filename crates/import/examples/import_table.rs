//! Reads a folder of samples and prints a table of what was expected and what was found.
//!
//! `cargo run -p planroom-import --example import_table -- FOLDER`. The folder has a file `EXPECTED.json` with a list `samples`, each with
//! `name`, `format`, `files` and `expect`. Exits with 1 if something differs.

use std::{
    env, fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use planroom_import::{self as import, Component, Deployment, Files, Format, Options, Reading, Relationship};
use serde_json::{Map, Value, json};

/// End of the key of the second half of a connection through a store or queue.
const VIA: &str = ":via";

fn main() -> io::Result<ExitCode> {
    let folder = PathBuf::from(env::args_os().nth(1).ok_or_else(|| io::Error::other("give a folder of samples"))?);
    let expected: Value = serde_json::from_slice(&fs::read(folder.join("EXPECTED.json"))?)?;
    let mut out = io::stdout().lock();
    writeln!(out, "{:<18} {:<28} {:<24} {:>9} {:>9}  met", "format", "sample", "fact", "expected", "found")?;
    let (mut met, mut unmet, mut unread) = (0, 0, 0);
    for sample in expected["samples"].as_array().into_iter().flatten() {
        let (name, id) = (text(&sample["name"]), text(&sample["format"]));
        let mut row = |fact: &str, expected: &str, found: &str, is_met: &str| {
            writeln!(out, "{id:<18} {name:<28} {fact:<24} {expected:>9} {found:>9}  {is_met}")
        };
        let Some(format) = Format::of_id(id) else {
            unread += 1;
            row("", "", "", "no reader")?;
            continue;
        };
        for (fact, expected, found) in
            facts(&folder, sample, format).map_err(|error| io::Error::other(format!("{id}, {name}: {error}")))?
        {
            let is_met = expected == found;
            row(&fact, &short(&expected), &short(&found), if is_met { "yes" } else { "NO" })?;
            if is_met { met += 1 } else { unmet += 1 }
        }
    }
    writeln!(out, "{met} met, {unmet} not met, {unread} samples without a reader")?;
    Ok(if unmet == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The facts of a sample: name, expected value, found value.
fn facts(folder: &Path, sample: &Value, format: Format) -> io::Result<Vec<(String, Value, Value)>> {
    let files = files(folder, sample)?;
    let recognized = import::recognize(&files).map_err(io::Error::other)?;
    let mut facts = vec![("format".to_owned(), json!(format.id()), json!(recognized.id()))];
    let read = |deployment| {
        let options = Options { deployment, ..Options::default() };
        import::read(format, &files, &options).map_err(io::Error::other)
    };
    let reading = read(Deployment::None)?;
    for (fact, expected) in sample["expect"].as_object().into_iter().flatten() {
        if fact == "pages" {
            facts.extend(pages(&reading, expected));
        } else if fact == "compressed" {
            let is_compressed = !files.iter().any(|file| file.text().contains("<mxGraphModel"));
            facts.push((fact.clone(), expected.clone(), json!(is_compressed)));
        } else if format == Format::Terraform && ["relationships", "contains"].contains(&fact.as_str()) {
            // A reference to a network or resource group is expected as an edge, and is a containment on the map.
            let count = |fact| found(fact, &reading, expected).as_u64().unwrap_or_default();
            let around = ignored(&reading, &["references to groups further out"]) as u64;
            let edges = count("relationships") + count("contains") + around;
            let found = if fact == "contains" { count("boxes") } else { edges };
            facts.push((fact.clone(), expected.clone(), json!(found)));
        } else if fact == "deployment" {
            let deployed = read(Deployment::All)?;
            facts.extend(expected.as_object().into_iter().flatten().map(|(fact, expected)| {
                (format!("deployment {fact}"), expected.clone(), deployment(fact, &reading, &deployed))
            }));
        } else if fact == "edges" {
            let edges = expected.as_array().into_iter().flatten();
            facts.extend(
                edges.map(|edge| (format!("edge {}", short_edge(edge)), json!(true), json!(has_edge(&reading, edge)))),
            );
        } else if fact == "relationships" && sample["expect"].get("inferredMore").is_some() {
            // Those that only environments tell of are counted apart.
            let inferred = found("inferredMore", &reading, expected).as_u64();
            let all = found(fact, &reading, expected).as_u64();
            facts.push((
                fact.clone(),
                expected.clone(),
                json!(all.zip(inferred).map(|(all, inferred)| all - inferred)),
            ));
        } else if fact == "impliedSkipped" && format == Format::StructurizrDsl {
            // Only exports contain implied relationships.
        } else {
            facts.push((fact.clone(), expected.clone(), found(fact, &reading, expected)));
        }
    }
    Ok(facts)
}

fn files(folder: &Path, sample: &Value) -> io::Result<Files> {
    let mut files = Files::new();
    for pattern in sample["files"].as_array().into_iter().flatten().map(text) {
        let paths = match pattern.rsplit_once('/') {
            Some((parent, "*.yaml")) => {
                let mut all: Vec<PathBuf> = fs::read_dir(folder.join(parent))?.flatten().map(|e| e.path()).collect();
                all.sort();
                all
            }
            _ => vec![folder.join(pattern)],
        };
        for path in paths {
            let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
            files.add(&name, fs::read(&path)?).map_err(io::Error::other)?;
        }
    }
    Ok(files)
}

fn found(fact: &str, reading: &Reading, expected: &Value) -> Value {
    let contains = |type_id: &str| type_id == "contains";
    let relationships = || reading.relationships.iter().filter(|one| !contains(one.type_id));
    let with = |name: &str| relationships().filter(|one| one.properties.contains_key(name)).count();
    let count = match fact {
        "components" => reading.components.iter().filter(|one| !one.is_box).count(),
        "boxes" => reading.components.iter().filter(|one| one.is_box).count(),
        "contains" => reading.relationships.iter().filter(|one| contains(one.type_id)).count(),
        // A connection through a store or queue is two relationships.
        "relationships" => relationships().filter(|one| !one.origin.key.ends_with(VIA)).count(),
        "bidirectional" => with("bidirectional"),
        "impliedSkipped" => reading.ignored.get("implied relationships").copied().unwrap_or_default(),
        "processes" => reading.processes.len(),
        "steps" => reading.processes.iter().map(|one| one.steps).sum(),
        // Addresses that are relative to the repository are no web addresses.
        "links" => reading.links.len() + reading.ignored.get("relative links").copied().unwrap_or_default(),
        "views" => reading.views.len() + ignored(reading, &["deployment views", "dynamic views"]),
        "teams" => reading.teams.len(),
        "people" => reading.people.len(),
        "memberships" => reading.teams.iter().map(|team| team.members.len()).sum(),
        "owners" => reading.stakeholders.iter().filter(|one| one.link_type == "owner").count(),
        "dangling" => reading.diagnostics.iter().filter(|one| one.text.contains("one of its ends")).count(),
        "inferredMore" => with("inferred"),
        "services" => {
            let lists = reading.components.iter().filter_map(|one| one.properties.get("services")?.as_array());
            lists.map(Vec::len).sum()
        }
        "properties" => {
            let known = |name: &String| name != "archimate" && name != "documentation";
            let components = reading.components.iter().flat_map(|one| one.properties.keys()).filter(|name| known(name));
            components.count() + ignored(reading, &["properties of the model", "properties of compositions"])
        }
        "dataSkipped" => ignored(reading, &["data sources"]),
        "shapes" | "named" => reading.components.len(),
        "arrows" => relationships().count() + ignored(reading, &["arrows without both ends"]),
        "bound" | "bothEndsNamed" => relationships().count(),
        "unresolved" => {
            let missing = reading.diagnostics.iter().filter(|one| one.text.contains("is not among the entities"));
            return missing.map(|one| Value::from(one.text.as_str())).collect();
        }
        "kinds" => return kinds(reading, expected),
        _ => return Value::from("unknown"),
    };
    json!(count)
}

fn ignored(reading: &Reading, names: &[&str]) -> usize {
    names.iter().filter_map(|name| reading.ignored.get(*name)).sum()
}

/// Shapes and connectors of all pages together. Shapes that are no components are counted too.
fn pages(reading: &Reading, expected: &Value) -> Vec<(String, Value, Value)> {
    let sum =
        |name: &str| -> u64 { expected.as_array().into_iter().flatten().filter_map(|page| page[name].as_u64()).sum() };
    let drawn = reading.relationships.iter().filter(|one| one.type_id != "contains").count();
    let named = reading.components.len() + ignored(reading, &["shapes of legends", "numbers"]);
    let unnamed = ignored(reading, &["connectors between shapes without text"]);
    let loose = ignored(reading, &["connectors without both ends", "connectors of legends"]);
    let is_enough = drawn as u64 >= sum("bothEndsNamed");
    vec![
        ("named".into(), json!(sum("named")), json!(named)),
        ("edges".into(), json!(sum("edges")), json!(drawn + unnamed)),
        ("loose".into(), json!(sum("loose")), json!(loose)),
        (format!("bothEndsNamed {} found {drawn}", sum("bothEndsNamed")), json!(true), json!(is_enough)),
    ]
}

/// Number of components of each kind that is expected.
fn kinds(reading: &Reading, expected: &Value) -> Value {
    let count = |kind: &str| {
        let own = reading.components.iter().filter(|one| !one.is_box);
        let written = |one: &Component| {
            let names = ["c4", "kubernetes"].into_iter().find_map(|name| one.properties.get(name));
            names.and_then(Value::as_str).unwrap_or(one.type_id) == kind
        };
        own.filter(|one| written(one)).count()
    };
    expected
        .as_object()
        .into_iter()
        .flatten()
        .map(|(kind, _)| (kind.clone(), json!(count(kind))))
        .collect::<Map<_, _>>()
        .into()
}

/// What the deployment environments add.
fn deployment(fact: &str, without: &Reading, all: &Reading) -> Value {
    let boxes = |reading: &Reading| reading.components.iter().filter(|one| one.is_box).count();
    let of = |reading: &Reading, id: &str| reading.relationships.iter().filter(|one| one.type_id == id).count();
    let added = all.components.len() - boxes(all) - (without.components.len() - boxes(without));
    let network =
        all.components.iter().filter(|one| one.properties.get("deployment") == Some(&json!("infrastructure"))).count();
    match fact {
        "nodes" => json!(added - network),
        "infrastructure" => json!(network),
        "deployedOn" => json!(of(all, "deployed-on")),
        "own" => {
            let others =
                |reading: &Reading| reading.relationships.len() - of(reading, "deployed-on") - of(reading, "contains");
            json!(others(all) - others(without))
        }
        "environments" => {
            let known = |key: &str| without.components.iter().any(|one| one.origin.key == key);
            let boxes = all.components.iter().filter(|one| one.is_box && !known(&one.origin.key));
            json!(boxes.map(|one| one.name.as_str()).collect::<Vec<_>>())
        }
        _ => Value::from("unknown"),
    }
}

/// Whether there is a relationship between components with these names, with this label or type in the source.
fn has_edge(reading: &Reading, edge: &Value) -> bool {
    let (from, to, label) = (text(&edge[0]), text(&edge[1]), text(&edge[2]));
    // The edges of plans have addresses as ends.
    let name = |id: &str| {
        let one = reading.components.iter().find(|one| one.id == id);
        one.map_or("", |one| if one.properties.contains_key("terraform") { &one.origin.key } else { &one.name })
    };
    // A connection through a store or queue ends where its second half ends.
    let end = |one: &Relationship| {
        let key = format!("{}{VIA}", one.origin.key);
        let half = reading.relationships.iter().find(|other| other.origin.key == key);
        half.unwrap_or(one).target_id.clone()
    };
    reading.relationships.iter().any(|one| {
        let kind = one.properties.get("archimate").and_then(Value::as_str);
        let (source, target) = (name(&one.source_id), name(&end(one)));
        // Those who are served depend on those who serve.
        let ends = if kind == Some("Serving") { (target, source) } else { (source, target) };
        // What the relation of a catalog becomes.
        let is_catalog = match label {
            "dependsOn" => one.type_id == "depends-on",
            "consumesApis" => one.type_id == "calls",
            "providesApis" => one.label.as_deref() == Some("provided by"),
            _ => false,
        };
        let is_labeled = one.label.as_deref().unwrap_or_default() == label;
        ends == (from, to) && (is_labeled || kind == Some(label) || is_catalog)
    })
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn short(value: &Value) -> String {
    match value {
        Value::String(text) => text.chars().take(20).collect(),
        Value::Object(fields) => fields.values().map(Value::to_string).collect::<Vec<_>>().join("/"),
        Value::Array(items) => items.iter().map(text).collect::<Vec<_>>().join("/"),
        other => other.to_string(),
    }
}

fn short_edge(edge: &Value) -> String {
    [&edge[0], &edge[1]].map(|end| text(end).chars().take(8).collect::<String>()).join("->")
}
