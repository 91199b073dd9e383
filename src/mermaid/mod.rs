//! Sequence diagrams in mermaid's language: who takes part, and what they say in order.
//!
//! [`read`] takes any text and reads as much of it as it can; what it cannot read it names in
//! [`Diagram::diagnostics`], with line and column, and goes on behind it. It is no gate: mermaid's grammar is larger than
//! ours will ever be. What mermaid 12 accepts and what it makes of it is the measure; the examples in `tests/mermaid`
//! are held against mermaid itself.
//!
//! It is a reader of our own because `merman-core` 0.9, the one library that keeps up with mermaid, stops at the first
//! thing that it cannot read, knows no lines of messages, takes a second for 16,000 activations, for it counts them anew
//! each time, and adds 2.8 MB to a stripped binary and itself stands on 110 crates. This is some 2,000 lines.
//!
//! Work and memory grow with the length of the text and with nothing else: nothing here calls itself, blocks are kept in
//! one list that steps point into, and after [`MOST`] participants, steps, notes and blocks reading ends with a
//! diagnostic.

mod arrow;
mod boxes;
mod config;
mod diagram;
mod effort;
mod lexer;
mod reader;
mod scan;
mod shown;
mod sketch;
mod source;
mod words;

pub use self::{
    arrow::Arrow,
    diagram::{
        Activation, Block, BlockKind, Central, Diagnostic, Diagram, Figure, GroupBox, MOST, MOST_DIAGNOSTICS, Note,
        Participant, Placement, Step,
    },
    source::Place,
};
use self::{
    reader::Reader,
    source::{Source, directive, is_space, is_word, run},
};

/// Reads a text; otherwise where the beginning of a sequence diagram is missing.
pub fn read(text: &str) -> Result<Diagram, Diagnostic> {
    let source = Source::new(text);
    match begin(&source.text) {
        Ok(at) => Ok(Reader::new(&source, at).read()),
        Err(at) => {
            let Place { line, column } = source.place(at);
            Err(Diagnostic { line, column, message: "a sequence diagram begins with `sequenceDiagram`".into() })
        }
    }
}

/// Where what follows `sequenceDiagram` begins; otherwise where that should stand.
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
mod tests;
