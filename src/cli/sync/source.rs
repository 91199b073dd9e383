//! A source: files that are read together, and whose rows on the map have the same owner.

use std::{cell::Cell, path::Path};

use import::{Diagnostic, Files, Format, Refusal, Severity};
use serde_json::{Map, Value, json};

use super::{
    config::{Config, Source},
    files, git, reading,
};
use crate::cli::output::Failure;

/// Maximum length of the name of a source, in characters.
const MAX_NAME_CHARS: usize = 200;

/// A source that was read.
#[derive(Debug)]
pub(super) struct ReadSource {
    /// The source, as the server knows it.
    pub(super) source: Value,
    /// The rows, with their origins.
    pub(super) reading: Map<String, Value>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Name of the system, if the files contain it.
    pub(super) title: Option<String>,
    /// Names in the configuration that are no components of the source.
    pub(super) unused: Vec<String>,
}

impl Source {
    /// Reads the files of the source. `steps` are left for the search of files.
    pub(super) fn read(&self, base: &Path, config: &Config, steps: &Cell<usize>) -> Result<ReadSource, Failure> {
        let paths = self.scope.expand(&self.files, steps)?;
        let mut set = Files::new();
        files::add(&mut set, base, &paths)?;
        let format = match self.format {
            Some(format) => format,
            None => import::recognize(&set)?,
        };
        let walk = self.scope.references(base, steps)?;
        let read = |set: &Files| import::read(format, set, &self.options);
        let reading = files::read_with_references(&mut set, base, &walk, read)?;
        if reading.components.is_empty() {
            let text = format!("{} has no components, so nothing is synchronized", self.files.join(", "));
            let first = |severity| reading.diagnostics.iter().find(|one| one.severity == severity);
            let refusal = match first(Severity::Error).or_else(|| first(Severity::Warning)) {
                None => Refusal::from(text),
                Some(one) => Refusal {
                    file: Some(one.file.to_string()),
                    line: Some(one.line),
                    text: format!("{}; {text}", one.text),
                },
            };
            return Err(refusal.into());
        }
        let (rows, unused) = reading::rows(&reading, config)?;
        Ok(ReadSource {
            source: self.identity(base, format)?,
            reading: rows,
            diagnostics: reading.diagnostics,
            title: reading.workspace.is_named.then_some(reading.workspace.name),
            unused,
        })
    }

    /// The source as the server knows it: a name that does not depend on this machine.
    fn identity(&self, base: &Path, format: Format) -> Result<Value, Failure> {
        let remote = git::remote(base);
        let id = match &self.name {
            Some(name) => name.clone(),
            None => {
                let repository = match &remote {
                    Some(remote) => remote.name.clone(),
                    None => base.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
                };
                let paths: Vec<String> = self.files.iter().map(|path| self.path_from(base, path)).collect();
                format!("{repository}:{}", paths.join(","))
            }
        };
        if id.chars().count() > MAX_NAME_CHARS {
            let text = format!(
                "the name of the source would be longer than {MAX_NAME_CHARS} characters; choose one with --source, or with `name` in the configuration"
            );
            return Err(text.into());
        }
        let mut source = json!({ "id": id, "kind": format.id(), "name": self.files.join(", ") });
        if let Some(commit) = git::commit(base) {
            source["revision"] = commit.into();
        }
        if let Some(url) = remote.and_then(|remote| remote.url) {
            source["url"] = url.into();
        }
        Ok(source)
    }

    /// A path or pattern from the base, so that the name of a source is the same from every folder.
    fn path_from(&self, base: &Path, path: &str) -> String {
        let folder = std::env::current_dir().unwrap_or_default().join(self.scope.folder());
        let folder = folder.canonicalize().unwrap_or(folder);
        let folder =
            folder.strip_prefix(base).map(|folder| folder.to_string_lossy().replace('\\', "/")).unwrap_or_default();
        let mut parts: Vec<&str> = Vec::new();
        for part in folder.split('/').chain(path.split('/')) {
            match part {
                "" | "." => {}
                ".." => drop(parts.pop()),
                part => parts.push(part),
            }
        }
        parts.join("/")
    }
}
