//! Keys do not depend on what else is read, nor on the order of the files.

use std::collections::BTreeMap;

use proptest::{prelude::*, sample::subsequence};

use crate::{Files, Format, Origin, Reading, read, testing::everything};

/// Files of each format whose ids are local to a file or project. They have some of them in common.
fn files(format: Format) -> Vec<(&'static str, String)> {
    let three = |make: fn(&str, &str) -> String, names: [&'static str; 3]| {
        let rows = [("Checkout", "b"), ("Robot", "x"), ("Ledger", "b")];
        names.into_iter().zip(rows).map(|(name, (one, other))| (name, make(one, other))).collect()
    };
    match format {
        Format::MermaidFlowchart => three(
            |one, other| format!("flowchart LR\nA[{one}] --> {other}[(Store)]\n{other} --> C[Mailer]\n"),
            ["shop.mmd", "factory.mmd", "docs/shop.mmd"],
        ),
        Format::MermaidC4 => three(
            |one, other| {
                format!("C4Dynamic\nPerson(a, \"{one}\")\nSystem({other}, \"S\")\nRel(a, {other}, \"uses\")\n")
            },
            ["shop.mmd", "factory.mmd", "docs/shop.mmd"],
        ),
        Format::DrawIo => three(
            |one, other| {
                format!(
                    "<mxfile><diagram id=\"p\"><mxGraphModel><root><mxCell id=\"0\"/><mxCell id=\"1\" parent=\"0\"/>\
                     <mxCell id=\"a\" value=\"{one}\" vertex=\"1\" parent=\"1\"/><mxCell id=\"{other}\" value=\"B\" vertex=\"1\" parent=\"1\"/>\
                     <mxCell id=\"e\" edge=\"1\" source=\"a\" target=\"{other}\" parent=\"1\"/></root></mxGraphModel></diagram></mxfile>"
                )
            },
            ["shop.drawio", "factory.drawio", "docs/shop.drawio"],
        ),
        Format::StructurizrDsl => three(
            |one, other| {
                format!(
                    "workspace {{\nmodel {{\na = person \"{one}\"\n{other} = softwareSystem \"S\"\na -> {other} \"uses\"\n}}\n\
                     views {{\nsystemLandscape all {{\ninclude *\n}}\n}}\n}}\n"
                )
            },
            ["shop.dsl", "factory.dsl", "docs/shop.dsl"],
        ),
        Format::Terraform => three(
            |one, other| {
                let row = |address: &str, name: &str, depends: &str| {
                    format!(
                        r#"{{"address":"aws_lambda_function.{address}","mode":"managed","type":"aws_lambda_function","name":"{address}","values":{{"function_name":"{name}"}},"depends_on":[{depends}]}}"#
                    )
                };
                let depends = format!("\"aws_lambda_function.{other}\"");
                format!(
                    r#"{{"format_version":"1.0","terraform_version":"1.9.0","values":{{"root_module":{{"resources":[{},{}]}}}}}}"#,
                    row("a", one, &depends),
                    row(other, "B", "")
                )
            },
            ["shop.json", "factory.json", "docs/shop.json"],
        ),
        Format::Csv => three(
            |one, other| format!("id,name,dependsOn\na,{one},{other}\n{other},B,\n"),
            ["shop.csv", "factory.csv", "docs/shop.csv"],
        ),
        Format::LikeC4 => three(
            |one, other| {
                format!(
                    r#"{{"projectId":"{one}","specification":{{}},"elements":{{"a":{{"title":"{one}"}},"{other}":{{"title":"B"}}}},
                    "relations":{{"r":{{"source":{{"model":"a"}},"target":{{"model":"{other}"}},"title":"uses"}}}}}}"#
                )
            },
            ["shop.json", "factory.json", "docs/shop.json"],
        ),
        _ => three(
            |one, other| {
                format!(
                    "services:\n  a: {{ depends_on: [{other}], labels: {{ org.opencontainers.image.title: {one}, \
                     org.opencontainers.image.url: 'https://example.org', planroom.owner: team }} }}\n  {other}: {{ image: redis }}\n"
                )
            },
            ["compose.yaml", "factory/compose.yaml", "shop/compose.yaml"],
        ),
    }
}

