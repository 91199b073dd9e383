//! Entities of a catalog and references to them.

use crate::{builder::At, node::Node};

/// Maximum length of a segment of a key, in bytes.
const MAX_SEGMENT_BYTES: usize = 400;

/// An entity.
pub(super) struct Entity {
    /// Kind, in lowercase.
    pub(super) kind: String,
    /// Namespace, in lowercase.
    pub(super) namespace: String,
    pub(super) name: String,
    pub(super) at: At,
    pub(super) node: Node,
}

static EMPTY: Node = Node { line: 1, value: crate::node::Data::Null };

/// The entities in a document: one, a list, or an object with a list `items`. `None` stands for what is no entity.
pub(super) fn all(node: &Node, file: usize) -> Vec<Option<Entity>> {
    use crate::node::Data;
    match &node.value {
        Data::List(items) => items.iter().map(|item| one(item, file)).collect(),
        Data::Object(fields) => match fields.iter().find(|(name, _)| name == "items") {
            Some((_, items)) => all(items, file),
            None => vec![one(node, file)],
        },
        _ => vec![None],
    }
}

fn one(node: &Node, file: usize) -> Option<Entity> {
    let kind = truncated(node.text("kind")?).to_lowercase();
    let metadata = node.get("metadata")?;
    let name = truncated(metadata.get("name")?.scalar()?).to_owned();
    let namespace = truncated(metadata.text("namespace").unwrap_or("default")).to_lowercase();
    Some(Entity { kind, namespace, name, at: At::new(file, node.line), node: node.clone() })
}

/// Truncates a segment of a key, because each reference copies it.
fn truncated(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_SEGMENT_BYTES)]
}

impl Entity {
    /// The reference in full.
    pub(super) fn key(&self) -> String {
        format!("{}:{}/{}", self.kind, self.namespace, self.name.to_lowercase())
    }

    /// The title, or the name.
    pub(super) fn title(&self) -> &str {
        self.metadata("title").unwrap_or(&self.name)
    }

    /// The kind as it is written.
    pub(super) fn written_kind(&self) -> &str {
        self.node.text("kind").unwrap_or_default()
    }

    /// A text of the metadata.
    pub(super) fn metadata(&self, field: &str) -> Option<&str> {
        self.node.get("metadata")?.text(field)
    }

    pub(super) fn spec(&self) -> &Node {
        self.node.get("spec").unwrap_or(&EMPTY)
    }
}

/// The key that a reference `[kind:][namespace/]name` means.
pub(super) fn reference(text: &str, kind: &str, namespace: &str) -> String {
    let text = text.trim();
    let text = text[..text.floor_char_boundary(3 * MAX_SEGMENT_BYTES)].to_lowercase();
    let (kind, rest) = text.split_once(':').unwrap_or((kind, &text));
    let (namespace, name) = rest.split_once('/').unwrap_or((namespace, rest));
    format!("{kind}:{namespace}/{name}")
}
