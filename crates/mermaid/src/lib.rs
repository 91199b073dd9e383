//! A parser for mermaid sequence diagrams.
//!
//! [`read`] accepts any text and parses as much as possible. Errors are reported in [`Diagram::diagnostics`] with line
//! and column, and parsing continues after them. It is not a validator: mermaid's grammar is larger than this one. The
//! reference is mermaid 12; the examples in `tests/mermaid` are compared with mermaid itself.
//!
//! `merman-core` 0.9, the only library that keeps up with mermaid, is not used: it stops at the first error, has no
//! line numbers of messages, takes a second for 16,000 activations (quadratic time), and adds 2.8 MB and 110 crates to
//! the binary. This parser has about 2,000 lines.
//!
//! Time and memory are linear in the length of the text: there is no recursion, blocks are in one list that steps refer
//! to by index, and parsing stops with a diagnostic after [`MAX_ITEMS`] participants, steps, notes and blocks.

mod arrow;
mod boxes;
mod builder;
mod config;
mod diagram;
mod keywords;
mod lexer;
mod reader;
mod scan;
mod source;
mod text;
mod work_counter;

pub use self::{
    arrow::Arrow,
    diagram::{
        Activation, Block, BlockKind, Central, Diagnostic, Diagram, Figure, GroupBox, MAX_DIAGNOSTICS, MAX_ITEMS, Note,
        Participant, Placement, Step,
    },
    source::TextPosition,
};
use self::{
    reader::Reader,
    source::{Source, directive, is_space, is_word, run},
};

/// Parses a text. The error is a diagnostic at the position where `sequenceDiagram` is missing.
pub fn read(text: &str) -> Result<Diagram, Diagnostic> {
    read_with(text, MAX_DIAGNOSTICS)
}

/// Like [`read`], with another maximum number of diagnostics.
pub fn read_with(text: &str, max_diagnostics: usize) -> Result<Diagram, Diagnostic> {
    let source = Source::new(text);
    match begin(&source.text) {
        Ok(at) => Ok(Reader::new(&source, at, max_diagnostics).read()),
        Err(at) => {
            let TextPosition { line, column } = source.place(at);
            Err(Diagnostic { line, column, message: "a sequence diagram must start with `sequenceDiagram`".into() })
        }
    }
}

/// The position after `sequenceDiagram`; the error is the position where it is missing.
fn begin(text: &str) -> Result<usize, usize> {
    const WORD: &str = "sequenceDiagram";
    let mut at = 0;
    loop {
        at += run(&text[at..], is_space);
        let directive = text[at..].strip_prefix("%%{").and_then(directive).is_some();
        if directive || !text[at..].starts_with("%%") {
            break;
        }
        at += run(&text[at..], |c| c != '\n');
    }
    let after = text[at..].strip_prefix(WORD).filter(|after| !after.starts_with(is_word));
    after.map(|after| text.len() - after.len()).ok_or(at)
}

#[cfg(test)]
mod examples;
#[cfg(test)]
mod tests;
