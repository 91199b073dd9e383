//! Kubernetes objects: what all kinds have in common.

use crate::{
    builder::At,
    node::{Data, Node},
};

/// Maximum length of a segment of a key, in bytes. Kubernetes allows fewer.
const MAX_SEGMENT_BYTES: usize = 400;

/// An object.
pub(super) struct Object {
    pub(super) kind: String,
    pub(super) name: String,
    pub(super) namespace: String,
    pub(super) at: At,
    pub(super) node: Node,
}

/// Stands for what is absent.
pub(super) static EMPTY: Node = Node { line: 1, value: Data::Null };

/// Adds the objects in a document: one, or the items of a list. Returns how many values are no objects.
pub(super) fn add(node: &Node, file: usize, objects: &mut Vec<Object>) -> usize {
    let is_list = node.text("kind").is_some_and(|kind| kind.ends_with("List")) || !node.as_list().is_empty();
    if !is_list {
        return match one(node, file) {
            Some(object) => {
                objects.push(object);
                0
            }
            None => 1,
        };
    }
    let items = if node.as_list().is_empty() { node.items("items") } else { node.as_list() };
    let mut others = 0;
    for item in items {
        match one(item, file) {
            Some(object) => objects.push(object),
            None => others += 1,
        }
    }
    others
}

fn one(node: &Node, file: usize) -> Option<Object> {
    let kind = truncated(node.text("kind")?);
    node.text("apiVersion")?;
    let metadata = node.get("metadata");
    let name = truncated(metadata.and_then(|metadata| metadata.get("name")?.scalar()).unwrap_or_default()).to_owned();
    if name.is_empty() && kind != "Kustomization" {
        return None;
    }
    let namespace = truncated(metadata.and_then(|metadata| metadata.text("namespace")).unwrap_or("default")).to_owned();
    // Serverless services share the name of their kind with services of the core.
    let is_knative = node.text("apiVersion").is_some_and(|version| version.starts_with("serving.knative.dev/"));
    let kind = if is_knative { format!("Knative{kind}") } else { kind.to_owned() };
    Some(Object { kind, name, namespace, at: At::new(file, node.line), node: node.clone() })
}

/// Truncates a segment of a key, because each reference copies it.
fn truncated(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_SEGMENT_BYTES)]
}

impl Object {
    pub(super) fn key(&self) -> String {
        format!("{}/{}/{}", self.kind.to_lowercase(), self.namespace, self.name)
    }

    pub(super) fn spec(&self) -> &Node {
        self.node.get("spec").unwrap_or(&EMPTY)
    }

    /// The pod that a workload runs.
    pub(super) fn pod(&self) -> &Node {
        match self.kind.as_str() {
            "Pod" => Some(&self.node),
            "CronJob" => self.node.at(&["spec", "jobTemplate", "spec", "template"]),
            _ => self.node.at(&["spec", "template"]),
        }
        .unwrap_or(&EMPTY)
    }

    /// The containers of a workload, with those that run before.
    pub(super) fn containers(&self) -> impl Iterator<Item = &Node> {
        let spec = self.pod().get("spec").unwrap_or(&EMPTY);
        spec.items("containers").iter().chain(spec.items("initContainers"))
    }

    /// A label or annotation of the object or its pod.
    pub(super) fn label(&self, name: &str) -> Option<&str> {
        let metadata = [self.node.get("metadata"), self.pod().get("metadata")];
        let all = metadata.into_iter().flatten();
        let parts = all.flat_map(|metadata| [metadata.get("annotations"), metadata.get("labels")]).flatten();
        parts.filter_map(|part| part.get(name)?.scalar()).find(|text| !text.trim().is_empty())
    }

    /// The owner in labels and annotations.
    pub(super) fn owner(&self) -> Option<&str> {
        let known = ["planroom.owner", "owner", "team"].into_iter().find_map(|name| self.label(name));
        known.or_else(|| {
            let metadata = self.node.get("metadata")?;
            let all = ["annotations", "labels"].into_iter().flat_map(|part| metadata.entries(part));
            let mut own = all.filter(|(name, _)| name.ends_with("/owner") || name.ends_with("/team"));
            own.find_map(|(_, value)| value.as_text().filter(|text| !text.trim().is_empty()))
        })
    }

    /// Whether a controller of another object makes this one.
    pub(super) fn is_owned(&self) -> bool {
        !self.node.at(&["metadata", "ownerReferences"]).map_or(&[][..], Node::as_list).is_empty()
    }
}
