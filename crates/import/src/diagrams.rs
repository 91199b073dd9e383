//! The diagrams of a Mermaid file, which has one, and of a Markdown file, which can have several in code blocks.

use std::collections::HashMap;

use super::{
    builder::{At, Builder},
    files::{File, Refusal},
};

/// Memory of a diagram, in bytes.
const DIAGRAM_BYTES: usize = 400;
/// Lines in which the first line of a diagram is searched.
const MAX_HEAD_LINES: usize = 2_000;
/// Maximum length of a heading in a key, in characters.
const MAX_HEADING_CHARS: usize = 120;
/// Languages of code blocks that can be diagrams.
const LANGUAGES: [&str; 4] = ["", "mermaid", "{mermaid}", "mmd"];

/// A type of diagrams.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    C4,
    Flowchart,
    Sequence,
}

/// A diagram in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Diagram<'t> {
    pub(super) kind: Kind,
    /// The first line, such as `flowchart LR`.
    pub(super) head: &'t str,
    /// The text from the first line on, and the index of this line in the file.
    pub(super) text: &'t str,
    pub(super) line: usize,
    /// What tells the diagrams of a Markdown file apart: the heading above, numbered if several have the same one. It begins
    /// the keys of components, so that they stay the same when diagrams are added to the file.
    pub(super) scope: Option<String>,
}

impl Diagram<'_> {
    /// The key of a component or process.
    pub(super) fn key(&self, own: &str) -> String {
        scoped(self.scope.as_deref(), own)
    }
}

/// The key of a component of a diagram with a scope.
pub(super) fn scoped(scope: Option<&str>, own: &str) -> String {
    scope.map_or_else(|| own.to_owned(), |scope| format!("{scope}/{own}"))
}

/// Whether a file has a diagram of a type.
pub(super) fn has(file: &File, kind: Kind) -> bool {
    let is_kind = |found: Option<Diagram<'_>>| found.map(|diagram| diagram.kind == kind);
    let mut blocks = blocks(file.text()).filter_map(|block| is_kind(diagram(block.text, block.line))).peekable();
    if blocks.peek().is_none() { is_kind(diagram(file.text(), 0)) == Some(true) } else { blocks.any(|matches| matches) }
}

/// The diagrams of a type in a file. Others in the same file are reported.
pub(super) fn of_kind<'s>(builder: &mut Builder<'s>, file: usize, kind: Kind) -> Result<Vec<Diagram<'s>>, Refusal> {
    let (own, others): (Vec<_>, Vec<_>) =
        diagrams(builder, file)?.into_iter().partition(|diagram| diagram.kind == kind);
    for other in others.iter().filter(|_| !own.is_empty()) {
        let at = At::new(file, number(other.line));
        let format = match other.kind {
            Kind::C4 => "mermaid-c4",
            Kind::Flowchart => "mermaid-flowchart",
            Kind::Sequence => {
                builder.info(at, "the sequence diagram was not read; create a process and paste the text");
                continue;
            }
        };
        let text = format!(
            "the diagram was not read, because it has another type than those that were read; import the file once more as a source of its own with the format `{format}`"
        );
        builder.warn(at, text);
    }
    Ok(own)
}

/// The number of the line with an index.
pub(super) fn number(index: usize) -> u32 {
    u32::try_from(index + 1).unwrap_or(u32::MAX)
}

/// The diagrams in the code blocks of a file; without any, the diagram that the file itself is.
fn diagrams<'s>(builder: &Builder<'s>, file: usize) -> Result<Vec<Diagram<'s>>, Refusal> {
    let text = builder.files.at(file).text();
    let (mut found, mut counts) = (Vec::new(), HashMap::<(Kind, &str), usize>::new());
    for Block { text, line, heading } in blocks(text) {
        builder.charge_steps(1, At::new(file, number(line)))?;
        let Some(diagram) = diagram(text, line) else { continue };
        builder.charge(DIAGRAM_BYTES + heading.len(), At::new(file, number(line)))?;
        let count = counts.entry((diagram.kind, heading)).or_default();
        *count += 1;
        let scope = match *count {
            1 => (!heading.is_empty()).then(|| heading.to_owned()),
            count => Some([heading, "#", &count.to_string()].concat()),
        };
        found.push(Diagram { scope, ..diagram });
    }
    if found.is_empty() {
        found.extend(diagram(text, 0));
    }
    Ok(found)
}

/// The diagram in a text whose first line has the index `line`.
fn diagram(text: &str, line: usize) -> Option<Diagram<'_>> {
    let mut at = 0;
    for (number, head) in text.split_inclusive('\n').take(MAX_HEAD_LINES).enumerate() {
        if let Some(kind) = kind(head.trim()) {
            return Some(Diagram { kind, head: head.trim(), text: &text[at..], line: line + number, scope: None });
        }
        at += head.len();
    }
    None
}

/// The type of the diagram that begins with a line.
fn kind(line: &str) -> Option<Kind> {
    const C4: [&str; 5] = ["C4Context", "C4Container", "C4Component", "C4Dynamic", "C4Deployment"];
    const DIRECTIONS: [&str; 9] = ["TB", "TD", "BT", "RL", "LR", ">", "<", "^", "v"];
    if C4.contains(&line) {
        return Some(Kind::C4);
    }
    let mut words = line.split([' ', '\t', ';']).filter(|word| !word.is_empty());
    match (words.next()?, words.next()) {
        ("graph" | "flowchart" | "flowchart-elk", None) => Some(Kind::Flowchart),
        ("graph" | "flowchart" | "flowchart-elk", Some(word)) if DIRECTIONS.contains(&word) => Some(Kind::Flowchart),
        ("sequenceDiagram", None) => Some(Kind::Sequence),
        _ => None,
    }
}

/// The content of a code block.
struct Block<'t> {
    text: &'t str,
    line: usize,
    heading: &'t str,
}

/// A code block whose end was not reached.
struct Fence<'t> {
    mark: &'t str,
    is_diagram: bool,
    start: usize,
    line: usize,
}

/// The code blocks of a text that can be diagrams, with the heading above.
fn blocks(text: &str) -> impl Iterator<Item = Block<'_>> {
    let (mut heading, mut at) = ("", 0);
    let mut open: Option<Fence<'_>> = None;
    // The end of the text ends the last block.
    let lines = text.split_inclusive('\n').map(Some).chain([None]).enumerate();
    lines.filter_map(move |(line, whole)| {
        let start = at;
        let block = |fence: &Fence<'_>, heading| {
            fence.is_diagram.then(|| Block { text: &text[fence.start..start], line: fence.line, heading })
        };
        let Some(whole) = whole else { return open.take().and_then(|fence| block(&fence, heading)) };
        let code = whole.trim();
        at += whole.len();
        let language = code.trim_start_matches(['`', '~']);
        let mark = &code[..code.len() - language.len()];
        if let Some(fence) = &open {
            if language.is_empty() && mark.starts_with(fence.mark) {
                return open.take().and_then(|fence| block(&fence, heading));
            }
        } else if mark.starts_with("```") || mark.starts_with("~~~") {
            let is_diagram = LANGUAGES.contains(&language.split_whitespace().next().unwrap_or_default());
            open = Some(Fence { mark, is_diagram, start: at, line: line + 1 });
        } else if let Some(title) = code.strip_prefix('#').map(|rest| rest.trim_start_matches('#'))
            && title.starts_with([' ', '\t'])
        {
            let title = title.trim().trim_end_matches('#').trim_end();
            heading = title.char_indices().nth(MAX_HEADING_CHARS).map_or(title, |(end, _)| &title[..end]);
        }
        None
    })
}
