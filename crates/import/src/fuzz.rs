//! Tests on random and hostile input: readers do not panic, are bounded, and always return rows that an import accepts.

use std::collections::{HashMap, HashSet};

use proptest::{prelude::*, sample::select};

use super::{
    Files, Format, MAX_DIAGNOSTICS, Reading, read, recognize,
    testing::{SAMPLES, everything},
};

/// Parts of the formats, and characters that are special in one of them.
const SCRAPS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "\"",
    "'",
    "\\",
    "\n",
    "\t",
    " ",
    ",",
    ":",
    ";",
    "=",
    "->",
    "-->",
    "-/>",
    "--x->",
    "<",
    ">",
    "/>",
    "</",
    "&",
    "#",
    "%%",
    "|",
    "@",
    "@{",
    ":::",
    "\"\"\"",
    "/*",
    "*/",
    "//",
    "${A}",
    "!const A ${A}${A}\n",
    "!include .\n",
    "!elements *",
    "this",
    "group \"x\" {\n",
    "workspace {\n",
    "dynamic * {\n",
    "}\n",
    "end\n",
    "subgraph x\n",
    "```mermaid\n",
    "~~~\n",
    "# A\n",
    "Rel(a, b)\n",
    "Boundary(a, b) {\n",
    "Boundary_End()\n",
    "null",
    "true",
    "-1",
    "1e999",
    "\u{0}",
    "\u{feff}",
    "é",
    "漢字",
    "🚀",
    "\u{202e}",
    "https://u:p@x",
    "planroom:api",
    "<br/>",
    "&#40",
    "#quot;",
    "contains",
    "Composition",
    "\"id\": \"1\"",
];

/// Checks that a reading satisfies the rules of the import.
pub(super) fn check(reading: &Reading) {
    let mut ids = HashSet::new();
    for one in &reading.components {
        assert!(ids.insert(one.id.as_str()), "{}", one.id);
        assert!((1..=128).contains(&one.id.chars().count()) && one.id.trim() == one.id, "{:?}", one.id);
        check_line(&one.name, 200);
        assert!(one.tags.len() <= 32 && one.technology.len() <= 32);
        one.tags.iter().chain(&one.technology).for_each(|keyword| check_line(keyword, 80));
        assert!(super::types::COMPONENT_TYPES.contains(&one.type_id));
        assert_eq!(one.x.is_some(), one.y.is_some());
    }
    let mut wholes = HashMap::new();
    let mut relationships = HashSet::new();
    let mut keys = HashSet::new();
    for one in &reading.relationships {
        assert!(relationships.insert(&one.id) && keys.insert(&one.origin.key), "{one:?}");
        assert!(ids.contains(one.source_id.as_str()) && ids.contains(one.target_id.as_str()));
        if one.type_id == "contains" {
            assert!(wholes.insert(&one.target_id, &one.source_id).is_none(), "{one:?}");
        }
        assert!(one.origin.line > 0);
    }
    for start in wholes.keys() {
        let above = std::iter::successors(Some(*start), |id| wholes.get(id).copied());
        assert!(
            above.take(reading.components.len() + 1).count() <= reading.components.len(),
            "{start} contains itself"
        );
    }
    for one in &reading.processes {
        let diagram = mermaid::read(&one.mermaid).unwrap();
        assert_eq!((diagram.diagnostic_count, diagram.steps.len()), (0, one.steps), "{}", one.mermaid);
        assert!(diagram.participants.iter().all(|actor| one.participants.contains_key(&actor.alias)));
        assert!(one.participants.values().all(|id| ids.contains(id.as_str().unwrap())));
        check_line(&one.name, 200);
    }
    let views: HashSet<&str> = reading.views.iter().map(|one| one.id.as_str()).collect();
    assert_eq!(views.len(), reading.views.len());
    for one in &reading.views {
        let shown = &one.definition.include[0].ids;
        assert!(!shown.is_empty() && shown.iter().all(|id| ids.contains(id.as_str())));
        assert!((2..=50).contains(&one.id.len()) && one.id != "all" && one.id != "personal");
        check_line(&one.name, 200);
    }
    let mut places = HashSet::new();
    for one in &reading.view_places {
        assert!(views.contains(one.view_id.as_str()) && ids.contains(one.component_id.as_str()));
        assert!(places.insert((&one.view_id, &one.component_id)));
    }
    assert!(reading.diagnostics.len() <= MAX_DIAGNOSTICS);
    check_line(&reading.workspace.name, 200);
    let text = serde_json::to_string(reading).unwrap();
    assert!(!text.contains("hunter2"), "{text}");
    for address in text.split("://").skip(1) {
        let authority = address.split(|c: char| c.is_whitespace() || "/?#\"\\".contains(c)).next().unwrap();
        assert!(!authority.contains('@'), "{authority} in {text}");
    }
}

fn check_line(text: &str, max: usize) {
    assert!((1..=max).contains(&text.chars().count()), "{text:?}");
    assert!(!text.contains(crate::text::is_hidden) && text.trim() == text, "{text:?}");
}

/// Reads files in every format.
fn read_all(files: &Files) {
    let _ = recognize(files);
    for format in Format::ALL {
        if let Ok(reading) = read(*format, files, &everything()) {
            check(&reading);
        }
    }
}

