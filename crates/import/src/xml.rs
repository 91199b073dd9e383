//! XML documents with lines. Document type declarations are refused, and so are very large documents.

use std::rc::Rc;

use roxmltree::{Document, Node, ParsingOptions};

use super::{
    budget::{Budget, Reservation},
    files::{File, Refusal},
};

/// Maximum number of nodes of a document.
const MAX_NODES: u32 = 1_000_000;
/// Maximum number of attributes of an element, and of namespace declarations in a document. The parser compares them
/// pairwise.
const MAX_ATTRIBUTES: usize = 500;
const MAX_NAMESPACES: usize = 500;
/// Bytes that are parsed in a step.
const BYTES_PER_STEP: usize = 16;
/// Memory of a node and of an attribute, in bytes.
const NODE_BYTES: usize = 100;
const ATTRIBUTE_BYTES: usize = 100;
/// Maximum nesting depth of elements.
const MAX_DEPTH: usize = 200;
/// How comments, CDATA sections and processing instructions begin and end. They contain no elements.
const WITHOUT_ELEMENTS: [(&[u8], &[u8]); 3] = [(b"<!--", b"-->"), (b"<![CDATA[", b"]]>"), (b"<?", b"?>")];

/// A document, and where its lines begin.
pub(super) struct Xml<'t, 'c> {
    pub(super) document: Document<'t>,
    lines: Vec<usize>,
    _reservation: Reservation<'c>,
}

/// Parses a file. The memory of the document is charged until it is dropped.
pub(super) fn parse<'t, 'c>(file: &'t File, budget: &Rc<Budget<'c>>) -> Result<Xml<'t, 'c>, Refusal> {
    let text = file.text();
    let refused = |line, text: String| Refusal { file: Some(file.name().to_owned()), line, text };
    let counts = count(text).map_err(|(line, text)| refused(Some(line), text))?;
    let bytes = counts.nodes * NODE_BYTES + counts.attributes * ATTRIBUTE_BYTES + counts.lines * size_of::<usize>();
    let reservation = budget.reserve(bytes).map_err(|error| refused(Some(1), error.text()))?;
    budget.charge_steps(text.len() / BYTES_PER_STEP).map_err(|error| refused(Some(1), error.text()))?;
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options)
        .map_err(|error| refused(Some(error.pos().row), format!("the file is not valid XML: {error}")))?;
    let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
    Ok(Xml { document, lines: std::iter::once(0).chain(breaks).collect(), _reservation: reservation })
}

impl Xml<'_, '_> {
    /// The line where a node begins, from 1.
    pub(super) fn line(&self, node: Node<'_, '_>) -> u32 {
        let line = self.lines.partition_point(|start| *start <= node.range().start);
        u32::try_from(line).unwrap_or(u32::MAX)
    }
}

/// Upper bounds of the contents of a document.
#[derive(Default)]
struct Counts {
    lines: usize,
    /// Elements, and the texts that can follow tags.
    nodes: usize,
    attributes: usize,
}

/// Counts lines, nodes and attributes without parsing. Fails with the line at which
/// the nesting depth, the attributes of an element, or the namespace declarations exceed their limit.
fn count(text: &str) -> Result<Counts, (u32, String)> {
    let bytes = text.as_bytes();
    let (mut counts, mut line, mut depth) = (Counts::default(), 1, 0_usize);
    let (mut is_tag, mut quote, mut own, mut namespaces) = (false, None, 0, 0);
    // Where the comment or similar begins whose end was not found yet, without its mark, and how it ends.
    let mut end: Option<(usize, &[u8])> = None;
    for (at, byte) in bytes.iter().copied().enumerate() {
        match byte {
            b'\n' => {
                line += 1;
                counts.lines += 1;
            }
            // `<!-->` is not a whole comment.
            _ if end.is_some() => end = end.filter(|(start, end)| at < *start || !bytes[at..].starts_with(end)),
            b'<' => {
                let hidden = WITHOUT_ELEMENTS.iter().find(|(begin, _)| bytes[at..].starts_with(begin));
                (is_tag, quote, own) = (hidden.is_none(), None, 0);
                end = hidden.map(|(begin, end)| (at + begin.len(), *end));
                counts.nodes += 1;
                match bytes.get(at + 1) {
                    Some(b'/') => depth = depth.saturating_sub(1),
                    Some(_) if hidden.is_some() => counts.nodes += 1,
                    Some(b'!') | None => is_tag = false,
                    Some(_) => {
                        depth += 1;
                        counts.nodes += 1;
                    }
                }
            }
            byte if quote == Some(byte) => quote = None,
            b'"' | b'\'' if is_tag && quote.is_none() => {
                quote = Some(byte);
                own += 1;
                counts.attributes += 1;
            }
            b'x' if is_tag && quote.is_none() => namespaces += usize::from(bytes[at..].starts_with(b"xmlns")),
            b'>' if is_tag && quote.is_none() => {
                is_tag = false;
                depth = depth.saturating_sub(usize::from(bytes[at - 1] == b'/'));
            }
            _ => {}
        }
        let refused = |text: String| Err((line, text));
        if depth > MAX_DEPTH {
            return refused(format!("elements are nested more than {MAX_DEPTH} levels deep"));
        }
        if own > MAX_ATTRIBUTES {
            return refused(format!("an element has more than {MAX_ATTRIBUTES} attributes"));
        }
        if namespaces > MAX_NAMESPACES {
            return refused(format!("there are more than {MAX_NAMESPACES} namespace declarations"));
        }
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_cdata_sections_and_instructions_contain_no_elements() {
        let text = format!("<a><!-- {0} --><![CDATA[{0}]]><?c {0}?><b c=\"d\"/>\n</a>", "a <b ".repeat(MAX_DEPTH + 1));
        let counts = count(&text).unwrap();
        assert_eq!((counts.attributes, counts.lines), (1, 1));
        // One does not begin in another one.
        for hidden in ["<?c <!-- ?>", "<!-- <![CDATA[ -->", "<!--><![CDATA[ -->", "<![CDATA[<?c ]]>"] {
            assert_eq!(count(&format!("<a>{hidden}<b c=\"d\"/></a>")).unwrap().attributes, 1, "{hidden}");
        }
        let (line, error) = count(&format!("\n{}", "<a>".repeat(MAX_DEPTH + 1))).err().unwrap();
        assert_eq!((line, error.as_str()), (2, "elements are nested more than 200 levels deep"));
    }
}
