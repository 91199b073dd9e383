//! `LikeC4` models as JSON, as written by `likec4 export json`.
//!
//! Elements are keyed by their full name. The ids of relationships depend on the folder in which `likec4` ran, so the keys
//! of relationships are made of their ends, kind and title.

mod deployments;
mod views;

use std::collections::{HashMap, HashSet};

use super::{
    builder::{Arrow, At, Builder, C, Draft},
    files::{File, Refusal},
    node::{Data, Node},
    text, types,
};

/// Memory of a pair of connected elements, in bytes.
const PAIR_BYTES: usize = 80;

/// Whether a file is an export.
pub(super) fn recognizes(file: &File) -> bool {
    let text = file.text();
    text.trim_start().starts_with(['{', '['])
        && text.contains("\"elements\"")
        && text.contains("\"relations\"")
        && (text.contains("\"specification\"") || text.contains("\"projectId\""))
}

/// Reads exports. An export can be a list of projects, in which some versions repeat a project.
pub(super) fn read(builder: &mut Builder<'_>, files: &[usize]) -> Result<(), Refusal> {
    let mut roots = Vec::new();
    for &file in files {
        roots.push((file, builder.json(file)?));
    }
    let (mut projects, mut known) = (Vec::new(), HashSet::new());
    for (file, root) in &roots {
        let list = if let Data::List(list) = &root.value { &list[..] } else { std::slice::from_ref(root) };
        for project in list {
            let id = project.text("projectId").unwrap_or_default();
            if known.insert((*file, id)) {
                projects.push((*file, id, project));
            }
        }
    }
    let mut files: HashMap<&str, HashSet<usize>> = HashMap::new();
    for (file, id, _) in &projects {
        files.entry(id).or_default().insert(*file);
    }
    for (file, id, root) in projects {
        let is_single = files.get(id).is_none_or(|files| files.len() == 1);
        let around = if is_single { String::new() } else { format!("{}:", builder.files.at(file).name()) };
        builder.scope(Some(&format!("{around}{id}/")));
        let mut project =
            Project { builder, file, root, elements: HashMap::new(), connected: HashSet::new(), nodes: HashMap::new() };
        project.read()?;
    }
    Ok(())
}

/// A project of an export.
struct Project<'b, 's, 'n> {
    builder: &'b mut Builder<'s>,
    file: usize,
    root: &'n Node,
    /// Elements by full name.
    elements: HashMap<&'n str, C>,
    /// Pairs of full names that a relationship connects, including the elements around its ends.
    connected: HashSet<(&'n str, &'n str)>,
    /// Deployment nodes by full name, and elements of instances.
    nodes: HashMap<&'n str, C>,
}

impl<'n> Project<'_, '_, 'n> {
    fn read(&mut self) -> Result<(), Refusal> {
        let root = self.root;
        let title = root.at(&["project", "title"]).and_then(Node::as_text).or_else(|| root.text("projectId"));
        self.builder.workspace(title, None);
        self.elements()?;
        for (_, relation) in root.entries("relations") {
            self.relation(relation)?;
        }
        self.deployments()?;
        self.views()?;
        self.builder.ignore("imported elements", root.entries("imports").len());
        Ok(())
    }

    fn at(&self, node: &Node) -> At {
        At::new(self.file, node.line)
    }

    fn elements(&mut self) -> Result<(), Refusal> {
        let elements = self.root.entries("elements");
        let parents: HashSet<&str> =
            elements.iter().filter_map(|(id, _)| id.rsplit_once('.').map(|(parent, _)| parent)).collect();
        for (id, element) in elements {
            let draft = self.draft(id, element, parents.contains(id.as_str()));
            let component = self.builder.component(draft)?;
            self.elements.insert(id, component);
        }
        for (id, element) in elements {
            let parent = id.rsplit_once('.').and_then(|(parent, _)| self.elements.get(parent)).copied();
            if let (Some(whole), Some(part)) = (parent, self.elements.get(id.as_str()).copied()) {
                self.builder.contain(whole, part, self.at(element))?;
            }
        }
        Ok(())
    }

