//! Compose files: services, and what they depend on.
//!
//! Files in one folder are one project, and later files add to earlier ones. Keys are local to a project. What services connect to is often written in
//! their environment only, so hosts in variables and commands that are services become relationships with the property
//! `inferred`. Values of variables are never kept.

mod project;
mod variables;

use std::collections::{BTreeMap, HashMap, HashSet};

use self::project::Project;
use super::{
    builder::{Arrow, At, Builder, C, Draft},
    files::{File, Refusal},
    hosts,
    node::{Data, Node},
    roots, text, types,
};

/// Steps for searching a value for hosts.
const HOST_STEPS: usize = 8;
/// Memory of a host, in bytes.
const HOST_BYTES: usize = 80;
/// Maximum length of all values and commands that are searched for hosts, in bytes.
const MAX_SEARCHED_BYTES: usize = 2 << 20;

/// Whether a file is a compose file. The usual names are enough, so that errors in these files are explained.
pub(super) fn recognizes(file: &File) -> bool {
    let text = file.text();
    if file.has_extension(&["yaml", "yml"]) {
        is_named(file) || (roots::has(text, "services") && !roots::has(text, "apiVersion")) || is_flow(text)
    } else {
        file.has_extension(&["json"])
            && text.trim_start().starts_with('{')
            && text.contains("\"services\"")
            && (text.contains("\"image\"") || text.contains("\"build\""))
            && text.contains("\"networks\"")
    }
}

/// Whether a file has a name such as `compose.yaml` or `docker-compose.prod.yml`.
fn is_named(file: &File) -> bool {
    let name = file.name().rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    let rest = name.strip_prefix("docker-compose").or_else(|| name.strip_prefix("compose"));
    rest.is_some_and(|rest| rest.starts_with(['.', '-', '_']))
}

/// Whether a text is an object in braces with services, as JSON is.
fn is_flow(text: &str) -> bool {
    let has = |field: &str| text.contains(field);
    let begins = text.trim_start().starts_with('{');
    begins && has("services") && (has("image") || has("build")) && !has("apiVersion")
}

/// Reads compose files.
pub(super) fn read(builder: &mut Builder<'_>, files: &[usize]) -> Result<(), Refusal> {
    let mut folders: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    // The services to read from files that are only extended.
    for &file in files.iter().filter(|file| !builder.files.at(**file).is_reference()) {
        let name = builder.files.at(file).name();
        folders.entry(name.rfind('/').map_or("", |at| &name[..=at])).or_default().push(file);
    }
    let mut projects = Vec::new();
    for (folder, files) in folders {
        let mut project = Project::new(folder);
        if let Some(file) = builder.files.named(&format!("{folder}.env")) {
            project.variables.read(builder.files.at(file).text());
        }
        for file in &files {
            project.add(builder, *file)?;
        }
        project.extend(builder)?;
        projects.push((project, files));
    }
    let projects = independent(projects);
    let is_single = projects.len() == 1;
    if let Some(name) = projects.iter().find_map(|project| project.name.as_deref()).filter(|_| is_single) {
        builder.workspace(Some(name), None);
    }
    let mut searched = 0;
    for project in &projects {
        builder.scope(Some(&format!("{}/", project.folder.trim_end_matches('/'))));
        let mut reader = Reader {
            builder,
            project,
            components: HashMap::new(),
            hosts: HashMap::new(),
            drawn: HashSet::new(),
            searched: &mut searched,
        };
        reader.read()?;
    }
    Ok(())
}

/// The projects that others do not consist of.
fn independent(projects: Vec<(Project, Vec<usize>)>) -> Vec<Project> {
    let mut kept: Vec<(Project, Vec<usize>)> = Vec::new();
    for (project, files) in projects {
        let is_part = |(other, _): &(Project, Vec<usize>)| files.iter().all(|file| other.files.contains(file));
        if project.services.is_empty() || kept.iter().any(is_part) {
            continue;
        }
        kept.retain(|(_, other)| !other.iter().all(|file| project.files.contains(file)));
        kept.push((project, files));
    }
    kept.into_iter().map(|(project, _)| project).collect()
}