/// A change of a text: what is removed and inserted where, as shares of its length.
type Change = (f64, f64, &'static str, f64);

fn changed(text: &str, changes: &[Change]) -> String {
    let mut text = text.to_owned();
    for (at, length, scrap, source) in changes {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
        let place = |share: f64, text: &str| text.floor_char_boundary((text.len() as f64 * share) as usize);
        let from = place(*at, &text);
        let to = place(at + length, &text).clamp(from, text.len());
        // Copies a part from elsewhere instead of inserting a scrap.
        let copied = if scrap.is_empty() {
            let start = place(*source, &text);
            text[start..text.floor_char_boundary(start + 40)].to_owned()
        } else {
            (*scrap).to_owned()
        };
        text.replace_range(from..to, &copied);
    }
    text
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let scrap = prop_oneof![4 => select(SCRAPS), 1 => Just("")];
    let length = prop_oneof![3 => Just(0.0), 2 => 0.0..0.01_f64, 1 => 0.0..0.3_f64];
    proptest::collection::vec((0.0..1.0_f64, length, scrap, 0.0..1.0_f64), 1..12)
}

#[test]
fn samples_satisfy_the_rules() {
    for (name, text) in SAMPLES {
        let files = Files::of(name, text).unwrap();
        read_all(&files);
        let format = recognize(&files).unwrap();
        check(&read(format, &files, &everything()).unwrap());
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(files) = Files::of("a.dsl", bytes) {
            read_all(&files);
        }
    }

    #[test]
    fn any_scraps_are_read_or_refused(scraps in proptest::collection::vec(select(SCRAPS), 0..60), name in select(vec!["a.dsl", "a.mmd", "a.puml", "a.json"])) {
        if let Ok(files) = Files::of(name, scraps.concat()) {
            read_all(&files);
        }
    }

    #[test]
    fn changed_samples_are_read_or_refused(sample in select(SAMPLES.to_vec()), changes in changes()) {
        if let Ok(files) = Files::of(sample.0, changed(sample.1, &changes)) {
            read_all(&files);
        }
    }

    #[test]
    fn several_files_are_read_or_refused(samples in proptest::collection::vec(select(SAMPLES.to_vec()), 1..4), changes in changes()) {
        let mut files = Files::new();
        for (number, (name, text)) in samples.iter().enumerate() {
            let text = if number == 0 { changed(text, &changes) } else { (*text).to_owned() };
            if files.add(&format!("{number}/{name}"), text).is_err() {
                return Ok(());
            }
        }
        read_all(&files);
    }
}

#[test]
fn hostile_files_are_bounded() {
    let long = |part: &str, bytes: usize| part.repeat(bytes / part.len());
    let size = 200 << 10;
    let wide = |open: &str, item: &str, close: &str| format!("{open}{}{close}", long(item, size));
    let json = |inside: &str| {
        format!(
            "{{\"model\":{{\"softwareSystems\":[{inside}]}},\"projectId\":\"x\",\"elements\":{{}},\"relations\":{{}},\"modelObjects\":{{}},\"modelConnections\":{{}}}}"
        )
    };
    let xml = |inside: &str| {
        format!("<model xmlns=\"http://www.opengroup.org/xsd/archimate/3.0/\"><elements>{inside}</elements></model>")
    };
    for text in [
        long("[", size),
        long("{\"a\":", size),
        json(&format!("{}{{}}", long("{\"name\":\"a\",\"containers\":[]},", size))),
        json(&format!("{{\"name\":\"{}\"}}", long("<", size))),
        xml(&long("<element>", size)),
        xml(&long("<element identifier=\"a\"/>", size)),
        xml(&long("&lt;", size)),
        wide("flowchart TD\n", "a & ", "b --> c"),
        wide("flowchart TD\n", "a --> ", "b"),
        wide("flowchart TD\na[", "f<#&", "]"),
        wide("flowchart TD\na -- ", "- ", "> b"),
        wide("flowchart TD\n", "[(", ""),
        wide("flowchart TD\n", "subgraph x\n", ""),
        wide("flowchart TD\n", "\"\n", ""),
        wide("C4Context\n", "Boundary(a, b) {\n", ""),
        wide("C4Context\n", "Person(a, \"b\n", ""),
        wide("C4Context\nRel(", "(", ""),
        wide("C4Dynamic\n", "Rel(a, b, \"c\")\n", ""),
        wide("@startuml\n!include C4_\n", "System(a, b)\n", ""),
        wide("workspace {\nmodel {\n", "group \"a\" {\n", ""),
        wide("workspace {\nmodel {\n", "a = softwareSystem \"a\"\n", "}\n}"),
        wide("workspace {\nmodel {\na = softwareSystem \"a\"\n", "a -> a\n", "}\n}"),
        wide("workspace {\nmodel {\na = softwareSystem \"a\"\n", "!elements *\n", "}\n}"),
        wide("workspace {\nmodel {\na = softwareSystem \"a\" {\n", "tag a,b,c\nproperties {\na b\n}\n", "}\n}"),
        wide("workspace {\nviews {\ndynamic * {\n", "{\n", ""),
        wide("workspace \"", "\\\"", "\" {\n}"),
        wide("workspace ", "a ", "{\n}"),
        long("!include .\n", size),
        long("\\\n", size),
    ] {
        let mut files = Files::of("a.dsl", text.clone()).unwrap();
        read_all(&files);
        files.add("b.dsl", "!include .").unwrap();
        let _ = read(Format::StructurizrDsl, &files, &everything());
    }
    // Files without lines that include each other.
    let mut files = Files::new();
    for n in 0..200 {
        files.add(&format!("{n}.dsl"), "!include .").unwrap();
    }
    assert!(read(Format::StructurizrDsl, &files, &everything()).is_err());
}

#[test]
fn document_types_and_entities_are_refused() {
    let text = "<!DOCTYPE model [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\">]>
        <model xmlns=\"http://www.opengroup.org/xsd/archimate/3.0/\"><name>&b;</name></model>";
    let files = Files::of("a.xml", text).unwrap();
    let refusal = read(Format::ArchiMate, &files, &everything()).unwrap_err();
    assert!(refusal.to_string().starts_with("a.xml:1: the file is not valid XML"), "{refusal}");
}
