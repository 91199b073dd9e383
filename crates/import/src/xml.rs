//! XML documents with lines. Document type declarations are refused, and so are very large documents.

use roxmltree::{Document, Node, ParsingOptions};

use super::files::{File, Refusal};

/// Maximum number of nodes of a document.
const MAX_NODES: u32 = 1_000_000;
/// Maximum nesting depth of elements.
const MAX_DEPTH: usize = 200;

/// A document, and where its lines begin.
pub(super) struct Xml<'t> {
    pub(super) document: Document<'t>,
    lines: Vec<usize>,
}

/// Parses a file.
pub(super) fn parse(file: &File) -> Result<Xml<'_>, Refusal> {
    let text = file.text();
    let refused = |line, text: String| Refusal { file: Some(file.name().to_owned()), line, text };
    if let Some(line) = too_deep(text) {
        return Err(refused(Some(line), format!("elements are nested more than {MAX_DEPTH} levels deep")));
    }
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options)
        .map_err(|error| refused(Some(error.pos().row), format!("the file is not valid XML: {error}")))?;
    let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
    Ok(Xml { document, lines: std::iter::once(0).chain(breaks).collect() })
}

impl Xml<'_> {
    /// The line where a node begins, from 1.
    pub(super) fn line(&self, node: Node<'_, '_>) -> u32 {
        let line = self.lines.partition_point(|start| *start <= node.range().start);
        u32::try_from(line).unwrap_or(u32::MAX)
    }
}

/// The line where elements are nested too deep for a recursive parser. Counts tags without parsing them, so texts that look
/// like tags count too.
fn too_deep(text: &str) -> Option<u32> {
    let (mut depth, mut line) = (0_usize, 1_u32);
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'\n' => line += 1,
            b'<' => match bytes.get(at + 1) {
                Some(b'/') => depth = depth.saturating_sub(1),
                Some(b'!' | b'?') | None => {}
                Some(_) => depth += 1,
            },
            b'>' if at > 0 && bytes[at - 1] == b'/' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            return Some(line);
        }
    }
    None
}