struct Reader<'b, 's, 'p> {
    builder: &'b mut Builder<'s>,
    project: &'p Project,
    components: HashMap<&'p str, C>,
    /// Services by the names under which others reach them.
    hosts: HashMap<String, C>,
    drawn: HashSet<(C, C)>,
    searched: &'b mut usize,
}

type Nodes = [(usize, Node)];

impl<'p> Reader<'_, '_, 'p> {
    fn read(&mut self) -> Result<(), Refusal> {
        let services = &self.project.services;
        let Some(first) = services.iter().find_map(|(_, nodes)| nodes.first()) else { return Ok(()) };
        let folder = self.project.folder.trim_end_matches('/');
        let around = if self.builder.options.systems {
            let folder_name = folder.rsplit('/').next().filter(|name| !name.is_empty());
            let name = self.project.name.as_deref().or(folder_name).or(self.builder.options.repository.as_deref());
            let draft = Draft {
                is_fixed: true,
                has_place_name: self.project.name.is_none(),
                ..Draft::new(format!("project:{folder}"), name.unwrap_or("compose"), "system", At::new(first.0, 1))
            };
            Some(self.builder.component(draft)?)
        } else {
            None
        };
        for (name, nodes) in services {
            self.service(name, nodes, around)?;
        }
        for (name, nodes) in services {
            self.depend(name, nodes)?;
        }
        for (name, nodes) in services {
            self.infer(name, nodes)?;
        }
        Ok(())
    }

    fn service(&mut self, name: &'p str, nodes: &'p Nodes, around: Option<C>) -> Result<(), Refusal> {
        let Some((file, first)) = nodes.iter().find(|(_, node)| matches!(node.value, Data::Object(_))) else {
            return Ok(());
        };
        let at = At::new(*file, first.line);
        self.charge_fields(nodes, at)?;
        let mut draft = Draft::new(name, name, "service", at);
        let last = |field: &str| nodes.iter().rev().find_map(|(_, node)| node.get(field));
        let replaced = |node: &Node| node.scalar().map(|text| self.project.variables.replaced(text));
        if let Some(image) = last("image") {
            // The value of a variable only says which known product the image is.
            let written = image.scalar().map(variables::shown).unwrap_or_default();
            let value = replaced(image).unwrap_or_default();
            if types::technology(&value).is_some() {
                let product = product(&written);
                let is_variable = product.contains(['$', '}']);
                draft.technology.extend(if is_variable {
                    types::product(&value).map(str::to_owned)
                } else {
                    Some(product)
                });
            }
            draft.property("image", written);
        }
        if let Some(replicas) = last("deploy").and_then(|deploy| deploy.get("replicas")).or_else(|| last("scale")) {
            let number = replicas.scalar().filter(|_| replicas.as_number().is_some_and(|number| number > 1.0));
            draft.property("instances", number.map(types::instances));
        }
        let profiles: Vec<&str> = nodes.iter().flat_map(|(_, node)| node.texts("profiles")).collect();
        self.builder.charge_steps(profiles.len(), at)?;
        if !profiles.is_empty() {
            draft.property("profiles", profiles);
        }
        let mut owner = None;
        for (name, value) in nodes.iter().flat_map(|(_, node)| pairs(node, "labels")) {
            let written = value.unwrap_or_default();
            self.builder.charge_steps(1 + written.len() / 64, at)?;
            let value = variables::shown(written);
            let is_owner = name == "planroom.owner" || (name == "org.opencontainers.image.vendor" && owner.is_none());
            match name {
                _ if (is_owner || matches!(name, "planroom.type" | "planroom.id"))
                    && variables::has_variables(written) =>
                {
                    self.builder
                        .warn(at, format!("the label `{name}` was not read, because `{value}` contains a variable"));
                }
                _ if is_owner => owner = Some(value),
                "planroom.type" | "planroom.id" => draft.property(name, value),
                "org.opencontainers.image.title" if !value.is_empty() => draft.name = value,
                "org.opencontainers.image.description" => draft.description = Some(value),
                "org.opencontainers.image.url"
                | "org.opencontainers.image.source"
                | "org.opencontainers.image.documentation" => {
                    let title = name.rsplit('.').next().map(str::to_owned);
                    draft.links.push((title, value));
                }
                _ => {}
            }
        }
        let names = ["container_name", "hostname"].into_iter().filter_map(last).filter_map(replaced);
        let networks = nodes.iter().flat_map(|(_, node)| node.entries("networks"));
        let aliases = networks.flat_map(|(_, network)| network.texts("aliases")).map(str::to_owned);
        let hosts: Vec<String> = names.chain(aliases).collect();
        let bytes: usize = hosts.iter().map(|host| HOST_BYTES + 2 * host.len()).sum();
        self.builder.charge(bytes, at)?;
        draft.owners.extend(owner);
        let component = self.builder.component(draft)?;
        if let Some(whole) = around {
            self.builder.contain(whole, component, at)?;
        }
        self.components.insert(name, component);
        for host in hosts {
            self.hosts.entry(host.to_lowercase()).or_insert(component);
        }
        self.hosts.insert(name.to_lowercase(), component);
        Ok(())
    }

