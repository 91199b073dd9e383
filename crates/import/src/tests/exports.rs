//! What Planroom exports, its readers read back.

use std::collections::{BTreeMap, BTreeSet};

use export::{Component, Map, Rect, Relationship};
use proptest::{prelude::*, sample::select};

use crate::{Files, Format, Options, Reading, fuzz, read, recognize, text, types};

/// Pieces of texts that are special in one of the formats.
const PIECES: &[&str] = &[
    "a",
    "Web shop",
    "é",
    "漢字",
    "🚀",
    "1",
    "42",
    " ",
    "end",
    "Legend",
    "\"",
    "'",
    "\\",
    "\\n",
    "\n",
    "#",
    "#35;",
    "&",
    "&amp;",
    "<b>",
    "<br/>",
    "</",
    "]]>",
    "-->",
    "->",
    "--",
    "//",
    "/*",
    "*/",
    "/'",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ",",
    ";",
    ":",
    "=",
    "+",
    "$",
    "$x",
    "%",
    "%name%",
    "%date()",
    "!",
    "!include x",
    "~",
    "**",
    "__",
    "@enduml",
    "|",
    "${A}",
    "\"\"\"",
    "<U+0022>",
    "u",
    "planroom:api",
    "this",
    "group",
];

fn texts(parts: usize) -> impl Strategy<Value = String> {
    proptest::collection::vec(select(PIECES), 0..=parts).prop_map(|parts| parts.concat())
}

/// A name as an import would store it: not empty, and unique by its number.
fn name(number: usize, text: &str) -> String {
    text::name(&format!("{text}n{number}"))
}

fn maps() -> impl Strategy<Value = Map> {
    let keywords =
        || proptest::collection::vec(texts(2), 0..3).prop_map(|all| text::keywords(all.iter().map(String::as_str)));
    let component =
        (texts(4), texts(6), select(&types::COMPONENT_TYPES[..]), any::<Option<u8>>(), keywords(), keywords());
    let relationship =
        (any::<u8>(), any::<u8>(), select(&types::RELATIONSHIP_TYPES[..]), texts(3), keywords(), any::<bool>());
    let parts = (
        proptest::collection::vec(component, 1..10),
        proptest::collection::vec(relationship, 0..12),
        proptest::collection::vec((-2_000_i32..2_000, -2_000_i32..2_000), 10),
    );
    parts.prop_map(|(components, relationships, places)| {
        let mut map = Map { name: name(0, ""), ..Map::default() };
        for (at, (own, description, type_id, parent, tags, technology)) in components.into_iter().enumerate() {
            map.components.push(Component {
                id: format!("C {at}/{}", if at % 3 == 0 { "x\"<&" } else { "é" }),
                type_id: type_id.into(),
                type_name: type_id.into(),
                name: name(at, &own),
                description: text::description(&description).unwrap_or_default(),
                rect: Rect { x: f64::from(places[at].0) / 2.0, y: f64::from(places[at].1), width: 200.0, height: 80.0 },
                tags: tags.into_iter().filter(|tag| !tag.contains("planroom:")).collect(),
                technology,
                ..Component::default()
            });
            if let Some(parent) = parent.map(usize::from).filter(|_| at > 0) {
                map.relationships.push(Relationship {
                    id: format!("contains {at}"),
                    source_id: map.components[parent % at].id.clone(),
                    target_id: map.components[at].id.clone(),
                    type_id: "contains".into(),
                    ..Relationship::default()
                });
            }
        }
        let count = map.components.len();
        for (at, (from, to, type_id, label, technology, both)) in relationships.into_iter().enumerate() {
            let id = |end: u8| map.components[usize::from(end) % count].id.clone();
            let (source_id, target_id) = (id(from), id(to));
            map.relationships.push(Relationship {
                id: format!("R {at}"),
                source_id,
                target_id,
                type_id: type_id.into(),
                type_name: type_id.replace('-', " "),
                is_directed: type_id != "related-to",
                label: text::label(&label),
                technology,
                is_bidirectional: both && type_id != "related-to",
            });
        }
        map
    })
}

