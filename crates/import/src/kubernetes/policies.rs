//! Network policies: which workloads may connect to which.
//!
//! A policy allows connections and does not prove them, so they are drawn with the property `inferred`. Only selectors with
//! labels are read: others select everything, or exclude something.

use std::{collections::HashSet, rc::Rc};

use super::{Cluster, object::Object};
use crate::{
    builder::{Arrow, At, C},
    files::Refusal,
    node::Node,
};

impl<'o> Cluster<'_, '_, 'o> {
    /// Draws the connections that policies allow, unless they are known already.
    pub(super) fn allow(&mut self) -> Result<(), Refusal> {
        let objects = self.objects;
        for policy in objects.iter().filter(|object| object.kind == "NetworkPolicy") {
            let spec = policy.spec();
            let Some(own) = spec.get("podSelector") else { continue };
            let own = self.selected(&policy.namespace, own, policy.at)?;
            let mut known = HashSet::new();
            for (rules, peers, is_ingress) in [("ingress", "from", true), ("egress", "to", false)] {
                for peer in spec.items(rules).iter().flat_map(|rule| rule.items(peers)) {
                    let (Some(selector), Some(namespace)) = (peer.get("podSelector"), namespace(policy, peer)) else {
                        continue;
                    };
                    let at = At::new(policy.at.file, peer.line);
                    let others = self.selected(namespace, selector, at)?;
                    // Equal peers share a list.
                    if known.insert((is_ingress, others.as_ptr())) {
                        self.connect(policy, (&own, &others), is_ingress, at)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn connect(
        &mut self,
        policy: &Object,
        (own, others): (&[C], &[C]),
        is_ingress: bool,
        at: At,
    ) -> Result<(), Refusal> {
        for own in own {
            self.builder.charge_steps(others.len(), at)?;
            for other in others {
                let (from, to) = if is_ingress { (*other, *own) } else { (*own, *other) };
                if from != to && self.drawn.insert((from, to)) {
                    let mut arrow = Arrow { type_id: Some("uses"), ..Arrow::new(from, to, at) };
                    arrow.properties.push(("inferred".into(), true.into()));
                    arrow.properties.push(("inferredFrom".into(), format!("NetworkPolicy {}", policy.name).into()));
                    self.builder.arrow(arrow)?;
                }
            }
        }
        Ok(())
    }

    /// The workloads in a namespace with the labels of a selector.
    fn selected(&mut self, namespace: &'o str, selector: &'o Node, at: At) -> Result<Rc<[C]>, Refusal> {
        let labels = selector.entries("matchLabels");
        if labels.is_empty() || selector.get("matchExpressions").is_some() {
            return Ok(Rc::from([]));
        }
        self.selectors.select(self.builder, namespace, labels, at)
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