    fn depend(&mut self, name: &str, nodes: &Nodes) -> Result<(), Refusal> {
        let Some(&from) = self.components.get(name) else { return Ok(()) };
        for (file, node) in nodes {
            self.builder.charge_steps(node.fields().len(), At::new(*file, node.line))?;
            let mut targets: Vec<(&str, u32)> = Vec::new();
            if let Some(depends) = node.get("depends_on") {
                targets.extend(depends.fields().iter().map(|(name, node)| (name.as_str(), node.line)));
            }
            let lists = ["depends_on", "links"].into_iter().flat_map(|field| node.items(field));
            let texts = lists.filter_map(|node| Some((node.as_text()?, node.line)));
            targets.extend(texts);
            let mode =
                node.get("network_mode").and_then(|mode| Some((mode.as_text()?.strip_prefix("service:")?, mode.line)));
            targets.extend(mode);
            for (target, line) in targets {
                let at = At::new(*file, line);
                self.builder.charge_steps(2 + target.len() / 64, at)?;
                // A link can have an alias.
                let value = self.project.variables.replaced(target);
                match self.components.get(value.split(':').next().unwrap_or_default()) {
                    Some(&to) if to != from => {
                        if self.drawn.insert((from, to)) {
                            self.builder.arrow(Arrow { type_id: Some("depends-on"), ..Arrow::new(from, to, at) })?;
                        }
                    }
                    Some(_) => {}
                    None => {
                        let target = text::cut(&variables::shown(target), 100);
                        self.builder.warn(at, format!("`{name}` depends on `{target}`, which is no service"));
                    }
                }
            }
        }
        Ok(())
    }