/// Writes a map, and reads it with the reader that recognizes it.
fn read_back(format: export::Format, map: &Map) -> Reading {
    let text = export::write(format, map);
    let files = Files::of(&format!("map.{}", format.extension()), text.as_str()).unwrap();
    let found = recognize(&files).unwrap();
    assert_eq!(Some(found), Format::of_id(format.id()), "{text}");
    let reading = read(found, &files, &Options::default()).unwrap();
    let errors: Vec<_> = reading.diagnostics.iter().filter(|one| !one.text.contains("secret")).collect();
    assert!(errors.is_empty(), "{errors:?}\n{text}");
    fuzz::check(&reading);
    reading
}

fn parents(map: &Map) -> BTreeMap<&str, &str> {
    let contains = map.relationships.iter().filter(|one| one.type_id == "contains");
    contains.map(|one| (one.target_id.as_str(), one.source_id.as_str())).collect()
}

fn read_parents(reading: &Reading) -> BTreeMap<&str, &str> {
    let contains = reading.relationships.iter().filter(|one| one.type_id == "contains");
    contains.map(|one| (one.target_id.as_str(), one.source_id.as_str())).collect()
}

fn name_of<'r>(reading: &'r Reading, id: &str) -> &'r str {
    reading.components.iter().find(|one| one.id == id).map_or("?", |one| one.name.as_str())
}

fn own_name<'m>(map: &'m Map, id: &str) -> &'m str {
    map.components.iter().find(|one| one.id == id).map_or("?", |one| one.name.as_str())
}

/// Relationships by the names of their ends, with their type and label.
fn arrows(reading: &Reading) -> Vec<[String; 4]> {
    let rows = reading.relationships.iter().filter(|one| one.type_id != "contains");
    let arrow = |one: &crate::Relationship| {
        let [from, to] = [&one.source_id, &one.target_id].map(|id| name_of(reading, id).to_owned());
        [from, to, one.type_id.to_owned(), one.label.clone().unwrap_or_default()]
    };
    let mut all: Vec<_> = rows.map(arrow).collect();
    all.sort();
    all
}

/// Like [`arrows`], of the map that was written. A label that only repeats the type is none.
fn own_arrows(map: &Map) -> Vec<[String; 4]> {
    let rows = map.relationships.iter().filter(|one| one.type_id != "contains");
    let arrow = |one: &Relationship| {
        let [from, to] = [&one.source_id, &one.target_id].map(|id| own_name(map, id).to_owned());
        [from, to, one.type_id.clone(), types::label(&one.label, Some(&one.type_id)).to_owned()]
    };
    let mut all: Vec<_> = rows.map(arrow).collect();
    all.sort();
    all.dedup();
    all
}

