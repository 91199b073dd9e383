//! The files of a compose project, merged into services.

use std::collections::{HashMap, HashSet, hash_map::Entry};

use super::variables::Variables;
use crate::{
    builder::{At, Builder},
    files::Refusal,
    node::{Data, Node},
    secrets::without_secrets,
    text,
};

/// Maximum number of services that extend each other.
const MAX_EXTENDS: usize = 16;

/// Memory of a service, in bytes.
const SERVICE_BYTES: usize = 200;

/// Services that other files extend, by file and name.
type Loaded = HashMap<usize, HashMap<String, Node>>;

/// A project: what one folder of compose files describes.
#[derive(Default)]
pub(super) struct Project {
    /// The folder, with `/` at the end unless it is the root.
    pub(super) folder: String,
    pub(super) name: Option<String>,
    pub(super) variables: Variables,
    /// Services in the order in which they appear, each with the nodes that describe it, the strongest last.
    pub(super) services: Vec<(String, Vec<(usize, Node)>)>,
    positions: HashMap<String, usize>,
    /// The files that were read, including those with services that others extend.
    pub(super) files: HashSet<usize>,
}

impl Project {
    pub(super) fn new(folder: &str) -> Self {
        Self { folder: folder.to_owned(), ..Self::default() }
    }

    /// Adds a file and those that it includes. Later files add to earlier ones.
    pub(super) fn add(&mut self, builder: &mut Builder<'_>, file: usize) -> Result<(), Refusal> {
        let mut open = vec![file];
        while let Some(file) = open.pop() {
            if !self.files.insert(file) {
                continue;
            }
            for root in builder.yaml(file)? {
                open.extend(self.document(builder, file, &root)?);
            }
        }
        Ok(())
    }

    fn document(&mut self, builder: &mut Builder<'_>, file: usize, root: &Node) -> Result<Vec<usize>, Refusal> {
        if let Some(name) = root.text("name") {
            // Only what the file says itself: values of variables can be secrets.
            self.name = Some(Variables::default().replaced(&without_secrets(name))).filter(|name| !name.is_empty());
        }
        let mut included = Vec::new();
        for include in root.items("include") {
            let paths: Vec<&str> = match &include.value {
                Data::Text(path) => vec![path],
                _ => include.text("path").into_iter().chain(include.texts("path")).collect(),
            };
            for path in paths {
                let found = builder.resolve(file, &self.variables.replaced(path), At::new(file, include.line))?;
                if found.is_empty() {
                    let path = text::cut(path, 100);
                    let text = format!("`{path}`, which is included, is not among the files; add it");
                    builder.warn(At::new(file, include.line), text);
                }
                included.extend(found);
            }
        }
        for what in ["networks", "volumes", "secrets", "configs"] {
            builder.ignore(what, root.entries(what).len());
        }
        for (name, node) in root.entries("services") {
            builder.charge(SERVICE_BYTES + 2 * name.len(), At::new(file, node.line))?;
            let at = *self.positions.entry(name.clone()).or_insert(self.services.len());
            if at == self.services.len() {
                self.services.push((name.clone(), Vec::new()));
            }
            self.services[at].1.push((file, node.clone()));
        }
        Ok(included)
    }

    /// Puts the services that others extend before them.
    pub(super) fn extend(&mut self, builder: &mut Builder<'_>) -> Result<(), Refusal> {
        let mut loaded = Loaded::new();
        let mut extended = Vec::new();
        for (_, nodes) in &self.services {
            let mut all = Vec::new();
            for (file, node) in nodes {
                let mut bases = vec![(*file, node.clone())];
                while let Some((file, base)) = self.base(builder, &mut loaded, bases.last())? {
                    if bases.len() == MAX_EXTENDS {
                        let text = "services extend each other in a circle, or too often";
                        builder.warn(At::new(file, base.line), text);
                        break;
                    }
                    builder.charge(2 * size_of::<(usize, Node)>(), At::new(file, base.line))?;
                    bases.push((file, base));
                }
                all.extend(bases.into_iter().rev());
            }
            extended.push(all);
        }
        self.files.extend(loaded.into_keys());
        for (service, nodes) in self.services.iter_mut().zip(extended) {
            service.1 = nodes;
        }
        Ok(())
    }

    /// The service that another one extends.
    fn base(
        &self,
        builder: &mut Builder<'_>,
        loaded: &mut Loaded,
        of: Option<&(usize, Node)>,
    ) -> Result<Option<(usize, Node)>, Refusal> {
        let Some((file, extends)) = of.and_then(|(file, node)| Some((*file, node.get("extends")?))) else {
            return Ok(None);
        };
        let Some(name) = extends.as_text().or_else(|| extends.text("service")) else { return Ok(None) };
        let found = match extends.text("file") {
            None => {
                let nodes = self.positions.get(name).map(|at| &self.services[*at].1);
                nodes.and_then(|nodes| nodes.iter().rfind(|(_, node)| node.line != extends.line)).cloned()
            }
            Some(path) => {
                let path = self.variables.replaced(path);
                let other = builder.resolve(file, &path, At::new(file, extends.line))?.first().copied();
                match other {
                    None => None,
                    Some(other) => {
                        let services = match loaded.entry(other) {
                            Entry::Occupied(known) => known.into_mut(),
                            Entry::Vacant(new) => new.insert(services(builder, other)?),
                        };
                        services.get(name).map(|node| (other, node.clone()))
                    }
                }
            }
        };
        if found.is_none() {
            let text = format!("the service `{}`, which is extended, is not among the files", text::cut(name, 100));
            builder.warn(At::new(file, extends.line), text);
        }
        Ok(found)
    }
}

/// Returns the services in a file by name. If several documents define a service, the first definition is used.
fn services(builder: &Builder<'_>, file: usize) -> Result<HashMap<String, Node>, Refusal> {
    let mut services = HashMap::new();
    for (name, node) in builder.yaml(file)?.iter().flat_map(|root| root.entries("services")) {
        if node.value != Data::Null {
            builder.charge(SERVICE_BYTES + name.len(), At::new(file, node.line))?;
            services.entry(name.clone()).or_insert_with(|| node.clone());
        }
    }
    Ok(services)
}
