//! Compares the results of our parser with those of Mermaid. The expected results are next to the examples, and a
//! script compares them with Mermaid.

use std::{collections::BTreeSet, fs, path::PathBuf};

use serde_json::{Value, json};
use utoipa::PartialSchema;

use super::{Arrow, Diagnostic, Diagram, read};

struct Example {
    name: String,
    text: String,
    expected: Value,
}

fn directory() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/mermaid/examples")
}

fn examples() -> Vec<Example> {
    let names = |extension: &str| -> BTreeSet<String> {
        let files = fs::read_dir(directory()).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
        files.filter_map(|name| name.strip_suffix(extension).map(str::to_owned)).collect()
    };
    assert_eq!(names(".mmd"), names(".json"), "every example has its expectation; `npm run update` writes them");
    let content = |name: &str| fs::read_to_string(directory().join(name)).unwrap();
    let example = |name: String| {
        let expected = serde_json::from_str(&content(&format!("{name}.json"))).unwrap();
        Example { text: content(&format!("{name}.mmd")), expected, name }
    };
    names(".mmd").into_iter().map(example).collect()
}

/// A diagram in the format of the expected results.
fn to_json(diagram: &Diagram) -> Value {
    let alias = |index: usize| &diagram.participants[index].alias;
    let participants = diagram.participants.iter().map(|one| {
        json!({ "alias": one.alias, "name": one.name, "figure": one.figure, "created": one.created,
                "destroyed": one.destroyed, "box": one.in_box })
    });
    let boxes = diagram.boxes.iter().map(|one| json!({ "title": one.title, "color": one.color }));
    let blocks = diagram.blocks.iter().map(|one| json!({ "kind": one.kind, "label": one.label, "parent": one.parent }));
    let steps = diagram.steps.iter().map(|step| {
        json!({ "source": alias(step.source), "target": alias(step.target), "arrow": step.arrow, "text": step.text,
                "activation": step.activation, "central": step.central, "block": step.block })
    });
    let notes = diagram.notes.iter().map(|note| {
        let about: Vec<_> = note.about.iter().map(|index| alias(*index)).collect();
        json!({ "placement": note.placement, "about": about, "text": note.text, "after": note.after,
                "block": note.block })
    });
    json!({
        "participants": participants.collect::<Vec<_>>(),
        "boxes": boxes.collect::<Vec<_>>(),
        "blocks": blocks.collect::<Vec<_>>(),
        "steps": steps.collect::<Vec<_>>(),
        "notes": notes.collect::<Vec<_>>(),
    })
}

/// The position of the error in an example that Mermaid rejects: `%% refused: 3:14` in its last line.
fn expected_error(text: &str) -> Option<(u32, u32)> {
    let (line, column) = text.split_once("%% refused: ")?.1.trim().split_once(':')?;
    Some((line.parse().unwrap(), column.parse().unwrap()))
}

fn diagnostics(read: &Result<Diagram, Diagnostic>) -> &[Diagnostic] {
    match read {
        Ok(diagram) => &diagram.diagnostics,
        Err(missing) => std::slice::from_ref(missing),
    }
}

#[test]
fn diagrams_are_parsed_exactly_as_by_mermaid() {
    let mut wrong = Vec::new();
    let accepted: Vec<_> = examples().into_iter().filter(|one| one.expected.get("refused").is_none()).collect();
    assert!(accepted.len() >= 60, "{}", accepted.len());
    for Example { name, text, expected } in accepted {
        let read = read(&text);
        if !diagnostics(&read).is_empty() {
            wrong.push(format!("{name}: {:?}", diagnostics(&read)));
        } else if let Ok(diagram) = read {
            let shown = to_json(&diagram);
            for (part, expected) in expected.as_object().unwrap() {
                if shown[part] != *expected {
                    wrong.push(format!("{name}, {part}:\n  mermaid {expected}\n  we      {}", shown[part]));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn diagrams_that_mermaid_rejects_have_a_diagnostic_at_the_error() {
    let mut wrong = Vec::new();
    let refused: Vec<_> = examples().into_iter().filter(|one| one.expected.get("refused").is_some()).collect();
    assert!(refused.len() >= 20, "{}", refused.len());
    for Example { name, text, .. } in refused {
        let read = read(&text);
        let first = diagnostics(&read).first().map(|one| (one.line, one.column));
        if first.is_none() || first != expected_error(&text) {
            wrong.push(format!("{name}: marked at {:?}, diagnosed {:?}", expected_error(&text), diagnostics(&read)));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn the_examples_contain_every_arrow_of_mermaid() {
    let seen: BTreeSet<String> = examples()
        .iter()
        .flat_map(|one| one.expected["steps"].as_array().cloned().unwrap_or_default())
        .map(|step| step["arrow"].as_str().unwrap().to_owned())
        .collect();
    let schema = serde_json::to_value(Arrow::schema()).unwrap();
    let known: BTreeSet<String> =
        schema["enum"].as_array().unwrap().iter().map(|one| one.as_str().unwrap().to_owned()).collect();
    assert_eq!((seen.len(), &seen), (26, &known));
}
