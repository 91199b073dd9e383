//! Readers of architecture files of other tools.
//!
//! [`recognize`] tells which [`Format`] files have, and [`read`] turns them into a [`Reading`]: the rows of a workspace,
//! each with a stable key in its source, its file and its line, and what was not read.
//!
//! Nothing here accesses the network, the file system or the database: [`Files`] contains all files that may be read, and
//! references to others are reported. Time and memory are bounded by the size of the files and by a `Budget`.
//!
//! A reader is a row in `READERS` and a module with two functions. It adds what it finds to a `Builder`,
//! which applies the rules that all formats share: names, ids, types, containment, duplicates and secrets.

mod archimate;
mod backstage;
#[cfg(test)]
mod bounds;
mod budget;
mod builder;
mod c4;
mod compose;
mod csv;
mod diagrams;
mod drawio;
mod excalidraw;
mod files;
mod flowchart;
mod format;
#[cfg(test)]
mod fuzz;
mod hints;
mod hosts;
mod icepanel;
mod json;
mod kubernetes;
mod likec4;
mod node;
mod options;
mod owners;
mod processes;
mod reading;
mod roots;
mod secrets;
mod servicegraph;
#[cfg(test)]
mod sets;
mod spacing;
mod structurizr;
mod terraform;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod text;
mod types;
mod unread;
mod xml;
mod yaml;

use std::rc::Rc;

/// The IDs of types and states that readers choose, for a comparison with the catalog.
pub use self::types::{COMPONENT_TYPES, LIFECYCLE_STATES, RELATIONSHIP_TYPES};
use self::{budget::Budget, builder::Builder};
pub use self::{
    budget::MEMORY_PER_BYTE,
    builder::{MAX_COMPONENTS, MAX_DIAGNOSTICS, MAX_RELATIONSHIPS},
    files::{File, Files, MAX_BYTES, MAX_FILE_BYTES, MAX_FILES, Refusal},
    format::Format,
    options::{CSV_COLUMNS, Deployment, Options},
    reading::{
        Component, Diagnostic, Link, Origin, Person, Process, Reading, Relationship, Severity, Stakeholder, Team,
        TeamMember, View, ViewDefinition, ViewPlace, ViewSelector, Workspace,
    },
    text::{is_hidden, is_joiner},
};
/// The parser of YAML, for the configuration of the command line and for front matter.
pub use self::{
    node::{Data, Node},
    yaml::documents as yaml,
};

/// A reader of a format.
struct Reader {
    format: Format,
    /// Whether a file has the format. Cheap: looks at the name and the beginning.
    recognizes: fn(&File) -> bool,
    /// Reads the files with these indexes. It can refer to all other files of the set.
    read: fn(&mut Builder<'_>, &[usize]) -> Result<(), Refusal>,
}

/// All readers, from the most specific format to the most general one.
const READERS: &[Reader] = &[
    Reader {
        format: Format::StructurizrJson,
        recognizes: structurizr::json::recognizes,
        read: structurizr::json::read,
    },
    Reader { format: Format::Backstage, recognizes: backstage::recognizes, read: backstage::read },
    Reader { format: Format::DrawIo, recognizes: drawio::recognizes, read: drawio::read },
    Reader { format: Format::Excalidraw, recognizes: excalidraw::recognizes, read: excalidraw::read },
    Reader { format: Format::Terraform, recognizes: terraform::recognizes, read: terraform::read },
    Reader { format: Format::ServiceGraph, recognizes: servicegraph::recognizes, read: servicegraph::read },
    Reader { format: Format::Kubernetes, recognizes: kubernetes::recognizes, read: kubernetes::read },
    Reader { format: Format::Compose, recognizes: compose::recognizes, read: compose::read },
    Reader { format: Format::StructurizrDsl, recognizes: structurizr::dsl::recognizes, read: structurizr::dsl::read },
    Reader { format: Format::LikeC4, recognizes: likec4::recognizes, read: likec4::read },
    Reader { format: Format::IcePanel, recognizes: icepanel::recognizes, read: icepanel::read },
    Reader { format: Format::ArchiMate, recognizes: archimate::recognizes, read: archimate::read },
    Reader { format: Format::MermaidC4, recognizes: c4::recognizes_mermaid, read: c4::read_mermaid },
    Reader { format: Format::PlantUmlC4, recognizes: c4::recognizes_plantuml, read: c4::read_plantuml },
    Reader { format: Format::MermaidFlowchart, recognizes: flowchart::recognizes, read: flowchart::read },
    Reader { format: Format::Csv, recognizes: csv::recognizes, read: csv::read },
];

/// The format of files. If several formats are found, the one that comes first in the list of readers.
pub fn recognize(files: &Files) -> Result<Format, Refusal> {
    if files.is_empty() {
        return Err("no file was given".to_owned().into());
    }
    if files.iter().all(|file| file.text().trim().is_empty()) {
        let name = files.iter().next().map(|file| file.name().to_owned());
        return Err(Refusal { file: name, line: None, text: "the file is empty".into() });
    }
    let found = READERS.iter().find(|reader| files.iter().any(|file| (reader.recognizes)(file)));
    found.map(|reader| reader.format).ok_or_else(|| {
        let known: Vec<&str> = Format::ALL.iter().map(|format| format.id()).collect();
        unread::refusal(files, &known)
    })
}

/// The format of a file.
fn format_of(file: &File) -> Option<Format> {
    READERS.iter().find(|reader| (reader.recognizes)(file)).map(|reader| reader.format)
}

/// Reads files of a format.
pub fn read(format: Format, files: &Files, options: &Options) -> Result<Reading, Refusal> {
    read_until(format, files, options, &|| false)
}

/// Reads files of a format until `is_canceled` returns true, which makes the reading fail.
pub fn read_until(
    format: Format,
    files: &Files,
    options: &Options,
    is_canceled: &dyn Fn() -> bool,
) -> Result<Reading, Refusal> {
    read_within(format, files, options, Budget::new(files.bytes(), is_canceled))
}

fn read_within(format: Format, files: &Files, options: &Options, budget: Rc<Budget<'_>>) -> Result<Reading, Refusal> {
    let reader = READERS.iter().find(|reader| reader.format == format);
    let reader = reader.ok_or_else(|| Refusal::from(format!("there is no reader for `{}`", format.id())))?;
    let mut builder = Builder::within(format, files, options, Rc::clone(&budget));
    let mut own = reader.files(files);
    // What is read must not depend on the order in which files are listed. Later Compose files add to earlier ones.
    if format != Format::Compose {
        own.sort_by_key(|file| files.at(*file).name());
    }
    files.note_read(&own);
    (reader.read)(&mut builder, &own)?;
    unread::report(&mut builder, format.name(), |file| format_of(file).map(Format::name));
    // The reader no longer needs its trees.
    budget.release_trees();
    builder.charge_rows()?;
    let reading = builder.finish();
    budget.check().map_err(|error| Refusal::from(error.text()))?;
    Ok(reading)
}

impl Reader {
    /// The indexes of the files that the reader recognizes; all files if it recognizes none, so that errors name them.
    fn files(&self, files: &Files) -> Vec<usize> {
        let own: Vec<usize> =
            files.iter().enumerate().filter(|(_, file)| (self.recognizes)(file)).map(|(at, _)| at).collect();
        if own.is_empty() { (0..files.iter().len()).collect() } else { own }
    }
}
