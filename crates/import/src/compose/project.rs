//! The files of a compose project, merged into services.

use std::collections::{HashMap, HashSet, hash_map::Entry};

use super::variables::Variables;
use crate::{
    builder::{At, Builder},
    files::Refusal,
    node::{Data, Node},
    secrets::without_secrets,
    text, yaml,
};

/// Maximum number of services that extend each other.
const MAX_EXTENDS: usize = 16;

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
            for root in yaml::documents(builder.files.at(file))? {
                open.extend(self.document(builder, file, root));
            }
        }
        Ok(())
    }

    fn document(&mut self, builder: &mut Builder<'_>, file: usize, mut root: Node) -> Vec<usize> {
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
                let found = builder.files.resolve(file, &self.variables.replaced(path));
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
        let Data::Object(fields) = &mut root.value else { return included };
        let services = fields.iter_mut().find(|(name, _)| name == "services").map(|(_, services)| services);
        let Some(Node { value: Data::Object(services), .. }) = services else { return included };
        for (name, node) in services.drain(..) {
            let at = *self.positions.entry(name.clone()).or_insert(self.services.len());
            if at == self.services.len() {
                self.services.push((name, Vec::new()));
            }
            self.services[at].1.push((file, node));
        }
        included
    }

    /// Puts the services that others extend before them.
    pub(super) fn extend(&mut self, builder: &mut Builder<'_>) -> Result<(), Refusal> {
        let mut loaded: HashMap<usize, Vec<Node>> = HashMap::new();
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
        loaded: &mut HashMap<usize, Vec<Node>>,
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
                let other = builder.files.resolve(file, &path).first().copied();
                match other {
                    None => None,
                    Some(other) => {
                        let roots = match loaded.entry(other) {
                            Entry::Occupied(known) => known.into_mut(),
                            Entry::Vacant(new) => new.insert(yaml::documents(builder.files.at(other))?),
                        };
                        let node = roots.iter().find_map(|root| root.at(&["services", name]));
                        node.map(|node| (other, node.clone()))
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