proptest! {
    #[test]
    fn drawings_have_the_same_rows(map in maps()) {
        let reading = read_back(export::Format::DrawIo, &map);
        prop_assert_eq!(reading.components.len(), map.components.len());
        for own in &map.components {
            let found = reading.components.iter().find(|one| one.id == own.id).unwrap();
            prop_assert_eq!(&found.name, &own.name);
            prop_assert_eq!(found.type_id, own.type_id.as_str());
            prop_assert_eq!(found.description.clone().unwrap_or_default(), own.description.clone());
            prop_assert_eq!((found.x, found.y), (Some(own.rect.x), Some(own.rect.y)));
            prop_assert_eq!((&found.tags, &found.technology), (&own.tags, &own.technology));
            prop_assert!(found.properties.is_empty(), "{:?}", found.properties);
        }
        prop_assert_eq!(read_parents(&reading), parents(&map));
        for own in map.relationships.iter().filter(|one| one.type_id != "contains") {
            let found = reading.relationships.iter().find(|one| one.id == own.id).unwrap();
            let ends = (&found.source_id, &found.target_id, found.type_id);
            prop_assert_eq!(ends, (&own.source_id, &own.target_id, own.type_id.as_str()));
            prop_assert_eq!(found.label.clone().unwrap_or_default(), own.label.clone());
            prop_assert_eq!(&found.technology, &own.technology);
            prop_assert_eq!(found.properties.contains_key("bidirectional"), own.is_bidirectional);
        }
        prop_assert_eq!(reading.relationships.len(), map.relationships.len());
    }

    #[test]
    fn structurizr_workspaces_have_the_same_components(map in maps(), is_json in any::<bool>()) {
        let format = if is_json { export::Format::StructurizrJson } else { export::Format::StructurizrDsl };
        let reading = read_back(format, &map);
        let (own_parents, found_parents) = (parents(&map), read_parents(&reading));
        for own in &map.components {
            // What only groups others has no id.
            let found = reading.components.iter().find(|one| one.id == own.id);
            let Some(found) = found.or_else(|| reading.components.iter().find(|one| one.is_box && one.name == own.name)) else {
                return Err(TestCaseError::fail(format!("{own:?} is missing")));
            };
            prop_assert_eq!(&found.name, &own.name);
            if found.is_box {
                continue;
            }
            prop_assert_eq!(found.type_id, own.type_id.as_str());
            let commas: Vec<String> = own.tags.iter().map(|tag| text::name(&tag.replace(',', " "))).filter(|tag| !tag.is_empty()).collect();
            prop_assert_eq!(&found.tags, &text::keywords(commas.iter().map(String::as_str)));
            let around = found_parents.get(found.id.as_str()).map_or("", |id| name_of(&reading, id));
            let expected = own_parents.get(own.id.as_str()).map_or("", |id| own_name(&map, id));
            prop_assert!([expected, &own.name, "Live"].contains(&around), "{} is in {around}, not in {expected}", own.name);
        }
        // Relationships between a component and its part are left out.
        let found = arrows(&reading);
        for arrow in own_arrows(&map) {
            let nested = |part: &str, whole: &str| {
                let id = map.components.iter().find(|one| one.name == part).unwrap().id.as_str();
                std::iter::successors(Some(id), |id| own_parents.get(id).copied()).any(|id| own_name(&map, id) == whole)
            };
            let [from, to, type_id, label] = &arrow;
            let is_nested = nested(from, to) || nested(to, from);
            let is_deployed = type_id == "deployed-on" && found.contains(&[from.clone(), to.clone(), type_id.clone(), String::new()]);
            let with_type = || {
                let shown = if label.is_empty() { type_id.replace('-', " ") } else { label.clone() };
                let label = format!("{shown} ({})", type_id.replace('-', " "));
                found.contains(&[from.clone(), to.clone(), type_id.clone(), label])
            };
            prop_assert!(found.contains(&arrow) || is_nested || is_deployed || with_type(), "{arrow:?} is not in {found:?}");
        }
    }

    #[test]
    fn c4_diagrams_have_the_same_components(map in maps(), is_mermaid in any::<bool>()) {
        let format = if is_mermaid { export::Format::MermaidC4 } else { export::Format::PlantUmlC4 };
        let reading = read_back(format, &map);
        let (own_parents, found_parents) = (parents(&map), read_parents(&reading));
        let found: BTreeSet<[&str; 3]> = reading.components.iter().map(|one| {
            let around = found_parents.get(one.id.as_str()).map_or("", |id| name_of(&reading, id));
            [one.name.as_str(), one.type_id, around]
        }).collect();
        for own in &map.components {
            let around = own_parents.get(own.id.as_str()).map_or("", |id| own_name(&map, id));
            prop_assert!(found.contains(&[own.name.as_str(), &own.type_id, around]), "{own:?} is not in {found:?}");
        }
        prop_assert_eq!(reading.components.len(), map.components.len());
        let labels = |arrows: Vec<[String; 4]>| -> BTreeSet<[String; 4]> { arrows.into_iter().collect() };
        prop_assert_eq!(labels(arrows(&reading)), labels(own_arrows(&map)));
    }
}