    fn draft(&mut self, id: &str, element: &Node, has_parts: bool) -> Draft {
        let kind = element.text("kind").unwrap_or_default();
        let (level, c4) = level(kind, has_parts);
        let name = element.text("title").unwrap_or_else(|| id.rsplit('.').next().unwrap_or(id));
        let mut draft = Draft::new(id, name, level, self.at(element));
        draft.is_fixed = level == "group";
        draft.description = rich_text(element, "description").or_else(|| rich_text(element, "summary"));
        draft.shape = element.at(&["style", "shape"]).and_then(Node::as_text).map(str::to_owned);
        draft.tags = element.texts("tags").map(str::to_owned).collect();
        if let Some(technology) = element.text("technology") {
            draft.technologies(technology);
        }
        // The icon often names the product when the technology is a sentence.
        let icon = element.at(&["style", "icon"]).and_then(Node::as_text).and_then(|icon| icon.strip_prefix("tech:"));
        let named = draft.technology.first().and_then(|technology| types::technology(technology));
        if let Some(product) = icon.filter(|_| named.is_none()).and_then(types::technology) {
            draft.level = product;
        }
        draft.property("c4", c4);
        for (name, value) in element.entries("metadata") {
            match &value.value {
                Data::List(_) => {
                    let all: Vec<&str> = value.as_list().iter().filter_map(Node::scalar).collect();
                    draft.property(name, all.join(", "));
                }
                _ => draft.property(name, value.scalar().unwrap_or_default()),
            }
        }
        for link in element.items("links") {
            // Relative links are paths in the repository.
            match link.text("url").and_then(text::web_address) {
                Some(url) => draft.links.push((link.text("title").map(str::to_owned), url)),
                None => self.builder.ignore("relative links", 1),
            }
        }
        draft
    }

    fn relation(&mut self, relation: &'n Node) -> Result<(), Refusal> {
        let (source, target) = (model_end(relation, "source"), model_end(relation, "target"));
        let known = |end: Option<&str>| end.and_then(|name| self.elements.get(name)).copied();
        let (Some(from), Some(to)) = (known(source), known(target)) else {
            self.builder.warn(
                self.at(relation),
                "a relationship was not imported, because one of its ends is not in the project",
            );
            return Ok(());
        };
        let (source, target) = (source.unwrap_or_default(), target.unwrap_or_default());
        let before = self.connected.len();
        for above in with_parents(source) {
            self.connected.extend(with_parents(target).map(|target| (above, target)));
        }
        self.builder.charge(PAIR_BYTES * (self.connected.len() - before), self.at(relation))?;
        let title = relation.text("title").unwrap_or_default();
        let kind = relation.text("kind").unwrap_or_default();
        let mut arrow = Arrow { label: title.to_owned(), ..Arrow::new(from, to, self.at(relation)) };
        arrow.key = Some(format!("{source}->{target}:{kind}:{title}"));
        arrow.technology = relation.text("technology").map(text::list).unwrap_or_default();
        let tags = relation.texts("tags").collect::<Vec<_>>().join(", ");
        for (name, value) in [("tags", tags.as_str()), ("kind", kind)] {
            if !value.is_empty() {
                arrow.properties.push((name.into(), value.into()));
            }
        }
        if let Some(description) = rich_text(relation, "description") {
            arrow.properties.push(("description".into(), description.into()));
        }
        self.builder.ignore("links of relationships", relation.items("links").len());
        self.builder.arrow(arrow)
    }
}

/// The full name of the element at the end of a relationship.
fn model_end<'n>(relation: &'n Node, end: &str) -> Option<&'n str> {
    let end = relation.get(end)?;
    end.as_text().or_else(|| end.text("model"))
}

/// A full name and those of the elements around it.
fn with_parents(name: &str) -> impl Iterator<Item = &str> {
    const MAX_LEVELS: usize = 4;
    std::iter::successors(Some(name), |name| name.rsplit_once('.').map(|(parent, _)| parent)).take(MAX_LEVELS)
}

/// A text, which newer versions write as `{ "txt": … }` or `{ "md": … }`.
fn rich_text(node: &Node, field: &str) -> Option<String> {
    let text = node.get(field)?;
    text.as_text().or_else(|| text.text("md")).or_else(|| text.text("txt")).map(str::to_owned)
}

/// The type and the C4 level of a kind. Authors choose the names of kinds.
fn level(kind: &str, has_parts: bool) -> (&'static str, &'static str) {
    let name: String = kind.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    let is = |words: &[&str]| words.iter().any(|word| name == *word);
    if is(&["actor", "person", "user", "customer", "staff", "role"]) {
        return ("person", "");
    }
    if name.starts_with("external") {
        return ("external-system", "system");
    }
    if let Some(id) = types::tag(kind) {
        return (id, "container");
    }
    if is(&["component", "module", "class"]) {
        return ("component", "component");
    }
    if is(&["group", "boundary", "enterprise", "organization"]) {
        return ("group", "");
    }
    if is(&["domain", "subdomain", "boundedcontext"]) {
        return ("domain", "");
    }
    if name.ends_with("system") || (has_parts && is(&["product", "platform"])) {
        return ("system", "system");
    }
    ("service", "container")
}
