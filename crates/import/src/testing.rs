//! Helpers of the tests of readers.

use super::{Deployment, Files, Format, Options, Reading, Refusal, read, recognize};

/// All samples: name and content.
pub(super) const SAMPLES: [(&str, &str); 9] = [
    ("shop.archimate.xml", include_str!("../../../tests/imports/shop.archimate.xml")),
    ("shop.c4.mmd", include_str!("../../../tests/imports/shop.c4.mmd")),
    ("shop.c4.puml", include_str!("../../../tests/imports/shop.c4.puml")),
    ("shop.dsl", include_str!("../../../tests/imports/shop.dsl")),
    ("shop.dynamic.mmd", include_str!("../../../tests/imports/shop.dynamic.mmd")),
    ("shop.flowchart.mmd", include_str!("../../../tests/imports/shop.flowchart.mmd")),
    ("shop.icepanel.json", include_str!("../../../tests/imports/shop.icepanel.json")),
    ("shop.likec4.json", include_str!("../../../tests/imports/shop.likec4.json")),
    ("shop.structurizr.json", include_str!("../../../tests/imports/shop.structurizr.json")),
];

/// Options that read everything.
pub(super) fn everything() -> Options {
    Options { deployment: Deployment::All, motivation: true, ..Options::default() }
}

/// Reads a sample by name, with everything that is optional.
pub(super) fn sample(name: &str) -> Reading {
    let (_, text) = SAMPLES.into_iter().find(|(known, _)| *known == name).unwrap();
    let files = Files::of(name, text).unwrap();
    read(recognize(&files).unwrap(), &files, &everything()).unwrap()
}

/// Reads files of a format, which must be recognized.
pub(super) fn read_files(format: Format, files: &[(&str, &str)], options: &Options) -> Result<Reading, Refusal> {
    let set = set_of(files)?;
    assert_eq!(recognize(&set), Ok(format));
    read(format, &set, options)
}

/// Files by name and text.
pub(super) fn set_of(files: &[(&str, &str)]) -> Result<Files, Refusal> {
    let mut set = Files::new();
    for (name, text) in files {
        set.add(name, *text)?;
    }
    Ok(set)
}

/// Components as lines, such as `service API in Shop (Go, gRPC) #core`.
pub(super) fn components(reading: &Reading) -> Vec<String> {
    let line = |one: &super::Component| {
        let mut parts = vec![format!("{} {}", one.type_id, one.name)];
        let contains = |row: &&super::Relationship| row.type_id == "contains" && row.target_id == one.id;
        if let Some(whole) = reading.relationships.iter().find(contains) {
            parts.push(format!("in {}", name(reading, &whole.source_id)));
        }
        if !one.technology.is_empty() {
            parts.push(format!("({})", one.technology.join(", ")));
        }
        parts.extend(one.tags.iter().map(|tag| format!("#{tag}")));
        for (name, value) in one.properties.iter().filter(|(name, _)| *name != "c4" && *name != "archimate") {
            parts.push(format!("{name}={}", value.as_str().map_or_else(|| value.to_string(), str::to_owned)));
        }
        parts.join(" ")
    };
    reading.components.iter().map(line).collect()
}

/// Relationships other than `contains` as lines, such as `Web calls API: orders (REST)`.
pub(super) fn relationships(reading: &Reading) -> Vec<String> {
    let line = |one: &super::Relationship| {
        let direction = if one.properties.contains_key("bidirectional") { " both ways" } else { "" };
        let label = one.label.as_ref().map_or_else(String::new, |label| format!(": {label}"));
        let technology = match one.technology.as_slice() {
            [] => String::new(),
            all => format!(" ({})", all.join(", ")),
        };
        let [source, target] = [&one.source_id, &one.target_id].map(|id| name(reading, id));
        format!("{source} {} {target}{direction}{label}{technology}", one.type_id)
    };
    reading.relationships.iter().filter(|one| one.type_id != "contains").map(line).collect()
}

/// Diagnostics as lines, such as `12: there is no …`.
pub(super) fn diagnostics(reading: &Reading) -> Vec<String> {
    reading.diagnostics.iter().map(|one| format!("{}: {}", one.line, one.text)).collect()
}

/// The steps of the first process, without its participants.
pub(super) fn steps(reading: &Reading) -> Vec<&str> {
    let lines = reading.processes[0].mermaid.lines().skip(1);
    lines.filter(|line| !line.starts_with("  participant")).map(str::trim).collect()
}

fn name<'r>(reading: &'r Reading, id: &str) -> &'r str {
    reading.components.iter().find(|one| one.id == id).map_or("?", |one| one.name.as_str())
}
