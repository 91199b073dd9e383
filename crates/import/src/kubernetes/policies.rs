//! Network policies: which workloads may connect to which.
//!
//! A policy allows connections and does not prove them, so they are drawn with the property `inferred`. Only selectors with
//! labels are read: others select everything, or exclude something.

use super::{Cluster, object::Object};
use crate::{
    builder::{Arrow, At, C},
    files::Refusal,
    node::Node,
};

/// Maximum number of comparisons of labels of policies and workloads.
const MAX_COMPARISONS: usize = 10_000_000;

impl Cluster<'_, '_, '_> {
    /// Draws the connections that policies allow, unless they are known already.
    pub(super) fn allow(&mut self) -> Result<(), Refusal> {
        let mut comparisons = 0;
        for policy in self.objects.iter().filter(|object| object.kind == "NetworkPolicy") {
            let spec = policy.spec();
            let own =
                spec.get("podSelector").map(|selector| self.selected(&policy.namespace, selector, &mut comparisons));
            for (rules, peers, is_ingress) in [("ingress", "from", true), ("egress", "to", false)] {
                for peer in spec.items(rules).iter().flat_map(|rule| rule.items(peers)) {
                    let (Some(selector), Some(namespace)) = (peer.get("podSelector"), namespace(policy, peer)) else {
                        continue;
                    };
                    let others = self.selected(namespace, selector, &mut comparisons);
                    let at = At::new(policy.at.file, peer.line);
                    for (own, other) in
                        own.iter().flatten().flat_map(|own| others.iter().map(move |other| (*own, *other)))
                    {
                        let (from, to) = if is_ingress { (other, own) } else { (own, other) };
                        if from != to && self.drawn.insert((from, to)) {
                            let mut arrow = Arrow { type_id: Some("uses"), ..Arrow::new(from, to, at) };
                            arrow.properties.push(("inferred".into(), true.into()));
                            arrow
                                .properties
                                .push(("inferredFrom".into(), format!("NetworkPolicy {}", policy.name).into()));
                            self.builder.arrow(arrow)?;
                        }
                    }
                }
            }
            if comparisons > MAX_COMPARISONS {
                self.builder
                    .warn(policy.at, "there are too many network policies to compare all of them with workloads");
                break;
            }
        }
        Ok(())
    }

    /// The workloads in a namespace with the labels of a selector.
    fn selected(&self, namespace: &str, selector: &Node, comparisons: &mut usize) -> Vec<C> {
        let labels = selector.entries("matchLabels");
        if labels.is_empty() || selector.get("matchExpressions").is_some() || *comparisons > MAX_COMPARISONS {
            return Vec::new();
        }
        let mut found = Vec::new();
        for (object, component) in self.objects.iter().zip(&self.components) {
            *comparisons += 1;
            let Some(component) = component.filter(|_| object.namespace == namespace) else { continue };
            let own = object.pod().at(&["metadata", "labels"]).map_or(&[][..], Node::fields);
            *comparisons += labels.len() * own.len();
            let fits = |(name, value): &(String, Node)| {
                own.iter().any(|(known, label)| {
                    known == name && label.scalar().is_some_and(|label| Some(label) == value.scalar())
                })
            };
            if labels.iter().all(fits) {
                found.push(component);
            }
        }
        found
    }
}

/// The namespace of the workloads that a peer selects, if it is a single one.
fn namespace<'n>(policy: &'n Object, peer: &'n Node) -> Option<&'n str> {
    match peer.get("namespaceSelector") {
        None => Some(&policy.namespace),
        Some(selector) => match selector.entries("matchLabels") {
            [(name, value)] if name == "kubernetes.io/metadata.name" => value.scalar(),
            _ => None,
        },
    }
}
