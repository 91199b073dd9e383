//! A source: files that are read together, and whose rows on the map have the same owner.

use std::{cell::Cell, path::Path};

use import::{Diagnostic, Files, Format, Refusal, Severity};
use serde_json::{Map, Value, json};

use super::{
    config::{Config, Flags, Source},
    files, git, reading,
};
use crate::{
    cli::output::Failure,
    domain::{sync::not_read, values::Line},
};

/// Maximum length of the name of a source, in characters.
const MAX_NAME_CHARS: usize = 200;

/// The repository whose sources are read: the scope of their names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Repository {
    /// Id on the server.
    pub(super) id: String,
    /// Where it is, if it has a remote.
    pub(super) origin: Option<String>,
    /// Where it is, or the name of its folder.
    place: String,
    /// Path of the configuration that lists its sources.
    config_path: Option<String>,
    /// Name of its folder or remote.
    pub(super) name: String,
}

impl Repository {
    /// The repository of a folder. Its id is that of the configuration, or the origin with the folder of the configuration.
    pub(super) fn find(base: &Path, config: &Config) -> Self {
        let remote = git::remote(base);
        let own_name = base.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let origin = remote.map(|remote| remote.name.to_lowercase());
        let place = origin.clone().unwrap_or(own_name);
        let folder = std::env::current_dir().unwrap_or_default();
        let folder = config.sources.first().map_or(folder.clone(), |source| folder.join(source.scope.folder()));
        let folder = folder.canonicalize().unwrap_or(folder);
        let inside = folder.strip_prefix(base).map(|folder| folder.to_string_lossy().replace('\\', "/"));
        let inside = inside.unwrap_or_default();
        // Without a configuration, the folder in which the command runs makes no difference.
        let derived = match inside.as_str() {
            "" => place.clone(),
            _ if config.sources.is_empty() => place.clone(),
            inside => format!("{place}/{inside}"),
        };
        let name = place.rsplit('/').next().unwrap_or_default().to_owned();
        let id: String = config.repository.clone().unwrap_or(derived).chars().take(MAX_NAME_CHARS).collect();
        let path = config.path.as_ref().filter(|_| !config.sources.is_empty());
        let config_path = path.and_then(|path| Some(path.strip_prefix(base).ok()?.to_str()?.to_owned()));
        Self { id: if id.is_empty() { "files".to_owned() } else { id }, origin, place, config_path, name }
    }

    /// Where the configuration is that lists the sources, for the server.
    pub(super) fn configuration(&self) -> Option<String> {
        let place = format!("{}/{}", self.place, self.config_path.as_ref()?);
        Line::new(&place).is_ok().then_some(place)
    }

    /// Whether its configuration listed a source before, or one that no longer exists.
    pub(super) fn owns_configuration(&self, base: &Path, configuration: &str) -> bool {
        let path = configuration.strip_prefix(&self.place).and_then(|path| path.strip_prefix('/'));
        path.is_some_and(|path| self.config_path.as_deref() == Some(path) || !base.join(path).exists())
    }
}

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
    pub(super) flags: Flags,
    /// Its place in the order of the configuration.
    pub(super) rank: Option<usize>,
    /// Files that were not read. The map may have rows of them.
    pub(super) unreadable: Vec<Refusal>,
}

impl ReadSource {
    /// Id of the source on the server.
    pub(super) fn id(&self) -> &str {
        self.source["id"].as_str().unwrap_or_default()
    }
}

impl Source {
    /// Reads the files of the source. `steps` are left for the search of files.
    pub(super) fn read(
        &self,
        base: &Path,
        config: &Config,
        repository: &Repository,
        steps: &Cell<usize>,
    ) -> Result<ReadSource, Failure> {
        let paths = self.scope.expand(&self.files, steps)?;
        let mut set = Files::new();
        files::add(&mut set, base, &paths)?;
        let format = match self.format {
            Some(format) => format,
            None => import::recognize(&set)?,
        };
        let walk = self.scope.references(base, steps)?;
        let mut options = self.options.clone();
        options.repository = Some(repository.name.clone()).filter(|name| !name.is_empty());
        let read = |set: &Files| import::read(format, set, &options);
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
        let mut source = self.identity(base, format)?;
        source["notRead"] = serde_json::to_value(not_read(&reading))?;
        let is_meant = |name: &String| self.name.as_ref() == Some(name) || self.files.contains(name);
        Ok(ReadSource {
            flags: self.flags,
            rank: config.order.iter().position(is_meant),
            source,
            reading: rows,
            diagnostics: reading.diagnostics,
            unreadable: reading.unreadable,
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