const FORMATS: [Format; 8] = [
    Format::MermaidFlowchart,
    Format::MermaidC4,
    Format::DrawIo,
    Format::StructurizrDsl,
    Format::Terraform,
    Format::Csv,
    Format::LikeC4,
    Format::Compose,
];

/// All rows with a key: their file, kind and key without the file or project, and what they are.
fn rows(reading: &Reading) -> BTreeMap<(String, &'static str, String), (String, String)> {
    let mut rows = BTreeMap::new();
    let mut add = |kind: &'static str, origin: &Origin, what: String| {
        let own = format!("{}:", origin.file);
        let scope = origin.scope.as_deref().unwrap_or(&own);
        let local = origin.key.strip_prefix(scope).unwrap_or(&origin.key);
        let known = rows.insert((origin.file.to_string(), kind, local.to_owned()), (origin.key.clone(), what));
        assert!(known.is_none(), "{known:?} and {origin:?}");
    };
    reading.components.iter().for_each(|row| add("component", &row.origin, row.name.clone()));
    let name = |id: &str| reading.components.iter().find(|row| row.id == id).unwrap().name.clone();
    let ends = |row: &crate::Relationship| name(&row.source_id) + &name(&row.target_id);
    reading.relationships.iter().for_each(|row| add("relationship", &row.origin, ends(row)));
    reading.stakeholders.iter().for_each(|row| add("stakeholder", &row.origin, name(&row.component_id)));
    reading.links.iter().for_each(|row| add("link", &row.origin, row.url.clone()));
    reading.processes.iter().for_each(|row| add("process", &row.origin, row.mermaid.clone()));
    reading.views.iter().for_each(|row| add("view", &row.origin, row.name.clone()));
    rows
}

fn reading(format: Format, own: &[(&str, String)]) -> Reading {
    let mut files = Files::new();
    for (name, text) in own {
        files.add(name, text.as_str()).unwrap();
    }
    read(format, &files, &everything()).unwrap()
}

#[test]
fn a_key_that_several_files_have_begins_with_the_file() {
    let files = files(Format::MermaidFlowchart);
    let keys = |files: &[(&str, String)]| -> Vec<String> {
        let reading = reading(Format::MermaidFlowchart, files);
        reading.components.into_iter().map(|row| row.origin.key).collect()
    };
    assert_eq!(keys(&files[..1]), ["A", "b", "C"]);
    assert_eq!(keys(&files[..2]), ["factory.mmd:A", "x", "factory.mmd:C", "shop.mmd:A", "b", "shop.mmd:C"]);
}

#[test]
fn projects_without_a_common_key_keep_theirs() {
    let mut files = files(Format::Compose);
    files[1].1 = "services:\n  other: { image: redis }\n".into();
    let all = reading(Format::Compose, &files[..2]);
    let keys: Vec<&str> = all.components.iter().map(|row| row.origin.key.as_str()).collect();
    assert_eq!(keys, ["a", "b", "other"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn rows_of_a_file_are_the_same_whatever_else_is_read(
        format in proptest::sample::select(FORMATS.to_vec()), order in Just(vec![0, 1, 2]).prop_shuffle(),
        some in subsequence(vec![0, 1, 2], 1..=3)
    ) {
        let files = files(format);
        let all: Vec<(&str, String)> = order.iter().map(|at| files[*at].clone()).collect();
        let few: Vec<(&str, String)> = some.iter().map(|at| files[*at].clone()).collect();
        let (all, few) = (reading(format, &all), reading(format, &few));
        let (all, few) = (rows(&all), rows(&few));
        for (key, (written, what)) in &few {
            let (other, same) = all.get(key).unwrap();
            prop_assert_eq!(what, same);
            prop_assert!(written == other || other.ends_with(written.as_str()), "{} and {}", written, other);
        }
        let count = all.keys().filter(|(file, ..)| some.iter().any(|at| files[*at].0 == file)).count();
        prop_assert_eq!(count, few.len());
        let listed: Vec<(&str, String)> = files.clone();
        let sorted = reading(format, &listed);
        prop_assert_eq!(rows(&sorted), all);
    }
}
