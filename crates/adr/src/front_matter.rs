//! The front matter of MADR: YAML between two lines `---`.

use import::{Data, Files, Node};

use super::{Diagnostics, Located, Record, Status, is_date, markdown, shown, status};

/// Maximum size in bytes: front matter is short.
const MAX_BYTES: usize = 64 << 10;

/// Reads the front matter, which begins in the second line of the file. Returns whether it is valid.
pub(super) fn read(record: &mut Record, text: &str, diagnostics: &mut Diagnostics) -> bool {
    if text.len() > MAX_BYTES {
        diagnostics.add(1, format!("the front matter is larger than {} KiB and was ignored", MAX_BYTES >> 10));
        return false;
    }
    let documents = Files::of("front-matter.yaml", text.as_bytes()).and_then(|files| match files.iter().next() {
        Some(file) => import::yaml(file),
        None => Ok(Vec::new()),
    });
    let documents = match documents {
        Ok(documents) => documents,
        Err(refusal) => {
            let line = refusal.line.map_or(1, |line| line as usize + 1);
            diagnostics.add(line, format!("the front matter was ignored: {}", refusal.text));
            return false;
        }
    };
    for (key, node) in documents.first().map_or(&[][..], Node::fields) {
        if node.value != Data::Null {
            field(record, key, node, diagnostics);
        }
    }
    true
}

fn field(record: &mut Record, key: &str, node: &Node, diagnostics: &mut Diagnostics) {
    let line = node.line as usize + 1;
    match key.to_lowercase().as_str() {
        "status" => {
            let text = node.scalar().unwrap_or_default();
            if !status::read_line(record, text, node.line + 1) && record.status.is_none() {
                diagnostics.add(line, format!("the status {} is unknown; `proposed` is used", shown(text)));
                record.status = Some(Status::Proposed);
            }
        }
        "date" => match node.scalar().unwrap_or_default().trim() {
            date if is_date(date) => record.date = Some(date.to_owned()),
            other => diagnostics.add(line, format!("{} is no date as in `2026-11-25`", shown(other))),
        },
        "title" => {
            if let Some(text) = node.scalar().map(str::trim).filter(|text| !text.is_empty()) {
                record.title = Some(Located { value: text.to_owned(), line: node.line + 1 });
            }
        }
        "decision-makers" | "deciders" | "authors" | "author" => {
            record.authors = Some(match node.as_text() {
                Some(text) => markdown::names(text, node.line + 1),
                None => texts(node),
            });
        }
        "components" => record.components = Some(texts(node)),
        "supersedes" => record.supersedes = Some(numbers(node)),
        "superseded-by" | "superseded_by" => record.superseded_by.extend(numbers(node)),
        _ => diagnostics.add(line, format!("{} was not imported", shown(key))),
    }
}

/// The texts of a list, or a single text.
fn texts(node: &Node) -> Vec<Located<String>> {
    let text = |node: &Node| {
        let value = node.scalar()?.trim().to_owned();
        (!value.is_empty()).then_some(Located { value, line: node.line + 1 })
    };
    match &node.value {
        Data::List(items) => items.iter().filter_map(text).collect(),
        _ => text(node).into_iter().collect(),
    }
}

/// The numbers of decisions in a list, or in a single text.
fn numbers(node: &Node) -> Vec<Located<u32>> {
    let found = texts(node).into_iter().flat_map(|text| {
        let line = text.line;
        status::numbers(&text.value).map(move |value| Located { value, line }).collect::<Vec<_>>()
    });
    found.collect()
}
