//! C4 diagrams in Mermaid and in `PlantUML`, which share their macros, such as `Container(alias, "Name", "Technology")`.

mod arguments;
mod macros;

use self::macros::Diagram;
use super::{
    builder::{At, Builder},
    diagrams::{self, Kind},
    files::{File, Refusal},
    flowchart,
};

/// Whether a file is a C4 diagram in Mermaid.
pub(super) fn recognizes_mermaid(file: &File) -> bool {
    diagrams::has(file, Kind::C4)
}

/// Whether a file is a C4 diagram in `PlantUML`.
pub(super) fn recognizes_plantuml(file: &File) -> bool {
    let text = file.beginning(256 << 10);
    let is_plantuml = text.contains("@startuml") || file.has_extension(&["puml", "plantuml", "iuml", "pu"]);
    is_plantuml
        && (text.to_ascii_lowercase().contains("c4_")
            || text.lines().any(|line| macros::is_declaration(line.trim_start())))
}

/// Reads C4 diagrams in Mermaid.
pub(super) fn read_mermaid(builder: &mut Builder<'_>, files: &[usize]) -> Result<(), Refusal> {
    for &file in files {
        let diagrams = diagrams::of_kind(builder, file, Kind::C4)?;
        if diagrams.is_empty() {
            let text = "the file has no C4 diagram; it must begin with a line such as `C4Context`";
            return Err(builder.refusal(At::new(file, 1), text));
        }
        for found in diagrams {
            let is_process = found.head == "C4Dynamic";
            let mut diagram = Diagram::new(builder, file, is_process, flowchart::nodes::decoded).in_scope(found.scope);
            for (number, line) in found.text.lines().enumerate().skip(1) {
                // The end of a code block in Markdown.
                if line.trim_start().starts_with("```") {
                    break;
                }
                diagram.line(line, found.line + number)?;
            }
            diagram.finish()?;
        }
    }
    Ok(())
}

/// Reads C4 diagrams in `PlantUML`.
pub(super) fn read_plantuml(builder: &mut Builder<'_>, files: &[usize]) -> Result<(), Refusal> {
    for &file in files {
        let text = builder.files.at(file).text();
        let lower = text.to_ascii_lowercase();
        let is_process = ["c4_sequence", "c4_dynamic"].iter().any(|library| lower.contains(library));
        let mut diagram = Diagram::new(builder, file, is_process, decoded);
        let (mut is_comment, mut code_end) = (false, None);
        for (number, line) in text.lines().enumerate() {
            let code = line.trim();
            if let Some(end) = code_end {
                code_end = Some(end).filter(|end| !code.starts_with(end));
                continue;
            }
            if is_comment || code.starts_with("/'") {
                is_comment = !code.ends_with("'/");
                continue;
            }
            if code.starts_with('\'') || code.starts_with('@') {
                continue;
            }
            if let Some(directive) = code.strip_prefix('!') {
                code_end = diagram.directive(directive, number);
                continue;
            }
            diagram.line(line, number)?;
        }
        diagram.finish()?;
    }
    Ok(())
}

/// A text with the characters that codes such as `<U+0022>` stand for.
fn decoded(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find("<U+") {
        out.push_str(&rest[..at]);
        rest = &rest[at + 3..];
        let end = rest.bytes().take(7).position(|byte| byte == b'>').filter(|end| *end >= 4);
        let code = end.map(|end| &rest[..end]);
        match code.and_then(|code| Some((char::from_u32(u32::from_str_radix(code, 16).ok()?)?, code.len()))) {
            Some((c, length)) => {
                out.push(c);
                rest = &rest[length + 1..];
            }
            None => out.push_str("<U+"),
        }
    }
    out + rest
}