    /// Draws what only variables and commands say.
    fn infer(&mut self, name: &str, nodes: &Nodes) -> Result<(), Refusal> {
        let Some(&from) = self.components.get(name) else { return Ok(()) };
        let mut found: Vec<(String, Option<&str>, At)> = Vec::new();
        let mut env_files = HashSet::new();
        for (file, node) in nodes {
            if *self.searched > MAX_SEARCHED_BYTES {
                break;
            }
            let line = |field: &str| At::new(*file, node.get(field).map_or(node.line, |node| node.line));
            for (name, value) in pairs(node, "environment") {
                let value = match value {
                    Some(value) => self.project.variables.replaced(value),
                    None => self.project.variables.get(name).unwrap_or_default().to_owned(),
                };
                if self.exceeds_search_limit(name.len() + value.len(), line("environment"))? {
                    return Ok(());
                }
                found.extend(
                    hosts::in_value(name, &value).into_iter().map(|host| (host, Some(name), line("environment"))),
                );
            }
            for path in node.get("env_file").into_iter().flat_map(|files| {
                let one = files.as_text().or_else(|| files.text("path")).into_iter();
                one.chain(files.as_list().iter().filter_map(|file| file.as_text().or_else(|| file.text("path"))))
            }) {
                self.builder.charge_steps(HOST_STEPS + path.len() / 16, line("env_file"))?;
                let path = format!("{}{}", self.project.folder, path.trim_start_matches("./"));
                // Skip repeated files.
                let Some(env) = self.builder.files.named(&path).filter(|env| env_files.insert(*env)) else { continue };
                for (number, written) in (1..).zip(self.builder.files.at(env).text().lines().take(1_000)) {
                    let variable = written.trim().split_once('=');
                    let variable = variable.map(|(name, value)| (name, self.project.variables.replaced(value)));
                    let bytes = variable.as_ref().map_or(0, |(_, value)| value.len());
                    if self.exceeds_search_limit(bytes.max(written.len()), line("env_file"))? {
                        return Ok(());
                    }
                    let Some((name, value)) = variable else { continue };
                    let hosts = hosts::in_value(name, &value).into_iter();
                    found.extend(hosts.map(|host| (host, None, At::new(env, number))));
                }
            }
            for field in ["command", "entrypoint"] {
                let Some(command) = node.get(field) else { continue };
                let words = command.as_text().into_iter().chain(command.as_list().iter().filter_map(Node::as_text));
                let words: Vec<String> = words.map(|word| self.project.variables.replaced(word)).collect();
                self.builder.charge_steps(words.len(), line(field))?;
                if self.exceeds_search_limit(words.iter().map(String::len).sum(), line(field))? {
                    return Ok(());
                }
                let hosts = hosts::in_command(words.iter().map(String::as_str));
                found.extend(hosts.into_iter().map(|host| (host, None, line(field))));
            }
        }
        for (host, variable, at) in found {
            let Some(&to) = self.hosts.get(&host) else { continue };
            if to == from || !self.drawn.insert((from, to)) {
                continue;
            }
            let mut arrow = Arrow { type_id: Some("uses"), ..Arrow::new(from, to, at) };
            arrow.properties.push(("inferred".into(), true.into()));
            if let Some(variable) = variable {
                arrow.properties.push(("inferredFrom".into(), variable.into()));
            }
            self.builder.arrow(arrow)?;
        }
        Ok(())
    }
}

impl Reader<'_, '_, '_> {
    /// Charges steps for iterating over the fields of a service.
    fn charge_fields(&self, nodes: &Nodes, at: At) -> Result<(), Refusal> {
        self.builder.charge_steps(nodes.iter().map(|(_, node)| 1 + node.fields().len()).sum(), at)
    }

    /// Counts bytes that are searched for hosts. Returns whether the limit is exceeded, and reports that.
    fn exceeds_search_limit(&mut self, bytes: usize, at: At) -> Result<bool, Refusal> {
        self.builder.charge_steps(HOST_STEPS, at)?;
        *self.searched += bytes;
        let is_exceeded = *self.searched > MAX_SEARCHED_BYTES;
        if is_exceeded {
            self.builder
                .warn(at, "the environment variables and commands are too large to search all of them for hosts");
        }
        Ok(is_exceeded)
    }
}

/// The entries of a field that is an object, or a list of `name=value`.
fn pairs<'n>(node: &'n Node, field: &str) -> Vec<(&'n str, Option<&'n str>)> {
    let entries = node.entries(field).iter().map(|(name, value)| (name.as_str(), value.scalar()));
    let items = node.texts(field).map(|text| match text.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (text, None),
    });
    entries.chain(items).collect()
}

/// The name of an image without registry and tag.
pub(super) fn product(image: &str) -> String {
    let name = image.rsplit('/').next().unwrap_or_default();
    name.split([':', '@']).next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests;
